"""The catalogs: they hold what the code and the templates say, and are compiled."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from babel.messages.catalog import Catalog, Message

from config import messages
from config.messages import catalog_path, catalog_read, compiled, is_translated, updated, written

FIGURES = re.compile(r"%\((\w+)\)s|\{(\w+)\}")


def figures(text: str) -> set[str]:
    """The named places of a sentence for its figures."""
    return {"".join(found) for found in FIGURES.findall(text)}


def test_the_catalog_is_what_the_sources_say_and_what_players_read_has_its_german() -> None:
    source = catalog_read(catalog_path("de"))
    now = updated(messages.extracted(), source)
    assert written(now) == catalog_path("de").read_bytes(), "make messages"
    assert compiled(source) == catalog_path("de", "mo").read_bytes(), "make messages"
    read = [each for each in now if each.id and messages.for_players(each)]
    assert [messages.key_of(each) for each in read if not is_translated(each)] == []


def test_a_translation_has_the_figures_of_its_sentence() -> None:
    wrong = []
    for message in catalog_read(catalog_path("de")):
        forms = message.string if isinstance(message.string, tuple | list) else [message.string]
        if message.id and any(forms):
            wrong += [(message.id, form) for form in forms if not fits(message, form)]
    assert wrong == []


def fits(message: Message, form: str) -> bool:
    """Whether a form can be written with the figures of its sentence; a plural may leave some out."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    if message.python_format:
        form % defaultdict(str)
    if isinstance(message.id, tuple):
        return figures(form) <= figures(ids[0]) | figures(ids[-1])
    return figures(form) == figures(ids[0])


def test_marked_sentences_are_found_in_code_and_templates() -> None:
    code = """
        _("One"), gettext_lazy("Two " "lines"), _("here" if x else "there"), _(name),
        ngettext("%(n)s hand", "%(n)s hands", n), pgettext("of cards", "Hand"), Refused("x", _("No."))
    """
    assert list(messages.in_code(f"x = ({code})")) == [
        ("_", ["One"]),
        ("gettext_lazy", ["Two lines"]),
        ("_", ["here"]),
        ("_", ["there"]),
        ("ngettext", ["%(n)s hand", "%(n)s hands"]),
        ("pgettext", ["of cards", "Hand"]),
        ("_", ["No."]),
    ]
    template = """<b title="{% translate 'Kind' %}">{# translate "no" #}(it's){% translate "It's 5 %" %}</b>
    {% blocktranslate trimmed count n=n %}
      {{ n }} hand
    {% plural %}
      {{ n }} hands{% endblocktranslate %} {% include "x" with a=_("Go") %}
    {% translate "Hand" context "of cards" %}"""
    assert list(messages.in_template(template)) == [
        ("gettext", ["Kind"]),
        ("gettext", ["It's 5 %%"]),
        ("ngettext", ["%(n)s hand", "%(n)s hands"]),
        ("_", ["Go"]),
        ("pgettext", ["of cards", "Hand"]),
    ]


def test_translations_are_taken_from_a_file_and_what_fits_nowhere_is_named(tmp_path: Path) -> None:
    catalog = Catalog(locale="de")
    catalog.add("Hand", context="of cards")
    catalog.add(("%(n)s hand", "%(n)s hands"))
    given = tmp_path / "more.po"
    given.write_text(
        'msgid "Hand"\nmsgstr "Hand"\n\nmsgctxt "of cards"\nmsgid "Hand"\nmsgstr "Blatt"\n\n'
        'msgid "%(n)s hand"\nmsgid_plural "%(n)s hands"\nmsgstr[0] "%(n)s Blatt"\nmsgstr[1] "%(n)s Blätter"\n'
    )
    assert messages.merged(catalog, given) == ["more.po: marked nowhere: 'Hand'"]
    again = updated(catalog, catalog)
    assert again.get("Hand", "of cards").string == "Blatt"
    assert again.get("%(n)s hand").string == ("%(n)s Blatt", "%(n)s Blätter")
