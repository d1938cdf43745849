"""Who is asked for a reason has the field in front of them: every form that takes one (T7, T11, T17, T26).

Each is sent without a reason as its page stands, and once more after somebody else has acted. Where the
answer asks for the reason, it carries that form again, open, and the sentence belongs to the field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from tests.cast.every_form import FORMS, WITH_REASON
from tests.cast.factories import new_key
from tests.cast.form import Form
from tests.cast.hostile import SENTENCE, tied
from tests.cast.screens import Screen

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ASKED = re.compile(r"Give the reason|[Rr]eason is missing|needs a reason to be given")

OUTSIDE = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"))


@dataclass
class Asked:
    """A field for a reason on a page: the address of its form, whether it is in sight, what describes it."""

    action: str
    do: str
    shown: bool
    invalid: bool
    described: tuple[str, ...]


class Page(HTMLParser):
    """The reasons that a page asks for, and what stands in each element with an id."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.open = path, list[tuple[str, dict[str, str]]]()
        self.reasons, self.texts = list[Asked](), dict[str, str]()
        self.waiting = list[Asked]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        if tag not in OUTSIDE:
            self.open.append((tag, got))
        if got.get("name") == "do":
            for each in self.waiting:
                each.do = each.do or got.get("value", "")
            self._form()["do"] = got.get("value", "")
        if got.get("name") == "reason" and got.get("type") != "hidden":
            form = self._form()
            closed = any(tag == "details" and "open" not in each for tag, each in self.open)
            described = tuple(got.get("aria-describedby", "").split())
            action = unquote(form.get("action", "").split("#")[0] or form.get("hx-post") or self.path)
            asked = Asked(
                action, form.get("do", ""), not closed, got.get("aria-invalid") == "true", described
            )
            self.reasons.append(asked)
            self.waiting.append(asked)

    def _form(self) -> dict[str, str]:
        return next((got for tag, got in reversed(self.open) if tag == "form"), {})

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.waiting = []
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for _tag, got in self.open:
            if "id" in got:
                self.texts[got["id"]] = self.texts.get(got["id"], "") + data


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
    page = Page(form.page.split("?")[0])
    page.feed(answer)
    do = re.search(r'value="(\w+)"', form.holds)
    mine = [each for each in page.reasons if each.action.split("?")[0] == form.path]
    if do:
        mine = [each for each in mine if each.do == do.group(1)]
    if not mine:
        return "asks for a reason on a page that has no field for it"
    if not any(each.shown for each in mine):
        return "asks for a reason in a form that is folded up"
    said = [page.texts.get(name, "") for each in mine if each.invalid for name in each.described]
    return "" if any(ASKED.search(each) for each in said) else "says so elsewhere than at the field"


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
