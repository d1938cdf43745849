"""Imports a faulty module instead of the good one."""

import importlib.abc
import importlib.util
import pathlib
import sys
from types import ModuleType
from typing import Any

from bench.faults import ROOT, Place, mutated


class _Faulty(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, path: str, code: Any) -> None:
        self.path = ROOT / path
        self.package = self.path.stem == "__init__"
        dotted = pathlib.PurePath(path).with_suffix("")
        self.name = ".".join((dotted.parent if self.package else dotted).parts)
        self.code = code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        where = [str(self.path.parent)] if self.package else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=self, submodule_search_locations=where
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)  # noqa: S102 - the module's own text, with one fault


def put_in(place: Place, *, reads: bool) -> None:
    """From now on this process imports the module with the fault."""
    code = compile(mutated(place, reads=reads), str(ROOT / place[0]), "exec")
    sys.meta_path.insert(0, _Faulty(place[0], code))


def put_in_text(path: str, old: str, new: str) -> None:
    """From now on this process reads the file, a module or a template, with another text in it."""
    if path.endswith(".py"):
        source = (ROOT / path).read_text().replace(old, new)
        sys.meta_path.insert(0, _Faulty(path, compile(source, str(ROOT / path), "exec")))
        return
    from django.template import Origin
    from django.template.loaders.filesystem import Loader

    contents = Loader.get_contents

    def read(self: Loader, origin: Origin) -> str:
        found = contents(self, origin)
        return found.replace(old, new) if str(origin.name).endswith(path) else found

    Loader.get_contents = read  # type: ignore[method-assign]  # for this process
