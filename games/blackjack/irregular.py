"""Irregularities at a table, as a hand record writes them: those that are played on, and void rounds.

``irregularities`` is a list; each item has the kind and the card (its number in ``cards``, from 1) or box:

* ``face_up``: card n lay face up in the shoe and was burned. It belongs to no hand.
* ``misdealt``: card n came out in error and was played as the next card. ``refused``: the boxes that refused
  it; they get no card after that. If all refused it, it is the dealer's next card. ``after``: the number of
  decisions made when it came out (left out: it came as soon as the card before it was out).
* ``extra``: card n came out too many and was used as the next card. Like a misdealt one it may be left over.
* ``dealer_extra``: card n was dealt to the finished hand of the dealer and burned.
* ``not_dealt``: a box that got no cards sits the round out and gets its bet back.

Each sheet lists the kinds that it knows. Two more are played on by a ruling, under every sheet:

* ``hole_turned``: the hole card was turned over after ``after`` decisions. It stays face up.
* ``skipped``: box ``seat`` was passed over and acted after box ``behind``; left out, it stood.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from games.blackjack.boxes import Box
from games.blackjack.play import Play
from games.blackjack.rules import HouseRules
from ground.refused import Refused
from ground.words import gettext_noop as _
from ground.words import shown

CARD_KINDS = ("face_up", "misdealt", "extra", "dealer_extra")
BOX_KINDS = ("not_dealt",)
RULED_KINDS = ("hole_turned", "skipped")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The boxes that refused a card, and the number of decisions made when it came out."""

    boxes: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Skip:
    """The box that was passed over, and the box after which it acted (None: it stood)."""

    seat: int
    behind: int | None


class Irregularities:
    """The irregularities of one record: numbers of cards from 1, and boxes.

    ``spare``: cards that may be left over because no hand needed them.
    """

    __slots__ = ("burned", "dealer_extra", "hole_turned", "not_dealt", "refusals", "skip", "spare")

    def __init__(self) -> None:
        self.burned: set[int] = set()
        self.dealer_extra: set[int] = set()
        self.spare: set[int] = set()
        self.refusals: dict[int, Refusal] = {}
        self.not_dealt: set[int] = set()
        self.hole_turned: int | None = None
        self.skip: Skip | None = None


def impossible(text: str, **figures: Any) -> NoReturn:
    """Raise Refused ``irregularity_impossible``."""
    raise Refused("irregularity_impossible", text, **figures)


def bar(play: Play, seats: Iterable[int]) -> None:
    """Bar these boxes, which refuse the card that came out, from further cards. Raises Refused.

    The card is out whoever gets it: an offer of insurance that lasts until a third card is over (row 10).
    """
    play.third_card = True
    for seat in seats:
        box = play.box_of(seat)
        if box.seat < play.seat:
            impossible(_("Box %(seat)s has played and can refuse no card."), seat=seat)
        box.barred = True


def turns_after(skip: Skip | None, boxes: list[Box], *, refusals: bool) -> list[Box]:
    """Return the boxes in the order in which they act, with a skipped box after another one. Raises Refused.

    ``refusals``: whether a box has refused a card in the same hand, for which boxes are asked in their order.
    """
    if skip is None:
        return boxes
    seats = [box.seat for box in boxes]
    if skip.seat not in seats or (skip.behind is not None and skip.behind not in seats):
        raise Refused("bad_seat", "Box %(seat)s has no bet.", seat=skip.seat)
    if skip.behind is None:
        return boxes
    if skip.behind <= skip.seat:
        impossible(
            _("A box that was skipped acts behind a later one; box %(behind)s is not behind box %(seat)s."),
            seat=skip.seat,
            behind=skip.behind,
        )
    if refusals:
        impossible(_("A card was refused in a hand in which a box was skipped; void the hand."))
    turns = [box for box in boxes if box.seat != skip.seat]
    at = next(at for at, box in enumerate(turns, start=1) if box.seat == skip.behind)
    return [*turns[:at], boxes[seats.index(skip.seat)], *turns[at:]]


def irregularities_of(
    entered: object, rules: HouseRules, boxes: list[Box], cards: list[str]
) -> Irregularities:
    """Return the irregularities of a record, checked for shape and against those of the sheet.

    Raises Refused ``bad_record`` or ``irregularity_not_known``.
    """
    if type(entered) is not list:
        raise Refused("bad_record", "irregularities must be a list, not %(entered)s.", entered=shown(entered))
    found = Irregularities()
    seats = {box.seat for box in boxes}
    taken: set[int] = set()
    for each in entered:
        kind = each.get("kind") if isinstance(each, dict) else None
        if type(kind) is not str or kind not in (*CARD_KINDS, *BOX_KINDS, *RULED_KINDS):
            raise Refused("bad_record", "Irregularity %(each)s needs a kind that is known.", each=shown(each))
        if kind in RULED_KINDS:
            _ruled_put(found, each, kind, seats, rules)
            continue
        if kind not in rules.irregularities:
            raise Refused(
                "irregularity_not_known",
                "%(rules)s has no rule for %(kind)s; void the hand.",
                rules=rules.name,
                kind=kind,
            )
        if kind in BOX_KINDS:
            found.not_dealt.add(_seat(each.get("seat"), seats, kind))
        else:
            _card_put(found, each, kind, seats, len(cards), taken)
    if found.not_dealt == seats:
        impossible(_("No box was dealt to; the hand is void."))
    return found


def _ruled_put(
    found: Irregularities, each: Mapping[str, Any], kind: str, seats: set[int], rules: HouseRules
) -> None:
    """Add the irregularities of a ruling: each of the two kinds at most once per hand."""
    if kind == "hole_turned":
        after = each.get("after")
        if type(after) is not int or after < 0 or found.hole_turned is not None:
            raise Refused("bad_record", "hole_turned says once, in after, how many decisions had been made.")
        if not rules.hole_card:
            impossible(_("The dealer has no hole card on this sheet."))
        found.hole_turned = after
        return
    if found.skip is not None:
        raise Refused("bad_record", "Only one box of a hand can have been skipped.")
    behind = each.get("behind")
    found.skip = Skip(
        _seat(each.get("seat"), seats, kind), None if behind is None else _seat(behind, seats, kind)
    )


def _card_put(
    found: Irregularities, each: Mapping[str, Any], kind: str, seats: set[int], cards: int, taken: set[int]
) -> None:
    number = each.get("card")
    if type(number) is not int or not 1 <= number <= cards or number in taken:
        raise Refused(
            "bad_record",
            "%(kind)s names card %(number)s; it must be one of 1 to %(cards)s, once.",
            kind=kind,
            number=shown(number),
            cards=cards,
        )
    taken.add(number)
    if kind == "face_up":
        found.burned.add(number)
        return
    found.spare.add(number)
    if kind == "dealer_extra":
        found.dealer_extra.add(number)
    elif kind == "misdealt":
        refused, after = each.get("refused", []), each.get("after", 0)
        if type(refused) is not list or type(after) is not int:
            raise Refused(
                "bad_record",
                "Card %(number)s: refused is a list of boxes, after a whole number.",
                number=number,
            )
        if refused:
            found.refusals[number] = Refusal(tuple(_seat(seat, seats, "refused") for seat in refused), after)


def _seat(seat: object, seats: set[int], what: str) -> int:
    if type(seat) is not int or seat not in seats:
        raise Refused(
            "bad_record", "%(what)s names box %(seat)s, which has no bet.", what=what, seat=shown(seat)
        )
    return seat


def void_reason(record: Mapping[str, Any], rules: HouseRules) -> str | None:
    """Return why the round of a record is void, or None if it counts. Raises Refused ``bad_record``."""
    void = record.get("void", False)
    if type(void) is not bool:
        raise Refused("bad_record", "void is true or false, not %(void)s.", void=shown(void))
    if not void:
        return None
    reason = record.get("void_reason")
    if type(reason) is not str or reason not in rules.void_reasons:
        known = ", ".join(rules.void_reasons)
        raise Refused(
            "bad_record",
            "A void round needs a void_reason (%(known)s), not %(reason)s.",
            known=known,
            reason=shown(reason),
        )
    return reason


def void_answer(boxes: list[Box], reason: str) -> dict[str, Any]:
    """Return the answer to a void round: every bet is returned, and a chip on the line stays there."""
    seats = [str(box.seat) for box in boxes]
    answer: dict[str, Any] = {
        "net": dict.fromkeys(seats, 0),
        "hands": {seat: [] for seat in seats},
        "dealer": [],
        "void": reason,
    }
    line_chip = {str(box.seat): box.line_chip for box in boxes if box.line_chip}
    if line_chip:
        answer["line_chip"] = line_chip
    players = {str(box.seat): _players_back(box) for box in boxes if box.players}
    if players:
        answer["players"] = players
    return answer


def _players_back(box: Box) -> list[dict[str, Any]]:
    others = [
        {"name": player.name, "net": 0} | ({"line_chip": player.line_chip} if player.line_chip else {})
        for player in box.players
    ]
    return [{"name": box.name, "net": 0}, *others]


def sat_out(answer: dict[str, Any], boxes: list[Box]) -> dict[str, Any]:
    """Return ``answer`` with the boxes that got no cards: no hands, and the bet returned."""
    if not boxes:
        return answer
    back = void_answer(boxes, "")
    made = dict(answer)
    for field in ("net", "hands", "line_chip", "players"):
        both = {**answer.get(field, {}), **back.get(field, {})}
        if both:
            made[field] = dict(sorted(both.items()))
    return made
