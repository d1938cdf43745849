"""Format figures in the language of the page: chips, money, places.

Figures are integers with their unit in the name; nothing here rounds.
"""

from decimal import Decimal

from django.utils.formats import get_format, number_format
from django.utils.translation import get_language

from tournament.engine import payouts

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
SYMBOLS = {"USD": "$", "CAD": "$", "AUD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def chips(value: int | str | None) -> str:
    """Return chips with thousands grouped: 5600 → `5,600`; a dash for None."""
    if value is None or value == "":
        return DASH
    text = number_format(abs(int(value)), force_grouping=True)
    return MINUS + text if int(value) < 0 else text


def signed(value: int | str | None) -> str:
    """Return a change with its sign, a true minus for a loss: `+400`, `0`."""
    if value is None or value == "":
        return ""
    return ("+" if int(value) > 0 else "") + chips(value)


def money(cents: int | str | None, currency: str | None = "USD") -> str:
    """Return cents as money of `currency` (ISO code): 168000 → `$1,680.00`; in German `1.680,00 $`."""
    if cents is None or cents == "":
        return DASH
    amount = number_format(Decimal(abs(int(cents))) / 100, 2, force_grouping=True)
    return (MINUS if int(cents) < 0 else "") + _with_symbol(amount, currency)


def money_short(cents: int | str | None, currency: str | None = "USD") -> str:
    """Return `money`, but without zero cents: 168000 → `$1,680`."""
    if cents is None or cents == "" or int(cents) % 100:
        return money(cents, currency)
    amount = number_format(abs(int(cents)) // 100, force_grouping=True)
    return (MINUS if int(cents) < 0 else "") + _with_symbol(amount, currency)


def _with_symbol(amount: str, currency: str | None) -> str:
    code = str(currency or "USD").upper()
    if not _english():
        return f"{amount}\N{NO-BREAK SPACE}{SYMBOLS.get(code, code)}"
    return SYMBOLS[code] + amount if code in SYMBOLS else f"{code}\N{NO-BREAK SPACE}{amount}"


def _english() -> bool:
    return (get_language() or "en").startswith("en")


def percent(share_bp: int) -> str:
    """Return a share in basis points as a percentage: 2750 → `27.5 %`, in German `27,5 %`."""
    return payouts.percent(share_bp).replace(".", get_format("DECIMAL_SEPARATOR"))


def ordinal(place: int | str | None) -> str:
    """Return a place as an ordinal: 13 → `13th`; languages other than English write `13.`."""
    if place is None or place == "":
        return DASH
    number = int(place)
    if not _english():
        return f"{number}."
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"
