"""The public page of results: every posting with its versions and reasons, and which tie is played for."""

import re

import pytest

from pages.public.reads.shown import rows_of
from tables.services.closing import tie_rule
from tables.services.dealing import round_look
from tables.services.seating import stack_absent
from tests.cast import playing
from tests.cast.at_desk import Somebody
from tests.cast.corrected import latest, played, put_right, round_1, stands, swapped, words
from tests.cast.factories import UserFactory, new_key, round_seat, round_to
from tests.cast.floor import close, confirm, disqualify, draw_and_seat, hand, play_and_count, seated, shoe_of
from tests.cast.html import read
from tests.cast.tied import code_at, sudden_death, tied_for_money
from tournament.models import Event, Round
from tournament.selectors.standings import standings_body
from tournament.services.entries import entry_disqualify_request
from tournament.services.events import event_call_off

pytestmark = pytest.mark.django_db


def page_of(event: Event) -> str:
    answer = Somebody().get(f"/e/{event.slug}/results/")
    assert answer.status_code == 200
    return answer.content.decode()


def notes_on(event: Event) -> list[dict[str, str]]:
    """Return the attributes that say what is played for now: the state, the tied players, seats or places."""
    return [part.attrs for part in read(page_of(event)).all("div") if part.attrs.get("data-state")]


def now_on(event: Event) -> list[str]:
    """The states of what is played for, as the page has them."""
    return [note["data-state"] for note in notes_on(event)]


def tied_on(event: Event) -> set[str]:
    """Everybody who is named as tied."""
    return {code for note in notes_on(event) for code in note["data-entries"].split()}


def told_on(event: Event) -> list[str]:
    """The codes of what is said of all postings, the newest first."""
    return re.findall(r'<p data-code="(\w+)">', page_of(event))


def posted_on(event: Event) -> list[tuple[str, str, str, str]]:
    """(kind, number, version, whether it is in force), the newest first."""
    pattern = r'data-kind="(\w+)" data-number="(\d+)" data-version="(\d+)" data-state="(\w+)"'
    return re.findall(pattern, page_of(event))


def rows_on(event: Event) -> list[dict[str, str]]:
    """The attributes of the row of each entry, the newest result first."""
    return [row.attrs for row in read(page_of(event)).all("tr") if "data-entry" in row.attrs]


def test_T19_a_result_is_posted_on_the_page_with_place_and_chips_of_everybody():
    event = playing.round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    assert posted_on(event) == [("result", "1", "1", "live")]
    first, *others = rows_on(event)
    assert (first["data-entry"], first["data-place"], len(others)) == ("E001", "1st", 4)
    assert re.findall(r'data-chips="(\d+)"', page_of(event))[0] == "6000"
    assert event.postings.get(kind="result").hash in page_of(event)


def test_T20_a_player_who_cannot_cover_the_minimum_is_named_although_seats_are_free():
    event = playing.event_with(4)
    round_ = round_seat(event)
    playing.win(round_, E003=-4_800, E004=-4_900)
    playing.close(round_)
    words = {row["data-entry"]: row["data-words"] for row in rows_on(event)}
    assert [words[f"E00{n}"] for n in (2, 3, 4)] == ["advanced", "advanced", "cut cannot_bet"]


def test_T17_a_corrected_result_is_posted_beside_the_one_before_with_the_reason():
    round_, old = round_1(tie_at_cut="director")
    put_right(old, outcomes=words(b1="win", b2="lose", b3="win", b4="win"))
    assert posted_on(round_.event) == [("result", "1", "2", "live"), ("result", "1", "1", "superseded")]
    reason = round_.event.requests.get().reason
    assert reason and reason in page_of(round_.event)
    assert told_on(round_.event) == ["correct_after_close", "reason"]
    put_right(latest(old), outcomes=words(b1="win", b2="push", b3="push", b4="lose"))
    tie_rule(round_id=round_.pk, advance=[code_at(round_, 3)], reason="card", key=new_key(), actor=None)
    close(round_)
    assert told_on(round_.event)[:3] == ["correct_after_close", "reason", "tie_ruled"]


def test_T17_T26_a_disqualification_is_named_and_its_reason_is_not():
    event = playing.finished(4)
    asked = entry_disqualify_request(
        entry_id=event.entries.get(code="E001").pk, reason="marked cards", key=new_key(), actor=UserFactory()
    )
    confirm(asked)
    after = str(event.format.after_last)
    states = {(kind, version): state for kind, number, version, state in posted_on(event) if number == after}
    assert states == {("result", "2"): "live", ("result", "1"): "superseded"}
    assert "disqualify" in told_on(event) and "reason" not in told_on(event)
    assert event.requests.get().reason not in page_of(event)


def test_T26_a_result_that_is_posted_anew_has_no_place_for_a_disqualified_player():
    round_, old = round_1(6, cut_after_round_1=4)
    draw_and_seat(round_.event)
    disqualify(round_, code := code_at(round_, 1))
    put_right(old, outcomes=words(b1="win", b2="push", b3="lose", b4="lose"))
    mine = [each for each in rows_on(round_.event) if each["data-entry"] == code]
    found = [(each["data-place"], each["data-state"], each["data-words"]) for each in mine]
    assert found == [("", "", "disqualified"), ("1st", "advanced", "advanced")]
    assert told_on(round_.event).count("places_kept") == 1
    # Before the close it is no answer: the others have moved up.
    before = seated(3)
    disqualify(before, code_at(before, 1))
    play_and_count(before)
    close(before)
    assert "places_kept" not in told_on(before.event)


def test_T23_a_ruling_on_a_tie_is_read_with_its_reason_once_the_round_is_closed():
    event = playing.event_with(3, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut="director")
    round_ = round_seat(event)
    playing.win(round_, E001=400)
    round_to(round_, "playing", "counted")
    assert now_on(event) == ["ruling_follows"]
    tie_rule(round_id=round_.pk, advance=["E003"], reason="drew the high card", key=new_key(), actor=None)
    assert now_on(event) == ["close_follows"]
    close(round_)
    assert now_on(event) == ["round_follows"]
    assert told_on(event) == ["tie_ruled"]
    (ruled,) = event.postings.get(kind="result").body["tie_rulings"]
    assert ruled["advance"] == ["E003"] and ruled["reason"] in page_of(event)


def test_T8_an_event_that_is_called_off_has_its_reason_there():
    event = playing.event_with(2)
    assert (posted_on(event), now_on(event)) == ([], [])
    event_call_off(event_id=event.pk, reason="The lights are out", key=new_key(), actor=UserFactory())
    assert posted_on(event) == [("called_off", "1", "1", "live")]
    assert told_on(event) == ["reason", "refunded"]
    assert event.postings.get(kind="called_off").body["reason"] in page_of(event)


def test_T8_a_poster_of_an_event_that_is_called_off_after_round_1_says_so():
    event = playing.round_1_closed(3)
    pages = [f"/{language}/e/{event.slug}/results/poster/" for language in ("en", "de")]
    assert not any('data-note="called_off"' in Somebody().get(page).content.decode() for page in pages)
    event_call_off(event_id=event.pk, reason="The lights are out", key=new_key(), actor=UserFactory())
    english, german = (Somebody().get(page).content.decode() for page in pages)
    assert "The event is called off." in english and "Das Turnier ist abgesagt." in german


def test_T8_an_event_that_is_called_off_in_round_1_promises_no_replay_and_no_sudden_death():
    event = seated(2).event
    addresses = [f"/e/{event.slug}/entries/E001/", f"/e/{event.slug}/prizes/"]
    client = Somebody()
    promised = ('data-hands="later"', 'id="ties"')
    before = [client.get(each).content.decode() for each in addresses]
    event_call_off(event_id=event.pk, reason="The lights are out", key=new_key(), actor=UserFactory())
    after = [client.get(each).content.decode() for each in addresses]
    assert [word in page for word, page in zip(promised, before, strict=True)] == [True, True]
    assert [word in page for word, page in zip(promised, after, strict=True)] == [False, False]


def test_T33_a_tie_for_first_and_second_is_said_before_its_sudden_death():
    event = tied_for_money(2)
    (note,) = notes_on(event)
    told = (note["data-state"], note["data-places"], note["data-entries"])
    assert told == ("sudden_death_follows", "1 2", "E001 E002")
    row = {"word": "money_tie", "gap": {"state": "money_tie", "places": [1, 2]}}
    assert all(row.items() <= each.items() for each in rows_of(standings_body(event)))


def test_T23_only_the_players_who_are_still_in_a_play_off_are_named():
    event = seated(4, cut_after_round_1=2, cut_after_round_2=2).event
    play_and_count(event.rounds.get())
    (note,), everybody = notes_on(event), "E001 E002 E003 E004"
    told = (note["data-state"], note["data-seats"], note["data-entries"])
    assert told == ("play_off_follows", "2", everybody)
    stage = draw_and_seat(event)
    assert (now_on(event), tied_on(event)) == (["play_off"], set(everybody.split()))
    hand(shoe_of(stage), {1: 400, 4: 400}, b1="win", b4="lose")
    assert now_on(event) == ["play_off"]
    assert tied_on(event) == {code_at(stage, 2), code_at(stage, 3)}
    hand(shoe_of(stage), {2: 400}, b2="win")
    assert now_on(event) == ["close_follows"]


def test_T33_T34_a_group_of_a_sudden_death_that_is_decided_is_named_no_more():
    stage = sudden_death(4, groups=2, amounts=(40_000, 20_000, 10_000, 5_000))
    assert now_on(stage.event) == ["sudden_death", "sudden_death"]
    hand(shoe_of(stage, 1), {1: 200, 2: 200}, b1="win", b2="lose")
    assert now_on(stage.event) == ["sudden_death"]
    assert tied_on(stage.event) == {code_at(stage, box, 2) for box in (1, 2)}
    hand(shoe_of(stage, 2), {1: 200, 2: 200}, b1="win", b2="lose")
    assert now_on(stage.event) == ["close_follows"]
    close(stage)
    assert now_on(stage.event) == []
    assert posted_on(stage.event)[0][:2] == ("result", str(stage.number))
    poster = Somebody().get(f"/e/{stage.event.slug}/results/poster/").content.decode()
    assert re.findall(r'data-cents="(\d+)"', poster) == ["40000", "20000", "10000", "5000"]
    assert re.findall(r'data-words="(\w+)"', poster) == ["sudden_death"] * 4
    assert 'data-structure="1"' in poster and 'data-head="' in poster


def test_T33_a_place_that_is_shared_because_nobody_came_is_not_by_sudden_death():
    stage = sudden_death(2)
    for stack in stage.stacks.all():
        stack_absent(stack_id=stack.pk, absent=True, reason="went home", key=new_key(), actor=None)
    round_look(round_id=stage.pk, key=new_key(), actor=None)
    close(Round.objects.get(pk=stage.pk))
    (final,) = [each.body for each in stage.event.postings.all() if "final" in each.body]
    assert [place for place, _code, _chips in final["final"]] == [1, 1]
    assert "sudden_death" not in final


def test_T17_a_poster_has_the_final_places_although_a_round_is_posted_after_them():
    event, _round, old = played(stacks="reset")
    put_right(old, outcomes=words(b1="push", b2="win", b3="lose", b4="lose"))
    first, *_rounds = (posted for posted in posted_on(event) if posted[0] == "result")
    assert first == ("result", "1", "2", "live")
    poster = Somebody().get(f"/e/{event.slug}/results/poster/").content.decode()
    assert 'data-number="4" data-version="1"' in poster


def test_T17_a_ruling_that_a_cut_stands_is_on_the_page_with_its_reason():
    round_, _second, two, three = swapped()
    reason = "The cut stands for a reason"
    assert reason not in page_of(round_.event)
    stands(round_, reason)
    newest, oldest = (
        part
        for part in read(page_of(round_.event)).all("section")
        if part.attrs.get("data-number") == "1" and part.attrs.get("data-kind") == "result"
    )
    assert newest.attrs["data-version"] == "2"
    said = {each.attrs["data-code"]: each.text for each in newest.all("p") if "data-code" in each.attrs}
    assert list(said)[-3:] == ["cut_missed", "cut_extra", "cut_stands"]
    assert three in said["cut_missed"] and two in said["cut_extra"] and reason in said["cut_stands"]
    assert reason not in oldest.text
    assert standings_body(round_.event)["notes"][-1]["state"] == "cut_stands"
    listed = Somebody("director").get("/house/exceptions/").content.decode()
    # The correction was confirmed by a second person.
    assert re.findall(r'data-kind="(\S+)"', listed) == ["round.cut_stands", "request.decide"]


def test_T31_places_that_wait_for_the_payouts_are_said_to():
    event = playing.round_1_closed(2)
    for _ in range(2):
        event.refresh_from_db()
        round_ = round_seat(event)
        playing.win(round_, **playing.ladder(round_))
        playing.close(round_)
    assert now_on(event) == ["payouts_follow"]
