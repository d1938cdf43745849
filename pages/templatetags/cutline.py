"""Filters and tags of the pages: figures, cards, chips, icons, navigation.

Figures are integers with their unit in the name; nothing here rounds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context, Engine
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from pages import art
from pages.guard import roles_at
from pages.languages import NAMES, path_in
from pages.words.cards import card_name
from pages.words.entrants import entrants_words, standing_words
from pages.words.naming import stage_named
from pages.words.stages import draw_purpose, stage_title
from tables.models import Table
from tables.selectors.clerks import table_kept
from tournament.engine.days import Start
from tournament.figures import DASH, chips, money, money_short, ordinal, percent, signed
from tournament.models import Event
from tournament.roles import AUDITOR, roles_of

register = template.Library()
for figure in (chips, money, money_short, ordinal, percent, signed):
    register.filter(figure)
for word in (draw_purpose, entrants_words, stage_named, stage_title, standing_words):
    register.filter(word)
register.simple_tag(card_name, name="cardname")


@register.filter
def or_house(name: str | None) -> str:
    """Return the name, or "the house" if no person acted."""
    return name or gettext("the house")


@register.filter
def sign_class(value: int | str | None) -> str:
    """Return the class for `signed`: `gain`, `loss` or `even`."""
    amount = int(value or 0)
    return "gain" if amount > 0 else "loss" if amount < 0 else "even"


@register.filter
def placelabel(place: int | str | None, tied: bool = False) -> str:
    """Return a place in a list; tied places carry a sign: `8`, `=8`."""
    if place is None or place == "":
        return DASH
    return f"={place}" if tied else str(place)


@register.filter
def start_words(start: Start | Mapping[str, str] | None, form: str) -> str:
    """Return a start, or one of a posting, with its time zone; empty if it is missing or out of range.

    ``form``: the name of a format of ``config/formats``, such as "START_FORMAT".
    """
    if not start:
        return ""
    found = start if isinstance(start, Start) else Start.read(start)
    try:
        return f"{date_format(found.local, form)} ({found.clock})"
    except (OverflowError, ValueError):
        return ""


@register.simple_tag
def card(code: str | None = "", size: str = "", *, on_felt: bool = False) -> SafeString:
    """Return a playing card for its code (`8h`, `Th` or `10h`, `JK`); face down for any other text.

    `size`: empty, `sm` or `lg`. `on_felt`: for `_felt.html`, which has the shapes of the suits.
    """
    return _card_drawn(get_language(), str(code or "").replace("10", "T"), size, on_felt)


@lru_cache(maxsize=1024)
def _card_drawn(_language: str | None, text: str, size: str, on_felt: bool) -> SafeString:
    known = len(text) == 2 and text[0] in art.RANKS and text[1] in art.SUITS
    body = art.card_body(text, on_felt=on_felt) if known else art.JOKER if text == "JK" else art.CARD_BACK
    kind = f"card-{text[1]}" if known else "card-down"
    extra = f" card-{size}" if size in ("sm", "lg") else ""
    return format_html(
        '<svg class="card {}{}" viewBox="0 0 48 68" role="img" aria-label="{}">{}</svg>',
        kind,
        extra,
        card_name(text if known or text == "JK" else ""),
        mark_safe(body),  # noqa: S308 - built from constants and a checked code
    )


FACTS_MOST = 16_384
"""Parts with longer facts are not cached: what somebody types is among the facts and can be of any length."""


@register.simple_tag
def kept(name: str, **facts: Any) -> SafeString:
    """Return the template of this name, drawn from these facts alone and cached by them."""
    # JSON turns lazy words into text in the language of the page.
    text = json.dumps(facts, default=str)
    # With DEBUG a template may be changed while the process runs.
    cached = len(text) <= FACTS_MOST and not settings.DEBUG
    draw = _drawn if cached else _drawn.__wrapped__
    return draw(get_language(), name, text)


@lru_cache(maxsize=1024)
def _drawn(_language: str | None, name: str, facts: str) -> SafeString:
    # Numbers are ids and boxes; figures use a filter.
    return Engine.get_default().get_template(name).render(Context(json.loads(facts), use_l10n=False))


@register.simple_tag
def bet_ladder(
    row: Mapping[str, Any],
    ladder: Iterable[tuple[int, str]],
    *,
    correcting: bool = False,
    required: bool = False,
) -> SafeString:
    """The bets of a box as chips to tap (`_ladder.html`); those beyond its stack are grey.

    `row`: the box with its `bet` and `stack_chips`. `correcting`: the stack of a recorded hand bars nothing.
    """
    bets = [(value, key, correcting or value <= row["stack_chips"]) for value, key in ladder]
    facts = {"box": row["box"], "bet": row["bet"], "correcting": correcting, "required": required}
    return kept("_ladder.html", bets=bets, **facts)


@register.simple_tag
def suit(letter: str) -> SafeString:
    """Return the shape of a suit (`s`, `h`, `d`, `c`) for a key; the key has the words."""
    return mark_safe(art.suit_svg(letter))  # noqa: S308 - KeyError for anything but the four letters


@register.simple_tag
def felt_pips() -> SafeString:
    """Return the shapes of the suits, once for all cards of a felt."""
    return mark_safe(art.felt_pips())  # noqa: S308 - constants


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return a line icon by name (`pages.art.ICONS`), hidden from screen readers: put words beside it."""
    return mark_safe(  # noqa: S308 - constants
        f'<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">{art.ICONS[name]}</svg>'
    )


@register.simple_tag
def chip(value: int) -> SafeString:
    """Return a chip from above with its value in chips."""
    return mark_safe(art.chip_svg(int(value)))  # noqa: S308 - an integer


@register.simple_tag
def spark(values: Iterable[int] | None) -> SafeString:
    """Return a line through a history of stacks in chips, oldest first."""
    return mark_safe(art.spark_svg([int(value) for value in values or []]))  # noqa: S308 - integers


@register.simple_tag
def share_bar(value: int | None, whole: int | None) -> SafeString:
    """Return a hairline whose length is `value` in proportion to `whole`, for the foot of a row."""
    permille = min(1000, max(0, int(value or 0) * 1000 // max(1, int(whole or 0))))
    return format_html(
        '<svg class="share" aria-hidden="true"><rect width="{}.{}%" height="100%"/></svg>',
        permille // 10,
        permille % 10,
    )


# Icon, path below the event, words. The view says who may open it (`role_required`).
EVENT_SECTIONS: list[tuple[str, str, Any]] = [
    ("tonight", "", _("Tonight")),
    ("setup", "setup/", _("Set-up")),
    ("desk", "desk/", _("Desk")),
    ("draw", "draw/", _("Draw")),
    ("seating", "seating/", _("Seating")),
    ("tables", "tables/", _("Tables")),
    ("screen", "hall/", _("Hall")),
    ("payouts", "payouts/", _("Payouts")),
    ("pay", "pay/", _("Pay")),
    ("requests", "requests/", _("Second person")),
    ("journal", "journal/", _("Journal")),
]
HOUSE_SECTIONS: list[tuple[str, str, Any]] = [
    ("events", "", _("Events")),
    ("setup", "settings/", _("House settings")),
    ("staff", "staff/", _("Staff")),
    ("requests", "requests/", _("Second person")),
    ("warn", "exceptions/", _("Exceptions")),
    ("journal", "journal/", _("Journal")),
]
PUBLIC_TABS: list[tuple[str, Any]] = [
    ("leaderboard", _("Standings")),
    ("seats", _("Seats")),
    ("results", _("Results")),
    ("prizes", _("Prizes")),
    ("rules", _("Rules")),
    ("draws", _("Draws")),
]


def _slug(event: Any) -> str:
    """Return the slug of an event, a row or a snapshot's mapping."""
    return str(event["slug"] if isinstance(event, dict) else event.slug)


def _board(event: Any) -> str:
    return reverse("tournament:leaderboard", kwargs={"slug": _slug(event)})


def _user(context: dict[str, Any]) -> Any:
    return getattr(context.get("request"), "user", None) or context.get("user")


def _may_open(user: Any, path: str) -> bool:
    """Whether this person may read the page at `path`; False if there is none."""
    roles = roles_at(path)
    return roles == () or bool(roles and roles_of(user) & {*roles, AUDITOR})


@register.simple_tag(takes_context=True)
def staff_sections(context: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the back-office links that this person may open: of the event in `event`, else of the house."""
    event, user = context.get("event"), _user(context)
    base = f"/staff/{_slug(event)}/" if event else "/house/"
    sections = EVENT_SECTIONS if event else HOUSE_SECTIONS
    links = [
        {"icon": name, "href": base + tail, "label": label}
        for name, tail, label in sections
        if _may_open(user, base + tail)
    ]
    _mark_current(links, getattr(context.get("request"), "path", ""), base)
    if event:
        links.append({"icon": "events", "href": "/house/", "label": _("All events"), "apart": True})
        if isinstance(event, dict) or event.status != Event.Status.DRAFT:  # a draft has no public pages
            links.append({"icon": "phone", "href": _board(event), "label": _("Public page")})
    return links


@register.simple_tag(takes_context=True)
def public_tabs(context: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tabs of an event's public pages, with the open one marked."""
    part = {"slug": _slug(context["event"])}
    links = [
        {"href": reverse(f"tournament:{name}", kwargs=part), "label": label} for name, label in PUBLIC_TABS
    ]
    return _mark_current(links, getattr(context.get("request"), "path", ""), links[0]["href"])


@register.simple_tag(takes_context=True)
def page_languages(context: dict[str, Any]) -> list[dict[str, str]]:
    """Return the addresses of this page in every language, and without one; empty for staff pages."""
    request = context.get("request")
    found = getattr(request, "resolver_match", None)
    if request is None or not getattr(getattr(found, "func", None), "for_players", False):
        return []
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return [
        {"code": code, "name": name, "href": path_in(code, request.path) + query}
        for code, name in (*NAMES.items(), ("", ""))
    ]


def _mark_current(links: list[dict[str, Any]], path: str, base: str) -> list[dict[str, Any]]:
    """Mark the link above this path; the first page of a section only for its own path."""
    for link in links:
        exact = link["href"] == base
        link["current"] = path == link["href"] if exact else path.startswith(link["href"])
    return links


@register.simple_tag(takes_context=True)
def own_table(context: dict[str, Any]) -> Table | None:
    """Return the table that the person who is logged in keeps; None without one."""
    return table_kept(_user(context))


@register.simple_tag(takes_context=True)
def role_line(context: dict[str, Any]) -> str:
    """Name the person who is logged in, as `Mara V. · director`."""
    user = _user(context)
    if user is None or not getattr(user, "is_authenticated", False):
        return ""
    name = user.get_full_name() or user.get_username()
    return " · ".join([name, *sorted(roles_of(user) - {name})])
