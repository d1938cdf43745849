"""What the pages say of the seat of a qualifier who is disqualified, and of who is replaced (T25, T26)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.selectors.basis import draw_basis
from tables.services.draws import draw_lock
from tests.cast.at_tables import logged_in, text
from tests.cast.empty_seat import codes, entry_at, fill, gone_and_filled, three_of_five
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, hand, person, shoe_of
from tests.cast.leaving import disqualify
from tests.cast.pages import next_of, public_rows
from tests.cast.tied import code_at, named, named_at
from tournament.models import Entry, Round
from tournament.services.entries import entry_disqualify_request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def told(round_: Round, role: str = "director", gone: str = "") -> dict[str, str]:
    """The words of every page that is about the seat, by name."""
    client = logged_in(role)
    tails = {
        "tonight": "",
        "round": f"rounds/{round_.pk}/",
        "draw": "draw/",
        "seating": "seating/",
        **({"entry": f"entries/{gone}/"} if gone else {}),
    }
    return {name: text(client.get(f"/staff/{round_.event.slug}/{tail}")) for name, tail in tails.items()}


def lines(round_: Round) -> list[str]:
    """The lines of the public leaderboard."""
    return [words for kind, words, _said in public_rows(round_.event) if kind == "line"]


def asked_page(client: Any, round_: Round, asked: int) -> str:
    return text(client.get(f"/staff/{round_.event.slug}/requests/{asked}/disqualification/"))


UNTIL_THE_LOCK = (
    "Until the next roster is locked the director can give it to the next-ranked; left alone it stays empty."
)


# Who confirms a disqualification ---------------------------------------------------------------------------


def test_T25_T26_who_confirms_it_reads_what_becomes_of_the_seat_and_then_what_has():
    round_, _deal = three_of_five()
    gone, client = entry_at(round_, 1), logged_in("manager")
    form = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{gone.code}/"))
    words = "Until the next roster is locked the director can give the seat to the next-ranked;"
    assert words in form
    asked = entry_disqualify_request(
        entry_id=gone.pk, reason="marked a card", key=new_key(), actor=person("director")
    )["request"]
    assert f"{words} otherwise it stays empty." in asked_page(client, round_, asked)
    request_decide(request_id=asked, approve=True, key=new_key(), actor=person("manager"))
    assert f"The seat of {named_at(round_, 1)}, who was disqualified, is empty." in asked_page(
        client, round_, asked
    )
    fill(gone)
    by = named_at(round_, 4)
    page = asked_page(client, round_, asked)
    assert (
        f"{by} has the seat that {named_at(round_, 1)} had qualified for." in page and "is empty" not in page
    )


def test_T26_of_who_did_not_qualify_no_seat_is_spoken_of():
    round_, _deal = three_of_five()
    out = code_at(round_, 5)
    form = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{out}/"))
    assert "The place is the last of the round" in form and "give the seat" not in form


def test_T26_where_nothing_is_left_to_play_for_no_seat_is_promised():
    """Two are through and one of them goes: the other has won, and the event is over with it."""
    round_, _deal = three_of_five()
    disqualify(round_, code_at(round_, 1))
    form = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{code_at(round_, 2)}/"))
    assert "The stack leaves play" in form and "give the seat to the next-ranked; otherwise" not in form


# Before the draw -------------------------------------------------------------------------------------------


def test_T25_T26_every_page_says_that_the_seat_is_empty_and_until_when_it_can_be_given():
    round_, _deal = three_of_five()
    gone = code_at(round_, 1)
    disqualify(round_, gone)
    empty = f"The seat of {named_at(round_, 1)}, who was disqualified, is empty."
    for name, page in told(round_, gone=gone).items():
        assert empty in page and UNTIL_THE_LOCK in page and "Give the seat" in page, name
    assert "Seats for round 2: 2 players" in told(round_)["draw"]
    draw, give = next_of(round_.event)
    assert draw.detail == f"2 players advance. {empty}"
    assert (give.title, give.detail, give.tail) == (empty, UNTIL_THE_LOCK, f"seating/replace/{gone}/")
    assert lines(round_) == ["2 go on round 1 closed, 1 seat is empty"]


def test_T26_the_floor_reads_it_and_is_offered_nothing():
    round_, _deal = three_of_five()
    gone = code_at(round_, 1)
    disqualify(round_, gone)
    for name, page in told(round_, "floor").items():
        assert f"The seat of {named_at(round_, 1)}, who was disqualified, is empty." in page, name
        assert "Give the seat" not in page, name


def test_T25_T26_the_director_gives_the_seat_and_every_page_says_who_has_it():
    round_, _deal = three_of_five()
    gone, by = code_at(round_, 1), entry_at(round_, 4)
    disqualify(round_, gone)
    client, path = logged_in("director"), f"/staff/{round_.event.slug}/seating/replace/{gone}/"
    page = text(client.get(path))
    assert f"{gone}, who was disqualified" in page and "withdraw" not in page.lower()
    assert f"{by.code}, {by.player.full_name}, is next in the frozen standings and takes the place" in page
    answer = client.post(path, {"key": new_key(), "reason": "the table is to be full"}, follow=True)
    assert f"{by.code} takes the seat of {gone}." in text(answer)
    for name, page in told(round_, gone=gone).items():
        assert "is empty" not in page and "Give the seat" not in page, name
    assert (
        f"{named(round_.event, by.code)} has the seat that {named_at(round_, 1)} had qualified for."
        in told(round_, gone=gone)["entry"]
    )
    assert "Seats for round 2: 3 players" in told(round_)["draw"]
    assert next_of(round_.event)[0].detail == "3 players advance."
    assert lines(round_) == ["3 go on round 1 closed"]
    again = text(client.get(path))
    assert f"{by.code} has the seat of {gone} already." in again and "Give the seat" not in again
    journal = f"Place of a qualifier {gone} is out · {by.code} comes in · “the table is to be full”"
    for code in (gone, by.code):
        assert journal in text(client.get(f"/staff/{round_.event.slug}/entries/{code}/"))


def test_T25_T26_a_lock_from_before_the_seat_was_given_is_stale():
    round_, _deal = three_of_five()
    gone = entry_at(round_, 1)
    disqualify(round_, gone.code)
    client, basis = logged_in("director"), str(draw_basis(round_.event_id))
    fill(gone)
    answer = client.post(f"/staff/{round_.event.slug}/draw/lock/", {"key": new_key(), "basis": basis})
    assert answer.status_code == 409 and "3 players" in text(answer)


def test_T26_with_the_lock_it_stays_empty_and_that_is_what_is_said():
    round_, _deal = three_of_five()
    gone = code_at(round_, 1)
    disqualify(round_, gone)
    locked = draw_lock(event_id=round_.event_id, key=new_key(), actor=None)
    words = f"The roster of draw {locked['number']} was locked without the seat of {gone}: it stays empty."
    pages = told(round_, gone=gone)
    for name in ("round", "draw", "seating", "entry"):
        assert words in pages[name] and "Give the seat" not in pages[name], name
    assert UNTIL_THE_LOCK not in " ".join(pages.values())


def test_T25_T26_with_nobody_left_to_take_it_that_is_said():
    round_, _deal = three_of_five()
    for box in (1, 2):
        gone_and_filled(round_, box)
    last = code_at(round_, 3)
    form = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{last}/"))
    assert "Nobody is left who could take the seat: it stays empty." in form
    disqualify(round_, last)
    assert f"Nobody is left who could take the seat of {last}: it stays empty." in told(round_)["tonight"]


# Between the draw and the first bet -------------------------------------------------------------------------


def test_T26_after_the_draw_the_box_is_named_until_the_first_bet():
    round_, _deal = three_of_five()
    second = draw_and_seat(round_.event)
    gone = entry_at(round_, 1)
    box = second.seats.get(entry=gone).box
    disqualify(round_, gone.code)
    words = f"It is table 1, box {box}. Until the first bet of Round 2 the director can give it"
    for name, page in told(round_, gone=gone.code).items():
        assert words in page and "Give the seat" in page, name
    others = {f"b{seat.box}": "win" for seat in second.seats.filter(vacated_at=None)}
    hand(shoe_of(second), {int(each[1:]): 200 for each in others}, **others)
    for name, page in told(round_, gone=gone.code).items():
        assert "is empty" not in page and "Give the seat" not in page, name


def test_T26_given_after_the_draw_the_round_counts_who_plays():
    round_, _deal = three_of_five()
    second = draw_and_seat(round_.event)
    gone = gone_and_filled(round_)
    page = text(logged_in("director").get(f"/staff/{round_.event.slug}/rounds/{second.pk}/"))
    assert "3 ranked" in page
    assert lines(round_)[:1] == ["Top 2 advance 2nd has 5,200"]
    entry = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{gone.code}/"))
    assert "Round 2 5,400 0 – disqualified" in entry
    assert sorted(s.entry.code for s in second.seats.filter(vacated_at=None)) == codes(round_, 2, 3, 4)


# Who is replaced --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [False, True])
def test_T25_of_who_is_replaced_for_an_error_no_page_says_that_they_withdrew(drawn: bool):
    round_, _deal = three_of_five()
    if drawn:
        draw_and_seat(round_.event)
    gone = entry_at(round_, 1)
    fill(gone, reason="had not qualified: the count was wrong")
    client = logged_in("director", "cashier")
    pages = told(round_, gone=gone.code)
    pages["desk"] = text(client.get(f"/staff/{round_.event.slug}/desk/"))
    pages["public"] = text(client.get(f"/e/{round_.event.slug}/"))
    pages["journal"] = text(logged_in("auditor").get(f"/staff/{round_.event.slug}/journal/"))
    for name, page in pages.items():
        assert "withdr" not in page.lower(), name
    assert f"{gone.code} · replaced" in pages["entry"]
    assert "Place of a qualifier" in pages["entry"] and "is out" in pages["entry"]
    said = {code: words for _place, code, words in public_rows(round_.event)}
    assert drawn or said[gone.code] == "replaced"
    assert "Replaced" in pages["round"]
    gone.refresh_from_db()
    assert gone.status == Entry.Status.WITHDRAWN


def test_T25_of_who_is_taken_out_with_nobody_next_it_is_said_so():
    """Both who were out have a seat by now: this one stays empty, whatever the reason."""
    round_, _deal = three_of_five()
    for box in (1, 2):
        gone_and_filled(round_, box)
    last = entry_at(round_, 3)
    client = logged_in("director", "auditor")
    page = text(client.get(f"/staff/{round_.event.slug}/seating/replace/{last.code}/"))
    assert "Nobody is left who could take the place; it stays empty." in page and "withdr" not in page.lower()
    fill(last, reason="had not qualified")
    pages = told(round_, gone=last.code)
    pages["journal"] = text(client.get(f"/staff/{round_.event.slug}/journal/"))
    for name, page in pages.items():
        assert "withdr" not in page.lower(), name
    assert "Taken out" in pages["round"] and f"{last.code} · taken out" in pages["entry"]
    assert f"Place of a qualifier {last.code} is out · nobody could take it" in pages["entry"]
    assert {code: words for _p, code, words in public_rows(round_.event)}[last.code] == "taken out"
    assert lines(round_) == ["2 go on round 1 closed, 1 seat is empty"]
