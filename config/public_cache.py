"""A cache for the public pages, before the framework: a hall of phones requests the same few pages.

Only the framework's own answers are cached, with all of their headers. The key of an answer holds everything
of a request that the framework uses for a public page: host, scheme, path (which contains the language) and
compression. So a wrong host, a plain request that must go to HTTPS, an unknown address or an error is never
found here and is answered by the framework each time. A request with anything else that could matter (a
session, a query, a body, a condition other than ``If-None-Match``) passes through.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.middleware.gzip import re_accepts_gzip
from django.utils.http import parse_etags

from pages.languages import NAMES

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Key = tuple[str, ...]
Pages = Callable[[Environ, Any], Iterable[bytes]]

MOST_SECONDS = 1.0
"""The maximum age of an answer, counted from the moment at which the framework was asked for it."""
FRESH_SECONDS = 0.1
"""From this age on one request renews the answer while the others still get it."""
WAIT_SECONDS = 1.0
"""How long a request waits for another one that renews the answer; then it asks the framework itself."""
MOST_ANSWERS, MOST_BYTES, LARGEST_BYTES = 200, 8_000_000, 500_000
"""The most answers of a process, their bytes in total, and the bytes of one answer."""

VARIES = {"accept-encoding"}
"""The headers on which a cached answer may depend: they are in the key."""
IN_A_LANGUAGE = rf"/(?:(?:{'|'.join(NAMES)})/)?"
PUBLIC = re.compile(rf"{IN_A_LANGUAGE}(?:\Z|e/)")
NAMED_SCREEN = re.compile(rf"{IN_A_LANGUAGE}e/[^/]+/tv/[^/]+/")
"""A named screen in the hall is recorded as seen when it asks, so its answers are never cached."""
PASS_THROUGH = (
    "HTTP_AUTHORIZATION",
    "HTTP_HX_REQUEST",
    "HTTP_IF_MATCH",
    "HTTP_IF_MODIFIED_SINCE",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_TRANSFER_ENCODING",
)


@dataclass(frozen=True)
class Answer:
    """One answer of the framework to GET; ``asked_at`` is a time of the monotonic clock."""

    status: str
    headers: Headers
    body: bytes
    asked_at: float
    etag: str = ""
    unchanged: Headers = field(default_factory=list)

    @property
    def may_be_kept(self) -> bool:
        """Return whether every request with the same key may get it."""
        headers = {name.lower(): value for name, value in self.headers}
        varies = {each.strip().lower() for each in headers.get("vary", "").split(",") if each.strip()}
        return (
            self.status.startswith("200 ")
            and "public" in headers.get("cache-control", "")
            and "set-cookie" not in headers
            and varies <= VARIES
            and bool(self.etag)
            and len(self.body) <= LARGEST_BYTES
        )

    def send(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answer GET or HEAD, with 304 if the requester's copy is current."""
        asked = environ.get("HTTP_IF_NONE_MATCH")
        if asked and self.etag and (asked == self.etag or _names(asked, self.etag)):
            start_response("304 Not Modified", list(self.unchanged))
            return []
        start_response(self.status, list(self.headers))
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [self.body]


def _strong(etag: str) -> str:
    return etag.removeprefix("W/")


def _names(asked: str, etag: str) -> bool:
    """Return whether a header ``If-None-Match`` names this tag; tags are compared weakly (RFC 9110)."""
    return asked.strip() == "*" or etag in (_strong(each) for each in parse_etags(asked))


@dataclass
class Slot:
    """The newest answer for a key, and the lock of the one request that renews it."""

    answer: Answer
    lock: threading.Lock = field(default_factory=threading.Lock)


class PublicCache:
    """A WSGI application around the framework's. Each process has its own, and its own clock."""

    def __init__(self, pages: Pages, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.pages, self._clock = pages, clock
        self._slots: dict[Key, Slot] = {}
        self._mutex = threading.Lock()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answer from the cache if it has an answer of the last second; else ask the framework."""
        key = key_of(environ)
        if key is None:
            return self.pages(environ, start_response)
        slot = self._slots.get(key)
        if slot is None:
            return self._renew(key, environ, None).send(environ, start_response)
        answer = slot.answer
        age = self._age(answer)
        if age >= FRESH_SECONDS:
            answer = self._renewed(key, slot, environ, age)
        return answer.send(environ, start_response)

    def _renewed(self, key: Key, slot: Slot, environ: Environ, age: float) -> Answer:
        """Return an answer that is not too old; one request at a time asks the framework for a new one."""
        ours = slot.lock.acquire(timeout=WAIT_SECONDS) if age >= MOST_SECONDS else slot.lock.acquire(False)
        if not ours:
            # Another request renews it: the cached answer is used unless the framework takes too long.
            return slot.answer if self._age(slot.answer) < MOST_SECONDS else self._asked(environ, None)
        try:
            # The request that had the lock before may have renewed it.
            if self._age(slot.answer) < FRESH_SECONDS:
                return slot.answer
            return self._renew(key, environ, slot)
        finally:
            slot.lock.release()

    def _renew(self, key: Key, environ: Environ, slot: Slot | None) -> Answer:
        """Ask the framework; cache its answer, or drop the key if no other request may get it."""
        answer = self._asked(environ, slot.answer if slot else None)
        with self._mutex:
            if not answer.may_be_kept:
                self._slots.pop(key, None)
            elif slot is not None and self._slots.get(key) is slot:
                slot.answer = answer
            else:
                self._slots[key] = Slot(answer)
            self._make_room()
        return answer

    def _asked(self, environ: Environ, known: Answer | None) -> Answer:
        """Ask the framework for the whole page, or, which costs less, whether the known one is current."""
        asked = {**environ, "REQUEST_METHOD": "GET"}
        asked.pop("HTTP_IF_NONE_MATCH", None)
        if known is not None:
            asked["HTTP_IF_NONE_MATCH"] = known.etag
        since: float = self._clock()
        started: list[Any] = []

        def start(status: str, headers: Headers, _failed: Any = None) -> None:
            started[:] = [status, headers]

        parts = self.pages(asked, start)
        try:
            body = b"".join(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        if known is not None and started[0].startswith("304 "):
            return answer_of(known.status, _updated(known.headers, started[1]), known.body, since)
        return answer_of(started[0], started[1], body, since)

    def _age(self, answer: Answer) -> float:
        return self._clock() - answer.asked_at

    def _make_room(self) -> None:
        """Drop the least recently renewed answers until the rest fits."""
        size = sum(len(slot.answer.body) for slot in self._slots.values())
        while len(self._slots) > MOST_ANSWERS or size > MOST_BYTES:
            oldest = min(self._slots, key=lambda key: self._slots[key].answer.asked_at)
            size -= len(self._slots.pop(oldest).answer.body)


def _updated(kept: Headers, newer: Headers) -> Headers:
    """Return the cached headers with the new values of a 304 (RFC 9111, 3.2)."""
    of_body = {"content-length", "etag"}
    values = {name.lower(): value for name, value in newer if name.lower() not in of_body}
    return [(name, values.get(name.lower(), value)) for name, value in kept]


def answer_of(status: str, headers: Headers, body: bytes, asked_at: float) -> Answer:
    """Return an answer with its tag and the headers of its 304: those that do not describe the body."""
    etag = _strong(next((value for name, value in headers if name.lower() == "etag"), ""))
    of_body = {"content-type", "content-encoding", "content-length", "etag"}
    rest = [(name, value) for name, value in headers if name.lower() not in of_body]
    unchanged = [("ETag", etag), *rest, ("Content-Length", "0")]
    return Answer(status, headers, body, asked_at, etag, unchanged)


def key_of(environ: Environ) -> Key | None:
    """Return everything of a request on which its public page depends; None if it is not public, or
    personal."""
    path = environ["PATH_INFO"]
    if not PUBLIC.match(path) or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return None
    if NAMED_SCREEN.match(path):
        return None
    if environ.get("QUERY_STRING") or environ.get("SCRIPT_NAME") or "HTTP_HOST" not in environ:
        return None
    if environ.get("CONTENT_LENGTH", "0") not in ("", "0"):
        return None
    for name in PASS_THROUGH:
        if name in environ:
            return None
    cookies = environ.get("HTTP_COOKIE", "")
    if cookies and (settings.SESSION_COOKIE_NAME in cookies or settings.CSRF_COOKIE_NAME in cookies):
        return None
    return (
        path,
        environ["HTTP_HOST"],
        environ["wsgi.url_scheme"],
        environ.get("HTTP_X_FORWARDED_PROTO", ""),
        "gzip" if re_accepts_gzip.search(environ.get("HTTP_ACCEPT_ENCODING", "")) else "",
    )
