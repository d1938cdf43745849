"""A form of a page, to be sent twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Form:
    """A form to send twice: the page it stands on, its address, what is typed, which of the page's forms."""

    page: str
    path: str
    typed: dict[str, Any] = field(default_factory=dict)
    role: str = "director"
    holds: str = ""
    kept: str = ""
    by: Any = None


def one_page(path: str, **given: Any) -> Form:
    """A form that is sent to the page that it stands on."""
    return Form(path, path, **given)
