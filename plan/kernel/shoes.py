"""Whole shoes, compiled: shuffled, one card burned, dealt to the cut card (T10, T11)."""

from __future__ import annotations

import numpy as np

from plan.kernel.chance import key_make, shuffle
from plan.kernel.jit import jit
from plan.kernel.layout import Rule
from plan.kernel.rounds import round_play

U = np.uint64
JOKER, SIZE, CUT = int(Rule.JOKER), int(Rule.SIZE), int(Rule.CUT)
NOT_THERE = 1 << 40

ROUNDS, SHOES, CARDS, CROSS, NETS, SQUARES = 0, 1, 2, 3, 8, 16
"""Indices of the sums: counts, the products of boxes 1 and 2, then by box nets and their squares."""


@jit
def shoe_make(table, felt, ready, key):
    """Put a new shoe on the felt, shuffled up to index ``ready``. Returns the next word of its stream, the
    index of the first card to deal, that of the cut card, and the index before which the joker lies.

    The joker is taken out, because it is laid aside when it comes: ``first`` and ``cut`` compensate for it.
    """
    rule, shoe = table.rule, felt.shoe
    for at in range(len(shoe)):
        shoe[U(at)] = table.fresh[U(at)]
    word = shuffle(shoe, 0, ready, rule[SIZE], key)
    first, cut, joker = 1, rule[CUT], NOT_THERE
    if rule[JOKER]:
        joker = 0
        while shoe[U(joker)]:
            joker += 1
        for at in range(joker, rule[SIZE]):
            shoe[U(at)] = shoe[U(at + 1)]
        if joker < cut - 1:
            cut -= 1
        if joker == 0:
            first, joker = 0, NOT_THERE
    return word, first, cut, joker


@jit
def flat_play(table, felt, boxes, rounds, per_shoe, ready, seed, block, sums, tally):
    """Play ``rounds`` rounds of one block with equal bets at ``boxes`` boxes, and add up the nets.

    ``per_shoe``: rounds after which a shoe is shuffled even before its cut card is out. ``ready``: how far a
    shoe is shuffled at first; the rare round that goes further is played again with all of it shuffled, which
    changes none of its earlier cards.
    """
    size = table.rule[SIZE] - table.rule[JOKER]
    done, number = 0, 0
    while done < rounds:
        word, pos, cut, _ = shoe_make(table, felt, ready, key_make(seed, block, number))
        first, shuffled, most = pos, ready, min(rounds, done + per_shoe)
        while pos < cut and done < most:
            if boxes == 1:  # compiled apart: its loops over boxes are none
                end = round_play(table, felt, pos, 1, None, tally)
            else:
                end = round_play(table, felt, pos, boxes, None, tally)
            if end > shuffled:
                if shuffled < size - 3:
                    word = shuffle(felt.shoe, shuffled, size - size % 4, size, word)
                    shuffled = size
                    continue
                if end > size:
                    break
            pos = end
            done += 1
            for box in range(boxes):
                net = felt.net[U(box)]
                felt.line[U(box)] = felt.newly[U(box)]
                sums[NETS + box] += net
                sums[SQUARES + box] += net * net
            if boxes > 1:
                sums[CROSS] += felt.net[0] * felt.net[1]
        number += 1
        sums[CARDS] += pos - first
    sums[ROUNDS] += done
    sums[SHOES] += number
