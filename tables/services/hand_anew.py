"""Work out the new result of a settled hand before a correction writes anything (T17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ground.refused import Refused, refuse
from ground.words import gettext_noop as _
from tables.models import Deal
from tables.selectors.corrections_later import why_hand_open
from tables.selectors.deals import (
    boxed,
    line_chips,
)
from tables.selectors.floor import house_rules
from tables.selectors.shoe_left import shoe_cards_check
from tables.selectors.take_back import why_not_settled
from tournament.models import Round, Stack
from tournament.services.journal import Json

from .hand import Outcome, Place, bets_of, outcome_of_record, outcome_of_results
from .locks import running_check


@dataclass(frozen=True)
class Anew:
    """The correct hand: a record, or bets and outcomes, or void."""

    record: Mapping[str, Any] | None = None
    bets: Mapping[Any, Any] | None = None
    outcomes: Mapping[Any, Any] | None = None
    void: bool = False

    def body(self) -> Json:
        """Return it as JSON."""
        return {"record": self.record, "bets": self.bets, "outcomes": self.outcomes, "void": self.void}


@dataclass(frozen=True)
class Correction:
    """The new outcome of a hand (None: void), and its old and new nets by stack."""

    deal: Deal
    place: Place
    outcome: Outcome | None
    old: dict[Stack, int]
    new: dict[Stack, int]

    @property
    def changes(self) -> dict[Stack, int]:
        """Return how many chips each stack gains or loses, without the stacks that keep theirs."""
        moved = {stack: self.new.get(stack, 0) - self.old.get(stack, 0) for stack in {**self.old, **self.new}}
        return {stack: chips for stack, chips in moved.items() if chips}


def may_correct(deal: Deal, *, closed_too: bool, hand_open_too: bool = False) -> None:
    """Refuse unless a hand can be corrected now. ``closed_too``: also after its round is closed, by two
    persons; ``hand_open_too``: also while a hand is open at its table."""
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
    refuse(None if hand_open_too else why_hand_open(deal))


def place_then(deal: Deal) -> Place:
    """Return the table as it was when the hand was dealt, with the players and stacks of that moment."""
    shoe = deal.shoe
    event = shoe.round.event
    stacks = {
        stack.entry_id: stack
        for stack in Stack.objects.filter(round=shoe.round, entry__in=deal.entries.values()).select_related(
            "entry"
        )
    }
    by_box = {int(box): stacks[entry_id] for box, entry_id in sorted(deal.entries.items())}
    rules = house_rules(shoe.round)
    on_line = line_chips(shoe, rules, before=deal.number)
    return Place(shoe, shoe.round, event, rules, by_box, deal.number, deal.button_box, on_line)


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


def _with_stacks(place: Place, before: Mapping[int, int]) -> Place:
    """The place with copies of its stacks that hold what they held then."""
    then = {}
    for box, stack in place.stacks.items():
        copied = Stack(
            pk=stack.pk, entry=stack.entry, round=stack.round, state=stack.state, chips=before[box]
        )
        # A player who is absent now may have been there then.
        copied.state = Stack.State.PLAYING
        then[box] = copied
    return replace(place, stacks=then)
