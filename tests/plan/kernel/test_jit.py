"""Compiled code is kept by the text of the whole kernel; where nothing can be written it still runs."""

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from typing import Any

import numba
import pytest

from plan.kernel import jit


def test_another_text_of_any_file_is_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "plan" / "kernel"
    folder.mkdir(parents=True)
    (folder / "rounds.py").write_text("one = 1\n")
    monkeypatch.setattr(jit, "KERNEL", folder)
    before = jit._cache_folder()
    assert before is not None and Path(before).is_dir() and jit._cache_folder() == before
    (folder / "shoes.py").write_text("two = 2\n")
    assert jit._cache_folder() not in (None, before)
    # Where nothing can be written, numba finds a place of its own.
    rmtree(tmp_path / "var")
    (tmp_path / "var").write_text("no folder")
    assert jit._cache_folder() is None


@pytest.mark.soak
@pytest.mark.usefixtures("compiled")
def test_without_any_place_the_kernel_compiles_all_the_same(monkeypatch: pytest.MonkeyPatch):
    compile_ = numba.njit

    def nowhere(**how: Any) -> Callable[[Any], Any]:
        if how.pop("cache", False):
            raise RuntimeError("no locator available")
        return compile_(**how)

    monkeypatch.setattr(numba, "njit", nowhere)
    one_more = jit.jit(lambda number: number + 1)
    assert one_more(1) == 2 and one_more.signatures
