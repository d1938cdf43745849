"""A page read as a tree of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {
    *("meta", "link", "input", "br", "img", "hr"),
    *("path", "rect", "stop", "polyline", "circle", "line", "use"),
}


@dataclass
class Node:
    tag: str
    attrs: dict[str, str]
    parts: list[Node | str] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for part in self.parts:
            if isinstance(part, Node):
                yield from part.walk()

    @property
    def text(self) -> str:
        """The words in it, white space folded."""
        words = [part if isinstance(part, str) else part.text for part in self.parts]
        return re.sub(r"\s+", " ", " ".join(words)).strip()

    @property
    def classes(self) -> set[str]:
        return set(self.attrs.get("class", "").split())

    def all(self, *names: str) -> list[Node]:
        """The elements below with one of these tags or classes (``.place``)."""
        wanted = {name[1:] for name in names if name[0] == "."}
        return [n for n in self.walk() if n.tag in names or n.classes & wanted]

    def one(self, name: str) -> str:
        """The words of the one element with this tag or class; empty where there is none."""
        found = self.all(name)
        return found[0].text if found else ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("root", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self.open) - 1, 0, -1):
            if self.open[at].tag == tag:
                del self.open[at:]
                return

    def handle_data(self, data: str) -> None:
        if self.open[-1].tag not in ("script", "style", "title", "svg", "text", "textpath"):
            self.open[-1].parts.append(data)


def tree(html: str) -> Node:
    reader = _Reader()
    reader.feed(html)
    return reader.root


def read(html: str) -> Node:
    """A page; its main part where it has one."""
    root = tree(html)
    return next((n for n in root.walk() if n.tag == "main"), root)


def data(page: Any, name: str) -> list[str]:
    """The values of an attribute ``data-<name>``, in the order of the page."""
    html = page if isinstance(page, str) else page.content.decode()
    return re.findall(rf'[\s]data-{name}="([^"]*)"', html)
