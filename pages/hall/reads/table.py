"""One table for the people around it: its players as the public standings have them, its button, its shoe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pages.hall.reads.slides import rows_seated
from tables.models import Table
from tables.selectors.floor import table_view
from tournament.models import Event
from tournament.selectors.floor import TableProgress
from tournament.selectors.hands_left import hands_about
from tournament.selectors.publication import rows_with_seats

Json = dict[str, Any]


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
