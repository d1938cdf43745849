"""`manage.py draw`: the offline check of a posted draw."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

LONG = pytest.mark.soak
SECRET = hashlib.sha256(b"kat").hexdigest()
ROSTER = [f"E{number:02}" for number in range(1, 13)]
ORDER = "E10 E04 E03 E05 E11 E08 E07 E12 E06 E09 E02 E01"
ROOT = Path(__file__).parents[3]


def draw(*entries, secret=SECRET, cards="kh 4d 7s ac 2d", number="1"):
    options = ["--secret", secret, "--event", "EV1", "--number", number, "--cards", cards]
    return call_command("draw", *options, *entries)


def run(*arguments):
    # A database that is not there: the check must not need one.
    environment = os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    command = [sys.executable, str(ROOT / "manage.py"), "draw", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", env=environment, check=False)


def test_draw_command_prints_the_order_on_one_line(capsys):
    draw(*ROSTER)
    assert capsys.readouterr().out == ORDER + "\n"


def test_draw_command_without_cards_is_the_draw_without_public_input(capsys):
    draw(*ROSTER, cards="")
    assert sorted(capsys.readouterr().out.split()) == ROSTER


@pytest.mark.parametrize(
    ("entries", "changed", "sentence"),
    [
        (ROSTER, {"secret": "xyz"}, "64 hexadecimal digits"),
        (ROSTER, {"secret": "ab" * 31}, "64 hexadecimal digits"),
        ([*ROSTER, "E03"], {}, "E03 is on the roster twice"),
        (ROSTER, {"cards": "KH 4D"}, "exactly 5 cards"),
        (ROSTER, {"cards": "KH KH 7S AC 2D"}, "KH is there twice"),
        (ROSTER, {"cards": " "}, "exactly 5 cards"),
    ],
)
def test_draw_command_refuses_with_a_sentence_and_exit_2(entries, changed, sentence):
    with pytest.raises(CommandError, match=sentence) as refused:
        draw(*entries, **changed)
    assert refused.value.returncode == 2


def test_draw_command_runs_from_anywhere_without_a_database():
    good = ["--secret", SECRET, "--event", "EV1", "--number", "1", "--cards", "KH 4D 7S AC 2D", *ROSTER]
    result = run(*good)
    assert (result.returncode, result.stdout, result.stderr) == (0, ORDER + "\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--secret", "zz", "--event", "EV1", "--number", "1", *ROSTER],
        ["--secret", SECRET, "--event", "EV1", "--number", "one", *ROSTER],
        pytest.param(["--secret", SECRET, "--event", "EV1", "--number", "1", "E01", "E01"], marks=LONG),
        pytest.param(["--secret", SECRET, "--event", "EV1", "--number", "1"], marks=LONG),
    ],
)
def test_draw_command_exits_with_2_and_nothing_on_standard_output(arguments):
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.strip()
    assert "Traceback" not in result.stderr
