"""What a disqualification would change is shown before it is confirmed, and comes true (T26, T35)."""

from __future__ import annotations

import re

import pytest

from tests.cast import playing, worlds
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.factories import UserFactory, new_key
from tests.cast.payments import pay
from tournament.models import Event, Request
from tournament.services import entries

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

FIVE = {"kind": "fixed", "amounts": [20_000, 12_000, 8_000, 6_000, 4_000]}


def asked(event: Event, code: str) -> Request:
    made = entries.entry_disqualify_request(
        entry_id=event.entries.get(code=code).pk, reason="marked cards", key=new_key(), actor=UserFactory()
    )
    return Request.objects.get(pk=made["request"])


@worlds.kept
def partly_paid() -> Event:
    event = playing.finished(6, structure=FIVE, **playing.promised(*FIVE["amounts"]))
    pay(event, "E003"), pay(event, "E004")
    return event


def rows_of(page: str) -> dict[str, list[str]]:
    """The cells of the table by entry, their words alone."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    found = {}
    for row in body.split("</tr>")[:-1]:
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        words = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", each)).strip() for each in cells]
        code = re.search(r"E\d{3}", words[0])
        assert code is not None
        found[code.group()] = words[1:]
    return found


def form_basis(somebody: Somebody, path: str) -> str:
    found = re.search(r'name="basis" value="([^"]+)"', somebody.get(path).content.decode())
    assert found is not None
    return found.group(1)


def test_T26_the_page_of_the_request_says_who_moves_up_and_what_is_still_to_be_paid():
    event = partly_paid()
    request, director = asked(event, "E001"), Somebody("director")
    path = staff(event, f"requests/{request.pk}/disqualification/")
    waiting = director.get(staff(event, "requests/")).content.decode()
    assert path in waiting and 'value="approve"' not in waiting
    floor = Somebody("floor").get(path)
    assert floor.status_code == 200 and 'name="answer"' not in floor.content.decode()
    rows = rows_of(director.get(path).content.decode())
    assert rows["E001"] == ["1 → 6", "$200.00 → $0.00", "$0.00", "$0.00"]
    assert rows["E003"] == ["3 → 2", "$80.00 → $120.00", "$80.00", "$40.00"]
    assert rows["E006"] == ["6 → 5", "$0.00 → $40.00", "$0.00", "$40.00"]
    seen = {"answer": "approve", "basis": form_basis(director, path)}
    pay(event, "E002")  # with another effect than the page showed, the answer is refused
    text = refused_in_place(director.press(path, **seen), code="stale", status=409)
    assert rows_of(text)["E002"] == ["2 → 1", "$120.00 → $200.00", "$120.00", "$80.00"]
    assert event.entries.get(code="E001").status == "live"
    done(director.press(path, answer="approve"))
    assert 'value="approve"' not in director.get(path).content.decode()
