"""Hand records settled per second, on one core, through the Python API.

    python bench/settle_bench.py [--seconds 2] [--short]

``--seconds`` is the time for each sheet. Prints one line per sheet, over the vectors of that sheet, including
refusals; writes nothing. While other programs run, the processor time shows the speed of the core alone.
"""

import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games.blackjack.record import answer  # noqa: E402 - found once the root is on the path
from games.blackjack.rules import SHEETS  # noqa: E402 - found once the root is on the path


def vectors(sheet: str) -> list[dict[str, object]]:
    """Return the vector records of one sheet, as they would come from a file."""
    found = []
    for path in sorted((ROOT / "tests" / "vectors").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record.get("rules") == sheet:  # The vectors of the cut have no rules.
                found.append({field: v for field, v in record.items() if field not in ("expect", "why")})
    return found


def rate(records: list[dict[str, object]], seconds: float) -> tuple[float, float]:
    """Return records per second by the clock and by processor time, over whole passes until ``seconds`` are
    over."""
    settled = 0
    started, used = time.perf_counter(), time.process_time()
    while True:
        for record in records:
            answer(record)
        settled += len(records)
        elapsed = time.perf_counter() - started
        if elapsed >= seconds:
            return settled / elapsed, settled / (time.process_time() - used)


def main() -> None:
    """Print one line per sheet."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--short", action="store_true", help="once over the vectors")
    args = parser.parse_args()
    seconds = 0.0 if args.short else args.seconds
    for sheet in SHEETS:
        records = vectors(sheet)
        by_clock, by_processor = rate(records, seconds)
        print(
            f"{sheet:10} {len(records):4} records {by_clock:10,.0f} records/s"
            f" {by_processor:10,.0f} by processor time"
        )


if __name__ == "__main__":
    main()
