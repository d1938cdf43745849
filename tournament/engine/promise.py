"""The promise of the posted rules about the pool, and whether prizes keep it (T32).

| rule                                                 | clause | where             |
|------------------------------------------------------|--------|-------------------|
| one of three: all of the pool, a share of it, a list | T32    | ``promise_wrong`` |
| shares divide the promised part of the pool          | T32    | ``divided_cents`` |
| prizes below the promise are refused, with both sums | T32    | ``shortfall``     |

Money is in cents. A share is in basis points: 10,000 are the whole pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ground.refused import Refused
from ground.words import Sentence
from tournament.engine.payouts import FIXED, WHOLE_POOL_BP, Structure, percent, structure_check

ALL_OF_POOL: Final = "pool"
SHARE_OF_POOL: Final = "share"
PRIZE_LIST: Final = "list"
PROMISES: Final = (ALL_OF_POOL, SHARE_OF_POOL, PRIZE_LIST)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Prizes that are less than promised, in cents: all prizes, or the prize of one ``place``."""

    paid_cents: int
    promised_cents: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Promise:
    """The promise of the rules: ``share_bp`` for a share, ``prizes_cents`` (by place) for a list."""

    kind: str = ALL_OF_POOL
    share_bp: int | None = None
    prizes_cents: tuple[int, ...] = ()

    def divided_cents(self, pool_cents: int) -> int:
        """Return the part of the pool that shares divide, in cents: the promised share, rounded up, or all of
        it."""
        if self.kind != SHARE_OF_POOL:
            return pool_cents
        return -(-pool_cents * (self.share_bp or 0) // WHOLE_POOL_BP)

    def promised_cents(self, pool_cents: int, entries: int) -> int:
        """Return the sum of the promised prizes, in cents; places beyond ``entries`` cannot be won and are
        not owed."""
        return sum(self.prizes_cents[:entries]) if self.kind == PRIZE_LIST else self.divided_cents(pool_cents)

    def shortfall(self, prizes_cents: Sequence[int], pool_cents: int, entries: int) -> Shortfall | None:
        """Return where ``prizes_cents`` (first place first) are below the promise; None if they keep it.

        A promised list is checked place by place.
        """
        promised_cents = self.promised_cents(pool_cents, entries)
        if sum(prizes_cents) < promised_cents:
            return Shortfall(sum(prizes_cents), promised_cents)
        owed = self.prizes_cents[:entries] if self.kind == PRIZE_LIST else ()
        paid = [*prizes_cents, *[0] * len(owed)]
        short = [Shortfall(paid[i], cents, place=i + 1) for i, cents in enumerate(owed) if paid[i] < cents]
        return short[0] if short else None


def promise_wrong(promise: Promise) -> list[tuple[str, str, Sentence]]:
    """Return the mistakes in the promise of a new event, as (setting, code, sentence)."""
    if promise.kind not in PROMISES:
        return []  # the choice is refused by its own name
    return [*_share_wrong(promise), *_list_wrong(promise)]


def _share_wrong(promise: Promise) -> list[tuple[str, str, Sentence]]:
    name, share_bp = "promised_share_bp", promise.share_bp
    if promise.kind != SHARE_OF_POOL:
        unused = Sentence("Leave the promised share empty, or choose to promise a share of the pool.")
        return [] if share_bp is None else [(name, "promise_unused", unused)]
    if share_bp is None:
        return [(name, "promise_missing", Sentence("Type the share of the pool that is promised."))]
    if 1 <= share_bp <= WHOLE_POOL_BP:
        return []
    sentence = Sentence(
        "The promised share must be from %(low)s to %(high)s.", low=percent(1), high=percent(WHOLE_POOL_BP)
    )
    return [(name, "out_of_range", sentence)]


def _list_wrong(promise: Promise) -> list[tuple[str, str, Sentence]]:
    name, prizes_cents = "promised_prizes_cents", promise.prizes_cents
    if promise.kind != PRIZE_LIST:
        unused = Sentence("Leave the promised prizes empty, or choose to promise a list of prizes.")
        return [(name, "promise_unused", unused)] if prizes_cents else []
    if not prizes_cents:
        return [(name, "promise_missing", Sentence("Type the promised prizes, first place first."))]
    if any(type(cents) is not int for cents in prizes_cents):
        return [(name, "wrong_kind", Sentence("The promised prizes are amounts in whole cents."))]
    try:
        structure_check(Structure(FIXED, prizes_cents))
    except Refused as no:
        return [(name, no.code, no.message)]
    return []
