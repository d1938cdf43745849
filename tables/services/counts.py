"""Count the chips of every box twice, blind, at the end of a shoe (T18)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from operator import sub
from typing import Any

from django.contrib.auth.models import User

from games.registry import game_of
from ground.refused import Conflict, Forbidden, Refused, refuse
from tables.models import CountSheet, Deal, Shoe
from tables.selectors.counts import (
    boxes_again,
    boxes_to_count,
    hands_say,
    live_sheets,
    why_not_again,
    why_not_count,
)
from tables.selectors.floor import house_rules
from tables.selectors.next_hand import play_check
from tables.selectors.rulings import chips_moved, waiting_on, which_counted
from tournament.engine import facts
from tournament.engine.facts import boxes, key_of
from tournament.models import Request, Round, Stack
from tournament.selectors.open_requests import COUNT_RULING
from tournament.services.arguments import reason_clean
from tournament.services.journal import Command, Json, command
from tournament.services.requests import handler, request_add
from tournament.services.second_person import second_person

from .facts_write import facts_write
from .hand import box_number, corrected_first
from .locks import running_check, shoe_lock
from .project import sheets_reopen

Counted = dict[int, int]


def count_enter(
    *,
    shoe_id: int,
    chips: Mapping[Any, Any],
    again: bool = False,
    key: str,
    actor: User | None,
    tablet: User | None = None,
) -> Json:
    """Enter a count of all boxes of a table, chips by box; the first, or the blind second.

    ``again``: only the boxes in which the two counts differ, once for each person; the figures replace those
    in the person's own count, and the journal keeps the old ones (T18). ``tablet``: the login of the tablet
    on which ``actor`` signed with a PIN or password.

    Gives ``{"shoe", "which", "status", "agreed"}``; ``agreed`` is None after the first count, which stays
    hidden. Once both agree with each other, and with the ledger where hands were recorded, the shoe is
    counted, and with the last shoe the round. Raises Refused ``shoe_not_over`` (409), ``counts_in`` (409),
    ``same_person``, ``login_of_yours``, ``not_yours_to_count`` and ``first_by_login`` (403),
    ``count_not_due``, ``not_whole_chips``, ``negative``, ``box_missing``, ``box_empty``,
    ``more_than_possible``, and what ``why_not_again`` says.
    """
    counted = _chips_of(chips)

    def act(cmd: Command) -> Json:
        shoe = _shoe_over(shoe_id)
        stacks, sheets = boxes_to_count(shoe), live_sheets(shoe)
        due: Mapping[int, Stack] = stacks
        if again:
            refuse(why_not_again(shoe, sheets, stacks, cmd.actor))
            due = {box: stacks[box] for box in boxes_again(sheets, stacks)}
        else:
            _turn_check(cmd, shoe, sheets)
        _tablet_note(cmd, sheets, tablet)
        count_check(shoe, due, counted)
        sheet = CountSheet(shoe=shoe, which=len(sheets) + 1, chips=counted, counted_by=cmd.actor, at=cmd.at)
        if again:
            own = [each for each in sheets if each.counted_by == cmd.actor][-1]
            CountSheet.objects.filter(pk=own.pk).update(status=CountSheet.Status.REOPENED)
            # The recount keeps the time of its count: a later penalty took chips that had been counted.
            sheet.which, sheet.at = own.which, own.at
            sheet.chips = own.chips | {str(box): count for box, count in counted.items()}
        sheet.save(force_insert=True)
        second_at = sheets[-1].at if again else cmd.at if sheets else None
        table = key_of(shoe.round), shoe.table.number
        cmd.write(facts.Counted(*table, boxes(sheet.chips), again=sheet.which if again else 0))
        return _entered(cmd, shoe, stacks, second_at, sheet.which)

    body = {"shoe": shoe_id, "chips": counted, **({"again": True} if again else {})}
    return _command("count.enter", shoe_id, body, act, key, actor)


def count_rule(*, shoe_id: int, chips: Mapping[Any, Any], reason: str, key: str, actor: User | None) -> Json:
    """Rule on the chips where the two counts, or counts and ledger, differ (T18).

    A ruling that agrees with the ledger moves no chips and counts the table at once; gives ``{"shoe",
    "status", "reason"}``. One that moves chips waits for a second person (faults), and until then nothing
    moves; gives ``{"shoe", "status", "request": id, "kind"}``.

    The journal keeps the ruling with its evidence: both counts, the chips by the hands, chips before and
    after. Raises Refused ``counts_missing`` (409) while a count is missing, ``ruling_waits`` (409) while
    another ruling waits, ``shoe_not_over`` (409), ``reason_missing``, ``not_yours_to_ask`` (403), and the
    codes of impossible figures.
    """
    counted = _chips_of(chips)

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        shoe = _shoe_over(shoe_id)
        stacks, sheets = boxes_to_count(shoe), live_sheets(shoe)
        _ruling_check(shoe, sheets)
        count_check(shoe, stacks, counted)
        evidence = _evidence(cmd, shoe, stacks, sheets, counted)
        moved = chips_moved(shoe, stacks, sheets, counted)
        if not moved:
            facts_write(cmd, _ruled(shoe, evidence))
            return {"shoe": shoe.pk, "status": Shoe.Status.COUNTED, "reason": why}
        body = {
            "shoe": shoe.pk,
            "round": shoe.round_id,
            "chips": evidence["after"],
            "sheets": [sheet.pk for sheet in sheets],
            "moved": sorted(map(str, moved), key=int),
            "entries": [stacks[box].entry_id for box in sorted(moved)],
            **{name: evidence[name] for name in ("counts", "hands", "before")},
        }
        return {
            "shoe": shoe.pk,
            "status": shoe.status,
            **request_add(cmd, kind=COUNT_RULING, body=body, reason=why),
        }

    body = {"shoe": shoe_id, "chips": counted, "reason": reason}
    return _command("count.rule", shoe_id, body, act, key, actor)


def _ruling_check(shoe: Shoe, sheets: list[CountSheet]) -> None:
    if len(sheets) < 2:
        raise Conflict("counts_missing", "Both counts must be in before a ruling.")
    if waiting_on(shoe.pk):
        raise Conflict(
            "ruling_waits",
            "A ruling on the count of %(table)s waits for a second person. Have it refused, or take "
            "it back, before you make another ruling.",
            table=shoe.table,
        )


def _evidence(
    cmd: Command, shoe: Shoe, stacks: Mapping[int, Stack], sheets: list[CountSheet], ruled: Counted
) -> Json:
    """Note the evidence of a ruling in the journal, and return it."""
    found: Json = {
        "counts": [sheet.chips for sheet in sheets],
        "hands": _hands_noted(shoe, stacks, sheets[1].at),
        "before": {str(box): stack.chips for box, stack in stacks.items()},
        "after": {str(box): chips for box, chips in ruled.items()},
    }
    cmd.note(**found)
    return found


def _ruled(shoe: Shoe, evidence: Json) -> facts.CountRuled:
    before, after = boxes(evidence["before"]), boxes(evidence["after"])
    return facts.CountRuled(key_of(shoe.round), shoe.table.number, tuple(map(sub, after, before)))


@handler(COUNT_RULING)
def _ruling_confirmed(cmd: Command, request: Request) -> Json:
    """Apply a ruling that the second person has confirmed, and count the table (T18)."""
    shoe = _shoe_over(request.body["shoe"])
    stacks, sheets = boxes_to_count(shoe), live_sheets(shoe)
    ruled = _chips_of(request.body["chips"])
    count_check(shoe, stacks, ruled)
    evidence = _evidence(cmd, shoe, stacks, sheets, ruled)
    which = which_counted(request.body, cmd.actor.pk if cmd.actor else None)
    if which:
        # The confirmer may have counted: asker and confirmer are two people, and the auditor sees it.
        cmd.note(confirmer_counted=which)
    facts_write(cmd, _ruled(shoe, evidence))
    return {"shoe": shoe.pk, "status": Shoe.Status.COUNTED}


def count_reopen(*, shoe_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Take both counts back, so that the table is counted again, until the round is closed (T18).

    A ruling, or chips adopted from the counts, are reversed too. Raises Refused ``no_count`` (409),
    ``round_closed`` (409), ``tie_open`` (409) while a play-off rests on this count, ``event_not_running``
    (409), ``reason_missing``.
    """

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        shoe = shoe_lock(shoe_id)
        running_check(shoe.round.event)
        if not live_sheets(shoe):
            raise Conflict("no_count", "Nothing has been counted at %(table)s.", table=shoe.table)
        reopen_check(shoe.round)
        sheets_reopen(cmd, shoe)
        facts_write(cmd, facts.CountReopened(key_of(shoe.round), shoe.table.number))
        return {"shoe": shoe.pk, "status": Shoe.Status.OVER, "reason": why}

    body = {"shoe": shoe_id, "reason": reason}
    return _command("count.reopen", shoe_id, body, act, key, actor)


def _command(kind: str, shoe_id: int, body: Json, act: Any, key: str, actor: User | None) -> Json:
    event_id = corrected_first(shoe_id)
    return command(kind=kind, key=key, actor=actor, event_id=event_id, body=body, act=act)


# What a count must be -------------------------------------------------------------------------------


def _chips_of(chips: Mapping[Any, Any]) -> Counted:
    """Return a count by box from a form or JSON."""
    found = {}
    for box, count in chips.items():
        number = box_number(box)
        if type(count) is not int:
            raise Refused(
                "not_whole_chips", "The count of box %(box)s is not a whole number of chips.", box=box
            )
        found[number] = count
    return dict(sorted(found.items()))


def count_check(shoe: Shoe, stacks: Mapping[int, Stack], counted: Counted) -> None:
    """Refuse impossible figures (T18): a box is missing or empty, no whole chips, more than could be won."""
    missing = [box for box in stacks if box not in counted]
    if missing:
        raise Refused(
            "box_missing",
            "Box %(missing)s has not been counted; enter 0 where nothing is left.",
            missing=missing[0],
        )
    extra = [box for box in counted if box not in stacks]
    if extra:
        raise Refused("box_empty", "Nobody plays at box %(extra)s; leave it out.", extra=extra[0])
    chip = shoe.round.event.settings.chip_value_chips
    for box, count in counted.items():
        if count < 0:
            raise Refused("negative", "Box %(box)s: a count cannot be below 0.", box=box)
        if count % chip:
            raise Refused(
                "not_whole_chips",
                "Box %(box)s: %(count)s cannot be counted with chips of %(chip)s.",
                box=box,
                count=f"{count:,}",
                chip=f"{chip:,}",
            )
    _possible_check(shoe, stacks, counted)


def _possible_check(shoe: Shoe, stacks: Mapping[int, Stack], counted: Counted) -> None:
    """Refuse more chips than a box would have if it had won every recorded hand.

    Where none is recorded: every hand that a whole shoe can hold, each with the largest bet (T11, T12).
    """
    settled = Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED)
    recorded = list(settled.values_list("bets", "stacks"))
    rules = house_rules(shoe.round)
    game = game_of(rules)
    bounds = game.net_bounds
    any_hand = 0 if recorded else bounds(rules, rules.max_chips)[1]
    unseen = any_hand * game.hands_most(rules, 0, 0, shoe.decks)
    for box, stack in stacks.items():
        at = str(box)
        won = sum(bounds(rules, bets[at], before[at])[1] for bets, before in recorded if at in bets)
        most = max(stack.start_chips + won + unseen, stack.chips)
        if counted[box] > most:
            raise Refused(
                "more_than_possible",
                "Box %(box)s: %(counted)s is more than its hands could have won (%(most)s). Count it again.",
                box=box,
                counted=f"{counted[box]:,}",
                most=f"{most:,}",
            )


def _shoe_over(shoe_id: int) -> Shoe:
    shoe = shoe_lock(shoe_id)
    if shoe.round.kind != Round.Kind.ROUND:
        raise Refused(
            "count_not_due", "%(round)s is decided by its hands; nothing is counted.", round=shoe.round
        )
    play_check(shoe.round)
    if shoe.status != Shoe.Status.OVER:
        raise Conflict(
            "shoe_not_over",
            "The shoe at %(table)s is %(state)s: no count is due.",
            table=shoe.table,
            state=shoe.get_status_display(),
        )
    return shoe


def _turn_check(cmd: Command, shoe: Shoe, sheets: list[CountSheet]) -> None:
    if len(sheets) == 2:
        raise Conflict("counts_in", "Both counts are in. Count again, or let the director rule.")
    refuse(why_not_count(len(sheets), cmd.actor))
    if sheets:
        same = Forbidden(
            "same_person", "A second person must count. Choose their user name, and let them type their PIN."
        )
        one_may = shoe.round.event.is_rehearsal
        second_person(cmd, first_id=sheets[0].counted_by_id, one_may=one_may, own=same)


def _tablet_note(cmd: Command, sheets: list[CountSheet], tablet: User | None) -> None:
    if tablet is None:
        return
    if not sheets:
        raise Forbidden(
            "first_by_login", "The first count is entered by the person who is logged in at the tablet."
        )
    cmd.note(tablet=tablet.pk)


# What comes of it -----------------------------------------------------------------------------------


def _entered(
    cmd: Command, shoe: Shoe, stacks: Mapping[int, Stack], second_at: datetime | None, which: int
) -> Json:
    """Record what follows from a count: once both are in and agree, the table is counted (T18)."""
    agreed = None
    if second_at is not None:
        cmd.note(hands=_hands_noted(shoe, stacks, second_at))
        facts_write(cmd)
        shoe.refresh_from_db(fields=["status"])
        agreed = shoe.status == Shoe.Status.COUNTED
    return {"shoe": shoe.pk, "which": which, "status": shoe.status, "agreed": agreed}


def _hands_noted(shoe: Shoe, stacks: Mapping[int, Stack], second_at: datetime) -> Json:
    """Return the chips by the hands at this moment, for the journal; empty if no hand was recorded."""
    by_hands = hands_say(shoe, stacks, second_at)
    return {str(box): chips for box, chips in by_hands.items() if chips is not None}


def reopen_check(round_: Round) -> None:
    """Refuse ``round_closed`` and ``tie_open`` (409): the counts of the round stand (T18)."""
    if round_.status == Round.Status.CLOSED:
        raise Conflict("round_closed", "%(round)s is closed: its counts stand.", round=round_)
    if round_.status == Round.Status.PLAYING_OFF:
        raise Conflict(
            "tie_open", "The play-off of %(round)s rests on this count. Finish it first.", round=round_
        )
