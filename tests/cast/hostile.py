"""Every form of every page, as a browser reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from tables.selectors.counts import boxes_to_count
from tables.services.counts import count_enter, count_rule
from tests.cast import floor as cast
from tests.cast.every_form import FORMS
from tests.cast.every_page import World
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.html import Node, tree
from tests.cast.worlds import kept
from tournament.models import Event
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

    @property
    def name(self) -> str:
        return f"{self.action} {self.fields.get('do', '')}".strip()

    def take(self, node: Node) -> None:
        """Keep what an element of the form sends, if it sends anything."""
        name, kind, value = node.attrs.get("name"), node.attrs.get("type"), node.attrs.get("value", "")
        if not name:
            return
        if node.tag == "button":
            self.buttons.append((name, value))
        elif node.tag == "select":
            options = sorted(node.all("option"), key=lambda each: "selected" not in each.attrs)
            chosen = [each.attrs.get("value", "") for each in options]
            self.fields[name] = next(filter(None, chosen), "")
        elif node.tag == "textarea":
            self.fields[name] = "".join(part for part in node.parts if isinstance(part, str))
        elif node.tag == "input" and (
            kind not in ("radio", "checkbox") or "checked" in node.attrs or name not in self.fields
        ):
            self.fields[name] = node.attrs.get("value", "on" if kind == "checkbox" else "")


def forms_of(page: str, html: str) -> list[Form]:
    """The forms of a page that post, each with what stands elsewhere and names it by ``form=``."""
    found, nodes = [], list(tree(html).walk())
    for node in nodes:
        if node.tag == "form" and node.attrs.get("method") == "post":
            form = Form(page, urlsplit(urljoin(page, node.attrs.get("action", ""))).path)
            elsewhere = [each for each in nodes if each.attrs.get("form", "") == node.attrs.get("id", each)]
            for each in (*(one for one in node.walk() if "form" not in one.attrs), *elsewhere):
                form.take(each)
            found.append(form)
    return found


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


def pages(world: World) -> list[str]:
    """A page of every form that there is, and those on which it differs with the state."""
    at = lambda thing, tail: f"/staff/{(getattr(thing, 'event', None) or thing).slug}/{tail}"  # noqa: E731 - a word
    hand, decided, settled, ruling = (
        cast.seated(3),
        cast.seated(3),
        world.deals[1],
        tied(tie_at_cut="director"),
    )
    cast.opened(cast.shoe_of(hand), {1: 200, 2: 400})
    cast.play_and_count(decided)
    return [
        *(
            "/login",
            "/house/staff/",
            "/house/events/new/",
            "/staff/replay/",
            at(EventFactory(), "desk/?q=nobody"),
        ),
        *(
            at(hand, "tables/1/"),
            at(hand, "tables/1/?amend=bet-1"),
            at(decided, f"rounds/{decided.pk}/close/"),
        ),
        *(at(ruling, f"rounds/{ruling.rounds.get().pk}/"), at(ruling_waits(), "requests/")),
        *(at(world.event, f"deals/{settled.pk}/correct/?how={how}") for how in ("cards", "void", "felt")),
        at(world.paid, "pay/E002/"),
        *(make().page for make in FORMS.values()),
    ]


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
