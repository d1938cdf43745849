"""T15: a player who has played no hand of a round is out of it, however large the stack is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tables.models import Seat
from tables.services import corrections, seating
from tests.cast.factories import new_key
from tests.cast.floor import close, hand, play_and_count, seated, shoe_of, shoe_over, stack_at
from tournament.engine.plan import plan_of
from tournament.engine.standing import CutLine, cut_line
from tournament.engine.steps.places import places_so_far
from tournament.models import Round, Stack
from tournament.selectors.replacements import next_ranked
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import round_cut, state_of
from tournament.selectors.standings import standings_body

pytestmark = pytest.mark.django_db


def away(round_: Round, box: int, table: int = 1, *, absent: bool = True) -> str:
    """The floor rules that the player of a box is absent, or back; the code of the entry."""
    stack = stack_at(round_, box, table)
    seating.stack_absent(stack_id=stack.pk, absent=absent, reason="nobody there", key=new_key(), actor=None)
    return stack.entry.code


def all_bet(round_: Round, table: int, losers: int) -> None:
    """One hand of all who are there: the first boxes lose 200, the others win 200."""
    seats = Seat.objects.filter(round=round_, table__number=table, entry__stacks__state=Stack.State.PLAYING)
    here = sorted(seats.values_list("box", flat=True))
    words = {f"b{box}": "lose" if at < losers else "win" for at, box in enumerate(here)}
    hand(shoe_of(round_, table), dict.fromkeys(here, 200), **words)
    round_.refresh_from_db()


def three_never_came() -> tuple[Round, list[str]]:
    """14 entries at two tables, top 12: nobody ever sat at boxes 5, 6 and 7 of table 1."""
    round_ = seated(14, no_hand="out")
    return round_, [away(round_, box) for box in (5, 6, 7)]


def test_T15_T25_three_boxes_where_nobody_ever_sat_do_not_advance_and_replace_nobody():
    round_, gone = three_never_came()
    rows = standings_body(round_.event)["sections"][0]["rows"]
    assert [(row["code"], row["state"], row["place"]) for row in rows[-3:]] == [
        (code, "below", 12) for code in sorted(gone)
    ]
    assert "cut" in rows[11]
    # Three lose at each table: with their stacks the three absent ones would rank before them.
    all_bet(round_, 1, losers=3)
    all_bet(round_, 2, losers=3)
    play_and_count(round_)
    otherwise = plan_of({**round_.event.settings_json, "no_hand": "ranked"})
    assert set(gone) <= set(round_cut(round_, replace(state_of(round_.event), plan=otherwise)).entries)
    found = round_cut(round_)
    assert (len(found.entries), found.level) == (11, ())
    assert sorted(code for level in found.not_through for code in level) == sorted(gone)
    assert sorted(close(round_)["advanced"]) == sorted(found.entries)
    assert next_ranked(round_) == []
    places = places_so_far(state_of(round_.event))
    assert {(r.place, r.tied) for r in places if r.entry in gone} == {(12, True)}
    assert set(Stack.objects.filter(entry__code__in=gone).values_list("outcome", "place")) == {("cut", 12)}


def test_T15_with_the_first_hand_the_stack_ranks_again():
    round_, gone = three_never_came()
    away(round_, 5, absent=False)
    assert [row.code for row in stage_ranking(round_).rows if row.no_hand] == sorted(gone[1:])
    all_bet(round_, 1, losers=0)
    away(round_, 5)
    ranking = stage_ranking(round_)
    assert [row.code for row in ranking.rows if row.no_hand] == sorted(gone[1:])
    assert gone[0] in {row.code for row in ranking.above}


def test_T15_back_without_a_hand_is_out_once_the_round_is_counted():
    counts_alone = seated(3, no_hand="out", record_mode="counts")
    away(counts_alone, 3)
    assert not any(row.no_hand for row in stage_ranking(counts_alone).rows)
    round_ = seated(4, no_hand="out")
    code = away(round_, 4)
    all_bet(round_, 1, losers=0)
    away(round_, 4, absent=False)
    assert not any(row.no_hand for row in stage_ranking(round_).rows)
    play_and_count(round_)
    assert [row.code for row in stage_ranking(round_).rows if row.no_hand] == [code]


def test_T15_at_a_table_where_no_hand_was_dealt_only_an_absent_player_is_out():
    round_ = seated(8, no_hand="out")
    all_bet(round_, 1, losers=0)
    code = away(round_, 1, table=2)
    shoe_over(shoe_of(round_, 2))
    play_and_count(round_)
    assert [row.code for row in stage_ranking(round_).rows if row.no_hand] == [code]


def test_T15_T23_a_player_without_a_hand_is_no_part_of_a_tie_at_the_cut():
    round_ = seated(5, no_hand="out", cut_after_round_1=2, cut_after_round_2=2)
    code = away(round_, 5)
    # Box 1 wins, three push: level with the stack of the player who never came.
    hand(shoe_of(round_), dict.fromkeys((1, 2, 3, 4), 200), b1="win", b2="push", b3="push", b4="push")
    play_and_count(round_)
    found = round_cut(round_)
    assert (len(found.level), found.seats) == (3, 1)
    assert code not in (*found.entries, *found.level)
    assert cut_line(stage_ranking(round_)) == CutLine(4, level_from=1, under=True)


@pytest.mark.parametrize("word", ["win", "push"])
def test_T15_T17_whose_only_hand_is_made_void_has_played_none(word):
    round_ = seated(4, no_hand="out", cut_after_round_1=2, cut_after_round_2=2)
    only = hand(shoe_of(round_), {1: 200}, b1=word)
    hand(shoe_of(round_), dict.fromkeys((2, 3, 4), 200), b2="lose", b3="lose", b4="lose")
    corrections.deal_correct(deal_id=only.pk, void=True, reason="a misdeal", key=new_key(), actor=None)
    play_and_count(round_)
    code = stack_at(round_, 1).entry.code
    assert [row.code for row in stage_ranking(round_).rows if row.no_hand] == [code]
    assert code not in round_cut(round_).entries
