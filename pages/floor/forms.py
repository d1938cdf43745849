"""Read the forms of the floor into figures for the services.

Boxes come as fields with their number (``bet-3``); unreadable text is refused.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from ground.refused import Refused
from ground.typed import plain_number, whole_number
from tables.models.floor import BOXES
from tournament.services.journal import not_whole

ALL_BOXES = range(1, BOXES + 1)
JOKER = "JK"
TYPED = "typed"
LOOKED = {"yes": True, "no": False}


def whole(text: str, what: str) -> int:
    """Return a typed whole number of chips: ``5,600`` or ``5 600``. Refuses ``not_a_number``."""
    number = whole_number(text)
    if number is None:
        raise Refused("not_a_number", _("%(what)s: type a whole number of chips.") % {"what": what})
    return number


def number_of(post: Mapping[str, str], name: str) -> int:
    """Return a number that the page itself put into the form. Refuses ``form_broken``."""
    number = plain_number(post.get(name, ""))
    if number is None:
        raise not_whole("form_broken")
    return number


def box_name(box: int) -> str:
    """``Box 3``."""
    return _("Box %(n)s") % {"n": box}


def bets_of_form(post: Mapping[str, str]) -> dict[int, int]:
    """``bet-3=400`` → ``{3: 400}``; a box with 0 or nothing sits the hand out."""
    typed = {box: post.get(f"bet-{box}", "").strip() for box in ALL_BOXES}
    bets = {box: whole(text, box_name(box)) for box, text in typed.items() if text}
    return {box: chips for box, chips in bets.items() if chips}


def hand_typed(data: Mapping[str, str]) -> bool:
    """Whether a form has typed bets or results of a hand, which could be lost.

    A bet that the page itself filled in (``was-3``) does not count as typed.
    """
    was = {f"bet-{box}": data.get(f"was-{box}", "") for box in ALL_BOXES}
    names = (f"{name}-{box}" for name in ("bet", "out") for box in ALL_BOXES)
    return any((text := data.get(name, "").strip()) and text != was.get(name) for name in names)


def first_card(post: Mapping[str, str]) -> bool:
    """Whether a card was pressed, whatever else the form has."""
    return bool(post.get("card") or post.get("tap"))


def counts_of_form(post: Mapping[str, str], boxes: Iterable[int]) -> dict[int, int]:
    """``chips-3=5,600`` → ``{3: 5600}`` for the boxes to count; empty fields are left out."""
    typed = {box: post.get(f"chips-{box}", "").strip() for box in boxes}
    return {box: whole(text, box_name(box)) for box, text in typed.items() if text}


# -- Taps ---------------------------------------------------------------------------------------------


def op_of_form(post: Mapping[str, str]) -> dict[str, Any]:
    """Return a tap as the engine's operation: a ``card``, or the button's value.

    ``hit:5``, ``insurance:3:200``, ``close_insurance``, ``look:yes``, ``joker``, ``not_dealt:3``,
    ``double:5:typed`` with the chips in ``double-amount-5``; a card that came out in error as ``mishap``.
    Refuses ``no_rank``, ``form_broken``.
    """
    if post.get("mishap"):
        return _mishap(post)
    if post.get("card"):
        lay = "hole" if post.get("hole") else "burned" if post.get("burned") else "card"
        return {"op": lay, "card": post["card"][:4]}
    action, *rest = post.get("tap", "").split(":")
    if action == "joker":
        return {"op": "card", "card": JOKER}
    numbers = {f"n{at}": text for at, text in enumerate(rest)}
    if action == "look" and rest and rest[0] in LOOKED:
        return {"op": "looked", "natural": LOOKED[rest[0]]}
    if action == "close_insurance":
        return {"op": "insurance_closed"}
    seat = number_of(numbers, "n0")
    if action == "not_dealt":
        return {"op": "not_dealt", "seat": seat}
    op: dict[str, Any] = {"op": "decision", "seat": seat, "action": action}
    if rest[1:] == [TYPED]:
        return op | {"amount": whole(post.get(f"{action}-amount-{seat}", "").strip(), box_name(seat))}
    return op | ({"amount": number_of(numbers, "n1")} if len(rest) > 1 else {})


def _card_said(rank: str, suit: str) -> str:
    """Return a card by its rank and suit. Refuses ``no_rank``."""
    if not rank or not suit:
        raise Refused("no_rank", _("Enter the rank and the suit of the card."))
    return f"{rank[:2]}{suit[:2]}"


def ruled_op_of_form(post: Mapping[str, str]) -> dict[str, Any]:
    """Return a mistake to rule on: the hole card turned too early, or a box that was skipped.

    For a skipped box, ``behind`` is the box after which it acts; ``stands``: it no longer acts. In a void
    hand it has neither. Refuses ``no_rank``, ``form_broken``.
    """
    if post.get("wrong") == "hole":
        return {"op": "hole_turned", "card": _card_said(post.get("rank", ""), post.get("suit", ""))}
    op = {"op": "skipped", "seat": number_of(post, "seat")}
    acts = post.get("behind") != "stands" and post.get("ruling") != "void"
    return op | {"behind": number_of(post, "behind")} if acts else op


def _mishap(post: Mapping[str, str]) -> dict[str, Any]:
    """Return a card dealt in error, with the boxes that refuse it; or a surplus card after the hand."""
    card = _card_said(post.get("mishap-rank", ""), post.get("mishap-suit", ""))
    if post["mishap"] == "too_many":
        return {"op": "burned", "card": card}
    return {
        "op": "exposed",
        "card": card,
        "refused": [box for box in ALL_BOXES if post.get(f"refuses-{box}")],
    }


# -- A hand as text ---------------------------------------------------------------------------------------

CARDS_MAX = 120


def record_of_form(post: Mapping[str, str], actions: Container[str]) -> dict[str, Any]:
    """Return a typed hand as a record: cards in the order in which they left the shoe, a decision per line.

    ``8h 9c 10d`` and ``1 hit``, ``3 insurance 200``; ``actions``: the decisions of the game.
    Refuses ``card_unreadable``, ``decision_unreadable``.
    """
    cards = [_card_typed(word) for word in post.get("cards", "").replace(",", " ").split()[:CARDS_MAX]]
    lines = post.get("decisions", "").replace(",", "\n").replace(";", "\n").splitlines()[:CARDS_MAX]
    bets = {str(box): chips for box, chips in bets_of_form(post).items()}
    return {
        "bets": bets,
        "cards": cards,
        "decisions": [_decision_typed(line, actions) for line in lines if line.strip()],
    }


def _card_typed(word: str) -> str:
    text = word.replace("10", "T")
    if text.upper() == JOKER:
        return JOKER
    if len(text) != 2 or text[0].upper() not in "A23456789TJQK" or text[1].lower() not in "shdc":
        what = {"word": word[:8]}
        raise Refused("card_unreadable", _("%(word)s is no card. Type rank and suit: 8h, 10d, As.") % what)
    return text[0].upper() + text[1].lower()


def _decision_typed(line: str, actions: Container[str]) -> dict[str, Any]:
    first, *words = line.lower().split()
    seat = plain_number(first, digits_max=1)
    amount = words.pop() if words and words[-1][0].isdigit() else ""
    action = "_".join(words)
    if seat is None or action not in actions:
        what = {"line": line.strip()[:40]}
        raise Refused(
            "decision_unreadable", _("%(line)s is no decision. Type the box and its decision: 3 hit.") % what
        )
    decision: dict[str, Any] = {"seat": seat, "action": action}
    return decision | ({"amount": whole(amount, box_name(seat))} if amount else {})
