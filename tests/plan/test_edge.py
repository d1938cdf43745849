"""The house edge: the command, its figures, and that nothing but the seed decides them."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.core.management import call_command

from games.blackjack.event_rules import rules_make
from games.blackjack.rules import SHEETS
from plan import edge
from plan.blackjack.sheets import flat_bet
from plan.kernel.flat import dealer_hands, first_actions, flat_make
from tests.plan.blackjack.published import PUBLISHED

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("compiled")]

ROOT = Path(__file__).resolve().parents[2]
EDGE = [sys.executable, "manage.py", "edge", "--rules", "wonder", "--hands", "100000000000"]
KEYS = ["rules", "hands", "edge_percent", "se_percent", "variance", "seconds", "hands_per_second"]


@contextlib.contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a process group of its own, with pipes; kill the group in the end.

    The command receives Ctrl-C even when the tests were started by a shell's ``&``, which ignores Ctrl-C for
    itself and for every process below it.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pipe = subprocess.PIPE
        run = subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        yield run
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(run.pid, signal.SIGKILL)
        run.wait(60)
        for stream in (run.stdout, run.stderr):
            assert stream is not None
            stream.close()


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, float]:
    call_command("edge", "--rules", "wonder", "--json", *arguments)
    found: dict[str, float] = json.loads(capsys.readouterr().out)
    return found


def without_time(answer: dict[str, float]) -> dict[str, float]:
    return {key: value for key, value in answer.items() if not key.startswith(("seconds", "hands_per"))}


def test_the_same_seed_gives_the_same_answer_however_many_processes(capsys):
    hands = ("--hands", "2_345_678", "--seed", "5")
    one, two = (told(capsys, *hands, "--processes", n) for n in ("1", "3"))
    assert list(one) == KEYS and one["hands"] == 2_345_678
    assert without_time(one) == without_time(two)
    assert without_time(told(capsys, "--hands", "2_345_678", "--seed", "6")) != without_time(one)


@pytest.mark.parametrize("name", SHEETS)
def test_without_numba_the_plain_engine_plays_the_very_same_hands(name: str):
    rules = SHEETS[name]
    how = {"hands": 2000, "seed": 3}
    compiled, plain = (edge.job_make(rules, **how, plain=plain) for plain in (False, True))
    found = [edge.play(job, processes=1, progress=lambda _: None)[0] for job in (compiled, plain)]
    assert found[0] == found[1] and found[0].hands == 2000


@pytest.mark.parametrize("name", SHEETS)
def test_A7_halves_of_a_flat_bet_are_whole_chips(name: str):
    rules = SHEETS[name]
    bet = flat_bet(rules)
    assert bet >= rules.min_chips and bet % rules.step_chips == 0
    assert bet % (2 * rules.chip_chips) == 0 and bet * 3 // 2 % rules.chip_chips == 0 == bet * 3 % 2


def test_what_cannot_be_asked_is_said_in_a_sentence(capsys):
    for arguments, words in (
        (["--rules", "sheet"], "Rules 'sheet' are not known"),
        (["--rules", "wonder", "--decks", "4"], "not 4"),
        (["--rules", "wonder", "--options", "{"], "no JSON"),
        (["--rules", "wonder", "--options", '{"soft17": "sometimes"}'], "soft17"),
    ):
        with pytest.raises(SystemExit) as left:
            call_command("edge", *arguments)
        assert left.value.code == 2 and words in capsys.readouterr().err


def test_ctrl_c_leaves_what_is_known():
    with started([*EDGE, "--json", "--processes", "2"]) as run:
        assert run.stderr is not None
        assert "of 100,000,000,000 hands" in run.stderr.readline()
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    found = json.loads(out)
    assert 0 < found["hands"] < 10**11 and list(found) == KEYS
    assert f"Stopped after {found['hands']:,} of 100,000,000,000 hands." in err and "Traceback" not in err


def test_killed_it_leaves_no_process_behind():
    with subprocess.Popen([*EDGE, "--processes", "2"], cwd=ROOT, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        assert "of 100,000,000,000 hands" in run.stderr.readline()
        run.kill()
        # The end of its standard error comes when the last process that holds it is gone.
        run.communicate(timeout=60)
    assert run.returncode == -signal.SIGKILL


# -- figures that others published -------------------------------------------------------------------


ROWS = {
    "wonder": (SHEETS["wonder"], 0.5295),
    "wonder, 8 decks": (rules_make("wonder", decks=8), 0.5545),
    "no surrender": (rules_make("wonder", options={"surrender": "none"}), 0.618),
    "soft 17 stood": (rules_make("wonder", options={"soft17": "stand"}), 0.333),
    "wiesbaden": (SHEETS["wiesbaden"], 0.6135),
    "wiesbaden, any double": (rules_make("wiesbaden", options={"double": "any"}), 0.517),
    "eca, four hands": (rules_make("eca", options={"max_hands": 4}), 0.5465),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_house_edge_is_the_published_one(row: str):
    rules, percent = ROWS[row]
    job = edge.job_make(rules, 3_000_000, 1, per_shoe=edge.EVERY_HAND)
    found = edge.edge_of(edge.play(job, processes=1, progress=lambda _: None)[0], job.bet_chips)
    assert abs(found.edge_percent - percent) < 4 * found.se_percent
    assert found.se_percent < 0.07


def test_variance_covariance_and_rounds_a_shoe_of_wonder_are_the_published_ones():
    one = flat_make(SHEETS["wonder"], [200]).play(2_000_000, 1, 0)
    two = flat_make(SHEETS["wonder"], [200, 200]).play(1_000_000, 1, 0)
    assert one.squares[0] / one.rounds / 200**2 == pytest.approx(1.310, abs=0.008)
    assert two.cross / two.rounds / 200**2 == pytest.approx(0.484, abs=0.008)
    assert one.cards / one.rounds == pytest.approx(5.437, abs=0.01)
    for boxes, rounds in enumerate((48.25, 32.08, 24.27, 19.59, 16.45, 14.20, 12.51), 1):
        # The published shoes end when a card from behind the cut card is dealt, a card later than ours.
        flat = flat_make(SHEETS["wonder"], [200] * boxes, cut_from_end=51)
        sums = flat.play(200_000, 2, boxes)
        assert sums.rounds / sums.shoes == pytest.approx(rounds, rel=0.003), boxes


def test_first_actions_of_wonder_are_the_published_ones():
    # Published of fresh shoes; with a cut card, which comes later where small cards go, hits are 0.03 more.
    flat = flat_make(SHEETS["wonder"], [200], counted=True, per_shoe=1)
    rounds = flat.play(2_000_000, 1, 0).rounds
    shares = {name: 100 * times / rounds for name, times in first_actions(flat.counts).items()}
    published = {"stand": 38.795, "hit": 34.306, "double": 9.967, "surrender": 5.205, "split": 2.446}
    published |= {"paid": 4.532, "pushed": 0.217}
    for name, percent in published.items():
        # Four standard errors of a share.
        assert shares[name] == pytest.approx(percent, abs=4 * (percent * (100 - percent) / rounds) ** 0.5)


class Stands:
    """Who always stands lets the dealer play every hand."""

    def first(self, up: int, one: int, two: int) -> int:
        return 0

    after = first

    def later(self, up: int, state: int) -> bool:
        return False


def test_the_dealers_hands_in_the_kernel_are_the_published_ones():
    # No hole card: nothing is looked for, so that every dealer's hand is played.
    rules = rules_make("wiesbaden", options={"soft17": "hit"})
    flat = flat_make(rules, [10], Stands(), counted=True)
    flat.play(1_500_000, 1, 0)
    for up, times in dealer_hands(flat.counts).items():
        hands = sum(times)
        for chance, each in zip(PUBLISHED[up], times, strict=True):
            assert abs(each - hands * chance) <= 5 * (hands * chance * (1 - chance)) ** 0.5 + 0.5, up
