"""The guard of the pages and the catalogue say the same of who may (faults)."""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from django.urls import get_resolver

from tests.cast.every_page import COLUMNS, TABLE, _patterns, rows_of
from tournament.catalogue import COMMANDS, REQUESTS, who_may
from tournament.roles import ROLES

OURS = ("pages.", "tables.services", "tournament.services")
ASKING = "request.open"
"""The command of every request; what is asked for is a kind of its own."""
NO_COMMAND = {"tournament:login", "tournament:logout", "tables:replay_from"}
"""Addresses that take a form and write nothing to a journal."""
BY_LINK = {"tournament:password_link": {"staff.password_set"}}
"""Addresses whose command is no role's: whoever holds the link."""

RULED = {"tournament:entry_leave": {"cashier"}}
"""Who carries it out as well, but not as the event of the table stands: after the lock it is a ruling."""


def kinds_called(view: Any) -> set[str]:
    """The kinds of commands and requests in whatever a view calls, of ours, however far down."""
    found: set[str] = set()
    known: set[int] = set()
    todo: list[object] = [inspect.unwrap(view)]
    while todo:
        each = todo.pop()
        if id(each) in known:
            continue
        known.add(id(each))
        if isinstance(each, dict):
            todo += each.values()
        elif isinstance(each, FunctionType) and each.__module__.startswith(OURS):
            kinds, named = written_in(inspect.unwrap(each))
            found |= kinds
            todo += named
    return found - {ASKING}


@cache
def written_in(function: Callable[..., Any]) -> tuple[frozenset[str], tuple[object, ...]]:
    """The kinds that a function names, and everything else that its text names; many views call the same."""
    body = functions(function.__module__).get(function.__name__, ast.Pass())
    return frozenset(kinds_in(body, function)), tuple(named_in(body, function))


@cache
def functions(module: str) -> dict[str, ast.AST]:
    """The functions of a module by name, as they are written; a lambda is no place for a command."""
    written = ast.parse(inspect.getsource(sys.modules[module]))
    return {each.name: each for each in written.body if isinstance(each, ast.FunctionDef)}


def kinds_in(body: ast.AST, function: Callable[..., Any]) -> Iterator[str]:
    """The kinds of the calls of one function, where they are named there."""
    for call in (each for each in ast.walk(body) if isinstance(each, ast.Call)):
        if not isinstance(call.func, ast.Name):
            continue
        if call.func.id in ("command", "request_open", "request_add"):
            node: ast.AST = next(word.value for word in call.keywords if word.arg == "kind")
        elif call.func.id in ("_command", "round_command", "shoe_command"):
            node = call.args[0]
        else:
            continue
        if isinstance(node, ast.Constant):
            yield str(node.value)
        elif isinstance(node, ast.Name) and node.id in function.__globals__:
            yield str(function.__globals__[node.id])
        else:
            # Handed through by a helper: its callers name it.
            assert isinstance(node, ast.Name) and node.id in inspect.signature(function).parameters


def named_in(body: ast.AST, function: Callable[..., Any]) -> Iterator[object]:
    for node in ast.walk(body):
        if isinstance(node, ast.Name):
            yield function.__globals__.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = function.__globals__.get(node.value.id)
            if isinstance(module, ModuleType):
                yield getattr(module, node.attr, None)


def views() -> dict[str, Any]:
    return dict(_patterns(get_resolver().url_patterns, ""))


def test_a_view_declares_just_the_kinds_that_it_carries_out() -> None:
    called = {name: kinds_called(view) for name, view in views().items()}
    for name, view in views().items():
        assert called[name] == set(getattr(view, "kinds", ())) | BY_LINK.get(name, set()), name
    assert called["tournament:pay_entry"] == {"prize.pay", "prize_pay"}


def presses() -> dict[str, set[str]]:
    """Of every address with a form: the roles whose form is not turned away, as the table says."""
    found: dict[str, set[str]] = {}
    for row, cells in rows_of(TABLE).items():
        answers = {role: cell.split("/")[1] for role, cell in zip(COLUMNS, cells, strict=True)}
        answers.pop("anonymous")
        if set(answers.values()) - {"403", "405"}:
            name = row.split(" ")[0]
            may = {role for role, status in answers.items() if status not in ("403", "405")}
            found[name] = found.get(name, set()) | may
    return found


def test_whoever_may_press_is_whom_the_catalogue_says() -> None:
    declared, tables = views(), presses()
    assert len(tables) > 40
    for name, roles in tables.items():
        if name not in NO_COMMAND | set(BY_LINK):
            expected = set(who_may(*declared[name].kinds)) - RULED.get(name, set())
            assert roles == expected, name


def test_every_kind_has_a_page_or_is_nobodys() -> None:
    carried = {kind for view in views().values() for kind in getattr(view, "kinds", ())}
    tests_own = {"test", "other", "shown"}
    for kind, each in COMMANDS.items():
        if kind not in {ASKING, *tests_own}:
            assert (kind in carried) == bool(each.may), kind
    assert set(REQUESTS) <= carried


def test_whoever_asks_may_open_a_request_and_whoever_confirms_may_answer_it() -> None:
    asks = {role for each in REQUESTS.values() for role in each.asks}
    assert set(COMMANDS[ASKING].may) == asks
    for kind, each in REQUESTS.items():
        assert each.asks and set(each.asks) <= set(ROLES), kind
        assert each.confirms and set(each.confirms) <= set(COMMANDS["request.decide"].may), kind
        if each.same_as:
            assert set(each.asks) <= set(COMMANDS[each.same_as].may), kind
