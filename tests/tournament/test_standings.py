"""The standings: what they say at every stage, and how the snapshot is kept (T20, T23, T33, architecture)."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast.disqualified import NETS, sudden_death, won
from tests.cast.disqualified import close as close_stage
from tests.cast.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    as_command,
    new_key,
    round_seat,
    round_to,
)
from tests.cast.payments import disqualify
from tests.cast.playing import close, event_with, finished, ladder, post, round_1_closed, win
from tournament.models import JournalHead, Round, Stack, StandingsSnapshot
from tournament.selectors.floor import TableProgress, floor, floor_register
from tournament.selectors.standings import rows_matching, standings_body
from tournament.services import rounds
from tournament.services.events import event_call_off
from tournament.services.payments import prize_pay
from tournament.services.standings import FORM, standings_behind, standings_recompute

pytestmark = pytest.mark.django_db


@pytest.fixture
def a_floor():
    """A floor that answers what a test says: seats and progress."""

    class Floor:
        taken: dict = {}
        tables: list = []

        def seats(self, round_ids):
            return self.taken

        def progress(self, round_id):
            return self.tables

    before, made = floor(), Floor()
    floor_register(made)
    yield made
    floor_register(before)


def body_of(event):
    event.refresh_from_db()
    return standings_body(event)


def rows(body, kind="live"):
    (section,) = [each for each in body["sections"] if each["kind"] == kind]
    return section["rows"]


def lines(body, kind="live"):
    return [(("=" if row["tied"] else "") + str(row["place"]), row["code"]) for row in rows(body, kind)]


def cuts(found):
    return {i: (row["cut"]["label"], row["cut"]["gap"]) for i, row in enumerate(found) if "cut" in row}


def playing(event, **nets):
    round_ = round_seat(event)
    win(round_, **nets)
    round_to(round_, Round.Status.PLAYING)
    return round_


# What they say ------------------------------------------------------------------------------------------


def test_before_the_draw_the_entries_by_number():
    event = event_with(2)
    EntryFactory(event=event, player=PlayerFactory(alias="Ace of Denver"))
    body = body_of(event)
    assert body["headline"] == "Desk open · 3 entrants"
    assert [row["code"] for row in rows(body, "entries")] == ["E001", "E002", "E003"]
    assert rows(body, "entries")[2]["name"] == "Ace of Denver"


def test_T6_alternates_are_shown_in_their_order():
    event = event_with(3)
    event.entries.filter(code="E002").update(status="waiting")
    first, second = body_of(event)["sections"]
    assert [row["code"] for row in first["rows"]] == ["E001", "E003"]
    assert [row["code"] for row in second["rows"]] == ["E002"]


def test_an_empty_house_has_no_section():
    assert body_of(event_with(0))["sections"] == []


def test_T20_places_ties_and_the_cut_line():
    event = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    playing(event, E001=1_000, E002=600, E003=600, E004=400, E005=-200)
    body = body_of(event)
    assert body["live"] is True
    assert lines(body) == [("1", "E001"), ("=2", "E002"), ("=2", "E003"), ("4", "E004"), ("5", "E005")]
    assert cuts(rows(body)) == {3: ("Top 3 advance", "3rd has 5,600")}
    gaps = [(row["gap"], row["chance"]) for row in rows(body)]
    assert gaps[0] == ("600 ahead of 4th", "in as it stands")
    assert gaps[3] == ("200 behind 3rd", "needs 300 more to be in the top 3 now")
    assert [row["under"] for row in rows(body)] == [False, False, False, True, True]


def test_T23_a_tie_at_the_line_is_bracketed():
    event = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    playing(event, E001=1_000, E002=600, E003=200, E004=200, E005=-200)
    found = rows(body_of(event))
    assert cuts(found) == {
        2: ("2 are level for 1 seat", "at 5,200"),
        4: ("Top 3 advance", ""),
    }
    assert found[2]["gap"] == "level at the cut, top 3 advance"


def test_T20_all_level_before_the_first_hand():
    event = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    round_seat(event)
    body = body_of(event)
    assert body["headline"] == "Round 1 · seats are drawn"
    assert cuts(rows(body)) == {0: ("Top 3 advance", "all are level")}


def test_T24_nobody_is_cut_and_it_says_so():
    event = event_with(4)
    playing(event, E001=200)
    body = body_of(event)
    assert cuts(rows(body)) == {}
    assert body["notes"][0]["text"].startswith("12 advance and no more are playing")


def test_T20_who_cannot_cover_the_minimum_is_below_the_line():
    event = event_with(4)
    playing(event, E004=-4_900)
    found = rows(body_of(event))
    assert cuts(found) == {3: ("3 advance", "3rd has 5,000")}
    assert found[3]["gap"] == "100 short of the smallest bet"
    assert {row["gap"] for row in found[:3]} == {"in as it stands"}


def test_T15_T26_absent_and_disqualified_are_said():
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = playing(event, E001=1_000, E002=600)
    Stack.objects.filter(round=round_, entry__code="E002").update(state="absent")
    Stack.objects.filter(round=round_, entry__code="E001").update(state="disqualified")
    found = {row["code"]: row for row in rows(body_of(event))}
    assert found["E002"]["chance"] == "absent, the stack stands"
    gone = found["E001"]
    assert (gone["place"], gone["chance"], gone["word"], gone["under"]) == (
        4,
        "disqualified",
        "disqualified",
        True,
    )


def test_change_and_history_come_from_the_chip_ledger():
    event = event_with(3)
    round_ = round_seat(event)
    for net in (200, -400, 1_000):
        win(round_, E001=net)
    row = rows(body_of(event))[0]
    assert (row["code"], row["stack_chips"], row["change_chips"]) == ("E001", 5_800, 1_000)
    assert row["history"] == [5_000, 5_200, 4_800, 5_800]


def test_seat_and_progress_come_from_the_floor(a_floor):
    event = event_with(3)
    round_ = playing(event, E001=200)
    entry = event.entries.get(code="E001")
    a_floor.taken = {(round_.pk, entry.pk): (3, 5)}
    a_floor.tables = [TableProgress(t, hands, "dealing") for t, hands in ((1, 9), (2, 9), (3, 8))]
    body = body_of(event)
    assert body["headline"] == "Round 1 · hand 9 at most tables"
    assert (rows(body)[0]["where"], rows(body)[0]["seat"]) == ("table 3", "table 3, box 5")
    assert "seat" not in rows(body)[1]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ([(4, "dealing"), (4, "dealing")], "hand 4"),
        ([(4, "dealing"), (6, "dealing")], "hands 4 to 6"),
        ([(4, "dealing"), (6, "over")], "hand 4 · 1 table over"),
        ([(6, "over"), (6, "counted")], "shoes over, chips are counted"),
    ],
)
def test_progress_in_words(a_floor, tables, words):
    event = event_with(2)
    playing(event, E001=200)
    a_floor.tables = [TableProgress(i, *each) for i, each in enumerate(tables, start=1)]
    assert body_of(event)["headline"] == f"Round 1 · {words}"


def test_T19_a_closed_round_shows_who_goes_on_and_who_is_out():
    body = body_of(round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2))
    found = rows(body, "closed")
    assert (body["headline"], body["live"]) == ("Round 1 · closed", False)
    assert [row["code"] for row in found] == ["E001", "E002", "E003", "E004", "E005"]
    assert cuts(found) == {3: ("3 go on", "round 1 closed")}
    assert [row["gap"] for row in found[2:4]] == ["goes on to round 2", "out after round 1"]


def test_T20_those_cut_earlier_keep_their_places_below():
    event = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    playing(event, E003=2_000)
    body = body_of(event)
    assert [code for _, code in lines(body)] == ["E003", "E001", "E002"]
    assert lines(body, "out") == [("4", "E004"), ("5", "E005")]
    assert body["sections"][-1]["title"] == "Out after round 1"


def test_T1_the_last_round_counts_to_first_place_and_the_money():
    event = round_1_closed(4, cut_after_round_1=3, cut_after_round_2=3)
    post(event)
    for _ in range(2):
        event.refresh_from_db()
        round_ = round_seat(event)
        win(round_, **ladder(round_))
        if round_.number == 2:
            close(round_)
    found = rows(body_of(event))
    assert [row["gap"] for row in found] == ["leads by 600", "600 behind 1st", "1,200 behind 1st"]
    assert found[0]["chance"] == "in the money as it stands"


def test_T23_the_play_off_stands_above_the_round():
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, E001=1_000)
    round_to(round_, Round.Status.PLAYING, Round.Status.COUNTED)
    play_off = round_seat(event)
    win(play_off, E002=400, E003=200)
    body = body_of(event)
    assert body["headline"] == "Play-off, round 1 · seats are drawn"
    assert body["sections"][0]["title"] == "Play-off for 1 seat"
    # Seats are played for: everybody keeps the place that is shared in the round.
    assert lines(body, "tie") == [("=2", "E002"), ("=2", "E003"), ("=2", "E004")]
    as_command(event, lambda cmd: rounds.round_step(cmd, Round.objects.get(pk=play_off.pk)))
    assert [r["code"] for r in rows(body_of(event)) if not r["under"]] == ["E001", "E002"]


def test_T33_sudden_death_is_ranked_inside_its_own_places():
    event = round_1_closed(3)
    post(event, {"kind": "fixed", "amounts": [15_000, 10_000, 5_000]})
    for nets in ({"E001": 200, "E002": 400, "E003": 600}, {}):
        event.refresh_from_db()
        round_ = round_seat(event)
        if round_.number == 2:
            win(round_, E001=400, E002=0, E003=200)
        else:
            win(round_, **nets)
        close(round_)
    event.refresh_from_db()
    death = round_seat(event)
    win(death, E003=200)
    body = body_of(event)
    assert body["headline"] == "Sudden death · seats are drawn"
    assert body["sections"][0]["title"] == "Sudden death for 2nd to 3rd"
    assert lines(body, "tie") == [("2", "E003"), ("3", "E002")]


def test_T33_where_chips_do_not_tell_one_place_from_another_sudden_death_is_named():
    event, stage = sudden_death(NETS)
    won(stage, E002=400, E003=200)
    close_stage(stage)

    def words() -> dict[str, tuple[int, str, str]]:
        found = rows(body_of(event), "final")
        return {row["code"]: (row["stack_chips"], row["word"], row["chance"]) for row in found}

    by_death = (6_000, "by sudden death", "by sudden death")
    assert words() == {
        "E001": (7_000, "", ""),
        **dict.fromkeys(("E002", "E003", "E004"), by_death),
        "E005": (5_400, "", ""),
        "E006": (5_200, "", ""),
        "E007": (5_000, "", ""),
    }
    disqualify(event, "E002")
    assert words()["E002"] == (0, "disqualified", "disqualified")
    assert words()["E003"] == words()["E004"] == by_death


def test_T35_final_places_with_their_prizes():
    event = finished(5)
    body = body_of(event)
    found = rows(body, "final")
    assert [(row["place"], row["code"], row["prize_cents"]) for row in found[:4]] == [
        (1, "E001", 25_000),
        (2, "E002", 15_000),
        (3, "E003", 10_000),
        (4, "E004", 0),
    ]
    assert cuts(found) == {3: ("Top 3 are paid", "")}
    assert body["headline"] == "Final standings"
    for row in found[:3]:
        entry = event.entries.get(code=row["code"])
        prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
    assert body_of(event)["headline"] == "Final standings · prizes paid"


def test_T8_a_called_off_event_says_so():
    event = event_with(3)
    event_call_off(event_id=event.pk, reason="Too few", key=new_key(), actor=None)
    body = body_of(event)
    assert (body["headline"], body["sections"]) == ("Called off", [])
    assert "refunded" in body["notes"][0]["text"]
    assert body["notes"][1]["text"] == "The reason: Too few"


@pytest.mark.parametrize("word", ["E002", "e2", "2", "002", "zoë", "ZOË Q"])
def test_finding_yourself_by_number_or_name(word):
    event = event_with(1)
    EntryFactory(event=event, player=PlayerFactory(given_name="Zoë", family_name="Quinn"))
    playing(event, E001=200)
    assert [row["code"] for row in rows_matching(body_of(event), word)] == ["E002"]


def test_finding_several_or_nobody():
    event = event_with(2)
    playing(event, E001=200)
    body = body_of(event)
    assert [row["code"] for row in rows_matching(body, "ann")] == ["E001", "E002"]
    assert rows_matching(body, "E009") == rows_matching(body, "  ") == []


def test_faults_nothing_of_a_person_but_public_name_and_code():
    event = event_with(0)
    EntryFactory(event=event, player=PlayerFactory(given_name="Ann", family_name="Bellwether"))
    EntryFactory(event=event)
    playing(event, E001=200)
    standings_recompute(event_id=event.pk)
    snapshot = StandingsSnapshot.objects.get(event=event)
    assert "Ann B." in snapshot.html
    assert "Bellwether" not in snapshot.html + str(snapshot.body)
    assert event.entries.get(code="E001").view_token not in snapshot.html


def test_a_name_cannot_write_into_the_page():
    event = event_with(1)
    EntryFactory(event=event, player=PlayerFactory(alias='<img src=x onerror="1">'))
    playing(event, E001=200)
    standings_recompute(event_id=event.pk)
    html = StandingsSnapshot.objects.get(event=event).html
    assert "<img" not in html
    assert "&lt;img src=x onerror=&quot;1&quot;&gt;" in html


# How the snapshot is kept -------------------------------------------------------------------------------


def head_of(event):
    return JournalHead.objects.get(event=event).seq


def test_snapshot_stands_at_the_journals_head_and_a_second_run_does_nothing(django_assert_max_num_queries):
    event = event_with(2)
    head = head_of(event)
    assert standings_recompute(event_id=event.pk) == head
    first = StandingsSnapshot.objects.get(event=event)
    with django_assert_max_num_queries(1):
        assert standings_recompute(event_id=event.pk) == head
    assert StandingsSnapshot.objects.get(event=event).at == first.at


def test_older_never_overwrites_newer():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    StandingsSnapshot.objects.filter(event=event).update(position=1_000, html="newer")
    standings_recompute(event_id=event.pk)
    snapshot = StandingsSnapshot.objects.get(event=event)
    assert (snapshot.position, snapshot.html) == (1_000, "newer")


def test_older_never_overwrites_newer_that_came_in_between(monkeypatch):
    """The newer one is written while the older is being built: only the database can see that."""
    event = event_with(2)
    StandingsSnapshot.objects.filter(event=event).delete()
    head = head_of(event)

    def slow(event):
        StandingsSnapshot.objects.create(
            event=event, position=head + 1, body={}, html="newer", etag="n", at=event.created_at
        )
        return standings_body(event)

    monkeypatch.setattr("tournament.services.standings.standings_body", slow)
    standings_recompute(event_id=event.pk)
    assert StandingsSnapshot.objects.get(event=event).html == "newer"


def test_same_content_keeps_its_tag_and_moves_on():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    before = StandingsSnapshot.objects.get(event=event)
    as_command(event, lambda cmd: None)
    assert event.pk in standings_behind()
    standings_recompute(event_id=event.pk)
    after = StandingsSnapshot.objects.get(event=event)
    assert (after.etag, after.html) == (before.etag, before.html)
    assert after.position == before.position + 1
    assert event.pk not in standings_behind()


def test_another_content_gets_another_tag():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    before = StandingsSnapshot.objects.get(event=event).etag
    EntryFactory(event=event)
    standings_recompute(event_id=event.pk)
    assert StandingsSnapshot.objects.get(event=event).etag != before


def test_a_draft_and_an_unknown_event_have_no_standings():
    draft = EventFactory(opened=False)
    assert standings_recompute(event_id=draft.pk) == standings_recompute(event_id=0) == 0
    assert not StandingsSnapshot.objects.filter(event=draft).exists()
    assert draft.pk not in standings_behind()


def test_queries_do_not_grow_with_the_entrants():
    counted = []
    for entrants in (4, 12):
        event = event_with(entrants, cut_after_round_1=3, cut_after_round_2=2)
        playing(event, E001=200)
        with CaptureQueriesContext(connection) as queries:
            standings_recompute(event_id=event.pk)
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 17


def test_T23_a_decided_tie_puts_its_winner_above_the_line_and_its_losers_below():
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, E001=1_000)
    round_to(round_, Round.Status.PLAYING, Round.Status.COUNTED)
    play_off = round_seat(event)
    win(play_off, E003=400, E002=-200)
    as_command(event, lambda cmd: rounds.round_step(cmd, Round.objects.get(pk=play_off.pk)))
    rounds.round_close(round_id=play_off.pk, key=new_key(), actor=None)
    body = body_of(event)
    assert body["headline"] == "Round 1 · counted"
    found = rows(body)
    assert lines(body) == [("1", "E001"), ("=2", "E003"), ("=2", "E002"), ("=2", "E004")]
    assert [row["gap"] for row in found[1:]] == ["won the tie at the cut"] + ["lost the tie at the cut"] * 2
    assert cuts(found) == {2: ("Top 2 advance", "2nd has 5,000")}


def test_a_snapshot_of_an_earlier_form_is_made_anew_although_nothing_has_happened_since():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    kept = StandingsSnapshot.objects.filter(event=event)
    made = kept.get()
    kept.update(html="everybody who was cut is disqualified", etag=made.etag.removeprefix(FORM))
    assert event.pk in standings_behind()
    standings_recompute(event_id=event.pk)
    again = kept.get()
    assert (again.html, again.etag, again.position) == (made.html, made.etag, made.position)
    assert event.pk not in standings_behind()
