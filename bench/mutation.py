"""How many small faults in the engine the tests would notice.

    python bench/mutation.py [--sample N] [--seed S] [--module NAME …] [--workers N] [--out FILE]

Each fault changes one place of one module of ``games/blackjack``: a comparison, a number, a word, an
``and``, a condition, a statement left out. A fault is noticed if the vectors, some rounds of the second
opinion, or the engine's own tests fail with it. Not part of CI: all of them take hours; a sample says how
good the tests are.
The survivors are looked at one by one in docs/mutation.md.
"""

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import json
import multiprocessing
import os
import pathlib
import random
import signal
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = ROOT / "games" / "blackjack"
TESTS = ROOT / "tests" / "games" / "blackjack"
SECONDS_PER_MUTANT = 120
ROUNDS, LIVE_ROUNDS = 150, 4
COMPARE = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NOT_MUTATED = ("__slots__", "__all__")

Place = tuple[str, int, int, str]
"""Module, number of the node in a walk of its tree, which of its faults, and what it says."""


# -- faults ------------------------------------------------------------------------------------------


def faults(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Every fault of one node: what it says, and the node with the fault."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[at] = COMPARE[type(op)]()
            yield f"{ast.unparse(node)} → {ast.unparse(changed)}", changed
    elif isinstance(node, ast.BoolOp):
        changed_bool = copy.deepcopy(node)
        changed_bool.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f"{ast.unparse(node)} → {ast.unparse(changed_bool)}", changed_bool
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"{ast.unparse(node)} → without not", node.operand
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        changed_op = copy.deepcopy(node)
        changed_op.op = ARITHMETIC[type(node.op)]()
        yield f"{ast.unparse(node)} → {ast.unparse(changed_op)}", changed_op
    elif isinstance(node, ast.Constant):
        yield from _constant_faults(node)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        changed_if = copy.deepcopy(node)
        changed_if.test = ast.UnaryOp(ast.Not(), node.test)
        yield f"if {ast.unparse(node.test)} → negated", changed_if
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield f"{ast.unparse(node)} → left out", ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield f"{ast.unparse(node)} → return None", ast.Return(ast.Constant(None))


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _constant_faults(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} → {not value}", ast.Constant(not value)
    elif isinstance(value, int):
        yield f"{value} → {value + 1}", ast.Constant(value + 1)
    elif isinstance(value, str) and value and " " not in value:
        yield f"{value!r} → {'X' + value!r}", ast.Constant("X" + value)


class _Walk(ast.NodeTransformer):
    """Counts the nodes that may be mutated, and puts a fault where it is wanted."""

    def __init__(self, number: int = -1, which: int = 0) -> None:
        self.number = number
        self.which = which
        self.at = -1
        self.found: list[tuple[int, int, int, str]] = []
        self.done = ""

    def visit(self, node: ast.AST) -> Any:
        if _is_left_alone(node):
            return node
        self.at += 1
        here = self.at
        options = list(faults(node))
        line = getattr(node, "lineno", 0)
        self.found += [(here, which, line, says) for which, (says, _) in enumerate(options)]
        if here == self.number:
            self.done, changed = options[self.which]
            return ast.copy_location(changed, node)
        return super().generic_visit(node)


def _is_left_alone(node: ast.AST) -> bool:
    """Annotations, docstrings, texts of messages and lists of names are not mutated."""
    if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.arg):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id in NOT_MUTATED for t in node.targets)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dataclass"


def _without_annotations(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.Assert):
            # An assert says what is so; leaving it out changes nothing.
            node.test = ast.Constant(True)
    return tree


def places(module: str) -> list[tuple[Place, int]]:
    """Every fault of a module, with its line."""
    walk = _Walk()
    walk.visit(_without_annotations(ast.parse((ENGINE / f"{module}.py").read_text())))
    return [((module, number, which, says), line) for number, which, line, says in walk.found]


def mutated(place: Place) -> ast.Module:
    """The module with that one fault."""
    module, number, which, says = place
    walk = _Walk(number, which)
    tree = walk.visit(_without_annotations(ast.parse((ENGINE / f"{module}.py").read_text())))
    assert walk.done == says
    return ast.fix_missing_locations(tree)  # type: ignore[no-any-return]  # a module in, a module out


# -- running one -------------------------------------------------------------------------------------


class _Faulty(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the faulty module instead of the good one."""

    def __init__(self, module: str, code: Any) -> None:
        self.name = f"games.blackjack.{module}"
        self.code = code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(name, self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)  # noqa: S102 - the module's own text, with one fault


def notices(place: Place) -> str:
    """What noticed the fault, or "" if nothing did. Runs in a process of its own."""
    signal.signal(signal.SIGALRM, _too_long)
    code = compile(mutated(place), place[0], "exec")
    sys.meta_path.insert(0, _Faulty(place[0], code))
    signal.alarm(SECONDS_PER_MUTANT)
    try:
        return _noticed_by()
    except BaseException as fault:
        return f"{type(fault).__name__}"


def _too_long(*_: Any) -> None:
    raise TimeoutError


def _noticed_by() -> str:
    from games.blackjack.record import answer

    for name in ("worked", "random"):
        for line in (ROOT / "tests" / "vectors" / f"{name}.jsonl").read_text().splitlines():
            vector = json.loads(line)
            record = {field: v for field, v in vector.items() if field not in ("expect", "why")}
            got, want = answer(record), vector["expect"]
            got.pop("id")
            if (got.get("error") != want["error"]) if "error" in want else (got != want):
                return "vectors"
    from tests.games.blackjack.opinions import Live, check_round

    for seed in range(ROUNDS):
        check_round(seed)
    for seed in range(LIVE_ROUNDS):
        Live(seed).check()
    return _tests_fail()


def _tests_fail() -> str:
    import pytest

    arguments = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:django", "--noconftest"]
    found = [path for path in TESTS.glob("test_*.py") if path.stem not in SEEN]
    files = [str(path) for path in sorted(found, key=lambda path: (path.stem in LAST, path.stem))]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        code = pytest.main([*arguments, "-c", os.devnull, "--rootdir", str(ROOT), *files])
    return "tests" if code else ""


SEEN = ("test_engine_vectors", "test_settle_command", "test_second_opinion")
LAST = ("test_engine_properties", "test_record_schema")


def run_one(place: Place) -> tuple[Place, str]:
    """One fault in a child process of its own, so that nothing of it stays."""
    receive, send = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        try:
            send.send(notices(place))
        finally:
            os._exit(0)
    send.close()
    said = "timeout"
    if receive.poll(SECONDS_PER_MUTANT + 60):
        said = receive.recv()
    else:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return place, said


def main() -> None:
    """Draw a sample, run it, print the score and the survivors."""
    modules = [path.stem for path in sorted(ENGINE.glob("*.py")) if path.stem != "__init__"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", nargs="*", default=modules)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="")
    chosen = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    everything = [found for module in chosen.module for found in places(module)]
    line_of = dict(everything)
    drawn = [place for place, _ in everything]
    if chosen.sample and chosen.sample < len(drawn):
        drawn = random.Random(chosen.seed).sample(drawn, chosen.sample)
    started = time.time()
    killed = 0
    survivors = []
    import hypothesis  # noqa: F401 - imported once, before the forks
    import pytest  # noqa: F401 - whether it is there

    with multiprocessing.get_context("fork").Pool(chosen.workers, maxtasksperchild=20) as pool:
        for done, (place, said) in enumerate(pool.imap_unordered(run_one, drawn), start=1):
            killed += bool(said)
            if not said:
                survivors.append(f"{place[0]}.py:{line_of[place]}: {place[3]}")
                print(survivors[-1], flush=True)
            if done % 50 == 0:
                print(f"# {done}/{len(drawn)}, noticed {killed}, {time.time() - started:.0f} s", flush=True)
    summary = f"{killed} of {len(drawn)} noticed ({killed / len(drawn):.1%}); {len(everything)} faults in all"
    print(summary)
    if chosen.out:
        pathlib.Path(chosen.out).write_text("\n".join([summary, *sorted(survivors)]) + "\n")


if __name__ == "__main__":
    main()
