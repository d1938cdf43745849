"""What players read is there in every language, each at addresses of its own (ADR 27)."""

import json
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse, set_urlconf
from django.utils.translation import get_language, override

from config.messages import catalog_path, catalog_read, is_translated
from config.urls import addresses_in
from pages.guard import roles_at
from pages.languages import NAMES, PREFIX, path_in
from pages.templatetags.cutline import FACTS_MOST, card, kept
from tables.models import Deal
from tests.cast import every_page, hostile, playing
from tests.cast.at_desk import Somebody, staff
from tests.cast.factories import EntryFactory
from tests.cast.pages import public, round_1_posted
from tests.cast.pseudo import LANGUAGE, names_known, spoken, unmarked
from tests.cast.publication import publish
from tournament.models import Event, House
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db
FILES = ("/static/", "/house/", "/login")
TAGS = re.compile(r"<(?:a|link|main|div)\b[^>]*>")
ADDRESS = re.compile(r' (?:href|data-poll|data-hall)="(/[^"?#]*)')


def published(mode: str, minutes: int | None = None) -> Event:
    event = round_1_posted()
    publish(event, mode, minutes)
    return event


# What players read differs by these; the gate reads the first one.
STATES: dict[str, Callable[[], Event]] = {
    "between rounds": round_1_posted,
    "entries": lambda: EntryFactory(event=EntryFactory().event).event,
    "hidden": lambda: published("hidden"),
    "delayed": lambda: published("delayed", 5),
    "over": lambda: playing.finished(6, cut_after_round_1=5, cut_after_round_2=4),
    "paid": lambda: every_page.partly_paid(Event.Kind.TOURNAMENT),
    "rehearsal": lambda: every_page.partly_paid(Event.Kind.REHEARSAL),
    "place without a holder": lambda: every_page.place_unclaimed(Event.Kind.TOURNAMENT),
    "called off": lambda: every_page.called_off(Event.Kind.TOURNAMENT),
    "cut put right": lambda: every_page.cut_put_right().event,
    "tie": hostile.tied,
    "ruling waits": lambda: hostile.ruling_waits().event,
}


FIRST, *REST = STATES


def pages_of(event: Event) -> list[str]:
    """What players read of an event in any state."""
    board = reverse("tournament:leaderboard", args=[event.slug])
    tails = ["", "?you=E001", "?you=nobody", "standings", "seats/", "results/", "prizes/", "rules/"]
    tails += ["rules/poster/", "results/poster/", "draws/", "draws/1/", "entries/E001/", "tv/", "tables/1/"]
    deal = Deal.objects.filter(shoe__round__event=event, status=Deal.Status.SETTLED).order_by("pk").first()
    tails += [f"entries/E001/hands/{deal.pk}/{step}/" for step in range(3)] if deal else []
    return ["/", *(board + tail for tail in tails)]


PRINTED = ("entries/E001/receipt/", "refunds/E001/receipt/", "pay/E001/receipt/", "pay/E002/receipt/")


@pytest.mark.parametrize("state", [FIRST, *(pytest.param(each, marks=pytest.mark.soak) for each in REST)])
def test_every_word_that_players_read_is_marked_and_has_its_german(state: str) -> None:
    event, faults = STATES[state](), list[str]()
    standings_recompute(event_id=event.pk)
    names, catalog = names_known(), catalog_read(catalog_path("de"))
    cards = [f"seating/{round_.pk}/cards/" for round_ in event.rounds.all()]
    strangers, somebody = Client(), Somebody("cashier", "director", "manager")
    with spoken() as pseudo:
        for path in [*pages_of(event), *(staff(event, tail) for tail in (*PRINTED, *cards))]:
            on_paper = path.startswith("/staff/")
            answer = (somebody if on_paper else strangers).get(path_in(LANGUAGE, path))
            if answer.status_code == 200:
                found = unmarked(answer.content.decode(), names, printed=on_paper)
                faults += [f"not marked: {path}: {each}" for each in found]
    for used in sorted(pseudo.used):
        context, _, text = used.rpartition("\x04")
        message = catalog.get(text, context or None)
        if message is not None and not is_translated(message):
            faults.append(f"no German: {used!r}")
    assert not faults, "\n".join(["", *sorted(set(faults))])


def read(path: str) -> tuple[str, str, set[str]]:
    """The page, its language, and the addresses that it links to; not those of its twins."""
    answer = Client().get(path)
    assert answer.status_code == 200, path
    assert not {"accept-language", "cookie"} & set(answer.get("Vary", "").lower().split(", ")), path
    html = answer.content.decode()
    lang = re.search(r'<html lang="(\w+)"', html)
    assert lang is None or lang[1] == answer["Content-Language"], path
    tags = [tag for tag in TAGS.findall(html) if "hreflang" not in tag]
    linked = {found[1] for tag in tags for found in ADDRESS.finditer(tag) if not found[1].startswith(FILES)}
    return html, answer["Content-Language"], linked


def test_a_page_speaks_the_language_of_its_address_and_links_to_pages_of_it() -> None:
    event = round_1_posted()
    House.objects.update_or_create(pk=1, defaults={"language": "de"})
    board = reverse("tournament:leaderboard", args=[event.slug])
    asked = [(path, "en") for path in ("/", *public(event))]
    asked += [(board, ""), (board, "de"), (f"{board}standings", ""), (f"{board}tv/", "")]
    for path, language in asked:
        html, language_spoken, linked = read(path_in(language, path))
        assert language_spoken == (language or "de"), path
        assert [each for each in linked if path_in(language, each) != each] == [], path
        if "<html" in html:
            twins = re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)"', html)
            assert twins == [*((code, path_in(code, path)) for code in NAMES), ("x-default", path)], path


def test_a_tag_of_one_language_is_none_of_another_and_unchanged_says_its_own() -> None:
    event, client = round_1_posted(), Client()

    def asked(path: str, tag: str) -> tuple[int, str, str]:
        answer = client.get(path, headers={"If-None-Match": tag})
        return answer.status_code, answer["Content-Language"], answer["ETag"]

    for tail in ("", "standings", "tv/", "tv/slides", "tables/1/picture"):
        House.objects.update_or_create(pk=1, defaults={"language": "en"})
        path = f"/e/{event.slug}/{tail}"
        _, _, english = asked(path, '""')
        assert asked(path, english) == (304, "en", english), path
        assert asked(path_in("de", path), english)[:2] == (200, "de"), path
        House.objects.update(language="de")
        status, language, german = asked(path, english)
        assert (status, language) == (200, "de"), path
        assert asked(path, german) == (304, "de", german), path


def test_what_a_person_may_open_does_not_hang_on_the_language_that_was_asked_first() -> None:
    slug = round_1_posted().slug
    for asked in (path_in("de", f"/e/{slug}/"), f"/e/{slug}/"):
        for addresses, known in ((None, asked[1] == "e"), (addresses_in("de"), asked[1] == "d")):
            set_urlconf(addresses)
            try:
                assert roles_at(asked) == (() if known else None)
            finally:
                set_urlconf(None)


def test_an_address_in_no_language_of_ours_is_404_and_an_error_speaks_that_of_its_address() -> None:
    slug = round_1_posted().slug
    House.objects.update_or_create(pk=1, defaults={"language": "de"})
    absent = {f"/fr/e/{slug}/": "de", "/e/nothing/": "de", "/en/e/nothing/": "en", "/de/login": "de"}
    absent |= {"/de/house/": "de", f"/en/de/e/{slug}/": "en", "/staff/nothing/nothing/": "en"}
    for path, language in absent.items():
        answer = Client().get(path)
        assert (answer.status_code, answer["Content-Language"]) == (404, language), path
        assert f'<html lang="{language}"' in answer.content.decode(), path
    # An address without a slash at its end leads there from the one with a slash, in its language.
    ways = {
        "/login/?next=/house/": "/login?next=/house/",
        f"/de/e/{slug}/standings/": f"/de/e/{slug}/standings",
    }
    for path, there in ways.items():
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"]) == (301, there)
    assert Client().post("/login/").status_code == 404
    for path in (f"/de/e/{slug}/", "/de/e/nothing/"):
        Client().get(path)
        left = get_language(), reverse("tournament:leaderboard", args=[slug])
        assert left == ("en", f"/e/{slug}/"), "a request leaves nothing to its thread"
    assert Client().get("/de")["Location"] == "/de/"


def test_what_is_printed_for_a_player_is_there_in_every_language_and_its_code_leads_there() -> None:
    event, somebody = round_1_posted(), Somebody("cashier", "director")
    House.objects.update_or_create(pk=1, defaults={"language": "de"})
    for language in ("", *NAMES):
        answer = somebody.get(path_in(language, staff(event, "entries/E001/receipt/")))
        assert answer["Content-Language"] == (language or "de")
        assert f"testserver{path_in(language, f'/e/{event.slug}/')}?you=E001" in answer.content.decode()
    # What staff alone read is English, whatever the house's first language is.
    assert '<html lang="en"' in somebody.get(staff(event, "desk/")).content.decode()


def test_all_that_knows_addresses_knows_every_language() -> None:
    """Nginx, the worker of a phone, and what a phone installs; the pages' own memory reads our list."""
    front = (settings.BASE_DIR / "deploy/nginx.conf").read_text()
    assert front.count(f"(({'|'.join(NAMES)})/)?") == 2
    assert f"({'|'.join(NAMES)})(?=" in Client().get("/sw.js").content.decode()
    for code in NAMES:
        manifest = json.loads((settings.BASE_DIR / f"static/icons/manifest.{code}.webmanifest").read_text())
        assert (manifest["lang"], manifest["start_url"]) == (code, f"/{code}/")
        assert PREFIX.match(manifest["start_url"])


def test_a_cached_part_of_a_page_speaks_the_language_of_the_page_and_escapes_its_facts() -> None:
    for language, words in [("en", "8 of hearts"), ("de", "Herz 8"), ("en", "8 of hearts")]:
        with override(language):
            assert words in card("8h")
    assert 'aria-label="Bet of box &lt;b&gt;"' in kept("_ladder.html", box="<b>", bets=[])


def test_cached_parts_know_no_moment_no_person_and_no_address() -> None:
    """Their key holds their facts and the language, so nothing else may decide what they show."""
    texts = {path.name: path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")}
    names = {name for text in texts.values() for name in re.findall(r'{% kept "(?:\w+/)*(\w+\.html)"', text)}
    assert names
    # "_ladder.html" is drawn by the tag "bet_ladder", "_touch.html" is a part of "_box.html".
    for name in {*names, "_ladder.html", "_touch.html"}:
        assert not re.search(
            r"\|(date|time)|{% (now|url|csrf|page_)|request|user|perms|messages", texts[name]
        ), name
        assert set(re.findall(r'{% include "([^"]+)"', texts[name])) <= {"_touch.html"}


def test_a_part_with_long_facts_or_changing_templates_is_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_cached(box: str) -> bool:
        return kept("_ladder.html", box=box, bets=[]) is kept("_ladder.html", box=box, bets=[])

    assert (is_cached("1"), is_cached("1" * FACTS_MOST)) == (True, False)
    monkeypatch.setattr(settings, "DEBUG", True)
    assert not is_cached("1")
