"""The standings as they were said last: once for each event, content and language in a process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any

Json = dict[str, Any]
KEPT_MOST = 16
"""So many are kept, the ones that were asked for last. A list of 1,000 rows takes about 4 MB."""


@dataclass(frozen=True)
class SaidStandings:
    """A body in the words of a language, and the list drawn from it. Requests share it."""

    body: Json
    html: str


class Kept:
    """Keep the values of the most recent keys; each value is made once, however many ask for it.

    A key names all that its content depends on, so nothing in here is ever out of date.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, SaidStandings] = OrderedDict()
        self._looking, self._making = Lock(), Lock()

    def get(self, key: Hashable, make: Callable[[], SaidStandings]) -> SaidStandings:
        """Return what is kept under ``key``, or make it. Only makers wait for each other."""
        return self._look(key) or self._made(key, make)

    def _look(self, key: Hashable) -> SaidStandings | None:
        with self._looking:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def _made(self, key: Hashable, make: Callable[[], SaidStandings]) -> SaidStandings:
        with self._making:
            found = self._look(key)
            if found is None:
                found = make()
                with self._looking:
                    self._found[key] = found
                    if len(self._found) > self._most:
                        self._found.popitem(last=False)
            return found


SAID = Kept(KEPT_MOST)
