"""The hand record: one round of play as JSON, checked, replayed and settled.

``settle`` raises Refused; ``answer`` never raises, whatever JSON value it is given.
"""

from collections.abc import Mapping
from typing import Any

from games.blackjack.boxes import Box
from games.blackjack.cards import CARDS, JOKER, copies_refusal
from games.blackjack.event_rules import rules_make
from games.blackjack.irregular import irregularities_of, sat_out, turns_after, void_answer, void_reason
from games.blackjack.play import Play
from games.blackjack.rules import HouseRules
from games.blackjack.settlement import answer_make
from games.blackjack.sharing import players_put
from games.blackjack.sources import IrregularSource, RecordSource
from ground.refused import Refused
from ground.words import Sentence, shown
from ground.words import gettext_noop as _

SEATS = {str(seat): seat for seat in range(1, 8)}
CARDS_WITH_JOKER = CARDS | {JOKER}
SIDE_BET_MIN_CHIPS, SIDE_BET_MAX_CHIPS, SIDE_BET_STEP_CHIPS = 10, 100, 10


def answer(record: object) -> dict[str, Any]:
    """Return the answer to any JSON value: the settlement with its ``id``, or ``id``, ``error`` and
    ``message``.

    Never raises: a value that is nested too deeply is a ``bad_record`` like any other.
    """
    try:
        return settle(record)
    except Refused as no:
        return {"id": record_id(record), "error": no.code, "message": no.message}
    except RecursionError:
        return {"id": None, "error": "bad_record", "message": "The record is nested too deeply."}


def record_id(record: object) -> str | None:
    """Return the ``id`` for the answer: the record's own string, or None."""
    found = record.get("id") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None


def settle(record: object) -> dict[str, Any]:
    """Replay one hand record and return what each box won or lost, in whole chips.

    Raises Refused with one of the codes of the hand record; the sentence names box, card or decision.
    """
    return _settled(record)[0]


def settle_put_up(record: object) -> tuple[dict[str, Any], dict[str, int]]:
    """Return ``settle``, and box → the chips put up in the hand of the record (A6)."""
    answer, boxes = _settled(record)
    return answer, {str(box.seat): box.put_up for box in boxes}


def _settled(record: object) -> tuple[dict[str, Any], list[Box]]:
    """Return the answer to a record, and its boxes in their final state."""
    if not isinstance(record, dict):
        raise Refused("bad_record", "A record is an object, not %(record)s.", record=shown(record))
    get = record.get
    rules = rules_of(record)
    boxes = boxes_of(record, rules)
    cards = cards_of(record, rules)
    decisions = get("decisions", [])
    if type(decisions) is not list:
        raise Refused(
            "bad_record", "decisions must be a list, not %(decisions)s.", decisions=shown(decisions)
        )
    if "void" in record:
        reason = void_reason(record, rules)
        if reason is not None:
            return {**void_answer(boxes, reason), "id": record_id(record)}, boxes
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
    return settled, boxes


def _settle_played(play: Play, source: RecordSource, cards: list[str]) -> dict[str, Any]:
    """Play and settle the record; the caller checks for cards left over."""
    try:
        play.run()
    except StopIteration:
        raise Refused("cards_missing", _card_missing(play, len(cards))) from None
    if source.at < len(source.decisions):
        raise Refused(
            "decisions_left_over",
            "Nothing is left to decide after decision %(at)s; decision %(at_2)s is left over.",
            at=source.at,
            at_2=source.at + 1,
        )
    return answer_make(play)


def _settle_irregular(
    record: Mapping[str, Any], rules: HouseRules, boxes: list[Box], cards: list[str], decisions: list[Any]
) -> dict[str, Any]:
    """Play and settle a record with irregularities."""
    found = irregularities_of(record["irregularities"], rules, boxes, cards)
    played = [box for box in boxes if box.seat not in found.not_dealt]
    source = IrregularSource(cards, decisions, found, shared="players" in record)
    play = source.play = Play(rules, played, source)
    play.turns = turns_after(found.skip, play.boxes, refusals=bool(found.refusals))
    settled = _settle_played(play, source, cards)
    over = source.left_over()
    if over:
        _cards_left_over(cards, over[0])
    return sat_out(settled, [box for box in boxes if box.seat in found.not_dealt])


def _cards_left_over(cards: list[str], number: int) -> None:
    raise Refused(
        "cards_left_over",
        "The deal is over after card %(number)s; card %(number_2)s, %(cards)s, is left over.",
        number=number - 1,
        number_2=number,
        cards=cards[number - 1],
    )


def _card_missing(play: Play, given: int) -> Sentence:
    if play.box is None:
        text = _("Card %(number)s, for the dealer, is not there: the record has %(given)s cards.")
        return Sentence(text, number=given + 1, given=given)
    text = _("Card %(number)s, for box %(seat)s, is not there: the record has %(given)s cards.")
    return Sentence(text, number=given + 1, given=given, seat=play.box.seat)


def rules_of(record: Mapping[str, Any]) -> HouseRules:
    """Return the house rules of a record, from ``rules``, ``decks``, ``limits`` and ``options``."""
    wanted = {}
    for field, code in (("decks", "decks_not_allowed"), ("limits", "bad_limits"), ("options", "bad_options")):
        if field in record:
            if record[field] is None:
                raise Refused(code, "%(field)s is null; leave it out for the sheet's own.", field=field)
            wanted[field] = record[field]
    return rules_make(record.get("rules"), **wanted)


def cards_of(record: Mapping[str, Any], rules: HouseRules) -> list[str]:
    """Return the cards of a record, each one a card of the shoe (A8)."""
    cards = record.get("cards", [])
    if type(cards) is not list:
        raise Refused("bad_card", "cards must be a list of cards, not %(cards)s.", cards=shown(cards))
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
        raise Refused(
            "impossible_card",
            "%(over)s appears %(count)s times; %(copies)s.",
            over=over,
            count=cards.count(over),
            copies=_copies(over, rules),
        )
    return cards


def card_check(card: object, rules: HouseRules, what: str) -> None:
    """Refuse ``bad_card`` unless ``card`` is used in this game."""
    if isinstance(card, str) and card in (CARDS_WITH_JOKER if rules.joker else CARDS):
        return
    raise Refused(
        "bad_card",
        "%(what)s is %(card)s; a card is a rank A23456789TJQK and a suit s, h, d or c.",
        what=what,
        card=shown(card),
    )


def _copies(card: str, rules: HouseRules) -> str:
    return "there is one joker" if card == JOKER else f"{rules.decks} decks are in play"


def boxes_of(record: Mapping[str, Any], rules: HouseRules) -> list[Box]:
    """Return the boxes of a record, lowest first, with bets, stacks, side bets and chips on the line."""
    bets = record.get("bets")
    if type(bets) is not dict:
        raise Refused(
            "bad_record", "bets must be an object of box and chips, not %(bets)s.", bets=shown(bets)
        )
    if not bets:
        raise Refused("no_bets", "Nobody has bet; a hand needs at least one bet.")
    stacks = _chips_by_box(record, "stacks") if "stacks" in record else {}
    boxes = []
    for key, bet in bets.items():
        seat = _seat(key, "bets")
        if type(bet) is not int:
            raise Refused(
                "bad_record", "The bet of box %(key)s is %(bet)s, not an integer.", key=key, bet=shown(bet)
            )
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
                    "Box %(seat)s puts up %(put_up)s and has %(stack)s chips.",
                    seat=box.seat,
                    put_up=shown(box.put_up),
                    stack=shown(box.stack),
                )
    return boxes


def _box_seat(box: Box) -> int:
    return box.seat


def _seat(key: object, field: str) -> int:
    seat = SEATS.get(key) if isinstance(key, str) else None
    if seat is None:
        raise Refused(
            "bad_seat", "%(field)s names box %(key)s; the boxes are 1 to 7.", field=field, key=shown(key)
        )
    return seat


def bet_check(rules: HouseRules, seat: int, bet: int) -> None:
    """Refuse a bet of ``bet`` chips if row 2 does not allow it."""
    if bet < rules.min_chips:
        raise Refused(
            "bet_below_minimum",
            "Box %(seat)s bets %(bet)s; the minimum is %(min_chips)s.",
            seat=seat,
            bet=shown(bet),
            min_chips=shown(rules.min_chips),
        )
    if bet > rules.max_chips:
        raise Refused(
            "bet_above_maximum",
            "Box %(seat)s bets %(bet)s; the maximum is %(max_chips)s.",
            seat=seat,
            bet=shown(bet),
            max_chips=shown(rules.max_chips),
        )
    if bet % rules.step_chips:
        raise Refused(
            "bet_not_in_increment",
            "Box %(seat)s bets %(bet)s; bets are in steps of %(step_chips)s.",
            seat=seat,
            bet=shown(bet),
            step_chips=shown(rules.step_chips),
        )


def _chips_by_box(record: Mapping[str, Any], field: str) -> dict[int, int]:
    """Return a field of chips by box, checked for shape."""
    found = record[field]
    if type(found) is not dict:
        raise Refused(
            "bad_record",
            "%(field)s must be an object of box and chips, not %(found)s.",
            field=field,
            found=shown(found),
        )
    chips_by_box = {}
    for key, chips in found.items():
        seat = _seat(key, field)
        if type(chips) is not int:
            raise Refused(
                "bad_record",
                "%(field)s of box %(key)s is %(chips)s, not an integer.",
                field=field,
                key=key,
                chips=shown(chips),
            )
        chips_by_box[seat] = chips
    return chips_by_box


def _side_bets_put(record: Mapping[str, Any], rules: HouseRules, boxes: list[Box]) -> None:
    """Put the side bets on their boxes, as a part of the chips put up (row 24, A6)."""
    side_bets = record["side_bets"]
    if type(side_bets) is not dict:
        raise Refused(
            "bad_record",
            "side_bets must be an object of box and bets, not %(side_bets)s.",
            side_bets=shown(side_bets),
        )
    by_seat = {box.seat: box for box in boxes}
    for key, kinds in side_bets.items():
        box = by_seat.get(_seat(key, "side_bets"))
        if type(kinds) is not dict:
            raise Refused(
                "bad_record",
                "side_bets of box %(key)s must be an object, not %(kinds)s.",
                key=key,
                kinds=shown(kinds),
            )
        if box is None and kinds:
            raise Refused(
                "side_bet_not_offered", "Box %(key)s has no bet, so it can have no side bet.", key=key
            )
        for kind, chips in kinds.items():
            side_bet_check(rules, key, kind, chips)
        if box is not None:
            box.side_bets = kinds
            box.put_up += sum(kinds.values())


def side_bet_check(rules: HouseRules, seat: object, kind: object, chips: object) -> None:
    """Refuse a side bet ``kind`` of ``chips`` if row 24 does not allow it."""
    if kind not in rules.side_bets:
        raise Refused(
            "side_bet_not_offered",
            "Box %(seat)s: side bet %(kind)s is not offered here.",
            seat=seat,
            kind=shown(kind),
        )
    if type(chips) is not int:
        raise Refused(
            "bad_record",
            "Side bet %(kind)s of box %(seat)s is %(chips)s, not an integer.",
            kind=kind,
            seat=seat,
            chips=shown(chips),
        )
    if not SIDE_BET_MIN_CHIPS <= chips <= SIDE_BET_MAX_CHIPS or chips % SIDE_BET_STEP_CHIPS:
        raise Refused(
            "side_bet_amount",
            "Box %(seat)s bets %(chips)s on %(kind)s; it is %(side_bet_min_chips)s to "
            "%(side_bet_max_chips)s in steps of %(side_bet_step_chips)s.",
            seat=seat,
            chips=shown(chips),
            kind=kind,
            side_bet_min_chips=SIDE_BET_MIN_CHIPS,
            side_bet_max_chips=SIDE_BET_MAX_CHIPS,
            side_bet_step_chips=SIDE_BET_STEP_CHIPS,
        )


def _line_chips_put(record: Mapping[str, Any], rules: HouseRules, boxes: list[Box]) -> None:
    """Put chips from the boxes' last hands on the line (row 23)."""
    by_seat = {box.seat: box for box in boxes}
    for seat, chips in _chips_by_box(record, "line_chips").items():
        line_chip_check(rules, seat, chips)
        if seat not in by_seat:
            raise Refused(
                "bad_record",
                "Box %(seat)s has a chip on the line but no bet; it waits for its next hand.",
                seat=seat,
            )
        by_seat[seat].line_chip = chips


def line_chip_check(rules: HouseRules, seat: int, chips: int) -> None:
    """Refuse ``chips`` that cannot lie on the line of box ``seat`` (row 23)."""
    if not rules.line_chip:
        raise Refused(
            "bad_record", "Box %(seat)s has chips on the line, and this sheet has no such thing.", seat=seat
        )
    if not 0 <= chips <= rules.max_chips or chips % rules.chip_chips:
        raise Refused(
            "bad_record",
            "Box %(seat)s has %(chips)s on the line, which is not whole chips.",
            seat=seat,
            chips=shown(chips),
        )
