"""No page is wider than the screen, whatever its font and however long its names and figures are."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from playwright.sync_api import Page

from tables.services import rehearsal
from tests.cast.browsers import Visitor
from tests.cast.drawn import (
    DESK,
    PHONE,
    WALL,
    House,
    name_long,
    pages_of_draws_ties_and_counts,
    pages_of_the_floor,
    pages_of_the_house,
    public_pages,
)
from tests.conftest import missing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.soak]

WIDE, NARROW = "DejaVu Sans", "Liberation Sans Narrow"
PACKAGES = {
    WIDE: "fonts-dejavu-core",
    NARROW: "fonts-liberation-sans-narrow, or fonts-liberation before Debian 13",
}
# A style sheet made by script is not subject to the policy of the page, and nothing else is switched off.
FONT = """font => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`*, *::before, *::after { font-family: "${font}" !important }`);
    document.adoptedStyleSheets = [sheet];
}"""
# What sticks out to the right, but for what scrolls inside its own frame; and what a frame cuts off unseen.
OVERFLOW = """() => {
    const page = document.documentElement, most = page.clientWidth;
    const cuts = node => {
        const style = getComputedStyle(node);
        return ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis"
            && node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1;
    };
    // A field scrolls by itself; what is hushed is for those who hear the page.
    const cut = [...document.body.querySelectorAll("*:not(input, .hush)")].filter(cuts);
    const named = cut.map(node => node.getAttribute("class") || node.tagName);
    if (cut.length) return `cut off in ${named.join(", ")}`;
    if (page.scrollWidth <= most) return null;
    const framed = node => {
        for (let up = node.parentElement; up; up = up.parentElement)
            if (getComputedStyle(up).overflowX !== "visible") return true;
        return false;
    };
    const out = [...document.body.querySelectorAll("*")].filter(
        node => node.getBoundingClientRect().right > most + 1 && !framed(node));
    const words = node => `${node.tagName.toLowerCase()}.${node.getAttribute("class") || ""}`;
    return `${page.scrollWidth - most} px too wide: ${out.slice(-3).map(words).join(", ")}`;
}"""
FIGURES = {"starting_chips": 500_000, "play_off_chips": 500_000, "sudden_death_chips": 500_000}


@pytest.fixture(scope="session")
def fonts() -> list[str]:
    for name in (WIDE, NARROW):
        known = shutil.which("fc-list") and subprocess.run(["fc-list", name], capture_output=True, text=True)
        if not known or not known.stdout.strip():
            missing(f"This test draws pages in {name}: install it (Debian: apt install {PACKAGES[name]}).")
    return [WIDE, NARROW]


@pytest.fixture(autouse=True)
def long_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The night of the house has figures of six digits."""
    opened = rehearsal.night_open
    monkeypatch.setattr(rehearsal, "night_open", lambda **how: opened(**{**how, "settings": FIGURES}))


def too_wide(page: Page, fonts: list[str]) -> list[str]:
    """What sticks out of the page as it is open, on phone, desk and wall, in each of the fonts."""
    found = []
    for viewport in (PHONE, DESK, WALL):
        page.set_viewport_size(viewport)
        for font in fonts:
            page.evaluate(FONT, font)
            wide = page.evaluate(OVERFLOW)
            if wide:
                found.append(f"{page.url} {viewport['width']} in {font}: {wide}")
    return found


def look(visitor: Visitor, paths: list[str], fonts: list[str]) -> list[str]:
    """What is too wide on these pages; each is opened once."""
    found = []
    for path in paths:
        answer = visitor.page.goto(path)
        assert answer is not None
        assert answer.status == 200, f"{path}: {answer.status}"
        found += too_wide(visitor.page, fonts)
    return found


@pytest.mark.parametrize("named_long", [False, True])
def test_no_page_is_wider_than_the_screen(house: House, fonts: list[str], named_long: bool) -> None:
    public, staff = public_pages(house), [*pages_of_the_house(house), *pages_of_the_floor(house)]
    staff += pages_of_draws_ties_and_counts()
    if named_long:
        name_long()
    found = look(house.public, public, fonts) + look(house.staff, staff, fonts)
    assert not found, "\n".join(found)
