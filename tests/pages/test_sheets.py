"""Which sheets of styles a page loads, and that it misses none: static/ has one for each kind of page."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
TEMPLATES = ROOT / "templates"
SHEETS = {path.stem: path.read_text() for path in sorted(STATIC.glob("*.css"))}
PAGES = [
    path.relative_to(TEMPLATES).as_posix()
    for path in sorted(TEMPLATES.rglob("*.html"))
    if "{% extends" in path.read_text() and path.name not in ("staff.html", "public.html")
]


@cache
def selectors(sheet: str) -> list[str]:
    """Every selector of a sheet, one by one, without the blocks around them."""
    text = re.sub(r"/\*.*?\*/", "", SHEETS[sheet], flags=re.DOTALL)
    heads = [head.split(";")[-1].strip() for head in re.findall(r"([^{}]+)\{", text)]
    each = [re.split(r",(?![^()]*\))", head) for head in heads if not head.startswith("@")]
    return [one.strip() for head in each for one in head if one.strip()]


@cache
def classes(selector: str) -> frozenset[str]:
    """The classes that a selector needs; what stands in :not() or :is() may be missing."""
    while "(" in selector:
        selector = re.sub(r":?[\w-]*\([^()]*\)", "", selector)
    return frozenset(re.findall(r"\.([a-zA-Z][\w-]*)", selector))


@cache
def parts(name: str) -> frozenset[str]:
    """A template, what it extends and what it includes."""
    text = (TEMPLATES / name).read_text()
    found = {name}
    for other in re.findall(r'{%\s*(?:extends|include)\s+"([^"]+)"', text):
        found |= parts(other)
    return frozenset(found)


@cache
def used(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The classes that the parts of a page name, and the beginnings of those that a value completes."""
    whole: set[str] = set()
    begun: set[str] = set()
    for part in parts(name):
        text = (TEMPLATES / part).read_text()
        for value in re.findall(r'class="((?:[^"{]|\{[{%].*?[}%]\}|\{)*)"', text):
            plain = re.sub(r"\{%.*?%\}", " ", re.sub(r"\{\{.*?\}\}", "\0", value))
            for word in plain.split():
                if word.endswith("\0") and word != "\0":
                    begun.add(word.rstrip("\0"))
                elif "\0" not in word:
                    whole.add(word)
    return frozenset(whole), tuple(sorted(begun))


def names(page: str, needed: frozenset[str]) -> bool:
    whole, begun = used(page)
    return all(each in whole or each.startswith(begun) for each in needed)


def loaded(page: str) -> set[str]:
    """The sheets of a page: those of the frame that it extends, unless it has a block of its own."""
    text = (TEMPLATES / page).read_text()
    found = set(re.findall(r"{% static '(\w+)\.css' %}", text))
    over = re.search(r'{% extends "([^"]+)"', text)
    own_block = "{% block sheets %}" in text and "block.super" not in text
    if over and not own_block:
        found |= loaded(over.group(1))
    elif over:
        found |= loaded("base.html")
    return found


@pytest.mark.parametrize("shown", PAGES)
def test_a_page_loads_every_sheet_that_has_styles_for_it_and_a_phone_none_of_the_staff(shown: str) -> None:
    have = loaded(shown)
    assert {"base", "print"} <= have
    assert ("staff" in have) == ("staff.html" in parts(shown))
    assert not shown.startswith("public/") or have == {"base", "public", "print"}
    missing = {
        f"{sheet}.css {selector}"
        for sheet in SHEETS.keys() - have
        for selector in selectors(sheet)
        if classes(selector) and names(shown, classes(selector))
    }
    assert missing == set()
