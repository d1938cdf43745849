"""The files of this repository as the tests read them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CODE = ("config", "pages", "plan", "tables", "tournament", "games", "ground")


def files(*folders: str, suffix: str = ".py") -> list[Path]:
    """The files of these folders that a person wrote; no migrations, nor the opinion from outside."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob(f"*{suffix}"))]
    return [path for path in found if "migrations" not in path.parts and path.name != "rederive.py"]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())
