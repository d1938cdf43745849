"""Answer in one query what a screen asks every few seconds: whether its picture has changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from pages.public.reads.public import FragmentTag, tag_and_columns
from tournament.models import Event, HallScreen


@dataclass(frozen=True)
class ScreenNow:
    """A screen as it stands: the tag of what phones poll, what is composed, and what it is made to show.

    ``pk`` and ``seen_at`` are None for a screen without a name.
    """

    told: FragmentTag
    rotation_version: int
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
        return f"{self.told.parts}-{self.rotation_version}-{self.shows}"


def screen_now(slug: str, name: str = "") -> ScreenNow | None:
    """Return how a screen of a public event stands, drawn in the house's first language.

    None for an event or a name that is not there.
    """
    events, columns = Event.objects.filter(slug=slug), ["hall_rotation__version"]
    if name:
        events = events.filter(hall_screens__name=name)
        columns += ["hall_screens__pk", "hall_screens__shows", "hall_screens__seen_at"]
    found = tag_and_columns(events, *columns)
    if found is None:
        return None
    told, (rotation_version, *of_the_screen) = found
    return ScreenNow(told, rotation_version or 0, *of_the_screen)
