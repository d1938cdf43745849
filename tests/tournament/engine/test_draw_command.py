"""`manage.py draw`: the offline check of a posted draw."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

SECRET = hashlib.sha256(b"kat").hexdigest()
ROSTER = [f"E{number:02}" for number in range(1, 13)]
GOOD = {"secret": SECRET, "event": "EV1", "number": "1", "cards": "kh 4d 7s ac 2d"}


def words(changed, *entries):
    options = [word for name, value in {**GOOD, **changed}.items() for word in (f"--{name}", value)]
    return ["draw", *options, *entries]


@pytest.mark.parametrize(
    ("changed", "entries"),
    [
        ({"secret": "xyz"}, ROSTER),
        ({}, [*ROSTER, "E03"]),
        ({"cards": "KH 4D"}, ROSTER),
        ({"cards": " "}, ROSTER),
    ],
)
def test_draw_command_refuses_with_a_sentence_and_exit_2(capsys, changed, entries):
    with pytest.raises(CommandError) as refused:
        call_command(*words(changed, *entries))
    assert refused.value.returncode == 2
    assert capsys.readouterr().out == ""


def test_draw_command_without_cards_is_the_draw_without_public_input(capsys):
    call_command(*words({"cards": ""}, *ROSTER))
    assert sorted(capsys.readouterr().out.split()) == ROSTER


def test_draw_command_runs_from_anywhere_without_a_database():
    environment = os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    command = [sys.executable, str(Path(__file__).parents[3] / "manage.py")]
    good, bad = (
        subprocess.run([*command, *words(changed, *ROSTER)], capture_output=True, text=True, env=environment)
        for changed in ({}, {"number": "one"})
    )
    assert (good.returncode, bad.returncode) == (0, 2)
    assert good.stdout == "E10 E04 E03 E05 E11 E08 E07 E12 E06 E09 E02 E01\n"
    assert not good.stderr
    assert bad.stderr and not bad.stdout and "Traceback" not in bad.stderr
