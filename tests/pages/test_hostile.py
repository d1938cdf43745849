"""Every form and every address with hostile input (faults): no 5xx, a refusal changes nothing and says why.

The forms are read from the pages themselves, in all the states that an event goes through; so a form that
is added is tried without a line here. Each try is rolled back.
"""

import itertools
import os
import random
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import resolve

from tests.cast.calls import made_once
from tests.cast.every_page import World, addresses, made_world, people, world
from tests.cast.factories import UserFactory, new_key
from tests.cast.hostile import SENTENCE, Form, forms_of, pages
from tests.seed import chance_of, turn
from tournament.models import JournalEntry

__all__ = ["made_world", "world"]
pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    *("", " ", "x" * 100_000, "\x00", "a\x00b", "\x1b[2J", "🂡🎰👩‍👩‍👧", "\u202eneve\u202c", "Ωμέγα"),
    *("'; DROP TABLE tournament_event; --", SCRIPT, '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "%s%n%00"),
    *("-1", "-200", "0", "1.5", "1e9", "NaN", "200,", str(10**30), str(2**63), "999999999"),
    *("²", "٣", "½", "0x10"),
    *("../../etc/passwd", "null", "true", "KH KH KH KH KH", "12:61", "2026-02-30T25:00", "He left."),
    *("0001-01-01T00:00", "9999-12-31T23:59", "² hit", "1 hit ²", "3 insurance １２", "1²", "E²", "１２"),
    *("+5", "1_000", "9" * 5_000, "1" * 19, str(2**31), str(2**15), "5,60", "1e400", "-0", "\ud800"),
    *('["\\ud800"]', "[" * 2_000),
)
PARAMETERS = (
    *("q", "amend", "overlay", "theme", "player", "sold", "all", "you", "me", "round", "table", "page"),
    *("kind", "by", "places", "a1", "a2", "mode", "change", "rank", "suit", "cards", "back", "since"),
    *("seen", "how", "step", "line", "watch", "paper", "hand", "basis", "told", "check"),
)


def on_the_wire(fields: dict[str, Any]) -> str:
    """The fields as a browser sends them; a lone surrogate as the bytes that only a hostile client sends."""
    return urlencode(fields, doseq=True, errors="surrogatepass")


WIRE = "application/x-www-form-urlencoded"


@dataclass
class House:
    """Somebody with every role, at every form of the house."""

    client: Client
    forms: list[Form]

    def send(self, form: Form, fields: dict[str, Any], **more: Any) -> tuple[int, int, str]:
        """Post and take it back: the status, how many commands it carried out, and the page."""
        with transaction.atomic():
            before = JournalEntry.objects.count()
            response = self.client.post(form.action, on_the_wire(fields), content_type=WIRE, **more)
            done = JournalEntry.objects.count() - before
            text = response.content.decode() if response.status_code != 204 else ""
            transaction.set_rollback(True)
        return response.status_code, done, text


@pytest.fixture(scope="module")
def forms(made_world: World, django_db_blocker: Any) -> Iterator[list[Form]]:
    """Every form that there is, read once from pages that stay as they were."""
    with made_once(django_db_blocker, lambda: every_form(made_world)) as made:
        yield made


@pytest.fixture
def house(forms: list[Form], db: None) -> House:
    client = Client(raise_request_exception=False)
    client.force_login(house_user())
    return House(client, deepcopy(forms))


def every_form(world: World) -> list[Form]:
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(is_superuser=True, username="house"))
    found: dict[str, Form] = {}
    stranger = Client()
    for page in pages(world):
        answer = (stranger if page == "/login" else client).get(page)
        assert answer.status_code == 200, f"{page}: {answer.status_code}"
        for form in forms_of(urlsplit(page).path, answer.content.decode()):
            if form.action != "/logout":
                for button in form.buttons[:3] or [("", "")]:
                    one = Form(form.page, form.action, {**form.fields})
                    one.fields |= {button[0]: button[1]} if button[0] else {}
                    # Each page has an event of its own: forms of one name are one form.
                    name = f"{resolve(one.action).view_name} {one.fields.get('do')}"
                    # One address may carry several forms, as a correction by results, by cards and void.
                    found.setdefault(f"{name} {button} {one.fields.get('how')} {sorted(one.fields)}", one)
    return list(found.values())


def fault(form: Form, what: str, answer: tuple[int, int, str]) -> str | None:
    """What is wrong with this answer, in a line; None if nothing is."""
    status, done, text = answer
    refused = 400 <= status < 500
    wrong = {
        "": status >= 500,
        ", and the script is in the page": SCRIPT in text,
        f", and {done} commands were carried out": done and (refused or status == 200),
        ", without a sentence": refused and status not in (403, 404) and not SENTENCE.search(text),
    }
    return next((f"{form.name} [{what}]: {status}{why}" for why, is_so in wrong.items() if is_so), None)


def nothing_wrong(found: Iterable[str | None]) -> None:
    """Fail with every fault on a line of its own."""
    wrong = [each for each in found if each]
    assert not wrong, "\n".join(wrong)


def tries(form: Form, values: list[str], each: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The form with each of its fields hostile (``each`` values) or missing, with all of them, and twice."""
    fresh = {**form.fields, "key": new_key()}
    turns = itertools.cycle(values)
    for name in fresh:
        for value in itertools.islice(turns, each):
            yield f"{name}={value[:24]!r}", {**fresh, "key": new_key(), name: value}
        yield f"no {name}", {key: value for key, value in fresh.items() if key != name}
    for value in values[: each * 2]:
        yield f"all={value[:24]!r}", {**dict.fromkeys(fresh, value), "key": new_key()}
        yield f"{name} twice", {**fresh, "key": new_key(), name: [fresh[name], "²"]}
    yield "all twice", {name: [value, "²"] for name, value in fresh.items()}
    yield "nothing", {}


def picked(n: int, many: int) -> list[str]:
    """Some of the hostile values, others for each ``n`` and each seed."""
    return turn(HOSTILE, many, after=n)


def test_every_form_is_sent_as_it_stands(house: House) -> None:
    """The forms are read aright: as they stand, with a reason, many are carried out, and none is a fault."""
    given = {"reason": "as asked"}
    answers = [(form, house.send(form, {**form.fields, **given, "key": new_key()})) for form in house.forms]
    nothing_wrong(fault(form, "as it stands", each) for form, each in answers)
    assert sum(1 for _, (_, done, _) in answers if done) > len(answers) // 3
    assert len(house.forms) > 45


def test_a_key_that_was_used_before_for_something_else_changes_nothing(house: House) -> None:
    used = JournalEntry.objects.exclude(event=None).latest("pk").key
    # The first bet of a round is called under a key of its own.
    for form in [each for each in house.forms if each.fields.get("do") != "bets"]:
        answer = house.send(form, {**form.fields, "key": used})
        assert answer[1] == 0, f"{form.name}: carried out under a key that was used before"
        assert fault(form, "used key", answer) is None


@pytest.mark.parametrize("method", ["get", "post"])
def test_every_address_with_hostile_parameters_and_numbers(world: World, house: House, method: str) -> None:
    found = []
    for n, (name, path) in enumerate(addresses(world, people(world)).items()):
        plain = path.split("?")[0]
        queries = [dict.fromkeys(PARAMETERS, value) for value in picked(n, 4)]
        bare = [re.sub(r"/\d+(?=/|$)", f"/{huge}", plain) for huge in (0, 2**31, 2**63, 10**30)]
        bare += [plain.replace("E001", code) for code in ("E99999999999999999999", "x" * 300, "-")]
        with transaction.atomic():
            asked = [(str(query)[:60], ask(house.client, method, plain, query)) for query in queries]
            asked += [(each, getattr(house.client, method)(each)) for each in bare if each != plain]
            transaction.set_rollback(True)
        house.client.force_login(house_user())
        found += [f"{name} {what}: {each.status_code}" for what, each in asked if each.status_code >= 500]
        found += [f"{name} {what}: script" for what, each in asked if SCRIPT in each.content.decode()]
    nothing_wrong(found)


def test_the_list_of_parameters_is_whole() -> None:
    """Every name that a view reads from an address is tried above."""
    reads = re.compile(
        r"""GET(?:\.get\(|\.getlist\(|\[)"(\w+)"|"(\w+)" (?:not )?in request\.GET|GET, "(\w+)\""""
    )
    folders = ("pages", "config")
    sources = [path.read_text() for folder in folders for path in (ROOT / folder).rglob("*.py")]
    named = {"".join(found) for source in sources for found in reads.findall(source)}
    pages = [path.read_text() for path in (ROOT / "templates").rglob("*.html")]
    forms = re.findall(r'<form[^>]*method="get".*?</form>', "".join(pages), re.DOTALL)
    named |= {name for form in forms for name in re.findall(r'name="(\w+)"', form)}
    assert len(named) > 20
    assert named <= set(PARAMETERS), named - set(PARAMETERS)


def ask(client: Client, method: str, path: str, fields: dict[str, Any]) -> Any:
    """The answer to an address with these parameters."""
    if method == "get":
        return client.get(f"{path}?{on_the_wire(fields)}")
    return client.post(path, on_the_wire(fields), content_type=WIRE)


def house_user() -> User:
    return User.objects.get(username="house")


TRIES = int(os.environ.get("CUTLINE_SOAK_TRIES", "15"))
"""Tries a form, other ones with every seed; 500 for a night's run by hand."""


def test_every_form_with_hostile_input_is_refused_in_a_sentence_and_changes_nothing(house: House) -> None:
    """Seven values in every field; ``TRIES`` of the whole list and of random text, in a drawn order."""
    chance = chance_of("hostile text")
    for n, form in enumerate(house.forms):
        sent = list(tries(form, picked(n, 7), each=1))
        all_tries = list(tries(form, list(HOSTILE), each=len(HOSTILE)))
        sent += chance.sample(all_tries, min(len(all_tries), TRIES * 3 // 5))
        for _ in range(TRIES * 2 // 5):
            drawn = {name: _random_text(chance) for name in form.fields if chance.random() < 0.5}
            sent.append((repr(drawn)[:200], form.fields | drawn))
        nothing_wrong(fault(form, what, house.send(form, fields)) for what, fields in sent)


def _random_text(chance: random.Random) -> str:
    """Text of any sign that UTF-8 can carry, mostly short."""
    length = chance.choice((0, 1, 2, 3, 5, 8, 60, 400))
    signs = (
        chance.choice((32, 48, 65, 0x300, 0x5D0, 0x1F0A0, chance.randrange(0xD7F0))) for _ in range(length)
    )
    return "".join(chr(sign + chance.randrange(10)) if sign > 32 else chr(sign) for sign in signs)
