"""The one way in which Cutline says no."""


class Refused(Exception):
    """A command or record that cannot be carried out; nothing has been changed.

    ``code`` is stable and is what tests and machines look at. ``message`` is the sentence a person
    reads: what is wrong, where, and what to do. ``status`` is the HTTP status a page answers with:
    422 for a command that cannot be, 409 for one that came too late, 403 and 404 as usual.
    """

    def __init__(self, code: str, message: str, *, status: int = 422) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def refuse(why_not: Refused | None) -> None:
    """Raise the reason why not, where there is one."""
    if why_not is not None:
        raise why_not
