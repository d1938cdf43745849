"""A hand that was recorded wrongly: reversed and recorded anew, stacks after it recomputed (T17).

The later hands of the shoe keep their bets and what they won; every stack after the corrected hand moves
by the difference. The director sees all that would change before it is confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F

from tables.engine.record import settle
from tables.engine.results import results_settle
from tables.engine.rules import HouseRules
from tables.models import Deal, Shoe
from tables.selectors.counts import count_moved
from tables.selectors.floor import house_rules
from tables.selectors.play import boxed, line_chips
from tournament.engine.ranking import Cut, Ranked, Standing, cut, rank
from tournament.engine.refused import Refused
from tournament.engine.ties import prizes_by_entry
from tournament.models import ChipTransaction, Request, Round, Stack
from tournament.selectors.stages import live_payouts, round_stacks, standings_of
from tournament.services.asked import reason_clean
from tournament.services.chips import chips_replace
from tournament.services.journal import Command, Json, command
from tournament.services.requests import handler, request_open
from tournament.services.status import status_move

from .counts import recount_look, reopen
from .hand import (
    Outcome,
    Place,
    bets_of,
    outcome_of_record,
    outcome_of_results,
)
from .locks import deal_get, deal_lock, running_check, shoe_lock
from .ties import round_look_if_level

AFTER_CLOSE = "correct_after_close"


@dataclass(frozen=True)
class Anew:
    """What a hand should have been: a record, or bets and outcomes, or void."""

    record: Mapping[str, Any] | None = None
    bets: Mapping[Any, Any] | None = None
    outcomes: Mapping[Any, Any] | None = None
    void: bool = False

    def body(self) -> Json:
        """The same as JSON."""
        return {"record": self.record, "bets": self.bets, "outcomes": self.outcomes, "void": self.void}


@dataclass(frozen=True)
class Correction:
    """A correction worked out: the new outcome (None: void), old and new nets by stack."""

    deal: Deal
    place: Place
    outcome: Outcome | None
    old: dict[Stack, int]
    new: dict[Stack, int]

    @property
    def changes(self) -> dict[Stack, int]:
        """By how many chips each stack moves; boxes where nothing changes are left out."""
        moved = {stack: self.new.get(stack, 0) - self.old.get(stack, 0) for stack in {**self.old, **self.new}}
        return {stack: chips for stack, chips in moved.items() if chips}


@dataclass(frozen=True)
class Line:
    """One entry in a preview: stack, rank, side of the cut and prize, before and after.

    ``cut_before`` and ``cut_after`` are ``in``, ``tied``, ``out`` or empty in a round without a cut. A prize
    is what the rank pays as it stands, ties shared; None for who plays on, or with no structure posted.
    """

    entry: str
    chips_before: int
    chips_after: int
    rank_before: int
    rank_after: int
    cut_before: str
    cut_after: str
    prize_before_cents: int | None
    prize_after_cents: int | None

    @property
    def changed(self) -> bool:
        """Whether this entry notices anything."""
        before = (self.chips_before, self.rank_before, self.cut_before, self.prize_before_cents)
        return before != (self.chips_after, self.rank_after, self.cut_after, self.prize_after_cents)


@dataclass(frozen=True)
class Preview:
    """What a correction would do: all entries of the round, those that change, whether a count is redone."""

    deal: Deal
    lines: tuple[Line, ...]
    recount: bool

    @property
    def changed(self) -> tuple[Line, ...]:
        """The entries that notice anything."""
        return tuple(line for line in self.lines if line.changed)


# Preview and correction -----------------------------------------------------------------------------


def correction_preview(
    *,
    deal_id: int,
    record: Mapping[str, Any] | None = None,
    bets: Mapping[Any, Any] | None = None,
    outcomes: Mapping[Any, Any] | None = None,
    void: bool = False,
) -> Preview:
    """Every stack, rank and cut that the correction would change; changes nothing (T17).

    Of a closed round too: the director is shown what would change, and rules (faults). Raises Refused
    whatever ``deal_correct`` would.
    """
    deal = deal_get(deal_id)
    found = _work_out(deal, Anew(record, bets, outcomes, void), look_only=True)
    return Preview(deal, _lines(found), deal.shoe.status == Shoe.Status.COUNTED)


def deal_correct(
    *,
    deal_id: int,
    record: Mapping[str, Any] | None = None,
    bets: Mapping[Any, Any] | None = None,
    outcomes: Mapping[Any, Any] | None = None,
    void: bool = False,
    reason: str,
    key: str,
    actor: User | None,
) -> Json:
    """Reverse a settled hand and record it anew, by a record, by results, or as void (T17). One command.

    The number stays, the new hand says which one it corrects and why. A table that was counted is
    counted again. Gives ``{"deal": id of the new hand, "corrects": id, "changes": {entry: chips}}``.

    Raises Refused ``deal_not_settled`` (409), ``round_closed`` (409), ``deal_open`` (409), ``tie_open``
    (409) while a play-off rests on the round, ``play_off_moved_on`` (409), ``entry_left``,
    ``later_bet_not_covered`` with the hand that could not have been bet, ``line_chip_decided`` (row 23),
    ``nothing_given``,
    ``reason_missing``, and the codes of records and results.
    """
    anew = Anew(record, bets, outcomes, void)
    event_id = deal_get(deal_id).shoe.round.event_id

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        shoe_lock(deal_get(deal_id).shoe_id)
        found = _work_out(deal_lock(deal_id), anew)
        return _carry_out(cmd, found, why)

    body = {"deal": deal_id, "reason": reason, **anew.body()}
    return command(
        kind="deal.correct", key=key, actor=actor, event_id=event_id, body=body, act=act, standings=True
    )


def _carry_out(cmd: Command, found: Correction, reason: str) -> Json:
    deal, shoe = found.deal, found.place.shoe
    before = {stack.entry.code: stack.chips for stack in found.changes}
    if shoe.status == Shoe.Status.COUNTED and shoe.round.kind == Round.Kind.ROUND:
        _reopen(cmd, found)
    changes = found.changes
    again = _deal_anew(cmd, found, reason)
    _repost(cmd, found, again)
    _later_stacks(found, changes)
    _shoe_after(found)
    cmd.note(
        number=deal.number,
        record=again.record if again else None,
        before=before,
        after={stack.entry.code: stack.chips for stack in changes},
    )
    if shoe.round.kind == Round.Kind.ROUND:
        recount_look(cmd, shoe)
    else:
        round_look_if_level(cmd, shoe.round, asked=True)
    moved = {stack.entry.code: chips for stack, chips in changes.items()}
    return {"deal": again.pk, "corrects": deal.pk, "changes": moved}


def _reopen(cmd: Command, found: Correction) -> None:
    """The count was of other stacks: count again. A ruling that is reversed with it moves stacks as well."""
    reopen(cmd, found.place.shoe)
    for stack in {**found.old, **found.new}:
        stack.refresh_from_db(fields=["chips"])


def _deal_anew(cmd: Command, found: Correction, reason: str) -> Deal:
    """The corrected hand in place of the old one; a hand that should not count is void (T17)."""
    old = found.deal
    status_move(old, Deal.Status.REVERSED)
    return Deal.objects.create(
        shoe=found.place.shoe,
        number=old.number,
        status=Deal.Status.SETTLED if found.outcome else Deal.Status.VOID,
        mode=_mode(found),
        button_box=old.button_box,
        bets=found.outcome.record["bets"] if found.outcome else old.bets,
        stacks=found.outcome.record["stacks"] if found.outcome else old.stacks,
        entries=old.entries,
        sits_out=old.sits_out,
        outcomes=found.outcome.outcomes if found.outcome else {},
        record=found.outcome.record if found.outcome else None,
        answer=found.outcome.answer if found.outcome else None,
        corrects=old,
        reason=reason,
        opened_by=cmd.actor,
        opened_at=cmd.at,
        closed_at=cmd.at,
    )


def _mode(found: Correction) -> str:
    if found.outcome is None:
        return found.deal.mode
    return Deal.Mode.RESULTS if found.outcome.outcomes else Deal.Mode.CARDS


def _repost(cmd: Command, found: Correction, again: Deal) -> None:
    source = f"deal:{found.deal.pk}"
    old = ChipTransaction.objects.filter(
        event=cmd.event, source=source, kind=ChipTransaction.Kind.DEAL, reversed_by__isnull=True
    ).first()
    chips_replace(
        cmd, old=old, old_nets=found.old, nets=found.new, source=source, new_source=f"deal:{again.pk}"
    )


def _later_stacks(found: Correction, changes: Mapping[Stack, int]) -> None:
    """The stacks before the later hands, as they now follow; their records stand as entered."""
    moved = {stack.entry_id: chips for stack, chips in changes.items()}
    for deal in _later(found.deal):
        stacks = {box: chips + moved.get(deal.entries.get(box), 0) for box, chips in deal.stacks.items()}
        Deal.objects.filter(pk=deal.pk).update(stacks=stacks)


def _shoe_after(found: Correction) -> None:
    old_cards = len((found.deal.record or {}).get("cards", ()))
    new_cards = found.outcome.cards if found.outcome else old_cards
    Shoe.objects.filter(pk=found.place.shoe.pk).update(cards_dealt=F("cards_dealt") + new_cards - old_cards)
    played_since = {entry for deal in _later(found.deal) for entry in _bettors(deal)}
    last = {stack: found.new.get(stack, 0) for stack in {**found.old, **found.new}}
    latest = {stack: net for stack, net in last.items() if stack.entry_id not in played_since}
    for stack, net in latest.items():
        Stack.objects.filter(pk=stack.pk).update(last_change_chips=net)


def _bettors(deal: Deal) -> list[int]:
    return [deal.entries[box] for box in deal.bets]


# Working it out -------------------------------------------------------------------------------------


def _work_out(deal: Deal, anew: Anew, *, look_only: bool = False) -> Correction:
    """The correction, or Refused; writes nothing. ``look_only``: a closed round can be looked at."""
    _may_correct(deal, look_only)
    place = _place_then(deal)
    outcome = _outcome(place, deal, anew)
    old = _by_stack(place, boxed((deal.answer or {"net": {}})["net"]))
    new = _by_stack(place, outcome.nets) if outcome else {}
    found = Correction(deal, place, outcome, old, new)
    _stacks_check(found)
    _line_check(found)
    _later_check(found)
    if deal.shoe.round.status == Round.Status.PLAYING_OFF and found.changes:
        raise Refused(
            "tie_open",
            f"The play-off of {deal.shoe.round} rests on these stacks. Finish it first.",
            status=409,
        )
    return found


def _may_correct(deal: Deal, look_only: bool) -> None:
    round_ = deal.shoe.round
    if deal.status != Deal.Status.SETTLED:
        raise Refused("deal_not_settled", f"Hand {deal.number} is {deal.get_status_display()}.", status=409)
    if round_.status == Round.Status.CLOSED:
        if look_only:
            return
        raise Refused(
            "round_closed",
            f"{round_} is closed: its standings and its cut are final, and its chips have moved on."
            " What was found can be put on record by two persons.",
            status=409,
        )
    running_check(round_.event)
    if Deal.objects.filter(shoe=deal.shoe, status=Deal.Status.OPEN).exists():
        raise Refused("deal_open", "A hand is open at this table. Finish it, or void it, first.", status=409)
    if round_.kind != Round.Kind.ROUND:
        _tie_still_open(deal)


def _tie_still_open(deal: Deal) -> None:
    """T23, T33: what a later look at the tie has decided stands; only the latest hand can be put right."""
    round_ = deal.shoe.round
    decided = round_.stacks.exclude(state__in=[Stack.State.PLAYING, Stack.State.ABSENT]).exists()
    again = ChipTransaction.objects.filter(
        event=round_.event, source=f"round:{round_.pk}", kind=ChipTransaction.Kind.ISSUE
    ).count()
    if decided or again > 1 or round_.status not in (Round.Status.SEATED, Round.Status.PLAYING):
        raise Refused(
            "play_off_moved_on",
            f"{round_} has decided somebody since this hand, and that stands."
            " The director can rule what is left.",
            status=409,
        )


def _place_then(deal: Deal) -> Place:
    """The place as it was when the hand was dealt: its players, with the stacks from before it."""
    shoe = deal.shoe
    event = shoe.round.event
    stacks = {
        stack.entry_id: stack
        for stack in Stack.objects.filter(round=shoe.round, entry__in=deal.entries.values()).select_related(
            "entry"
        )
    }
    if shoe.round.status != Round.Status.CLOSED:
        _without_the_count(shoe, stacks.values())
    by_box = {int(box): stacks[entry_id] for box, entry_id in sorted(deal.entries.items())}
    rules = house_rules(event)
    on_line = line_chips(shoe, rules, before=deal.number)
    return Place(shoe, shoe.round, event, rules, by_box, deal.number, deal.button_box, on_line)


def _without_the_count(shoe: Shoe, stacks: Iterable[Stack]) -> None:
    """The stacks as the hands have them: a ruling on the count is taken back before they are moved (T18)."""
    moved = count_moved(shoe)
    for stack in stacks:
        stack.chips -= moved.get(stack.pk, 0)


def _by_stack(place: Place, nets: Mapping[int, int]) -> dict[Stack, int]:
    return {place.stacks[box]: net for box, net in nets.items()}


def _outcome(place: Place, deal: Deal, anew: Anew) -> Outcome | None:
    if anew.void:
        return None
    before = {**boxed(deal.stacks), **_stacks_of_others(place, deal)}
    if anew.record is not None:
        return outcome_of_record(_with_stacks(place, before), anew.record)
    if anew.outcomes is None:
        raise Refused("nothing_given", "Enter the hand as it was, or say that it is void.")
    bets = bets_of(anew.bets) if anew.bets is not None else boxed(deal.bets)
    missing = [box for box in bets if box not in before]
    if missing:
        raise Refused("box_empty", f"Nobody sat at box {missing[0]} in this hand.")
    return outcome_of_results(place, bets, {box: before[box] for box in bets}, anew.outcomes)


def _stacks_of_others(place: Place, deal: Deal) -> dict[int, int]:
    """The stacks then of the boxes that sat this hand out: what they have now less what they won since."""
    since: dict[int, int] = {}
    for later in _later(deal):
        for box, net in (later.answer or {"net": {}})["net"].items():
            since[later.entries[box]] = since.get(later.entries[box], 0) + net
    return {
        box: _chips(stack) - since.get(stack.entry_id, 0)
        for box, stack in place.stacks.items()
        if str(box) not in deal.bets
    }


def _with_stacks(place: Place, before: Mapping[int, int]) -> Place:
    """The place with copies of its stacks that hold what they held then."""
    then = {}
    for box, stack in place.stacks.items():
        copied = Stack(
            pk=stack.pk, entry=stack.entry, round=stack.round, state=stack.state, chips=before[box]
        )
        # Whoever is absent now may have been there then.
        copied.state = Stack.State.PLAYING
        then[box] = copied
    return replace(place, stacks=then)


def _later(deal: Deal) -> list[Deal]:
    """The settled hands of the shoe after this one."""
    later = Deal.objects.filter(shoe=deal.shoe, number__gt=deal.number, status=Deal.Status.SETTLED)
    return list(later.order_by("number"))


def _stacks_check(found: Correction) -> None:
    """Chips can only be put right while they lie at the table (T26), and never below zero."""
    for stack, chips in found.changes.items():
        if stack.state not in (Stack.State.PLAYING, Stack.State.ABSENT):
            raise Refused(
                "entry_left", f"{stack.entry.code} is {stack.get_state_display()}: the chips have left play."
            )
        if _chips(stack) + chips < 0:
            _not_covered(stack, f"it would leave {_chips(stack) + chips:,} chips")


def _chips(stack: Stack) -> int:
    """What the stack held at the end of its round, or holds now."""
    return stack.chips if stack.closed_chips is None else stack.closed_chips


def _line_check(found: Correction) -> None:
    """Row 23: a later hand that decided the chip on a line must have decided the one that lies there now."""
    place, deal = found.place, found.deal
    if not place.rules.line_chip:
        return
    after = dict(place.line_chips)
    if found.outcome is not None:
        on_line = boxed(found.outcome.answer.get("line_chip", {}))
        after |= {box: on_line.get(box, 0) for box in found.outcome.nets}
    for later in _later(deal):
        decided = boxed((later.record or {}).get("line_chips", {}))
        for box in boxed(later.bets):
            if after.get(box, 0) != decided.get(box, 0):
                raise Refused(
                    "line_chip_decided",
                    f"After this correction another chip lies on the line of box {box}, which hand"
                    f" {later.number} has decided. Void hand {later.number} first.",
                )
        on_line = boxed((later.answer or {}).get("line_chip", {}))
        after |= {box: on_line.get(box, 0) for box in boxed(later.bets)}


def _later_check(found: Correction) -> None:
    """No later bet may turn out to have been without cover (T17, A6)."""
    moved = {stack.entry_id: (stack, chips) for stack, chips in found.changes.items()}
    rules = found.place.rules
    for deal in _later(found.deal):
        touched = {
            box: moved[entry] for box, entry in deal.entries.items() if entry in moved and box in deal.bets
        }
        if not touched:
            continue
        # Box by box: a refusal is about the box that it came from, whichever else the correction moves.
        for box, (stack, chips) in sorted(touched.items()):
            no = _refused_with(rules, deal, {**deal.stacks, box: deal.stacks[box] + chips})
            if no is not None:
                why = no.message.removesuffix(".")
                _not_covered(stack, f"hand {deal.number} could not have been bet: {why}", no)


def _refused_with(rules: HouseRules, deal: Deal, before: Mapping[str, int]) -> Refused | None:
    """Why a hand could not have been played with these stacks before it; None where it could."""
    stacks = {box: before[box] for box in deal.bets}
    try:
        if deal.mode == Deal.Mode.RESULTS:
            on_line = boxed((deal.record or {}).get("line_chips", {})) or None
            results_settle(rules, boxed(deal.bets), boxed(stacks), boxed(deal.outcomes), line_chips=on_line)
        else:
            settle({**(deal.record or {}), "stacks": stacks})
    except Refused as no:
        return no
    return None


def _not_covered(stack: Stack, what: str, cause: Refused | None = None) -> None:
    raise Refused(
        "later_bet_not_covered",
        f"After this correction of {stack.entry.code}, {what}. Correct or void the later hand first.",
    ) from cause


# The preview ----------------------------------------------------------------------------------------


def _lines(found: Correction) -> tuple[Line, ...]:
    round_ = found.deal.shoe.round
    stacks = round_stacks(round_)
    before = standings_of(stacks)
    ruled = count_moved(found.deal.shoe) if round_.status != Round.Status.CLOSED else {}
    moved = {stack.entry.code: -ruled.get(stack.pk, 0) for stack in stacks}
    for stack, chips in found.changes.items():
        moved[stack.entry.code] += chips
    after = [replace(s, chips=s.chips + moved.get(s.entry, 0)) for s in before]
    then, now = _Standing.of(round_, before), _Standing.of(round_, after)
    return tuple(
        Line(
            entry=entry,
            chips_before=then.ranks[entry].chips,
            chips_after=ranked.chips,
            rank_before=then.ranks[entry].place,
            rank_after=ranked.place,
            cut_before=then.sides.get(entry, ""),
            cut_after=now.sides.get(entry, ""),
            prize_before_cents=then.prizes.get(entry),
            prize_after_cents=now.prizes.get(entry),
        )
        for entry, ranked in now.ranks.items()
    )


@dataclass(frozen=True)
class _Standing:
    """A round as it stands: rank, side of the cut and prize by entry, best first."""

    ranks: dict[str, Ranked]
    sides: dict[str, str]
    prizes: dict[str, int]

    @classmethod
    def of(cls, round_: Round, standings: list[Standing]) -> _Standing:
        """The round with these stacks."""
        ranked = rank(standings)
        sides = _sides(round_, standings)
        payouts = live_payouts(round_.event)
        prizes = prizes_by_entry(ranked, payouts.prizes_cents) if payouts else {}
        out = {entry: cents for entry, cents in prizes.items() if sides.get(entry, "out") == "out"}
        return cls({r.entry: r for r in ranked}, sides, out)


def _sides(round_: Round, standings: list[Standing]) -> dict[str, str]:
    if round_.cut_to is None:
        return {}
    found: Cut = cut(standings, round_.cut_to, round_.event.settings.minimum_to_advance_chips())
    return {
        **dict.fromkeys(found.advance, "in"),
        **dict.fromkeys(found.tied, "tied"),
        **dict.fromkeys(found.out, "out"),
    }


# After the round is closed --------------------------------------------------------------------------


def correction_request(
    *,
    deal_id: int,
    record: Mapping[str, Any] | None = None,
    bets: Mapping[Any, Any] | None = None,
    outcomes: Mapping[Any, Any] | None = None,
    void: bool = False,
    reason: str,
    key: str,
    actor: User | None,
) -> Json:
    """Ask a second person to put on record what was found after the round was closed (faults).

    It moves no chips and changes no cut: nobody is reseated by itself. Raises Refused ``round_not_closed``,
    ``deal_not_settled`` (409), ``nothing_given``, ``reason_missing`` and what the preview refuses.
    """
    deal = deal_get(deal_id)
    if deal.shoe.round.status != Round.Status.CLOSED:
        raise Refused("round_not_closed", "The round is not closed: correct the hand itself.")
    anew = Anew(record, bets, outcomes, void)
    found = _work_out(deal, anew, look_only=True)
    changes = {stack.entry.code: chips for stack, chips in found.changes.items()}
    return request_open(
        event_id=deal.shoe.round.event_id,
        kind=AFTER_CLOSE,
        body={"deal": deal_id, "changes": changes, **anew.body()},
        reason=reason,
        key=key,
        actor=actor,
    )


@handler(AFTER_CLOSE)
def _after_close(cmd: Command, request: Request) -> Json:
    """Approved: the journal holds what was found; the closed round stands as it was posted."""
    deal = deal_get(request.body["deal"])
    cmd.note(deal=deal.pk, number=deal.number, finding=request.body, reason=request.reason)
    return {
        "deal": deal.pk,
        "round": deal.shoe.round_id,
        "changes": request.body["changes"],
        "effect": "none",
    }
