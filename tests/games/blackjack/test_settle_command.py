"""``manage.py settle``: one answer a line, and the exit code."""

import io
import json
import pathlib
import sys
from functools import partial
from types import SimpleNamespace

import pytest
from django.core.management import CommandError

from tests.cast.calls import answered
from tests.games.blackjack.deals import record

GOOD = json.dumps({"id": "a", **record("wonder", {1: 200}, "Ts 6h 6d Tc", "1 surrender")})
run = partial(answered, "settle")


def test_every_record_is_answered_in_order_and_the_exit_is_0(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "records.jsonl"
    # A byte order mark, empty lines and no end of the last line do no harm.
    second = json.dumps({**json.loads(GOOD), "id": "b"})
    records = b"\xef\xbb\xbf" + f"{GOOD}\n\n   \n{second}".encode()
    file.write_bytes(records)
    for words in ((str(file),), ("-",), ()):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(records)))
        answers, code = run(*words)
        assert code == 0
        assert [(answer["id"], answer["net"]["1"]) for answer in answers] == [("a", -100), ("b", -100)]


def test_a_refused_record_does_not_stop_the_run_and_the_exit_is_1(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "records.jsonl"
    lines = [b"nonsense", b"\xff\xfe", b'{"rules": NaN}', b"[1", b"9" * 5000, b"[" * 100_000, GOOD.encode()]
    file.write_bytes(b"\r\n".join(lines))
    answers, code = run(str(file))
    assert code == 1
    assert [answer.get("error") for answer in answers] == ["bad_record"] * 6 + [None]
    assert all(answer["id"] is None for answer in answers[:6])
    assert "Line 2" in answers[1]["message"]


@pytest.mark.parametrize("name", ["nothing-here.jsonl", "."])
def test_no_such_file_is_exit_2(tmp_path: pathlib.Path, name: str) -> None:
    with pytest.raises(CommandError) as no:
        run(str(tmp_path / name))
    assert no.value.returncode == 2
