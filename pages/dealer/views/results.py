"""Rows to enter bets and results box by box, at the table and in a correction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.protocol import Rules
from pages.dealer.games.part import LADDER_LONGEST
from pages.dealer.reads import Screen
from pages.dealer.views.felt import why_words
from pages.kit import number_or_0

Json = dict[str, Any]
HANDS_FIRST = 4
"""How many hands of a split box have fields at first."""


def ladder(rules: Rules) -> list[tuple[int, str]]:
    """Return the bets of a round as chips to tap, lowest first, each with its key (T12).

    Empty if there are too many. The key is the first digit, if no other bet has the same.
    """
    values = range(rules.min_chips, rules.max_chips + 1, rules.step_chips)
    if len(values) > LADDER_LONGEST:
        return []
    digits = [str(value)[0] for value in values]
    return [
        (value, digit if digits.count(digit) == 1 else "")
        for value, digit in zip(values, digits, strict=True)
    ]


def keys_help(
    entering: str, bets: Iterable[tuple[int, str]], outcomes: Iterable[tuple[str, Any, str]]
) -> str:
    """List the keys of this table for what is entered: ``hand``, ``bets`` or ``results``.

    ``bets``: the ladder, ``outcomes``: as the results form offers them.
    """
    if entering == "hand":
        return _("The key of a decision stands beside it, 8h enters a card, Backspace undoes, Enter settles.")
    digits = " ".join(key for _chips, key in bets if key)
    called = [_("%(keys)s bet for the next box.") % {"keys": digits}] if digits else []
    if entering == "bets":
        return " ".join([*called, _("The first card deals the hand, or Enter.")])
    words = ", ".join(f"{key.upper()} {str(said).lower()}" for _value, said, key in outcomes if key)
    came = [_("Box after box: %(keys)s.") % {"keys": words}] if words else []
    return " ".join([*called, *came, _("Enter settles.")])


def rows(shown: Screen, kept: Mapping[str, str], bets: Mapping[int, int], most: int) -> list[Json]:
    """Return a row for everybody at the table, with possible bets and the entries so far. ``bets``: the
    defaults if nothing was typed; ``most``: how many hands a box can have after splits."""
    made = []
    for row in shown.view.occupied:
        assert row.entry is not None
        made.append(
            {
                "box": row.box,
                "name": row.entry.player.public_name,
                "code": row.entry.code,
                "stack_chips": row.chips,
                "stack_id": row.stack.pk if row.stack else None,
                "absent": row.stack is not None and row.stack.state == row.stack.State.ABSENT,
                "may_bet": row.may_bet,
                "why": why_words(row),
                "button": row.button,
                "was": "" if shown.hand or bets.get(row.box) is None else str(bets[row.box]),
                **entered(row.box, kept, bets.get(row.box), most),
            }
        )
    return made


def from_the_button(rows: list[Json]) -> list[Json]:
    """Return the rows in the order in which bets are called: round the table from the button (T14)."""
    first = next((at for at, row in enumerate(rows) if row["button"]), 0)
    return [*rows[first:], *rows[:first]]


def same_bets(shown: Screen) -> dict[int, int]:
    """Return the bets of the last hand that can be repeated, as defaults."""
    last = shown.last.bets if shown.last and shown.hand is None else {}
    able = {row.box: row.chips for row in shown.view.occupied if row.may_bet}
    return {int(box): bet for box, bet in last.items() if bet <= (able.get(int(box)) or 0)}


def at_box(rows: list[Json], missing: str, asked: str) -> int:
    """Return the box to enter now: the requested one, else the first incomplete one, else the first."""
    able = [row for row in rows if row["may_bet"] or row["bet_stands"]]
    if any(str(row["box"]) == asked for row in able):
        return number_or_0(asked)
    return next((row["box"] for row in [*(r for r in able if not r[missing]), *able]), 0)


def entered(box: int, kept: Mapping[str, str], bet: int | None, most: int) -> Json:
    """Return the entries of a box: its bet, its outcome, the hands of a split, its insurance.

    It has the requested number of hands, and an empty one after the filled ones; ``more``: the next number to
    request, 0 once there are ``most``.
    """
    typed = kept.get(f"bet-{box}", "")
    filled = max((at for at in range(1, most + 1) if kept.get(f"hand-{box}-{at}")), default=0)
    shown = min(most, max(HANDS_FIRST, filled + 1, number_or_0(kept.get("hands", ""))))
    return {
        "bet_stands": bet,
        "bet": typed or ("" if bet is None else str(bet)),
        "out": kept.get(f"out-{box}", ""),
        "hands": [
            (at, kept.get(f"hand-{box}-{at}", ""), kept.get(f"dbl-{box}-{at}", ""))
            for at in range(1, shown + 1)
        ],
        "more": shown + HANDS_FIRST if shown < most else 0,
        "dbl": kept.get(f"dbl-{box}", ""),
        "ins": kept.get(f"ins-{box}", ""),
    }
