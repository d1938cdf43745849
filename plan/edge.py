"""The house edge of a sheet: basic strategy, one box, flat bets, shoes cut as posted, on all cores.

Hands are played in blocks, each a function of the seed and its number alone, and integers are added up: the
same seed gives the same answer with any number of processes. Without numba the plain engine plays exactly the
same hands, slower.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any

from plan.blackjack.plain import plain_block
from plan.blackjack.sheets import CUT_FROM_END_CARDS, flat_bet
from plan.kernel.jit import HAS_NUMBA

BLOCK_HANDS = 100_000
BLOCKS_A_TASK = 10
"""Blocks that a process of the kernel plays between two reports of progress; the plain engine plays one."""

EVERY_HAND = 1
"""Hands per shoe if each hand is dealt from a fresh shoe."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job: hands of one box that bets ``bet_chips``; ``per_shoe`` 0 plays to the cut card.

    ``plain``: the plain engine plays them; it deals every shoe to the cut card.
    """

    rules: Any
    hands: int
    seed: int
    bet_chips: int
    cut_from_end: int = CUT_FROM_END_CARDS
    per_shoe: int = 0
    plain: bool = not HAS_NUMBA


@dataclass(frozen=True, slots=True)
class Nets:
    """The result of some hands: nets in chips, and their squares."""

    hands: int = 0
    net_chips: int = 0
    squares: int = 0

    def __add__(self, other: Nets) -> Nets:
        return Nets(self.hands + other.hands, self.net_chips + other.net_chips, self.squares + other.squares)


@dataclass(frozen=True, slots=True)
class Edge:
    """The house edge in % of the first bet, its standard error, the variance of a hand in bets²."""

    hands: int
    edge_percent: float
    se_percent: float
    variance: float


def job_make(rules: Any, hands: int, seed: int, **how: Any) -> Job:
    """Return a job with the smallest bet whose halves are whole chips."""
    return Job(rules, hands, seed, flat_bet(rules), **how)


def edge_of(found: Nets, bet_chips: int) -> Edge:
    """Return the edge from nets; NaN without hands."""
    if not found.hands:
        return Edge(0, math.nan, math.nan, math.nan)
    mean = found.net_chips / found.hands / bet_chips
    variance = found.squares / found.hands / bet_chips**2 - mean**2
    return Edge(found.hands, -100 * mean, 100 * math.sqrt(variance / found.hands), variance)


# -- blocks ----------------------------------------------------------------------------------------------


def tasks(job: Job) -> Iterator[tuple[int, int]]:
    """Yield the tasks of a job: first block, and hands."""
    size = BLOCK_HANDS * (1 if job.plain else BLOCKS_A_TASK)
    for first in range(0, job.hands, size):
        yield first // BLOCK_HANDS, min(size, job.hands - first)


def task_play(job: Job, first: int, hands: int) -> Nets:
    """Play ``hands`` hands from block ``first`` on."""
    found = Nets()
    for at in range(0, hands, BLOCK_HANDS):
        found += block_play(job, min(BLOCK_HANDS, hands - at), first + at // BLOCK_HANDS)
    return found


def block_play(job: Job, hands: int, block: int) -> Nets:
    """Play one block, by the kernel or by the plain engine."""
    if job.plain:
        return Nets(*plain_block(job.rules, job.bet_chips, hands, job.seed, block, job.cut_from_end))
    from plan.kernel.flat import NO_END, flat_once

    flat = flat_once(job.rules, job.bet_chips, job.cut_from_end, job.per_shoe or NO_END)
    sums = flat.play(hands, job.seed, block)
    return Nets(sums.rounds, sums.nets[0], sums.squares[0])


# -- over all cores --------------------------------------------------------------------------------------


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play(job: Job, *, processes: int, progress: Callable[[int], None]) -> tuple[Nets, bool]:
    """Play a job. Returns its nets, and whether it was played to its end; Ctrl-C returns the nets so far.

    ``progress`` is called with the number of hands played.
    """
    warm(job)
    if processes == 1:
        return _play_here(job, progress)
    return _play_beside(job, processes, progress)


def warm(job: Job) -> None:
    """Compute the strategy and compile, so that neither is timed or repeated in every process."""
    block_play(job, 1, 0)


def _play_here(job: Job, progress: Callable[[int], None]) -> tuple[Nets, bool]:
    found = Nets()
    try:
        for first, hands in tasks(job):
            found += task_play(job, first, hands)
            progress(found.hands)
    except KeyboardInterrupt:
        return found, False
    return found, True


def _begin(parent: int) -> None:
    """Make a worker process leave Ctrl-C to its parent, and end when the parent is gone."""
    signal(SIGINT, SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _play_beside(job: Job, processes: int, progress: Callable[[int], None]) -> tuple[Nets, bool]:
    # A forked process has the compiled code; if forks are unsafe it reads the code back.
    how = get_context("fork" if sys.platform == "linux" else "spawn")
    found, shares = Nets(), tasks(job)
    pool = ProcessPoolExecutor(processes, how, initializer=_begin, initargs=(os.getpid(),))
    waiting: set[Future[Nets]] = set()
    try:
        while True:
            for first, hands in shares:
                waiting.add(pool.submit(task_play, job, first, hands))
                if len(waiting) >= 2 * processes:
                    break
            if not waiting:
                return found, True
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            found = sum((each.result() for each in done), found)
            progress(found.hands)
    except KeyboardInterrupt:
        return found, False
    finally:
        pool.shutdown(cancel_futures=True)
