"""The one way in which Cutline says no."""

from typing import Any

from ground.words import Sentence


class Refused(Exception):
    """A command or record that cannot be carried out; nothing has been changed.

    ``code`` is stable and is what tests and machines look at. ``text`` is the sentence a person reads: what
    is wrong, where, and what to do. It is marked for translation where it is written, and names its figures
    (``%(chips)s``), which are the other arguments. ``message`` is the whole sentence, which a page says in
    its reader's language. ``status`` is the HTTP status a page answers with: 422 for a command that cannot
    be, 409 for one that came too late, 403 and 404 as usual.
    """

    def __init__(self, code: str, text: str, *, status: int = 422, **figures: Any) -> None:
        super().__init__(text)
        self.code = code
        self.message = text if isinstance(text, Sentence) and not figures else Sentence(text, **figures)
        self.status = status

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def refuse(why_not: Refused | None) -> None:
    """Raise the reason why not, where there is one."""
    if why_not is not None:
        raise why_not
