"""Chance of the kernel: a counter-based generator, and shuffles drawn from it without any bias.

Word ``n`` of a stream is a function of the stream's key and of ``n`` alone (SplitMix64's mixing of
key + n·φ), so that any shoe can be dealt anywhere and in any order. Four places of a shuffle come from one
word, multiplied by one bound after the other, which is drawn again in the rare case in which the last
remainder says that some outcomes would be likelier than others (the batched method of Brackett-Rozinsky and
Lemire). Every permutation that the generator's words can choose between is equally likely: no modulo bias.

``plan.blackjack.plain`` has the same in plain Python; ``tests/plan/test_edge.py`` compares the hands of both.
"""

from __future__ import annotations

import numpy as np

from plan.kernel.jit import jit

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)

BITS = 54
"""The bits of a word that are multiplied: with bounds below 2^10 every product fits into 64 bits."""
PLACES = 4
"""Places of a shuffle that come from one word."""

_TOP, _BITS = np.uint64(64 - BITS), np.uint64(BITS)
_RANGE, _MASK = np.uint64(1 << BITS), np.uint64((1 << BITS) - 1)
_1, _2, _3, _4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


@jit
def mixed(z):
    """Return the result of SplitMix64's finaliser: each of 64 bits depends on all of them."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@jit
def key_make(seed, block, shoe):
    """Return the key of the stream of one shoe; all three arguments are below 2^64."""
    return mixed(mixed(mixed(np.uint64(seed)) + np.uint64(block)) + np.uint64(shoe))


@jit
def likelier(ways):
    """Return the bound below which remainders belong to outcomes that would come once too often."""
    return _RANGE % ways


@jit
def shuffle(cards, first, last, size, word):
    """Fill places ``first`` to ``last`` of ``cards`` at random from places ``first`` to ``size``.

    ``first``, ``last`` and ``size`` are multiples of four; ``word`` is the key plus φ for each word used, and
    is returned like that. Unsigned throughout: an index that may be negative costs a comparison.
    """
    at, end = np.uint64(first), np.uint64(last)
    left = np.uint64(size) - at
    while at < end:
        b1, b2, b3 = left - _1, left - _2, left - _3
        ways = left * b1 * b2 * b3
        x = (mixed(word) >> _TOP) * left
        word += GOLDEN
        j0, x = at + (x >> _BITS), (x & _MASK) * b1
        j1, x = at + _1 + (x >> _BITS), (x & _MASK) * b2
        j2, x = at + _2 + (x >> _BITS), (x & _MASK) * b3
        j3, x = at + _3 + (x >> _BITS), x & _MASK
        if x < ways and x < likelier(ways):
            continue
        cards[at], cards[j0] = cards[j0], cards[at]
        cards[at + _1], cards[j1] = cards[j1], cards[at + _1]
        cards[at + _2], cards[j2] = cards[j2], cards[at + _2]
        cards[at + _3], cards[j3] = cards[j3], cards[at + _3]
        at += _4
        left -= _4
    return word
