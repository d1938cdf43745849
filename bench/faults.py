"""Small faults of a module: a comparison turned, a number or a word changed, a call left out.

``bench/mutation.py`` puts them in one at a time. Reads and services have a few more: a lookup of a query
turned or left out, an order turned, ``min`` for ``max``.
"""

import ast
import copy
import pathlib
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
Kind = Iterator[tuple[str, ast.AST]]
"""What a fault says, and the node with the fault."""
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
LEFT_ALONE = ("dataclass", "cast", "TypeVar")

LOOKUPS = {"gt": "gte", "gte": "gt", "lt": "lte", "lte": "lt"}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
QUERIES = {"filter": "exclude", "exclude": "filter"}
ORDERS = ("order_by", "latest", "earliest")

Place = tuple[str, int, int, str]
"""Path of the module, number of the node in a walk of its tree, which of its faults, and what it says."""


# -- faults of a node --------------------------------------------------------------------------------


def faults(node: ast.AST) -> Kind:
    """Every fault of one node that any module may have."""
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


def _constant_faults(node: ast.Constant) -> Kind:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} → {not value}", ast.Constant(not value)
    elif isinstance(value, int):
        yield f"{value} → {value + 1}", ast.Constant(value + 1)
    elif isinstance(value, str) and value and " " not in value:
        yield f"{value!r} → {'X' + value!r}", ast.Constant("X" + value)


def read_faults(node: ast.AST) -> Kind:
    """Every fault of one node of a module that reads the database, those that any module may have first."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)):
        yield from faults(node)  # a text that is filled in by % would only fail
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Name) and name in NAMES:
        yield _said(node, ast.Call(ast.Name(NAMES[name], ast.Load()), node.args, node.keywords))
    if isinstance(node.func, ast.Attribute) and name in QUERIES:
        func = ast.Attribute(node.func.value, QUERIES[name], ast.Load())
        yield _said(node, ast.Call(func, node.args, node.keywords))
    if name in (*QUERIES, "Q", "get"):
        yield from _lookup_faults(node)
    if name in ORDERS:
        yield from _order_faults(node)


def _lookup_faults(node: ast.Call) -> Kind:
    for at, keyword in enumerate(node.keywords):
        if keyword.arg is None:
            continue
        rest = [*node.keywords[:at], *node.keywords[at + 1 :]]
        if rest or node.args:
            yield _said(node, ast.Call(node.func, node.args, rest))
        lookup = keyword.arg.rpartition("__")
        if lookup[2] in LOOKUPS:
            turned = ast.keyword(f"{lookup[0]}__{LOOKUPS[lookup[2]]}", keyword.value)
            yield _said(node, ast.Call(node.func, node.args, [*rest, turned]))


def _order_faults(node: ast.Call) -> Kind:
    for at, arg in enumerate(node.args):
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
            turned = arg.value[1:] if arg.value.startswith("-") else f"-{arg.value}"
            args = [*node.args[:at], ast.Constant(turned), *node.args[at + 1 :]]
            yield _said(node, ast.Call(node.func, args, node.keywords))


def is_word(place: Place) -> bool:
    """Whether the fault is a word with an X before it: of a page, a key, a column."""
    return place[3].startswith("'")


def _said(node: ast.Call, changed: ast.Call) -> tuple[str, ast.AST]:
    return f"{ast.unparse(node)} → {ast.unparse(changed)}", changed


# -- faults of a module ------------------------------------------------------------------------------


class _Walk(ast.NodeTransformer):
    """Counts the nodes that may be mutated, and puts a fault where it is wanted."""

    def __init__(self, *, reads: bool, number: int = -1, which: int = 0) -> None:
        self.reads = reads
        self.number = number
        self.which = which
        self.at = -1
        self.found: list[tuple[int, int, int, str]] = []
        self.done = ""

    def visit(self, node: ast.AST) -> Any:
        if _is_left_alone(node, reads=self.reads):
            return node
        self.at += 1
        here = self.at
        options = list(read_faults(node) if self.reads else faults(node))
        line = getattr(node, "lineno", 0)
        self.found += [(here, which, line, says) for which, (says, _) in enumerate(options)]
        if here == self.number:
            self.done, changed = options[self.which]
            return ast.copy_location(changed, node)
        return super().generic_visit(node)


def _is_left_alone(node: ast.AST, *, reads: bool) -> bool:
    """Annotations, docstrings, texts of messages and lists of names are not mutated."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.arg) or (
        isinstance(node, ast.JoinedStr) and not reads
    ):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id in NOT_MUTATED for t in node.targets)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LEFT_ALONE


def tree_of(module: str) -> ast.Module:
    """The module without what cannot have a fault."""
    tree = ast.parse((ROOT / module).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Name("object", ast.Load())
        if isinstance(node, ast.Assert):
            # An assert says what is so; leaving it out changes nothing.
            node.test = ast.Constant(True)
    return tree


def places(module: str, *, reads: bool = False) -> list[tuple[Place, int]]:
    """Every fault of a module, with its line."""
    walk = _Walk(reads=reads)
    walk.visit(tree_of(module))
    return [((module, number, which, says), line) for number, which, line, says in walk.found]


def mutated(place: Place, *, reads: bool = False) -> ast.Module:
    """The module with that one fault."""
    module, number, which, says = place
    walk = _Walk(reads=reads, number=number, which=which)
    tree = walk.visit(tree_of(module))
    assert walk.done == says
    return ast.fix_missing_locations(tree)  # type: ignore[no-any-return]  # a module in, a module out
