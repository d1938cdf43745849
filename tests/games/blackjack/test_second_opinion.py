"""The engine against the second opinion (see ``opinions.py``): a short slice of what the long suite plays."""

import pathlib
import re

import pytest

from games.blackjack.event_rules import OPTION_NAMES
from games.blackjack.options import option_values
from games.blackjack.rules import SHEETS
from tests.games.blackjack import second_sheets
from tests.games.blackjack.opinions import Live, check_round

HERE = pathlib.Path(__file__).resolve().parent


def test_the_second_opinion_imports_nothing_of_the_engine() -> None:
    for name in ("second_opinion.py", "second_answer.py", "second_sheets.py"):
        assert not re.search(r"(import|from) (games|tables|tournament)\b", (HERE / name).read_text())


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_the_second_opinion_knows_every_option_of_the_sheet(sheet: str) -> None:
    known = second_sheets.options_of(second_sheets.SHEETS[sheet])
    offered = {name: option_values(SHEETS[sheet], name) for name in OPTION_NAMES}
    assert {name: set(values) for name, values in known.items()} == {
        name: set(values) for name, values in offered.items() if values
    }


@pytest.mark.parametrize("block", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, 8))])
def test_A4_rounds_come_out_as_in_the_second_opinion(block: int) -> None:
    for seed in range(block * 250, (block + 1) * 250):
        check_round(seed)


def test_at_every_decision_of_a_live_deal_verify_and_can_agree() -> None:
    for seed in range(40):
        Live(seed).check()


def test_what_goes_wrong_at_a_table_is_written_down_as_in_the_second_opinion() -> None:
    """Boxes that were not dealt to, cards too many, burned, refused; 824 turns a hole card in between."""
    seen: set[str] = set()
    for seed in [*range(40, 200), 824, 2133, 5965]:
        live = Live(seed)
        live.round.watch = None
        live.check()
        seen |= {each["kind"] for each in live.round.irregular}
    assert {"not_dealt", "dealer_extra", "face_up", "misdealt"} <= seen
