"""Heads that leave the house: appended after each posting, and what they find out (faults, threats)."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from tests.cast.at_desk import codes
from tests.cast.edits import chain_made_anew, unguarded
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import event_make, play_and_close, seated
from tournament.models import Event, JournalEntry, JournalHead
from tournament.selectors.heads import GRACE, events_behind, heads_behind, heads_posted
from tournament.services.heads import heads_append
from tournament.services.payouts import payouts_post
from tournament.tasks import sweep

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(settings: Any, tmp_path: Path) -> Path:
    """The file of a house that keeps its heads."""
    settings.HEADS_KEY, settings.HEADS_FILE = "a key outside the database", str(tmp_path / "kept" / "heads")
    (tmp_path / "kept").mkdir()
    return tmp_path / "kept" / "heads"


def closed() -> Event:
    """Round 1 of two entrants is closed: rules, a draw and a result are posted."""
    round_ = seated(2)
    play_and_close(round_)
    return Event.objects.get(pk=round_.event_id)


def found(event: Event, *words: str) -> list[tuple[str, str]]:
    """Row and column of each difference that the command names."""
    out = StringIO()
    with suppress(SystemExit):
        call_command("audit", event.slug, "--json", *words, stdout=out)
    return [(each["row"], each["column"]) for each in json.loads(out.getvalue())["differences"]]


def test_a_posting_leaves_a_head_once_it_is_saved(file: Path, django_capture_on_commit_callbacks: Any):
    with django_capture_on_commit_callbacks(execute=True):
        event = closed()
    entries = JournalEntry.objects.filter(event=event, kind__in=["event.open", "round.seat", "round.close"])
    kept = [line.split(" ")[1:4] for line in file.read_text().splitlines()]
    assert kept == [[event.slug, str(seq), hash_] for seq, hash_ in entries.values_list("seq", "hash")]
    assert (heads_append(event_id=event.pk), found(event)) == (0, [])


def test_a_file_that_cannot_be_written_warns_until_it_can(client: Any, file: Path, settings: Any):
    file.parent.rmdir()
    event = closed()
    client.force_login(UserFactory(roles=["director"]))
    tonight = f"/staff/{event.slug}/"
    sweep()
    assert not heads_behind(event)
    with time_machine.travel(timezone.now() + GRACE + timedelta(seconds=1)):
        assert heads_behind(event)
        assert "heads_behind" in codes(client.get(tonight))
        assert found(event) == [(str(file), "file")]
    file.parent.mkdir()
    file.write_text("a line that was torn off")
    sweep()
    assert [line.split(" ")[2] for line in file.read_text().splitlines()[1:]] == [
        str(head.seq) for head in heads_posted(event)
    ]
    with time_machine.travel(timezone.now() + GRACE + timedelta(seconds=1)):
        # A page goes by what the database knows: a disk that hangs holds up no request.
        with patch("os.open", side_effect=OSError), patch("os.stat", side_effect=OSError):
            assert not heads_behind(event)
        assert "heads_behind" not in codes(client.get(tonight))
        settings.HEADS_FILE = str(file.parent / "another")
        assert (heads_behind(event), len(events_behind())) == (True, 1)
        sweep()
        assert (heads_behind(event), len(events_behind())) == (False, 0)
        settings.HEADS_FILE = str(file)
    assert found(event) == [(f"{file.name}, line 1", "line")]


def test_a_chain_that_was_made_anew_and_a_tail_that_was_cut_are_found_by_their_heads(file: Path):
    event = closed()
    heads_append(event_id=event.pk)
    structure = {"kind": "fixed", "amounts": [10_000, 10_000]}
    payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)
    last = heads_posted(event)[-1]
    assert heads_append(event_id=event.pk) == 1
    assert found(event, "--head", last.code) == []
    cut = JournalEntry.objects.get(event=event, seq=last.seq)
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tournament_journalentry WHERE id = %s", [cut.pk])
    JournalHead.objects.filter(event=event).update(seq=cut.seq - 1, hash=cut.prev_hash)
    row, entry = f"{file.name}, line {len(file.read_text().splitlines())}", f"journal entry {last.seq}"
    of_heads = [(row, entry), (f"printed head {last.code}", entry)]
    assert [each for each in found(event, "--head", last.code) if "head" in each[0]] == sorted(
        of_heads, reverse=True
    )
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("UPDATE tournament_journalentry SET key = key || 'x' WHERE event_id = %s", [event.pk])
    chain_made_anew(event)
    heads = [each for each in found(event, "--heads", str(file)) if file.name in each[0]]
    assert [column.split(" ")[0] for _row, column in heads] == ["hash"] * (len(heads) - 1) + ["journal"]


def test_a_line_that_was_edited_or_taken_out_is_named(file: Path, settings: Any):
    event = closed()
    heads_append(event_id=event.pk)
    assert found(event) == []
    first, second, *rest = file.read_text().splitlines()
    file.write_text("\n".join([first[:-1] + ("0" if first[-1] != "0" else "1"), *rest]))
    gone = f"{file.name}, head of journal entry {second.split(' ')[2]}"
    # A head on its way to the file is not missing yet.
    assert found(event) == [(f"{file.name}, line 1", "seal")]
    with time_machine.travel(timezone.now() + GRACE + timedelta(seconds=1)):
        assert found(event) == [(f"{file.name}, line 1", "seal"), (gone, "row")]
    settings.HEADS_KEY = ""
    with pytest.raises(CommandError) as no:
        call_command("audit", event.slug, "--heads", str(file))
    assert no.value.returncode == 4


def test_the_head_is_printed_with_its_result(client: Any, file: Path):
    event = closed()
    page = client.get(f"/e/{event.slug}/results/").content.decode()
    assert f'data-head="{heads_posted(event)[-1].code}"' in page
    simulated = event_make(0, kind=Event.Kind.SIMULATION)
    assert not heads_behind(simulated)
