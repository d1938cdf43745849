"""What no page may say: sentences of the framework, and sentences that end twice.

Django's are read from its list of them for translators.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from html import unescape
from pathlib import Path

import django

LISTS = ("conf/locale/en/LC_MESSAGES/django.po", "contrib/auth/locale/en/LC_MESSAGES/django.po")
ENTRY = re.compile(r'^msgid(?:_plural)? ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
HOLE = re.compile(r"%\(\w+\)\w|%\w")
LONG_ENOUGH = 14
CODE = re.compile(r"<(pre|script|code|style)\b.*?</\1>", re.DOTALL)
TWICE = re.compile(r".{0,60}\w[”’]?\.[”’]?\.(?![.\w/])")
TYPED = re.compile(r"(?<!\w)'[^'\n]{0,200}'(?!\w)")
"""What a sentence says over again of what was typed; how that ends is no fault of the sentence."""


@cache
def sentences() -> frozenset[str]:
    """All of them, with their holes; single words (names of months and languages) are none."""
    root = Path(django.__file__).parent
    said = [
        "".join(ast.literal_eval(line) for line in entry.splitlines() if line.strip())
        for path in LISTS
        for entry in ENTRY.findall((root / path).read_text(encoding="utf-8"))
    ]
    return frozenset(each for each in said if " " in each.strip())


@cache
def _fragments() -> tuple[str, ...]:
    """The longest stretch without a hole of each that ends as a sentence does."""
    stretches = [
        max(HOLE.split(each), key=len).strip() for each in sentences() if each.rstrip().endswith((".", ")"))
    ]
    return tuple(sorted({each for each in stretches if len(each) >= LONG_ENOUGH and " " in each}))


def django_says(page: str) -> list[str]:
    """The sentences of the framework that stand on a page."""
    text = unescape(page)
    return [each for each in _fragments() if each in text]


def ends_twice(page: str) -> list[str]:
    """The places of a page at which a sentence ends twice, as they are read."""
    text = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", CODE.sub("", page))))
    return TWICE.findall(TYPED.sub("''", text))
