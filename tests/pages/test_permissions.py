"""Who may do what (faults): every address × GET and POST × role, in one table.

A cell is ``GET/POST``. Forms are sent empty: 422 means that this person may press it and that the service
refused an empty form, 404 that there is nothing there to press, 405 that the address takes no form, 302
that one is sent to another page (nobody logged in: to the log-in).
"""

from typing import Any

from django.test import Client
from django.urls import get_resolver, resolve, reverse

from pages.languages import path_in
from tests.cast.every_page import (
    COLUMNS,
    TABLE,
    World,
    _patterns,
    addresses,
    made_world,
    people,
    routed,
    rows_of,
    world,
)
from tests.cast.links import closed
from tournament.models import JournalEntry
from tournament.roles import DEALER, ROLES

__all__ = ["made_world", "world"]

DEALER_AT = COLUMNS.index(DEALER)


class Somebody:
    """A person (or a stranger) at a browser."""

    def __init__(self, role: str, user: Any) -> None:
        self.role, self.user, self.client = role, user, Client(raise_request_exception=False)
        self.closed: list[str] = []
        self.log_in()

    def log_in(self) -> None:
        if self.user is not None:
            self.client.force_login(self.user)

    def answers(self, path: str) -> str:
        """What this person gets: the status of GET and of an empty POST."""
        return "/".join(str(self._ask(method, path)) for method in ("get", "post"))

    def _ask(self, method: str, path: str) -> int:
        response = getattr(self.client, method)(path)
        if method == "get" and response.status_code == 200 and "html" in response["Content-Type"]:
            self.closed += closed(self.role, path, response.content.decode())
        if path == reverse("tournament:logout"):
            self.log_in()
        elif self.user is None and response.status_code == 302:
            assert response["Location"].startswith("/login"), f"a stranger at {path}: {response['Location']}"
        return int(response.status_code)


def test_every_address_answers_every_role_as_the_table_says(world: World) -> None:
    known = people(world)
    everybody = [Somebody(role, known[role]) for role in COLUMNS]
    where, rows = addresses(world, known), rows_of(TABLE)
    before = JournalEntry.objects.count()
    answered = {}
    for name, path in where.items():
        # Where the table says that all are answered alike, a dealer and the stranger ask for all.
        alike = len(set(rows[name])) == 1
        told = [
            each.answers(path) for each in ([everybody[DEALER_AT], everybody[-1]] if alike else everybody)
        ]
        answered[name] = told[:1] * len(COLUMNS) if alike and len(set(told)) == 1 else told
    assert table_text(answered) == table_text(rows)
    for name, path in where.items():
        if path.startswith("/staff/") and getattr(resolve(path.partition("?")[0]).func, "for_players", False):
            one_of_each = dict(zip(answered[name], everybody, strict=True))
            for told, each in one_of_each.items():
                assert each.answers(path_in("de", path)) == told, name
    assert JournalEntry.objects.count() == before, "an empty form has changed something"
    assert not (found := {each for somebody in everybody for each in somebody.closed}), "\n".join(found)


def table_text(rows: dict[str, list[str]]) -> list[str]:
    """The lines of the table by name; a difference shows its line."""
    return sorted(
        " ".join([f"{name:33}", *(f"{cell:8}" for cell in cells)]).rstrip() for name, cells in rows.items()
    )


def test_every_address_has_a_row() -> None:
    listed = {name.split(" ")[0] for name in rows_of(TABLE)}
    assert sorted(name for name, _ in routed()) == sorted(listed)


def test_every_page_that_asks_for_a_log_in_names_its_roles() -> None:
    """The guard stands on the view itself, so that the navigation and this table read the same roles."""
    open_to_all = {"healthz", "readyz", "service_worker"}
    open_to_all |= {"tournament:login", "tournament:logout", "tournament:password_link"}
    anybody = {name.split(" ")[0] for name, cells in rows_of(TABLE).items() if cells[-1].startswith("200")}
    for name, view in _patterns(get_resolver().url_patterns, ""):
        if name not in open_to_all | anybody:
            assert getattr(view, "roles", ()), f"{name} is guarded by no role"
            assert set(view.roles) <= set(ROLES), name
        assert not getattr(view, "csrf_exempt", False), name
