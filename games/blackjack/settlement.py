"""The payments of a finished round: rows 6, 11, 20 to 24 and A4, in whole chips.

``net`` is always the change of a stack, bet included: −200 for a lost 200, +300 for a natural.
"""

from typing import Any

from games.blackjack.boxes import (
    BUST,
    EVEN_MONEY,
    NATURAL,
    PAID,
    SURRENDERED,
    Account,
    Box,
    Hand,
    Player,
    Stake,
)
from games.blackjack.cards import VALUE
from games.blackjack.play import Play
from games.blackjack.rules import HouseRules

INSURANCE_PAYS = 2
TWINS_PAY, TWINS_JOKER_PAY = 11, 200
CRAZY_TWINS_PAY, CRAZY_TWINS_JOKER_PAY = 22, 400
DEALER_NATURAL_SCORE = 22


def natural_pay(rules: HouseRules, bet_chips: int) -> tuple[int, int]:
    """Return the win of a natural, and the chip on the line for an odd half (rows 6 and 23)."""
    won = rules.natural_pay(bet_chips)
    over, under = rules.natural_pays
    return won, rules.chip_chips if rules.line_chip and won * under != bet_chips * over else 0


def dealer_score(play: Play) -> int:
    """Return the score that a standing hand has to beat: the dealer's total, 0 if bust, above any 21 for a
    natural (A4)."""
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


def hand_net(rules: HouseRules, hand: Hand, score: int, *, left: bool) -> int:
    """Return the change of the owner's stack by one hand, against a dealer's ``score``.

    ``left``: the hand is the leftmost of its box, with the original bet (row 22).
    """
    return _bet_net(rules, hand, hand.state, hand.bet, hand.extra, score, left)


def _bet_net(
    rules: HouseRules, hand: Hand, state: int, bet_chips: int, extra_chips: int, score: int, left: bool
) -> int:
    """Return the change of a stack by a bet on ``hand`` in ``state``; ``extra_chips`` is its double."""
    staked = bet_chips + extra_chips
    if state == BUST:
        return -staked
    if state == PAID or (state == NATURAL and score != DEALER_NATURAL_SCORE):
        return natural_pay(rules, bet_chips)[0]
    if state == NATURAL:
        return 0
    if state == SURRENDERED:
        return -rules.surrender_loss(bet_chips)
    if state == EVEN_MONEY:
        return bet_chips
    if score == DEALER_NATURAL_SCORE and rules.late_natural == "original":
        return -bet_chips if left else 0
    total = hand.hard + 10 if hand.ace and hand.hard <= 11 else hand.hard
    return staked if total > score else -staked if total < score else 0


def side_bets_net(box: Box, account: Account, up: str, hands_net: int) -> int:
    """Return the net of Twins and Crazy Twins of ``account`` (row 24); ``hands_net`` is the net of the
    owner's hands."""
    first, second = box.dealt
    net = 0
    for kind, chips in account.side_bets.items():
        if kind == "twins":
            won, pays, joker_pays = first[0] == second[0], TWINS_PAY, TWINS_JOKER_PAY
        else:
            won = first[0] == up[0] and hands_net >= 0
            pays, joker_pays = CRAZY_TWINS_PAY, CRAZY_TWINS_JOKER_PAY
        net += chips * (joker_pays if box.joker else pays) if won else -chips
    return net


def line_chip_settle(
    rules: HouseRules, box: Box, account: Account, hands_net: int, score: int
) -> tuple[int, int]:
    """Return what the chip from the last hand adds to the stack, and the chip on the line now (row 23)."""
    first = box.hands[0]
    newly = 0
    if not account.even_money and (
        first.state == PAID or (first.state == NATURAL and score != DEALER_NATURAL_SCORE)
    ):
        newly = natural_pay(rules, account.bet)[1]
    push = rules.line_chip_push
    if hands_net > 0 or (hands_net == 0 and push == "player"):
        return account.line_chip, newly
    return 0, newly + (account.line_chip if hands_net == 0 and push == "stays" else 0)


# -- shared boxes (row 25) ---------------------------------------------------------------------------


def _owner_state(box: Box, hand: Hand) -> int:
    """Return the state of the owner's bet on a shared hand; the owner may have left the hand to the
    others."""
    if hand.given_up:
        return SURRENDERED
    return EVEN_MONEY if box.even_money else hand.state


def _stake_net(rules: HouseRules, hand: Hand, stake: Stake, score: int, left: bool) -> int:
    """Return the change of the stack of a player who shares ``hand``."""
    state = hand.state
    if stake.out:
        state = SURRENDERED
    elif stake.player.even_money:
        state = EVEN_MONEY
    return _bet_net(rules, hand, state, stake.bet, stake.extra, score, left)


def _player_answer(play: Play, box: Box, player: Player, score: int, owner_net: int) -> dict[str, Any]:
    """Return the part of the answer about a player who shares ``box``."""
    rules = play.rules
    hands_net = sum(
        _stake_net(rules, hand, stake, score, at == 0)
        for at, hand in enumerate(box.hands)
        for stake in hand.stakes
        if stake.player is player
    )
    settled: dict[str, Any] = {"name": player.name, "net": hands_net}
    if player.insurance:
        settled["insurance"] = player.insurance * INSURANCE_PAYS if play.dealer_natural else -player.insurance
        settled["net"] += settled["insurance"]
    if player.side_bets:
        settled["side_bets"] = side_bets_net(box, player, play.dealer[0], owner_net)
        settled["net"] += settled["side_bets"]
    if rules.line_chip:
        won_chip, left = line_chip_settle(rules, box, player, hands_net, score)
        settled["net"] += won_chip
        if left:
            settled["line_chip"] = left
    return settled


# -- the answer --------------------------------------------------------------------------------------


def answer_make(play: Play) -> dict[str, Any]:
    """Return the answer to a finished round, as documented for the hand record, without ``id``."""
    rules = play.rules
    score = dealer_score(play)
    nets: dict[str, int] = {}
    hands: dict[str, list[dict[str, Any]]] = {}
    insurance: dict[str, int] = {}
    side_bets: dict[str, int] = {}
    line_chip: dict[str, int] = {}
    players: dict[str, list[dict[str, Any]]] = {}
    for box in play.boxes:
        seat = str(box.seat)
        net = 0
        shown = hands[seat] = []
        left = True
        for hand in box.hands:
            if box.players:
                won = _bet_net(rules, hand, _owner_state(box, hand), hand.bet, hand.extra, score, left)
            else:
                won = hand_net(rules, hand, score, left=left)
            left = False
            net += won
            shown.append({"cards": hand.cards, "net": won})
        hands_net = net
        if box.insurance:
            insurance[seat] = box.insurance * INSURANCE_PAYS if play.dealer_natural else -box.insurance
            net += insurance[seat]
        if box.side_bets:
            side_bets[seat] = side_bets_net(box, box, play.dealer[0], hands_net)
            net += side_bets[seat]
        if rules.line_chip:
            won_chip, on_line = line_chip_settle(rules, box, box, hands_net, score)
            net += won_chip
            if on_line:
                line_chip[seat] = on_line
        nets[seat] = net
        if box.players:
            players[seat] = [
                {"name": box.name, "net": net},
                *(_player_answer(play, box, player, score, hands_net) for player in box.players),
            ]
    answer: dict[str, Any] = {"net": nets, "hands": hands, "dealer": play.dealer}
    for field, found in (
        ("insurance", insurance),
        ("side_bets", side_bets),
        ("line_chip", line_chip),
        ("players", players),
    ):
        if found:
            answer[field] = found
    return answer
