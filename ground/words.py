"""How refusals show what they refuse."""

SHOWN_CHARACTERS = 40


def shown(value: object) -> str:
    """``value`` as a sentence can carry it: short, and never a failure whatever it is."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # A number of thousands of digits, or a list a thousand deep, has no text.
        return "something that cannot be written out"
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def gettext_noop(text: str) -> str:
    """Marks ``text`` for translation; whoever shows it passes it through gettext."""
    return text
