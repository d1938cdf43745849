"""What the pages say of places, seats and cuts, where they used to differ (T17, T20, T23–T26, T33, T34)."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pages.director.reads.closing import cut_panel
from pages.public.reads.entry import entry_page
from pages.public.reads.shown import rows_matching, rows_of
from tables.services import dealing, seating
from tests.cast import playing
from tests.cast.at_tables import logged_in, text
from tests.cast.factories import new_key, round_seat, round_to
from tests.cast.floor import (
    close,
    disqualify,
    draw_and_seat,
    event_make,
    hand,
    payouts_post,
    play_and_close,
    play_and_count,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.pages import public_rows
from tests.cast.tied import code_at, sudden_death
from tests.cast.worlds import kept
from tournament.engine.standing import Side
from tournament.models import Event, Round
from tournament.selectors.entrants import Entrants, entrants_of
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import state_of
from tournament.selectors.standings import standings_body
from tournament.services.entries import entry_withdraw

pytestmark = pytest.mark.django_db
CUTS = {"cut_after_round_1": 2, "cut_after_round_2": 2}
SIX = {"stacks": "reset", "cut_after_round_1": 3, "cut_after_round_2": 2}


def page(event: Event, tail: str = "") -> str:
    """A staff page as the director reads it."""
    return logged_in("director").get(f"/staff/{event.slug}/{tail}").content.decode()


def ranking_rows(html: str) -> list[tuple[str, str, str]]:
    """The rows of a staff ranking: place, entry, pill; a line of the cut is ``("line", label, "")``."""
    found = []
    for piece in re.findall(r'<li[^>]*? ?class="(srow|cutrow)[^>]*>(.*?)</li>', html, re.S):
        kind, inside = piece
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", inside)).strip()
        if kind == "cutrow":
            found.append(("line", words, ""))
            continue
        place = re.search(r'class="place">([^<]*)<', inside)[1]
        pill = re.search(r'class="pill[^>]*>([^<]*)<', inside)
        found.append((place, re.search(r"E\d{3}", words)[0], pill[1] if pill else ""))
    return found


def test_T23_who_wins_the_play_off_stands_above_the_line_before_and_after_the_close():
    """Four entrants, two seats: box 1 is in, boxes 2 to 4 are level and play off; one wins in one hand."""
    round_ = seated(4, **CUTS)
    hand(shoe_of(round_), {1: 1000, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="win")
    first, *codes = (stack_at(round_, box).entry.code for box in (1, 2, 3, 4))
    play_and_count(round_)
    play_off, (*losers, winner) = draw_and_seat(round_.event), sorted(codes)
    boxes = {stack_at(play_off, box).entry.code: box for box in (1, 2, 3)}
    words = {f"b{box}": "win" if code == winner else "lose" for code, box in boxes.items()}
    hand(shoe_of(play_off), dict.fromkeys(boxes.values(), 200), **words)
    expected = [("1", first, "Advances"), ("=2", winner, "Advances")]
    below = [("=2", code, "Out") for code in losers]
    for stage, closing in (("decided", play_off), ("play-off closed", round_), ("round closed", None)):
        round_.refresh_from_db()
        shown = ranking_rows(page(round_.event, f"rounds/{round_.pk}/"))
        assert (shown[:2], shown[2][0], shown[3:]) == (expected, "line", below), stage
        public = [row[:2] for row in public_rows(round_.event)]
        public = public[3:] if stage == "decided" else public
        assert public[:2] == [row[:2] for row in expected] and public[2][0] == "line"
        assert public[3:5] == [row[:2] for row in below]
        if closing:
            closing.refresh_from_db()
            close(closing)


def test_T23_while_it_is_played_who_is_decided_is_told_so_on_every_page():
    """Four level for two seats: one is in after a hand, one out, two go on for one seat."""
    round_ = seated(4, **CUTS)
    play_and_count(round_)
    play_off = draw_and_seat(round_.event)
    codes = {box: stack_at(play_off, box).entry.code for box in (1, 2, 3, 4)}
    bets = dict.fromkeys((1, 2, 3, 4), 200)
    hand(shoe_of(play_off), bets, b1="win", b2="push", b3="push", b4="lose")
    shown = ranking_rows(page(round_.event, f"rounds/{round_.pk}/"))
    assert [row for row in shown if row[0] != "line"] == [
        ("=1", codes[1], "Advances"),
        *[("=1", code, "Plays off") for code in sorted((codes[2], codes[3]))],
        ("=1", codes[4], "Out"),
    ]
    level, cut = [row[1] for row in shown if row[0] == "line"]
    assert re.findall(r"[\d,]+", level) == ["2", "1", "5,000"] and re.findall(r"\d+", cut) == ["2"]
    states = (Side.ADVANCES, Side.PLAYING, Side.PLAYING, Side.OUT)
    tie = {row.code: (row.place, row.tied, row.state) for row in stage_ranking(play_off).rows}
    assert tie == {codes[box]: (1, True, state) for box, state in enumerate(states, 1)}


def test_T33_T34_every_page_ranks_a_group_inside_its_own_places_until_it_is_closed():
    """Two tied for first, two for third; those who play for third win more, which changes nothing."""
    sudden = sudden_death(4, groups=2, amounts=(400_00, 300_00, 200_00, 100_00))
    first, third = (sorted(code_at(sudden, box, table) for box in (1, 2)) for table in (1, 2))
    ranked = f"rounds/{sudden.pk}/"
    hand(shoe_of(sudden, 2), {1: 1000, 2: 1000}, b1="win", b2="win")
    expected = [("=1", code) for code in first] + [("=3", code) for code in third]
    panel = cut_panel(sudden.event, sudden, state_of(sudden.event))
    assert [(f"={row.place}", row.code) for row in panel.rows if row.tied] == expected
    assert [row[:2] for row in ranking_rows(page(sudden.event, ranked))] == expected
    assert [row[:2] for row in public_rows(sudden.event)][:4] == expected
    for table in (1, 2):
        hand(shoe_of(sudden, table), {1: 200, 2: 200}, b1="lose", b2="win")
    sudden.refresh_from_db()
    assert sudden.status == Round.Status.COUNTED
    order = [code_at(sudden, box, table) for table in (1, 2) for box in (2, 1)]
    decided = [(str(place), code) for place, code in enumerate(order, 1)]
    assert [row[:2] for row in public_rows(sudden.event)][:4] == decided
    assert [row[:2] for row in ranking_rows(page(sudden.event, ranked))] == decided


def withdrawn(event: Event, code: str) -> None:
    entry = event.entries.get(code=code)
    entry_withdraw(entry_id=entry.pk, reason="ill", refund=False, key=new_key(), actor=None)


def place_here(event: Event, code: str) -> str:
    return re.search(r'<dd data-place="([^"]*)"', page(event, f"entries/{code}/"))[1]


@kept
def qualified() -> tuple[Round, list[str]]:
    """Round 1 of four is closed; the first two have qualified."""
    round_ = seated(4, **CUTS)
    bets = {1: 800, 2: 600, 3: 400, 4: 200}
    hand(shoe_of(round_), bets, **{f"b{box}": "win" for box in bets})
    codes = [stack_at(round_, box).entry.code for box in (1, 2, 3, 4)]
    play_and_close(round_)
    return round_, codes


def test_T25_a_replaced_qualifier_does_not_advance_and_the_replacement_does():
    round_, codes = qualified()
    entry = round_.event.entries.get(code=codes[0])
    seating.entry_replace(entry_id=entry.pk, reason="ill", key=new_key(), actor=None)
    expected = [
        ("2", codes[1], "Advances"),
        ("3", codes[2], "Advances"),
        ("line", "2 advance round 1 closed", ""),
        ("1", codes[0], "Replaced"),
        ("4", codes[3], "Out"),
    ]
    assert ranking_rows(page(round_.event, f"rounds/{round_.pk}/")) == expected
    assert [row[:2] for row in public_rows(round_.event)] == [row[:2] for row in expected]
    assert public_rows(round_.event)[3][2] == "replaced"
    panel = cut_panel(round_.event, None, state_of(round_.event))
    assert [row.code for row in panel.rows] == [row[1] for row in expected if row[0] != "line"]
    own = [
        entry_page(round_.event, each, {"sections": []})
        for each in round_.event.entries.filter(code__in=codes[1:3])
    ]
    assert {each.rounds[0].result.states for each in own} == {"advanced", "cut moved_up"}


def test_T26_disqualified_between_two_rounds_is_last_and_nobody_else_is_called_so():
    round_, codes = qualified()
    disqualify(round_.event, codes[0])
    shown = [row for row in ranking_rows(page(round_.event, f"rounds/{round_.pk}/")) if row[0] != "line"]
    states = ("Advances", "Out", "Out", "Disqualified")
    assert shown == list(zip("1234", (*codes[1:], codes[0]), states, strict=True))
    said = {code: words for _place, code, words in public_rows(round_.event) if words}
    assert said == {codes[0]: "disqualified"}
    event = Event.objects.get(pk=round_.event_id)
    assert entrants_of(event) == Entrants(entrants=4)
    gone = next(row for row in rows_of(standings_body(event)) if row["code"] == codes[0])
    told = {"stack_chips": 0, "change_chips": None, "word": "disqualified"}
    assert told.items() <= gone.items()


def test_T20_T26_disqualified_in_the_next_round_moves_nobody_of_the_round_before():
    """Nor is anybody called disqualified who was cut; of the chips that left play no hand changed any."""
    round_, codes = qualified()
    payouts_post(round_.event, 300_00, 100_00)
    second = draw_and_seat(round_.event)
    cut = [("3", codes[2], ""), ("4", codes[3], "")]
    assert public_rows(round_.event)[-2:] == cut
    hand(shoe_of(second), {1: 200, 2: 200}, b1="win", b2="lose")
    gone, rest = code_at(second, 1), code_at(second, 2)
    disqualify(round_.event, gone)
    assert public_rows(round_.event)[-2:] == cut
    section = standings_body(Event.objects.get(pk=round_.event_id))["sections"][0]
    changes = {row["code"]: row["change_chips"] for row in section["rows"]}
    assert (changes[gone], changes[rest]) == (None, -200)


@pytest.mark.parametrize("leave", [disqualify, withdrawn])
@pytest.mark.parametrize("number", [1, 2])
def test_T20_T26_who_has_left_a_round_that_is_played_has_one_place(
    number: int, leave: Callable[[Event, str], Any]
):
    """Six entries; on the page of the entry and in public."""
    event = (playing.event_with if number == 1 else playing.round_1_closed)(6, **SIX)
    if number == 2:
        assert [place_here(event, code) for code in ("E001", "E005", "E006")] == ["", "5", "6"]
        playing.post(event)
    round_ = round_seat(event)
    round_to(round_, "playing")
    playing.win(round_, **{round_.stacks.earliest("pk").entry.code: 400})
    assert place_here(event, "E002") == ""
    leave(event, "E002")
    event.refresh_from_db()
    rows = rows_matching(standings_body(event), "E002")
    assert len(rows) == (0 if (number, leave) == (1, withdrawn) else 1)
    public = f"{'=' if rows[0]['tied'] else ''}{rows[0]['place']}" if rows else ""
    assert place_here(event, "E002") == public


def test_T17_a_void_hand_is_counted_by_no_page():
    round_ = seated(4, **CUTS)
    shoe, bets = shoe_of(round_), dict.fromkeys((1, 2, 3, 4), 200)
    for _ in range(2):
        hand(shoe, bets, b1="win", b2="win", b3="win", b4="win")
        opened = dealing.deal_open(shoe_id=shoe.pk, bets=bets, key=new_key(), actor=None)
        dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    shoe_over(shoe)
    for tail in ("", "tables/", f"rounds/{round_.pk}/", "tables/1/"):
        words = text(logged_in("director").get(f"/staff/{round_.event.slug}/{tail}"))
        assert "2 hands" in words and "4 hands" not in words, tail


def test_T24_entrants_are_counted_without_those_who_did_not_come():
    """Nine sold for one table of six: one withdraws, one does not come and an alternate sits down."""
    event = event_make(9, tables_count=1, boxes_per_table=6, **CUTS)
    entry_withdraw(entry_id=event.entries.get(code="E009").pk, key=new_key(), actor=None)
    round_ = draw_and_seat(event)
    seat = round_.seats.order_by("box")[0]
    seating.seat_no_show(seat_id=seat.pk, refund=False, reason="", key=new_key(), actor=None)
    seating.seat_fill(round_id=round_.pk, table_id=seat.table_id, box=seat.box, key=new_key(), actor=None)
    told = Entrants(entrants=6, alternates=1, no_shows=1, withdrawn=1)
    assert entrants_of(Event.objects.get(pk=event.pk)) == told
