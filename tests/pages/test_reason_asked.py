"""Who is asked for a reason has the field in front of them: every form that takes one (T7, T11, T17, T26).

Each is sent without a reason as its page stands, and once more after somebody else has acted. Where the
answer asks for the reason, it carries that form again, open, and the sentence belongs to the field.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import pytest

from tests.cast.every_form import FORMS, WITH_REASON
from tests.cast.factories import new_key
from tests.cast.hostile import SENTENCE, tied
from tests.cast.html import Node, read
from tests.cast.screens import Form, Screen

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ASKED = re.compile(r"Give the reason|[Rr]eason is missing|needs a reason to be given")


@dataclass
class Asked:
    """A field for a reason on a page: its form, whether it is in sight, and what is said of it."""

    form: Node
    shown: bool
    said: list[str]

    def is_of(self, form: Form) -> bool:
        """Whether it stands in this form."""
        got, page = self.form.attrs, form.page.split("?")[0]
        action = unquote(got.get("action", "").split("#")[0] or got.get("hx-post") or page)
        does = [node.attrs.get("value") for node in self.form.walk() if node.attrs.get("name") == "do"]
        do = re.search(r'value="(\w+)"', form.holds)
        return action.split("?")[0] == form.path and (do is None or do[1] in does)


def reasons(page: Node) -> Iterator[Asked]:
    """The reasons that a page asks for."""
    texts = {node.attrs["id"]: node.text for node in page.walk() if "id" in node.attrs}
    for form in page.all("form"):
        folded = [each for each in page.all("details") if "open" not in each.attrs]
        for node in form.walk():
            got = node.attrs
            if got.get("name") == "reason" and got.get("type") != "hidden":
                shown = not any(node is part for each in folded for part in each.walk())
                names = got.get("aria-describedby", "").split() if got.get("aria-invalid") == "true" else []
                yield Asked(form, shown, [texts.get(name, "") for name in names])


def a_ruling_on_a_tie() -> Form:
    event = tied(tie_at_cut="director")
    round_ = event.rounds.get()
    page = f"/staff/{event.slug}/rounds/{round_.pk}/"
    level = round_.stacks.order_by("-chips", "entry").values_list("entry__code", flat=True)[2]
    return Form(page, page, typed={"advance": level, "reason": "Cards drawn"}, holds='value="rule"')


ASKING = {**{name: FORMS[name] for name in sorted(WITH_REASON)}, "tables:round rule": a_ruling_on_a_tie}


def without_its_field(form: Form, answer: str) -> str:
    """What is wrong with a page that asks for the reason of a form; empty where nothing is."""
    if not ASKED.search(answer):
        return "" if SENTENCE.search(answer) else "is refused without a sentence"
    mine = [each for each in reasons(read(answer)) if each.is_of(form)]
    if not mine:
        return "asks for a reason on a page that has no field for it"
    if not any(each.shown for each in mine):
        return "asks for a reason in a form that is folded up"
    at_field = any(ASKED.search(said) for each in mine for said in each.said)
    return "" if at_field else "says so elsewhere than at the field"


DONE = '<p role="alert">carried out without a reason</p>'


def sent(screen: Screen, form: Form) -> str:
    screen.fields |= {"reason": " ", "key": new_key()}
    answer = screen.send(form)
    return str(answer.content.decode()) if 400 <= answer.status_code < 500 else DONE


@pytest.mark.parametrize("name", ASKING)
def test_a_form_sent_without_its_reason_comes_back_with_the_field_and_the_sentence_at_it(name: str) -> None:
    form = ASKING[name]()
    screen = Screen(form)
    wrong = without_its_field(form, sent(screen, form))
    assert not wrong, f"{name} {wrong}"


@pytest.mark.parametrize("name", ASKING)
def test_who_comes_too_late_is_asked_for_no_reason_that_the_page_cannot_take(name: str) -> None:
    form = ASKING[name]()
    first, second = Screen(form), Screen(form)
    assert first.send(form).status_code == 303
    wrong = without_its_field(form, sent(second, form))
    assert not wrong, f"{name} {wrong}"
