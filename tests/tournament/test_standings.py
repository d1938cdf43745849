"""The standings: what they hold at every stage, how the snapshot is kept (T20, T23, T33, architecture)."""

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
    """The lines by the number of rows above: the state of the label with its figures, and that of the gap."""
    return {at: (row["cut"]["label"], row["cut"]["gap"]) for at, row in enumerate(found) if "cut" in row}


def headline(body, *names):
    """The state of the headline, the number of its stage, and the other figures that are named."""
    told = body["headline"]
    return (told["state"], told.get("stage", {}).get("number"), *(told.get(name) for name in names))


def states(found, name):
    return [row[name] and row[name]["state"] for row in found]


def playing(event, **nets):
    round_ = round_seat(event)
    win(round_, **nets)
    round_to(round_, Round.Status.PLAYING)
    return round_


# What they say ------------------------------------------------------------------------------------------


def test_before_the_draw_the_entries_by_number():
    event = event_with(2)
    EntryFactory(event=event, player=PlayerFactory(alias="Ace"))
    body = body_of(event)
    assert headline(body, "entrants", "alternates") == ("desk_open", None, 3, 0)
    assert [row["code"] for row in rows(body, "entries")] == ["E001", "E002", "E003"]
    assert rows(body, "entries")[2]["name"] == "Ace"


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
    label, gap = {"state": "top_advance", "n": 3}, {"state": "has", "place": 3, "chips": 5_600}
    assert cuts(rows(body)) == {3: (label, gap)}
    first, fourth = rows(body)[0], rows(body)[3]
    assert first["gap"] == {"state": "ahead", "chips": 600, "place": 4}
    assert fourth["gap"] == {"state": "behind", "chips": 200, "place": 3}
    assert (first["chance"], fourth["chance"]) == (
        {"state": "in"},
        {"state": "needs_top", "chips": 300, "seats": 3},
    )
    assert [row["under"] for row in rows(body)] == [False, False, False, True, True]


def test_T23_a_tie_at_the_line_is_bracketed():
    event = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    playing(event, E001=1_000, E002=600, E003=200, E004=200, E005=-200)
    found = rows(body_of(event))
    assert cuts(found) == {
        2: ({"state": "level", "n": 2, "seats": 1}, {"state": "at", "chips": 5_200}),
        4: ({"state": "top_advance", "n": 3}, None),
    }
    assert found[2]["gap"] == {"state": "level", "n": 3}


def test_T20_all_level_before_the_first_hand():
    event = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    round_seat(event)
    body = body_of(event)
    assert headline(body) == ("seated", 1)
    assert cuts(rows(body)) == {0: ({"state": "top_advance", "n": 3}, {"state": "all_level"})}


def test_T24_nobody_is_cut_and_it_says_so():
    event = event_with(4)
    playing(event, E001=200)
    body = body_of(event)
    assert cuts(rows(body)) == {}
    assert body["notes"] == [{"state": "nobody_cut", "n": 12}]


def test_T20_who_cannot_cover_the_minimum_is_below_the_line():
    event = event_with(4)
    playing(event, E004=-4_900)
    found = rows(body_of(event))
    label, gap = {"state": "advance", "n": 3}, {"state": "has", "place": 3, "chips": 5_000}
    assert cuts(found) == {3: (label, gap)}
    assert found[3]["gap"] == {"state": "short", "chips": 100}
    assert states(found, "gap")[:3] == ["in"] * 3


def test_T15_T26_absent_and_disqualified_are_said():
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = playing(event, E001=1_000, E002=600)
    Stack.objects.filter(round=round_, entry__code="E002").update(state="absent")
    Stack.objects.filter(round=round_, entry__code="E001").update(state="disqualified")
    found = {row["code"]: row for row in rows(body_of(event))}
    absent, gone = found["E002"], found["E001"]
    assert (absent["word"], absent["chance"]) == ("absent", {"state": "stack_stands"})
    assert (gone["place"], gone["word"], gone["under"]) == (4, "disqualified", True)
    assert gone["chance"] == {"state": "disqualified"}


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
    assert headline(body, "progress", "hand", "tables_over") == ("playing", 1, "most", 9, 0)
    first, second = rows(body)[:2]
    assert (first["table"], first["box"], first["hand"], first["shoe"]) == (3, 5, 8, "dealing")
    assert "table" not in second


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ([(4, "dealing"), (4, "dealing")], ("hand", 4, None, 0)),
        ([(4, "dealing"), (6, "dealing")], ("range", 6, 4, 0)),
        ([(4, "dealing"), (4, "dealing"), (6, "dealing")], ("most", 4, None, 0)),
        ([(0, "dealing"), (6, "dealing")], ("at_most", 6, None, 0)),
        ([(0, "dealing"), (0, "dealing")], ("no_hand", 0, None, 0)),
        ([(4, "dealing"), (6, "over")], ("hand", 4, None, 1)),
        ([(6, "over"), (6, "counted")], ("counting", None, None, None)),
        ([], ("none", None, None, None)),
    ],
)
def test_progress_of_the_tables(a_floor, tables, told):
    event = event_with(2)
    playing(event, E001=200)
    a_floor.tables = [TableProgress(i, *each) for i, each in enumerate(tables, start=1)]
    assert headline(body_of(event), "progress", "hand", "first", "tables_over") == ("playing", 1, *told)


def test_T19_a_closed_round_shows_who_goes_on_and_who_is_out():
    body = body_of(round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2))
    found = rows(body, "closed")
    assert (headline(body), body["live"]) == (("closed", 1), False)
    assert [row["code"] for row in found] == ["E001", "E002", "E003", "E004", "E005"]
    assert cuts(found) == {3: ({"state": "go_on", "n": 3}, {"state": "closed", "round": 1, "empty": 0})}
    assert [row["gap"] for row in found[2:4]] == [
        {"state": "goes_on", "round": 1},
        {"state": "out", "round": 1},
    ]
    assert states(found[2:4], "chance") == [None, "place"]


def test_T20_those_cut_earlier_keep_their_places_below():
    event = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    playing(event, E003=2_000)
    body = body_of(event)
    assert [code for _, code in lines(body)] == ["E003", "E001", "E002"]
    assert lines(body, "out") == [("4", "E004"), ("5", "E005")]
    assert body["sections"][-1]["title"] == {"state": "out", "round": 1}


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
    assert [(row["gap"]["state"], row["gap"]["chips"], row["gap"].get("place")) for row in found] == [
        ("leads", 600, None),
        ("behind", 600, 1),
        ("behind", 1_200, 1),
    ]
    assert found[0]["chance"] == {"state": "in_the_money"}


def test_T23_the_play_off_stands_above_the_round():
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, E001=1_000)
    round_to(round_, Round.Status.PLAYING, Round.Status.COUNTED)
    play_off = round_seat(event)
    win(play_off, E002=400, E003=200)
    body = body_of(event)
    assert body["headline"] == {"state": "seated", "stage": {"kind": "play_off", "number": 1}}
    assert body["sections"][0]["title"] == {"state": "play_off", "seats": 1}
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
    assert (body["headline"]["state"], body["stage"]["kind"]) == ("seated", "sudden_death")
    assert body["sections"][0]["title"] == {"state": "sudden_death", "first": 2, "last": 3}
    assert lines(body, "tie") == [("2", "E003"), ("3", "E002")]


def test_T33_where_chips_do_not_tell_one_place_from_another_sudden_death_is_named():
    event, stage = sudden_death(NETS)
    won(stage, E002=400, E003=200)
    close_stage(stage)

    def words() -> dict[str, tuple[int, str]]:
        found = rows(body_of(event), "final")
        return {row["code"]: (row["stack_chips"], row["word"]) for row in found}

    by_death = (6_000, "sudden_death")
    assert words() == {
        "E001": (7_000, ""),
        **dict.fromkeys(("E002", "E003", "E004"), by_death),
        "E005": (5_400, ""),
        "E006": (5_200, ""),
        "E007": (5_000, ""),
    }
    disqualify(event, "E002")
    assert words()["E002"] == (0, "disqualified")
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
    assert found[0]["gap"] == {"state": "prize", "cents": 25_000, "currency": "USD"}
    assert found[3]["gap"] == {"state": "placed", "n": 5}
    assert cuts(found) == {3: ({"state": "top_paid", "n": 3}, None)}
    assert headline(body) == ("final", None)
    for row in found[:3]:
        entry = event.entries.get(code=row["code"])
        prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
    assert headline(body_of(event)) == ("paid", None)


def test_T8_a_called_off_event_says_so():
    event = event_with(3)
    event_call_off(event_id=event.pk, reason="Too few", key=new_key(), actor=None)
    body = body_of(event)
    assert (headline(body), body["sections"]) == (("called_off", None), [])
    assert body["notes"] == [{"state": "called_off"}, {"state": "reason", "reason": "Too few"}]


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
    assert "Ann B." in str(snapshot.body)
    assert "Bellwether" not in str(snapshot.body)
    assert event.entries.get(code="E001").view_token not in str(snapshot.body)


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
    StandingsSnapshot.objects.filter(event=event).update(position=1_000, body={"newer": 1})
    standings_recompute(event_id=event.pk)
    snapshot = StandingsSnapshot.objects.get(event=event)
    assert (snapshot.position, snapshot.body) == (1_000, {"newer": 1})


def test_older_never_overwrites_newer_that_came_in_between(monkeypatch):
    """The newer one is written while the older is being built: only the database can see that."""
    event = event_with(2)
    StandingsSnapshot.objects.filter(event=event).delete()
    head = head_of(event)

    def slow(event):
        StandingsSnapshot.objects.create(
            event=event, position=head + 1, body={"newer": 1}, etag="n", at=event.created_at
        )
        return standings_body(event)

    monkeypatch.setattr("tournament.services.standings.standings_body", slow)
    standings_recompute(event_id=event.pk)
    assert StandingsSnapshot.objects.get(event=event).body == {"newer": 1}


def test_same_content_keeps_its_tag_and_moves_on():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    before = StandingsSnapshot.objects.get(event=event)
    as_command(event, lambda cmd: None)
    assert event.pk in standings_behind()
    standings_recompute(event_id=event.pk)
    after = StandingsSnapshot.objects.get(event=event)
    assert (after.etag, after.body) == (before.etag, before.body)
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
    assert headline(body) == ("counted", 1)
    found = rows(body)
    assert lines(body) == [("1", "E001"), ("=2", "E003"), ("=2", "E002"), ("=2", "E004")]
    assert states(found[1:], "gap") == ["won_tie", "lost_tie", "lost_tie"]
    assert [row["word"] for row in found[1:]] == ["won_tie", "lost_tie", "lost_tie"]
    assert list(cuts(found)) == [2]


def test_a_snapshot_of_an_earlier_form_is_made_anew_although_nothing_has_happened_since():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    kept = StandingsSnapshot.objects.filter(event=event)
    made = kept.get()
    kept.update(body={"headline": "Round 1"}, etag=made.etag.removeprefix(FORM))
    assert event.pk in standings_behind()
    standings_recompute(event_id=event.pk)
    again = kept.get()
    assert (again.body, again.etag, again.position) == (made.body, made.etag, made.position)
    assert event.pk not in standings_behind()
