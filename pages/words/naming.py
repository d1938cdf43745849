"""Names of players and stages in sentences of staff pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from tournament.models import Entry, Event, Round


def entry_named(entry: Entry) -> str:
    """Return ``E001 Ann P.``: some readers know the number, others the person."""
    return f"{entry.code} {entry.player.public_name}"


def stage_named(round_: Round) -> str:
    """Return a stage inside a sentence: ``round 2``, ``the play-off of round 2``, ``sudden death 2``.

    ``Round.title`` is its name in headings.
    """
    words = {
        Round.Kind.ROUND: _("round %(n)s"),
        Round.Kind.PLAY_OFF: _("the play-off of round %(n)s"),
        Round.Kind.SUDDEN_DEATH: _("the sudden death"),
    }
    if round_.sequence > 1:
        words[Round.Kind.PLAY_OFF] = _("play-off %(nth)s of round %(n)s")
        words[Round.Kind.SUDDEN_DEATH] = _("sudden death %(nth)s")
    return words[Round.Kind(round_.kind)] % {"n": round_.number, "nth": round_.sequence}


def entries_named(event: Event | None, codes: Iterable[str]) -> Mapping[str, str]:
    """Map codes to ``E001 Ann P.``, in one query, or none without codes."""
    wanted = set(codes)
    if not wanted or event is None:
        return {}
    found = Entry.objects.filter(event=event, code__in=wanted).select_related("player")
    return {each.code: entry_named(each) for each in found}
