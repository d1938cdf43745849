"""Writes the catalogue of commands into ``docs/commands.md``, run as a module; a test holds it to that."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ground.arguments import Holds

DOC = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
HEAD = """# Commands

What can be written to the journal, made from `tournament/catalogue.py` and `tournament/approvals.py` by
`python -m tests.commands_doc`.

A command is carried out once, in one transaction, with one line of the journal. Its body has just the
arguments that stand beside it: `?` may be left out, `or null` may be empty. Chips move only by what the last
column says ([rules.md](rules.md)). What is no role's is
done by the program itself, or by whoever holds a link.

## Carried out at once

| kind | in the journal | who may | takes | moves chips |
|---|---|---|---|---|
"""
ASKED = """
## Asked of a second person

Nobody confirms what they asked for themselves, but in a rehearsal. What was asked is journalled as
`request.open`, or with the command that found out that two are needed; the answer is `request.decide`.

| kind | in the journal, once confirmed | who may ask | who may confirm | holds | moves chips | is otherwise |
|---|---|---|---|---|---|---|
"""
NOBODY = "no role"


def takes(declared: Mapping[str, Holds]) -> str:
    """The arguments with what they hold."""
    return "<br>".join(
        f"`{name}`{'?' if each.may_be_absent else ''} {each.words}{' or null' if each.may_be_none else ''}"
        for name, each in declared.items()
    )


def row(cells: Iterable[object]) -> str:
    """A line of a table."""
    return "| " + " | ".join(map(str, cells)) + " |\n"


def document(tests_own: Iterable[str] = ()) -> str:
    """The whole document, without the kinds that tests declare for themselves."""
    from tournament.catalogue import COMMANDS, REQUESTS

    moves = {"none": ""}
    done, asked = HEAD, ASKED
    for kind, each in COMMANDS.items():
        if kind not in set(tests_own):
            whose, chips = ", ".join(each.may) or NOBODY, moves.get(each.chips, str(each.chips))
            done += row([f"`{kind}`", each.words, whose, takes(each.takes), chips])
    for kind, ask in REQUESTS.items():
        chips, same = moves.get(ask.chips, str(ask.chips)), f"`{ask.same_as}`" if ask.same_as else ""
        who = (", ".join(ask.asks), ", ".join(ask.confirms))
        asked += row([f"`{kind}`", ask.done, *who, takes(ask.takes), chips, same])
    return done + asked


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    DOC.write_text(document())
