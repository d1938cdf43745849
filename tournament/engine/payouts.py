"""Prizes from a pool: fixed amounts, shares or both, to the cent and to the last cent (T30–T32).

| rule                                            | clause | where                |
|-------------------------------------------------|--------|----------------------|
| at least two places are paid                    | T30    | ``structure_check``  |
| a place never pays more than the one before it  | T32    | ``structure_check``  |
| buy-ins less the fee, raised to the guarantee   | T32    | ``pool``             |
| rounded down, largest remainder, rest to first  | T32    | ``payout_table``     |
| more paid places than entries are refused       | T32    | ``payout_table``     |
| a fixed amount and a share of the pool together | T32    | ``payout_table``     |
| prizes may be more than the pool, or less       | T32    | ``difference_cents`` |
| tied prizes that are not played for are split   | T33    | ``split_equally``    |

Money is in cents. A share is in basis points: 10,000 are the whole pool.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ground.refused import Refused

FIXED: Final = "fixed"
SHARES: Final = "shares"
BOTH: Final = "both"
KINDS: Final = (SHARES, FIXED, BOTH)
WHOLE_POOL_BP: Final = 10_000
PLACES_PAID_MIN: Final = 2
PLACES_PAID_MAX: Final = 1_000

_TEMPLATES_BP = {
    2: (6500, 3500),
    3: (5000, 3000, 2000),
    4: (4500, 2700, 1700, 1100),
    5: (4200, 2500, 1500, 1000, 800),
    6: (4000, 2400, 1400, 1000, 700, 500),
    7: (3800, 2200, 1350, 950, 700, 550, 450),
    8: (3600, 2100, 1300, 900, 700, 550, 450, 400),
    9: (3400, 2000, 1250, 900, 700, 550, 450, 400, 350),
    10: (3300, 1900, 1200, 850, 650, 550, 450, 400, 375, 325),
}


@dataclass(frozen=True, slots=True)
class Structure:
    """A payout structure: ``kind`` is ``fixed`` (``amounts`` in cents), ``shares`` (in basis points), or
    ``both``: ``amounts`` in basis points, each added to the ``fixed`` amount in cents of the same place."""

    kind: str
    amounts: tuple[int, ...]
    fixed: tuple[int, ...] = ()

    @property
    def lists(self) -> tuple[tuple[int, ...], ...]:
        """The lists of amounts; each has one amount for every place."""
        return (self.amounts, self.fixed) if self.kind == BOTH else (self.amounts,)


def structure_check(structure: Structure) -> None:
    """Refuse a structure that cannot be posted, with the reason."""
    amounts = structure.amounts
    if structure.kind not in KINDS:
        raise Refused(
            "payout_kind",
            "Prizes are fixed amounts, shares of the pool or both together, not %(kind)s.",
            kind=f"{structure.kind!a}",
        )
    _places_check(len(amounts))
    if any(len(each) != len(amounts) for each in structure.lists):
        raise Refused("payout_amounts", "Every place needs a share and an amount in figures, 0 for none.")
    for place, paid in enumerate(zip(*structure.lists, strict=True), start=1):
        if max(paid) < 1 or min(paid) < 0:
            raise Refused(
                "prize_none",
                "Place %(place)s would be paid nothing. Give it a prize or end the list before it.",
                place=place,
            )
        if place > 1 and any(each[place - 1] > each[place - 2] for each in structure.lists):
            raise Refused(
                "prizes_rising",
                "Place %(place)s would be paid more than place %(place_2)s.",
                place=place,
                place_2=place - 1,
            )
    if structure.kind != FIXED and sum(amounts) != WHOLE_POOL_BP:
        raise Refused(
            "shares_wrong",
            "The shares must add up to %(whole)s; these add up to %(sum)s.",
            whole=percent(WHOLE_POOL_BP),
            sum=percent(sum(amounts)),
        )


def _places_check(places: int) -> None:
    if not PLACES_PAID_MIN <= places <= PLACES_PAID_MAX:
        raise Refused(
            "places_paid_few" if places < PLACES_PAID_MIN else "places_paid_many",
            "From %(least)s to %(most)s places can be paid, not %(places)s.",
            least=PLACES_PAID_MIN,
            most=f"{PLACES_PAID_MAX:,}",
            places=places,
        )


def share_text(share_bp: int) -> str:
    """Return a share in basis points as a percentage to type: 2750 → ``27.5``, 4000 → ``40``."""
    whole, rest = divmod(share_bp, 100)
    return f"{whole}.{rest:02}".rstrip("0") if rest else f"{whole}"


def percent(share_bp: int) -> str:
    """Return a share in basis points as a percentage to display: 2750 → ``27.5 %``."""
    return f"{share_text(share_bp)}\N{NO-BREAK SPACE}%"


def pool(buy_ins_cents: int, fees_cents: int, guarantee_cents: int) -> int:
    """Return the pool in cents: all buy-ins less all fees, raised to the posted guarantee (T32)."""
    if min(buy_ins_cents, fees_cents, guarantee_cents) < 0 or fees_cents > buy_ins_cents:
        raise ValueError("buy-ins, fees and guarantee are not negative, and fees are part of the buy-ins")
    return max(buy_ins_cents - fees_cents, guarantee_cents)


def payout_table(structure: Structure, pool_cents: int, entries: int, unit_cents: int = 1) -> list[int]:
    """Return the prize of every paid place in cents, first place first (T32).

    ``pool_cents`` is the part of the pool that shares divide (``Promise.divided_cents``). Shares add up to it
    exactly: each is rounded down to ``unit_cents``, remaining units go to the largest remainders (the better
    place if equal), and the remaining cents to first place. A fixed amount is added to a share. Refuses more
    paid places than ``entries``, and a place that would be paid nothing.
    """
    structure_check(structure)
    if unit_cents < 1 or pool_cents < 0:
        raise ValueError("the unit is at least one cent and the pool is not negative")
    if entries < PLACES_PAID_MIN:
        raise Refused(
            "entries_few",
            "Entries that can be paid: %(entries)s. At least %(least)s are needed.",
            entries=entries,
            least=PLACES_PAID_MIN,
        )
    if len(structure.amounts) > entries:
        raise Refused(
            "places_paid_many",
            "%(n)s places would be paid; entries that can be paid: %(entries)s. Pay fewer places.",
            n=len(structure.amounts),
            entries=entries,
        )
    if structure.kind == FIXED:
        return list(structure.amounts)
    prizes = _shares_of_pool(structure.amounts, pool_cents, unit_cents)
    if structure.kind == BOTH:
        prizes = [share + fixed for share, fixed in zip(prizes, structure.fixed, strict=True)]
    if min(prizes) < 1:
        place = prizes.index(min(prizes)) + 1
        raise Refused(
            "prize_none",
            "The pool is too small: place %(place)s would be paid nothing. Pay fewer places.",
            place=place,
        )
    return prizes


def difference_cents(prizes_cents: Iterable[int], pool_cents: int) -> int:
    """Return prizes less pool in cents: above 0 the house adds money, below 0 it keeps some (T32)."""
    return sum(prizes_cents) - pool_cents


def split_equally(cents: int, entries: Iterable[str]) -> dict[str, int]:
    """Return an amount split equally among entries; remaining cents go to the lowest codes, one each
    (T33)."""
    codes = sorted(entries)
    each_cents, left_over = divmod(cents, len(codes))
    return {code: each_cents + (i < left_over) for i, code in enumerate(codes)}


def template_structure(places: int) -> Structure:
    """Return suggested shares for ``places`` paid places, which add up to the whole pool."""
    _places_check(places)
    return Structure(SHARES, _TEMPLATES_BP.get(places) or _harmonic_bp(places))


def _harmonic_bp(places: int) -> tuple[int, ...]:
    """Return shares in proportion to 1/place, for more places than the templates have."""
    weights = [10**9 // place for place in range(1, places + 1)]
    shares = [WHOLE_POOL_BP * weight // sum(weights) for weight in weights]
    shares[0] += WHOLE_POOL_BP - sum(shares)
    return tuple(shares)


def _shares_of_pool(shares_bp: Sequence[int], pool_cents: int, unit_cents: int) -> list[int]:
    whole_unit = WHOLE_POOL_BP * unit_cents
    units = [pool_cents * share // whole_unit for share in shares_bp]
    remainders = [pool_cents * share % whole_unit for share in shares_bp]
    left_over = pool_cents // unit_cents - sum(units)
    # The sort is stable: with equal remainders the better place comes first.
    for place in sorted(range(len(units)), key=lambda i: -remainders[i])[:left_over]:
        units[place] += 1
    prizes = [each * unit_cents for each in units]
    prizes[0] += pool_cents % unit_cents
    return prizes
