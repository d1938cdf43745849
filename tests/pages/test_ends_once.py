"""No sentence ends twice: where what was typed ends it, the page does not end it again."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.test import Client

from tables.services import dealing
from tests.cast import floor as cast
from tests.cast import hostile
from tests.cast.at_desk import Somebody
from tests.cast.every_page import addresses, people, world_of
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.pages import paid_and_handed_out
from tests.misread import ends_twice
from tournament.models import Event, House, Player
from tournament.services import asked
from tournament.services.people import player_check_refuse
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def stop_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every reason that somebody gives ends with a full stop, as sentences do."""
    clean = asked.reason_clean

    def stopped(reason: str) -> str:
        return f"{clean(reason).rstrip('.')}."

    for name, module in list(sys.modules.items()):
        app = name.split(".")[0]
        if app in ("tournament", "tables", "pages") and vars(module).get("reason_clean") is clean:
            monkeypatch.setattr(module, "reason_clean", stopped)


def name_juniors() -> None:
    """Everybody and everything has a name that ends with one."""
    junior = Concat(F("family_name"), Value(" Jr."))
    Player.objects.exclude(family_name__endswith=".").update(family_name=junior)
    some = list(Player.objects.order_by("pk").values_list("pk", flat=True))[::2]
    Player.objects.filter(pk__in=some).update(alias="Mr. T.")
    for user in User.objects.exclude(username__endswith="."):
        User.objects.filter(pk=user.pk).update(username=f"{user.username}.")
    for event in Event.objects.exclude(name__endswith="."):
        Event.objects.filter(pk=event.pk).update(name=f"{event.name} Inc.")
        standings_recompute(event_id=event.pk)
    House.objects.update(name="The Wonder Inc.")


def more_pages() -> list[str]:
    """Where a reason or a name ends a sentence: a table closed early, an alternate, somebody turned away."""
    early, waits = cast.seated(3), cast.seated(4, tables_count=1, boxes_per_table=3)
    shoe = cast.shoe_of(early)
    cast.hand(shoe, {1: 200, 2: 200, 3: 200}, b1="win", b2="lose", b3="lose")
    dealing.shoe_end(shoe_id=shoe.pk, reason="The cloth was wet.", key=new_key(), actor=None)
    event, away = EventFactory(), PlayerFactory()
    about = {"event_id": event.pk, "player_id": away.pk, "outcome": "under_age"}
    player_check_refuse(**about, key=new_key(), actor=UserFactory())
    return [
        f"/staff/{early.event.slug}/tables/1/",
        f"/staff/{waits.event.slug}/seating/",
        f"/staff/{event.slug}/desk/?player={away.pk}",
    ]


def test_what_is_said_of_a_name_after_a_change_ends_once() -> None:
    director = Somebody("director")
    dealer = UserFactory(username="k.l.", roles=["dealer", "floor"])
    director.press(f"/house/staff/{dealer.pk}/", roles=["dealer"], active="1")
    said = director.get("/house/staff/").content.decode()
    assert "k.l. is saved." in said
    assert not ends_twice(said)


# The pages are the same; of a rehearsal one person may be both.
@pytest.mark.parametrize(
    "kind", [Event.Kind.TOURNAMENT, pytest.param(Event.Kind.REHEARSAL, marks=pytest.mark.soak)]
)
def test_no_page_ends_a_sentence_twice(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_everything(monkeypatch)
    world = world_of(kind)
    paid_and_handed_out(world)
    where = {*addresses(world, people(world)).values(), *hostile.pages(world), *more_pages()}
    boss = UserFactory(is_superuser=True, username="house")
    name_juniors()
    clients: list[Any] = [Client(), Client()]
    clients[0].force_login(User.objects.get(pk=boss.pk))
    found, read = [], 0
    for client in clients:
        for path in sorted(where):
            answer = client.get(path)
            if "html" in answer.get("Content-Type", ""):
                read += 1
                found += [f"{path}: {each}" for each in ends_twice(answer.content.decode())]
    assert not found, "\n".join(sorted(set(found)))
    assert read > 100


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("<p>At most 2400.. Bet less.</p>", True),
        ("<p>Refused: <b>He left.</b>.</p>", True),
        ("<p>“He left.”.</p>", True),
        ("<p>One sentence. Another one… and …</p>", False),
        ("<pre>a..b</pre><p>../../etc</p>", False),
        ("<p>This card is 'A../../etc', which is none.</p>", False),
        ("<p>It is the players' lot.. No, the players' own.</p>", True),
    ],
)
def test_what_ends_twice_is_seen(text: str, twice: bool) -> None:
    assert bool(ends_twice(text)) == twice
