"""What a finished round pays: rows 6, 11, 20 to 24 and A4, in whole chips.

``net`` is always what a stack changes by, bet included: −200 for a lost 200, +300 for a natural.
"""

from typing import Any

from tables.engine.cards import VALUE
from tables.engine.play import BUST, EVEN_MONEY, NATURAL, PAID, SURRENDERED, Box, Hand, Play
from tables.engine.rules import HouseRules

INSURANCE_PAYS = 2
TWINS_PAY, TWINS_JOKER_PAY = 11, 200
CRAZY_TWINS_PAY, CRAZY_TWINS_JOKER_PAY = 22, 400
DEALER_NATURAL_SCORE = 22


def natural_pay(rules: HouseRules, bet_chips: int) -> tuple[int, int]:
    """What a natural wins, and the chip on the line for an odd half (rows 6 and 23)."""
    over, under = rules.natural_pays
    won = bet_chips * over // under
    if not rules.line_chip:
        return won, 0
    chip = rules.chip_chips
    whole = won // chip * chip
    return whole, chip if whole * under != bet_chips * over else 0


def surrender_loss(rules: HouseRules, bet_chips: int) -> int:
    """Half the bet; a half that is not whole chips is rounded for the player (row 23)."""
    return bet_chips // 2 // rules.chip_chips * rules.chip_chips


def dealer_score(play: Play) -> int:
    """What a standing hand has to beat: the dealer's total, 0 if over 21, above any 21 for a natural (A4)."""
    if play.dealer_natural:
        return DEALER_NATURAL_SCORE
    hard, ace = 0, False
    for card in play.dealer:
        value = VALUE[card]
        hard += value
        ace = ace or value == 1
    if hard > 21:
        return 0
    return hard + 10 if ace and hard <= 11 else hard


def hand_net(rules: HouseRules, hand: Hand, score: int) -> int:
    """What one hand changes the stack by, against a dealer's ``score``."""
    state = hand.state
    bet = hand.bet + hand.extra
    if state == BUST:
        return -bet
    if state == PAID or (state == NATURAL and score != DEALER_NATURAL_SCORE):
        return natural_pay(rules, hand.bet)[0]
    if state == NATURAL:
        return 0
    if state == SURRENDERED:
        return -surrender_loss(rules, hand.bet)
    if state == EVEN_MONEY:
        return hand.bet
    total = hand.hard + 10 if hand.ace and hand.hard <= 11 else hand.hard
    return bet if total > score else -bet if total < score else 0


def side_bets_net(box: Box, up: str, hands_net: int) -> int:
    """Twins and Crazy Twins of one box (row 24); ``hands_net`` is what its hands won or lost."""
    first, second = box.dealt
    net = 0
    for kind, chips in box.side_bets.items():
        if kind == "twins":
            won, pays, joker_pays = first[0] == second[0], TWINS_PAY, TWINS_JOKER_PAY
        else:
            won = first[0] == up[0] and hands_net >= 0
            pays, joker_pays = CRAZY_TWINS_PAY, CRAZY_TWINS_JOKER_PAY
        net += chips * (joker_pays if box.joker else pays) if won else -chips
    return net


def line_chip_settle(rules: HouseRules, box: Box, hands_net: int, score: int) -> tuple[int, int]:
    """What the chip from the last hand adds to the stack, and what lies on the line now (row 23)."""
    first = box.hands[0]
    newly = 0
    if first.state == PAID or (first.state == NATURAL and score != DEALER_NATURAL_SCORE):
        newly = natural_pay(rules, first.bet)[1]
    if hands_net > 0:
        return box.line_chip, newly
    return 0, newly + (box.line_chip if hands_net == 0 else 0)


def answer_make(play: Play) -> dict[str, Any]:
    """The answer to a finished round, as the hand record's document words it, without ``id``."""
    rules = play.rules
    score = dealer_score(play)
    nets: dict[str, int] = {}
    hands: dict[str, list[dict[str, Any]]] = {}
    insurance: dict[str, int] = {}
    side_bets: dict[str, int] = {}
    line_chip: dict[str, int] = {}
    for box in play.boxes:
        seat = str(box.seat)
        net = 0
        shown = hands[seat] = []
        for hand in box.hands:
            won = hand_net(rules, hand, score)
            net += won
            shown.append({"cards": hand.cards, "net": won})
        hands_net = net
        if box.insurance:
            insurance[seat] = box.insurance * INSURANCE_PAYS if play.dealer_natural else -box.insurance
            net += insurance[seat]
        if box.side_bets:
            side_bets[seat] = side_bets_net(box, play.dealer[0], hands_net)
            net += side_bets[seat]
        if rules.line_chip:
            won_chip, left = line_chip_settle(rules, box, hands_net, score)
            net += won_chip
            if left:
                line_chip[seat] = left
        nets[seat] = net
    answer: dict[str, Any] = {"net": nets, "hands": hands, "dealer": play.dealer}
    if insurance:
        answer["insurance"] = insurance
    if side_bets:
        answer["side_bets"] = side_bets
    if line_chip:
        answer["line_chip"] = line_chip
    return answer
