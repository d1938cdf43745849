"""The house keeps itself tidy: short functions, honest documents, nothing left lying about."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.cast.source import CODE, ROOT, files, tree

LONGEST_FUNCTION, MEDIAN_FUNCTION = 70, 8
LONGEST_FILE = 600
MARKERS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
SUFFIXES = (".py", ".html", ".css", ".js", ".md", ".toml", ".yaml", ".yml", ".in", ".txt")


def everything() -> list[Path]:
    """Every text file that a commit holds, or would."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("This is no git checkout: install git, or clone instead of copying.")
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    return [path for path in paths if path.is_file() and path.suffix in SUFFIXES and path.name != "uv.lock"]


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of every function, its docstring not counted."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            docstring = (first.end_lineno or 0) - first.lineno + 1 if told else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_no_function_is_longer_than_a_screen():
    long = [
        f"{path.relative_to(ROOT)}::{name} {lines}"
        for path in files(*CODE, "tests", "bench")
        for name, lines in functions(path)
        if lines > LONGEST_FUNCTION
    ]
    assert long == []


def test_half_of_the_functions_have_eight_lines_or_fewer():
    lengths = [lines for path in files(*CODE) for _, lines in functions(path)]
    assert statistics.median(lengths) <= MEDIAN_FUNCTION


def test_no_file_is_longer_than_600_lines():
    paths = [
        *files(*CODE, "tests", "bench"),
        *files("static", suffix=".js"),
        *files("templates", suffix=".html"),
    ]
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in paths}
    assert {name: long for name, long in lines.items() if long > LONGEST_FILE} == {}


def lines_with(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    """Where a pattern is found, but for this file."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in paths
        if path != Path(__file__)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if pattern.search(line.rstrip())
    ]


def test_no_marker_is_left_for_later_and_no_lint_is_silenced_without_a_reason():
    ours = [each for each in everything() if not each.name.startswith("requirements")]
    assert lines_with(MARKERS, ours) == []
    bare = re.compile(r"(# noqa(?!:)|# noqa: [A-Z0-9, ]+$|# type: ignore(\[[\w, -]+\])?$)")
    assert lines_with(bare, files(*CODE, "tests", "bench")) == []


LOOKS = re.compile(r"expect|assert|check|refus|to_|holds|fail|until|call_command|validate|wrong")


def asserts(node: ast.AST, helpers: frozenset[str] = frozenset()) -> bool:
    """Whether a test says what it expects: an assert, a ``with`` that catches, or a helper that looks."""
    for each in ast.walk(node):
        if isinstance(each, ast.Assert | ast.With):
            return True
        if isinstance(each, ast.Call):
            name = each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
            if name in helpers or LOOKS.search(name):
                return True
    return False


NAMES_OF_PATHS = {"ids": lambda path: str(path.relative_to(ROOT))}


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), **NAMES_OF_PATHS)
def test_every_test_expects_something(path: Path):
    made = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]
    tests = [node for node in made if node.name.startswith("test_")]
    assert tests
    helpers = frozenset(node.name for node in made if node in tree(path).body and asserts(node))
    assert [node.name for node in tests if not asserts(node, helpers)] == []
    skipped = [node.name for node in tests for mark in node.decorator_list if "skip" in ast.unparse(mark)]
    assert skipped == []


def test_no_test_file_imports_from_another_test_file():
    """What several of them need is in ``tests/cast``, or in a module beside them."""
    found = []
    for path in files("tests", "bench"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests"):
                modules = [f"{node.module}.{name.name}" for name in node.names]
                found += [f"{path.relative_to(ROOT)}: {each}" for each in modules if ".test_" in each]
    assert found == []


LANGUAGE = re.compile(r"django\.utils(\.| import )translation")
ASKS_ITS_LANGUAGE = {"figures"}


def test_nothing_below_the_pages_translates():
    """Below the pages a sentence is a state, or text that is marked with ``ground.words``."""
    below = files("tournament", "tables", "games", "ground")
    assert {path.stem for path in below if LANGUAGE.search(path.read_text())} == ASKS_ITS_LANGUAGE


NAMED = re.compile(r"`([\w./-]+\.py)::([\w.]+)`")


@cache
def names_in(path: Path) -> frozenset[str]:
    """What a module defines at its top, and what its classes define as ``Class.name``."""
    found: set[str] = set()
    for node in tree(path).body:
        found |= _defined(node)
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                found |= {f"{node.name}.{name}" for name in _defined(part)}
    return frozenset(found)


def _defined(node: ast.AST) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def documents() -> list[Path]:
    return [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md")), ROOT / "bench" / "README.md"]


@pytest.mark.parametrize("path", documents(), **NAMES_OF_PATHS)
def test_every_place_that_a_document_names_exists_and_every_link_leads_somewhere(path: Path):
    gone = []
    for file, name in NAMED.findall(path.read_text()):
        if not (ROOT / file).is_file() or name not in names_in(ROOT / file):
            gone.append(f"{file}::{name}")
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text())
    assert gone + [link for link in links if not (path.parent / link).exists()] == []


def clauses() -> dict[str, str]:
    """Clause → its section in docs/rules.md."""
    parts = re.split(r"^### (T\d+) · ", (ROOT / "docs" / "rules.md").read_text(), flags=re.MULTILINE)
    return {clause: text.split("\n## ")[0] for clause, text in zip(parts[1::2], parts[2::2], strict=True)}


EVERY = [*range(1, 9), *range(10, 27), *range(30, 37)]


def test_every_clause_has_its_section_in_order_and_names_code_or_says_later():
    assert list(clauses()) == [f"T{number}" for number in EVERY]
    bare = [clause for clause, text in clauses().items() if not NAMED.search(text) and not is_later(text)]
    assert bare == []


def is_later(text: str) -> bool:
    """Whether a clause is not offered yet."""
    return text.split("\n\n")[1].startswith("**Later.**")


def test_every_clause_has_a_test_named_by_it_and_every_test_a_clause_that_exists():
    names = {name for path in files("tests") for name, _ in functions(path) if name.startswith("test_")}
    of_tests = {clause for name in names for clause in re.findall(r"(?<=_)[TF]\d+(?=_|$)", name)}
    formats = (ROOT / "docs" / "formats.md").read_text()
    of_formats = set(re.findall(r"^\| (F\d+)\b", formats, re.MULTILINE))
    offered = {clause for clause, text in clauses().items() if not is_later(text)}
    assert (offered | of_formats) - of_tests == set()
    assert of_tests - set(clauses()) - of_formats == set()


def test_no_template_leaves_a_link_behind_that_makes_a_link_of_the_next_button():
    """A name set in a template stays; ``_button.html`` is a link where there is an ``href``."""
    assert [
        path.name for path in files("templates", suffix=".html") if " as href %}" in path.read_text()
    ] == []


def test_the_version_is_the_same_everywhere():
    version = re.findall(r'^version = "([\d.]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    newest = re.findall(r"^## ([\d.]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert version[0] == newest[0]


def test_every_model_has_its_word_in_the_glossary():
    """``PayoutStructure`` is ``payout structure`` there."""
    models = {
        re.sub(r"(?<!^)(?=[A-Z])", " ", node.name).lower()
        for path in files("tournament/models", "tables/models")
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and "models.Model" in map(ast.unparse, node.bases)
    }
    rows = [line for line in (ROOT / "docs" / "glossary.md").read_text().splitlines() if line.startswith("|")]
    told = {word.lower() for row in rows for word in re.findall(r"\*\*(.+?)\*\*", row)}
    assert models and models - told == set()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/runbook.md", "bench/README.md"])
def test_every_command_of_a_document_exists(name: str):
    text = (ROOT / name).read_text()
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    asked = re.findall(r"(?:^|`)(?:\w+=\S+ )*make ([a-z]+)\b", text, re.MULTILINE)
    assert set(asked) <= targets
    ours = {path.stem for app in CODE for path in (ROOT / app).glob("management/commands/*.py")}
    django = {"migrate", "collectstatic", "check", "makemigrations", "createsuperuser", "changepassword"}
    django |= {"axes_reset_ip"}
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= ours | django
    assert [path for path in re.findall(r"python (bench/\w+\.py)", text) if not (ROOT / path).is_file()] == []
