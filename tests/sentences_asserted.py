"""Count the assertions that compare a text with a literal of three words or more, and print the worst files.

``python -m tests.sentences_asserted [FILES]``. Such a test fails when a page says the same in other words; a
code, a ``data-`` attribute or a value would hold. Counted are literals in an ``assert``, literals given to a
helper that asserts about that argument, and literals of ``parametrize`` that end in one of the two.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.cast.source import files, tree

WORDS = re.compile(r"\b(?![2-9TJQKA][shdc]\b)[^\W\d_]{2,}")
"""Words of a sentence; a card such as ``Th`` is none."""
SHOWN = 25
"""So many files are printed."""


def wordy(node: ast.AST) -> bool:
    """Whether this is a literal of three words or more; neither code nor an address."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return len(WORDS.findall(text)) >= 3 and " " in text and not re.match(r"[</{]|SELECT ", text)


def literals(node: ast.AST) -> int:
    """The wordy literals below a node."""
    return sum(wordy(each) for each in ast.walk(node))


def names(node: ast.AST) -> set[str]:
    """The names that are read below a node."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    """All functions of a module."""
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


def helpers(paths: list[Path]) -> frozenset[str]:
    """The functions, tests left out, that assert about an argument."""
    return frozenset(
        made.name
        for path in paths
        for made in functions(path)
        if not made.name.startswith("test_")
        and {arg.arg for arg in [*made.args.args, *made.args.kwonlyargs]}
        & {name for node in ast.walk(made) if isinstance(node, ast.Assert) for name in names(node.test)}
    )


def asserted_in(made: ast.FunctionDef, known: frozenset[str]) -> int:
    """How often a function asserts a sentence."""
    looks: list[ast.AST] = [node.test for node in ast.walk(made) if isinstance(node, ast.Assert)]
    for node in ast.walk(made):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in known:
                looks += [*node.args, *(each.value for each in node.keywords)]
    read = {name for look in looks for name in names(look)}
    given = [
        mark.args[1]
        for mark in made.decorator_list
        if isinstance(mark, ast.Call) and "parametrize" in ast.unparse(mark.func) and len(mark.args) > 1
        if set(re.findall(r"\w+", ast.unparse(mark.args[0]))) & read
    ]
    return sum(literals(each) for each in [*looks, *given])


def count(paths: list[Path]) -> dict[str, int]:
    """File → assertions of sentences, most first."""
    known = helpers(files("tests"))
    found = {str(path): sum(asserted_in(made, known) for made in functions(path)) for path in paths}
    return dict(sorted(found.items(), key=lambda each: -each[1]))


if __name__ == "__main__":
    asked = [Path(name).resolve() for name in sys.argv[1:]]
    counted = count(asked or files("tests"))
    for name, number in list(counted.items())[:SHOWN]:
        print(f"{number:5} {Path(name).relative_to(Path.cwd())}")
    print(f"{sum(counted.values()):5} in all {len(counted)} files")
