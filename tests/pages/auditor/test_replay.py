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
from pages.replay_words import settlement, step_note, step_title
from tables.models import Deal
from tables.selectors.corrections_asked import AFTER_CLOSE
from tests.cast.at_tables import dealer_at, logged_in
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import hand, one_box_win, recorded, seated, shoe_of
from tournament.models import Request

VECTORS = Path(__file__).parents[2] / "vectors"
ROLES = ("director", "manager", "cashier", "dealer", "floor", "auditor")
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


def vectors() -> list[dict[str, Any]]:
    texts = [(VECTORS / name).read_text() for name in ("worked.jsonl", "random.jsonl")]
    return [json.loads(line) for text in texts for line in text.splitlines() if line.strip()]


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


def test_every_vector_replays_to_its_answer() -> None:
    """The last picture is what the answer says, every card came out once, and the parts add up to the net."""
    for vector in vectors():
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


def test_A3_a_split_shows_its_hands_and_what_each_drew() -> None:
    found = record_replay(SPLIT)
    said = [(step.box, step.action, step.cards) for step in found.steps]
    assert (2, "split", ("Ts",)) in said and (5, "insurance", ()) in said
    second = next(step for step in found.steps if step.kind == "card" and step.hand == 1)
    assert (second.cards, bool(step_note(second))) == (("3h",), True)
    totals = {total.box: total for total in settlement(found)}
    assert [(line.net_chips, line.clause) for line in totals[5].lines] == [(40, "A4"), (-20, "A4")]


@pytest.mark.parametrize(
    ("id_", "clause"),
    [
        ("half-natural-player", "6, 7, 23"),
        ("half-natural-even", "6, 7"),
        ("half-surrender-house", "20, 23"),
    ],
)
def test_row23_a_half_that_was_rounded_names_its_row(id_: str, clause: str) -> None:
    written = next(vector for vector in vectors() if vector["id"] == id_)
    assert settlement(record_replay(written))[0].lines[0].clause == clause


def test_irregularities_a_burned_card_is_a_step_and_in_no_hand() -> None:
    record = {"rules": "eca", "bets": {"1": 20}, "cards": ["Kh", "2c", "9c", "Ks", "Td"],
              "decisions": [{"seat": 1, "action": "stand"}],
              "irregularities": [{"kind": "face_up", "card": 2}]}  # fmt: skip
    steps = record_replay(record).steps
    burned = next(step for step in steps if step.kind == "burned")
    assert (burned.cards, burned.mishap, bool(step_note(burned))) == (("2c",), "face_up", True)
    assert steps[-1].boxes[0].hands[0].cards == ("Kh", "Ks")


def test_irregularities_a_hole_card_is_turned_where_it_was_and_a_skipped_box_acts_behind() -> None:
    record = {"rules": "wonder", "bets": {"1": 200, "2": 200, "3": 200},
              "cards": ["9s", "8d", "7c", "6d", "2h", "3c", "4d", "Td", "Ts", "9h", "2s"],
              "decisions": [{"seat": 1, "action": "stand"}, {"seat": 3, "action": "hit"},
                            {"seat": 3, "action": "stand"}, {"seat": 2, "action": "hit"},
                            {"seat": 2, "action": "stand"}],
              "irregularities": [{"kind": "skipped", "seat": 2, "behind": 3},
                                 {"kind": "hole_turned", "after": 3}]}  # fmt: skip
    found = record_replay(record)
    after_deal = [(step.kind, step.box) for step in found.steps if step.kind in ("decision", "turned")]
    assert after_deal == [
        *(("decision", 1), ("decision", 3), ("decision", 3), ("turned", None)),
        *(("decision", 2), ("decision", 2)),
    ]
    turned = next(step for step in found.steps if step.kind == "turned")
    assert (turned.mishap, turned.dealer) == ("hole_turned", ("6d", "Td"))
    assert found.answer["hands"]["3"][0]["cards"] == ["7c", "4d", "Ts"]


def test_a_void_record_has_nothing_to_play() -> None:
    record = {"rules": "eca", "bets": {"1": 20}, "cards": [], "void": True, "void_reason": "ruling"}
    found = record_replay(record)
    assert (found.void, found.steps) == ("ruling", ())


# -- Pages ------------------------------------------------------------------------------------------------


@pytest.fixture
def deal(db: None) -> Deal:
    shoe = shoe_of(seated(4))
    made = recorded(shoe, one_box_win(1, 200))
    return Deal.objects.select_related("shoe__round__event", "shoe__table").get(pk=made.pk)


def address(deal: Deal, tail: str = "replay/") -> str:
    return f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/{tail}"


@pytest.mark.parametrize("role", ROLES)
def test_all_staff_may_replay_a_hand_a_dealer_at_the_own_table(deal: Deal, role: str) -> None:
    status = 403 if role == "dealer" else 200
    assert logged_in(role).get(address(deal)).status_code == status
    assert logged_in(role).get(address(deal, "record.json")).status_code == status
    assert dealer_at(deal.shoe).get(address(deal)).status_code == 200


def test_nobody_replays_a_hand_without_a_login(client: Any, deal: Deal) -> None:
    assert client.get(address(deal)).status_code == 302


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
    """As in the list of hands; whom its page is closed to reads it without the link."""
    if not cards:
        found = hand(shoe_of(seated(4)), {1: 200}, b1="win")
        deal = Deal.objects.select_related("shoe__round__event", "shoe__table").get(pk=found.pk)
    event = deal.shoe.round.event
    asked = Request.objects.create(
        event=event,
        kind=AFTER_CLOSE,
        body={"deal": deal.pk, "changes": {}},
        reason="the camera shows it",
        requested_by=UserFactory(roles=["director"]),
        requested_at=deal.closed_at,
    )
    page = f"/staff/{event.slug}/requests/{asked.pk}/correction/"
    for role, opens in (("director", True), ("cashier", False)):
        for step in ("", "3", "99"):
            told = logged_in(role).get(address(deal), {"step": step}).content.decode()
            assert told.count('data-code="correction_waits"') == 1
            assert (page in told) is opens
    Request.objects.filter(pk=asked.pk).update(status=Request.Status.REFUSED)
    assert "correction_waits" not in logged_in("director").get(address(deal)).content.decode()


def test_a_record_that_can_no_longer_be_played_is_shown_as_it_stands(deal: Deal) -> None:
    Deal.objects.filter(pk=deal.pk).update(record={**(deal.record or {}), "cards": ["Kh"]})
    page = logged_in("auditor").get(address(deal))
    assert page.status_code == 200
    assert 'data-code="not_replayed"' in page.content.decode()


def test_the_record_of_a_hand_is_a_file(deal: Deal) -> None:
    answer = logged_in("floor").get(address(deal, "record.json"))
    assert answer["Content-Disposition"].endswith(f'="hand-{deal.pk}.json"')
    assert json.loads(answer.content) == deal.record


def test_a_hand_by_results_is_shown_by_its_results(db: None) -> None:
    shoe = shoe_of(seated(4))
    found = hand(shoe, {1: 200}, b1="win")
    found = Deal.objects.select_related("shoe__round__event").get(pk=found.pk)
    page = logged_in("director").get(address(found)).content.decode()
    assert 'data-code="by_results"' in page
    assert "+200" in page


def test_the_hands_of_a_table_and_the_journal_lead_to_the_replay(deal: Deal) -> None:
    event = deal.shoe.round.event
    hands = logged_in("director").get(f"/staff/{event.slug}/deals/").content.decode()
    journal = logged_in("director").get(f"/staff/{event.slug}/journal/").content.decode()
    assert address(deal) in hands
    assert address(deal) in journal


# -- Records from elsewhere --------------------------------------------------------------------------------


def send(role: str = "auditor", **fields: Any) -> Any:
    return logged_in(role).post("/staff/replay/", {"key": new_key(), **fields})


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_a_pasted_record_is_replayed_for_every_role(role: str) -> None:
    answer = send(role, records=json.dumps(SPLIT, indent=2))
    assert answer.status_code == 200
    assert 'data-step="bets"' in answer.content.decode()
    assert 'data-step="card"' in send(role, records=json.dumps(SPLIT), step="3").content.decode()


@pytest.mark.django_db
def test_a_record_that_cannot_be_is_refused_with_its_code() -> None:
    bad = {**SPLIT, "rules": "wonder"}
    answer = send(records=json.dumps(bad))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "bet_below_minimum" in page
    assert "&quot;wonder&quot;" in page, "what was pasted is still there"


@pytest.mark.django_db
def test_a_file_of_records_is_a_list_and_each_line_can_be_opened() -> None:
    lines = "\n".join([json.dumps(SPLIT), "", "not json", json.dumps({**SPLIT, "cards": []})])
    upload = SimpleUploadedFile("night.jsonl", lines.encode())
    page = send(file=upload).content.decode()
    assert re.findall(r'data-line="(\d)"', page) == ["1", "3", "4"]
    assert re.findall(r'data-code="(\w*)"', page) == ["", "bad_record", "cards_missing"]
    assert 'data-step="bets"' in send(records=lines, line="1").content.decode()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "nothing_given"),
        (b" \n ", "nothing_given"),
        (b"x" * (FILE_MOST_BYTES + 1), "file_too_long"),
        (b"{}\n" * (FILE_MOST_RECORDS + 1), "file_too_long"),
    ],
)
def test_what_is_no_file_of_records_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(Refused) as no:
        file_read(content)
    assert no.value.code == code


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 100_000, b"NaN", b"[]", b"1", b'{"rules": 1}'])
def test_a_line_that_is_no_record_is_a_refused_line(content: bytes) -> None:
    (line,) = file_read(content)
    assert line.refused is not None


@pytest.mark.django_db
@pytest.mark.parametrize(("records", "code"), [("", "nothing_given"), ("x\n" * 2, "bad_record")])
def test_what_is_no_record_comes_back_with_its_code(records: str, code: str) -> None:
    answer = send(records=records)
    assert f'data-code="{code}"' in answer.content.decode()
