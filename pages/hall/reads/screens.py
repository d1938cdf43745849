"""The state of a screen in the hall, the tag of its picture, and the display of one table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from pages.hall.reads.slides import rows_seated
from pages.public.reads.public import FragmentTag, tag_and_columns
from tables.models import Table
from tables.selectors.table_view import table_view
from tournament.models import Event, HallScreen, Round
from tournament.selectors.floor import TableProgress
from tournament.selectors.hands_left import hands_about
from tournament.selectors.publication import rows_with_seats

Json = dict[str, Any]


@dataclass(frozen=True)
class ScreenNow:
    """A screen: the tag of the standings, the rotation, and the kind of slide that it is set to.

    ``pk`` and ``seen_at`` are None for a screen without a name.
    """

    standings: FragmentTag
    rotation_version: int
    pk: int | None = None
    shows: str = ""
    seen_at: datetime | None = None

    @property
    def is_to_be_noted(self) -> bool:
        """Whether the last note of the screen is so old that it must be renewed."""
        return self.seen_at is None or timezone.now() - self.seen_at > HallScreen.SEEN_EVERY

    @property
    def tag(self) -> str:
        """Return this screen's part of the tag of its picture."""
        return f"{self.standings.parts}-{self.rotation_version}-{self.shows}"


def screen_now(slug: str, name: str = "") -> ScreenNow | None:
    """Return a screen of a public event, in the house's first language.

    None if there is no such event or name.
    """
    events, columns = Event.objects.filter(slug=slug), ["hall_rotation__version"]
    if name:
        events = events.filter(hall_screens__name=name)
        columns += ["hall_screens__pk", "hall_screens__shows", "hall_screens__seen_at"]
    found = tag_and_columns(events, *columns)
    if found is None:
        return None
    standings, (rotation_version, *of_the_screen) = found
    return ScreenNow(standings, rotation_version or 0, *of_the_screen)


# One table ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableShown:
    """A table as the public sees it: ``players`` by box, from the stored standings.

    ``hands``: the number of settled hands of the shoe; None if hands are not recorded or the standings are
    not live. ``hands_left``: an estimate of the hands left in it; None if there is none.
    """

    number: int
    players: list[Json]
    button: int | None = None
    hands: int | None = 0
    hands_left: int | None = None
    state: str = ""


def shoe_tag(slug: str, number: int) -> str | None:
    """Return a tag of a table's shoe, in one query; None if there is no such table."""
    found = Table.objects.filter(event__slug=slug, number=number).order_by("-shoes__pk")
    facts = found.values_list("shoes", "shoes__status", "shoes__button_box", "shoes__cards_dealt").first()
    return None if facts is None else ".".join(str(each) for each in facts)


def table_shown(event: Event, body: Json, number: int) -> TableShown:
    """Return a table of the event. An open hand is not public, so it is not read."""
    # Of a play-off only its own rows: the seats of its round stay until the round is closed.
    players = {row["box"]: row for row in rows_seated(body) if row.get("table") == number}
    view = table_view(Table.objects.select_related("event").get(event=event, number=number))
    shown = [players[box] for box in sorted(players)]
    then = _as_then(body, number, shown)
    if then is not None:
        # The hands of the shoe are current, so they are not shown beside delayed stacks.
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
        # If hands are not recorded, or are hidden, show neither the last hand nor the hands left.
        return TableShown(number, shown, button, hands=None, state=shoe.status)
    # T23, T33: a tie ends with the hand that decides it, however long its shoe is.
    is_tie = view.round is not None and view.round.kind != Round.Kind.ROUND
    left = None if is_tie else hands_about(progress)
    return TableShown(number, shown, button, view.hands, left, shoe.status)


def _as_then(body: Json, number: int, shown: list[Json]) -> list[Json] | None:
    """Return the players with their delayed stacks; None if the standings are not delayed.

    Without stacks if the table has other players since, as after the draw of the next round.
    """
    if body.get("publication", {}).get("state") != "delayed":
        return None
    before = {row["box"]: row for row in rows_with_seats(body["sections"]) if row.get("table") == number}
    same = {row["box"]: row["code"] for row in shown} == {box: row["code"] for box, row in before.items()}
    return [{**row, **before[row["box"]]} for row in shown] if same else shown
