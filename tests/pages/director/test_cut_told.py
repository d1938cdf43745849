"""A cut that a correction would have made otherwise: the pages that tell of it agree (T17, T20)."""

from __future__ import annotations

from typing import Any

import pytest

from pages.history import entry_history
from tables.models import Deal
from tests.cast.at_tables import logged_in, text
from tests.cast.corrected import post, round_1, words
from tests.cast.correction_asked import asked_for, page_of
from tests.cast.cut_since import SWAPPED, latest, stands, swapped
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, hand, person, shoe_of
from tests.cast.tied import code_at, named_at
from tournament.models import Request, Round
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db

FINAL = "Ranking and cut are final and posted."
ANOTHER = "By what is recorded now the cut is another"


def page(round_: Round, tail: str, role: str = "director") -> str:
    return text(logged_in(role).get(f"/staff/{round_.event.slug}/{tail}"))


def seats_stand(*, bet: bool = False) -> tuple[Round, Request]:
    """Round 2 is seated, with ``bet`` begun, and a correction of round 1 is asked for: 3 instead of 2."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    second = draw_and_seat(round_.event)
    if bet:
        hand(shoe_of(second), {1: 200, 2: 200}, b1="win", b2="win")
    return round_, asked_for(old, outcomes=SWAPPED)


def confirm(asked: Request) -> None:
    request_decide(request_id=asked.pk, approve=True, key=new_key(), actor=person("manager"))


# The round ----------------------------------------------------------------------------------------------


def test_T17_T19_a_round_whose_cut_is_to_be_ruled_on_is_not_called_final():
    round_, *_ = swapped()
    told = page(round_, f"rounds/{round_.pk}/")
    assert f"{ANOTHER}, and the director is to rule on it: see below." in told
    assert "as recorded now; the cut is to be ruled on" in told
    assert "final" not in told.split("Round 1: by what is recorded now")[0]
    stands(round_)
    told = page(round_, f"rounds/{round_.pk}/")
    assert f"{FINAL} By what is recorded now the cut would be another; it was ruled to stand" in told
    assert "final; the cut was ruled to stand" in told and "to rule on it" not in told


def test_T17_T19_with_a_correction_that_waits_the_round_says_both():
    round_, _second, *_ = swapped()
    old = Deal.objects.get(shoe__round=round_, status="settled", number=1)
    asked_for(old, outcomes=words(b1="lose", b2="lose", b3="win", b4="win"))
    told = page(round_, f"rounds/{round_.pk}/")
    assert FINAL not in told and "A correction that waits for a second person would change" in told
    assert f"{ANOTHER}, and the director is to rule on it: see below." in told


# The correction -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("approve", [True, False])
def test_T17_an_answered_correction_keeps_what_it_said_of_the_cut(approve: bool):
    round_, asked = seats_stand()
    two, three = named_at(round_, 2), named_at(round_, 3)
    request_decide(request_id=asked.pk, approve=approve, key=new_key(), actor=person("manager"))
    told = text(logged_in("director").get(page_of(asked)))
    head = "As it was asked and confirmed" if approve else "As it was asked"
    part = told.split(head)[1].split("As it was recorded" if approve else "As it is recorded")[0]
    assert (
        f"By what is recorded then, {three} should have advanced and did not;"
        f" {two} should not have advanced, and did."
    ) in part


def test_T17_what_was_confirmed_of_the_cut_stays_where_another_was_put_right_before():
    """Between the two persons the same stacks were reached, and the cut differs by others."""
    round_, asked = seats_stand()
    Request.objects.filter(pk=asked.pk).update(
        body={**asked.body, "differs": {"missed": [code_at(round_, 4)], "extra": [], "tied": [], "seats": 0}}
    )
    asked.refresh_from_db()
    told = text(logged_in("manager").get(page_of(asked)))
    assert "is not what was seen when it was asked" in told
    confirm(asked)
    told = text(logged_in("director").get(page_of(asked)))
    was, confirmed = told.split("What was confirmed")
    assert f"{named_at(round_, 4)} should have advanced" in was
    assert f"{named_at(round_, 3)} should have advanced" in confirmed


@pytest.mark.parametrize("bet", [False, True])
def test_T17_T25_only_what_can_be_done_about_the_cut_now_is_said(bet: bool):
    round_, asked = seats_stand(bet=bet)
    replaced = "Until the first bet of Round 2 the director can have a qualifier replaced by the next-ranked"
    over = "Round 2 has begun, and no qualifier is replaced any more"

    def says(told: str) -> None:
        assert (replaced in told, over in told) == (not bet, bet), told
        assert "after it" not in told

    says(text(logged_in("manager").get(page_of(asked))))
    confirm(asked)
    says(page(round_, f"rounds/{round_.pk}/"))
    if bet:
        says(page(round_, ""))


def test_T17_the_list_says_first_what_happens_to_the_cut_and_counts_the_ranks():
    round_, asked = seats_stand()
    two, three = named_at(round_, 2), named_at(round_, 3)
    listed = page(round_, "requests/", "manager").split("correct hand 1 of the closed round")[1]
    assert "rank 2 → 3" not in listed
    said = [
        f"By what is recorded then, {three} should have advanced and did not;",
        f"{two} should not have advanced, and did.",
        f"{three}: stack 4,800 → 5,200",
        "The rank of 2 players changes.",
    ]
    assert [listed.index(each) for each in said] == sorted(listed.index(each) for each in said)
    assert "2 → 3" in text(logged_in("manager").get(page_of(asked))), "its page has the ranks"


# The entries --------------------------------------------------------------------------------------------


def test_T17_T20_the_page_of_an_entry_says_by_what_it_advanced_and_that_it_is_to_be_ruled():
    round_, _second, two, three = swapped()
    link = f'href="/staff/{round_.event.slug}/rounds/{round_.pk}/"'
    said = {
        two: ("advanced by what was recorded then", "should not have advanced, and did"),
        three: ("out by what was recorded then", "should have advanced and did not"),
    }
    client = logged_in("director")

    def of(code: str) -> tuple[str, str]:
        answered = client.get(f"/staff/{round_.event.slug}/entries/{code}/")
        return text(answered), answered.content.decode().split("Money")[0]

    for code, (result, sentence) in said.items():
        told, html = of(code)
        assert result in told
        assert f"By what is recorded now, {code} {sentence}. The cut of Round 1 is to be ruled on." in told
        assert link in html
    for box in (1, 4):
        told, html = of(code_at(round_, box))
        assert "recorded then" not in told.split("History")[0] and link not in html
    stands(round_)
    for code in said:
        told, html = of(code)
        assert "The cut of Round 1 was ruled to stand." in told and "to be ruled on" not in told
        assert link in html
    cashier = logged_in("cashier").get(f"/staff/{round_.event.slug}/entries/{two}/")
    assert "was ruled to stand" in text(cashier) and link not in cashier.content.decode()


def test_T17_who_is_level_at_the_line_is_told_so_on_the_own_page():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    confirm(asked_for(old, outcomes=words(b1="win", b2="push", b3="push", b4="lose")))
    for box, result in {2: "advanced", 3: "out"}.items():
        code = code_at(round_, box)
        told = page(round_, f"entries/{code}/")
        assert f"{result} by what was recorded then" in told
        assert f"By what is recorded now, {code} is level at the line, and it was not played off." in told


@pytest.mark.parametrize("seated", [True, False])
def test_T17_the_history_tells_of_a_correction_that_moved_the_rank_and_no_chips(seated: bool):
    """Box 2 keeps its chips, and box 3 passes it: both asking and confirming are told."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    if seated:
        draw_and_seat(round_.event)
    two = code_at(round_, 2)
    asked = asked_for(old, outcomes=words(b1="win", b2="win", b3="natural", b4="lose"))
    rank = "rank 2 → 3"
    before = history(round_, two)
    assert before.count(rank) == 1 and "Second person asked" in before
    assert ("should not have advanced, and did" in before) == seated
    confirm(asked)
    after = history(round_, two)
    assert after.count(rank) == 2 and "Corrected after the close" in after
    assert after.count("should not have advanced, and did") == (2 if seated else 0)


def history(round_: Round, code: str) -> str:
    entry = round_.event.entries.get(code=code)
    return " | ".join(f"{line.title} {line.detail}" for line in entry_history(entry))


# The hand -----------------------------------------------------------------------------------------------


def test_T17_a_hand_whose_correction_waits_is_marked_and_cannot_be_asked_about_twice():
    round_, asked = seats_stand()
    deals = f"deals/?table=1&round={round_.pk}"
    client = logged_in("director")
    html = client.get(f"/staff/{round_.event.slug}/{deals}").content.decode()
    assert f'href="{page_of(asked)}"' in html
    assert "A correction of this hand waits for a second person." in text(
        client.get(f"/staff/{round_.event.slug}/{deals}")
    )
    assert f"/deals/{asked.body['deal']}/correct/" not in html
    correct = f"/staff/{round_.event.slug}/deals/{asked.body['deal']}/correct/"
    shown = client.get(correct)
    assert "A correction of this hand, asked for by" in text(shown) and "Preview what changes" not in text(
        shown
    )
    dealer = logged_in("floor").get(f"/staff/{round_.event.slug}/{deals}")
    assert "A correction of this hand waits" in text(dealer)
    posted = {"key": new_key(), "how": "void", "do": "correct", "reason": "again"}
    refused = client.post(correct, posted)
    assert (refused.status_code, text(refused).count("A correction of this hand, asked for by")) == (409, 1)
    assert Request.objects.filter(kind=asked.kind, event=round_.event).count() == 1
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=person("manager"))
    assert (
        f"/deals/{asked.body['deal']}/correct/"
        in client.get(f"/staff/{round_.event.slug}/{deals}").content.decode()
    )
    assert "Preview what changes" in text(client.get(correct))
    assert asked_for(latest_of(asked), void=True).status == "open"


def latest_of(asked: Request) -> Any:
    return latest(Deal.objects.get(pk=asked.body["deal"]))
