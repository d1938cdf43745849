"""Parts of pages that the tests of several pages read."""

from __future__ import annotations

import re

from django.urls import reverse

from pages.director.forms.setup import SetupForm, initial_of
from pages.director.reads.floor_facts import table_lines
from pages.director.reads.tonight import whats_next
from pages.public.views import urlpatterns
from tables.models import Deal
from tests.cast import floor
from tests.cast.at_tables import logged_in
from tests.cast.every_page import World
from tests.cast.factories import round_seat
from tests.cast.playing import event_with, win
from tests.cast.worlds import kept
from tournament.models import Event
from tournament.selectors.next_steps import state_now
from tournament.selectors.stages import current_round
from tournament.services.payments import prize_pay
from tournament.services.refunds import refund_hand_out
from tournament.services.standings import standings_recompute


def setup_fields(event, **changed):
    form = SetupForm(initial=initial_of(event.name, event.settings))
    return {name: form[name].value() or "" for name in form.fields} | changed


def next_of(event):
    event = Event.objects.get(pk=event.pk)
    _lines, facts = table_lines(current_round(event))
    return whats_next(event, facts, state_now(event))


def public_rows(event: Event) -> list[tuple[str, str, str]]:
    """The public rows: place, entry, what is said beside the name; a line is ``("line", label, "")``."""
    standings_recompute(event_id=event.pk)
    html = logged_in().get(f"/e/{event.slug}/").content.decode()
    found = []
    for kind, attributes, inside in re.findall(r'<li class="(srow|cutrow)([^>]*)>(.*?)</li>', html, re.S):
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", inside)).strip()
        if kind == "cutrow":
            found.append(("line", words, ""))
            continue
        where = re.search(r'class="where">([^<]*)<', inside)[1].split(" · ")
        said = [each for each in where[1:] if not each.startswith("table ")]
        found.append((re.search(r'data-place="([^"]*)"', attributes)[1], where[0], " ".join(said)))
    return found


def paid_and_handed_out(world: World) -> None:
    """So that the receipts are there to be printed."""
    for event, act in ((world.finished, prize_pay), (world.called_off, refund_hand_out)):
        entry = event.entries.get(code="E001")
        act(entry_id=entry.pk, identity_checked=True, key=f"mark:{event.pk}", actor=None)


def hands_played(entrants: int) -> Event:
    """An event of so many entrants, 14 hands into round 1."""
    event = event_with(entrants)
    round_ = round_seat(event)
    codes = [f"E{n:03}" for n in range(1, entrants + 1)]
    for hand in range(14):
        nets = {code: ((n * 7 + hand * 5) % 11 - 5) * 200 for n, code in enumerate(codes)}
        win(round_, **{code: net for code, net in nets.items() if abs(net) <= 400})
    standings_recompute(event_id=event.pk)
    return event


@kept
def round_1_posted() -> Event:
    """Eight entrants at two tables, round 1 closed after a hand: every public page has something to show."""
    round_ = floor.seated(8, boxes_per_table=4, cut_after_round_1=4, cut_after_round_2=3)
    bets = {1: 200, 2: 400, 3: 600, 4: 800}
    for table, word in ((1, "win"), (2, "lose")):
        floor.hand(floor.shoe_of(round_, table), bets, **{f"b{box}": word for box in bets})
    floor.play_and_close(round_)
    standings_recompute(event_id=round_.event_id)
    return round_.event


def public(event: Event) -> list[str]:
    deal = Deal.objects.filter(shoe__round__event=event, entries__has_key="1").earliest("pk")
    code = event.entries.get(pk=deal.entries["1"]).code
    given = {"slug": event.slug, "number": 1, "code": code, "pk": deal.pk, "step": 0}
    return [
        reverse(f"tournament:{each.name}", kwargs={name: given[name] for name in each.pattern.converters})
        for each in urlpatterns
    ]


def address(name: str, event: Event, *more: object) -> str:
    return reverse(f"tournament:{name}", args=[event.slug, *more])
