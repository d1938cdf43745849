"""Sheets compiled: switches by rows, the dealer's states, what of a wish is allowed."""

import pytest

from games.blackjack.event_rules import rules_make
from games.blackjack.rules import SHEETS
from plan.blackjack.dealer import dealer_after, dealer_draws
from plan.blackjack.playbook import Act
from plan.kernel.layout import DRAWS
from plan.kernel.tables import EVERYTHING, allowed_after, allowed_first, dealer_tables


@pytest.mark.parametrize(
    ("soft17", "cards", "draws"),
    [
        *(
            ("stand", cards, draws)
            for cards, draws in (((1, 6), False), ((10, 6), True), ((10, 6, 9), False))
        ),
        *(("hit", cards, draws) for cards, draws in (((1, 6), True), ((1, 6, 1), False), ((10, 7), False))),
        *(("until_hard", (1, 6, *more), draws) for more, draws in (((), True), ((1,), True), ((10,), False))),
        ("until_hard", (1, 7), False),
    ],
)
def test_row_5_the_dealer_draws(soft17: str, cards: tuple[int, ...], draws: bool):
    state = 0
    for card in cards:
        state = dealer_after(soft17, state, card)
    assert dealer_draws(soft17, state) is draws
    opening, following = dealer_tables(soft17)
    compiled = int(opening[cards[0] * 16 + cards[1]])
    for card in cards[2:]:
        compiled = int(following[(compiled & 127) * 16 + card])
    assert compiled == state | (DRAWS if draws else 0)


def test_rows_12_to_21_of_a_wish_only_what_the_sheet_allows_is_kept():
    wonder, eca, banco = (SHEETS[name] for name in ("wonder", "eca", "banco"))
    assert allowed_first(wonder, 8, 8).of(EVERYTHING, 10, 0) == EVERYTHING
    assert allowed_first(wonder, 1, 10).of(0, 10, 0) == Act.NATURAL
    assert allowed_first(eca, 10, 2).of(EVERYTHING, 6, 0) == Act.HIT
    assert allowed_first(eca, 6, 5).of(EVERYTHING, 6, 0) == Act.HIT | Act.DOUBLE
    assert allowed_first(banco, 10, 6).of(EVERYTHING, 1, Act.SURRENDER) == Act.HIT | Act.DOUBLE
    assert allowed_after(wonder, 8, 3).of(EVERYTHING, 6, 0) == Act.HIT | Act.DOUBLE
    assert allowed_after(wonder, 1, 5).of(EVERYTHING, 6, 0) == Act.BY_ITSELF
    assert allowed_after(eca, 1, 1).of(EVERYTHING, 6, 0) == Act.SPLIT
    assert allowed_after(eca, 10, 1).of(EVERYTHING, 6, 0) == Act.BY_ITSELF
    natural = rules_make("eca", options={"split_natural": True})
    assert allowed_after(natural, 10, 1).of(EVERYTHING, 6, 0) == Act.NATURAL
