"""The long tests, part by part: `make soak`, `make soak PART=name SEED=number` (`python -m config.soak`).

They use random cases. A run prints its seed; the same seed gives the same cases. They are not part of CI:
they run before an issue is called resolved.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

from config.check import BASE_DIR, ON_ALL_CORES, print_table

BENCH = "bench"
BENCHES = [
    ["settle_bench.py", "--short"],
    ["deals.py", "--short"],
    ["simulate.py", "--short"],
    ["kernel.py", "speed", "--short"],
    ["kernel.py", "equal", "--short"],
    ["edge.py", "--short"],
    ["fold.py", "--short"],
    ["tower.py"],
    ["answers.py", "--short"],
    ["polls.py", "--short"],
]
"""Each bench script in its shortest form."""
REST = "rest"
PARTS: dict[str, list[str]] = {
    "hostile": [
        "tests/pages/test_hostile.py",
        "tests/pages/test_two_screens.py",
        "tests/pages/test_our_words.py",
    ],
    "pages": ["tests/pages/test_reason_asked.py", "tests/test_headers.py"],
    "browser": ["tests/e2e"],
    "kills": ["tests/soak/test_kills.py", "tests/config"],
    "opinions": ["tests/soak/test_second_opinion.py", "tests/games", "tests/plan", "tests/tournament/engine"],
    "nights": [
        "tests/tables/test_simulation.py",
        "tests/tables/test_sheets.py",
        "tests/tables/test_audit.py",
        "tests/tables/test_any_order.py",
        "tests/upgrade",
    ],
}
"""Each part and where its tests are; ``rest`` has all others, ``bench`` runs each bench script briefly."""


def main(words: list[str]) -> int:
    """Run the named parts, or all without a name; print a line for each."""
    os.chdir(BASE_DIR)
    given = dict(word.split("=", 1) for word in words if "=" in word and not word.endswith("="))
    part, seed = given.get("PART", ""), given.get("SEED") or str(random.randrange(1, 1_000_000))  # noqa: S311 - a seed
    known = [*PARTS, REST, BENCH]
    if (part and part not in known) or not seed.isdecimal():
        print(f"PART is one of {', '.join(known)}, not '{part}'; SEED is a number, not '{seed}'.")
        return 2
    print(f"Seed {seed}. The same again: make soak PART={part} SEED={seed}", flush=True)
    rows = [row for name in ([part] if part else known) for row in run_part(name, seed)]
    print_table(rows)
    print(f"Seed {seed}")
    return 0 if all(good for _, good, _ in rows) else 1


def run_part(name: str, seed: str) -> list[tuple[str, bool, float]]:
    """Run one part; return its name, whether it passed, its seconds."""
    print(f"== {name}", flush=True)
    env = {**os.environ, "CUTLINE_SEED": seed, "PYTHONHASHSEED": str(int(seed) % 2**32), "HTTPS": "0"}
    if name == BENCH:
        return [
            run(f"bench/{each[0]}", [sys.executable, f"bench/{each[0]}", *each[1:]], env) for each in BENCHES
        ]
    command = [sys.executable, "-m", "pytest", *ON_ALL_CORES, "-q", "-m", "soak", f"--hypothesis-seed={seed}"]
    return [run(name, [*command, *paths_of(name)], env)]


def paths_of(name: str) -> list[str]:
    """Return the arguments of pytest for a part."""
    if name != REST:
        return PARTS[name]
    return ["tests", *(f"--ignore={path}" for paths in PARTS.values() for path in paths)]


def run(name: str, command: list[str], env: dict[str, str]) -> tuple[str, bool, float]:
    """Run one command; a part without a test counts as failed."""
    start = time.monotonic()
    done = subprocess.run(command, env=env, check=False)  # noqa: S603 - the lists above
    return name, done.returncode == 0, time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
