"""Every sentence with which Cutline says no is found for translation where it is written."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.messages import REFUSALS
from ground.refused import Refused
from ground.words import Sentence
from pages.words import saying
from tests.cast.source import ROOT

FLOORS = ("ground", "games", "tournament", "tables", "pages", "config")
SAID_ELSEWHERE = {
    "NEEDED_FIRST[wanted[0]]",
    # what another refusal says, or a sentence that a function of ours has made of marked text
    "no.message", "sentence", "TIE_DONE", "check.problem", "wrong[0][2]", "until", "text",
}  # fmt: skip
MAKERS = {"_", "Sentence", "gettext", "ngettext", "_card_missing", "_not_counted", "_weak", "_what_changed"}


def refusals() -> Iterator[tuple[Path, ast.expr]]:
    """The sentence of every refusal in our code."""
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in REFUSALS:
                    yield path, node.args[1]


def is_marked(said: ast.expr) -> bool:
    if isinstance(said, ast.Constant):
        return True  # found as the sentence of a refusal (config.messages.REFUSALS)
    if isinstance(said, ast.IfExp):
        return is_marked(said.body) and is_marked(said.orelse)
    if isinstance(said, ast.BinOp):
        return is_marked(said.left)
    if isinstance(said, ast.Call):
        func = said.func.value if isinstance(said.func, ast.Attribute) else said.func
        return is_marked(func) if isinstance(func, ast.Call) else ast.unparse(func) in MAKERS
    return ast.unparse(said) in SAID_ELSEWHERE


def test_every_refusal_is_marked_for_translation() -> None:
    """What a refusal takes from a variable is a Sentence too: no ``sentence = f"…"`` is left."""
    found = list(refusals())
    assert len(found) > 400
    assert [(str(path), ast.unparse(said)) for path, said in found if not is_marked(said)] == []
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in {path for path, _ in found}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) in ("sentence", "until", "text")
        and isinstance(node.value, ast.Constant | ast.JoinedStr)
    ] == []


@pytest.mark.parametrize(
    ("no", "said"),
    [
        (Refused("a", "plain words"), "words plain"),
        (Refused("a", "Box %(n)s: %(bet)s.", n=3, bet="1,000"), "1,000. 3: Box"),
        (Refused("a", Sentence("only %(n)s", n=2)), "2 only"),
        (Refused("a", "%(what)s wrong", what=Sentence("bet")), "Wrong bet"),
        (Refused("a", "100 % of"), "of % 100"),
        (Refused("a", ""), ""),
    ],
)
def test_a_page_says_a_refusal_in_its_language(
    no: Refused, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words of this language stand backwards; figures are left as they are named."""
    monkeypatch.setattr(saying, "_", lambda text: " ".join(reversed(text.split(" "))))
    assert saying.said(no.message).lower() == said.lower()


def test_a_beginning_has_its_capital_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    led: Any = Sentence("%(where)s%(what)s", where="", what=Sentence("box %(n)s stands", n=2)).capitalized()
    assert led == "Box 2 stands"
    monkeypatch.setattr(saying, "_", lambda text: text.replace("box", "platz").replace("stands", "steht"))
    assert saying.said(led) == "Platz 2 steht"
