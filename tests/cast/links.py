"""The links and buttons of a page, and those that are closed to its reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import urljoin, urlsplit

from django.urls import resolve

from pages.guard import roles_at
from pages.languages import NAMES
from tests.cast.every_page import ANONYMOUS
from tournament.catalogue import who_may
from tournament.roles import AUDITOR

APART = ("/static/", *(f"/{code}/" for code in NAMES))
"""Files, and the same page in another language."""

READS = (AUDITOR, ANONYMOUS)
"""An auditor reads every page; a stranger is led to the log-in."""

_LEADS = re.compile(r'<a\b[^>]*?\shref="([^"#]*)|\s(?:hx-get|data-poll|data-hall)="([^"]*)')
_SEARCH = re.compile(r'<form\b[^>]*?\smethod="get"[^>]*?\saction="([^"]*)')
_FORM = re.compile(r'<form\b([^>]*?\smethod="post"[^>]*)>(.*?)</form>', re.S)
_BUTTON = re.compile(r'<button\b(?![^>]*\stype="button")(?![^>]*\sdisabled)')
_ACTION = re.compile(r'\saction="([^"]*)')


def links_of(page: str, html: str) -> list[str]:
    """The addresses that a page leads to, or fetches parts of itself from."""
    return _whole(page, ("".join(found) for found in _LEADS.findall(html)))


def _whole(page: str, named: Iterable[str]) -> list[str]:
    whole = (urljoin(page, unescape(each)).partition("#")[0] for each in named if each)
    return list(dict.fromkeys(each for each in whole if each.startswith("/")))


def closed(role: str, page: str, html: str) -> list[str]:
    """The links and buttons of a page whose addresses are guarded against this role, or do not exist."""
    found = []
    for link in (*links_of(page, html), *_whole(page, _SEARCH.findall(html))):
        roles = () if link.startswith(APART) else roles_at(link.partition("?")[0])
        if roles is None or (roles and role not in (*roles, *READS)):
            found.append(f"{role}: {page} links to {link}")
    for attributes, inside in _FORM.findall(html):
        action = _ACTION.search(attributes)
        path = urlsplit(urljoin(page, unescape(action[1]) if action else "")).path
        kinds = getattr(resolve(path).func, "kinds", ())
        if kinds and _BUTTON.search(inside) and role not in who_may(*kinds):
            found.append(f"{role}: {page} has a button of {path}")
    return found
