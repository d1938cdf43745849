"""Names in a form to display beside other text, and in a form to compare."""

from __future__ import annotations

import re
import unicodedata

FROM_HERE, TO_HERE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
LONGEST = 200
# Letters that are not a plain letter with an accent.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
# Cyrillic and Greek letters that look like a Latin one, as a capital or as a small letter.
_ALIKE = str.maketrans("авекмнорстухіјѕһԁԛԝαβεζηικμνορτυχ", "abekmhopctyxijshdqwabezhikmnoptyx")
# Characters that are easily taken for another one: a capital i or a one for an l, a small Greek nu for a v.
_SEEN = str.maketrans("I1|0ӀӏІΙνυηγσωɑɡɩօսոհцгпьѵѡ", "lllollllvunyowagiounhurnbvw")
_APOSTROPHES = str.maketrans(dict.fromkeys("'`´’‘ʼʹ′."))
_UMLAUT = re.compile("(?<=[aou])e")


def isolated(name: str) -> str:
    """Return a name for a sentence or a line; a right-to-left name is isolated from the text beside it.

    Otherwise ``1 · דוד כ. · 5,600`` would be read with its figures swapped. Other names stay as they are.
    """
    if not name.isascii() and any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return f"{FROM_HERE}{name}{TO_HERE}"
    return name


def name_folded(*parts: str) -> str:
    """Return a full name without capitals, accents and word order: ``Lee Ann`` equals ``Ann Lee``.

    ``Müller`` equals ``Mueller``, ``Anna-Maria`` equals ``Anna Maria``, and letters that look alike are
    equal.
    """
    spaced = "".join(sign if sign.isalnum() else " " for sign in _plain(" ".join(parts)))
    folded = " ".join(sorted(_UMLAUT.sub("", spaced).split())) or " ".join(parts).casefold().strip()
    return folded[:LONGEST]


def _plain(text: str) -> str:
    """Return small letters without accents; letters that look like a Latin one are replaced by it."""
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES).casefold())
    bare = "".join(sign for sign in plain if unicodedata.category(sign)[0] != "M")
    return bare.translate(_PLAIN).translate(_ALIKE)


def logins_alike(one: str, other: str) -> bool:
    """Whether a reader could take one login for the other.

    For example ``anna`` with a letter of another script, ``aIice`` and ``alice``, ``d0ra`` and ``dora``,
    ``anna.berg`` and ``Anna Berg``.
    """
    return bool(_readings(one) & _readings(other))


def _readings(login: str) -> set[str]:
    """Return a login as it is spoken and as it is seen: only its letters and digits."""
    folds = (_plain(login), _plain(login.translate(_SEEN)))
    return {"".join(sign for sign in fold if sign.isalnum()) or login.casefold() for fold in folds}


def number_folded(number: str) -> str:
    """Return the letters and digits of an identity number: capitals, without accents, in Latin script."""
    plain = unicodedata.normalize("NFKC", number).casefold().translate(_ALIKE).upper()
    digits = (str(unicodedata.decimal(sign, sign)) for sign in plain)
    return "".join(sign for sign in digits if sign.isalnum())
