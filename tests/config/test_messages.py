"""The catalogs: they hold what the code and the templates say, and are compiled."""

import re
from collections import defaultdict

from config import messages
from config.messages import catalog_path, catalog_read, compiled, is_translated, updated, written

FIGURES = re.compile(r"%\((\w+)\)s|\{(\w+)\}")


def figures(text):
    """The named places of a sentence for its figures."""
    return {"".join(found) for found in FIGURES.findall(text)}


def test_the_catalog_is_what_the_sources_say_and_what_players_read_has_its_german():
    source = catalog_read(catalog_path("de"))
    now = updated(messages.extracted(), source)
    assert written(now) == catalog_path("de").read_bytes(), "make messages"
    assert compiled(source) == catalog_path("de", "mo").read_bytes(), "make messages"
    read = [each for each in now if each.id and messages.for_players(each)]
    assert [messages.key_of(each) for each in read if not is_translated(each)] == []


def test_a_translation_has_the_figures_of_its_sentence():
    wrong = []
    for message in catalog_read(catalog_path("de")):
        forms = message.string if isinstance(message.string, tuple | list) else [message.string]
        if message.id and any(forms):
            wrong += [(message.id, form) for form in forms if not fits(message, form)]
    assert wrong == []


def fits(message, form):
    """Whether a form can be written with the figures of its sentence; a plural may leave some out."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    if message.python_format:
        form % defaultdict(str)
    if isinstance(message.id, tuple):
        return figures(form) <= figures(ids[0]) | figures(ids[-1])
    return figures(form) == figures(ids[0])
