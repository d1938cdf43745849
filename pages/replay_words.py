"""A replayed hand in words: what happened at each step, why each hand ended as it did, and the clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.blackjack.boxes import BUST, EVEN_MONEY, NATURAL, PAID, SURRENDERED, Box, Hand
from games.blackjack.play import Play
from games.blackjack.rules import HouseRules
from games.blackjack.settlement import dealer_score
from pages.replay import BoxPicture, HandPicture, Replay, Step
from tournament.figures import chips, signed

# -- Steps ------------------------------------------------------------------------------------------------


def step_title(step: Step) -> str:
    """What happened, short enough for a list: ``Box 3 doubles for 400``."""
    match step.kind:
        case "bets":
            return _("The bets are down")
        case "hole":
            return _("Dealer: a card face down")
        case "turned":
            return _("Dealer turns the card over")
        case "looked":
            return _("Dealer looks: blackjack") if step.natural else _("Dealer looks: no blackjack")
        case "burned":
            return _("A card is burned")
        case "refused":
            return _("A card dealt in error is refused")
        case "settled":
            return _("Settled")
        case "card":
            return _("Dealer: a card") if step.box is None else _("Box %(n)s: a card") % {"n": step.box}
    return _decided(step)


def _decided(step: Step) -> str:
    who = _("Box %(n)s") % {"n": step.box} + (f", {step.player}" if step.player else "")
    words = {
        "insurance": _("%(who)s insures for %(chips)s"),
        "even_money": _("%(who)s takes even money"),
        "stand": _("%(who)s stands"),
        "hit": _("%(who)s draws"),
        "double": _("%(who)s doubles"),
        "split": _("%(who)s splits"),
        "surrender": _("%(who)s surrenders"),
    }[step.action]
    if step.action == "double" and step.amount_chips is not None:
        words = _("%(who)s doubles for %(chips)s")
    return words % {"who": who, "chips": chips(step.amount_chips or 0)}


def step_note(step: Step) -> str:
    """What is to be said beside a step: a card that came out in error, a joker, which hand of a split."""
    notes = {
        "face_up": _("It lay face up in the shoe."),
        "misdealt": _("It was dealt in error and is played as the next card."),
        "extra": _("It came out too many and is used as the next card."),
        "dealer_extra": _("It was dealt to the dealer's finished hand."),
        "hole_turned": _("It was turned too early and stays face up."),
    }
    said = [notes[step.mishap]] if step.mishap else []
    if "JK" in step.cards:
        said.append(_("The joker is laid beside the box; the next card takes its place."))
    box = next((each for each in step.boxes if each.box == step.box), None)
    if box is not None and len(box.hands) > 1 and step.hand is not None:
        said.append(_("Hand %(n)s of %(all)s.") % {"n": step.hand + 1, "all": len(box.hands)})
    return " ".join(said)


# -- Settlement -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One part of what a box won or lost. ``clause`` names where it stands: a house-rule row, or A4."""

    box: int
    what: str
    cards: tuple[str, ...]
    total: int | None
    why: str
    clause: str
    net_chips: int


@dataclass(frozen=True)
class BoxTotal:
    """What a box won or lost in all, and the parts of it."""

    box: int
    net_chips: int
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    others: tuple[tuple[str, int], ...]


def settlement(replay: Replay) -> list[BoxTotal]:
    """Box by box what was won and lost, hand by hand, and the clause that decided it."""
    return [_box_total(replay, int(box)) for box in replay.answer["net"]]


def _box_total(replay: Replay, number: int) -> BoxTotal:
    answer, play = replay.answer, replay.play
    box = next((each for each in play.boxes if each.seat == number), None) if play else None
    lines = tuple(_lines(replay, play, box)) if play is not None and box is not None else ()
    on_line = answer.get("line_chip", {}).get(str(number))
    notes = []
    if box is None:
        notes.append(_("Not dealt to: the box sits the round out and the bet goes back."))
    if on_line:
        notes.append(_("%(chips)s on the line for the next hand (row 23).") % {"chips": chips(on_line)})
    others = [(each["name"], each["net"]) for each in answer.get("players", {}).get(str(number), ())]
    return BoxTotal(number, answer["net"][str(number)], lines, tuple(notes), tuple(others))


def _lines(replay: Replay, play: Play, box: Box) -> Iterator[Line]:
    """Hands first, then what went beside them; together they are the net of the box."""
    answer, seat = replay.answer, str(box.seat)
    score = dealer_score(play)
    found = answer["hands"][seat]
    for at, (hand, settled) in enumerate(zip(box.hands, found, strict=True)):
        what = _("Hand %(n)s") % {"n": at + 1} if len(found) > 1 else _("Hand")
        why, clause = hand_why(play, box, hand, score, left=at == 0)
        yield Line(box.seat, what, tuple(settled["cards"]), hand.total, why, clause, settled["net"])
    insured = answer.get("insurance", {}).get(seat)
    if insured is not None:
        won = _("The dealer has blackjack: insurance pays 2:1.")
        why = won if insured > 0 else _("The dealer has no blackjack: insurance is lost.")
        yield Line(box.seat, _("Insurance"), (), None, why, "A4", insured)
    side_bets = answer.get("side_bets", {}).get(seat)
    if side_bets is not None:
        why = _("Twins and Crazy Twins, won and lost together.")
        yield Line(box.seat, _("Side bets"), (), None, why, "24", side_bets)
    if box.line_chip:
        yield _line_chip(
            replay, box, sum(each["net"] for each in found), int(insured or 0) + int(side_bets or 0)
        )


def _line_chip(replay: Replay, box: Box, hands_net: int, beside_net: int) -> Line:
    """The chip that lay on the line: what is left of the net of the box is what it brought."""
    won = replay.answer["net"][str(box.seat)] - hands_net - beside_net
    if won:
        why = _("The chip on the line goes to the player.")
    elif str(box.seat) in replay.answer.get("line_chip", {}) and hands_net == 0:
        why = _("A push: the chip stays on the line.")
    else:
        why = _("The chip on the line goes to the house.")
    return Line(box.seat, _("Chip on the line"), (), None, why, "23", won)


def hand_why(play: Play, box: Box, hand: Hand, score: int, *, left: bool) -> tuple[str, str]:
    """Why a hand of the owner ended as it did, and the clause: house-rule rows by number, A1 to A8."""
    rules = play.rules
    pays = {"won": rules.natural_pays[0], "bet": rules.natural_pays[1]}
    state = SURRENDERED if hand.given_up else EVEN_MONEY if box.even_money else hand.state
    if state == BUST:
        return _("Over 21 loses at once."), "A4"
    if state == PAID:
        return _natural_why(rules, hand.bet, _("Blackjack, paid at once at %(won)s:%(bet)s.") % pays)
    if state == NATURAL:
        if play.dealer_natural:
            return _("Blackjack against blackjack is a push."), "A4"
        late = _("Blackjack, paid at %(won)s:%(bet)s after the dealer's hand.") % pays
        return _natural_why(rules, hand.bet, late)
    if state == EVEN_MONEY:
        return _("Even money: a blackjack against an ace, paid 1:1."), "11"
    if state == SURRENDERED:
        rounded = rules.surrender_loss(hand.bet) * 2 != hand.bet
        why = _("Surrendered: half of the bet is lost.")
        return (f"{why} {_rounded(rules)}", "20, 23") if rounded else (why, "20")
    return _against_dealer(play, hand, score, left)


def _natural_why(rules: HouseRules, bet_chips: int, why: str) -> tuple[str, str]:
    """Why a natural is paid what it is; an odd half on the line (row 23) is no rounding."""
    over, under = rules.natural_pays
    if rules.line_chip or rules.natural_pay(bet_chips) * under == bet_chips * over:
        return why, "6, 7"
    return f"{why} {_rounded(rules)}", "6, 7, 23"


def _rounded(rules: HouseRules) -> str:
    """For whom a half that is not whole chips was rounded (row 23, A7)."""
    if rules.halves == "house":
        return _("The half is rounded for the house.")
    return _("The half is rounded for the player.")


def _against_dealer(play: Play, hand: Hand, score: int, left: bool) -> tuple[str, str]:
    if play.dealer_natural:
        if play.looked:
            return _("The dealer's blackjack beats every other hand."), "A4"
        if play.rules.late_natural == "original":
            if not left or hand.extra:
                return _("Only the original bet is lost to a blackjack found after play."), "22"
            return _("The original bet is lost to a blackjack found after play."), "22"
        return _("The dealer's blackjack, found after play, takes every bet."), "22"
    said = {"mine": hand.total, "dealers": score}
    if score == 0:
        return _("%(mine)s stands and the dealer is over 21: it wins.") % said, "A4"
    if hand.total == score:
        return _("%(mine)s against %(dealers)s is a push.") % said, "A4"
    if hand.total > score:
        return _("%(mine)s beats %(dealers)s.") % said, "A4"
    return _("%(mine)s loses to %(dealers)s.") % said, "A4"


# -- The felt -----------------------------------------------------------------------------------------------


def hand_shown(hand: HandPicture, *, active: bool) -> dict[str, Any]:
    """A hand as the felt shows it: cards, total (soft while it can change), and what became of it."""
    words = {"bust": _("bust"), "surrendered": _("given up")}
    soft = _("soft %(n)s") % {"n": hand.total} if hand.soft and hand.state in ("waiting", "playing") else ""
    return {
        "cards": hand.cards,
        "total": soft or hand.total,
        "label": words.get(hand.state, ""),
        "active": active,
    }


def box_label(picture: BoxPicture, total: BoxTotal | None) -> tuple[str, str]:
    """The pill of a box: what it won, or how it stands."""
    if total is not None:
        net = total.net_chips
        return (signed(net) if net else _("Push")), "gain" if net > 0 else "loss" if net < 0 else ""
    if picture.not_dealt:
        return _("Not dealt to"), ""
    if len(picture.hands) == 1:
        words = {
            "stood": (_("Stands"), ""),
            "bust": (_("Bust"), "loss"),
            "surrendered": (_("Surrender"), ""),
            "natural": (_("Blackjack"), "brass"),
            "paid": (_("Blackjack, paid"), "brass"),
            "even_money": (_("Even money"), "brass"),
        }
        if picture.hands[0].state in words:
            return words[picture.hands[0].state]
    if picture.insurance_chips:
        return _("Insured %(chips)s") % {"chips": chips(picture.insurance_chips)}, ""
    return "", ""
