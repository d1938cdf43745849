"""What staff pages read back: the forms of a correction, boxes in use, standings after every command."""

import re
from typing import Any

import pytest
from django.db import InternalError, connection, transaction

from pages.director.views import seating as draw_pages
from tables.models import Deal
from tables.selectors.basis import draw_basis
from tables.services import draws, seating
from tables.services.corrections import deal_correct
from tests.cast import floor as cast
from tests.cast.at_tables import logged_in
from tests.cast.calls import at_once, refused
from tests.cast.factories import EntryFactory, EventFactory, new_key
from tests.cast.html import Node, read
from tournament.models import Event, StandingsSnapshot
from tournament.selectors.basis import holds
from tournament.selectors.moment import one_moment
from tournament.services import commits
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def sent(page: Node) -> dict[str, str]:
    """What the forms of a page would send as they stand: typed, ticked and chosen fields, none empty."""
    found: dict[str, str] = {}
    for node in page.walk():
        name, attrs = node.attrs.get("name", ""), node.attrs
        if node.tag == "textarea":
            found[name] = node.text
        elif node.tag == "select":
            found[name] = "".join(n.attrs["value"] for n in node.all("option") if "selected" in n.attrs)
        elif node.tag == "input" and ("checked" in attrs or attrs.get("type") in (None, "text", "number")):
            found[name] = attrs.get("value", "")
    return {name: value for name, value in found.items() if name and value}


def correction_form(deal: Deal, **query: str) -> dict[str, str]:
    address = f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/correct/"
    return sent(read(logged_in("director").get(address, query).content.decode()))


WORDS = ("win", "lose", "push", "natural", "surrender")
DOUBLED = ("win", "push")
SPLIT = {"hands": [{"result": "win"}, {"result": "lose", "doubled": 400}, {"result": "push"}]}


@pytest.mark.parametrize(
    ("outcome", "fields"),
    [
        *((cast.result(word), {"out-1": word}) for word in WORDS),
        *((cast.result(word, doubled=400), {"out-1": f"{word}_doubled"}) for word in DOUBLED),
        (SPLIT, {"out-1": "split", "hand-1-1": "win", "hand-1-2": "lose_doubled", "hand-1-3": "push"}),
        *(
            (
                {**cast.result(word), "insurance": 200, "insurance_won": won},
                {"out-1": word, "ins-1": "200", "insurance": "won" if won else "lost"},
            )
            for word, won in (("lose", True), ("win", False))
        ),
    ],
)
def test_T17_the_form_by_results_begins_with_every_field_of_the_hand(outcome, fields):
    deal = cast.by_results(
        cast.shoe_of(cast.seated(3)), {1: 400, 2: 200}, {1: outcome, 2: cast.result("push")}
    )
    about = ("bet-", "out-", "hand-", "ins")
    found = {name: value for name, value in correction_form(deal).items() if name.startswith(about)}
    # Box 3 did not bet, which is an answer of its own.
    assert found == {"bet-1": "400", "bet-2": "200", "bet-3": "0", "out-2": "push", **fields}


def test_the_boxes_in_use_are_counted_over_all_tables():
    event = EventFactory(settings={"public_input": False, "tables_count": 2, "boxes_per_table": 4})
    EntryFactory(event=event)
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    page = read(logged_in("director").get(f"/staff/{event.slug}/boxes/").content.decode())
    tables = event.tables.count()
    assert [int(n) for n in re.findall(r"\d+", page.one(".sub"))] == [tables, 4 * tables, 1]


def test_T3_a_draw_without_a_box_for_everybody_is_refused_by_its_name():
    round_ = cast.seated(4, cut_after_round_1=3, cut_after_round_2=3)
    cast.hand(cast.shoe_of(round_), dict.fromkeys((1, 2, 3), 200), b1="win", b2="win", b3="win")
    cast.play_and_close(round_)
    lock = {"event_id": round_.event_id, "actor": None}
    round_.event.tables.update(boxes_out=[3, 4, 5, 6, 7])
    with refused("no_box"):
        draws.draw_lock(key=new_key(), **lock)
    round_.event.tables.update(boxes_out=[4, 5, 6, 7])
    assert draws.draw_lock(key=new_key(), **lock)["draw"]


@pytest.mark.django_db(transaction=True)
def test_T20_the_standings_follow_whatever_the_floor_does():
    """After each command the stored list is what would be made now: nothing waits for the next sweep."""

    def follows(made):
        kept = StandingsSnapshot.objects.get(event=event)
        kept.delete()
        standings_recompute(event_id=event.pk)
        assert kept.body == StandingsSnapshot.objects.get(event=event).body
        return made

    event = cast.event_make(4, cut_after_round_1=2, cut_after_round_2=2)
    standings_recompute(event_id=event.pk)
    round_ = follows(cast.draw_and_seat(event))
    shoe = cast.shoe_of(round_)
    everybody = dict.fromkeys((1, 2, 3, 4), 200)
    deal = follows(cast.hand(shoe, everybody, b1="win", b2="natural", b3="lose", b4="push"))
    follows(deal_correct(deal_id=deal.pk, void=True, reason="seen again", key=new_key(), actor=None))
    follows(cast.hand(shoe, everybody, b1="win", b2="natural", b3="lose", b4="push"))
    stack = cast.stack_at(round_, 4)
    mark = {"stack_id": stack.pk, "reason": "called away", "actor": None}
    follows(seating.stack_absent(absent=True, key=new_key(), **mark))
    follows(seating.stack_absent(absent=False, key=new_key(), **mark))
    follows(cast.shoe_over(shoe))
    follows(cast.count_both(shoe))
    follows(cast.close(round_))
    gone = cast.stack_at(round_, 2).entry_id
    follows(seating.entry_replace(entry_id=gone, reason="ill", key=new_key(), actor=None))
    follows(cast.draw_and_seat(event))


@pytest.mark.django_db(transaction=True)
def test_T20_the_standings_follow_the_seats_that_another_process_draws(monkeypatch):
    """As with a worker: the roster is locked by one command, the seats are drawn by another, later."""
    event, carry_out = cast.event_make(4), commits._send
    monkeypatch.setattr(
        commits, "_send", lambda task, *args: task == "tables.seat_round" or carry_out(task, *args)
    )
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    headlines = StandingsSnapshot.objects.filter(event=event).values_list("body__headline__state", flat=True)
    assert headlines.get() == "desk_open"
    draws.round_seat(draw_id=locked["draw"])
    assert headlines.get() == "seated"


@pytest.mark.django_db(transaction=True)
def test_seats_drawn_while_the_draw_page_is_read_are_seen_when_it_looks_again(monkeypatch):
    """Somebody else saves something once this part of the page has been read."""
    event, carry_out, read = cast.event_make(4), commits._send, draw_pages.draw_view
    monkeypatch.setattr(
        commits, "_send", lambda task, *args: task == "tables.seat_round" or carry_out(task, *args)
    )
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)

    def view(*args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(draw_pages, "draw_view", read)
        found = read(*args, **kwargs)
        (done,) = at_once(lambda: draws.round_seat(draw_id=locked["draw"]))
        assert not isinstance(done, Exception), done
        return found

    monkeypatch.setattr(draw_pages, "draw_view", view)
    floor, page = logged_in("floor"), f"/staff/{event.slug}/draw/"
    first = floor.get(page)
    assert first.context["step"] == "drawing"
    made_from = re.search(r"\?watch=([^\"]*)", first.content.decode())[1]
    assert made_from and not holds(draw_basis(event.pk), made_from)
    again = floor.get(f"{page}?watch={made_from}", headers={"HX-Request": "true"})
    assert again.headers["HX-Redirect"] == page
    assert floor.get(page).context["step"] != "drawing"


@pytest.mark.django_db(transaction=True)
def test_one_moment_shows_nothing_newer_and_refuses_to_write():
    event = cast.event_make(2)
    rename = lambda: Event.objects.filter(pk=event.pk).update(name="Another")  # noqa: E731 - said thrice
    with one_moment():
        first = Event.objects.get(pk=event.pk).name
        at_once(rename)
        assert Event.objects.get(pk=event.pk).name == first != "Another"
    assert Event.objects.get(pk=event.pk).name == "Another"
    with pytest.raises(InternalError, match="read-only"):
        one_moment()(rename)()
    # Afterwards the connection writes again, and sees what others write.
    assert rename() == 1
    with transaction.atomic(), one_moment(), connection.cursor() as cursor:
        cursor.execute("SHOW transaction_isolation")
        assert cursor.fetchone() == ("read committed",), "inside a transaction it does nothing"
