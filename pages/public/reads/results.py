"""Data of the public page of results: every posted result and ruling, and the tie being played."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from ground.refused import Refused
from pages.words.naming import entries_named
from pages.words.prizes import listed, places_words, posted_words
from pages.words.requests import codes_differing
from pages.words.stages import stage_title
from pages.words.standings import StateText, remark_words, tie_ruling_words
from tables.selectors.cut_review import cut_rulings
from tournament.engine.next_steps import Do, NextStep
from tournament.engine.ties import TieGroup
from tournament.figures import ordinal
from tournament.models import Event, PayoutStructure, Posting, Round, Stack
from tournament.selectors.heads import heads_of
from tournament.selectors.next_steps import steps_of
from tournament.selectors.prizes import currency_of, prizes_for
from tournament.selectors.stages import live_payouts, stage_row, state_of
from tournament.selectors.standings_states import Word

Kind, Status = Round.Kind, Round.Status

PLACES_KEPT = gettext_noop(
    "Disqualified players are listed last, without a place. The other players keep the places that they had"
    " in this round."
)


@dataclass(frozen=True)
class Now:
    """The tie being played, or the next step: ``state`` for machines, ``text`` for people.

    ``entries`` are tied, for ``seats`` seats or for ``places``.
    """

    state: str
    text: str
    entries: tuple[str, ...] = ()
    seats: int | None = None
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class ResultRow:
    """One entry in a posted result: label of the place, name and code, chips, outcome.

    ``outcome``: that of its stack. A disqualified entry has no place in a round and no chips (T26).
    ``prize_cents``: its whole prize now; 0 without one, and in every result but the final places in force.
    """

    place: str
    name: str
    code: str
    chips: int | None
    outcome: str
    words: Sequence[StateText]
    prize_cents: int = 0

    @property
    def word(self) -> str:
        """The remarks beside the name."""
        return ", ".join(self.words)

    @property
    def states(self) -> str:
        """The states of these remarks."""
        return " ".join(each.state for each in self.words)


@dataclass(frozen=True)
class Posted:
    """One posting on the page. ``live``: it is in force; ``said``: its sentences and reasons.

    ``head``: the sealed journal head of its command.
    """

    title: str
    live: bool
    posting: Posting
    said: tuple[StateText, ...]
    rows: tuple[ResultRow, ...] = ()
    head: str = ""

    @property
    def final(self) -> bool:
        """Whether these are the final places."""
        return "final" in self.posting.body

    @property
    def pays(self) -> bool:
        """Whether a place in it has a prize."""
        return any(row.prize_cents for row in self.rows)

    @property
    def level(self) -> bool:
        """Whether players are level at a place in it."""
        return any(row.place.startswith("=") for row in self.rows)


POSTED = (Posting.Kind.RESULT, Posting.Kind.PAYOUTS, Posting.Kind.CALLED_OFF)


def posted_results(event: Event, kinds: Iterable[str] = POSTED, *, prizes: bool = True) -> tuple[Posted, ...]:
    """Return every version of every result, and every posted ruling, newest first (T17, T23).

    ``prizes``: with the prize of each final place in force.
    """
    postings = list(Posting.objects.filter(event=event, kind__in=kinds).order_by("-at", "-pk"))
    read, heads = _Read(event, postings, prizes=prizes), heads_of(event, {each.at for each in postings})
    codes = {head.at: head.code for head in heads}
    return tuple(replace(read.posted(each), head=codes.get(each.at, "")) for each in postings)


def result_in_force(event: Event) -> Posted | None:
    """Return the final places in force, else the result in force of the last closed round; None without one.

    A correction may post a round again after them.
    """
    in_force = (each for each in posted_results(event, (Posting.Kind.RESULT,)) if each.live)
    return max(in_force, key=lambda each: each.posting.number, default=None)


# What is played -----------------------------------------------------------------------------------------


def played_now(event: Event) -> list[Now]:
    """Return the tie being played, or the next step; empty if the event's headline is enough."""
    if event.status != Event.Status.RUNNING:
        return []
    try:
        state = state_of(event)
    except Refused:
        # The journal is not whole. Posted results stay readable.
        return []
    step = next(reversed(steps_of(event, state)), None)
    # The event may have ended since its row was read.
    if step is None or state.status != event.status:
        return []
    number, kind, _sequence = step.stage
    if step.do == Do.POST_PAYOUTS:
        words = _("Play is over. The final places follow once the payout structure is posted.")
        return [Now("payouts_follow", words)]
    if step.do == Do.CLOSE:
        return [_close_follows(number, kind)]
    if step.do == Do.PLAY:
        return _played(event, step)
    if step.groups:
        words = _("%(who)s are tied for %(places)s place: a sudden death follows.")
        return _tied(event, "sudden_death_follows", words, step.groups)
    if step.do == Do.SEAT and kind == Kind.ROUND:
        return [Now("round_follows", _("Round %(n)s is next.") % {"n": number})]
    return [_tie_open(event, step)]


def _close_follows(number: int, kind: str) -> Now:
    words = {
        Kind.ROUND: _("Round %(n)s is counted. Its result is posted when the director closes it."),
        Kind.PLAY_OFF: _("The play-off is decided. Its result is posted when the director closes it."),
        Kind.SUDDEN_DEATH: _(
            "The sudden death is decided. Its result is posted when the director closes it."
        ),
    }
    return Now("close_follows", words[Kind(kind)] % {"n": number})


def _played(event: Event, step: NextStep) -> list[Now]:
    """Return the ties for money being played, or the seats of a play-off with its remaining players (T23)."""
    if step.stage[1] == Kind.ROUND:
        return []
    drawn = stage_row(event, step.stage).status == Status.SEATED
    if step.stage[1] == Kind.SUDDEN_DEATH:
        words = _("%(who)s are tied for %(places)s place: the sudden death is being played.")
        if drawn:
            words = _("%(who)s are tied for %(places)s place: the seats for the sudden death are drawn.")
        return _tied(event, "sudden_death", words, step.groups)
    words = ngettext(
        "%(who)s are tied for the last seat: the play-off is being played.",
        "%(who)s are tied for the last %(n)s seats: the play-off is being played.",
        step.seats,
    )
    if drawn:
        words = ngettext(
            "%(who)s are tied for the last seat: the seats for the play-off are drawn.",
            "%(who)s are tied for the last %(n)s seats: the seats for the play-off are drawn.",
            step.seats,
        )
    return [_tied_at_cut("play_off", words, event, step.entries, step.seats)]


def _tied(event: Event, state: str, words: str, groups: Iterable[TieGroup]) -> list[Now]:
    return [
        Now(
            state,
            words % {"places": places_words(group.places), "who": _who(event, group.entries)},
            tuple(sorted(group.entries)),
            places=tuple(group.places),
        )
        for group in groups
    ]


def _tie_open(event: Event, step: NextStep) -> Now:
    seats = step.seats
    if step.do == Do.RULE:
        state = "ruling_follows"
        words = ngettext(
            "%(who)s are tied for the last seat: the director decides who advances.",
            "%(who)s are tied for the last %(n)s seats: the director decides who advances.",
            seats,
        )
    elif step.stage[2] > 1:
        # T23: nobody came to the play-off, or it left some players level.
        state = "play_off_or_ruling"
        words = ngettext(
            "%(who)s are still tied for the last seat: another play-off follows, or the director decides.",
            "%(who)s are still tied for the last %(n)s seats: another play-off follows, or the director"
            " decides.",
            seats,
        )
    else:
        state = "play_off_follows"
        words = ngettext(
            "%(who)s are tied for the last seat: a play-off follows.",
            "%(who)s are tied for the last %(n)s seats: a play-off follows.",
            seats,
        )
    return _tied_at_cut(state, words, event, step.entries, seats)


def _tied_at_cut(state: str, words: str, event: Event, codes: Iterable[str], seats: int) -> Now:
    tied = tuple(sorted(codes))
    return Now(state, words % {"n": seats, "who": _who(event, tied)}, tied, seats)


def _who(event: Event, codes: Iterable[str]) -> str:
    named = entries_named(event, codes)
    return listed([named[code] for code in sorted(named)] or [""])


# What is posted -----------------------------------------------------------------------------------------


class _Read:
    """The data that the postings of an event share, read once."""

    def __init__(self, event: Event, postings: Sequence[Posting], *, prizes: bool) -> None:
        self.event, self.with_prizes = event, prizes
        results = [each for each in postings if each.kind == Posting.Kind.RESULT]
        # Postings are newest first, so the reversed order leaves the newest in the dict.
        self.last = {each.number: each.version for each in reversed(results)}
        closed = event.rounds.filter(kind=Kind.ROUND, status=Status.CLOSED)
        # The rulings of each closed round that its cut stands after a correction (T17).
        ruled_to_stand = cut_rulings(event.pk)
        self.stood = {each.number: ruled_to_stand.get(each.pk, []) for each in closed}
        codes = {line[1] for each in results for line in each.body.get("standings") or each.body["final"]}
        ruled = {code for each in results for one in each.body.get("tie_rulings", ()) for code in one["tied"]}
        stood = [codes_differing(each.about.body()) for made in self.stood.values() for each in made]
        self.named = entries_named(event, codes.union(ruled, *stood))

    # Read money only if a posting is about it.
    @cached_property
    def currency(self) -> str:
        return currency_of(self.event)

    @cached_property
    def prizes(self) -> Mapping[str, int]:
        """Every whole prize in cents, by entry code (T35)."""
        return prizes_for(self.event)

    @cached_property
    def payouts(self) -> PayoutStructure | None:
        return live_payouts(self.event)

    def posted(self, posting: Posting) -> Posted:
        """Return a posting in words."""
        if posting.kind == Posting.Kind.RESULT:
            return self._result(posting)
        body = posting.body
        why = _reason(body.get("reason", ""))
        if posting.kind == Posting.Kind.PAYOUTS:
            title = _("Payout structure, version %(n)s") % {"n": posting.number}
            live = self.payouts is not None and self.payouts.posting_id == posting.pk
            sentences = [StateText(each, "payouts") for each in posted_words(body, self.currency)]
            return Posted(title, live, posting, (*sentences, *why))
        refunded = StateText(_("Every buy-in is refunded at the desk."), "refunded")
        return Posted(_("The event is called off"), True, posting, (*why, refunded))

    def _result(self, posting: Posting) -> Posted:
        final = "final" in posting.body
        title = _("Final places") if final else stage_title(Round(kind=Kind.ROUND, number=posting.number))
        decided = (Event.Status.FINISHED, Event.Status.PAID)
        stands = self.event.status in decided if final else posting.number in self.stood
        live = stands and posting.version == self.last[posting.number]
        sentences = [*self._why(posting), *self._rulings(posting.body)]
        # After the close other players no longer move up.
        if not final and posting.version > 1 and posting.body.get("disqualified"):
            sentences.append(StateText(_(PLACES_KEPT), "places_kept"))
        if live and not final:
            sentences += self._cut_stands(posting.number)
        return Posted(title, live, posting, tuple(sentences), tuple(self._rows(posting.body, live)))

    def _rows(self, body: Mapping[str, Any], live: bool) -> list[ResultRow]:
        lines = [(*line, "")[:4] for line in body.get("standings") or body["final"]]
        out = set(body.get("disqualified", ())) if "standings" in body else set()
        at = Counter(place for place, code, *_rest in lines if code not in out)
        prizes = self.prizes if self.with_prizes and live and "final" in body else {}
        outcomes = {Stack.Outcome.ADVANCED: _("advances"), Stack.Outcome.CUT: _("out")}
        words = _words_of(body)
        for code in self._held_back(body):
            words[code].append(remark_words(Word.CANNOT_BET))
        lines.sort(key=lambda line: line[1] in out)
        return [
            ResultRow("", self.named.get(code, code), code, None, "", words[code])
            if code in out
            else ResultRow(
                ("=" if at[place] > 1 else "") + ordinal(place),
                self.named.get(code, code),
                code,
                chips,
                outcome,
                [*([StateText(outcomes[outcome], outcome)] if outcome in outcomes else []), *words[code]],
                prizes.get(code, 0),
            )
            for place, code, chips, outcome in lines
        ]

    def _held_back(self, body: Mapping[str, Any]) -> list[str]:
        """Return the entries that a round cut for lack of chips although a seat stayed free (T20)."""
        lines = body.get("standings", ())
        through = [code for _place, code, _chips, outcome in lines if outcome == Stack.Outcome.ADVANCED]
        least = self.event.format.held_back(body["round"], len(through)) if lines else 0
        cut = Stack.Outcome.CUT
        return [code for _place, code, chips, outcome in lines if outcome == cut and chips < least]

    def _why(self, posting: Posting) -> list[StateText]:
        """Return why a result was posted again, as far as the posting says."""
        if posting.version == 1:
            return []
        again = posting.body.get("again", {})
        reasons = {
            "correct_after_close": _("A hand was corrected after this round was closed."),
            "payouts_supersede": _("A new payout structure was posted."),
            "disqualify": _("A player was disqualified."),
        }
        kind = again.get("kind", "") if again.get("kind") in reasons else "posted_again"
        why = StateText(reasons.get(kind, _("This result was posted again.")), kind)
        return [why, *_reason(again.get("reason", ""))]

    def _rulings(self, body: Mapping[str, Any]) -> list[StateText]:
        """Return the rulings on a tie with which a round was closed (T23)."""
        return [
            StateText(tie_ruling_words(each, self._names(each["advance"])), "tie_ruled")
            for each in body.get("tie_rulings", ())
        ]

    def _names(self, codes: Sequence[str]) -> str:
        return ", ".join(self.named.get(code, code) for code in codes)

    def _cut_stands(self, number: int) -> list[StateText]:
        """Return the rulings that a cut stands although it differs after a correction (T17)."""
        words = _("The director decided that the seats stay as they are. Reason: %(why)s")
        sentences = []
        for each in self.stood[number]:
            sentences += self._differs(each.about.body())
            sentences.append(StateText(words % {"why": each.reason}, "cut_stands"))
        return sentences

    def _differs(self, ruled: Mapping[str, Any]) -> list[StateText]:
        """Return the entries that the corrected hands put on the other side of the cut."""
        missed, extra, tied = (ruled.get(name, ()) for name in ("missed", "extra", "tied"))
        found = {
            "cut_missed": (
                missed,
                ngettext(
                    "By the corrected hands %(who)s should have advanced and did not.",
                    "By the corrected hands %(who)s should have advanced and did not.",
                    len(missed),
                ),
            ),
            "cut_extra": (
                extra,
                ngettext(
                    "By the corrected hands %(who)s should not have advanced and did.",
                    "By the corrected hands %(who)s should not have advanced and did.",
                    len(extra),
                ),
            ),
            "cut_tied": (
                tied,
                _("By the corrected hands %(who)s are tied for the last seats. This tie was not played off."),
            ),
        }
        return [
            StateText(words % {"who": self._names(codes)}, code)
            for code, (codes, words) in found.items()
            if codes
        ]


def _words_of(body: Mapping[str, Any]) -> dict[str, list[StateText]]:
    """Map entries to their remarks in a result (T15, T23, T26, T33)."""
    tie, words = body.get("tie", {}), defaultdict[str, list[StateText]](list)
    for word, codes in (
        (Word.WON_TIE, tie.get("won", ())),
        (Word.LOST_TIE, tie.get("lost", ())),
        (Word.SUDDEN_DEATH, body.get("sudden_death", ())),
        (Word.NO_HAND, body.get("no_hand", ())),
        (Word.DISQUALIFIED, body.get("disqualified", ())),
    ):
        for code in codes:
            words[code].append(remark_words(word))
    return words


def _reason(reason: str) -> tuple[StateText, ...]:
    """Return the typed reason."""
    return (StateText(_("Reason: %(why)s") % {"why": reason}, "reason"),) if reason else ()
