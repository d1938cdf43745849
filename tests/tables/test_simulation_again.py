"""The same simulated night in processes of its own, whose strings hash differently."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.cast.simulated import comparable

ROOT = Path(__file__).resolve().parents[2]

# The command in a process of its own, on this test's database.
ELSEWHERE = """
import sys
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
import django
django.setup()
from django.core.management import call_command
call_command("simulate", "--entrants", "4", "--seed", "8", "--json")
"""


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_same_seed_is_the_same_night_with_any_hash_seed():
    def run(hash_seed: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-c", ELSEWHERE, connection.settings_dict["NAME"]],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "DJANGO_SETTINGS_MODULE": "config.settings"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert comparable(run("1")) == comparable(run("77"))
