"""What a disqualification would change is shown before it is confirmed, and comes true (T26, T35)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.cast import playing, worlds
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.disqualified import NETS, gone_in_round_2, play_off, sudden_death
from tests.cast.factories import UserFactory, new_key, round_seat, round_to
from tests.cast.payments import pay
from tournament.figures import money
from tournament.models import ChipTransaction, Event, JournalEntry, Posting, Request, Round
from tournament.selectors.prizes import paid_of, prizes_for
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import open_money_ties
from tournament.selectors.unheld import Goes, Unclaimed, unclaimed
from tournament.services import entries
from tournament.services.disqualified_preview import disqualified_kept, disqualified_preview
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

FIVE = {"kind": "fixed", "amounts": [20_000, 12_000, 8_000, 6_000, 4_000]}


def asked(event: Event, code: str) -> Request:
    made = entries.entry_disqualify_request(
        entry_id=event.entries.get(code=code).pk, reason="marked cards", key=new_key(), actor=UserFactory()
    )
    return Request.objects.get(pk=made["request"])


def confirm(request: Request) -> None:
    request_decide(request_id=request.pk, approve=True, key=new_key(), actor=UserFactory())


def state() -> tuple[Any, ...]:
    counted = [each.objects.count() for each in (JournalEntry, Posting, ChipTransaction)]
    return *counted, *Event.objects.values_list("status"), *Round.objects.values_list("status", "stakes")


@worlds.kept
def partly_paid() -> Event:
    event = playing.finished(6, structure=FIVE, **playing.promised(*FIVE["amounts"]))
    pay(event, "E003"), pay(event, "E004")
    return event


@worlds.kept
def unheld() -> Event:
    event = playing.finished(5, structure=FIVE)
    pay(event, "E002")
    return event


@worlds.kept
def tie_to_come() -> Event:
    """E005 and E006 are level for the places behind the money; one ahead of them opens it to them."""
    event, stage = sudden_death(
        {"E001": 2000, "E002": 2000, "E003": 800, "E004": 600, "E005": 400, "E006": 400}
    )
    from tests.cast.disqualified import close, won

    won(stage, E002=200), close(stage)
    event.refresh_from_db()
    return event


@worlds.kept
def between_rounds() -> Event:
    amounts = [20_000, 15_000, 10_000, 5_000, 5_000]
    cuts = {"cut_after_round_1": 3, "cut_after_round_2": 2}
    event = playing.round_1_closed(6, stacks="reset", **cuts, **playing.promised(*amounts))
    playing.post(event, {**FIVE, "amounts": amounts})
    return event


@worlds.kept
def in_a_round() -> Event:
    event = between_rounds()
    round_ = round_seat(event)
    round_to(round_, "playing")
    playing.win(round_, E001=600, E002=400, E003=200)
    return event


SCENES: dict[str, tuple[Callable[[], Event], str]] = {
    "after payments, the winner": (partly_paid, "E001"),
    "after payments, the last": (partly_paid, "E006"),
    "nobody is left for the last place": (unheld, "E004"),
    "a tie for money comes of it": (tie_to_come, "E003"),
    "between two rounds, who is out": (between_rounds, "E005"),
    "between two rounds, who goes on": (between_rounds, "E001"),
    "in a round": (in_a_round, "E001"),
    "in a round, the second of three": (in_a_round, "E002"),
    "in a play-off": (lambda: play_off()[0], "E003"),
    "in a sudden death": (lambda: sudden_death(NETS)[0], "E003"),
    "ahead of a sudden death": (lambda: sudden_death(NETS)[0], "E001"),
    "who withdrew": (gone_in_round_2, "E004"),
}


@pytest.mark.parametrize("scene", SCENES)
def test_T26_what_is_shown_before_a_disqualification_comes_true(scene: str):
    make, code = SCENES[scene]
    event = make()
    request, before = asked(event, code), state()
    stage = event.rounds.exclude(status="closed").order_by("-pk").first()
    places_then = dict(event.entries.values_list("code", "place"))
    ranks_then = {r.code: (r.place, r.tied, str(r.state)) for r in stage_ranking(stage).rows} if stage else {}
    effects = disqualified_preview(request)
    assert state() == before
    confirm(request)
    event.refresh_from_db()
    lines = {each.entry.code: each for each in effects.lines}
    assert effects.lines[0].entry.code == code
    assert effects.decided == (event.status == "finished")
    prizes = {event.entries.get(pk=pk).code: cents for pk, cents in prizes_for(event).items()}
    paid = {event.entries.get(pk=pk).code: cents for pk, cents in paid_of(event).items()}
    for entry in event.entries.all():
        line = lines.get(entry.code)
        if effects.decided:
            shown = line.place_after.number if line else places_then[entry.code]
            assert shown == entry.place
        if line is None:
            continue
        if effects.decided:
            assert line.prize_after_cents == prizes[entry.code]
            assert line.left_cents == max(0, prizes[entry.code] - paid.get(entry.code, 0))
    if stage is not None:
        stage.refresh_from_db()
        for row in stage_ranking(stage).rows:
            now = (row.place, row.tied, str(row.state))
            line = lines.get(row.code)
            rank = line.rank_after if line else None
            assert ((rank.number, rank.tied, rank.word) if rank else ranks_then[row.code]) == now
    assert list(effects.unheld) == unclaimed(event)
    assert bool(effects.begun) == (scene == "a tie for money comes of it")
    assert not effects.begun or open_money_ties(event)
    assert reconcile(event) == []


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


def test_T26_the_page_of_the_request_says_who_moves_up_and_what_is_still_to_be_paid():
    event = partly_paid()
    request, director = asked(event, "E001"), Somebody("director")
    waiting = director.get(staff(event, "requests/")).content.decode()
    assert f"requests/{request.pk}/disqualification/" in waiting and 'value="approve"' not in waiting
    path = staff(event, f"requests/{request.pk}/disqualification/")
    rows = rows_of(director.get(path).content.decode())
    assert rows["E001"] == ["1 → 6", "$200.00 → $0.00", "$0.00", "$0.00"]
    assert rows["E003"] == ["3 → 2", "$80.00 → $120.00", "$80.00", "$40.00"]
    assert rows["E004"] == ["4 → 3", "$60.00 → $80.00", "$60.00", "$20.00"]
    assert rows["E006"] == ["6 → 5", "$0.00 → $40.00", "$0.00", "$40.00"]
    done(director.press(path, answer="approve"))
    pages = Somebody("cashier").get(staff(event, "pay/")).content.decode()
    for amount in ("$80.00 of it paid", "Pay $40.00", "$60.00 of it paid", "Pay $20.00"):
        assert amount in pages
    again = director.get(path).content.decode()
    assert "Confirmed by" in again and 'value="approve"' not in again


def test_T26_a_place_that_only_the_disqualified_is_in_is_paid_to_nobody():
    event = unheld()
    request, director = asked(event, "E005"), Somebody("director")
    path = staff(event, f"requests/{request.pk}/disqualification/")
    said = 'data-goes="in_proportion"'
    assert said in director.get(path).content.decode()
    done(director.press(path, answer="approve"))
    tonight = director.get(staff(event)).content.decode()
    assert said in tonight
    kept = disqualified_kept(Request.objects.get(pk=request.pk))
    assert kept is not None and kept.unheld == (Unclaimed(Goes.IN_PROPORTION, (5,), 4_000),)
    assert event.entries.get(code="E005").place == 5


def test_T26_with_another_effect_than_the_page_showed_the_answer_is_refused_and_shown_anew():
    event = partly_paid()
    request, director = asked(event, "E001"), Somebody("director")
    path = staff(event, f"requests/{request.pk}/disqualification/")
    page = director.get(path).content.decode()
    basis = re.search(r'name="basis" value="([^"]+)"', page)
    assert basis is not None
    pay(event, "E002")
    answer = director.press(path, answer="approve", basis=basis.group(1))
    text = refused_in_place(answer, code="stale", status=409)
    assert rows_of(text)["E002"] == ["2 → 1", "$120.00 → $200.00", "$120.00", "$80.00"]
    assert event.entries.get(code="E001").status == "live"


@pytest.fixture
def paid_while_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an event may stand that was paid before a disqualification that waits held the payment back."""
    monkeypatch.setattr("tournament.services.payments.disqualification_waits", lambda entry: None)


@pytest.mark.usefixtures("paid_while_asked")
def test_T26_what_cannot_be_carried_out_says_why_and_offers_no_approval():
    event = partly_paid()
    request, director = asked(event, "E001"), Somebody("director")
    pay(event, "E001")
    text = director.get(staff(event, f"requests/{request.pk}/disqualification/")).content.decode()
    assert "$200.00" in text
    assert 'value="approve"' not in text and 'value="refuse"' in text


def test_T26_the_floor_looks_at_it_and_nobody_confirms_their_own():
    event = partly_paid()
    director = Somebody("director")
    done(director.press(staff(event, "entries/E001/disqualify/"), reason="marked cards"))
    request = Request.objects.get()
    path = staff(event, f"requests/{request.pk}/disqualification/")
    assert director.press(path, answer="approve").status_code == 403
    floor = Somebody("floor").get(path)
    assert floor.status_code == 200 and 'name="answer"' not in floor.content.decode()


# -- Once it is answered ---------------------------------------------------------------------------------


def shown_of(request: Request) -> str:
    assert request.event is not None
    page = Somebody("director").get(staff(request.event, f"requests/{request.pk}/disqualification/"))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def test_T26_beside_what_was_confirmed_stands_what_is_recorded_since():
    event = partly_paid()
    first, fifth = asked(event, "E001"), event.entries.get(code="E005").pk
    confirm(first)
    was_cents = prizes_for(Event.objects.get(pk=event.pk))[fifth]
    confirm(asked(event, "E002"))
    is_cents = prizes_for(Event.objects.get(pk=event.pk))[fifth]
    assert was_cents < is_cents
    assert f"{money(was_cents, 'USD')} → {money(is_cents, 'USD')}" in shown_of(first)
