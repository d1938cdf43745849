"""Names as they are shown, without turning round what stands beside them, and as they are compared."""

from __future__ import annotations

import re
import unicodedata

FROM_HERE, TO_HERE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
LONGEST = 200
# Letters that no accent makes out of a plain one.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
# Cyrillic and Greek letters that look like a Latin one, as a capital or as a small letter.
_ALIKE = str.maketrans("авекмнорстухіјѕһԁԛԝαβεζηικμνορτυχ", "abekmhopctyxijshdqwabezhikmnoptyx")
# What is taken for another sign as it is written: a capital i or a one for an l, a small Greek nu for a v.
_SEEN = str.maketrans("I1|0ӀӏІΙνυηγσωɑɡɩօսոհцгпьѵѡ", "lllollllvunyowagiounhurnbvw")
_APOSTROPHES = str.maketrans(dict.fromkeys("'`´’‘ʼʹ′."))
_UMLAUT = re.compile("(?<=[aou])e")


def isolated(name: str) -> str:
    """A name for a sentence or a line: one that is written from the right keeps its neighbours in order.

    ``1 · דוד כ. · 5,600`` would otherwise be read with its figures swapped. Other names stay as they are.
    """
    if any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return f"{FROM_HERE}{name}{TO_HERE}"
    return name


def name_folded(*parts: str) -> str:
    """A whole name without capitals, accents and the order of its words: ``Lee Ann`` is ``Ann Lee``.

    ``Müller`` is ``Mueller``, ``Anna-Maria`` is ``Anna Maria``, and letters that look the same are the same.
    """
    spaced = "".join(sign if sign.isalnum() else " " for sign in _plain(" ".join(parts)))
    folded = " ".join(sorted(_UMLAUT.sub("", spaced).split())) or " ".join(parts).casefold().strip()
    return folded[:LONGEST]


def _plain(text: str) -> str:
    """Small letters without accents, each that looks like a Latin one taken for it."""
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES).casefold())
    bare = "".join(sign for sign in plain if unicodedata.category(sign)[0] != "M")
    return bare.translate(_PLAIN).translate(_ALIKE)


def logins_alike(one: str, other: str) -> bool:
    """Whether somebody who reads one login could take it for the other.

    ``anna`` with a letter of another script for ``anna``, ``aIice`` for ``alice``, ``d0ra`` for ``dora``,
    ``anna.berg`` for ``Anna Berg``.
    """
    return bool(_readings(one) & _readings(other))


def _readings(login: str) -> set[str]:
    """A login as it is said, and as it is seen: its letters and digits alone."""
    folds = (_plain(login), _plain(login.translate(_SEEN)))
    return {"".join(sign for sign in fold if sign.isalnum()) or login.casefold() for fold in folds}


def number_folded(number: str) -> str:
    """The letters and digits of an identity number, however they are typed: capitals, plain and Latin."""
    plain = unicodedata.normalize("NFKC", number).casefold().translate(_ALIKE).upper()
    digits = (str(unicodedata.decimal(sign, sign)) for sign in plain)
    return "".join(sign for sign in digits if sign.isalnum())
