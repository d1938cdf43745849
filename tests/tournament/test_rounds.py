"""Rounds, cuts, play-offs, sudden death: from stacks alone, as the tournament knows no tables."""

from typing import Any

import pytest

from tables.services.closing import tie_rule
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.at_tables import logged_in
from tests.cast.calls import refused
from tests.cast.disqualified import close, places
from tests.cast.factories import UserFactory, new_key, round_seat, round_to
from tests.cast.floor import disqualify
from tests.cast.html import read
from tests.cast.rounds import ended_with
from tests.cast.worlds import kept
from tournament.engine.steps.places import money_ties_open
from tournament.models import Event, Posting, Round, Stack
from tournament.selectors.stages import round_cut, state_of, tie_rulings
from tournament.selectors.standings import standings_body

pytestmark = pytest.mark.django_db


def counted(round_: Round) -> Round:
    round_to(round_, "playing", "counted")
    round_.refresh_from_db()
    return round_


def climbing(first: int, last: int) -> dict[str, int]:
    """Nets of entries that all differ: the first wins 200, the next 400 …"""
    return {f"E{n:03}": 200 * (n - first + 1) for n in range(first, last + 1)}


def chips_of(round_: Round) -> dict[str, int]:
    return dict(round_.stacks.values_list("entry__code", "chips"))


def test_T19_T20_top_twelve_advance_once_the_round_is_counted():
    round_ = round_seat(playing.event_with(14))
    playing.win(round_, **climbing(1, 14))
    with refused("not_counted", 409):
        close(round_)
    result = close(counted(round_))
    assert sorted(result["advanced"]) == [f"E{n:03}" for n in range(3, 15)]
    out = round_.stacks.filter(outcome="cut").order_by("place")
    assert [(s.place, s.entry.code, ended_with(round_)[s.entry.code], s.chips) for s in out] == [
        (13, "E002", 5400, 0),
        (14, "E001", 5200, 0),
    ]


@kept
def tied_at_the_cut() -> Round:
    """A counted round 1 of 14 in which three are tied for the last two seats."""
    round_ = round_seat(playing.event_with(14))
    playing.win(round_, **climbing(5, 14), E001=-1000)
    return counted(round_)


def test_T23_only_the_tied_play_off_for_the_contested_seats_before_the_round_is_closed():
    tied = tied_at_the_cut()
    found = round_cut(tied)
    assert (found.level, found.seats) == (("E002", "E003", "E004"), 2)
    with refused("tie_at_cut"):
        close(tied)
    play_off = round_seat(tied.event)
    assert chips_of(play_off) == {"E002": 5000, "E003": 5000, "E004": 5000}
    playing.win(play_off, E002=200, E003=-200)
    tied.refresh_from_db()
    assert (play_off.status, tied.status) == ("counted", "playing_off")
    assert close(play_off) == {"round": play_off.pk, "advanced": ["E002", "E004"]}
    tied.refresh_from_db()
    assert tied.status == "counted"
    assert set(close(tied)["advanced"]) & {"E002", "E003", "E004"} == {"E002", "E004"}
    loser = tied.stacks.get(entry__code="E003")
    assert (loser.place, loser.place_tied, ended_with(tied)["E003"]) == (11, True, 5000)
    assert set(chips_of(play_off).values()) == {0}


def rule(round_: Round, *advance: str, reason: str = "drawn lots", actor: Any = None) -> dict[str, Any]:
    return tie_rule(round_id=round_.pk, advance=list(advance), reason=reason, key=new_key(), actor=actor)


def test_T23_a_ruling_needs_a_reason_and_is_refused_where_the_rules_say_play_off():
    tied = tied_at_the_cut()
    with refused("ruling_not_offered"):
        rule(tied, "E002", "E003")
    _event, ruled = level_behind_one(5, seats=2)
    with refused("reason_missing"):
        rule(ruled, "E002", reason=" ")


@pytest.fixture
def final() -> Round:
    """The third round of an event of five, seated, with three paid places."""
    event = playing.event_with(5)
    for number in (1, 2):
        close(counted(round_seat(event)))
        event.refresh_from_db()
        if number == 1:
            playing.post(event)
    return round_seat(event)


def ended(round_: Round) -> Event:
    return Event.objects.get(pk=round_.event_id)


def test_T33_a_tie_for_second_goes_to_sudden_death(final):
    playing.win(final, E001=1000, E002=600, E003=600, E004=200)
    close(counted(final))
    assert ended(final).status == "running"
    assert [(g.places, g.entries) for g in money_ties_open(state_of(final.event))] == [
        ((2, 3), ("E002", "E003"))
    ]
    sudden = round_seat(final.event)
    assert (sudden.number, sudden.kind, chips_of(sudden)) == (4, "sudden_death", {"E002": 5000, "E003": 5000})
    playing.win(sudden, E003=200)
    assert sudden.status == "counted"
    close(sudden)
    assert ended(final).status == "finished"
    assert places(final.event) == {"E001": 1, "E003": 2, "E002": 3, "E004": 4, "E005": 5}
    assert final.event.entries.get(place=1).final_chips == 6000
    assert Posting.objects.filter(event=final.event, kind="result").count() == 4


def test_stack_never_negative():
    round_ = round_seat(playing.event_with(2))
    with refused("not_enough_chips"):
        playing.win(round_, E001=-5200)
    assert Stack.objects.get(round=round_, entry__code="E001").chips == 5000


@kept
def level_behind_one(entrants: int = 6, seats: int = 3) -> tuple[Event, Round]:
    """E001 leads; all the others are level for two seats, and the director rules on it."""
    event = playing.event_with(entrants, cut_after_round_1=seats, cut_after_round_2=2, tie_at_cut="director")
    round_ = round_seat(event)
    playing.win(round_, E001=1000)
    round_to(round_, "playing", "counted")
    return event, round_


def test_T23_T26_a_ruling_stands_without_who_has_left_whoever_has_that_number_in_another_event():
    event, round_ = level_behind_one(5, seats=2)
    rule(round_, "E002")
    other = playing.event_with(5)
    disqualify(event, "E004")
    round_.refresh_from_db()
    assert other.entries.filter(code="E004", status="live").exists()
    assert not round_cut(round_).ties
    assert sorted(close(round_)["advanced"]) == ["E001", "E002"]


def test_T23_of_two_rulings_on_the_same_players_the_latest_counts_and_both_stay():
    """The player ruled in is disqualified, and the ruling among the others replaces the first one."""
    event, round_ = level_behind_one(5, seats=2)
    boss = UserFactory(username="boss")
    rule(round_, "E002", reason="drawn lots", actor=boss)
    disqualify(event, "E002")
    round_.refresh_from_db()
    assert round_cut(round_).ties
    rule(round_, "E004", reason="high card", actor=boss)
    round_.refresh_from_db()
    kept = tie_rulings(round_)
    first, second = ["E002"], ["E004"]
    assert [(each.ruling.advance, each.counts) for each in kept] == [(first, False), (second, True)]
    assert {each.made.actor for each in kept} == {boss} and kept[0].made.at < kept[1].made.at
    assert sorted(close(round_)["advanced"]) == ["E001", "E004"]
    assert [each.counts for each in tie_rulings(round_)] == [False, True]


def test_T23_a_ruling_is_posted_with_the_result_with_its_reason_and_public_no_sooner():
    event, round_ = level_behind_one(4, seats=2)
    rule(round_, "E003", reason="by lot")
    round_.refresh_from_db()
    assert "rulings" not in standings_body(event)["sections"][0]
    close(round_)
    ruling = {"advance": ["E003"], "reason": "by lot"}
    body = Posting.objects.get(event=event, kind="result", number=1).body
    assert body["tie_rulings"] == [{"tied": ["E002", "E003", "E004"], **ruling}]
    assert standings_body(event)["sections"][0]["rulings"] == [ruling]
    without = Posting.objects.get(event=playing.round_1_closed(3), kind="result", number=1)
    assert "tie_rulings" not in without.body


def test_T23_the_page_rules_on_what_is_left_of_a_tie():
    round_ = cast.seated(5, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut="director")
    cast.play_and_count(round_)
    codes = sorted(round_.event.entries.values_list("code", flat=True))
    rule(round_, *codes[:2], actor=UserFactory(username="boss"))
    disqualify(round_.event, codes[0])
    address, client = f"/staff/{round_.event.slug}/rounds/{round_.pk}/", logged_in("director")
    page = read(client.get(address).content.decode())
    boxes = [n for n in page.all("input") if n.attrs.get("name") == "advance"]
    assert [each.attrs["value"] for each in boxes] == codes[2:]
    sent = {"do": "rule", "key": new_key(), "advance": [codes[3]], "reason": "high card"}
    assert client.post(address, sent).status_code == 303
    round_.refresh_from_db()
    assert [each.made.actor.username for each in tie_rulings(round_)] == ["boss", client.user.username]
    said = client.get(address).content.decode()
    assert said.index("drawn lots") < said.index("high card")
