"""Two screens, one form each, made from the same state (faults): every address that takes a form.

Each form is loaded twice, by two people; the first one is carried out, the second one was made from a state
that is no more. It is refused (409) with what has happened, and the database is as the first one left it.
"""

import ast
import re
from pathlib import Path

import pytest
from django.http import HttpResponse

from tests.cast.at_desk import codes
from tests.cast.every_form import FORMS, NEEDS_NONE, WITH_REASON
from tests.cast.every_page import TABLE, rows_of
from tests.cast.factories import new_key
from tests.cast.presses import FRESH, just_loaded
from tests.cast.screens import Screen, everything
from tournament.services.press import AGAIN, OVER

pytestmark = pytest.mark.django_db
MAY_AGAIN, IS_OVER = (sentence.split("%(now)s ")[1] for sentence in (AGAIN, OVER))


def test_every_address_that_takes_a_form_is_tried_or_has_its_reason() -> None:
    takes = {
        name.split(" ")[0]
        for name, cells in rows_of(TABLE).items()
        if any(cell.split("/")[1] not in ("405", "403") for cell in cells[:-1])
    }
    assert sorted(takes) == sorted({name.split(" ")[0] for name in FORMS} | set(NEEDS_NONE))


def test_no_view_takes_a_bare_key_but_for_what_is_made_from_nothing() -> None:
    """``press_of`` asks for the state; whoever takes ``key_of`` has to stand among the reasons above."""
    views = Path("pages").rglob("*.py")
    takers = {
        function.name
        for path in views
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "key_of"
    }
    # The taps of a hand carry ``seen`` instead, which says in what order they came.
    made_from_nothing = {"desk_player", "event_new", "staff_add", "own_password", "own_pin"}
    made_from_nothing |= {"password_link", "act"}
    assert takers == {"press_of", *made_from_nothing, "_on_the_hand"}


@pytest.mark.parametrize("name", FORMS)
def test_of_two_screens_the_second_one_is_told_what_has_happened(name: str) -> None:
    """Without its state a form changes nothing; sent twice it counts once; from an old state it is refused.

    Whether the page rightly says to send it again is tried with the same fields, made from the state of now.
    """
    form = FORMS[name]()
    assert ("reason" in form.typed) == (name in WITH_REASON)
    first, second, stateless = Screen(form), Screen(form), Screen(form)
    assert first.fields["basis"] == second.fields["basis"], "the form carries no state"
    assert first.fields["key"] != second.fields["key"]
    before = everything()
    del stateless.fields["basis"]
    assert stateless.send(form).status_code == 422
    assert everything() == before

    answer = first.send(form)
    assert answer.status_code == 303, words(answer)
    before = everything()
    answer = first.send(form)
    assert answer.status_code == 303, words(answer)
    assert everything() == before

    own = {"reason": "typed on the second screen"} if "reason" in form.typed else {}
    second.fields |= own
    answer = second.send(form)
    page = answer.content.decode()
    assert answer.status_code == 409, words(answer)
    assert everything() == before
    assert "stale" in codes(answer), "nothing says what has happened"
    assert own.get("reason", "") in page, "the reason that was typed is gone"
    assert form.kept in page, "what was typed is gone"

    second.fields |= {"basis": FRESH, "key": new_key()}
    with just_loaded():
        could = second.send(form).status_code in (303, 422)
    assert [end in page for end in (MAY_AGAIN, IS_OVER)] == [could, not could], words(answer)


def words(answer: HttpResponse) -> str:
    """The end of what a page says."""
    return re.sub(r"<[^>]+>|\s+", " ", answer.content.decode())[-1500:]
