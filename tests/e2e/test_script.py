"""The small script in a real browser: themes, finding yourself, polling, keys, one press one command."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template

STATIC = Path(__file__).resolve().parents[2] / "static"
HOST = "http://cutline.test"
POLICY = {"Content-Security-Policy": "default-src 'self'"}
pytestmark = pytest.mark.browser

NAMES = ["Miro K.", "Zoë D.", "Ann B."]
LEADERBOARD = """{% extends "public.html" %}{% load cutline %}
{% block status %}{% include "_age.html" %}{% endblock %}
{% block head %}<script src="/static/pinned.js" defer></script>{% endblock %}
{% block content %}{% include "_you.html" %}{% include "_find.html" %}
<div data-poll="/standings" data-every="4" data-every-live="0.5">{{ rows }}</div>{% endblock %}"""
ROWS = """<ol class="standings">{% for row in rows %}{% include "_standing.html" %}{% endfor %}</ol>"""
TABLE = """{% extends "base.html" %}{% load cutline %}{% block content %}<div data-keys>
<form method="post" action="/card">{% include "_cardkeys.html" %}</form>
<form method="post" action="/decide"><button name="action" value="hit" data-key="h">Hit</button>
<button name="action" value="split" data-key="p" disabled>Split</button></form>
<label><input type="checkbox" data-keys-switch>Keys</label>
<input id="text" aria-label="Reason"></div>{% endblock %}"""


def render(source: str, **values: Any) -> str:
    return Template(source).render(Context(values))


def standings(stack_chips: int) -> str:
    rows = [
        {
            "place": at + 1,
            "name": name,
            "code": f"E0{at + 1}7",
            "where": "table 1",
            "stack_chips": stack_chips,
        }
        for at, name in enumerate(NAMES)
    ]
    return render(ROWS, rows=rows)


class House:
    """Answers the browser in place of a server and writes down what was posted."""

    def __init__(self, page: Any) -> None:
        self.pages: dict[str, str] = {}
        self.posted: list[str] = []
        self.polls: list[str | None] = []
        self.errors: list[str] = []
        self.away = False
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self.answer)

    def answer(self, route: Any) -> None:
        request = route.request
        path = request.url.removeprefix(HOST).split("?")[0]
        if request.method == "POST":
            self.posted.append(f"{path} {request.post_data}")
            route.fulfill(status=204)
        elif path == "/standings":
            self.poll(route)
        elif path.startswith("/static/"):
            route.fulfill(path=STATIC / path.removeprefix("/static/"))
        else:
            route.fulfill(
                body=self.pages.get(path, "<title>empty</title>"), headers=POLICY, content_type="text/html"
            )

    def poll(self, route: Any) -> None:
        seen = route.request.headers.get("if-none-match")
        self.polls.append(seen)
        if self.away:
            route.abort()
        elif seen == '"2"':
            route.fulfill(status=304)
        else:
            route.fulfill(body=standings(6200), headers={"ETag": '"2"'}, content_type="text/html")


@pytest.fixture
def house(page: Any, settings: Any) -> House:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    house = House(page)
    event = {"name": "Wonder Friday", "slug": "wonder"}
    house.pages["/e/wonder/"] = render(LEADERBOARD, event=event, rows=standings(5000), live=True)
    house.pages["/table"] = render(TABLE)
    return house


def test_the_theme_is_switched_and_kept_without_a_flash(page: Any, house: House) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{HOST}/e/wonder/")
    page.get_by_role("button", name="Dark or light").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert house.errors == []


@pytest.mark.parametrize(
    "word", ["zoe", "E027", *(pytest.param(word, marks=pytest.mark.soak) for word in ("27", "Zoë D."))]
)
def test_a_player_is_found_by_name_or_number_and_stays_pinned(page: Any, house: House, word: str) -> None:
    page.goto(f"{HOST}/e/wonder/")
    page.get_by_placeholder("Find yourself").fill(word)
    page.keyboard.press("Enter")
    page.reload()
    assert "Zoë D." in page.locator(".you").inner_text()
    assert "2nd" in page.locator(".you").inner_text()
    page.get_by_role("button", name="Not me").click()
    assert not page.locator(".you").is_visible()


def test_the_code_asked_for_is_shown_though_somebody_else_is_pinned_and_a_tie_lists_them_twice(
    page: Any, house: House
) -> None:
    page.goto(f"{HOST}/e/wonder/?you=E027")
    twice = standings(6000) + standings(5000)
    event = {"name": "Wonder Friday", "slug": "wonder"}
    house.pages["/e/wonder/"] = render(LEADERBOARD, event=event, rows=twice, live=True)
    page.goto(f"{HOST}/e/wonder/?you=E037")
    assert "Ann B." in page.locator(".you").inner_text()


def stopped(page: Any) -> None:
    """Stop the clock of the pages that are opened from now on: only ``run_for`` moves it."""
    page.clock.install(time=datetime(2026, 11, 20, 19))
    page.clock.pause_at(datetime(2026, 11, 20, 20))


def until_asked(page: Any, house: House, polls: int) -> None:
    """Wait for so many polls; the limit only reports a hang."""
    for _ in range(600):
        if len(house.polls) >= polls:
            break
        page.wait_for_timeout(100)
    assert len(house.polls) == polls


@pytest.mark.parametrize(("template", "sooner", "later"), [("data-live", 400, 600), ("", 3_500, 4_500)])
def test_a_phone_asks_often_while_hands_are_dealt_and_seldom_otherwise(
    page: Any, house: House, template: str, sooner: int, later: int
) -> None:
    rows = render("<template data-status {{ live }}></template>", live=template) + standings(5000)
    event = {"name": "Wonder Friday", "slug": "wonder"}
    house.pages["/e/wonder/"] = render(LEADERBOARD, event=event, rows=rows, live=True)
    stopped(page)
    page.goto(f"{HOST}/e/wonder/")
    page.clock.run_for(sooner)
    assert house.polls == []
    page.clock.run_for(later - sooner)
    until_asked(page, house, 1)


def test_a_phone_does_not_ask_while_nobody_looks_at_it_and_asks_at_once_when_somebody_does(
    page: Any, house: House
) -> None:
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => globalThis.away === true })")
    look = "(away) => { globalThis.away = away; document.dispatchEvent(new Event('visibilitychange')); }"
    stopped(page)
    page.goto(f"{HOST}/e/wonder/")
    page.evaluate(look, True)
    page.clock.run_for(600_000)
    assert house.polls == []
    page.evaluate(look, False)
    until_asked(page, house, 1)


def test_one_sentence_a_hand_is_heard_and_a_call_sounds_only_if_asked_for(page: Any, house: House) -> None:
    """Tones and vibrations are counted as they are asked of the browser."""
    page.add_init_script(
        "globalThis.felt = []; globalThis.heard = []; navigator.vibrate = (pattern) => felt.push(pattern);"
        "const osc = AudioContext.prototype.createOscillator;"
        "AudioContext.prototype.createOscillator = function () { heard.push(1); return osc.call(this); };"
    )
    page.goto(f"{HOST}/e/wonder/?you=E037")
    seen = """([hand, stack, call]) => {
        const area = document.querySelector('[data-poll]'), row = area.querySelector('[data-entry=E037]');
        Object.assign(row.dataset, { hand, stack, call, gap: '200 behind 2nd' });
        document.dispatchEvent(new CustomEvent('cutline:rows'));
        return [document.querySelector('[data-hear]').textContent, heard.length, felt.length,
            document.querySelector('[data-called]').hidden];
    }"""
    hear = page.locator("[data-hear]")
    assert hear.text_content() == ""
    assert page.evaluate(seen, ["8", "5,000", "1-playing"])[1:3] == [0, 0]
    said = page.evaluate(seen, ["9", "5,400", "1-playing"])
    assert "9" in said[0] and "5,400" in said[0] and said[0].endswith("200 behind 2nd")
    # Another table has settled a hand, or this stack was corrected: not a word more.
    assert page.evaluate(seen, ["9", "5,600", "1-playing"])[0] == said[0]
    assert hear.get_attribute("role") == "status"
    # Called, but no sound was asked for: it is written and not heard.
    assert page.evaluate(seen, ["9", "5,600", "2-seated"])[1:] == [0, 0, False]
    page.locator("[data-call-me]").click()
    assert page.locator("[data-call-me]").get_attribute("aria-pressed") == "true"
    tapped = page.evaluate("[heard.length, felt.length]")
    assert tapped[0] > 0 and tapped[1] == 1
    called = page.evaluate(seen, ["9", "5,600", "2-playing"])
    assert called[1] > tapped[0] and called[2] == 2
    page.locator("[data-call-me]").click()
    assert page.evaluate(seen, ["9", "5,600", "3-seated"])[1:3] == called[1:3]
    assert house.errors == []


@pytest.mark.soak
def test_ten_is_typed_as_it_is_written_and_taken_back(page: Any, house: House) -> None:
    page.goto(f"{HOST}/table")
    page.keyboard.type("10")
    ten = page.locator("[data-rank=T]").locator("input")
    assert ten.is_checked()
    page.keyboard.press("Backspace")
    assert not ten.is_checked()
    assert house.posted == []


@pytest.mark.soak
def test_keys_are_silent_in_a_field_on_a_closed_move_and_when_switched_off(page: Any, house: House) -> None:
    page.goto(f"{HOST}/table")
    page.keyboard.press("p")
    page.locator("#text").fill("")
    page.locator("#text").press_sequentially("h8h")
    page.locator("[data-keys-switch]").uncheck()
    page.keyboard.press("h")
    page.wait_for_timeout(200)
    assert house.posted == []


@pytest.mark.soak
def test_one_press_is_sent_once_however_often_it_is_pressed(page: Any, house: House) -> None:
    page.goto(f"{HOST}/table")
    page.evaluate(
        "const button = document.querySelector('[data-key=h]'); for (let i = 0; i < 5; i++) button.click();"
    )
    page.wait_for_timeout(200)
    assert len(house.posted) == 1
    assert house.posted[0].endswith("action=hit")
