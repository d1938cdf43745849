"""Keeps a half-played event of this version for the next one: ``python -m tests.upgrade.dump VERSION``.

Run once at a release. It writes ``tests/upgrade/VERSION.sql.gz``: a rehearsal of 14 entrants in the middle of
round 2, with a disqualification that waits for its second person, an absence, a warning, a corrected hand and
an open one. The next version migrates it, plays it to its end and proves it (``test_release_before.py``).
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEFT_OUT = ("SET ", "SELECT pg_catalog.set_config", "\\", "--")
"""Lines of a dump that a newer or an older server, or a driver instead of psql, would not take."""


def main(version: str) -> None:
    """Make a database, play half an event in it, write it down."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.db import connection

    name = connection.creation.create_test_db(verbosity=0)
    try:
        half_a_night()
        text = dumped(name)
    finally:
        connection.creation.destroy_test_db("", verbosity=0)
    out = HERE / f"{version}.sql.gz"
    with gzip.GzipFile(out, "wb", 9, mtime=0) as file:
        file.write(text.encode())
    print(f"{out.name}: {out.stat().st_size // 1024} KB")


def half_a_night() -> None:
    """Fourteen entrants, twelve of them in round 2 with hands played at both tables."""
    from django.contrib.auth.models import Group, User

    from tables.models import Deal
    from tables.services import corrections, rehearsal, seating
    from tests.cast.factories import new_key
    from tournament.models import Entry, Event, Stack
    from tournament.roles import ROLES
    from tournament.services import entries, penalties

    for role in ROLES:
        User.objects.create(username=role).groups.add(Group.objects.get_or_create(name=role)[0])
    rehearsal.ENTRANTS = 14
    event = Event.objects.get(pk=rehearsal.rehearsal_make()["event"])
    director = User.objects.get(username="director")
    stacks = Stack.objects.filter(round__event=event, round__number=2).order_by("entry__number")
    asked = {"key": new_key(), "actor": director, "reason": "for the next version"}
    entries.entry_disqualify_request(entry_id=stacks[0].entry_id, **asked)
    penalties.penalty_add(entry_id=stacks[1].entry_id, kind="warning", **{**asked, "key": new_key()})
    seating.stack_absent(stack_id=stacks[2].pk, absent=True, **{**asked, "key": new_key()})
    last = Deal.objects.filter(shoe__round__number=2, status=Deal.Status.SETTLED).order_by("-pk")[0]
    corrections.deal_correct(deal_id=last.pk, void=True, **{**asked, "key": new_key()})
    assert Entry.objects.filter(event=event).count() == 14


def dumped(name: str) -> str:
    """The database as statements that any driver can send."""
    from django.db import connection

    from config.launch.embedded.places import find_places

    connection.ensure_connection()
    at = connection.connection.info
    ours = find_places().bin_dir / "pg_dump"
    where = [str(ours) if ours.exists() else "pg_dump", "-h", at.host, "-p", str(at.port), "-U", at.user]
    options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100", "--no-comments", name]
    done = subprocess.run([*where, *options], capture_output=True, text=True, check=True)
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith(LEFT_OUT))


if __name__ == "__main__":
    main(sys.argv[1])
