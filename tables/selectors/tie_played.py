"""A play-off or sudden death as it was played: its hands, and what happened between them, in order (T17).

The stage is played again from these (``tournament.engine.tie_again``), which must come to what is there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat
from tournament.engine.ranking import Cut
from tournament.engine.tie_again import (
    Docked,
    Left,
    Looked,
    Move,
    Priced,
    Ruled,
    Terms,
    TieHand,
    TiePlay,
    tie_play,
)
from tournament.models import Entry, JournalEntry, PayoutStructure, Penalty, Round, Stack
from tournament.selectors.penalties import cancelled_by_ruling
from tournament.selectors.stages import (
    TieRuling,
    cut_now,
    groups_opened,
    live_payouts,
    rulings_kept,
    stage_chips,
)

LOOKED, LOOKS = "looked", "looks"
"""In the stakes of a stage: tie → table id → its hands at the last look, and all looks there were."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Stage:
    """A play-off or sudden death as it was played: its hands by their numbers, the first first.

    ``stood``: a later round is seated, so that who won stands, whatever its hands come to (faults).
    """

    round: Round
    terms: Terms
    hands: tuple[TieHand, ...]
    deals: dict[int, Deal]
    moves: tuple[Move, ...]
    play: TiePlay
    ruling: TieRuling | None = None
    stood: bool = False

    @property
    def absent_last(self) -> frozenset[str]:
        """Who was absent at the last look."""
        looks = [each for each in self.moves if isinstance(each, Looked)]
        return looks[-1].absent if looks else frozenset()

    def number_of(self, deal: Deal) -> int:
        """The number of a hand in this stage."""
        return next(number for number, each in self.deals.items() if each.pk == deal.pk)

    def chips_before(self, deal: Deal) -> dict[str, int]:
        """The chips before a hand of those who were playing, by entry code."""
        return self.play.before[self.number_of(deal)]


def stage_of(round_: Round) -> Stage:
    """The stage as it was played.

    Raises Refused ``tie_not_replayed`` (409) where hands, penalties, rulings and who was disqualified do not
    come to what is there, or where it is not known at what somebody was disqualified.
    """
    at_hands, deals = _dealt(round_)
    codes = {s.entry_id: s.entry.code for s in round_.stacks.select_related("entry")}
    hands = tuple(_hand(number, deal, codes) for number, deal in deals.items())
    ruling = _ruling(round_)
    terms, moves = _terms(round_), _moves(round_, at_hands, ruling)
    play = tie_play(terms, hands, moves)
    stood = seats_stand(round_)
    if not _is_what_is_there(play, round_, stood):
        raise _not_replayed(round_, "more was decided in it than by its hands, penalties and rulings")
    return Stage(round_, terms, hands, deals, moves, play, ruling, stood)


def seats_stand(round_: Round) -> bool:
    """Whether a later round is seated on who won a play-off: they stay, whatever is put right (faults)."""
    parent = round_.parent
    if parent is None or parent.status != Round.Status.CLOSED:
        return False
    return parent.event.rounds.exclude(kind=Round.Kind.PLAY_OFF).filter(pk__gt=parent.pk).exists()


def _not_replayed(round_: Round, why: str) -> Refused:
    instead = "The hand stands; move chips by a penalty, or by cancelling one, each with its reason."
    if round_.status == Round.Status.CLOSED:
        instead = "The hand stands; disqualify, replace or call off, with the reason, where it has to be."
    return Refused(
        "tie_not_replayed",
        _("%(round)s cannot be looked at again: %(why)s. %(instead)s"),
        status=409,
        round=round_,
        why=why,
        instead=instead,
    )


# Its hands --------------------------------------------------------------------------------------------


def _dealt(round_: Round) -> tuple[list[datetime], dict[int, Deal]]:
    """When each hand was first recorded, in that order, void ones too; and those that count, by their number.

    The number is the place in that order, 1 for the first.
    """
    deals = Deal.objects.filter(shoe__round=round_).select_related("shoe__table", "shoe__round")
    by_id = {deal.pk: deal for deal in deals}
    first = {deal.pk: deal for deal in by_id.values() if deal.corrects_id is None and deal.closed_at}
    order = sorted(first.values(), key=lambda deal: (deal.closed_at, deal.pk))
    number = {deal.pk: at for at, deal in enumerate(order, start=1)}
    counts = {}
    for deal in by_id.values():
        began = deal
        while began.corrects_id is not None:
            began = by_id[began.corrects_id]
        if deal.status == Deal.Status.SETTLED:
            counts[number[began.pk]] = deal
    return [deal.closed_at for deal in order if deal.closed_at], dict(sorted(counts.items()))


def _hand(number: int, deal: Deal, codes: Mapping[int, str]) -> TieHand:
    at_box = {box: codes[entry] for box, entry in deal.entries.items()}
    nets = {at_box[box]: net for box, net in (deal.answer or {"net": {}})["net"].items()}
    return TieHand(number, deal.shoe.table_id, tuple(sorted(at_box.values())), nets)


def _terms(round_: Round) -> Terms:
    settings = round_.event.settings
    seats = Seat.objects.filter(round=round_).order_by("pk").values_list("entry__code", "table_id")
    return Terms(
        tables=dict(seats),
        fresh_chips=stage_chips(round_),
        minimum_chips=round_.plan.bets.min_chips,
        until=settings.sudden_death_until,
        seats=_seats_opened(round_) if round_.kind == Round.Kind.PLAY_OFF else 0,
        groups=tuple(groups_opened(round_)) if round_.kind == Round.Kind.SUDDEN_DEATH else (),
    )


def _seats_opened(round_: Round) -> int:
    """For how many seats a play-off was opened."""
    if "seats" in round_.stakes:
        return int(round_.stakes["seats"])
    # Before that was kept: those that were won, and those that are still contested.
    won = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).count()
    going_on = round_.status in (Round.Status.SEATED, Round.Status.PLAYING)
    return won + (int(round_.stakes["contested"]) if going_on else 0)


# What happened between them ---------------------------------------------------------------------------


def _moves(round_: Round, at_hands: Sequence[datetime], ruling: TieRuling | None) -> tuple[Move, ...]:
    """Looks, penalties in chips, who was disqualified, and the ruling, each after the hand it came after."""
    found: list[tuple[datetime, Move]] = [
        *_looks(round_),
        *_priced(round_),
        *_docked(round_),
        *_left(round_),
        *_ruled(round_, ruling, at_hands),
    ]
    found.sort(key=lambda each: each[0])
    return tuple(
        replace(move, after=bisect_right(at_hands, at), nth=nth) for nth, (at, move) in enumerate(found)
    )


def _looks(round_: Round) -> Iterable[tuple[datetime, Looked | Priced]]:
    """The looks that were taken, and other prizes that came into force, which are kept with them (T31).

    Before their time was kept they name the hand that they came after.
    """
    kept = round_.stakes.get(LOOKS)
    if kept is None:
        # Before looks were kept: who is absent now was absent all the while.
        away = round_.stacks.filter(state=Stack.State.ABSENT).values_list("entry__code", flat=True)
        kept = [{"after": 0, "absent": list(away), "asked": False}]
    for look in kept:
        at = datetime.fromisoformat(look["at"]) if "at" in look else _hand_at(round_, look["after"])
        if "prizes_cents" in look:
            yield at, Priced(0, tuple(look["prizes_cents"]))
        else:
            yield at, Looked(0, frozenset(look["absent"]), look["asked"])


def _priced(round_: Round) -> Iterable[tuple[datetime, Priced]]:
    """Other prizes that came into force after a sudden death was closed: they hold for what goes on."""
    if round_.kind != Round.Kind.SUDDEN_DEATH:
        return
    looked = [look.get("prizes_cents") for look in round_.stakes.get(LOOKS, [])]
    posted = PayoutStructure.objects.filter(event=round_.event_id, posting__at__gt=round_.opened_at)
    for structure in posted.select_related("posting").order_by("version"):
        if structure.prizes_cents not in looked:
            yield structure.posting.at, Priced(0, tuple(structure.prizes_cents))


def _hand_at(round_: Round, deal_id: int) -> datetime:
    found = Deal.objects.filter(shoe__round=round_, pk=deal_id).values_list("closed_at", flat=True).first()
    return found or round_.opened_at


def _docked(round_: Round) -> Iterable[tuple[datetime, Docked]]:
    """Chips taken by penalties, and given back by a ruling; one that a correction undid never was."""
    given = Penalty.objects.filter(round=round_, kind=Penalty.Kind.CHIPS).select_related("entry")
    by_ruling = cancelled_by_ruling(round_.event_id)
    for penalty in given.order_by("pk"):
        if penalty.cancelled_at is None or penalty.pk in by_ruling:
            yield penalty.at, Docked(0, penalty.entry.code, -penalty.chips, penalty.pk)
        if penalty.cancelled_at is not None and penalty.pk in by_ruling:
            yield penalty.cancelled_at, Docked(0, penalty.entry.code, penalty.chips, penalty.pk)


def _left(round_: Round) -> Iterable[tuple[datetime, Left]]:
    """Who was disqualified since the stage was opened, as the journal noted what it rested on (T26)."""
    decided = JournalEntry.objects.filter(
        event=round_.event_id,
        kind="request.decide",
        at__gte=round_.opened_at,
        body__noted__kind="disqualify",
        result__status="approved",
    )
    for entry in decided.order_by("seq"):
        noted: Json = entry.body["noted"]
        code = entry.result["done"]["code"]
        if "place" not in noted:
            raise _not_replayed(round_, f"it was not kept at what {code} was disqualified")
        yield entry.at, _left_as(round_, code, noted)


def _left_as(round_: Round, code: str, noted: Json) -> Left:
    """With what the step rested on; after the close, with what it would rest on now."""
    tie = noted.get("tie", {})
    if tie.get("stage") == round_.pk:
        tied, prizes_cents = tie.get("tied", ()), tie.get("prizes_cents", ())
        return Left(0, code, noted["place"], tuple(tied), tie.get("contested", 0), tuple(prizes_cents))
    cut, payouts = cut_now(round_.parent) if round_.parent else Cut((), ()), live_payouts(round_.event)
    prizes_cents = payouts.prizes_cents if payouts else ()
    return Left(0, code, noted["place"], cut.tied, cut.contested_seats, tuple(prizes_cents), closed=True)


def _ruling(round_: Round) -> TieRuling | None:
    """The ruling that ended a play-off which nobody was there to play (T23): the latest on its players."""
    players = set(round_.stacks.values_list("entry__code", flat=True))
    gone = set(
        round_.stacks.filter(entry__status=Entry.Status.DISQUALIFIED).values_list("entry__code", flat=True)
    )
    kept = rulings_kept(round_.parent) if round_.parent else []
    on_it = [
        each
        for each in kept
        if not each.lifted and set(each.tied) <= players and set(each.tied) | gone == players | gone
    ]
    return on_it[-1] if on_it else None


def _ruled(
    round_: Round, ruling: TieRuling | None, at_hands: Sequence[datetime]
) -> Iterable[tuple[datetime, Ruled]]:
    if ruling is None:
        return
    made = JournalEntry.objects.filter(event=round_.event_id, seq=ruling.seq, kind="round.tie_rule").first()
    # Before its entry was kept with it: it came after the last hand.
    at = made.at if made else at_hands[-1] if at_hands else round_.opened_at
    yield at, Ruled(0, frozenset(ruling.advance))


# What is there ----------------------------------------------------------------------------------------


def _is_what_is_there(play: TiePlay, round_: Round, stood: bool) -> bool:
    stacks = round_.stacks.select_related("entry")
    return all(_stack_is(play, stack, stood) for stack in stacks)


def _stack_is(play: TiePlay, stack: Stack, stood: bool) -> bool:
    code = stack.entry.code
    if stack.closed_chips is None:
        here = play.chips[code] == stack.chips and code not in play.decided
        return here and (code in play.in_play) == (stack.state != Stack.State.DISQUALIFIED)
    found = play.decided.get(code)
    if stood:
        # Who won stands, so what the hands come to may be another outcome; the chips may not.
        return play.chips[code] == stack.closed_chips
    there = (stack.outcome, stack.place, stack.closed_chips)
    return found is not None and (found.outcome, found.place, play.chips[code]) == there
