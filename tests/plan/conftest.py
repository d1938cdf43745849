"""The kernel is compiled once for all processes of a run; the others wait and read it back."""

import fcntl
from pathlib import Path

import pytest

from games.blackjack.rules import SHEETS
from plan.kernel.flat import flat_make
from plan.kernel.trace import Seat, Shoe

VAR = Path(__file__).resolve().parents[2] / "var"


@pytest.fixture(scope="session")
def compiled() -> None:
    """For the tests that run the compiled kernel. To compile it takes 20 s, so they belong to the soak."""
    rules = SHEETS["wonder"]
    VAR.mkdir(exist_ok=True)
    with open(VAR / "kernel.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        flat = flat_make(rules, [rules.min_chips])
        flat.play(1, 1, 0)
        flat_make(rules, [rules.min_chips], counted=True).play(1, 1, 0)
        Shoe(rules, flat.table, seed=1).play([Seat(rules.min_chips)])
