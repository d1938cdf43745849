"""What the card of a pinned player claims: through, out, what is needed, the prize, the hands left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cast.factories import round_seat, round_to
from tests.cast.playing import close, event_with, ladder, post, promised, round_1_closed, win
from tournament.models import Event, Round, Stack
from tournament.selectors.floor import NoFloor, TableProgress, floor, floor_register
from tournament.selectors.standings import standings_body

pytestmark = pytest.mark.django_db
OVER = {"state": "over", "decks": 6, "cards_out": 250}
LAST = {"state": "dealing", "decks": 6, "cards_out": 250, "last_hand": True}


class Tables(NoFloor):
    """E001, E002 … sit at table 1, the last entry alone at table 2."""

    def __init__(self) -> None:
        self.told: list[TableProgress] = []

    def seats(self, round_ids: Any) -> dict[tuple[int, int], tuple[int, int]]:
        stacks = Stack.objects.filter(round__in=round_ids).order_by("round", "entry__number")
        keys = list(stacks.values_list("round_id", "entry_id"))
        return {key: (2 if at == len(keys) - 1 else 1, at + 1) for at, key in enumerate(keys)}

    def progress(self, round_id: int) -> list[TableProgress]:
        return self.told


@pytest.fixture
def tables() -> Iterator[Tables]:
    before, made = floor(), Tables()
    floor_register(made)
    yield made
    floor_register(before)


def table(number: int, **told: Any) -> TableProgress:
    return TableProgress(number, 9, **told)


def played(**nets: int) -> Event:
    event = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, **nets)
    round_to(round_, Round.Status.PLAYING)
    return event


def rows(event: Event) -> dict[str, dict[str, Any]]:
    event.refresh_from_db()
    section = next(each for each in standings_body(event)["sections"] if each["kind"] == "live")
    return {row["code"]: row for row in section["rows"]}


def told(event: Event) -> list[tuple[str, int | None]]:
    return [(row["chances"], row["needs_chips"]) for _code, row in sorted(rows(event).items())]


STACKS = {"E001": 1_000, "E002": 600, "E003": 400, "E004": 200, "E005": -200}


def test_T20_with_every_shoe_over_who_is_through_is_known(tables: Tables) -> None:
    tables.told = [table(1, **OVER), table(2, **OVER)]
    event = played(**STACKS)
    assert told(event) == [("clinched", None)] * 3 + [("out", None)] * 2
    assert {row["shoe"] for row in rows(event).values()} == {"over"}


def test_T20_T23_a_tie_at_the_line_is_neither_and_can_win_no_more_with_the_shoe_over(tables: Tables) -> None:
    tables.told = [table(1, **OVER), table(2, **OVER)]
    level = {**STACKS, "E003": 200}
    assert told(played(**level)) == [("clinched", None)] * 2 + [("alive", None)] * 2 + [("out", None)]


def test_T12_one_hand_at_one_table_leaves_open_what_it_can_still_change(tables: Tables) -> None:
    """E005 has 4,800 and its last hand: at most 4,800 more, so that 9,600 is the most."""
    tables.told = [table(1, **OVER), table(2, **LAST)]
    event = played(**{**STACKS, "E003": 4_600, "E004": 4_500, "E002": 4_700, "E001": 4_800})
    # E003 has 9,600 as well and could be level with E005 at the line; E004 has 9,500.
    assert told(event) == [("clinched", None)] * 2 + [("alive", None), ("out", None), ("alive", 4_900)]
    assert rows(event)["E005"]["hands_left"] is None


def test_T15_a_player_who_may_play_no_hand_of_the_round_is_not_through_yet(tables: Tables) -> None:
    tables.told = [table(1, **OVER), table(2, **LAST)]
    event = played(**{**STACKS, "E005": 0})
    stack = Stack.objects.filter(entry__code="E005", round__event=event)
    stack.update(chips=40_000, start_chips=40_000, last_change_chips=0)
    assert rows(event)["E005"]["chances"] == "alive"
    stack.update(start_chips=39_800)
    assert rows(event)["E005"]["chances"] == "clinched"


def test_without_a_floor_nothing_is_claimed_and_what_is_needed_is_said() -> None:
    assert told(played(**STACKS)) == [("alive", None)] * 3 + [("alive", 300), ("alive", 700)]


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
    for number in (2, 3):
        event.refresh_from_db()
        round_ = round_seat(event)
        if number == 2:
            win(round_, **ladder(round_))
            close(round_)
    stacks = {s.entry.code: s.chips for s in round_.stacks.select_related("entry")}
    win(round_, **{code: 9_000 - chips for code, chips in stacks.items() if code in ("E001", "E002")})
    round_to(round_, Round.Status.PLAYING)
    tables.told = [table(1, **OVER), table(2, **OVER)]
    found = rows(event)
    assert [found[code]["chances"] for code in sorted(found)] == ["clinched"] * 2 + ["out"] * 2
    first = found["E001"]
    assert (first["prize_least_cents"], first["prize_most_cents"]) == (20_000, 30_000)
    assert first["currency"] == "USD"
    assert "prize_most_cents" not in found["E003"]


def test_a_call_changes_with_new_seats_and_as_play_begins(tables: Tables) -> None:
    event = event_with(3, cut_after_round_1=2, cut_after_round_2=2)
    round_ = round_seat(event)
    seated = rows(event)["E001"]["call"]
    round_to(round_, Round.Status.PLAYING)
    begun = rows(event)["E001"]["call"]
    assert seated and begun and seated != begun
    Stack.objects.filter(round=round_, entry__code="E001").update(state="disqualified")
    assert rows(event)["E001"]["call"] == ""
