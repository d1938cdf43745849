"""The kernel's shoes in plain Python, played by the plain engine: used where numba is missing.

The cards, the decisions and so the nets equal those of ``plan.kernel``, about a hundred times slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from games.blackjack.bots import DECLINE, Decider, Sight, play_out
from games.blackjack.cards import JOKER, RANKS, SUITS, VALUE
from games.blackjack.record import answer
from games.blackjack.rules import HouseRules
from games.blackjack.shoe import CUT_FROM_END_CARDS, Shoe
from ground.refused import Refused
from plan.blackjack.basic import basic_strategy
from plan.blackjack.playbook import Act, Playbook
from plan.blackjack.states import state_after

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
BITS = 54
PLACES = 4


# -- the shoe --------------------------------------------------------------------------------------------


def mixed(z: int) -> int:
    """Return the result of SplitMix64's finaliser."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def key_make(seed: int, block: int, shoe: int) -> int:
    """Return the key of the stream of one shoe."""
    return mixed((mixed((mixed(seed) + block) & WORD) + shoe) & WORD)


def shuffle(cards: list[int], last: int, key: int) -> None:
    """Fill the places before ``last``, a multiple of four, at random from all places."""
    word = key
    for at in range(0, last, PLACES):
        bounds = [len(cards) - at - place for place in range(PLACES)]
        ways = bounds[0] * bounds[1] * bounds[2] * bounds[3]
        while True:
            rest, jumps = mixed(word) >> (64 - BITS), []
            word = word + GOLDEN & WORD
            for bound in bounds:
                rest *= bound
                jumps.append(rest >> BITS)
                rest &= (1 << BITS) - 1
            if rest >= ways or rest >= (1 << BITS) % ways:
                break
        for place, jump in enumerate(jumps):
            one, other = at + place, at + place + jump
            cards[one], cards[other] = cards[other], cards[one]


def shoe_deal(rules: HouseRules, key: int, cut_from_end: int = CUT_FROM_END_CARDS) -> Shoe:
    """Return a shoe of the kernel for the plain engine: of each rank the suits in turn."""
    ranks = [*range(13)] * 4 * rules.decks + [-1] * rules.joker
    shuffle(ranks, len(ranks) - len(ranks) % PLACES, key)
    seen = [0] * 13
    words = []
    for rank in ranks:
        if rank < 0:
            words.append(JOKER)
            continue
        words.append(RANKS[rank] + SUITS[seen[rank] % 4])
        seen[rank] += 1
    return Shoe(b"", rules.decks, tuple(words), len(words) - cut_from_end)


# -- the players -----------------------------------------------------------------------------------------

ORDER = ((Act.SURRENDER, "surrender"), (Act.SPLIT, "split"), (Act.DOUBLE, "double"), (Act.HIT, "hit"))


def decider_make(book: Playbook) -> Decider:
    """Return a playbook as a player of the plain engine, who takes no insurance."""

    def decide(sight: Sight) -> str:
        if DECLINE in sight.actions:
            return DECLINE
        wish = _wish(book, sight)
        for act, action in ORDER:
            if wish & act and action in sight.actions:
                return action
        return "stand"

    return decide


def _wish(book: Playbook, sight: Sight) -> int:
    up, points = VALUE[sight.dealer], [VALUE[card] for card in sight.cards]
    if len(points) == 2:
        wishes = book.after if sight.after_split else book.first
        return wishes(up, *points)
    state = 0
    for each in points:
        state = state_after(state, each)
    return Act.HIT if book.later(up, state) else Act.STAND


def plain_nets(
    rules: HouseRules, bet_chips: int, rounds: int, key: Callable[[int], int], cut_from_end: int
) -> Iterator[int]:
    """Yield the net of one box with basic strategy in each of ``rounds`` rounds; ``key`` returns the key of a
    shoe."""
    decider, number, done = decider_make(basic_strategy(rules)), 0, 0
    while done < rounds:
        shoe = shoe_deal(rules, key(number), cut_from_end)
        dealt, number = 1, number + 1
        while done < rounds and not shoe.cut_is_out(dealt):
            try:
                record = play_out(rules, {1: bet_chips}, None, shoe, {1: decider}, dealt=dealt)
            except Refused:
                break  # the shoe ran out in the middle of the round
            dealt += len(record["cards"])
            done += 1
            yield answer(record)["net"]["1"]


def plain_block(
    rules: HouseRules, bet_chips: int, rounds: int, seed: int, block: int, cut_from_end: int
) -> tuple[int, int, int]:
    """Return rounds, nets in chips and their squares of one block, as ``plan.kernel.flat`` plays it."""

    def key(number: int) -> int:
        return key_make(seed & WORD, block, number)

    found = list(plain_nets(rules, bet_chips, rounds, key, cut_from_end))
    return len(found), sum(found), sum(net * net for net in found)
