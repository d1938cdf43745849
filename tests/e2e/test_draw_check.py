"""The draw checked on the phone itself (T4): what is right passes, and whatever has been changed does not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from ground.chance import Stream, seed_make, shuffle
from pages.public.reads.public import draw_check_script, draw_seats
from tournament.models import Draw

STATIC = Path(__file__).resolve().parents[2] / "static"
POLICY = {"Content-Security-Policy": "default-src 'self'"}
SECRET = hashlib.sha256(b"kat").digest()
CARDS = "KH 4D 7S AC 2D"
KNOWN = ["E10", "E04", "E03", "E05", "E11", "E08", "E07", "E12", "E06", "E09", "E02", "E01"]
pytestmark = [pytest.mark.browser, pytest.mark.soak]

Check = Callable[..., tuple[str, str]]


def draw_of(order: list[str], **changed: Any) -> Draw:
    """A draw as it is posted: three tables, filled box by box."""
    seats = [[at % 3 + 1, at // 3 + 1] for at in range(len(order))]
    posted: dict[str, Any] = {
        "number": 1,
        "status": Draw.Status.DRAWN,
        "commitment": hashlib.sha256(SECRET).hexdigest(),
        "revealed_secret": SECRET.hex(),
        "cards": CARDS,
        "roster": sorted(order),
        "open_seats": seats,
        "result": [[code, *seat] for code, seat in zip(order, seats, strict=True)],
        "drawn_at": timezone.now(),
    }
    return Draw(**{**posted, **changed})


@pytest.fixture
def check(page: Any, settings: Any) -> Check:
    """Press the button on the page of a draw: what the page says, and the seats that it names."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }

    def pressed(draw: Draw, *, event: str = "EV1", host: str = "https://cutline.test") -> tuple[str, str]:
        context = {
            "event": SimpleNamespace(name="Friday", slug="friday", code=event),
            "draw": draw,
            "script": draw_check_script(draw, event),
            "seats": draw_seats(draw),
            "cards_cut": True,
        }
        html = render_to_string("public/draw.html", context)

        def answer(route: Any) -> None:
            path = route.request.url.removeprefix(host)
            if path.startswith("/static/"):
                route.fulfill(path=STATIC / path.removeprefix("/static/"))
            else:
                route.fulfill(body=html, headers=POLICY, content_type="text/html; charset=utf-8")

        page.unroute_all()
        page.route("**/*", answer)
        page.goto(f"{host}/e/friday/draws/1/")
        page.locator("[data-check]").click()
        panel = page.locator("[data-draw-check][data-state]")
        state = panel.get_attribute("data-state")
        said = page.locator("[data-said]:visible")
        assert said.get_attribute("data-said") == state
        return str(state), str(page.locator("[data-differ]").text_content())

    return pressed


def test_T4_the_phone_agrees_with_the_known_answer(check: Check) -> None:
    assert check(draw_of(KNOWN)) == ("agree", "")


@pytest.mark.parametrize(("event", "cards"), [("Été 🂡", CARDS), ('a "b" \\ \x7f', "")])
def test_T4_the_phone_writes_every_code_as_python_does(check: Check, event: str, cards: str) -> None:
    codes = [f"E{n:03}" for n in range(1, 43)]
    order = shuffle(codes, Stream(seed_make(SECRET, event, 1, codes, cards)))
    assert check(draw_of(order, cards=cards), event=event) == ("agree", "")


OTHER = bytes([SECRET[0] ^ 1]) + SECRET[1:]


@pytest.mark.parametrize(
    ("changed", "state"),
    [
        ({"cards": "KH 4D 7S AC 3D"}, "seats"),
        ({"number": 2}, "seats"),
        ({"revealed_secret": OTHER.hex()}, "secret"),
        # Nor does it with a fingerprint of its own: then it draws other seats.
        ({"revealed_secret": OTHER.hex(), "commitment": hashlib.sha256(OTHER).hexdigest()}, "seats"),
    ],
)
def test_T4_another_secret_number_or_card_does_not_pass(
    check: Check, changed: dict[str, Any], state: str
) -> None:
    assert check(draw_of(KNOWN, **changed))[0] == state


def test_T4_seats_that_were_swapped_or_left_out_are_named(check: Check) -> None:
    draw = draw_of(KNOWN)
    draw.result[0][0], draw.result[4][0] = draw.result[4][0], draw.result[0][0]
    assert check(draw) == ("seats", "1-1, 2-2")
    draw = draw_of(KNOWN)
    del draw.result[11]
    assert check(draw) == ("seats", "3-4")


def test_T4_a_phone_without_https_says_so(check: Check) -> None:
    assert check(draw_of(KNOWN), host="http://cutline.test")[0] == "insecure"
