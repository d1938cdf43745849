"""Functions shared by opening, settling and correcting a hand; called inside commands (T12–T17, T31)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User

from games.protocol import AnyGame, Rules
from games.registry import game_of
from ground.button import button_here, button_next
from ground.refused import Conflict, Refused
from tables.models import Deal, Seat, Shoe
from tables.models.floor import BOXES
from tables.selectors.deals import bets_called, boxed, line_chips, tap_words
from tables.selectors.draws import redraw_check
from tables.selectors.floor import house_rules, occupied_boxes, stacks_by_box
from tables.selectors.next_hand import bet_blocked, next_hand, still_held
from tournament import sql
from tournament.engine.facts import Began, Hand, HandKey, ShoeEnded, boxes, key_of
from tournament.models import Entry, Event, Round, Stack
from tournament.services import commits
from tournament.services.chips import chips_hand
from tournament.services.clocks import clock_stop_at_bet
from tournament.services.journal import Command, Json
from tournament.services.status import changed_meanwhile, status_move

from .facts_write import facts_write
from .locks import no_such_shoe

WAITING = "tables.correct_waiting"
"""The task that makes corrections after the end of a hand: commands of the director, not the dealer (T17)."""
RULE_FIELDS = ("rules", "decks", "limits", "options")


@dataclass(frozen=True)
class Place:
    """The place of a hand: its shoe, rules, players by box, number and button.

    ``line_chips``: box → chips on its line from its last hand, which belong to the bank until they are won.
    ``sits_out``: box → the penalty by which it sits this hand out (T26).
    """

    shoe: Shoe
    round: Round
    event: Event
    rules: Rules
    stacks: dict[int, Stack]
    number: int
    button: int | None
    line_chips: dict[int, int] = field(default_factory=dict)
    sits_out: dict[int, int] = field(default_factory=dict)

    @property
    def key(self) -> HandKey:
        """The key of the hand in facts."""
        return (key_of(self.round), self.shoe.table.number, self.shoe.number, self.number)

    @property
    def game(self) -> AnyGame:
        """The game of this table."""
        return game_of(self.rules)

    def button_after(self, outcome: Outcome) -> int | None:
        """Return the box that bets first after this hand: the next one that covers the minimum (T14)."""
        nets, minimum = outcome.nets, self.rules.min_chips
        sitting = occupied_boxes(self.stacks, 0)
        able = [box for box in sitting if self.stacks[box].chips + nets.get(box, 0) >= minimum]
        return button_next(self.button, able)

    def line_of(self, bets: Iterable[int]) -> dict[int, int] | None:
        """Return the chips on the lines of the boxes that bet (row 23); None without any."""
        return {box: self.line_chips[box] for box in bets if self.line_chips.get(box)} or None


@dataclass(frozen=True)
class Outcome:
    """A finished hand: its record and answer, the net chips of each box, and the chips it put up."""

    record: Json
    answer: Json
    outcomes: Json
    put_up: Mapping[str, int]

    @property
    def nets(self) -> dict[int, int]:
        """Box → net chips."""
        return boxed(self.answer["net"])

    @property
    def cards(self) -> int:
        """The number of cards that left the shoe, 0 if they were not recorded."""
        return len(self.record.get("cards", ()))


# Before a hand --------------------------------------------------------------------------------------


def correct_after(shoe: Shoe) -> None:
    """Make the corrections that wait at a table once the end of its hand is saved."""
    if shoe.to_correct or shoe.round.kind != Round.Kind.ROUND:
        commits.after_commit_here(WAITING, shoe.pk)


_WAITS = """
    SELECT r.event_id, EXISTS (SELECT 1 FROM tables_shoe o WHERE o.round_id = r.id
        AND (o.id = s.id OR r.kind <> 'round') AND o.to_correct @> '[{"no": ""}]')
    FROM tables_shoe s JOIN tournament_round r ON r.id = s.round_id WHERE s.id = %s
"""


def corrected_first(shoe_id: int) -> int:
    """Make the corrections that still wait before a table goes on; return the id of the event.

    The process that ended the hand may have died before it made them. Raises Refused ``no_such_shoe`` (404).
    """
    found = sql.row(_WAITS, shoe_id)
    if found is None:
        raise no_such_shoe()
    event_id, waits = found
    if waits:
        commits.carry_out_here(WAITING, shoe_id)
    return int(event_id)


def play_begin(cmd: Command, round_: Round) -> None:
    """Start a round with its first bet: its seats stand from here on (T6, T19).

    Raises Refused ``draw_in_progress`` (409) while the seats are drawn anew.
    """
    if round_.status != Round.Status.SEATED:
        return
    redraw_check(round_.event)
    status_move(round_, Round.Status.PLAYING)
    cmd.note(round_played=round_.pk)
    cmd.write(Began(key_of(round_)))
    clock_stop_at_bet(cmd, round_)
    if round_.number == 1 and round_.kind == Round.Kind.ROUND:
        _too_late(round_)


def _too_late(round_: Round) -> None:
    """T6: an entrant without a seat when the first bet is called is a no-show, without refund."""
    seated = Seat.objects.filter(round=round_, vacated_at__isnull=True).values("entry")
    late = Entry.objects.filter(event=round_.event, status=Entry.Status.LIVE).exclude(pk__in=seated)
    for entry in late.order_by("number"):
        status_move(entry, Entry.Status.NO_SHOW)


def place_of(shoe: Shoe) -> Place:
    """Return the place of the next hand of a locked shoe. Refuses as ``next_hand`` does."""
    rules, stacks = house_rules(shoe.round), stacks_by_box(shoe)
    coming = next_hand(shoe, stacks, rules.min_chips)
    button = button_here(shoe.button_box, occupied_boxes(stacks, rules.min_chips))
    where = (shoe, shoe.round, shoe.round.event, rules, stacks)
    return Place(*where, coming.number, button, line_chips(shoe, rules), coming.sits_out)


def place_of_open(deal: Deal) -> Place:
    """Return the place of a hand that already has its number."""
    shoe = deal.shoe
    rules, stacks = house_rules(shoe.round), stacks_by_box(shoe)
    where = (shoe, shoe.round, shoe.round.event, rules, stacks)
    on_line = line_chips(shoe, rules, before=deal.number)
    return Place(*where, deal.number, deal.button_box, on_line, still_held(boxed(deal.sits_out)))


_BOXES = {str(box): box for box in range(1, BOXES + 1)}


def box_number(box: object) -> int:
    """Return the number of a box from a form or JSON. Raises Refused ``bad_seat``."""
    number = _BOXES.get(str(box))
    if number is None:
        raise Refused(
            "bad_seat",
            "%(box)s is not a box; the boxes are 1 to %(boxes)s.",
            box=f"{str(box)[:20]!a}",
            boxes=BOXES,
        )
    return number


def bets_of(bets: Mapping[Any, Any]) -> dict[int, int]:
    """Return bets by box from a form or JSON; an empty or zero bet is left out.

    Raises Refused ``bad_seat``, ``bad_bet``.
    """
    found = {}
    for box, chips in bets.items():
        number = box_number(box)
        if chips is None or chips == 0:
            continue
        if type(chips) is not int:
            raise Refused("bad_bet", "The bet of box %(box)s is not a whole number of chips.", box=box)
        found[number] = chips
    return dict(sorted(found.items()))


def bets_check(place: Place, bets: Mapping[int, int]) -> dict[int, int]:
    """Check bets against seats, limits and stacks (T12, T13, T15); return the stacks of those boxes.

    Raises Refused ``box_empty``, ``absent``, ``not_playing`` and the record's codes (``bet_below_minimum``,
    ``bet_not_in_increment``, ``not_enough_chips`` …).
    """
    stacks = seated_stacks(place.stacks, bets)
    place.game.hand_start(place.rules, bets, stacks, line_chips=place.line_of(bets))
    return stacks


def all_bet_check(place: Place, bets: Mapping[int, int]) -> None:
    """Check that every player present who can cover the minimum bets (T12, T15, T26).

    Raises Refused ``bet_missing`` and, for a box that sits the hand out by a penalty, ``penalty_sits_out``.
    """
    held = [box for box in bets if box in place.sits_out]
    if held:
        raise Refused(
            "penalty_sits_out",
            "A penalty holds, so no bet is taken at %(who)s in this hand.",
            who=_who(place, held),
        )
    minimum = place.rules.min_chips
    able = [box for box, stack in place.stacks.items() if not bet_blocked(stack, minimum)]
    missing = [box for box in able if box not in bets and box not in place.sits_out]
    if missing:
        raise Refused(
            "bet_missing",
            "No bet at %(who)s. Every player at the table must bet at least %(minimum)s. To skip a hand,"
            " the floor marks the player absent.",
            who=_who(place, missing),
            minimum=f"{minimum:,}",
        )


def _who(place: Place, boxes: Iterable[int]) -> str:
    return ", ".join(f"Box {box} ({place.stacks[box].entry.code})" for box in boxes)


def seated_stacks(stacks: Mapping[int, Stack], bets: Mapping[int, int]) -> dict[int, int]:
    """Return the chips of the boxes that bet; refused for an empty box or a player not in play."""
    for box in bets:
        stack = stacks.get(box)
        if stack is None:
            raise Refused("box_empty", "Nobody sits at box %(box)s.", box=box)
        if stack.state == Stack.State.ABSENT:
            raise Refused(
                "absent",
                "Box %(box)s, %(entry)s, is absent and sits the hand out.",
                box=box,
                entry=stack.entry.code,
            )
        blocked = bet_blocked(stack, 0)
        if blocked:
            raise Refused(
                "not_playing",
                "Box %(box)s, %(entry)s, cannot bet: %(blocked)s.",
                box=box,
                entry=stack.entry.code,
                blocked=blocked,
            )
    return {box: stacks[box].chips for box in bets}


# On the open hand -----------------------------------------------------------------------------------


def open_check(deal: Deal) -> None:
    """Refuse ``deal_not_open`` (409) for a hand that was settled or made void meanwhile."""
    if deal.status != Deal.Status.OPEN:
        raise Conflict(
            "deal_not_open",
            "Hand %(deal)s is %(state)s already.",
            deal=deal.number,
            state=deal.get_status_display(),
        )


def seen_check(deal: Deal, seen: int) -> None:
    """Refuse ``stale`` (409), with what has changed, unless the screen has seen every tap."""
    if seen == len(deal.taps):
        return
    news = [tap_words(deal, tap) for tap in deal.taps[max(seen, 0) :]]
    told = "; ".join(news[-4:]) or "entries were taken back"
    raise Conflict("stale", "In the meantime: %(told)s. Look at the hand, then go on.", told=told)


def called_check(deal: Deal, called: str) -> None:
    """Refuse ``stale`` (409) unless the bets are those that the screen showed (T12)."""
    if called in ("", bets_called(deal)):
        return
    raise Conflict(
        "stale",
        "In the meantime other bets were called: %(told)s. Look at the hand, then go on.",
        told=", ".join(f"box {box} {bet:,}" for box, bet in sorted(boxed(deal.bets).items())),
    )


def tapped_by(actor: User | None, screen: str) -> dict[str, Any]:
    """Return what a tap keeps of its person and screen, for the other screens to show."""
    return {} if actor is None else {"by": actor.pk, "on": screen[:16]}


# Outcomes -------------------------------------------------------------------------------------------


def outcome_of_record(place: Place, record: object) -> Outcome:
    """Return the outcome of a whole hand record at this place, checked by the game.

    If it names rules or stacks, they must be those of the table. Raises
    Refused ``rules_differ``, ``stacks_differ``, ``line_chips_differ``, ``box_empty`` …;
    ``side_bet_not_offered``, ``players_not_allowed`` (T12) and ``void_at_table``; and the record's own codes.
    """
    if not isinstance(record, dict) or not isinstance(record.get("bets"), dict):
        raise Refused("bad_record", "A hand record is an object with bets by box.")
    _offered_check(record)
    own = place.game.rules_record(place.rules)
    named = {name: record[name] for name in RULE_FIELDS if name in record}
    if named and place.game.rules_of({**own, **named}) != place.rules:
        raise Refused(
            "rules_differ", "The record is of a game with other rules, decks or limits than this event."
        )
    bets = bets_of(record["bets"])
    stacks = {str(box): chips for box, chips in seated_stacks(place.stacks, bets).items()}
    if "stacks" in record and record["stacks"] != stacks:
        raise Refused("stacks_differ", "The record's stacks are not the chips in front of the boxes.")
    whole = {**record, **own, "stacks": stacks, **_line_of_record(place, record, bets), **_where(place)}
    answer, put_up = place.game.settle_put_up(whole)
    return Outcome(whole, answer, {}, put_up)


def _offered_check(record: Mapping[str, Any]) -> None:
    """Refuse parts of a record that a hand of an event cannot have (T12, T17)."""
    if record.get("side_bets"):
        raise Refused("side_bet_not_offered", "There are no side bets in a tournament.")
    if record.get("players"):
        raise Refused("players_not_allowed", "In a tournament a box has one player.")
    if record.get("void"):
        raise Refused("void_at_table", "A void hand is not recorded. Void it at the table, with the reason.")


def _line_of_record(place: Place, record: Mapping[str, Any], bets: Mapping[int, int]) -> Json:
    """Check that a record has the same chips on the line as the table (row 23)."""
    on_line = {str(box): chips for box, chips in (place.line_of(bets) or {}).items()}
    named = record.get("line_chips")
    if named and (not isinstance(named, dict) or {b: c for b, c in named.items() if c != 0} != on_line):
        raise Refused("line_chips_differ", "The record's chips on the line are not those at the table.")
    return {"line_chips": on_line} if on_line or named is not None else {}


def outcome_of_results(
    place: Place, bets: Mapping[int, int], stacks: Mapping[int, int], outcomes: Mapping[Any, Any]
) -> Outcome:
    """Return the outcome of a hand by its results. Raises Refused as ``results_settle`` does."""
    try:
        by_box = boxed(outcomes)
    except ValueError:
        raise Refused("bad_result", "Results are given by box, 1 to 7.") from None
    on_line = place.line_of(bets)
    answer = place.game.results_settle(place.rules, bets, stacks, by_box, line_chips=on_line)
    kept = {str(box): dict(outcome) for box, outcome in sorted(by_box.items())}
    record = {
        **place.game.rules_record(place.rules),
        "bets": {str(box): chips for box, chips in bets.items()},
        "stacks": {str(box): chips for box, chips in stacks.items()},
        **({"line_chips": {str(box): chips for box, chips in on_line.items()}} if on_line else {}),
        "results": kept,
        **_where(place),
    }
    # If the game's answer does not have it, only the bets are put up.
    return Outcome(record, answer, kept, answer.get("put_up", record["bets"]))


def _where(place: Place) -> Json:
    """Return the fields that the table adds to a hand record, such as its id, event and round."""
    event, round_, table = place.event, place.round, place.shoe.table
    return {
        "id": f"{event.code}/{round_.pk}/{table.number}/{place.shoe.number}/{place.number}",
        "event": event.code,
        "round": round_.number,
        "round_kind": round_.kind,
        "table": table.number,
        "shoe": place.shoe.number,
        "hand": place.number,
        "button": place.button,
        "entries": {str(box): stack.entry.code for box, stack in place.stacks.items()},
    }


# Afterwards -----------------------------------------------------------------------------------------


# Each statement that finishes a hand also updates its shoe, to save a round trip.
_SHOE_MOVES_ON = """
    WITH shoe AS (UPDATE tables_shoe SET cards_dealt = cards_dealt + %s, button_box = %s WHERE id = %s)
"""
_RECORD = f"""{_SHOE_MOVES_ON}
    INSERT INTO tables_deal (shoe_id, number, status, mode, button_box, bets, stacks, entries, sits_out, taps,
        outcomes, record, answer, reason, opened_by_id, opened_at, closed_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, '[]', %s, %s, %s, '', %s, %s, %s) RETURNING id
"""  # noqa: S608 - our own columns
_SETTLE = f"""{_SHOE_MOVES_ON}
    UPDATE tables_deal SET status = 'settled', closed_at = %s, record = %s, answer = %s, outcomes = %s
    WHERE id = %s AND status = 'open' RETURNING id
"""  # noqa: S608 - our own columns


def _settled(deal: Deal, moved: tuple[Any, ...]) -> None:
    """Write the outcome of an open hand. Raises Refused ``changed_meanwhile`` (409) if it is not open."""
    came = (json.dumps(each) for each in (deal.record, deal.answer, deal.outcomes))
    if sql.row(_SETTLE, *moved, deal.closed_at, *came, deal.pk) is None:
        raise changed_meanwhile()


def _recorded(deal: Deal, moved: tuple[Any, ...]) -> None:
    """Write a hand that is recorded whole, already settled; sets its id."""
    found = sql.row(
        _RECORD,
        *moved,
        *(deal.shoe_id, deal.number, str(deal.status), str(deal.mode), deal.button_box),
        *(json.dumps(each) for each in (deal.bets, deal.stacks, deal.entries, deal.sits_out, deal.outcomes)),
        *(json.dumps(deal.record), json.dumps(deal.answer)),
        *(deal.opened_by_id, deal.opened_at, deal.closed_at),
    )
    assert found is not None
    deal.pk, deal._state.adding = found[0], False


def void_record(place: Place, deal: Deal) -> Json:
    """Return the record of a void hand: its rules, bets and stacks, and where it was dealt (T17)."""
    own = place.game.rules_record(place.rules)
    return {**own, "bets": deal.bets, "stacks": deal.stacks, **_where(place)}


def hand_said(place: Place, outcome: Outcome) -> Hand:
    """Return a hand as a fact (ADR 25)."""
    answer = outcome.answer
    said = (outcome.record["bets"], answer["net"], outcome.put_up, answer.get("line_chip"))
    bets, nets, put_up, on_line = map(boxes, said)
    return Hand(*place.key, bets, nets, put_up, on_line, tuple(sorted(place.sits_out)), place.button)


def hand_post(cmd: Command, place: Place, deal: Deal, outcome: Outcome) -> Json:
    """Settle a hand: record, shoe and button, chips, last change, and consequences. Return the result.

    ``deal`` is the open hand, or one that is recorded whole and not written yet.
    """
    button = place.button_after(outcome)
    deal.status, deal.closed_at = Deal.Status.SETTLED, cmd.at
    deal.record, deal.answer, deal.outcomes = outcome.record, outcome.answer, outcome.outcomes
    write = _recorded if deal.pk is None else _settled
    write(deal, (outcome.cards, button, place.shoe.pk))
    nets = {place.stacks[box]: net for box, net in outcome.nets.items()}
    chips_hand(cmd, nets=nets, source=f"deal:{deal.pk}")
    cmd.note(deal=deal.pk, record=outcome.record, mode=deal.mode)
    if place.round.kind == Round.Kind.ROUND:
        cmd.write(hand_said(place, outcome))
    else:
        facts_write(cmd, hand_said(place, outcome))  # The hand may decide a tie (T23, T33).
    last_hand_over(cmd, deal.shoe)
    return {"deal": deal.pk, "number": deal.number, "net": outcome.answer["net"], "button": button}


def last_hand_over(cmd: Command, shoe: Shoe) -> None:
    """End the shoe after the hand in which the cut card came, once that hand is settled or void."""
    if not shoe.last_hand:
        return
    # A tie that the hand has decided has ended its shoes already.
    shoe.refresh_from_db(fields=["status"])
    if shoe.status == Shoe.Status.DEALING:
        status_move(shoe, Shoe.Status.OVER, ended_at=cmd.at)
        cmd.note(shoe_over=shoe.pk)
        cmd.write(ShoeEnded(key_of(shoe.round), shoe.table.number))
