"""What the pages say of places, seats and cuts, where they used to differ (T17, T20, T23–T26, T33, T34)."""

from __future__ import annotations

import re

import pytest

from pages.director.reads.cut_panel import cut_panel
from tables.services import (
    dealing,
    seating,
)
from tests.cast import playing
from tests.cast.at_tables import logged_in, text
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    close,
    count_both,
    draw_and_seat,
    event_make,
    hand,
    payouts_post,
    play_and_count,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.pages import next_of, public_rows
from tests.cast.worlds import kept
from tournament.models import Event, Round, Stack
from tournament.selectors.entrants import Entrants, entrants_of
from tournament.selectors.stage_ranking import State, stage_ranking
from tournament.selectors.standings import standings_body
from tournament.services.entries import entry_disqualify_request, entry_withdraw
from tournament.services.requests import request_decide
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db
CUTS = {"cut_after_round_1": 2, "cut_after_round_2": 2}


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


# A tie at the cut (T23) -------------------------------------------------------------------------------


@kept
def tied() -> tuple[Round, dict[int, str]]:
    """Four entrants, two seats: box 1 is in, boxes 2 to 4 are level; round 1 is counted."""
    round_ = seated(4, **CUTS)
    hand(shoe_of(round_), {1: 1000, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="win")
    codes = {box: stack_at(round_, box).entry.code for box in (1, 2, 3, 4)}
    play_and_count(round_)
    return round_, codes


def played_off(round_: Round, winner: str) -> Round:
    """The play-off that this entry wins in one hand; everybody else loses."""
    play_off = draw_and_seat(round_.event)
    boxes = {stack_at(play_off, box).entry.code: box for box in (1, 2, 3)}
    words = {f"b{box}": "win" if code == winner else "lose" for code, box in boxes.items()}
    hand(shoe_of(play_off), dict.fromkeys(boxes.values(), 200), **words)
    round_.refresh_from_db()
    return play_off


def tie_closed(play_off: Round, round_: Round) -> None:
    """The director closes the play-off; the round waits for its own close."""
    play_off.refresh_from_db()
    close(play_off)
    round_.refresh_from_db()


def test_T23_who_wins_the_play_off_stands_above_the_line_before_and_after_the_close():
    round_, codes = tied()
    play_off = played_off(round_, winner := max(codes[2], codes[3], codes[4]))
    losers = sorted({codes[2], codes[3], codes[4]} - {winner})
    expected = [("1", codes[1], "Advances"), ("=2", winner, "Advances")]
    below = [("=2", code, "Out") for code in losers]
    for stage in ("decided", "play-off closed", "round closed"):
        shown = ranking_rows(page(round_.event, f"rounds/{round_.pk}/"))
        assert (shown[:2], shown[2][0], shown[3:]) == (expected, "line", below), stage
        public = [row[:2] for row in public_rows(round_.event)]
        public = public[3:] if stage == "decided" else public
        assert public[:2] == [row[:2] for row in expected] and public[2][0] == "line"
        assert public[3:5] == [row[:2] for row in below]
        if stage == "decided":
            tie_closed(play_off, round_)
        elif stage == "play-off closed":
            close(round_)


def test_T23_tonight_says_no_tie_once_it_is_played_off():
    round_, codes = tied()
    assert next_of(round_.event)[0].tail == "draw/"
    tie_closed(played_off(round_, codes[4]), round_)
    assert next_of(round_.event)[0].tail == f"rounds/{round_.pk}/"
    panel = cut_panel(round_.event, round_)
    assert [row.code for row in panel.rows][:2] == [codes[1], codes[4]]
    assert [bool(row.line) for row in panel.rows] == [False, False, True, False]
    assert "won" in panel.rows[1].word and "lost" in panel.rows[2].word


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
    tie = {row.code: (row.place, row.tied, row.state) for row in stage_ranking(play_off).rows}
    assert {code: where[2] for code, where in tie.items()} == {
        codes[1]: State.ADVANCES,
        codes[2]: State.PLAYING,
        codes[3]: State.PLAYING,
        codes[4]: State.OUT,
    }
    assert {where[:2] for where in tie.values()} == {(1, True)}


def test_T23_present_without_chips_is_before_absent_with_chips():
    round_, _codes = tied()
    play_off = draw_and_seat(round_.event)
    broke, away, ahead = (stack_at(play_off, box) for box in (1, 2, 3))
    Stack.objects.filter(pk=broke.pk).update(chips=0)
    Stack.objects.filter(pk=away.pk).update(state=Stack.State.ABSENT)
    rows = [row.code for row in stage_ranking(play_off).rows]
    assert rows == [ahead.entry.code, broke.entry.code, away.entry.code]


# Sudden death (T33, T34) ------------------------------------------------------------------------------


@kept
def two_groups() -> tuple[Round, dict[str, list[str]]]:
    """Sudden death of two groups: two tied for first, two for third; prizes of four places differ."""
    event = event_make(4, cut_after_round_1=4, cut_after_round_2=4)
    for number in (1, 2, 3):
        round_ = draw_and_seat(event)
        if number == 3:
            bets = {1: 600, 2: 600, 3: 200, 4: 200}
            hand(shoe_of(round_), bets, b1="win", b2="win", b3="win", b4="win")
            best = [stack_at(round_, box).entry.code for box in (1, 2)]
            rest = [stack_at(round_, box).entry.code for box in (3, 4)]
        play_and_count(round_)
        close(round_)
        if number == 1:
            payouts_post(event, 400_00, 300_00, 200_00, 100_00)
    return draw_and_seat(event), {"first": sorted(best), "third": sorted(rest)}


def test_T34_every_page_ranks_a_group_inside_its_own_places():
    sudden, groups = two_groups()
    boxes = {stack_at(sudden, box).entry.code: box for box in (1, 2, 3, 4)}
    # Those who play for third win more than those who play for first: it changes nothing.
    third = {boxes[code]: 1000 for code in groups["third"]}
    first = {boxes[code]: 200 for code in groups["first"]}
    hand(shoe_of(sudden), {**third, **first}, **{f"b{box}": "win" for box in boxes.values()})
    expected = [(f"={place}", code) for place, name in ((1, "first"), (3, "third")) for code in groups[name]]
    panel = cut_panel(sudden.event, sudden)
    assert [(f"={row.place}", row.code) for row in panel.rows if row.tied] == expected
    assert [row[:2] for row in ranking_rows(page(sudden.event, f"rounds/{sudden.pk}/"))] == expected
    assert [row[:2] for row in public_rows(sudden.event)][:4] == expected


def test_T33_in_a_group_busted_but_present_is_before_absent():
    sudden, groups = two_groups()
    broke, away = groups["third"]
    Stack.objects.filter(round=sudden, entry__code=broke).update(chips=0)
    Stack.objects.filter(round=sudden, entry__code=away).update(state=Stack.State.ABSENT)
    places = {row.code: (row.place, row.tied) for row in stage_ranking(sudden).rows}
    assert (places[broke], places[away]) == ((3, False), (4, False))
    assert [places[code] for code in groups["first"]] == [(1, True), (1, True)]


def test_T33_what_a_sudden_death_has_decided_stays_on_the_public_page_until_it_is_closed():
    sudden, groups = two_groups()
    boxes = {stack_at(sudden, box).entry.code: box for box in (1, 2, 3, 4)}
    winners = [groups["first"][1], groups["third"][1]]
    words = {f"b{box}": "win" if code in winners else "lose" for code, box in boxes.items()}
    hand(shoe_of(sudden), dict.fromkeys(boxes.values(), 200), **words)
    sudden.refresh_from_db()
    assert sudden.status == Round.Status.COUNTED
    expected = [(str(n), c) for n, c in enumerate([*groups["first"][::-1], *groups["third"][::-1]], 1)]
    assert [row[:2] for row in public_rows(sudden.event)][:4] == expected
    assert [row[:2] for row in ranking_rows(page(sudden.event, f"rounds/{sudden.pk}/"))] == expected


# Who has left (T25, T26) ------------------------------------------------------------------------------


@kept
def qualified() -> tuple[Round, list[str]]:
    """Round 1 of four is closed; the first two have qualified."""
    round_ = seated(4, **CUTS)
    bets = {1: 800, 2: 600, 3: 400, 4: 200}
    hand(shoe_of(round_), bets, **{f"b{box}": "win" for box in bets})
    codes = [stack_at(round_, box).entry.code for box in (1, 2, 3, 4)]
    play_and_count(round_)
    close(round_)
    return round_, codes


def disqualify(event: Event, code: str) -> None:
    asked = entry_disqualify_request(
        entry_id=event.entries.get(code=code).pk, reason="marked", key=new_key(), actor=UserFactory()
    )
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())


def test_T25_a_replaced_qualifier_does_not_advance_and_the_replacement_does():
    round_, codes = qualified()
    entry = round_.event.entries.get(code=codes[0])
    seating.entry_replace(entry_id=entry.pk, reason="ill", key=new_key(), actor=None)
    expected = [
        ("2", codes[1], "Advances"),
        ("3", codes[2], "Advances"),
        ("line", "2 go on round 1 closed", ""),
        ("1", codes[0], "Replaced"),
        ("4", codes[3], "Out"),
    ]
    assert ranking_rows(page(round_.event, f"rounds/{round_.pk}/")) == expected
    assert [row[:2] for row in public_rows(round_.event)] == [row[:2] for row in expected]
    assert public_rows(round_.event)[3][2] == "replaced"
    panel = cut_panel(round_.event, None)
    assert [row.code for row in panel.rows] == [row[1] for row in expected if row[0] != "line"]


def test_T26_disqualified_between_two_rounds_is_last_and_nobody_else_is_called_so():
    round_, codes = qualified()
    disqualify(round_.event, codes[0])
    shown = [row for row in ranking_rows(page(round_.event, f"rounds/{round_.pk}/")) if row[0] != "line"]
    assert shown == [
        ("1", codes[1], "Advances"),
        ("2", codes[2], "Out"),
        ("3", codes[3], "Out"),
        ("4", codes[0], "Disqualified"),
    ]
    said = {code: words for _place, code, words in public_rows(round_.event) if words}
    assert said == {codes[0]: "disqualified"}


def test_T26_no_hand_has_changed_the_chips_that_left_play():
    """The last hand won 200; the stack has left play since, and nothing of it is in front of anybody."""
    round_ = seated(4)
    hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="lose")
    codes = [stack_at(round_, box).entry.code for box in (1, 2)]
    disqualify(round_.event, codes[0])
    (section,) = standings_body(Event.objects.get(pk=round_.event_id))["sections"]
    shown = {row["code"]: (row["stack_chips"], row["change_chips"]) for row in section["rows"]}
    assert (shown[codes[0]], shown[codes[1]]) == ((0, None), (4800, -200))


def test_T20_the_page_of_an_entry_tells_its_place_in_the_event_from_that_in_a_round():
    event = playing.round_1_closed(5, cut_after_round_1=3, cut_after_round_2=3)

    def place(code: str) -> str:
        return re.search(r'<dd data-place="([^"]*)"', page(event, f"entries/{code}/"))[1]

    assert (place("E001"), place("E004"), place("E005")) == ("", "4", "5")


def test_T20_who_was_cut_is_not_called_disqualified_in_the_rounds_after():
    round_, codes = qualified()
    payouts_post(round_.event, 300_00, 100_00)
    draw_and_seat(round_.event)
    standings_recompute(event_id=round_.event_id)
    html = logged_in().get(f"/e/{round_.event.slug}/").content.decode()
    assert "disqualified" not in html
    assert [row[:2] for row in public_rows(round_.event)][-2:] == [("3", codes[2]), ("4", codes[3])]


def test_T26_disqualified_in_the_next_round_moves_nobody_of_the_round_before():
    round_, codes = qualified()
    payouts_post(round_.event, 300_00, 100_00)
    draw_and_seat(round_.event)
    disqualify(round_.event, codes[0])
    assert [row[:2] for row in public_rows(round_.event)][-2:] == [("3", codes[2]), ("4", codes[3])]


# Counts of hands and of entrants ----------------------------------------------------------------------


def test_T17_a_void_hand_is_counted_by_no_page():
    round_ = seated(4, **CUTS)
    shoe = shoe_of(round_)
    bets = dict.fromkeys((1, 2, 3, 4), 200)
    hand(shoe, bets, **{f"b{box}": "win" for box in bets})
    opened = dealing.deal_open(shoe_id=shoe.pk, bets=bets, key=new_key(), actor=None)
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    hand(shoe, bets, **{f"b{box}": "win" for box in bets})
    shoe_over(shoe)
    event = round_.event
    for tail in ("", "tables/", f"rounds/{round_.pk}/", "tables/1/"):
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page(event, tail)))
        assert "2 hands" in words and "3 hands" not in words, tail


def test_T24_entrants_are_the_same_on_every_page_and_the_pool_counts_what_was_paid():
    """Nine sold for one table of six: one withdraws, one does not come and an alternate sits down."""
    event = event_make(9, tables_count=1, boxes_per_table=6, **CUTS)
    codes = sorted(event.entries.values_list("code", flat=True))
    entry_withdraw(entry_id=event.entries.get(code=codes[8]).pk, key=new_key(), actor=None)
    round_ = draw_and_seat(event)
    seat = round_.seats.order_by("box")[0]
    seating.seat_no_show(seat_id=seat.pk, refund=False, reason="", key=new_key(), actor=None)
    seating.seat_fill(round_id=round_.pk, table_id=seat.table_id, box=seat.box, key=new_key(), actor=None)
    figures = entrants_of(Event.objects.get(pk=event.pk))
    assert (figures.entrants, figures.alternates, figures.no_shows, figures.withdrawn) == (6, 1, 1, 1)
    words = "6 entrants, 1 alternate, 1 no-show, 1 withdrawn"
    for tail in ("", "desk/", "boxes/"):
        assert words in page(event, tail), tail
    assert "6 entrants" in text(logged_in("director").get("/house/"))
    assert "6 entrants" in text(logged_in().get("/"))
    assert "8 buy-ins" in text(logged_in().get(f"/e/{event.slug}/prizes/"))


def test_T26_who_is_disqualified_or_replaced_has_taken_part():
    round_, codes = qualified()
    disqualify(round_.event, codes[3])
    entry = round_.event.entries.get(code=codes[0])
    seating.entry_replace(entry_id=entry.pk, reason="ill", key=new_key(), actor=None)
    assert entrants_of(Event.objects.get(pk=round_.event_id)) == Entrants(entrants=4)


# The line itself (T20) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "states"),
    [
        (4_800, [State.ABOVE, State.ABOVE, State.BELOW]),
        (5_000, [State.ABOVE, State.LEVEL, State.LEVEL]),
        (5_200, [State.ABOVE, State.ABOVE, State.BELOW]),
    ],
)
def test_T20_a_step_below_the_line_level_with_it_and_a_step_above(last, states):
    round_ = seated(3, **CUTS)
    stacks = sorted(round_.stacks.all(), key=lambda stack: stack.entry.code)
    for stack, chips in zip(stacks, (6_000, 5_000, last), strict=True):
        Stack.objects.filter(pk=stack.pk).update(chips=chips)
    ranking = stage_ranking(round_)
    assert [row.state for row in ranking.rows] == states
    assert (ranking.line, ranking.seats) == ((3, 1) if last == 5_000 else (2, 0))
    assert ranking.rows[2].chips == min(last, 5_000)


@pytest.mark.parametrize(("chips", "state"), [(100, State.BELOW), (200, State.ABOVE), (300, State.ABOVE)])
def test_T20_the_minimum_exactly_covered_is_enough_to_advance(chips, state):
    round_ = seated(3, **CUTS)
    first, second, third = sorted(round_.stacks.all(), key=lambda stack: stack.entry.code)
    Stack.objects.filter(pk=second.pk).update(chips=chips)
    Stack.objects.filter(pk=third.pk).update(chips=0)
    states = {row.code: row.state for row in stage_ranking(round_).rows}
    assert states == {
        first.entry.code: State.ABOVE,
        second.entry.code: state,
        third.entry.code: State.BELOW,
    }


@pytest.mark.parametrize(("cut", "line"), [(2, 2), (3, None), (4, None)])
def test_T24_a_cut_of_as_many_as_play_cuts_nobody(cut, line):
    round_ = seated(3, cut_after_round_1=cut, cut_after_round_2=2)
    hand(shoe_of(round_), {1: 600, 2: 400, 3: 200}, b1="win", b2="win", b3="win")
    assert stage_ranking(round_).line == line


def test_T23_all_who_are_level_advance_where_the_rules_say_so_and_nobody_is_told_of_a_tie():
    round_ = seated(4, tie_at_cut="all_advance", **CUTS)
    hand(shoe_of(round_), {1: 1000, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="lose")
    count_both_and_end(round_)
    rows = public_rows(round_.event)
    assert [row[0] for row in rows] == ["1", "=2", "=2", "line", "4"]
    assert rows[3][1].startswith("3 advance") and not any(row[2] for row in rows)


def count_both_and_end(round_: Round) -> None:
    shoe_over(shoe_of(round_))
    count_both(shoe_of(round_))
    round_.refresh_from_db()
