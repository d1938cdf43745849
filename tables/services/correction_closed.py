"""A hand of a stage that is closed, put right by two persons before the first payment (T17, faults).

Where no later stage is seated the stage is opened, put right and closed again, with all that follows: the
cut, a tie that is open after all, places, prizes. Where one is, nobody is reseated by itself: who went on
stays, the chips follow as far as they were carried (T22), and so do ranks and the places of all who are out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe
from tables.selectors.draws import open_draw
from tables.selectors.floor import house_rules
from tournament.models import ChipTransaction, Entry, Round, Stack
from tournament.services.chips import ChipMove, chips_rewrite
from tournament.services.journal import Command
from tournament.services.reopening import (
    event_reopen,
    ranks_again,
    refuse_paid,
    round_reclose,
    round_reopen,
)
from tournament.services.rounds import places_settle

from .counts import reopen
from .locks import shoe_lock
from .working import Correction, chips_had, covered, has_left, not_covered

Kind, Status = Round.Kind, Round.Status
Leg = ChipTransaction.Kind


def may_open(deal: Deal) -> None:
    """Whether a hand of a closed stage can still be put right.

    Raises Refused ``paid_from``, ``draw_in_progress``, ``tie_open``, ``deal_open``, all 409.
    """
    stage = deal.shoe.round
    event = stage.event
    refuse_paid(event)
    if open_draw(event) is not None:
        raise Refused(
            "draw_in_progress",
            _("The next seats are being drawn, and the roster is locked. Carry the draw out first."),
            status=409,
        )
    if event.rounds.exclude(kind=Kind.ROUND).exclude(status=Status.CLOSED).exclude(pk=stage.pk).exists():
        raise Refused(
            "tie_open", _("A tie is being played for. Close the play-off or sudden death first."), status=409
        )
    if Deal.objects.filter(shoe__round__event=event, status=Deal.Status.OPEN).exists():
        raise Refused("deal_open", _("A hand is open at a table. Finish it, or void it, first."), status=409)


def later_stages(round_: Round) -> list[Round]:
    """The main rounds and the sudden deaths that were seated after a stage, in order."""
    main = round_.parent or round_
    after = main.event.rounds.exclude(kind=Kind.PLAY_OFF).filter(pk__gt=main.pk)
    return list(after.order_by("pk"))


# A play-off or sudden death -------------------------------------------------------------------------


def tie_open_and_close(cmd: Command, stage: Round, carry_out: Callable[[], None]) -> None:
    """Open what rests on a closed tie, put it right with ``carry_out``, and close what is decided again."""
    parent = stage.parent
    if parent is not None and parent.status == Status.CLOSED:
        if later_stages(stage):
            carry_out()
            return
        event_reopen(cmd, stage.event)
        round_reopen(cmd, parent)
        carry_out()
        round_reclose(cmd, parent)
    else:
        event_reopen(cmd, stage.event)
        carry_out()
        places_settle(cmd, stage.event)


# A round ----------------------------------------------------------------------------------------------


def round_open_and_close(cmd: Command, found: Correction, carry_out: Callable[[], None]) -> None:
    """A closed round: opened and closed again, or, where a later stage is seated, followed by its chips."""
    round_ = found.deal.shoe.round
    if not later_stages(round_):
        event_reopen(cmd, round_.event)
        round_reopen(cmd, round_)
        for stack in {**found.old, **found.new}:
            stack.refresh_from_db(fields=["chips"])
        carry_out()
        round_reclose(cmd, round_)
        return
    event_reopen(cmd, round_.event)
    # Who left in this round handed in there and then: what they had is put right with the hand itself.
    trails = [_Trail.of(stack, chips) for stack, chips in found.changes.items() if not has_left(stack)]
    for trail in trails:
        _trail_check(found, trail)
    _counts_open(cmd, trails)
    _bring_back(cmd, trails)
    for stack in {**found.old, **found.new}:
        stack.refresh_from_db(fields=["chips"])
    carry_out()
    for trail in trails:
        trail.stack.refresh_from_db(fields=["chips"])
    _send_on(cmd, trails)
    for each in [round_, *later_stages(round_)]:
        if each.kind == Kind.ROUND and each.status == Status.CLOSED:
            ranks_again(cmd, each)
    places_settle(cmd, round_.event)


@dataclass(frozen=True)
class _Trail:
    """Where the chips of a stack went after its round: the stacks they were carried to, in order."""

    stack: Stack
    chips: int
    later: tuple[Stack, ...]

    @classmethod
    def of(cls, stack: Stack, chips: int) -> _Trail:
        """The trail of a stack that a correction moves by ``chips``."""
        event = stack.round.event
        numbers = event.format.carried_on(stack.round.number)
        later: Iterable[Stack] = ()
        if numbers:
            there = {"round__event": event, "round__kind": Kind.ROUND, "entry": stack.entry}
            found = Stack.objects.filter(**there, round__number__in=numbers)
            later = found.select_related("round", "entry").order_by("round__number")
        return cls(stack, chips, tuple(later))

    @property
    def last(self) -> Stack:
        """Where the chips are now, or were when they were handed in."""
        return self.later[-1] if self.later else self.stack

    @property
    def handed_in(self) -> bool:
        """Whether they have left the table."""
        return has_left(self.last) or (
            self.last.round.status == Status.CLOSED
            and not (
                self.last.outcome == Stack.Outcome.ADVANCED
                and self.last.round.event.format.is_carried_into(self.last.round.number + 1)
                and self.last.entry.status == Entry.Status.LIVE
            )
        )


def _trail_check(found: Correction, trail: _Trail) -> None:
    """No later bet without cover, and no stack below zero (T17)."""
    entry = trail.stack.entry
    for stack in trail.later:
        rules = house_rules(stack.round)
        has = chips_had(stack)
        if has + trail.chips < 0:
            not_covered(stack, f"it would leave {has + trail.chips:,} chips in {stack.round}")
        for deal in _hands_of(stack):
            box = next(box for box, each in deal.entries.items() if each == entry.pk)
            before = {**deal.stacks, box: deal.stacks[box] + trail.chips}
            no = covered(rules, deal, before)
            if no is not None:
                why = no.message.removesuffix(".")
                not_covered(stack, f"hand {deal.number} of {stack.round} could not have been bet: {why}", no)


def _hands_of(stack: Stack) -> list[Deal]:
    """The settled hands of a round that this player bet in."""
    settled = Deal.objects.filter(shoe__round=stack.round, status=Deal.Status.SETTLED)
    return [
        deal
        for deal in settled.order_by("number")
        if any(entry == stack.entry_id and box in deal.bets for box, entry in deal.entries.items())
    ]


def _counts_open(cmd: Command, trails: Iterable[_Trail]) -> None:
    """The count of a table where the chips lie now was of other stacks: it is counted again (T18)."""
    open_now = [trail.last for trail in trails if trail.last.round.status != Status.CLOSED]
    tables = Seat.objects.filter(
        entry__in=[stack.entry_id for stack in open_now],
        round__in=[stack.round_id for stack in open_now],
        vacated_at__isnull=True,
    )
    for round_id, table_id in sorted(set(tables.values_list("round_id", "table_id"))):
        for shoe in Shoe.objects.filter(round=round_id, table=table_id, status=Shoe.Status.COUNTED):
            reopen(cmd, shoe_lock(shoe.pk))


def _bring_back(cmd: Command, trails: Iterable[_Trail]) -> None:
    """Chips that a player must not have are taken from where they lie now back to the round (T17)."""
    _move(cmd, [trail for trail in trails if trail.chips < 0])


def _send_on(cmd: Command, trails: Iterable[_Trail]) -> None:
    """Chips that a player should have had follow from the round to where its chips lie now (T17)."""
    trails = list(trails)
    _move(cmd, [trail for trail in trails if trail.chips > 0])
    for trail in trails:
        _figures(trail)


def _move(cmd: Command, trails: Iterable[_Trail]) -> None:
    moves = []
    for trail in trails:
        path = [trail.stack, *trail.later]
        for old, new in pairwise(path):
            moves.append(ChipMove(Leg.CARRY, {old: -trail.chips, new: trail.chips}, f"round:{new.round_id}"))
        if trail.handed_in:
            moves.append(ChipMove(Leg.RETURN, {trail.last: -trail.chips}, "follows"))
    chips_rewrite(cmd, reverse=(), post=moves, due=True)


def _figures(trail: _Trail) -> None:
    """The frozen and the remembered figures along the way: closed stacks, starts, stacks before hands."""
    for stack in (trail.stack, *trail.later):
        stack.refresh_from_db()
        if stack.closed_chips is not None and not has_left(stack):
            stack.closed_chips += trail.chips
        if stack.pk != trail.stack.pk:
            stack.start_chips += trail.chips
            for deal in _hands_of(stack):
                box = next(box for box, each in deal.entries.items() if each == stack.entry_id)
                moved = {**deal.stacks, box: deal.stacks[box] + trail.chips}
                Deal.objects.filter(pk=deal.pk).update(stacks=moved)
        stack.save(update_fields=["closed_chips", "start_chips"])
