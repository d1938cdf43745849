"""A form that was made from a state that is no more is refused, inside its command and under its lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import IntegrityError

from ground.refused import Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.engine.basis import Basis, mark_of
from tournament.services.saving import taken_back

News = Callable[[Basis, str], list[str]]
"""Who has done what to a thing since the token of a form was made: told in the words of the pages."""


def nothing_told(basis: Basis, seen: str) -> list[str]:
    """The news of a press that no page has made."""
    return []


class Press(str):
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
        cls,
        key: str,
        *,
        seen: str,
        basis: Callable[[], Basis],
        news: News = nothing_told,
        reason: str = "",
    ) -> Press:
        made = super().__new__(cls, key)
        made.seen, made.basis, made.news, made.reason = seen, basis, news, reason
        return made


def key_first(key: str, tail: str) -> str:
    """The key of the first of several commands that one press carries out: it looks at the basis for all."""
    named = f"{key}:{tail}"
    if not isinstance(key, Press):
        return named
    return Press(named, seen=key.seen, basis=key.basis, news=key.news, reason=key.reason)


def basis_check(key: str, act: Callable[[], object] | None = None) -> None:
    """Refuse ``stale`` (409), with what has changed, or ``no_basis`` where the form carried none.

    Called once the lock is held, and after the same press sent again has had its first result. ``act`` is
    what the command would do: where that is refused by how things stand nobody is told to send it again.
    """
    if not isinstance(key, Press):
        return
    if not key.seen:
        raise Refused("no_basis", _("The form does not say what it was made from. Load the page again."))
    basis = key.basis()
    if mark_of(key.seen) == basis.mark:
        return
    now, over = basis.now, basis.over
    why_not = _why_not_any_more(act) if act is not None and not over else ""
    if why_not:
        # "Round 1 is closed." is not followed by "Round 1 is closed already."
        now = now if why_not.replace(" already", "") == now else f"{now} {why_not}".strip()
        over = True
    raise Refused("stale", _what_changed(key.news(basis, key.seen), now, over, key.reason), status=409)


AGAIN = _("%(since)s %(now)s Nothing of yours was saved: look at it, and send it again if it still holds.")
OVER = _("%(since)s %(now)s Nothing of yours was saved, and nothing is left to send.")
"""What a press of an old state is told: whether it could be made again as things stand."""

BY_STATE = frozenset({403, 404, 409})
"""The statuses of what is refused as things stand; any other one is about what was typed."""


def _why_not_any_more(act: Callable[[], object]) -> str:
    """Why the command could not be carried out as things stand; it is tried, and taken back."""
    try:
        with taken_back():
            act()
    except Refused as no:
        return no.message if no.status in BY_STATE else ""
    except IntegrityError:
        return ""
    return ""


def _what_changed(news: Sequence[str], now: str, over: bool, reason: str) -> Sentence:
    happened = "; ".join(news)
    since = Sentence(_("This has changed in the meantime."))
    if happened:
        since = Sentence(_("In the meantime: %(happened)s."), happened=happened)
    text = OVER if over else AGAIN
    if not reason:
        return Sentence(text, since=since, now=now)
    return Sentence(
        _("%(said)s The reason that you had typed: “%(reason)s”"),
        said=Sentence(text, since=since, now=now),
        reason=reason,
    )
