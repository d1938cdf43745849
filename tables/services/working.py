"""A corrected hand worked out, before anything is written: the new outcome, and what forbids it (T17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, Sum

from games.protocol import Rules
from games.registry import game_of
from ground.refused import Refused, refuse
from ground.words import gettext_noop as _
from tables.models import Deal, Shoe
from tables.selectors.counts import count_moved
from tables.selectors.deals import (
    boxed,
    line_chips,
)
from tables.selectors.floor import house_rules
from tables.selectors.shoe_left import shoe_cards_check
from tables.selectors.take_back import why_not_settled
from tournament.models import ChipEntry, ChipTransaction, Round, Stack
from tournament.services.journal import Json

from .hand import Outcome, Place, bets_of, outcome_of_record, outcome_of_results
from .locks import running_check

_RETURN = ChipTransaction.Kind.RETURN


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


# Working it out -------------------------------------------------------------------------------------


def work_out(deal: Deal, anew: Anew) -> Correction:
    """The correction of a hand of a round, or Refused; writes nothing."""
    place = place_then(deal)
    before = {**boxed(deal.stacks), **_stacks_of_others(place, deal)}
    outcome = outcome_at(place, deal, anew, before)
    old = _by_stack(place, boxed((deal.answer or {"net": {}})["net"]))
    new = _by_stack(place, outcome.nets) if outcome else {}
    found = Correction(deal, place, outcome, old, new)
    _stacks_check(found)
    _line_check(found)
    _later_check(found)
    if deal.shoe.round.status == Round.Status.PLAYING_OFF and found.changes:
        raise Refused(
            "tie_open",
            _("The play-off of %(round)s rests on these stacks. Finish it first."),
            status=409,
            round=deal.shoe.round,
        )
    return found


def work_out_in_tie(deal: Deal, anew: Anew, chips: Mapping[str, int]) -> Correction:
    """The correction of a hand of a play-off or sudden death, or Refused; writes nothing.

    ``chips``: what those who were playing had before the hand, by entry code.
    """
    place = place_then(deal)
    playing = {box: stack for box, stack in place.stacks.items() if stack.entry.code in chips}
    before = {box: chips[stack.entry.code] for box, stack in playing.items()}
    outcome = outcome_at(replace(place, stacks=playing), deal, anew, before)
    old = _by_stack(place, boxed((deal.answer or {"net": {}})["net"]))
    found = Correction(deal, place, outcome, old, _by_stack(place, outcome.nets) if outcome else {})
    _line_check(found)
    return found


def may_correct(deal: Deal, *, closed_too: bool) -> None:
    """Whether a hand can be put right now; ``closed_too``: by two persons, after its round is closed."""
    round_ = deal.shoe.round
    refuse(why_not_settled(deal))
    if round_.status == Round.Status.CLOSED:
        if closed_too:
            return
        raise Refused(
            "round_closed",
            _("%(round)s is closed: its hands are put right by two persons. Ask the second one."),
            status=409,
            round=round_,
        )
    running_check(round_.event)
    if Deal.objects.filter(shoe=deal.shoe, status=Deal.Status.OPEN).exists():
        raise Refused(
            "deal_open", _("A hand is open at this table. Finish it, or void it, first."), status=409
        )
    open_elsewhere = Deal.objects.filter(shoe__round=round_, status=Deal.Status.OPEN).exists()
    if round_.kind != Round.Kind.ROUND and open_elsewhere:
        raise Refused("deal_open", _("A hand of this tie is open. Finish it, or void it, first."), status=409)


def place_then(deal: Deal) -> Place:
    """Return the place as it was when the hand was dealt: its players, with the stacks from before it."""
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
    rules = house_rules(shoe.round)
    on_line = line_chips(shoe, rules, before=deal.number)
    return Place(shoe, shoe.round, event, rules, by_box, deal.number, deal.button_box, on_line)


def _without_the_count(shoe: Shoe, stacks: Iterable[Stack]) -> None:
    """The stacks as the hands have them: a ruling on the count is taken back before they are moved (T18)."""
    moved = count_moved(shoe)
    for stack in stacks:
        stack.chips -= moved.get(stack.pk, 0)


def _by_stack(place: Place, nets: Mapping[int, int]) -> dict[Stack, int]:
    return {place.stacks[box]: net for box, net in nets.items()}


def outcome_at(place: Place, deal: Deal, anew: Anew, before: Mapping[int, int]) -> Outcome | None:
    """Return the hand as it should have been, by its game; None where it is void."""
    if anew.void:
        return None
    if anew.record is not None:
        found = outcome_of_record(_with_stacks(place, before), anew.record)
        shoe_cards_check(place.shoe, found.record.get("cards", ()), but=deal)
        return found
    if anew.outcomes is None:
        raise Refused("nothing_given", _("Enter the hand as it was, or say that it is void."))
    bets = bets_of(anew.bets) if anew.bets is not None else boxed(deal.bets)
    missing = [box for box in bets if box not in before]
    if missing:
        raise Refused("box_empty", _("Nobody sat at box %(missing)s in this hand."), missing=missing[0])
    return outcome_of_results(place, bets, {box: before[box] for box in bets}, anew.outcomes)


def _stacks_of_others(place: Place, deal: Deal) -> dict[int, int]:
    """The stacks then of the boxes that sat this hand out: what they have now less what they won since.

    A penalty since has taken chips that lay there then (T26).
    """
    since: dict[int, int] = _taken_since(place, deal)
    for later in later_hands(deal):
        for box, net in (later.answer or {"net": {}})["net"].items():
            since[later.entries[box]] = since.get(later.entries[box], 0) + net
    return {
        box: chips_had(stack) - since.get(stack.entry_id, 0)
        for box, stack in place.stacks.items()
        if str(box) not in deal.bets
    }


def _taken_since(place: Place, deal: Deal) -> dict[int, int]:
    """What penalties have done to each entry's stack since a hand was first recorded; below 0: taken."""
    first = deal
    while first.corrects is not None:
        first = first.corrects
    legs = ChipEntry.objects.filter(
        stack__in=place.stacks.values(),
        transaction__source__startswith="penalty:",
        transaction__at__gt=first.closed_at,
    )
    return dict(legs.order_by().values_list("stack__entry").annotate(Sum("amount_chips")))


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


def later_hands(deal: Deal) -> list[Deal]:
    """The settled hands of the shoe after this one."""
    later = Deal.objects.filter(shoe=deal.shoe, number__gt=deal.number, status=Deal.Status.SETTLED)
    return list(later.order_by("number"))


def _stacks_check(found: Correction) -> None:
    """No stack falls below zero, nor what somebody who has left handed in."""
    for stack, chips in found.changes.items():
        if chips_had(stack) + chips < 0:
            not_covered(stack, f"it would leave {chips_had(stack) + chips:,} chips")


def has_left(stack: Stack) -> bool:
    """Whether a player has left in this round: the chips were handed in, and what is put right follows."""
    return stack.state in (Stack.State.WITHDRAWN, Stack.State.DISQUALIFIED, Stack.State.NO_SHOW)


def chips_had(stack: Stack) -> int:
    """What a stack held at the end of its round, holds now, or had as its player left and handed it in."""
    if not has_left(stack):
        return stack.chips if stack.closed_chips is None else stack.closed_chips
    kinds = {"transaction__kind": _RETURN}, {"transaction__reverses__kind": _RETURN}
    handed_in = ChipEntry.objects.filter(Q(**kinds[0]) | Q(**kinds[1]), stack=stack)
    return stack.chips - int(handed_in.aggregate(chips=Sum("amount_chips"))["chips"] or 0)


def _line_check(found: Correction) -> None:
    """Row 23: a later hand that decided the chip on a line must have decided the one that lies there now."""
    place, deal = found.place, found.deal
    if not place.rules.line_chip:
        return
    after = dict(place.line_chips)
    if found.outcome is not None:
        on_line = boxed(found.outcome.answer.get("line_chip", {}))
        after |= {box: on_line.get(box, 0) for box in found.outcome.nets}
    for later in later_hands(deal):
        decided = boxed((later.record or {}).get("line_chips", {}))
        for box in boxed(later.bets):
            if after.get(box, 0) != decided.get(box, 0):
                raise Refused(
                    "line_chip_decided",
                    _(
                        "After this correction another chip lies on the line of box %(box)s, which "
                        "hand %(number)s has decided. Void hand %(number)s first."
                    ),
                    box=box,
                    number=later.number,
                )
        on_line = boxed((later.answer or {}).get("line_chip", {}))
        after |= {box: on_line.get(box, 0) for box in boxed(later.bets)}


def _later_check(found: Correction) -> None:
    """No later bet may turn out to have been without cover (T17, A6)."""
    moved = {stack.entry_id: (stack, chips) for stack, chips in found.changes.items()}
    rules = found.place.rules
    for deal in later_hands(found.deal):
        touched = {
            box: moved[entry] for box, entry in deal.entries.items() if entry in moved and box in deal.bets
        }
        if not touched:
            continue
        # Box by box: a refusal is about the box that it came from, whichever else the correction moves.
        for box, (stack, chips) in sorted(touched.items()):
            no = covered(rules, deal, {**deal.stacks, box: deal.stacks[box] + chips})
            if no is not None:
                why = no.message.removesuffix(".")
                not_covered(stack, f"hand {deal.number} could not have been bet: {why}", no)


def covered(rules: Rules, deal: Deal, before: Mapping[str, int]) -> Refused | None:
    """Why a hand could not have been played with these stacks before it, by box; None where it could."""
    stacks, game = {box: before[box] for box in deal.bets}, game_of(rules)
    try:
        if deal.mode == Deal.Mode.RESULTS:
            on_line = boxed((deal.record or {}).get("line_chips", {})) or None
            bets, outcomes = boxed(deal.bets), boxed(deal.outcomes)
            game.results_settle(rules, bets, boxed(stacks), outcomes, line_chips=on_line)
        else:
            game.settle({**(deal.record or {}), "stacks": stacks})
    except Refused as no:
        return no
    return None


def not_covered(stack: Stack, what: str, cause: Refused | None = None) -> None:
    raise Refused(
        "later_bet_not_covered",
        _("After this correction of %(entry)s, %(what)s. Correct or void the later hand first."),
        entry=stack.entry.code,
        what=what,
    ) from cause
