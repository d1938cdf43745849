"""The hand record: one round of play as JSON, checked, replayed and settled.

``settle`` raises Refused; ``answer`` never raises, whatever JSON value it is given.
"""

from collections.abc import Mapping
from typing import Any

from games.blackjack.boxes import Box
from games.blackjack.cards import CARDS, JOKER, copies_refusal
from games.blackjack.irregular import irregularities_of, sat_out, void_answer, void_reason
from games.blackjack.play import Play
from games.blackjack.rules import HouseRules, rules_make
from games.blackjack.settlement import answer_make
from games.blackjack.sharing import players_put
from games.blackjack.sources import IrregularSource, RecordSource
from ground.refused import Refused
from ground.words import shown

SEATS = {str(seat): seat for seat in range(1, 8)}
CARDS_WITH_JOKER = CARDS | {JOKER}
SIDE_BET_MIN_CHIPS, SIDE_BET_MAX_CHIPS, SIDE_BET_STEP_CHIPS = 10, 100, 10


def answer(record: object) -> dict[str, Any]:
    """The answer to any JSON value: the settlement with its ``id``, or ``id``, ``error`` and ``message``.

    Never raises: a value nested too deeply to be looked at is a ``bad_record`` like any other.
    """
    try:
        return settle(record)
    except Refused as no:
        return {"id": record_id(record), "error": no.code, "message": no.message}
    except RecursionError:
        return {"id": None, "error": "bad_record", "message": "The record is nested too deeply."}


def record_id(record: object) -> str | None:
    """The ``id`` to hand back: the record's own string, or None."""
    found = record.get("id") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None


def settle(record: object) -> dict[str, Any]:
    """Replay one hand record and say what each box won or lost, in whole chips.

    Raises Refused with one of the codes of the hand record; the sentence names box, card or decision.
    """
    if not isinstance(record, dict):
        raise Refused("bad_record", f"A record is an object, not {shown(record)}.")
    get = record.get
    rules = rules_of(record)
    boxes = boxes_of(record, rules)
    cards = cards_of(record, rules)
    decisions = get("decisions", [])
    if type(decisions) is not list:
        raise Refused("bad_record", f"decisions must be a list, not {shown(decisions)}.")
    if "void" in record:
        reason = void_reason(record, rules)
        if reason is not None:
            return {**void_answer(boxes, reason), "id": record_id(record)}
    if "irregularities" in record:
        settled = _settle_irregular(record, rules, boxes, cards, decisions)
    else:
        left = iter(cards)
        source = RecordSource(left, decisions, shared="players" in record)
        settled = _settle_played(Play(rules, boxes, source), source, cards)
        over = len(list(left))
        if over:
            _cards_left_over(cards, len(cards) - over + 1)
    settled["id"] = record_id(record)
    return settled


def _settle_played(play: Play, source: RecordSource, cards: list[str]) -> dict[str, Any]:
    """Play out what the record has, and settle it; cards left over are for the caller to see."""
    try:
        play.run()
    except StopIteration:
        raise Refused("cards_missing", _card_missing(play, len(cards))) from None
    if source.at < len(source.decisions):
        raise Refused(
            "decisions_left_over",
            f"Nothing is left to decide after decision {source.at}; decision {source.at + 1} is left over.",
        )
    return answer_make(play)


def _settle_irregular(
    record: Mapping[str, Any], rules: HouseRules, boxes: list[Box], cards: list[str], decisions: list[Any]
) -> dict[str, Any]:
    """The same where something went wrong at the table and the round was played on."""
    found = irregularities_of(record["irregularities"], rules, boxes, cards)
    played = [box for box in boxes if box.seat not in found.not_dealt]
    source = IrregularSource(cards, decisions, found, shared="players" in record)
    play = source.play = Play(rules, played, source)
    settled = _settle_played(play, source, cards)
    over = source.left_over()
    if over:
        _cards_left_over(cards, over[0])
    return sat_out(settled, [box for box in boxes if box.seat in found.not_dealt])


def _cards_left_over(cards: list[str], number: int) -> None:
    raise Refused(
        "cards_left_over",
        f"The deal is over after card {number - 1}; card {number}, {cards[number - 1]}, is left over.",
    )


def _card_missing(play: Play, given: int) -> str:
    whom = "the dealer" if play.box is None else f"box {play.box.seat}"
    return f"Card {given + 1}, for {whom}, is not there: the record has {given} cards."


def rules_of(record: Mapping[str, Any]) -> HouseRules:
    """The house rules of a record, from ``rules``, ``decks``, ``limits`` and ``options``."""
    wanted = {}
    for field, code in (("decks", "decks_not_allowed"), ("limits", "bad_limits"), ("options", "bad_options")):
        if field in record:
            if record[field] is None:
                raise Refused(code, f"{field} is null; leave it out for the sheet's own.")
            wanted[field] = record[field]
    return rules_make(record.get("rules"), **wanted)


def cards_of(record: Mapping[str, Any], rules: HouseRules) -> list[str]:
    """The cards of a record, each one a card of the shoe (A8)."""
    cards = record.get("cards", [])
    if type(cards) is not list:
        raise Refused("bad_card", f"cards must be a list of cards, not {shown(cards)}.")
    known = CARDS_WITH_JOKER if rules.joker else CARDS
    try:
        good = known.issuperset(cards)
    except TypeError:
        good = False
    if not good:
        for number, card in enumerate(cards, start=1):
            card_check(card, rules, f"Card {number}")
    over = copies_refusal(cards, rules.decks)
    if over is not None:
        raise Refused("impossible_card", f"{over} appears {cards.count(over)} times; {_copies(over, rules)}.")
    return cards


def card_check(card: object, rules: HouseRules, what: str) -> None:
    """Raises Refused ``bad_card`` unless ``card`` is one that this game is played with."""
    if isinstance(card, str) and card in (CARDS_WITH_JOKER if rules.joker else CARDS):
        return
    raise Refused(
        "bad_card", f"{what} is {shown(card)}; a card is a rank A23456789TJQK and a suit s, h, d or c."
    )


def _copies(card: str, rules: HouseRules) -> str:
    return "there is one joker" if card == JOKER else f"{rules.decks} decks are in play"


def boxes_of(record: Mapping[str, Any], rules: HouseRules) -> list[Box]:
    """The boxes of a record, lowest first, with bets, stacks, side bets and chips on the line."""
    bets = record.get("bets")
    if type(bets) is not dict:
        raise Refused("bad_record", f"bets must be an object of box and chips, not {shown(bets)}.")
    if not bets:
        raise Refused("no_bets", "Nobody has bet; a hand needs at least one bet.")
    stacks = _chips_by_box(record, "stacks") if "stacks" in record else {}
    boxes = []
    for key, bet in bets.items():
        seat = _seat(key, "bets")
        if type(bet) is not int:
            raise Refused("bad_record", f"The bet of box {key} is {shown(bet)}, not an integer.")
        bet_check(rules, seat, bet)
        boxes.append(Box(seat, bet, stacks.get(seat)))
    if len(boxes) > 1:
        boxes.sort(key=_box_seat)
    if "side_bets" in record:
        _side_bets_put(record, rules, boxes)
    if "line_chips" in record:
        _line_chips_put(record, rules, boxes)
    if "players" in record:
        players_put(
            record["players"],
            rules,
            boxes,
            bet_check=bet_check,
            side_bet_check=side_bet_check,
            line_chip_check=line_chip_check,
        )
    if stacks:
        for box in boxes:
            if not box.has(0):
                raise Refused(
                    "not_enough_chips",
                    f"Box {box.seat} puts up {box.put_up} and has {shown(box.stack)} chips.",
                )
    return boxes


def _box_seat(box: Box) -> int:
    return box.seat


def _seat(key: object, field: str) -> int:
    seat = SEATS.get(key) if isinstance(key, str) else None
    if seat is None:
        raise Refused("bad_seat", f"{field} names box {shown(key)}; the boxes are 1 to 7.")
    return seat


def bet_check(rules: HouseRules, seat: int, bet: int) -> None:
    """Row 2: raises Refused unless ``bet`` chips may be bet."""
    if bet < rules.min_chips:
        raise Refused("bet_below_minimum", f"Box {seat} bets {shown(bet)}; the minimum is {rules.min_chips}.")
    if bet > rules.max_chips:
        raise Refused("bet_above_maximum", f"Box {seat} bets {shown(bet)}; the maximum is {rules.max_chips}.")
    if bet % rules.step_chips:
        raise Refused(
            "bet_not_in_increment", f"Box {seat} bets {bet}; bets are in steps of {rules.step_chips}."
        )


def _chips_by_box(record: Mapping[str, Any], field: str) -> dict[int, int]:
    """A field of box and chips, checked for shape."""
    found = record[field]
    if type(found) is not dict:
        raise Refused("bad_record", f"{field} must be an object of box and chips, not {shown(found)}.")
    chips_by_box = {}
    for key, chips in found.items():
        seat = _seat(key, field)
        if type(chips) is not int:
            raise Refused("bad_record", f"{field} of box {key} is {shown(chips)}, not an integer.")
        chips_by_box[seat] = chips
    return chips_by_box


def _side_bets_put(record: Mapping[str, Any], rules: HouseRules, boxes: list[Box]) -> None:
    """Row 24: put the side bets on their boxes, as part of what each has put up (A6)."""
    side_bets = record["side_bets"]
    if type(side_bets) is not dict:
        raise Refused("bad_record", f"side_bets must be an object of box and bets, not {shown(side_bets)}.")
    by_seat = {box.seat: box for box in boxes}
    for key, kinds in side_bets.items():
        box = by_seat.get(_seat(key, "side_bets"))
        if type(kinds) is not dict:
            raise Refused("bad_record", f"side_bets of box {key} must be an object, not {shown(kinds)}.")
        if box is None and kinds:
            raise Refused("side_bet_not_offered", f"Box {key} has no bet, so it can have no side bet.")
        for kind, chips in kinds.items():
            side_bet_check(rules, key, kind, chips)
        if box is not None:
            box.side_bets = kinds
            box.put_up += sum(kinds.values())


def side_bet_check(rules: HouseRules, seat: object, kind: object, chips: object) -> None:
    """Row 24: raises Refused unless ``kind`` may be bet for ``chips``."""
    if kind not in rules.side_bets:
        raise Refused("side_bet_not_offered", f"Box {seat}: side bet {shown(kind)} is not offered here.")
    if type(chips) is not int:
        raise Refused("bad_record", f"Side bet {kind} of box {seat} is {shown(chips)}, not an integer.")
    if not SIDE_BET_MIN_CHIPS <= chips <= SIDE_BET_MAX_CHIPS or chips % SIDE_BET_STEP_CHIPS:
        raise Refused(
            "side_bet_amount",
            f"Box {seat} bets {shown(chips)} on {kind};"
            f" it is {SIDE_BET_MIN_CHIPS} to {SIDE_BET_MAX_CHIPS} in steps of {SIDE_BET_STEP_CHIPS}.",
        )


def _line_chips_put(record: Mapping[str, Any], rules: HouseRules, boxes: list[Box]) -> None:
    """Row 23: chips on the line from the boxes' last hands."""
    by_seat = {box.seat: box for box in boxes}
    for seat, chips in _chips_by_box(record, "line_chips").items():
        line_chip_check(rules, seat, chips)
        if seat not in by_seat:
            raise Refused(
                "bad_record", f"Box {seat} has a chip on the line but no bet; it waits for its next hand."
            )
        by_seat[seat].line_chip = chips


def line_chip_check(rules: HouseRules, seat: int, chips: int) -> None:
    """Row 23: raises Refused unless ``chips`` can lie on the line of box ``seat``."""
    if not rules.line_chip:
        raise Refused("bad_record", f"Box {seat} has chips on the line, and this sheet has no such thing.")
    if not 0 <= chips <= rules.max_chips or chips % rules.chip_chips:
        raise Refused("bad_record", f"Box {seat} has {shown(chips)} on the line, which is not whole chips.")
