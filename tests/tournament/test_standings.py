"""The standings: what they hold at every stage, how the snapshot is kept and made anew (T20, T23, T33)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pages.public.reads.shown import rows_matching
from tables.answers import FloorAnswers
from tables.services.closing import round_close
from tables.services.seating import stack_absent
from tests.cast.disqualified import NETS, sudden_death
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
from tests.cast.floor import disqualify
from tests.cast.playing import close, event_with, finished, ladder, post, promised, round_1_closed, win
from tournament import tasks
from tournament.models import Event, JournalHead, Round, StandingsSnapshot
from tournament.selectors.floor import TableProgress, floor, floor_register
from tournament.selectors.standings import standings_body
from tournament.services import commits
from tournament.services.events import event_call_off
from tournament.services.payments import prize_pay
from tournament.services.standings import SNAPSHOT_VERSION, standings_behind, standings_recompute

pytestmark = pytest.mark.django_db


class Tables(FloorAnswers):
    """Progress as told; E001 to E007 sit at table 1, E008 alone at table 2."""

    def __init__(self) -> None:
        self.told: list[TableProgress] = []

    def progress(self, round_id: int) -> list[TableProgress]:
        return self.told


@pytest.fixture
def tables() -> Iterator[Tables]:
    before, made = floor(), Tables()
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


def playing(event, **nets):
    round_ = round_seat(event)
    win(round_, **nets)
    round_to(round_, Round.Status.PLAYING)
    return round_


def test_T6_before_the_draw_the_entries_by_number_and_then_the_alternates():
    event = event_with(0)
    assert body_of(event)["sections"] == []
    for alias in ("", "", "Ace"):
        EntryFactory(event=event, player=PlayerFactory(alias=alias))
    event.entries.filter(code="E002").update(status="waiting")
    body = body_of(event)
    assert headline(body, "entrants", "alternates") == ("desk_open", None, 2, 1)
    first, second = ([(row["code"], row["name"]) for row in each["rows"]] for each in body["sections"])
    assert [code for code, _ in first] == ["E001", "E003"] and first[1][1] == "Ace"
    assert [code for code, _ in second] == ["E002"]


CUT = {"cut_after_round_1": 3, "cut_after_round_2": 2}
TOP_3 = {"state": "top_advance", "n": 3}


def test_T20_places_ties_and_the_cut_line():
    event = event_with(5, **CUT)
    playing(event, E001=1_000, E002=600, E003=600, E004=400, E005=-200)
    body = body_of(event)
    assert body["live"] is True
    assert lines(body) == [("1", "E001"), ("=2", "E002"), ("=2", "E003"), ("4", "E004"), ("5", "E005")]
    assert cuts(rows(body)) == {3: (TOP_3, {"state": "has", "place": 3, "chips": 5_600})}
    first, fourth = rows(body)[0], rows(body)[3]
    assert first["gap"] == {"state": "ahead", "chips": 600, "place": 4}
    assert fourth["gap"] == {"state": "behind", "chips": 200, "place": 3}
    assert first["chance"] == {"state": "in"}
    assert fourth["chance"] == {"state": "needs_top", "chips": 300, "seats": 3}
    assert [row["under"] for row in rows(body)] == [False, False, False, True, True]


def test_T20_T23_a_tie_at_the_line_is_bracketed_and_all_are_level_before_the_first_hand():
    event = event_with(5, **CUT)
    round_ = round_seat(event)
    assert headline(body_of(event)) == ("seated", 1)
    assert cuts(rows(body_of(event))) == {0: (TOP_3, {"state": "all_level"})}
    win(round_, E001=1_000, E002=600, E003=200, E004=200, E005=-200)
    found = rows(body_of(event))
    level = {"state": "level", "n": 2, "seats": 1}
    assert cuts(found) == {2: (level, {"state": "at", "chips": 5_200}), 4: (TOP_3, None)}
    assert found[2]["gap"] == {"state": "level", "n": 3}


def test_T20_T24_nobody_is_cut_but_who_cannot_cover_the_minimum():
    event = event_with(4)
    round_ = playing(event, E004=-4_800)
    assert cuts(rows(body_of(event))) == {}
    assert body_of(event)["notes"] == [{"state": "nobody_cut", "n": 12}]
    win(round_, E004=-100)
    found = rows(body_of(event))
    assert cuts(found) == {3: ({"state": "advance", "n": 3}, {"state": "has", "place": 3, "chips": 5_000})}
    assert [row["gap"]["state"] for row in found] == ["in"] * 3 + ["short"]
    assert found[3]["gap"]["chips"] == 100
    round_to(round_, Round.Status.COUNTED)
    assert [row["word"] for row in rows(body_of(event))] == ["", "", "", "cannot_bet"]
    round_close(round_id=round_.pk, key=new_key(), actor=None)
    assert [row["word"] for row in rows(body_of(event), "closed")] == ["", "", "", "cannot_bet"]


def test_T15_T26_absent_and_disqualified_are_said():
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = playing(event, E001=1_000, E002=600)
    away = round_.stacks.get(entry__code="E002")
    stack_absent(stack_id=away.pk, absent=True, reason="away", key=new_key(), actor=None)
    disqualify(event, "E001")
    found = {row["code"]: row for row in rows(body_of(event))}
    absent, gone = found["E002"], found["E001"]
    assert (absent["word"], absent["chance"]) == ("absent", {"state": "stack_stands"})
    assert (gone["place"], gone["word"], gone["under"]) == (4, "disqualified", True)
    assert gone["chance"] == {"state": "disqualified"}


def test_change_and_history_come_from_the_chip_ledger_and_the_seat_from_the_draw(tables):
    event = event_with(8)
    round_ = round_seat(event)
    for net in (200, -400, 1_000):
        win(round_, E001=net)
    round_to(round_, Round.Status.PLAYING)
    tables.told = [TableProgress(1, 8, "dealing"), TableProgress(2, 9, "dealing")]
    row, *_, last = rows(body_of(event))
    assert (row["code"], row["stack_chips"], row["change_chips"]) == ("E001", 5_800, 1_000)
    assert row["history"] == [5_000, 5_200, 4_800, 5_800]
    assert [row[name] for name in ("table", "box", "hand", "shoe")] == [1, 1, 8, "dealing"]
    assert (last["table"], last["box"], last["hand"]) == (2, 1, 9)


def test_progress_of_the_tables(tables):
    event = event_with(2)
    playing(event, E001=200)
    for at, told in [
        ([(4, "dealing"), (6, "dealing")], ("range", 6, 4, 0)),
        ([(4, "dealing"), (4, "dealing"), (6, "dealing")], ("most", 4, None, 0)),
        ([(0, "dealing"), (6, "dealing")], ("at_most", 6, None, 0)),
        ([(0, "dealing"), (0, "dealing")], ("no_hand", 0, None, 0)),
        ([(4, "dealing"), (6, "over")], ("hand", 4, None, 1)),
        ([(6, "over"), (6, "counted")], ("counting", None, None, None)),
        ([], ("none", None, None, None)),
    ]:
        tables.told = [TableProgress(i, *each) for i, each in enumerate(at, start=1)]
        assert headline(body_of(event), "progress", "hand", "first", "tables_over") == ("playing", 1, *told)


def test_T19_a_closed_round_shows_who_goes_on_and_who_is_out():
    body = body_of(round_1_closed(5, **CUT))
    found = rows(body, "closed")
    assert (headline(body), body["live"]) == (("closed", 1), False)
    assert [row["code"] for row in found] == ["E001", "E002", "E003", "E004", "E005"]
    assert cuts(found) == {3: ({"state": "go_on", "n": 3}, {"state": "closed", "round": 1, "empty": 0})}
    assert [row["gap"]["state"] for row in found[2:4]] == ["goes_on", "out"]
    assert found[2]["chance"] is None and found[3]["chance"]["state"] == "place"


def test_T1_T20_the_last_round_counts_to_first_place_and_those_cut_earlier_are_below():
    event = round_1_closed(4, **CUT | {"cut_after_round_2": 3})
    post(event)
    for number in (2, 3):
        event.refresh_from_db()
        round_ = round_seat(event)
        win(round_, **ladder(round_))
        if number == 2:
            close(round_)
    body = body_of(event)
    gaps = [(row["gap"]["state"], row["gap"]["chips"], row["gap"].get("place")) for row in rows(body)]
    assert gaps == [("leads", 600, None), ("behind", 600, 1), ("behind", 1_200, 1)]
    assert rows(body)[0]["chance"] == {"state": "in_the_money"}
    assert lines(body, "out") == [("4", "E004")]
    assert body["sections"][-1]["title"] == {"state": "out", "round": 1}


def tied_for_a_seat():
    """E001 is in; the three others play off for one seat."""
    event = event_with(4, cut_after_round_1=2, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, E001=1_000)
    round_to(round_, Round.Status.PLAYING, Round.Status.COUNTED)
    return event, round_seat(event)


def test_T23_the_play_off_stands_above_the_round_and_then_its_winner_above_the_line(tables: Tables):
    event, play_off = tied_for_a_seat()
    body = body_of(event)
    assert body["headline"] == {"state": "seated", "stage": {"kind": "play_off", "number": 1}}
    assert body["sections"][0]["title"] == {"state": "play_off", "seats": 1}
    # Seats are played for: everybody keeps the place that is shared in the round.
    assert lines(body, "tie") == [("=2", "E002"), ("=2", "E003"), ("=2", "E004")]
    round_to(play_off, Round.Status.PLAYING)
    tables.told = [table(1, state="dealing"), table(2, state="dealing")]
    # It ends with the hand that decides it, however long its shoe is.
    assert [(r["hand"], r["hands_left"]) for r in rows(body_of(event), "tie")] == [(9, None)] * 3
    win(play_off, E003=400, E002=-200)
    assert [r["code"] for r in rows(body_of(event)) if not r["under"]] == ["E001", "E003"]
    close_stage(play_off)
    body = body_of(event)
    assert headline(body) == ("counted", 1)
    found = rows(body)
    assert lines(body) == [("1", "E001"), ("=2", "E003"), ("=2", "E002"), ("=2", "E004")]
    assert [row["gap"]["state"] for row in found[1:]] == ["won_tie", "lost_tie", "lost_tie"]
    assert [row["word"] for row in found[1:]] == ["won_tie", "lost_tie", "lost_tie"]
    assert [row["chance"] for row in found[2:]] == [None, None]
    assert list(cuts(found)) == [2]
    close_stage(play_off.parent)
    assert [row["word"] for row in rows(body_of(event), "closed")] == ["", "won_tie", "lost_tie", "lost_tie"]
    assert event.postings.get(kind="result").body["tie"] == {"won": ["E003"], "lost": ["E002", "E004"]}


def test_T33_sudden_death_is_ranked_inside_its_own_places_and_named_where_chips_do_not_tell():
    event, stage = sudden_death(NETS)
    assert body_of(event)["sections"][0]["title"] == {"state": "sudden_death", "first": 2, "last": 4}
    win(stage, E002=400, E003=200)
    body = body_of(event)
    assert (body["headline"]["state"], body["stage"]["kind"]) == ("decided", "sudden_death")
    assert lines(body, "tie") == [("2", "E002"), ("3", "E003"), ("4", "E004")]
    close_stage(stage)

    def words() -> dict[str, tuple[int, str]]:
        found = rows(body_of(event), "final")
        return {row["code"]: (row["stack_chips"], row["word"]) for row in found}

    by_death = dict.fromkeys(("E002", "E003", "E004"), (6_000, "sudden_death"))
    assert words() == {"E001": (7_000, "")} | by_death | {
        "E005": (5_400, ""),
        "E006": (5_200, ""),
        "E007": (5_000, ""),
    }
    disqualify(event, "E002")
    assert words()["E002"] == (0, "disqualified") and words()["E003"] == by_death["E003"]


def test_T35_final_places_with_their_prizes():
    event = finished(5)
    body = body_of(event)
    found = rows(body, "final")
    prizes = [("E001", 25_000), ("E002", 15_000), ("E003", 10_000), ("E004", 0), ("E005", 0)]
    assert [(row["code"], row["prize_cents"]) for row in found] == prizes
    assert [row["place"] for row in found] == [1, 2, 3, 4, 5]
    assert found[0]["gap"] == {"state": "prize", "cents": 25_000, "currency": "USD"}
    assert found[3]["gap"] == {"state": "placed", "n": 5}
    assert cuts(found) == {3: ({"state": "top_paid", "n": 3}, None)}
    assert headline(body) == ("final", None)
    for code, _ in prizes[:3]:
        entry_id = event.entries.get(code=code).pk
        prize_pay(entry_id=entry_id, identity_checked=True, key=new_key(), actor=None)
    assert headline(body_of(event)) == ("paid", None)


def test_T8_a_called_off_event_says_so():
    event = event_with(1)
    event_call_off(event_id=event.pk, reason="Too few", key=new_key(), actor=None)
    body = body_of(event)
    assert (headline(body), body["sections"]) == (("called_off", None), [])
    assert body["notes"] == [{"state": "called_off"}, {"state": "reason", "reason": "Too few"}]


def test_finding_yourself_by_number_or_name():
    event = event_with(1)
    EntryFactory(event=event, player=PlayerFactory(given_name="Zoë", family_name="Quinn"))
    playing(event, E001=200)
    body = body_of(event)
    for word in ("E002", "e2", "2", "002", "zoë", "ZOË Q"):
        assert [row["code"] for row in rows_matching(body, word)] == ["E002"], word
    assert rows_matching(body, "E009") == rows_matching(body, "  ") == []


def test_faults_nothing_of_a_person_but_public_name_and_code():
    event = event_with(0)
    EntryFactory(event=event, player=PlayerFactory(given_name="Ann", family_name="Bellwether"))
    standings_recompute(event_id=event.pk)
    body = str(StandingsSnapshot.objects.get(event=event).body)
    assert "Ann B." in body and "Bellwether" not in body
    assert event.entries.get(code="E001").view_token not in body


def test_snapshot_stands_at_the_journals_head_and_a_second_run_does_nothing(django_assert_max_num_queries):
    event = event_with(2)
    head = JournalHead.objects.get(event=event).seq
    assert standings_recompute(event_id=event.pk) == head
    first = StandingsSnapshot.objects.get(event=event)
    with django_assert_max_num_queries(1):
        assert standings_recompute(event_id=event.pk) == head
    assert StandingsSnapshot.objects.get(event=event).at == first.at
    StandingsSnapshot.objects.filter(event=event).update(position=1_000)  # a newer one is not overwritten
    assert standings_recompute(event_id=event.pk) == 1_000


def test_older_never_overwrites_newer_that_came_in_between(monkeypatch):
    """The newer one is written while the older is being built: only the database can see that."""
    event = event_with(2)
    StandingsSnapshot.objects.filter(event=event).delete()
    newer = {"position": JournalHead.objects.get(event=event).seq + 1, "body": {"newer": 1}, "etag": "n"}

    def slow(event):
        StandingsSnapshot.objects.create(event=event, at=event.created_at, **newer)
        return standings_body(event)

    monkeypatch.setattr("tournament.services.standings.standings_body", slow)
    standings_recompute(event_id=event.pk)
    assert StandingsSnapshot.objects.get(event=event).body == {"newer": 1}


def test_same_content_keeps_its_tag_and_another_gets_another():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    before = StandingsSnapshot.objects.get(event=event)
    as_command(event, lambda cmd: None)
    assert event.pk in standings_behind()
    standings_recompute(event_id=event.pk)
    after = StandingsSnapshot.objects.get(event=event)
    assert (after.etag, after.body, after.position) == (before.etag, before.body, before.position + 1)
    assert event.pk not in standings_behind()
    EntryFactory(event=event)
    standings_recompute(event_id=event.pk)
    assert StandingsSnapshot.objects.get(event=event).etag != before.etag


def test_a_draft_and_an_unknown_event_have_no_standings():
    draft = EventFactory(opened=False)
    assert standings_recompute(event_id=draft.pk) == standings_recompute(event_id=0) == 0
    assert not StandingsSnapshot.objects.filter(event=draft).exists()
    assert draft.pk not in standings_behind()


def test_a_snapshot_of_an_earlier_form_is_made_anew_although_nothing_has_happened_since():
    event = event_with(2)
    standings_recompute(event_id=event.pk)
    kept = StandingsSnapshot.objects.filter(event=event)
    made = kept.values("body", "etag", "position").get()
    kept.update(body={"headline": "Round 1"}, etag=made["etag"].removeprefix(SNAPSHOT_VERSION))
    assert event.pk in standings_behind()
    standings_recompute(event_id=event.pk)
    assert kept.values("body", "etag", "position").get() == made


OVER = {"state": "over", "decks": 6, "cards_out": 250}
LAST = {"state": "dealing", "decks": 6, "cards_out": 250, "last_hand": True}


def table(number: int, **told: Any) -> TableProgress:
    return TableProgress(number, 9, **told)


def cards(event: Event) -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in rows(body_of(event))}


def told(event: Event) -> list[tuple[str, int | None]]:
    return [(row["chances"], row["needs_chips"]) for _code, row in sorted(cards(event).items())]


def test_T12_one_hand_at_one_table_leaves_open_what_it_can_still_change(tables: Tables) -> None:
    """E008 has 4,800 and its last hand: at most 4,800 more, so that 9,600 is the most."""
    tables.told = [table(1, **OVER), table(2, **LAST)]
    event = event_with(8, **CUT)
    playing(event, E001=4_800, E002=4_700, E003=4_600, E004=4_500, E008=-200)
    # E003 has 9,600 as well and could be level with E008 at the line; E004 has 9,500.
    others = [("out", None)] * 4
    assert told(event) == [("clinched", None)] * 2 + [("alive", None), *others, ("alive", 4_900)]
    assert [cards(event)[code]["shoe"] for code in ("E004", "E008")] == ["over", "last_hand"]
    assert cards(event)["E008"]["hands_left"] is None


def test_T18_on_counts_alone_nothing_is_claimed_before_both_counts_agree(tables: Tables) -> None:
    event = event_with(4, record_mode="counts", cut_after_round_1=3, cut_after_round_2=2)
    round_to(round_seat(event), Round.Status.PLAYING)
    tables.told = [table(1, **OVER), table(2, **OVER)]
    assert {each for each, _needs in told(event)} == {"alive"}
    tables.told = [table(1, state="counted"), table(2, state="counted")]
    assert told(event) == [("alive", None)] * 4  # all are level at the line
    win(event.rounds.get(), E001=200, E002=200, E003=200)
    assert told(event) == [("clinched", None)] * 3 + [("out", None)]


def test_T31_T33_the_last_round_counts_to_the_paid_places_and_their_prizes(tables: Tables) -> None:
    settings = {"cut_after_round_1": 4, "cut_after_round_2": 4, **promised(30_000, 20_000)}
    event = round_1_closed(5, **settings)
    post(event, {"kind": "fixed", "amounts": [30_000, 20_000]})
    round_ = round_seat(event)
    win(round_, **ladder(round_))
    close(round_)
    event.refresh_from_db()
    round_ = round_seat(event)
    first_two = round_.stacks.filter(entry__code__in=("E001", "E002")).select_related("entry")
    win(round_, **{stack.entry.code: 9_000 - stack.chips for stack in first_two})
    round_to(round_, Round.Status.PLAYING)
    tables.told = [table(1, **OVER), table(2, **OVER)]
    found = cards(event)
    assert [found[code]["chances"] for code in sorted(found)] == ["clinched"] * 2 + ["out"] * 2
    first = found["E001"]
    prizes = (first["prize_least_cents"], first["prize_most_cents"], first["currency"])
    assert prizes == (20_000, 30_000, "USD")
    assert "prize_most_cents" not in found["E003"]
    round_to(round_, Round.Status.COUNTED)
    sure = [row["chance"]["state"] for _code, row in sorted(cards(event).items())]
    assert sure == ["prize_sure"] * 2 + ["prize_missed"] * 2


def test_T23_nobody_needs_chips_in_a_tie_whose_players_all_advance(tables: Tables) -> None:
    tables.told = [table(1, state="dealing"), table(2, state="dealing")]
    event = event_with(5, tie_at_cut="all_advance", **CUT)
    playing(event, E001=200, E002=200, E005=-200)
    found = cards(event)
    assert [found[code]["chance"]["state"] for code in ("E001", "E003", "E004")] == ["in"] * 3


def position(event):
    return StandingsSnapshot.objects.values_list("position", flat=True).get(event=event)


def head(event):
    return JournalHead.objects.get(event=event).seq


def test_sweep_makes_up_for_lost_tasks(settings):
    event, other = event_with(2), event_with(3)
    tasks.sweep()
    as_command(event, lambda cmd: None)
    assert position(event) < head(event)
    tasks.sweep()
    assert (position(event), position(other)) == (head(event), head(other))
    beat = settings.CELERY_BEAT_SCHEDULE.values()
    assert [(each["task"], each["schedule"] <= 15) for each in beat] == [(tasks.sweep.name, True)]
    assert tasks.sweep.acks_late and tasks.recompute_standings.acks_late


def test_a_command_with_standings_enqueues_after_the_commit(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        event = event_with(2)
        assert not StandingsSnapshot.objects.filter(event=event).exists()
    assert position(event) == head(event)


def test_an_event_that_fails_does_not_hold_up_the_others(monkeypatch, caplog):
    broken, event = event_with(1), event_with(2)
    real = tasks.standings_recompute

    def fails_for_one(*, event_id):
        if event_id == broken.pk:
            raise RuntimeError("broken")
        return real(event_id=event_id)

    monkeypatch.setattr(tasks, "standings_recompute", fails_for_one)
    tasks.sweep()
    assert position(event) == head(event)
    assert "tries again" in caplog.text


STANDINGS = "tournament.recompute_standings"


def test_what_is_asked_for_many_times_in_a_row_goes_out_once_when_it_is_over_be_it_by_an_error(
    django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    monkeypatch.setattr(commits, "_send", lambda task, *args: sent.append((task, *args)))

    def night():
        with commits.once(STANDINGS):
            for event_id in (1, 1, 2, 1):
                commits.after_commit(STANDINGS, event_id)
            with commits.once(STANDINGS):
                commits.after_commit(STANDINGS, 2)
            commits.after_commit("tables.seat_round", 7)
            raise RuntimeError("the night ends here")

    with django_capture_on_commit_callbacks(execute=True):
        with pytest.raises(RuntimeError):
            night()
        commits.after_commit(STANDINGS, 3)
    assert sent == [("tables.seat_round", 7), (STANDINGS, 1), (STANDINGS, 2), (STANDINGS, 3)]


def test_a_process_that_serves_pages_lets_nobody_wait_for_the_standings(monkeypatch):
    """Without a broker its own thread makes them; the seats of a draw are still made at once."""
    taken, at_once = [], []
    monkeypatch.setattr(commits._messenger, "take", taken.append)
    for name in (STANDINGS, "tables.seat_round"):
        task = commits.current_app.tasks[name]
        monkeypatch.setattr(task, "apply_async", lambda args, name=name: at_once.append((name, args)))
    commits._send(STANDINGS, 1)
    monkeypatch.setattr(commits._Serving, "pages", True)
    commits._send(STANDINGS, 1)
    commits._send("tables.seat_round", 7)
    assert (at_once, taken) == ([(STANDINGS, (1,)), ("tables.seat_round", (7,))], [(STANDINGS, (1,))])
