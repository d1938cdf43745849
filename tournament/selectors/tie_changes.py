"""What another payout structure would change for those who are tied (T31, T33)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.ties import TieGroup, group_priced
from tournament.models import Event, Round
from tournament.selectors.stages import group_from_dict, open_money_ties, play_is_over
from tournament.selectors.unheld import places_words


def ties_changed(event: Event, prizes_cents: Sequence[int]) -> list[str]:
    """Who would stop playing for money by these prizes, and who would begin to, in sentences."""
    if not play_is_over(event) or not prizes_cents:
        return []
    playing = _playing(event)
    ended = [group for group in playing if len(set(group_priced(group, prizes_cents).prizes_cents)) == 1]
    known = {code for group in playing for code in group.entries}
    began = [group for group in open_money_ties(event, prizes_cents) if not known & set(group.entries)]
    opens = event.status == Event.Status.FINISHED
    return [*map(_ended_words, ended), *begun_words(began, opens=opens)]


def begun_words(began: Sequence[TieGroup], *, opens: bool) -> list[str]:
    """Who would begin to play for money; ``opens``: the places were decided, and are open again."""
    return [*map(_began_words, began), *_again_words(began, opens)]


def _playing(event: Event) -> list[TieGroup]:
    """The ties for money that are played, or wait for their draw."""
    deaths = event.rounds.filter(kind=Round.Kind.SUDDEN_DEATH)
    stage = deaths.exclude(status=Round.Status.CLOSED).first()
    if stage is None:
        return open_money_ties(event)
    return [group_from_dict(data) for data in stage.stakes.get("groups", [])]


def _names(codes: Iterable[str]) -> str:
    *first, last = sorted(codes)
    return _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def _ended_words(group: TieGroup) -> str:
    words = _("%(who)s no longer play for %(places)s place: they would be paid the same.")
    return words % {"who": _names(group.entries), "places": places_words(group.places)}


def _began_words(group: TieGroup) -> str:
    words = _("%(who)s share %(place)s place and would play for it: they would be paid differently.")
    return words % {"who": _names(group.entries), "place": places_words(group.places[:1])}


def _again_words(began: Sequence[TieGroup], opens: bool) -> list[str]:
    if not opens or not began:
        return []
    return [
        ngettext(
            "The places are open again until that tie is decided.",
            "The places are open again until these ties are decided.",
            len(began),
        )
    ]
