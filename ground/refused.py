"""The only exception by which Cutline refuses a request."""

from typing import Any

from ground.words import Sentence


class Refused(Exception):
    """A command or record that cannot be carried out; nothing has been changed.

    ``code`` is stable, for tests and machines. ``text`` is the sentence for a person: what is wrong, where,
    and what to do. It needs no mark for translation, and names its figures (``%(chips)s``), which are the
    keyword arguments. ``message`` is the complete sentence, which a page translates. ``status`` is the HTTP
    status: 422 for an impossible command, 409 (``Conflict``), 403 (``Forbidden``), 404 as usual.
    """

    def __init__(self, code: str, text: str, *, status: int = 422, **figures: Any) -> None:
        super().__init__(text)
        self.code = code
        self.message = text if isinstance(text, Sentence) and not figures else Sentence(text, **figures)
        self.status = status

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class Conflict(Refused):
    """A command that came too late: things have moved on since the page was made (409)."""

    def __init__(self, code: str, text: str, **figures: Any) -> None:
        super().__init__(code, text, status=409, **figures)


class Forbidden(Refused):
    """A command that this person may not give, whatever it says (403)."""

    def __init__(self, code: str, text: str, **figures: Any) -> None:
        super().__init__(code, text, status=403, **figures)


def refuse(why_not: Refused | None) -> None:
    """Raise the reason, if there is one."""
    if why_not is not None:
        raise why_not
