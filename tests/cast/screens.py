"""Somebody at a browser who has loaded a form, and what the database holds before and after it is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import unquote

from django.apps import apps
from django.db import connection
from django.test import Client

from tests.cast.factories import UserFactory


@dataclass(frozen=True)
class Form:
    """A form to send twice: the page it stands on, its address, what is typed, which of the page's forms."""

    page: str
    path: str
    typed: dict[str, Any] = field(default_factory=dict)
    role: str = "director"
    holds: str = ""
    kept: str = ""
    by: Any = None


def one_page(path: str, **given: Any) -> Form:
    return Form(path, path, **given)


class Screen:
    def __init__(self, form: Form) -> None:
        self.client = Client()
        self.user = form.by or UserFactory(roles=[form.role])
        self.client.force_login(self.user)
        page = self.client.get(form.page)
        assert page.status_code == 200, form.page
        self.fields = {**hidden_of(form_on(page.content.decode(), form)), **form.typed}

    def send(self, form: Form) -> Any:
        return self.client.post(form.path, self.fields)


def form_on(page: str, form: Form) -> str:
    """The text of the form on a page."""
    found = re.findall(r"<form[^>]*>.*?</form>", page, re.S)
    own = form.path == form.page.split("?")[0]
    for each in found:
        head = each.split(">")[0]
        action = re.search(r'action="([^"]*)"', head)
        at = unquote(action.group(1)) if action and not action.group(1).startswith("#") else ""
        if 'method="post"' in head and (at == form.path or (own and not at)) and form.holds in each:
            return str(each)
    raise AssertionError(f"no form for {form.path} on {form.page}")


def hidden_of(form: str) -> dict[str, str]:
    """Return the hidden and the filled-in fields of a form."""
    inputs = re.findall(r"<input[^>]*>", form)
    found = {}
    for each in inputs:
        name, value = re.search(r'name="([^"]*)"', each), re.search(r'value="([^"]*)"', each)
        if name and value and not re.search(r'type="(checkbox|radio)"', each):
            found[name.group(1)] = value.group(1)
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)"[^>]*selected', options)
        if chosen:
            found[name] = chosen.group(1)
    return found


@cache
def _all_rows() -> str:
    """One statement for every table of the two apps, and for who may log in as what."""
    models = [*apps.get_app_config("tournament").get_models(), *apps.get_app_config("tables").get_models()]
    tables = [*(each._meta.db_table for each in models), "auth_user_groups"]
    rows = [f"SELECT '{name}', array_agg(t::text ORDER BY id) FROM {name} t" for name in tables]
    user = "ROW(id, username, password, is_active)::text"
    return " UNION ALL ".join([*rows, f"SELECT 'auth_user', array_agg({user} ORDER BY id) FROM auth_user"])


def everything() -> dict[str, list[str]]:
    """All rows of all tables of the two apps, and who may log in as what."""
    with connection.cursor() as cursor:
        cursor.execute(_all_rows())
        return {name: rows or [] for name, rows in cursor.fetchall()}
