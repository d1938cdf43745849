"""Correct a hand: the core decides the consequences, and the rows follow (T17).

The game works out the new hand with the stacks of that moment. ``tournament.engine.corrections.decide`` finds
which hands fall, who advances and which tables are counted again; ``project`` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

from django.contrib.auth.models import User
from django.db.models import F

from ground.refused import Conflict, Refused, refuse
from ground.words import Sentence
from ground.words import gettext_noop as _
from tables.models import Deal, Shoe
from tables.selectors.correction_requests import why_correction_requested
from tables.selectors.corrections_later import why_correction_waits
from tables.selectors.deals import boxed, line_chips
from tables.selectors.draws import redraw_check
from tables.selectors.floor import house_rules
from tables.selectors.names import hand_key
from tables.selectors.shoes import shoe_cards_check
from tables.selectors.take_back import why_not_settled
from tournament.engine.corrections import Decision
from tournament.engine.facts import Hand, HandKey
from tournament.engine.stages import IN_PLAY
from tournament.models import Round, Stack
from tournament.selectors.facts_standing import Course, course_standing
from tournament.services.journal import Command, Json
from tournament.services.status import status_move

from .facts_write import course_written
from .hand import Outcome, Place, bets_of, hand_said, outcome_of_record, outcome_of_results
from .locks import running_check
from .project import Rows, project

WHY_VOID = {
    "over": _("Hand %(n)s at table %(table)s does not count: the tie was decided before it."),
    "others": _("Hand %(n)s at table %(table)s does not count: other players could have bet in it."),
    "uncovered": _("Hand %(n)s at table %(table)s does not count: a bet in it would not have been covered."),
}
"""Why a later hand of a tie becomes void by a correction, by code (T17)."""


class Entered(TypedDict, total=False):
    """The arguments for a correct hand: a record, or bets and outcomes, or void."""

    record: Mapping[str, Any] | None
    bets: Mapping[Any, Any] | None
    outcomes: Mapping[Any, Any] | None
    void: bool


@dataclass(frozen=True)
class CorrectHand:
    """The correct hand as entered; None for arguments that were not given."""

    record: Mapping[str, Any] | None = None
    bets: Mapping[Any, Any] | None = None
    outcomes: Mapping[Any, Any] | None = None
    void: bool = False

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> CorrectHand:
        """Read the hand from the body of a command or a request."""
        return cls(body["record"], body["bets"], body["outcomes"], body["void"])

    def body(self) -> Json:
        """Return the hand as JSON."""
        return {"record": self.record, "bets": self.bets, "outcomes": self.outcomes, "void": self.void}


@dataclass(frozen=True)
class Correction:
    """A correction worked out: the new hand by its game (None: void), and the decision of the core.

    ``before``: the event's course as it is. ``by``: the new hand as a fact, None if it is void.
    """

    deal: Deal
    place: Place
    outcome: Outcome | None
    by: Hand | None
    before: Course
    decision: Decision

    @property
    def key(self) -> HandKey:
        """Stage, table, shoe and number of the hand."""
        return self.place.key

    @cached_property
    def after(self) -> Course:
        """The event's course after the correction."""
        return self.before.corrected(self.key, self.decision)

    @cached_property
    def changes(self) -> dict[str, int]:
        """The chips that each entry gains or loses by the correction, in the stage of the hand."""
        return self.after.changes(self.before, self.key[0])

    @property
    def void(self) -> tuple[tuple[Deal, str], ...]:
        """The later hands of the tie that become void, each with the code of the reason (``WHY_VOID``)."""
        if not self.decision.fallen:
            return ()
        settled = Deal.objects.filter(shoe__round=self.deal.shoe.round_id, status=Deal.Status.SETTLED)
        found = settled.select_related("shoe__table", "shoe__round").order_by("pk")
        keys = [(each, hand_key(each)) for each in found]
        return tuple((each, self._why_void(key)) for each, key in keys if key in self.decision.fallen)

    def _why_void(self, key: HandKey) -> str:
        if self.after.stage_before(key).status not in IN_PLAY:
            return "over"
        return "uncovered" if key in self.decision.uncovered else "others"


def why_void(deal: Deal, why: str) -> Sentence:
    """Return the sentence for a code of ``WHY_VOID``: why a later hand of a tie does not count."""
    return Sentence(WHY_VOID[why], n=deal.number, table=deal.shoe.table.number)


def correction_of(deal: Deal, anew: CorrectHand) -> Correction:
    """Work a correction out; writes nothing. Raises Refused with the codes of the game and of the core."""
    before, key = course_standing(deal.shoe.round.event), hand_key(deal)
    place = _place_then(deal, before, key)
    outcome = _outcome_at(place, deal, anew)
    by = None if outcome is None else hand_said(place, outcome)
    return Correction(deal, place, outcome, by, before, before.decided(key, by))


def _place_then(deal: Deal, course: Course, key: HandKey) -> Place:
    """Return the table as it was before the hand, with the stacks of the players who played then."""
    shoe, stage, table = deal.shoe, course.stage_before(key), course.table_before(key)
    boxes = {entry_id: int(box) for box, entry_id in deal.entries.items()}
    playing = dict[int, Stack]()
    for stack in Stack.objects.filter(round=shoe.round, entry__in=boxes).select_related("entry"):
        box, code = boxes[stack.entry_id], stack.entry.code
        if table.entries[box - 1] == code and code not in stage.results:
            # A player who is absent now may have been present then.
            stack.chips, stack.state = table.chips[box - 1], Stack.State.PLAYING
            playing[box] = stack
    rules = house_rules(shoe.round)
    return Place(
        *(shoe, shoe.round, shoe.round.event, rules, dict(sorted(playing.items()))),
        deal.number,
        deal.button_box,
        line_chips(shoe, rules, before=deal.number),
        boxed(deal.sits_out),
    )


def _outcome_at(place: Place, deal: Deal, anew: CorrectHand) -> Outcome | None:
    """Return the correct hand, worked out by its game; None if it is void."""
    if anew.void:
        return None
    if anew.record is not None:
        found = outcome_of_record(place, anew.record)
        shoe_cards_check(place.shoe, found.record.get("cards", ()), but=deal)
        return found
    if anew.outcomes is None:
        raise Refused("nothing_given", "Enter the correct hand, or declare it void.")
    bets = bets_of(anew.bets) if anew.bets is not None else boxed(deal.bets)
    missing = [box for box in bets if box not in place.stacks]
    if missing:
        raise Refused("box_empty", "Nobody sat at box %(missing)s in this hand.", missing=missing[0])
    return outcome_of_results(place, bets, {box: place.stacks[box].chips for box in bets}, anew.outcomes)


# Carried out ----------------------------------------------------------------------------------------


def correction_write(cmd: Command, found: Correction, reason: str, *, by: User | None) -> Json:
    """Record the hand anew, as ``by`` has entered it, and write all consequences.

    Gives ``{"deal": id of the new hand, "corrects": id, "changes": {entry: chips}, "void": later hands}``.
    """
    deal, key, changes = found.deal, found.key, found.changes
    before, after = found.before, found.after
    status_move(deal, Deal.Status.REVERSED)
    made = _stored(cmd, corrected_hand(found), deal, reason, by)
    hands: dict[HandKey, Deal] = {key: made}
    void = _void(cmd, found, hands, by)
    _cards(found)
    was, now = before.had(key[0]), after.had(key[0])
    cmd.note(
        number=deal.number,
        record=made.record,
        before={code: was[code] for code in changes},
        after={code: now[code] for code in changes},
    )
    rows = Rows.of(deal.shoe.round.event, hands)
    project(cmd, rows, before, after, found.decision)
    cmd.write(found.decision.fact(key, found.by))
    course_written(cmd, after)
    return {"deal": made.pk, "corrects": deal.pk, "changes": changes, "void": void}


def _stored(cmd: Command, again: Deal, before: Deal, reason: str, by: User | None) -> Deal:
    again.corrects, again.reason = before, reason
    again.opened_by, again.opened_at, again.closed_at = by, cmd.at, cmd.at
    again.save(force_insert=True)
    return again


def corrected_hand(found: Correction) -> Deal:
    """Return the corrected hand, not saved; a hand that should not count is void (T17)."""
    old, outcome = found.deal, found.outcome
    if outcome is None:
        return old.copy_with(status=Deal.Status.VOID)
    return old.copy_with(
        status=Deal.Status.SETTLED,
        mode=Deal.Mode.RESULTS if outcome.outcomes else Deal.Mode.CARDS,
        bets=outcome.record["bets"],
        stacks=outcome.record["stacks"],
        outcomes=outcome.outcomes,
        record=outcome.record,
        answer=outcome.answer,
    )


def _void(cmd: Command, found: Correction, hands: dict[HandKey, Deal], by: User | None) -> int:
    """Void the later hands that fall: numbers stay used, bets go back (T17). Return how many."""
    void = found.void
    for deal, why in void:
        status_move(deal, Deal.Status.REVERSED)
        again = deal.copy_with(status=Deal.Status.VOID, sits_out={})
        hands[hand_key(deal)] = _stored(cmd, again, deal, str(why_void(deal, why)), by)
    return len(void)


def _cards(found: Correction) -> None:
    old_cards = len((found.deal.record or {}).get("cards", ()))
    new_cards = found.outcome.cards if found.outcome else old_cards
    Shoe.objects.filter(pk=found.place.shoe.pk).update(cards_dealt=F("cards_dealt") + new_cards - old_cards)


def may_correct(deal: Deal) -> None:
    """Refuse unless a hand can be corrected, by two persons if its stage is closed."""
    refuse(why_not_settled(deal))
    if deal.shoe.round.status != Round.Status.CLOSED:
        running_check(deal.shoe.round.event)


def may_correct_alone(deal: Deal) -> None:
    """Refuse unless one person can correct a hand. Raises Refused ``round_closed`` (409) too."""
    may_correct(deal)
    round_ = deal.shoe.round
    if round_.status == Round.Status.CLOSED:
        raise Conflict(
            "round_closed",
            "%(round)s is closed: correcting its hands takes two people. Ask a second person to confirm it.",
            round=round_,
        )


def may_open(deal: Deal) -> None:
    """Refuse while a hand is open anywhere or a redraw is under way: the core knows of neither.

    Raises Refused ``draw_in_progress`` and ``deal_open``, both 409. The core checks everything else.
    """
    event = deal.shoe.round.event
    redraw_check(event)
    if Deal.objects.filter(shoe__round__event=event, status=Deal.Status.OPEN).exists():
        raise Conflict("deal_open", "A hand is open at a table. Finish it, or void it, first.")


def why_not_correct(deal: Deal) -> Refused | None:
    """Return why this hand cannot be corrected now, not even by two persons; None if it can.

    An open hand in an open round is no reason: the correction waits for its end, and may be refused then.
    """
    try:
        may_correct(deal)
        if deal.shoe.round.status == Round.Status.CLOSED:
            may_open(deal)
    except Refused as no:
        return no
    return why_correction_requested(deal) or why_correction_waits(deal)
