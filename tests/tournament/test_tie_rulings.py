"""The director's rulings on a tie at the cut: every one of them stays, the latest on a tie counts (T23)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.at_tables import logged_in, text
from tests.cast.disqualified import close, disqualify
from tests.cast.factories import UserFactory, new_key, round_seat, round_to
from tests.cast.html import read
from tournament.models import Event, Posting, Round
from tournament.selectors.ranking_states import row_word
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import round_cut
from tournament.selectors.standings import standings_body
from tournament.selectors.tie_rulings import tie_rulings
from tournament.services.rounds import tie_rule

pytestmark = pytest.mark.django_db


def rule(round_: Round, *advance: str, reason: str = "drawn lots", actor: Any = None) -> dict[str, Any]:
    return tie_rule(round_id=round_.pk, advance=list(advance), reason=reason, key=new_key(), actor=actor)


def counted(entrants: int = 6, seats: int = 3) -> tuple[Event, Round]:
    """E001 leads; all the others are level for two seats, and the director rules on it."""
    event = playing.event_with(entrants, cut_after_round_1=seats, cut_after_round_2=2, tie_at_cut="director")
    round_ = round_seat(event)
    playing.win(round_, E001=1000)
    round_to(round_, "playing", "counted")
    return event, round_


def test_T23_a_second_ruling_on_what_is_left_of_a_tie_leaves_the_first_one_standing():
    """Two of five were ruled in; a seat comes free, and it is ruled on among the other three."""
    event, round_ = counted()
    rule(round_, "E002", "E003", reason="drawn lots")
    disqualify(event, "E001")
    round_.refresh_from_db()
    left = round_cut(round_).cut
    assert (left.tied, left.contested_seats) == (("E004", "E005", "E006"), 1)
    rule(round_, "E005", reason="high card")
    round_.refresh_from_db()
    assert not round_cut(round_).open_tie
    assert sorted(close(round_)["advanced"]) == ["E002", "E003", "E005"]
    kept = tie_rulings(round_)
    assert [(sorted(each.advance), each.reason, each.counts) for each in kept] == [
        (["E002", "E003"], "drawn lots", True),
        (["E005"], "high card", True),
    ]


def test_T23_T26_a_ruling_stands_without_who_has_left_whoever_has_that_number_in_another_event():
    event, round_ = counted(5, seats=2)
    rule(round_, "E002")
    other = playing.event_with(5)
    disqualify(event, "E004")
    round_.refresh_from_db()
    assert other.entries.filter(code="E004", status="live").exists()
    assert not round_cut(round_).open_tie
    assert sorted(close(round_)["advanced"]) == ["E001", "E002"]


def test_T23_of_two_rulings_on_the_same_players_the_latest_counts_and_both_stay():
    """Who was ruled in is disqualified, and the ruling among the rest takes the place of the first."""
    event, round_ = counted(5, seats=2)
    boss = UserFactory(username="boss")
    rule(round_, "E002", reason="drawn lots", actor=boss)
    disqualify(event, "E002")
    round_.refresh_from_db()
    assert round_cut(round_).open_tie
    rule(round_, "E004", reason="high card", actor=boss)
    round_.refresh_from_db()
    kept = tie_rulings(round_)
    assert [(each.advance, each.counts, each.who) for each in kept] == [
        (("E002",), False, "boss"),
        (("E004",), True, "boss"),
    ]
    assert kept[0].at < kept[1].at
    assert sorted(close(round_)["advanced"]) == ["E001", "E004"]
    assert [each.counts for each in tie_rulings(round_)] == [False, True]
    said = [e.body["asked"]["reason"] for e in event.journal.filter(kind="round.tie_rule").order_by("seq")]
    assert said == ["drawn lots", "high card"]


def test_T23_a_ruling_is_posted_with_the_result_with_its_reason():
    event, round_ = counted(4, seats=2)
    rule(round_, "E003", reason="by lot")
    round_.refresh_from_db()
    close(round_)
    body = Posting.objects.get(event=event, kind="result", number=1).body
    assert body["tie_rulings"] == [
        {"tied": ["E002", "E003", "E004"], "advance": ["E003"], "reason": "by lot"}
    ]


def test_T23_who_was_ruled_in_has_won_the_tie_while_the_rest_of_it_is_open():
    """Not 'all who are level advance': two of five have won, the others are tied for one seat."""
    event, round_ = counted()
    rule(round_, "E002", "E003")
    disqualify(event, "E001")
    round_.refresh_from_db()
    rows = {row.code: (str(row.state), row_word(row)) for row in stage_ranking(round_).rows}
    assert rows["E002"] == rows["E003"] == ("advances", "won_tie")
    assert rows["E004"] == rows["E006"] == ("tied", "")


def test_T23_the_public_reads_the_ruling_with_the_result_and_not_before():
    event, round_ = counted(4, seats=2)
    rule(round_, "E003", reason="drawn lots")
    round_.refresh_from_db()
    assert "rulings" not in standings_body(event)["sections"][0]
    close(round_)
    ruling = {"advance": ["E003"], "reason": "drawn lots"}
    assert standings_body(event)["sections"][0]["rulings"] == [ruling]


def test_T23_a_result_without_a_ruling_says_nothing_of_one():
    event = playing.round_1_closed(3)
    assert "tie_rulings" not in Posting.objects.get(event=event, kind="result", number=1).body


def test_T23_the_page_rules_on_what_is_left_of_a_tie_and_shows_both_rulings_side_by_side():
    round_ = cast.seated(5, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut="director")
    cast.play_and_count(round_)
    codes = sorted(round_.event.entries.values_list("code", flat=True))
    rule(round_, *codes[:2], reason="drawn lots", actor=UserFactory(username="boss"))
    disqualify(round_.event, codes[0])
    address, client = f"/staff/{round_.event.slug}/rounds/{round_.pk}/", logged_in("director")
    page = read(client.get(address).content.decode())
    boxes = [n for n in page.all("input") if n.attrs.get("name") == "advance"]
    assert [each.attrs["value"] for each in boxes] == codes[2:]
    sent = {"do": "rule", "key": new_key(), "advance": [codes[3]], "reason": "high card"}
    assert client.post(address, sent).status_code == 303
    said = text(client.get(address))
    assert said.index("“drawn lots”") < said.index("“high card”")
    round_.refresh_from_db()
    assert [each.who for each in tie_rulings(round_)] == ["boss", client.user.username]
