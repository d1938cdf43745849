"""The part of the catalogue for corrections that wait for the end of an open hand (T17)."""

from __future__ import annotations

from ground.words import gettext_noop as _
from tournament.arguments import ID, TEXT, WHOLE
from tournament.kinds import ANEW, HAND, NOBODY, Kind
from tournament.parts import by_entry, one_of, sentence
from tournament.roles import DIRECTOR

LATER: dict[str, Kind] = {
    "deal.correct_later": Kind(
        _("Correction waits for the end of a hand"),
        (DIRECTOR,),
        {"deal": ID, "reason": TEXT, **ANEW},
        (HAND, by_entry("noted.changes")),
    ),
    "deal.correct_lapse": Kind(
        _("Waiting correction not made"), NOBODY, {"deal": ID, "later": WHOLE}, (HAND, sentence("noted.why"))
    ),
    "deal.correct_drop": Kind(
        _("Waiting correction cleared"),
        (DIRECTOR,),
        {"deal": ID, "later": WHOLE},
        (HAND, one_of("noted.was", {"waits": _("taken back"), "lapsed": _("read why it was not made")})),
    ),
}
