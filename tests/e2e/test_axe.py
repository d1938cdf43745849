"""Every page in a real browser: WCAG 2.2 AA by axe, both themes, phone, desk and wall; nothing is torn."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.cast.browsers import Visitor
from tests.cast.drawn import (
    DESK,
    PHONE,
    WALL,
    House,
    pages_of_draws_ties_and_counts,
    pages_of_the_floor,
    pages_of_the_house,
    public_pages,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.soak]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
ALL_RULES = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
# The script is put in once a page and run for each look; of its answer only the faults come back.
RUN = """options => axe.run(options).then(({ violations }) => violations.map(
    ({ id, help, nodes }) => [id, help, nodes.slice(0, 3).map(node => node.target.join(" "))]))"""
# Each page is looked at six times; what a theme can change is looked at in both of them.
LOOKS: tuple[tuple[dict[str, int], str, dict[str, Any]], ...] = (
    (PHONE, "light", ALL_RULES),
    (PHONE, "dark", COLOURS),
    (DESK, "dark", ALL_RULES),
    (DESK, "light", COLOURS),
    (WALL, "light", ALL_RULES),
    (WALL, "dark", COLOURS),
)
AXE = Axe().axe_script
# A figure with its word in two lines, a table past the edge of its sheet, a line to write on away from its
# word, a sentence that ends twice.
TORN = """() => {
    const found = [], lines = node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const tops = [...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top));
        return new Set(tops).size;
    };
    for (const node of document.querySelectorAll("main span, main td, main dd, main p")) {
        const text = node.textContent.trim();
        if (!node.children.length && /^[\\d,.$]+ [a-z]+$/i.test(text) && lines(node) > 1)
            found.push(`torn: ${text}`);
    }
    for (const table of document.querySelectorAll("main table")) {
        const around = table.parentElement, style = getComputedStyle(around);
        if (style.overflowX !== "visible") continue;
        const most = around.getBoundingClientRect().right - parseFloat(style.paddingRight);
        if (table.getBoundingClientRect().right > most + 1) found.push(`past its edge: ${table.className}`);
    }
    for (const line of document.querySelectorAll("main .write")) {
        const before = line.previousElementSibling, bottom = node => node.getBoundingClientRect().bottom;
        if (before && Math.abs(bottom(before) - bottom(line)) > 8)
            found.push(`away from its word: ${before.textContent}`);
    }
    for (const twice of document.body.innerText.match(/.{0,40}\\w\\.\\.(?![.\\w\\/])/g) || [])
        found.push(`ends twice: ${twice}`);
    return found;
}"""


def faults_of(page: Page) -> list[str]:
    """What axe and the browser have against the page as it is open."""
    found = []
    page.evaluate(AXE)
    for viewport, theme, rules in LOOKS:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=theme)
        where = f"{page.url} {viewport['width']} {theme}"
        for rule, words, targets in page.evaluate(RUN, rules):
            found.append(f"{where}: {rule} {words} at {'; '.join(targets)}")
        if rules is ALL_RULES:
            found += [f"{where}: {each}" for each in page.evaluate(TORN)]
    return found


def look(visitor: Visitor, paths: list[str]) -> None:
    found = []
    for path in paths:
        answer = visitor.page.goto(path)
        assert answer is not None
        assert answer.status == 200, f"{path}: {answer.status}"
        found += faults_of(visitor.page)
    assert not found, "\n".join(found)
    assert visitor.errors == []


def test_the_public_pages(house: House) -> None:
    look(house.public, public_pages(house))


def test_the_pages_of_the_house_and_the_desk(house: House) -> None:
    look(house.staff, pages_of_the_house(house))


def test_the_pages_of_the_floor(house: House) -> None:
    look(house.staff, pages_of_the_floor(house))


def test_the_pages_of_a_draw_a_tie_and_counts_that_differ(house: House) -> None:
    look(house.staff, pages_of_draws_ties_and_counts())
