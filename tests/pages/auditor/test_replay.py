"""Replaying a recorded hand: every vector, the pages, who may see them, and records from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ground.refused import Refused
from pages.auditor.reads.records import FILE_MOST_BYTES, FILE_MOST_RECORDS, file_read
from pages.replay import record_replay
from pages.words.replay import settlement, step_note, step_title
from tables.models import Deal
from tables.selectors.correction_requests import AFTER_CLOSE
from tests.cast.at_tables import logged_in
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import hand, one_box_win, recorded, seated, shoe_of
from tests.cast.worlds import kept
from tournament.models import Request

VECTORS = Path(__file__).parents[2] / "vectors"
SPLIT = {
    "id": "split",
    "rules": "eca",
    "bets": {"2": 20, "5": 40},
    "cards": ["8s", "Kd", "Ah", "8d", "9c", "Ts", "3h", "Tc", "6d"],
    "decisions": [
        {"seat": 5, "action": "insurance", "amount": 20},
        {"seat": 2, "action": "split"},
        {"seat": 2, "action": "stand"},
        {"seat": 2, "action": "hit"},
        {"seat": 5, "action": "stand"},
    ],
}


def vectors(one_in: int = 1) -> list[dict[str, Any]]:
    """The hands that were worked out, and one in so many of those that were drawn at random."""
    worked, drawn = ((VECTORS / name).read_text().splitlines() for name in ("worked.jsonl", "random.jsonl"))
    return [json.loads(line) for line in (*worked, *drawn[::one_in]) if line.strip()]


@pytest.mark.parametrize(
    ("cards", "push", "net"),
    [
        (["Kh", "9c", "Ks", "Td"], "stays", 5),
        (["Kh", "9c", "9s", "Td"], "stays", 0),
        (["Kh", "9c", "9s", "Td"], "house", 0),
        (["Kh", "9c", "8s", "Td"], "stays", 0),
    ],
)
def test_row23_the_chip_on_the_line_is_a_line_of_its_own(cards: list[str], push: str, net: int) -> None:
    record = {"rules": "banco", "bets": {"1": 15}, "cards": cards, "line_chips": {"1": 5}}
    record["decisions"] = [{"seat": 1, "action": "stand"}]
    record["options"] = {"line_chip_push": push}
    hand_line, chip_line = settlement(record_replay(record))[0].lines
    assert (hand_line.clause, chip_line.net_chips, chip_line.clause) == ("A4", net, "23")


@pytest.mark.parametrize("one_in", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_every_vector_replays_to_its_answer(one_in: int) -> None:
    """The last picture is what the answer says, every card came out once, and the parts add up to the net.

    The gate replays a fourth of those drawn at random; the engine itself settles all of them there.
    """
    for vector in vectors(one_in):
        expected = vector.pop("expect")
        vector.pop("why", None)
        if "error" in expected:
            with pytest.raises(Refused) as no:
                record_replay(vector)
            assert no.value.code == expected["error"], vector
            continue
        found = record_replay(vector)
        last = found.steps[-1]
        assert list(last.dealer) == expected["dealer"]
        assert {str(b.box): [list(h.cards) for h in b.hands] for b in last.boxes} == {
            box: [hand["cards"] for hand in hands] for box, hands in expected["hands"].items()
        }
        out = [card for step in found.steps for card in step.cards if step.kind != "turned"]
        assert [card for card in out if card != "??"] == _without_hole(vector, found)
        totals = settlement(found)
        assert {str(t.box): t.net_chips for t in totals} == expected["net"]
        for box_total in totals:
            assert sum(line.net_chips for line in box_total.lines) == box_total.net_chips, vector
            assert all(line.why and line.clause for line in box_total.lines)
        assert all(step_title(step) for step in found.steps)


def _without_hole(vector: dict[str, Any], found: Any) -> list[str]:
    cards = list(vector["cards"])
    if found.rules.hole_card:
        downs = next(step for step in found.steps if step.kind == "hole")
        before = sum(len(step.cards) for step in found.steps[: downs.number])
        cards.pop(before)
    return cards


def test_row3_the_hole_card_is_face_down_until_it_is_turned() -> None:
    record = {"rules": "wonder", "bets": {"1": 200}, "cards": ["Kh", "9c", "Ks", "Td"],
              "decisions": [{"seat": 1, "action": "stand"}]}  # fmt: skip
    steps = record_replay(record).steps
    kinds = "bets card card card hole decision turned settled"
    assert " ".join(step.kind for step in steps) == kinds
    assert [step.dealer for step in steps[3:]] == [
        ("9c",), ("9c", "??"), ("9c", "??"), ("9c", "Td"), ("9c", "Td"),
    ]  # fmt: skip


def test_row23_a_half_that_was_rounded_names_its_row() -> None:
    clauses = {
        "half-natural-player": "6, 7, 23",
        "half-natural-even": "6, 7",
        "half-surrender-house": "20, 23",
    }
    found = {each["id"]: each for each in vectors() if each.get("id") in clauses}
    assert {id_: settlement(record_replay(each))[0].lines[0].clause for id_, each in found.items()} == clauses


def test_irregularities_a_burned_card_is_a_step_and_in_no_hand() -> None:
    record = {"rules": "eca", "bets": {"1": 20}, "cards": ["Kh", "2c", "9c", "Ks", "Td"],
              "decisions": [{"seat": 1, "action": "stand"}],
              "irregularities": [{"kind": "face_up", "card": 2}]}  # fmt: skip
    steps = record_replay(record).steps
    burned = next(step for step in steps if step.kind == "burned")
    assert (burned.cards, burned.mishap, bool(step_note(burned))) == (("2c",), "face_up", True)
    assert steps[-1].boxes[0].hands[0].cards == ("Kh", "Ks")


# -- Pages ------------------------------------------------------------------------------------------------


@pytest.fixture
@kept
def deal(db: None) -> Deal:
    return recorded(shoe_of(seated(4)), one_box_win(1, 200))


def address(deal: Deal, tail: str = "replay/") -> str:
    return f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/{tail}"


def test_each_step_is_an_address_and_the_last_one_settles(deal: Deal) -> None:
    browser = logged_in("auditor")
    first = browser.get(address(deal)).content.decode()
    assert 'data-step="bets"' in first
    assert 'href="?step=1" data-key="ArrowRight"' in first
    last = browser.get(address(deal), {"step": "7"}).content.decode()
    assert 'data-step="settled"' in last
    assert 'aria-current="step"' in last
    for odd in ("99999", "-1", "x", "²"):
        assert browser.get(address(deal), {"step": odd}).status_code == 200


@pytest.mark.parametrize("cards", [True, False])
def test_T17_a_correction_that_waits_is_marked_on_every_step_with_a_link(deal: Deal, cards: bool) -> None:
    if not cards:
        deal = hand(shoe_of(seated(4)), {1: 200}, b1="win")
    event = deal.shoe.round.event
    body = {"deal": deal.pk, "hand": {"round": "Round 1", "table": 1, "number": 1}, "void": False}
    body |= {"changes": {}, "seen": [], "differs": None, "ruled": []}
    about = {"kind": AFTER_CLOSE, "body": body, "reason": "on camera"}
    by = {"requested_by": UserFactory(roles=["director"]), "requested_at": deal.closed_at}
    asked = Request.objects.create(event=event, **about, **by)
    page = f"/staff/{event.slug}/requests/{asked.pk}/correction/"
    for role, opens in (("director", True), ("cashier", False)):
        for step in ("", "3", "99"):
            told = logged_in(role).get(address(deal), {"step": step}).content.decode()
            assert told.count('data-code="correction_waits"') == 1
            assert (page in told) is opens
    assert cards or ('data-code="by_results"' in told and "+200" in told)
    Request.objects.filter(pk=asked.pk).update(status=Request.Status.REFUSED)
    assert "correction_waits" not in logged_in("director").get(address(deal)).content.decode()


def test_the_record_of_a_hand_is_a_file_and_shown_though_it_can_no_longer_be_played(deal: Deal) -> None:
    answer = logged_in("floor").get(address(deal, "record.json"))
    assert answer["Content-Disposition"].endswith(f'="hand-{deal.pk}.json"')
    assert json.loads(answer.content) == deal.record
    for tail in ("deals/", "journal/"):
        page = logged_in("director").get(f"/staff/{deal.shoe.round.event.slug}/{tail}").content.decode()
        assert address(deal) in page
    Deal.objects.filter(pk=deal.pk).update(record={**(deal.record or {}), "cards": ["Kh"]})
    page = logged_in("auditor").get(address(deal))
    assert page.status_code == 200
    assert 'data-code="not_replayed"' in page.content.decode()


# -- Records from elsewhere --------------------------------------------------------------------------------


def send(role: str = "auditor", **fields: Any) -> Any:
    return logged_in(role).post("/staff/replay/", {"key": new_key(), **fields})


@pytest.mark.django_db
def test_a_pasted_record_is_replayed_or_refused_with_its_code() -> None:
    answer = send("cashier", records=json.dumps(SPLIT, indent=2))
    assert answer.status_code == 200
    assert 'data-step="bets"' in answer.content.decode()
    assert 'data-step="card"' in send(records=json.dumps(SPLIT), step="3").content.decode()
    answer = send(records=json.dumps({**SPLIT, "rules": "wonder"}))
    page = answer.content.decode()
    assert answer.status_code == 422 and "bet_below_minimum" in page
    assert "&quot;wonder&quot;" in page, "what was pasted is still there"
    for records, code in (("", "nothing_given"), ("x\n" * 2, "bad_record")):
        assert f'data-code="{code}"' in send(records=records).content.decode()
    void = {**SPLIT, "cards": [], "decisions": [], "void": True, "void_reason": "ruling"}
    assert send(records=json.dumps(void)).status_code == 200, "it has nothing to play"


@pytest.mark.django_db
def test_a_file_of_records_is_a_list_and_each_line_can_be_opened() -> None:
    lines = "\n".join([json.dumps(SPLIT), "", "not json", json.dumps({**SPLIT, "cards": []})])
    upload = SimpleUploadedFile("night.jsonl", lines.encode())
    page = send(file=upload).content.decode()
    assert re.findall(r'data-line="(\d)"', page) == ["1", "3", "4"]
    assert re.findall(r'data-code="(\w*)"', page) == ["", "bad_record", "cards_missing"]
    assert 'data-step="bets"' in send(records=lines, line="1").content.decode()


def test_what_is_no_file_of_records_is_refused() -> None:
    too_long = (b"x" * (FILE_MOST_BYTES + 1), b"{}\n" * (FILE_MOST_RECORDS + 1))
    for content, code in ((b" \n ", "nothing_given"), *((each, "file_too_long") for each in too_long)):
        with pytest.raises(Refused) as no:
            file_read(content)
        assert no.value.code == code


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 100_000, b"NaN", b"[]", b"1", b'{"rules": 1}'])
def test_a_line_that_is_no_record_is_a_refused_line(content: bytes) -> None:
    (line,) = file_read(content)
    assert line.refused is not None
