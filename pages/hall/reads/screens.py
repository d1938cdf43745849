"""What a screen in the hall is: whether its picture has changed, and one table for the people around it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from pages.hall.reads.slides import rows_seated
from pages.public.reads.public import FragmentTag, tag_and_columns
from tables.models import Table
from tables.selectors.table_view import table_view
from tournament.models import Event, HallScreen
from tournament.selectors.floor import TableProgress
from tournament.selectors.hands_left import hands_about
from tournament.selectors.publication import rows_with_seats

Json = dict[str, Any]


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


# One table ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableShown:
    """A table as the public sees it: ``players`` by box, of the stored standings.

    ``hands``: the settled hands of the shoe; None where hands are not recorded and while the standings are
    not live. ``hands_left``: about how many are left in it; None where nobody can say.
    """

    number: int
    players: list[Json]
    button: int | None = None
    hands: int | None = 0
    hands_left: int | None = None
    state: str = ""


def shoe_tag(slug: str, number: int) -> str | None:
    """Return what changes with the shoe of a table, in one query; None where there is no such table."""
    found = Table.objects.filter(event__slug=slug, number=number).order_by("-shoes__pk")
    facts = found.values_list("shoes", "shoes__status", "shoes__button_box", "shoes__cards_dealt").first()
    return None if facts is None else ".".join(str(each) for each in facts)


def table_shown(event: Event, body: Json, number: int) -> TableShown:
    """Read a table of an event that has it. No open hand is read: what is not settled is not public."""
    # Of a play-off alone: the seats of its round stand beside it until the round is closed.
    players = {row["box"]: row for row in rows_seated(body) if row.get("table") == number}
    view = table_view(Table.objects.select_related("event").get(event=event, number=number))
    shown = [players[box] for box in sorted(players)]
    then = _as_then(body, number, shown)
    if then is not None:
        # The hands of the shoe are those of now: they are not said beside stacks of before.
        return TableShown(number, then, hands=None, state=view.shoe.status if view.shoe else "")
    if view.shoe is None or not shown:
        return TableShown(number, shown)
    button = next((row.box for row in view.boxes if row.button), None)
    counts_alone = view.round is not None and view.round.counts_alone
    shoe = view.shoe
    progress = TableProgress(
        number, view.hands, shoe.status, shoe.pk, shoe.decks, shoe.cards_dealt, shoe.last_hand
    )
    if counts_alone or "publication" in body:
        # Not recorded, or hidden: neither which hand was the last nor how many are left.
        return TableShown(number, shown, button, hands=None, state=shoe.status)
    return TableShown(number, shown, button, view.hands, hands_about(progress), shoe.status)


def _as_then(body: Json, number: int, shown: list[Json]) -> list[Json] | None:
    """The players with their stacks of before, where the standings are delayed; None where they are not.

    Without a stack where the table has had others since, as after the draw of the next round.
    """
    if body.get("publication", {}).get("state") != "delayed":
        return None
    before = {row["box"]: row for row in rows_with_seats(body["sections"]) if row.get("table") == number}
    same = {row["box"]: row["code"] for row in shown} == {box: row["code"] for box, row in before.items()}
    return [{**row, **before[row["box"]]} for row in shown] if same else shown
