"""`make messages`: every sentence that is marked for translation, and its German.

Reads all sentences from the code and the templates, updates `locale/de/LC_MESSAGES/django.po` and compiles
it. `make messages ARGS="FILE.po …"` also takes translations from those files, by context and sentence. No
program of gettext is needed.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

BASE_DIR = Path(__file__).resolve().parent.parent
CODE = ("config", "pages", "plan", "tables", "tournament", "games", "ground")
LOCALE = BASE_DIR / "locale"
SINCE = datetime(2026, 11, 26, tzinfo=UTC)
"""The date in every catalog, fixed, so that a catalog only changes with its sentences."""

READ_BY_PLAYERS = (
    "templates/public",
    "templates/hall",
    "templates/base.html",
    "templates/public.html",
    "templates/40",
    "templates/50",
    "templates/_age.html",
    "templates/_cutrow.html",
    "templates/_find.html",
    "templates/_log_in_or_out.html",
    "templates/_prospect.html",
    "templates/_rehearsal",
    "templates/_standing.html",
    "templates/_theme.html",
    "templates/_to_events.html",
    "templates/_you.html",
    "templates/desk/receipt.html",
    "templates/desk/refund_receipt.html",
    "templates/director/seating_cards.html",
    "templates/manager/pay_receipt.html",
    "config/failures.py",
    "pages/words/cards.py",
    "pages/words/entrants.py",
    "pages/hall",
    "pages/words/plans.py",
    "pages/words/hands.py",
    "pages/words/prizes.py",
    "pages/words/replay.py",
    "pages/public",
    "pages/replay",
    "pages/words/stages.py",
    "pages/words/standings",
    "pages/templatetags/public.py",
    "games/blackjack/posted.py",
    "games/blackjack/words.py",
)
"""Prefixes of the files whose sentences need a German translation, because players read them."""

REFUSALS = ("Refused", "Conflict", "Forbidden")
"""They need no mark of their own: their sentence comes after their code (``ground/refused.py``)."""
TAKES = {"gettext": 1, "gettext_noop": 1, "gettext_lazy": 1, "_": 1, "Sentence": 1}
TAKES |= {"ngettext": 2, "ngettext_lazy": 2, "pgettext": -1, "pgettext_lazy": -1, "npgettext": -2}
TAKES |= dict.fromkeys(REFUSALS, 1)
"""How many sentences a function marks; negative if they come after their context."""
_LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_IN_TEMPLATE = re.compile(
    rf"\b(npgettext|ngettext|pgettext|gettext|_)\(({_LITERAL}(?:, {_LITERAL})*)(?:, ?count)?\)"
)


# -- Marked sentences ---------------------------------------------------------------------------------------


def extracted() -> Catalog:
    """Return every marked sentence with its files."""
    found = Catalog(
        locale="de",
        header_comment="# Cutline in German: sentences from the code (make messages), German by hand.",
        project="Cutline",
        version="1",
        msgid_bugs_address="none",
        last_translator="the house",
        language_team="the house",
        creation_date=SINCE,
        revision_date=SINCE,
        fuzzy=False,
    )
    for path, name, texts in _marked():
        context = texts.pop(0) if TAKES[name] < 0 else None
        said = tuple(texts) if len(texts) > 1 else texts[0]
        known = found.get(texts[0], context)
        if known is not None and isinstance(known.id, tuple):
            said = known.id  # beside its plural a sentence may stand alone as well
        elif known is not None and isinstance(said, tuple):
            found.delete(texts[0], context)
            found.add(said, locations=known.locations, context=context)
        found.add(said, locations=[(path, 0)], context=context)
    return found


def _marked() -> Iterator[tuple[str, str, list[str]]]:
    for top in CODE:
        for path in sorted((BASE_DIR / top).rglob("*.py")):
            name = str(path.relative_to(BASE_DIR))
            text = path.read_text()
            if any(word in text for word in ("gettext", "Sentence", "ground.refused")):
                yield from ((name, *each) for each in in_code(text))
    for path in sorted((BASE_DIR / "templates").rglob("*.html")):
        name = str(path.relative_to(BASE_DIR))
        yield from ((name, *each) for each in in_template(path.read_text()))


def in_code(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the marked sentences of a module: the marking function and its arguments."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        wanted = TAKES.get(name, 0)
        count = abs(wanted) + (wanted < 0)
        said = node.args[1:2] if name in REFUSALS else node.args[:count]
        for texts in _choices(said) if count else ():
            if len(texts) == count:
                yield name, texts


def _choices(nodes: list[ast.expr]) -> Iterator[list[str]]:
    """Yield the possible sentences of an argument: `_(A if x else B)` marks both."""
    if not nodes:
        yield []
        return
    for text in _texts(nodes[0]):
        yield from ([text, *rest] for rest in _choices(nodes[1:]))


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def in_template(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the marked sentences of a template."""
    for found in _IN_TEMPLATE.finditer(templatize(text)):
        yield found[1], list(ast.literal_eval(f"({found[2]},)"))


# -- The catalogs -------------------------------------------------------------------------------------------


def catalog_path(language: str, kind: str = "po") -> Path:
    """Return the path of the catalog of a language."""
    return LOCALE / language / "LC_MESSAGES" / f"django.{kind}"


def catalog_read(path: Path) -> Catalog:
    """Return a catalog; an empty one if there is none yet."""
    if not path.exists():
        return Catalog(locale="de")
    with path.open("rb") as file:
        return read_po(file, locale="de")


def updated(now: Catalog, before: Catalog) -> Catalog:
    """Return the currently marked sentences, with their translations so far."""
    for message in now:
        old = before.get(*key_of(message)) if message.id else None
        if old is not None and isinstance(old.id, tuple) == isinstance(message.id, tuple):
            message.string = old.string
    return now


def merged(catalog: Catalog, path: Path) -> list[str]:
    """Merge the translations of a file; return a line for each that fits nowhere, or differs."""
    wrong = []
    for given in catalog_read(path):
        if not given.id or not is_translated(given):
            continue
        message = catalog.get(*key_of(given))
        if message is None or isinstance(message.id, tuple) != isinstance(given.id, tuple):
            wrong.append(f"{path.name}: marked nowhere: {key_of(given)[0]!r}")
            continue
        if is_translated(message) and message.string != given.string:
            wrong.append(f"{path.name}: was {message.string!r}, now {given.string!r}")
        message.string = given.string
    return wrong


def key_of(message: Message) -> tuple[str, str | None]:
    """Return the key of a sentence: its text, the singular if there are two, and its context."""
    return str(message.id[0] if isinstance(message.id, tuple) else message.id), message.context


def is_translated(message: Message) -> bool:
    """Whether every form of a sentence is translated."""
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    wanted = 2 if isinstance(message.id, tuple) else 1
    return len(forms) == wanted and all(forms)


def for_players(message: Message) -> bool:
    """Whether players read the sentence, so that it must be translated."""
    return any(path.startswith(READ_BY_PLAYERS) for path, _ in message.locations)


def written(catalog: Catalog) -> bytes:
    """Return the content of the catalog's file: sorted by sentence, with files and without lines."""
    file = io.BytesIO()
    write_po(file, catalog, width=0, sort_output=True, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """Return the compiled catalog."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main(fragments: Iterable[str]) -> int:
    """Update the German catalog; report the sentences that are not translated yet."""
    source = catalog_path("de")
    catalog = updated(extracted(), catalog_read(source))
    wrong = [line for fragment in fragments for line in merged(catalog, Path(fragment))]
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_bytes(written(catalog))
    catalog_path("de", "mo").write_bytes(compiled(catalog))
    missing = [
        message for message in catalog if message.id and for_players(message) and not is_translated(message)
    ]
    done = sum(is_translated(message) for message in catalog if message.id)
    print(*wrong, *(f"no German yet: {key_of(each)[0]!r}" for each in missing), sep="\n")
    print(f"{len(catalog)} sentences, {done} in German, {len(missing)} that players read are not.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
