"""A database of the benches' own on the embedded server, dropped at their end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
NAME = f"bench_cutline_{os.getpid()}"


def django_begin(database: str = "") -> None:
    """Set up Django, on ``database`` if one is named."""
    import django
    from django.conf import settings

    if database:
        settings.DATABASES["default"]["NAME"] = database
    django.setup()


@contextmanager
def scratch_database() -> Iterator[str]:
    """Set up Django on a fresh, migrated database, as durable as the house's own; yields its name."""
    django_begin()
    from django.db import connection

    connection.settings_dict["TEST"]["NAME"] = NAME
    creation = connection.creation
    name = creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield name
    finally:
        connection.close()
        creation.destroy_test_db("postgres", verbosity=0)
