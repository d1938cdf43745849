"""Every form of every page, as a browser reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from tables.selectors import boxes_to_count
from tables.services import draws
from tables.services.counts import count_enter, count_rule
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.every_form import a_hole_card_turned, chips_due
from tests.cast.every_page import World, cut_put_right, place_unheld
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.worlds import kept
from tournament.models import Event
from tournament.services.clocks import Until, clock_start
from tournament.services.penalties import penalty_add

# A sentence stands on the page: in a note, beside a field, or where the desk says why.
SENTENCE = re.compile(r'role="alert"|class="error"|aria-invalid="true"|note-bad|note-due')


@dataclass
class Form:
    """A form that posts: where to, what it would send as it stands, and its buttons."""

    page: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    form_id: str = ""

    @property
    def name(self) -> str:
        return f"{self.action} {self.fields.get('do', '')}".strip()


class Reader(HTMLParser):
    """Collects the posting forms of a page, radios with ``form=`` included."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.forms, self.open, self.select, self.area = page, list[Form](), None, "", ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urlsplit(urljoin(self.page, got.get("action", ""))).path
            self.open = Form(self.page, action, form_id=got.get("id", ""))
            if got.get("method") == "post":
                self.forms.append(self.open)
        target = next((f for f in self.forms if f.form_id and f.form_id == got.get("form")), self.open)
        if target is None or not (got.get("name") or self.select):
            return
        if tag == "button":
            target.buttons.append((got["name"], got.get("value", "")))
        elif tag in ("input", "textarea", "select"):
            self._field(target, tag, got)
        elif tag == "option" and ("selected" in got or not target.fields.get(self.select)):
            target.fields[self.select] = got.get("value", "")

    def _field(self, form: Form, tag: str, got: dict[str, str]) -> None:
        name, kind = got["name"], got.get("type", "text")
        if tag == "select":
            self.select = name
        elif tag == "textarea":
            self.area = name
        if kind in ("radio", "checkbox") and "checked" not in got and name in form.fields:
            return
        form.fields[name] = got.get("value", "on" if kind == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        if self.area and self.open is not None:
            self.open.fields[self.area] = data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        elif tag in ("select", "textarea"):
            self.select = self.area = ""
        elif tag == "textarea":
            self.area = ""


@kept
def tied(**settings: Any) -> Event:
    """Five players, three with the same chips for one seat: counted, the tie open."""
    round_ = cast.seated(5, cut_after_round_1=3, cut_after_round_2=2, **settings)
    words = {"b1": "win", "b2": "win", "b3": "lose", "b4": "lose", "b5": "lose"}
    cast.hand(cast.shoe_of(round_), dict.fromkeys(range(1, 6), 200), **words)
    cast.play_and_count(round_)
    return round_.event


@kept
def over() -> Any:
    """Round 1 with its shoe over, nothing counted."""
    round_ = cast.seated(3)
    cast.shoe_over(cast.shoe_of(round_))
    return round_


@kept
def drawing(confirm: bool) -> Event:
    """An event whose draw waits for its five cards, or for the second person."""
    event = cast.event_make(5, public_input=True)
    made = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    if confirm:
        draws.draw_cards(draw_id=made["draw"], cards="KH 4D 7S AC 2D", key=new_key(), actor=UserFactory())
    return event


def pages(world: World) -> list[str]:
    """Pages with every form that there is."""
    opened, closed = EventFactory(), playing.round_1_closed(5)
    EntryFactory(event=opened)
    somebody, timed = PlayerFactory(), EventFactory()
    clock_start(event_id=timed.pk, kind="break", until=Until(seconds=600), key=new_key(), actor=None)
    differ, first, cards, hand = over(), over(), cast.seated(3), cast.seated(3)
    alone = cast.seated(3, record_mode="counts")
    counts_differ(differ)
    cast.opened(cast.shoe_of(hand), {1: 200, 2: 400})
    decided = cast.seated(3)
    cast.play_and_count(decided)
    ruling, settled, cut = tied(tie_at_cut="director"), world.deals[1], cut_put_right()
    at = lambda thing, tail: f"/staff/{(getattr(thing, 'event', None) or thing).slug}/{tail}"  # noqa: E731 - a word
    return [
        *("/login", "/house/staff/", "/house/events/new/", "/house/settings/", "/staff/replay/"),
        *(
            f"/house/staff/{UserFactory(roles=['dealer']).pk}/",
            at(world.draft, "setup/"),
            at(world.draft, "setup/post/"),
        ),
        *(
            at(opened, "setup/"),
            at(opened, "start/"),
            at(opened, "clock/"),
            at(timed, "clock/"),
            at(opened, "hall/"),
            at(opened, "call-off/"),
            at(opened, f"desk/?player={somebody.pk}"),
            at(opened, "desk/?q=nobody"),
            at(opened, f"people/{somebody.pk}/"),
        ),
        *(at(opened, "entries/E001/"), at(world.event, "entries/E001/"), at(world.event, "requests/")),
        *(at(opened, "draw/"), at(drawing(False), "draw/"), at(drawing(True), "draw/"), at(cards, "draw/")),
        *(
            at(cards, "boxes/"),
            at(cards, f"seating/{cast_seat(cards)}/no-show/"),
            at(cards, f"seating/{cards.pk}/1/7/"),
            at(alone, f"rounds/{alone.pk}/begin/"),
        ),
        *(at(closed, "seating/replace/E001/"), at(cards, "tables/"), at(cards, "tables/1/?mode=cards")),
        chips_due().page,
        a_hole_card_turned().page,
        *(
            at(world.event, "tables/1/?mode=results"),
            at(hand, "tables/1/"),
            at(hand, "tables/1/?amend=bet-1"),
            at(first, "tables/1/count/"),
        ),
        *(
            at(ruling_waits(), "requests/"),
            at(differ, "tables/1/count/"),
            at(ruling, f"rounds/{ruling.rounds.get().pk}/"),
        ),
        *(
            at(decided, f"rounds/{decided.pk}/close/"),
            at(cut, f"rounds/{cut.pk}/stands/"),
            at(world.event, f"deals/{settled.pk}/correct/?how=results"),
        ),
        *(at(world.event, f"deals/{settled.pk}/correct/?how={how}") for how in ("cards", "void")),
        at(world.asked, f"requests/{world.asked.pk}/correction/"),
        at(world.event, f"requests/{world.request.pk}/disqualification/"),
        *(at(closed, "payouts/confirm/?kind=shares&a1=60&a2=40"), at(world.finished, "pay/E001/")),
        *(at(world.paid, "pay/E002/"), at(world.paid, "pay/E003/receipt/")),
        at(place_unheld(Event.Kind.TOURNAMENT), "payouts/sharing/"),
        *(
            at(world.finished, "payouts/confirm/?kind=fixed&a1=6000&a2=4000"),
            at(world.called_off, "refunds/E001/"),
        ),
    ]


def cast_seat(round_: Any) -> int:
    return int(round_.seats.first().pk)


def counts_differ(round_: Any) -> None:
    shoe = cast.shoe_of(round_)
    right = {box: stack.chips for box, stack in boxes_to_count(shoe).items()}
    for wrong in (0, 100):
        chips = {**right, 1: right[1] + wrong}
        count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())


@kept
def ruling_waits() -> Any:
    """Round 1 with its table counted twice, and a ruling on the count that waits for a second person."""
    round_ = over()
    counts_differ(round_)
    shoe = cast.shoe_of(round_)
    ruled = {**{box: stack.chips for box, stack in boxes_to_count(shoe).items()}, 1: 5200}
    count_rule(shoe_id=shoe.pk, chips=ruled, reason="found", key=new_key(), actor=UserFactory())
    return round_


def chips_asked(event: Event) -> None:
    """A second person is asked for chips of the first entry."""
    entry = event.entries.order_by("number")[0]
    about = {"entry_id": entry.pk, "kind": "chips", "chips": 200, "reason": "late"}
    penalty_add(**about, key=new_key(), actor=UserFactory())
