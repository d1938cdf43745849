"""How many small faults the tests would notice.

    python bench/mutation.py [--target engine|reads] [--sample N] [--seed S] [--module NAME …] [--workers N]
                             [--seconds S] [--control N] [--map [--short] | --guess] [--again FILE]
                             [--out FILE]

Each fault changes one place of one module (``bench/faults.py``). A fault of the engine (``games/blackjack``)
is noticed if the vectors, some rounds of the second opinion, or the engine's own tests fail with it.
Services, reads and pages (``--target reads``) have the tests that execute the line (``bench/reads.py``). Not
part of CI: all of them take hours; a sample says how good the tests are. The survivors are looked at one by
one in docs/mutation.md.
"""

import argparse
import multiprocessing
import os
import pathlib
import random
import re
import signal
import sys
import time
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from bench import engine, reads
from bench.faults import Place, is_word, places

ONE_WORD_IN = 4
"""Of the faults of services, reads and pages one in so many is a word; of all there are, every second is."""


def run_one(given: tuple[Callable[[Place, int], str], Place, int, float]) -> tuple[Place, str]:
    """One fault in a child process of its own, so that nothing of it stays."""
    notices, place, line, seconds = given
    receive, send = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.setpgrp()
        try:
            send.send(notices(place, line))
        finally:
            os._exit(0)
    send.close()
    said = "hangs"
    if receive.poll(seconds):
        try:
            said = receive.recv()
        except EOFError:
            said = "ends"
    else:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return place, said


def drawn(found: list[Place], sample: int, seed: int, *, words: bool) -> list[Place]:
    """The sample; with ``words``, one in four is a word with an X before it."""
    if not sample or sample >= len(found):
        return found
    chance = random.Random(seed)
    if not words:
        return chance.sample(found, sample)
    some = chance.sample([place for place in found if is_word(place)], sample // ONE_WORD_IN)
    others = [place for place in found if not is_word(place)]
    mixed = some + chance.sample(others, sample - len(some))
    chance.shuffle(mixed)
    return mixed


def alive_in(kept: pathlib.Path, line_of: dict[Place, int]) -> list[Place]:
    """What was alive in an earlier run, and is still there: of those alike the one on the nearest line."""
    alive = re.findall(r"^(\S+?):(\d+): (.*)  \[(?:SURVIVED|\(.*\))\]$", kept.read_text(), re.MULTILINE)
    found = []
    for path, line, says in alive:
        alike = [place for place in line_of if (place[0], place[3]) == (path, says)]
        found += sorted(alike, key=lambda place: abs(line_of[place] - int(line)))[:1]
    return found


def main() -> None:
    """Draw a sample, run it, print the score and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--target", choices=("engine", "reads"), default="engine")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", nargs="*", help="paths from the root")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=90, help="of tests for one fault of a read")
    parser.add_argument("--control", type=int, default=0, help="so many times no fault at all (reads)")
    parser.add_argument(
        "--map", action="store_true", help="trace anew which test executes which line (reads)"
    )
    parser.add_argument("--short", action="store_true", help="with --map: without the long tests (reads)")
    parser.add_argument(
        "--guess", action="store_true", help="choose tests by imports, without a trace (reads)"
    )
    parser.add_argument("--again", default="", help="the --out of a run: put in again what was alive in it")
    parser.add_argument("--out", default="")
    chosen = parser.parse_args()
    target = reads if chosen.target == "reads" else engine
    if target is reads:
        reads.prepare(chosen.seconds, anew=chosen.map, short=chosen.short, guessed=chosen.guess)
    modules = chosen.module or target.modules()
    line_of = dict(found for module in modules for found in places(module, reads=target is reads))
    sample = (
        alive_in(pathlib.Path(chosen.again), line_of)
        if chosen.again
        else drawn(list(line_of), chosen.sample, chosen.seed, words=target is reads)
    )
    jobs = [(target.notices, place, line_of[place], target.SECONDS_AT_MOST) for place in sample]
    jobs += [
        (reads.passes, place, line_of[place], target.SECONDS_AT_MOST) for place in sample[: chosen.control]
    ]
    print(f"# seed {chosen.seed}: {len(sample)} of {len(line_of)} faults", flush=True)
    said = run(jobs[: len(sample)], chosen.workers, line_of)
    controls = run(jobs[len(sample) :], chosen.workers, line_of)
    summary = summed_up(said, len(line_of))
    if controls:
        failed = sum(map(is_noticed, controls.values()))
        summary += f"; without a fault {failed} of {len(controls)} failed"
    print(summary)
    if chosen.out:
        lines = [
            f"{place[0]}:{line_of[place]}: {place[3]}  [{by or 'SURVIVED'}]" for place, by in said.items()
        ]
        pathlib.Path(chosen.out).write_text("\n".join([summary, *sorted(lines)]) + "\n")


def run(
    jobs: list[tuple[Callable[[Place, int], str], Place, int, float]], workers: int, line_of: dict[Place, int]
) -> dict[Place, str]:
    """Run them, name the survivors as they are found."""
    started, said = time.time(), dict[Place, str]()
    with multiprocessing.get_context("fork").Pool(workers, maxtasksperchild=20) as pool:
        for place, by in pool.imap_unordered(run_one, jobs):
            said[place] = by
            if not is_noticed(by):
                print(f"{place[0]}:{line_of[place]}: {place[3]} {by}", flush=True)
            if len(said) % 20 == 0:
                noticed = sum(map(is_noticed, said.values()))
                print(
                    f"# {len(said)}/{len(jobs)}, noticed {noticed}, {time.time() - started:.0f} s", flush=True
                )
    return said


def is_noticed(by: str) -> bool:
    """Whether something failed: what stands in brackets says why nothing did."""
    return bool(by) and not by.startswith("(")


def summed_up(said: dict[Place, str], all_of_them: int) -> str:
    """The score, words apart, and what no test executes."""
    noticed = {place for place, by in said.items() if is_noticed(by)}
    words = [place for place in said if is_word(place)]
    parts = [f"{len(noticed)} of {len(said)} noticed ({len(noticed) / max(len(said), 1):.1%})"]
    parts.append(f"{len(noticed.intersection(words))} of {len(words)} words")
    for why in (reads.NOT_EXECUTED, reads.OUT_OF_TIME):
        parts.append(f"{sum(by == why for by in said.values())} {why[1:-1]}")
    return f"{'; '.join(parts)}; {all_of_them} faults in all"


if __name__ == "__main__":
    main()
