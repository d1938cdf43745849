"""Hand records from a file, which are never stored, and rulings on a hand (T17)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.contrib.auth.models import User

from games.blackjack.record import record_id
from games.registry import game_of, game_of_record
from ground.refused import Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tables.models import Deal
from tables.selectors.deals import ops_of
from tables.selectors.floor import house_rules

FILE_MOST_BYTES = 512 * 1024
FILE_MOST_RECORDS = 300


@dataclass(frozen=True)
class FileLine:
    """One record of a file: its line number, its value (None if it is no JSON), its refusal."""

    number: int
    record: object
    id: str | None
    refused: Refused | None


def file_read(content: bytes) -> list[FileLine]:
    """Return the records of a file or pasted text: one JSON object, or one a line. Settles each, stores
    nothing.

    Raises Refused ``nothing_given``, ``file_too_long``.
    """
    if len(content) > FILE_MOST_BYTES:
        raise Refused(
            "file_too_long",
            _("This is more than %(file_most_bytes)s kB. Settle long files with manage.py settle."),
            file_most_bytes=FILE_MOST_BYTES // 1024,
        )
    content = content.removeprefix(b"\xef\xbb\xbf")
    lines = [(number, line) for number, line in enumerate(content.splitlines(), start=1) if line.strip()]
    if not lines:
        raise Refused("nothing_given", _("Paste a hand record, or choose a file of them."))
    whole = _value(content)
    if isinstance(whole, dict):
        return [_line(lines[0][0], whole)]
    if len(lines) > FILE_MOST_RECORDS:
        raise Refused(
            "file_too_long",
            _(
                "There are %(n)s records. Up to %(most)s are replayed here; settle long files "
                "with manage.py settle."
            ),
            n=f"{len(lines):,}",
            most=FILE_MOST_RECORDS,
        )
    return [_line(number, _value(line)) for number, line in lines]


class _NotJson:
    """Marks a line that is not JSON."""


def _value(content: bytes) -> object:
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return _NotJson


def _no_constant(word: str) -> object:
    raise ValueError(word)


def _line(number: int, record: object) -> FileLine:
    if record is _NotJson:
        sentence = Sentence(_("Line %(number)s is not a JSON value."), number=number)
        return FileLine(number, None, None, Refused("bad_record", sentence))
    try:
        game_of_record(record).settle(record)
    except Refused as no:
        return FileLine(number, record, record_id(record), no)
    except RecursionError:
        return FileLine(
            number,
            None,
            None,
            Refused("bad_record", _("The record in line %(number)s is nested too deeply."), number=number),
        )
    return FileLine(number, record, record_id(record), None)


# Rulings on a hand of an event -----------------------------------------------------------------------


@dataclass(frozen=True)
class Ruled:
    """A ruling: the mistake, whether the hand was played on or is void, the reason, and the person."""

    said: str
    played_on: bool
    reason: str
    by: User | None


def rulings_of(deal: Deal) -> list[Ruled]:
    """Return the rulings on a hand that were not taken back. A corrected card has its present name."""
    taps = {tap["op"]["op"]: tap for tap in deal.taps if "ruling" in tap}
    if not taps:
        return []
    game = game_of(house_rules(deal.shoe.round))
    people = User.objects.in_bulk([tap["by"] for tap in taps.values() if tap["by"]])
    return [
        Ruled(game.op_words(op), tap["ruling"] == "play_on", tap["reason"], people.get(tap["by"]))
        for op in ops_of(deal.taps)
        if (tap := taps.get(op["op"]))
    ]
