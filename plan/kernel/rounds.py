"""One round of play at one box to seven, compiled: A1 to A6 and rows 3 to 23 of the house rules.

The counterpart of ``games.blackjack.play`` and ``settlement``, which stay the authority: a round played here
and written down by its trace is settled there alike. Side bets, shared boxes and irregularities are not
played. If ``trace`` or ``tally`` is None the compiler leaves out the code that fills it.
"""

from __future__ import annotations

import numpy as np

from plan.blackjack.playbook import Act
from plan.blackjack.states import ACE
from plan.kernel.jit import jit
from plan.kernel.layout import DRAWS, FOUND, PAYS, Action, Rule

LEFTMOST = 8
"""A flag of a hand to be settled: the first hand of its box."""

U = np.uint64  # an index that cannot be negative needs no comparison

STAND, HIT, DOUBLE, SPLIT = int(Act.STAND), int(Act.HIT), int(Act.DOUBLE), int(Act.SPLIT)
SURRENDER, NATURAL, BY_ITSELF = int(Act.SURRENDER), int(Act.NATURAL), int(Act.BY_ITSELF)

HOLE = int(Rule.HOLE)
NATURAL_OVER, NATURAL_UNDER = int(Rule.NATURAL_OVER), int(Rule.NATURAL_UNDER)
INSURES_HALF, INSURES_LEAST = int(Rule.INSURES_HALF), int(Rule.INSURES_LEAST)
NATURAL_INSURES, EVEN_MONEY = int(Rule.NATURAL_INSURES), int(Rule.EVEN_MONEY)
RETURNS_INSURANCE, DOUBLES_LESS = int(Rule.RETURNS_INSURANCE), int(Rule.DOUBLES_LESS)
BY_RANK, MOST_HANDS, ACES_STAND = int(Rule.BY_RANK), int(Rule.MOST_HANDS), int(Rule.ACES_STAND)
BOTH_AT_ONCE, DRAWS_ON_21, ORIGINAL_ONLY = (
    int(Rule.BOTH_AT_ONCE),
    int(Rule.DRAWS_ON_21),
    int(Rule.ORIGINAL_ONLY),
)
LINE, LINE_PUSH, CHIP = int(Rule.LINE), int(Rule.LINE_PUSH), int(Rule.CHIP)

TOLD_STAND, TOLD_HIT, TOLD_DOUBLE, TOLD_SPLIT = 0, 1, 2, 3
TOLD_SURRENDER, TOLD_INSURANCE, TOLD_EVEN_MONEY = 4, 5, 6
assert [int(each) for each in Action] == list(range(7))

DEALERS, DEALER_NATURAL, PUSHED, PAID, LOOKED = 32, 22, 16, 17, 18
"""Indices of a tally: the dealer's results by first card and total, naturals pushed, paid, and bets lost to a
checked natural."""

PAIRS, WISHES, LATER = 256, 11 * 256, 11 * 64


# -- cards and hands -------------------------------------------------------------------------------------


@jit
def value(felt, at):
    """Return the points of a card, an ace as 1 (A2)."""
    return np.int64(felt.shoe[U(at)]) & 15


@jit
def added(state, points):
    """Return the state of the hand after one more card."""
    return (state + points) | (ACE if points == 1 else 0)


@jit
def note(trace, box, action, chips):
    """Record a decision."""
    at = trace.count
    trace.rows[at, 0], trace.rows[at, 1], trace.rows[at, 2] = box, action, chips
    trace.count = at + 1


@jit
def natural_pay(rule, bet):
    """Return the win of a natural in chips (rows 6 and 23)."""
    won = bet * rule[NATURAL_OVER] // rule[NATURAL_UNDER]
    return won // rule[CHIP] * rule[CHIP] if rule[LINE] else won


@jit
def surrender_loss(rule, bet):
    """Return the loss of a surrender in chips (rows 20 and 23)."""
    return bet // 2 // rule[CHIP] * rule[CHIP]


@jit
def stored(felt, hands, box, total, stake, at):
    """Store a hand to be settled, even if it is bust and loses to any dealer: a branch on cards costs more
    than it saves. ``at``: its index in the box; the original bet is on the leftmost hand (row 22)."""
    felt.hand[U(hands)] = ((total - (total == 0)) << 16) | box | (LEFTMOST if at == 0 else 0)
    felt.stake[U(hands)] = stake
    return hands + 1


# -- insurance (rows 8 to 11) ----------------------------------------------------------------------------


@jit
def insurance_most(rule, bet, free):
    """Return the largest insurance of a bet in chips, 0 if there is none (row 8, A6)."""
    if rule[INSURES_HALF]:
        half = bet // 2 if bet % 2 == 0 else 0
        return half if half <= free else 0
    chip = rule[CHIP]
    most = min(bet // 2, free) // chip * chip
    return most if most >= rule[INSURES_LEAST] else 0


@jit
def offer(table, felt, start, boxes, trace):
    """Let each box take insurance and even money by its strategy. Returns the number of insured boxes."""
    rule = table.rule
    insured = 0
    for box in range(boxes):
        takes = felt.insures[U(box)]
        first, second = value(felt, start + box), value(felt, start + boxes + 1 + box)
        natural = first + second == 11 and (first == 1 or second == 1)
        if takes & 1 and (not natural or rule[NATURAL_INSURES]):
            chips = insurance_most(rule, felt.bet[U(box)], felt.free[U(box)])
            if chips:
                felt.insured[U(box)] = chips
                felt.free[U(box)] -= chips
                if trace is not None:
                    note(trace, box, TOLD_INSURANCE, chips)
        if takes & 2 and natural and rule[EVEN_MONEY]:
            felt.even[U(box)] = 1
            if rule[RETURNS_INSURANCE]:
                felt.free[U(box)] += felt.insured[U(box)]
                felt.insured[U(box)] = 0
            if trace is not None:
                note(trace, box, TOLD_EVEN_MONEY, 0)
        insured += felt.insured[U(box)] != 0
    return insured


# -- the boxes -------------------------------------------------------------------------------------------


@jit
def choice(rule, wish, first, second, hands, free, bet):
    """Return the first of the wishes that rules and chips allow (rows 13, 15, 16, A6)."""
    if wish & SURRENDER:
        return SURRENDER
    if wish & SPLIT and hands < rule[MOST_HANDS] and free >= bet and (first == second or not rule[BY_RANK]):
        return SPLIT
    if wish & DOUBLE and (free >= bet or (rule[DOUBLES_LESS] and free >= rule[CHIP])):
        return DOUBLE
    return wish & HIT


@jit
def drawn(table, felt, pos, later, state, go, box, trace):
    """Draw as long as the strategy hits: ``later`` is its row, that of no dealer's card if one card is
    drawn."""
    while go:
        state = added(state, value(felt, pos))
        pos += 1
        go = table.later[U(later + state)]
        if trace is not None and later % LATER >= 64:
            note(trace, box, TOLD_HIT, 0)
    return pos, state


@jit
def finish(table, felt, pos, hands, live, box, up, wish, extra, state, at, trace):
    """Stand, hit or double a hand, for ``extra`` chips, and store it. Returns hands and those not over 21."""
    double = wish > HIT
    later = felt.play[U(box)] * LATER + (0 if double else up * 64)
    stake = felt.bet[U(box)] + (extra if double else 0)
    felt.free[U(box)] -= stake - felt.bet[U(box)]
    if trace is not None and double:
        note(trace, box, TOLD_DOUBLE, 0 if extra == felt.bet[U(box)] else extra)
    pos, state = drawn(table, felt, pos, later, state, wish, box, trace)
    total = table.score[U(state)]
    if trace is not None and not double and total and (total < 21 or table.rule[DRAWS_ON_21]):
        note(trace, box, TOLD_STAND, 0)
    return pos, stored(felt, hands, box, total, stake, at), live + (total > 0)


@jit
def double_extra(rule, bet, free):
    """Return the chips of a double: the bet again, or the remaining whole chips (row 13)."""
    return bet if free >= bet else free // rule[CHIP] * rule[CHIP]


@jit
def given_up(table, felt, box, trace):
    """Surrender: half is lost, and the other half can be put up again (row 20, A6)."""
    bet = felt.bet[U(box)]
    loss = surrender_loss(table.rule, bet)
    felt.net[U(box)] -= loss
    felt.free[U(box)] += bet - loss
    if trace is not None:
        note(trace, box, TOLD_SURRENDER, 0)


@jit
def parted(table, felt, pos, at, hands):
    """Split hand ``at``: its second card begins a new hand to the right (A3, row 18)."""
    for place in range(hands, at + 1, -1):
        felt.left[U(place)], felt.right[U(place)] = felt.left[U(place - 1)], felt.right[U(place - 1)]
    felt.left[U(at + 1)] = felt.right[U(at)]
    felt.right[U(at)] = felt.shoe[U(pos)]
    pos += 1
    felt.right[U(at + 1)] = 0
    if table.rule[BOTH_AT_ONCE]:
        felt.right[U(at + 1)] = felt.shoe[U(pos)]
        pos += 1
    return pos, hands + 1


@jit
def split_play(table, felt, pos, lying, live, waiting, box, first, second, up, at_once, trace):
    """Play the hands of a box that split its first two cards, left to right (A3, rows 14 to 19)."""
    rule, bet = table.rule, felt.bet[U(box)]
    after = felt.play[U(box)] * WISHES + up * PAIRS
    felt.free[U(box)] -= bet
    if trace is not None:
        note(trace, box, TOLD_SPLIT, 0)
    felt.left[U(0)], felt.right[U(0)] = first, second
    pos, hands = parted(table, felt, pos, 0, 1)
    at = 0
    while at < hands:
        if felt.right[U(at)] == 0:
            felt.right[U(at)] = felt.shoe[U(pos)]
            pos += 1
        first, second = np.int64(felt.left[U(at)]), np.int64(felt.right[U(at)])
        one, two = first & 15, second & 15
        wish = table.after[U(after + one * 16 + two)]
        state = added(one | (ACE if one == 1 else 0), two)
        if wish & NATURAL:
            if at_once:
                felt.net[U(box)] += natural_pay(rule, bet)
            else:
                felt.waits[U(box)] += 1
                waiting += 1
            at += 1
            continue
        if wish & BY_ITSELF or (one == 1 and rule[ACES_STAND] and hands >= rule[MOST_HANDS]):
            lying, live = stored(felt, lying, box, table.score[state], bet, at), live + 1
            at += 1
            continue
        action = choice(rule, wish, first, second, hands, felt.free[U(box)], bet)
        if action == SPLIT:
            felt.free[U(box)] -= bet
            if trace is not None:
                note(trace, box, TOLD_SPLIT, 0)
            pos, hands = parted(table, felt, pos, at, hands)
            continue
        if action == SURRENDER:
            given_up(table, felt, box, trace)
        else:
            extra = double_extra(rule, bet, felt.free[U(box)])
            pos, lying, live = finish(table, felt, pos, lying, live, box, up, action, extra, state, at, trace)
        at += 1
    return pos, lying, live, waiting


@jit
def natural_met(table, felt, waiting, box, at_once, tally):
    """Pay a natural, or let it wait for the dealer (row 7); a chip may stay on the line (row 23)."""
    rule, bet = table.rule, felt.bet[U(box)]
    if at_once:
        if tally is not None:
            tally[PAID] += 1
        felt.net[U(box)] += natural_pay(rule, bet)
        felt.newly[U(box)] = odd_half(rule, bet)
        return waiting
    felt.waits[U(box)] += 1
    return waiting + 1


@jit
def odd_half(rule, bet):
    """Return the chip for the half of a natural that is not a whole chip (row 23)."""
    if not rule[LINE]:
        return 0
    whole = natural_pay(rule, bet) * rule[NATURAL_UNDER] == bet * rule[NATURAL_OVER]
    return 0 if whole else rule[CHIP]


@jit
def box_play(table, felt, start, pos, lying, live, waiting, box, boxes, up, at_once, trace, tally):
    """Play one box, from its first two cards to its last (A3)."""
    first, second = np.int64(felt.shoe[U(start + box)]), np.int64(felt.shoe[U(start + boxes + 1 + box)])
    one, two = first & 15, second & 15
    wish = np.int64(table.first[U(felt.play[U(box)] * WISHES + up * PAIRS + one * 16 + two)])
    bet = felt.bet[U(box)]
    extra = bet
    if wish >= SPLIT or (wish > HIT and felt.free[U(box)] < bet):
        if wish == NATURAL:
            if felt.even[U(box)]:
                return pos, lying, live, waiting
            return pos, lying, live, natural_met(table, felt, waiting, box, at_once, tally)
        wish = choice(table.rule, wish, first, second, 1, felt.free[U(box)], bet)
        if tally is not None and wish >= SPLIT:
            tally[wish] += 1
        if wish == SPLIT:
            return split_play(table, felt, pos, lying, live, waiting, box, first, second, up, at_once, trace)
        if wish == SURRENDER:
            given_up(table, felt, box, trace)
            return pos, lying, live, waiting
        extra = double_extra(table.rule, bet, felt.free[U(box)])
    if tally is not None:
        tally[min(wish, DOUBLE)] += 1
    state = (one + two) | (ACE if one == 1 or two == 1 else 0)
    pos, lying, live = finish(table, felt, pos, lying, live, box, up, wish, extra, state, 0, trace)
    return pos, lying, live, waiting


# -- the dealer ------------------------------------------------------------------------------------------


@jit
def dealer_play(table, felt, pos, up, hole, lying, live, waiting, insured, tally):
    """Let the dealer turn or draw, as far as a result depends on it (A5). Returns whether it is a natural."""
    awaited = True
    if not table.rule[HOLE]:
        awaited = live + waiting + insured > 0
        hole = value(felt, pos)
        pos += awaited
    natural = awaited and up + hole == 11 and (up == 1 or hole == 1)
    state = np.int64(table.opening[U(up * 16 + hole)])
    if live:
        while state & DRAWS:
            state = np.int64(table.dealer[U((state & 127) * 16 + value(felt, pos))])
            pos += 1
    score = table.score[U(state & 63)]
    if tally is not None and live:
        tally[DEALERS * up + (DEALER_NATURAL if natural else score)] += 1
    if natural:
        lost_to_natural(table.rule, felt, lying)
        return pos, True
    for at in range(lying):
        hand = felt.hand[U(at)]
        total = hand >> 16
        felt.net[U(hand & 7)] += felt.stake[U(at)] * ((total > score) - np.int64(total < score))
    return pos, False


@jit
def lost_to_natural(rule, felt, lying):
    """Lose to a natural found after play: all bets, or the original ones of hands not over 21 (row 22)."""
    for at in range(lying):
        hand, stake = felt.hand[U(at)], felt.stake[U(at)]
        if rule[ORIGINAL_ONLY] and hand > 0:
            stake = felt.bet[U(hand & 7)] if hand & LEFTMOST else 0
        felt.net[U(hand & 7)] -= stake


@jit
def natural_found(table, felt, start, boxes, tally):
    """Settle after the check found a natural: boxes without one lose the bet, before play (row 4, A4)."""
    waiting = 0
    for box in range(boxes):
        one, two = value(felt, start + box), value(felt, start + boxes + 1 + box)
        if one + two != 11 or (one != 1 and two != 1):
            felt.net[U(box)] -= felt.bet[U(box)]
            if tally is not None:
                tally[LOOKED] += 1
        elif not felt.even[U(box)]:
            felt.waits[U(box)] += 1
            waiting += 1
    return waiting


@jit
def naturals_settle(table, felt, boxes, natural, tally):
    """Settle the naturals that waited: paid, or level with the dealer's (A4)."""
    for box in range(boxes):
        if felt.waits[U(box)]:
            if not natural:
                felt.net[U(box)] += felt.waits[U(box)] * natural_pay(table.rule, felt.bet[U(box)])
                felt.newly[U(box)] = odd_half(table.rule, felt.bet[U(box)])
            if tally is not None:
                tally[PUSHED if natural else PAID] += 1
            felt.waits[U(box)] = 0


@jit
def line_settle(rule, felt, boxes):
    """Settle the chip on the line: won or lost with the box; a push follows the event's option (row 23)."""
    for box in range(boxes):
        net, lies = felt.net[U(box)], felt.line[U(box)]
        if net > 0 or (net == 0 and rule[LINE_PUSH] == 1):
            felt.net[U(box)] += lies
            lies = 0
        elif net < 0 or rule[LINE_PUSH] == 2:
            lies = 0
        felt.newly[U(box)] += lies


@jit
def round_play(table, felt, start, boxes, trace, tally):
    """Play the round whose first card is at ``start``; the boxes' nets are in ``felt``.

    Returns the index after its last card. ``felt.newly``: the chips on the lines afterwards (row 23).
    """
    rule = table.rule
    up = value(felt, start + boxes)
    pos = start + 2 * boxes + 1
    takes = 0
    for box in range(boxes):
        felt.net[U(box)], felt.newly[U(box)] = 0, 0
        felt.free[U(box)] = felt.stack[U(box)] - felt.bet[U(box)]
        takes |= felt.insures[U(box)]
    hole = 0
    if rule[HOLE]:
        hole = value(felt, pos)
        pos += 1
    insured = 0
    if takes and up == 1:
        insured = offer(table, felt, start, boxes, trace)
    # One byte for the result of the check: branches on the dealer's cards are unpredictable.
    look = np.int64(table.look[U(up * 16 + hole)])
    lying, live, waiting, natural = 0, 0, 0, False
    if look & FOUND:
        natural = True
        waiting = natural_found(table, felt, start, boxes, tally)
    else:
        at_once = look & PAYS
        for box in range(boxes):
            pos, lying, live, waiting = box_play(
                table, felt, start, pos, lying, live, waiting, box, boxes, up, at_once, trace, tally
            )
        pos, natural = dealer_play(table, felt, pos, up, hole, lying, live, waiting, insured, tally)
    settle_rest(table, felt, boxes, takes and up == 1, waiting, natural, tally)
    return pos


@jit
def settle_rest(table, felt, boxes, offered, waiting, natural, tally):
    """Settle naturals, even money, the chip on the line, and last the insurance, which is separate from the
    hands."""
    if waiting:
        naturals_settle(table, felt, boxes, natural, tally)
    if offered:
        for box in range(boxes):
            if felt.even[U(box)]:
                felt.net[U(box)] += felt.bet[U(box)]
    if table.rule[LINE]:
        line_settle(table.rule, felt, boxes)
    if offered:
        for box in range(boxes):
            insured = felt.insured[U(box)]
            felt.net[U(box)] += 2 * insured if natural else -insured
            felt.even[U(box)], felt.insured[U(box)] = 0, 0
