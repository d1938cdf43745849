"""Record a deal by its results: the outcome of each hand, without its cards.

    results_settle(rules, {1: 200}, {1: 900}, {1: {"hands": [{"result": "win", "doubled": 200}]}})
    # {"net": {"1": 400}, "hands": {"1": [400]}, "put_up": {"1": 400}, "dealer_natural": None}

Nothing can show that 19 beat 18 here, but many impossible results are found: a doubled natural, a fifth hand,
insurance over half the bet, chips that were not there, a hand that beat a dealer's natural.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.blackjack.boxes import Box
from games.blackjack.record import boxes_of
from games.blackjack.rules import HouseRules
from games.blackjack.settlement import INSURANCE_PAYS, natural_pay
from ground.refused import Refused
from ground.words import shown

NOT_DEALT = "not_dealt"
RESULTS = ("lose", "push", "win", "natural", "even_money", "surrender", NOT_DEALT)
TEN_VALUES_PER_DECK = 16


@dataclass(frozen=True, slots=True)
class HandResult:
    """One hand: one of ``RESULTS``, and the chips that doubled it (0: not doubled)."""

    result: str
    doubled_chips: int = 0


@dataclass(frozen=True, slots=True)
class BoxResult:
    """One box: its hands left to right, its insurance in chips and whether it was won."""

    hands: tuple[HandResult, ...]
    insurance_chips: int = 0
    insurance_won: bool | None = None


def results_settle(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    outcomes: Mapping[int, Mapping[str, Any]],
    *,
    line_chips: Mapping[int, int] | None = None,
) -> dict[str, Any]:
    """Return the net chips per box from the outcome of each of its hands.

    ``outcomes``: box → ``{"hands": [{"result": one of RESULTS, "doubled": chips (0 or left out: not
    doubled)}, …], "insurance": chips, "insurance_won": bool}``; several hands are a split box.

    Returns ``net`` and ``put_up`` by box, ``hands`` (net of each), ``dealer_natural`` (None: unknown), and
    ``insurance`` and ``line_chip`` if there are any. A double that was returned after a late natural (row 22,
    ``original``) is not entered as doubled; a returned split bet is a push. Raises Refused with the record's
    codes, or ``results_missing``, ``bad_result``, ``result_impossible``; then nothing is settled.
    """
    boxes = boxes_of(_opening(bets, stacks, line_chips), rules)
    results = {box.seat: _result_of(box, outcomes) for box in boxes}
    for seat in outcomes:
        if seat not in results:
            raise Refused("bad_seat", "Box %(seat)s has a result but no bet.", seat=shown(seat))
    if all(result.hands[0].result == NOT_DEALT for result in results.values()):
        raise Refused("result_impossible", "No box was dealt to; the hand is void.")
    dealer_natural = _dealer_natural(results)
    for box in boxes:
        _verify_box(rules, box, results[box.seat])
        _verify_against_dealer(rules, box.seat, results, dealer_natural)
    return _settled(rules, boxes, results, dealer_natural)


def _opening(
    bets: Mapping[int, int], stacks: Mapping[int, int] | None, line_chips: Mapping[int, int] | None
) -> dict[str, Any]:
    fields = {"bets": bets, "stacks": stacks, "line_chips": line_chips}
    return {name: {str(s): v for s, v in by.items()} for name, by in fields.items() if by is not None}


# -- reading -----------------------------------------------------------------------------------------


def _result_of(box: Box, outcomes: Mapping[int, Mapping[str, Any]]) -> BoxResult:
    """Return the entered results of ``box``, checked for shape."""
    if box.seat not in outcomes:
        raise Refused(
            "results_missing", "Box %(seat)s has bet %(bet)s but has no result.", seat=box.seat, bet=box.bet
        )
    entered = outcomes[box.seat]
    hands = entered.get("hands") if isinstance(entered, Mapping) else None
    if not isinstance(hands, list | tuple) or not hands:
        raise Refused("bad_result", "Box %(seat)s needs the result of at least one hand.", seat=box.seat)
    insurance = entered.get("insurance", 0)
    won = entered.get("insurance_won")
    if type(insurance) is not int or not (won is None or type(won) is bool):
        raise Refused("bad_result", "Box %(seat)s: insurance is whole chips, and won or lost.", seat=box.seat)
    if insurance and won is None:
        raise Refused("bad_result", "Box %(seat)s: say whether the insurance was won or lost.", seat=box.seat)
    return BoxResult(tuple(_hand_of(box, hand) for hand in hands), insurance, won if insurance else None)


def _hand_of(box: Box, entered: object) -> HandResult:
    if not isinstance(entered, Mapping) or entered.get("result") not in RESULTS:
        raise Refused(
            "bad_result",
            "Box %(seat)s: %(entered)s is no result; choose %(results)s.",
            seat=box.seat,
            entered=shown(entered),
            results=", ".join(RESULTS),
        )
    doubled = entered.get("doubled", 0)
    if type(doubled) is not int:
        raise Refused(
            "bad_result",
            "Box %(seat)s doubles for %(doubled)s, which is not whole chips.",
            seat=box.seat,
            doubled=shown(doubled),
        )
    return HandResult(entered["result"], doubled)


def _dealer_natural(results: Mapping[int, BoxResult]) -> bool | None:
    """Return whether the dealer had a natural, as far as insurance shows it; all insurance is won or all is
    lost."""
    won = {result.insurance_won for result in results.values() if result.insurance_won is not None}
    if len(won) > 1:
        raise Refused(
            "result_impossible", "One box won its insurance and another lost it: all win or all lose."
        )
    return won.pop() if won else None


# -- possible results --------------------------------------------------------------------------------


def _verify_box(rules: HouseRules, box: Box, result: BoxResult) -> None:
    """Check one box by itself (rows 8 to 20 and A6)."""
    hands = result.hands
    most = hands_at_most(rules)
    if len(hands) > most:
        raise Refused(
            "split_not_allowed",
            "Box %(seat)s has %(n)s hands; %(most)s is the most.",
            seat=box.seat,
            n=len(hands),
            most=most,
        )
    for hand in hands:
        _verify_hand(rules, box, hand, split=len(hands) > 1)
    _verify_insurance(rules, box, result)
    out = _most_out(rules, box, result)
    if not box.has(out - box.put_up):
        raise Refused(
            "not_enough_chips",
            "Box %(seat)s has %(stack)s chips and cannot have put up %(out)s.",
            seat=box.seat,
            stack=box.stack,
            out=out,
        )


def _most_out(rules: HouseRules, box: Box, result: BoxResult) -> int:
    """Return the largest number of chips out at a time, in the order of play that needs the fewest.

    A6: hands are played left to right, each splits as late as possible, and half of a surrendered hand can be
    put up again for later hands.
    """
    back = doubled = 0
    most = box.bet
    for at, hand in enumerate(result.hands):
        doubled += hand.doubled_chips
        dealt = min(at + 2, len(result.hands))
        handed_back = box.bet - rules.surrender_loss(box.bet) if hand.result == "surrender" else 0
        # Row 10: if insurance stays open, it may come after the surrender of the only hand.
        insured_last = len(result.hands) == 1 and rules.insurance_closes == "third_card"
        back_before = back + handed_back if insured_last else back
        most = max(most, box.bet * dealt + doubled + result.insurance_chips - back_before)
        back += handed_back
    return most


def _verify_hand(rules: HouseRules, box: Box, hand: HandResult, *, split: bool) -> None:
    """Check that the result of one hand of ``box`` is possible under the rules."""
    at = f"Box {box.seat}"
    if hand.result == NOT_DEALT:
        if NOT_DEALT not in rules.irregularities:
            raise Refused("result_impossible", "%(at)s: this sheet has no box that is not dealt to.", at=at)
        if split or hand.doubled_chips:
            raise Refused("result_impossible", "%(at)s was not dealt to and has no hands.", at=at)
    if hand.doubled_chips:
        _verify_doubled(rules, box, hand, split=split)
    none_after_split = split and not (hand.result == "natural" and rules.split_natural)
    if hand.result in ("natural", "even_money") and (none_after_split or hand.doubled_chips):
        raise Refused(
            "result_impossible", "%(at)s: a blackjack is two cards, neither split nor doubled.", at=at
        )
    if hand.result == "even_money" and not rules.even_money:
        raise Refused("even_money_not_offered", "%(at)s: even money is not offered here.", at=at)
    if hand.result == "surrender":
        if rules.surrender == "none" or (split and not rules.surrender_after_split):
            when = "at this table" if rules.surrender == "none" else "after a split"
            raise Refused(
                "surrender_not_allowed", "%(at)s: there is no surrender %(when)s.", at=at, when=when
            )
        if hand.doubled_chips:
            raise Refused("surrender_not_allowed", "%(at)s: a doubled hand is not surrendered.", at=at)


def _verify_doubled(rules: HouseRules, box: Box, hand: HandResult, *, split: bool) -> None:
    if split and not rules.double_after_split:
        raise Refused(
            "double_not_allowed", "Box %(seat)s: no double after a split at this table.", seat=box.seat
        )
    least = rules.chip_chips if rules.double_amount == "up_to" else box.bet
    if not least <= hand.doubled_chips <= box.bet or hand.doubled_chips % rules.chip_chips:
        raise Refused(
            "double_amount",
            "Box %(seat)s cannot double a bet of %(bet)s for %(doubled_chips)s.",
            seat=box.seat,
            bet=box.bet,
            doubled_chips=shown(hand.doubled_chips),
        )


def _verify_insurance(rules: HouseRules, box: Box, result: BoxResult) -> None:
    """Rows 8, 9 and 11."""
    chips = result.insurance_chips
    if not chips:
        return
    low, high, step = rules.insurance_range(box.bet)
    if not low <= chips <= high or chips % step:
        raise Refused(
            "insurance_amount",
            "Box %(seat)s cannot insure a bet of %(bet)s for %(chips)s.",
            seat=box.seat,
            bet=box.bet,
            chips=shown(chips),
        )
    first = result.hands[0].result
    if first == NOT_DEALT:
        raise Refused(
            "insurance_not_offered", "Box %(seat)s was not dealt to and has nothing to insure.", seat=box.seat
        )
    if first == "even_money" and rules.even_money_returns_insurance:
        raise Refused(
            "insurance_not_offered", "Box %(seat)s took even money; its insurance is returned.", seat=box.seat
        )
    if first == "natural" and not rules.natural_may_insure:
        raise Refused(
            "insurance_not_offered", "Box %(seat)s has a blackjack, which may not be insured.", seat=box.seat
        )


def _verify_against_dealer(
    rules: HouseRules, seat: int, results: Mapping[int, BoxResult], dealer_natural: bool | None
) -> None:
    """Check that the result of ``seat`` is possible against the dealer's ace or natural (A4, row 22)."""
    hands = results[seat].hands
    ace = dealer_natural is not None or any(r.hands[0].result == "even_money" for r in results.values())
    if ace and rules.surrender == "not_against_ace" and any(hand.result == "surrender" for hand in hands):
        raise Refused("surrender_not_allowed", "Box %(seat)s: no surrender against an ace.", seat=seat)
    if not dealer_natural:
        return
    for hand in hands:
        if hand.result not in ("lose", "push", "even_money", NOT_DEALT):
            raise Refused(
                "result_impossible",
                "Box %(seat)s: nobody's %(result)s stands against a blackjack.",
                seat=seat,
                result=hand.result,
            )
        if hand.result == "push" and (hand.doubled_chips or not _may_push_late(rules, len(hands))):
            raise Refused(
                "result_impossible", "Box %(seat)s: only a blackjack pushes against a blackjack.", seat=seat
            )
        if hand.result == "push" and results[seat].insurance_chips and not rules.natural_may_insure:
            raise Refused(
                "insurance_not_offered", "Box %(seat)s has a blackjack, which may not be insured.", seat=seat
            )
    if "A" in rules.looks_under and (len(hands) > 1 or hands[0].doubled_chips):
        raise Refused(
            "result_impossible",
            "Box %(seat)s: the dealer's blackjack was seen before anyone played.",
            seat=seat,
        )


def _may_push_late(rules: HouseRules, hands: int) -> bool:
    """Whether one of ``hands`` hands can push against a dealer's natural (rows 19 and 22)."""
    return hands == 1 or rules.split_natural or rules.late_natural == "original"


# -- net chips ---------------------------------------------------------------------------------------


def _settled(
    rules: HouseRules, boxes: list[Box], results: Mapping[int, BoxResult], dealer_natural: bool | None
) -> dict[str, Any]:
    settled: dict[str, Any] = {"net": {}, "hands": {}, "put_up": {}, "dealer_natural": dealer_natural}
    for box in boxes:
        seat = str(box.seat)
        result = results[box.seat]
        nets = [_hand_net(rules, box.bet, hand) for hand in result.hands]
        net = sum(nets)
        settled["hands"][seat] = nets
        settled["put_up"][seat] = (
            box.bet * len(nets) + sum(hand.doubled_chips for hand in result.hands) + result.insurance_chips
        )
        on_line = _line_chip(rules, box, result, net)
        dealt = result.hands[0].result != NOT_DEALT
        net += box.line_chip if net > 0 or (dealt and net == 0 and rules.line_chip_push == "player") else 0
        if result.insurance_chips:
            won = result.insurance_chips * INSURANCE_PAYS if result.insurance_won else -result.insurance_chips
            settled.setdefault("insurance", {})[seat] = won
            net += won
        if on_line:
            settled.setdefault("line_chip", {})[seat] = on_line
        settled["net"][seat] = net
    return settled


def _hand_net(rules: HouseRules, bet_chips: int, hand: HandResult) -> int:
    """Return the change of the stack by one hand."""
    staked = bet_chips + hand.doubled_chips
    match hand.result:
        case "win":
            return staked
        case "lose":
            return -staked
        case "natural":
            return natural_pay(rules, bet_chips)[0]
        case "even_money":
            return bet_chips
        case "surrender":
            return -rules.surrender_loss(bet_chips)
        case _:
            return 0


def _line_chip(rules: HouseRules, box: Box, result: BoxResult, hands_net: int) -> int:
    """Return the chip on the line after the deal (row 23)."""
    if result.hands[0].result == NOT_DEALT:
        return box.line_chip
    newly = natural_pay(rules, box.bet)[1] if result.hands[0].result == "natural" else 0
    return newly + (box.line_chip if hands_net == 0 and rules.line_chip_push == "stays" else 0)


# -- bounds ------------------------------------------------------------------------------------------


def hands_at_most(rules: HouseRules) -> int:
    """Return the most hands of a box; if the sheet sets no limit, the number of ten-values in the shoe."""
    return rules.max_hands if rules.max_hands is not None else TEN_VALUES_PER_DECK * rules.decks


def net_bounds(rules: HouseRules, bet_chips: int, stack_chips: int | None = None) -> tuple[int, int]:
    """Return the least and the most that a box can win in one deal with this bet: (below 0, above 0).

    A count of chips outside these bounds is impossible, apart from side bets. Without ``stack_chips`` (before
    the bet), A6 sets no bound.
    """
    hands = hands_at_most(rules)
    staked = bet_chips * (hands * 2 if rules.double_after_split else max(hands, 2))
    insurance = max(rules.insurance_range(bet_chips)[1], 0)
    lost = staked + insurance
    if stack_chips is not None:
        lost = min(lost, stack_chips)
        unit = rules.chip_chips if rules.double_amount == "up_to" else bet_chips
        staked = min(staked, bet_chips + (stack_chips - bet_chips) // unit * unit)
    on_line = rules.chip_chips if rules.line_chip else 0
    naturals = natural_pay(rules, bet_chips)[0] * (hands if rules.split_natural else 1)
    return -lost, max(staked, naturals) + on_line
