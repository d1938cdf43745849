"""A form that was made from a state that is no more is refused, inside its command and under its lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ground.refused import Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.selectors.basis import Basis, holds

News = Callable[[Basis, str], list[str]]
"""Who has done what to a thing since the token of a form was made: told in the words of the pages."""


class Submission(str):
    """What every form sends beside what was typed: its key, and the basis that it was made from.

    A service passes it on as its key, so that no service can forget the basis; ``command`` looks at it. Code
    that calls a service without a form gives a bare key. ``seen`` is what the form carried; ``basis`` reads
    what it would carry now, and locks what its command does not; ``news`` tells what has happened since.
    ``reason`` was typed for it: its form may be gone from the page that answers, and nobody types it twice.
    """

    seen: str
    basis: Callable[[], Basis]
    news: News
    reason: str

    def __new__(
        cls, key: str, *, seen: str, basis: Callable[[], Basis], news: News, reason: str = ""
    ) -> Submission:
        made = super().__new__(cls, key)
        made.seen, made.basis, made.news, made.reason = seen, basis, news, reason
        return made


def key_first(key: str, tail: str) -> str:
    """The key of the first of several commands that one press carries out: it looks at the basis for all."""
    named = f"{key}:{tail}"
    if not isinstance(key, Submission):
        return named
    return Submission(named, seen=key.seen, basis=key.basis, news=key.news, reason=key.reason)


def basis_check(key: str) -> None:
    """Refuse ``stale`` (409), with what has changed, or ``no_basis`` where the form carried none.

    Called once the lock is held, and after the same press sent again has had its first result.
    """
    if not isinstance(key, Submission):
        return
    if not key.seen:
        raise Refused("no_basis", _("The form does not say what it was made from. Load the page again."))
    basis = key.basis()
    if not holds(basis, key.seen):
        raise Refused("stale", _what_changed(key.news(basis, key.seen), basis.now, key.reason), status=409)


def _what_changed(news: Sequence[str], now: str, reason: str) -> Sentence:
    since = Sentence(_("This has changed in the meantime. %(now)s"), now=now)
    if news:
        since = Sentence(_("In the meantime: %(happened)s."), happened="; ".join(news))
    again = _("%(since)s Nothing of yours was saved: look at it, and send it again only if it still holds.")
    said = Sentence(again, since=since)
    if not reason:
        return said
    return Sentence(_("%(said)s The reason that you had typed: “%(reason)s”"), said=said, reason=reason)
