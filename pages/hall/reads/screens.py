"""Answer in one query what a screen asks every few seconds: whether its picture has changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.postgres.functions import TransactionNow
from django.db.models import Exists
from django.utils import timezone

from pages.public.reads.public import FIRST_LANGUAGE, SHOWN, clock_tag_of, missing_entries, publication_of
from tournament.models import Event, HallScreen
from tournament.selectors.clocks import milliseconds


@dataclass(frozen=True)
class ScreenNow:
    """A screen as it stands: the tag of the standings, whether they are behind, what is composed and steered.

    ``publication`` names what of them the public is shown, ``clock`` names the clock of the event,
    ``language`` is the one in which it is drawn, ``now_ms`` is the server's time in milliseconds since 1970.
    ``pk`` and ``seen_at`` are None for a screen without a name.
    """

    standings_etag: str
    behind: bool
    rotation_version: int
    clock: str
    now_ms: int
    publication: str = ""
    language: str = ""
    pk: int | None = None
    shows: str = ""
    seen_at: datetime | None = None

    @property
    def is_to_be_noted(self) -> bool:
        """Whether the screen was last noted so long ago that it has to be noted again."""
        return self.seen_at is None or timezone.now() - self.seen_at > HallScreen.SEEN_EVERY

    @property
    def tag(self) -> str:
        """Return what changes with the picture, without the part that all screens share."""
        behind = "-behind" if self.behind else ""
        shown = f"{self.standings_etag or 'none'}{behind}-{self.rotation_version}-{self.clock}"
        return f"{shown}{self.publication}-{self.shows}-{self.language}"


def screen_now(slug: str, name: str = "") -> ScreenNow | None:
    """Return how a screen of a public event stands, drawn in the house's first language.

    None for an event or a name that is not there.
    """
    events = Event.objects.exclude(status=Event.Status.DRAFT).filter(slug=slug)
    found = events.annotate(behind=Exists(missing_entries()), now=TransactionNow(), language=FIRST_LANGUAGE)
    columns = ["standings__etag", "behind", "hall_rotation__version"]
    columns += ["status", "clock__version", "clock__ends_at", "now", *SHOWN, "language"]
    if name:
        found = found.filter(hall_screens__name=name)
        columns += ["hall_screens__pk", "hall_screens__shows", "hall_screens__seen_at"]
    row = found.values_list(*columns).first()
    if row is None:
        return None
    etag, behind, rotation, status, version, ends_at, now, event_id, mode, language, *named = row
    clock, published = clock_tag_of(status, version, ends_at, now), publication_of(event_id, mode, now=now)
    told = clock, milliseconds(now), published, language or ""
    return ScreenNow(etag or "", behind, rotation or 0, *told, *named)
