"""Rounds, cuts, play-offs, sudden death: from stacks alone, as the tournament knows no tables."""

import itertools

import pytest

from ground.refused import Refused
from tournament.engine.settings import from_dict, to_dict
from tournament.models import (
    Entry,
    Event,
    PayoutStructure,
    Player,
    Posting,
    Round,
    Stack,
)
from tournament.selectors.stages import next_stage, open_money_ties, places_so_far, round_cut
from tournament.services import rounds
from tournament.services.chips import chips_settle
from tournament.services.journal import Command, chain_open, command
from tournament.services.status import status_move

pytestmark = pytest.mark.django_db
keys = itertools.count()


def make_event(entrants: int, **settings) -> Event:
    event = Event.objects.create(
        code=f"EV{next(keys)}",
        slug=f"ev{next(keys)}",
        name="Friday",
        status="running",
        rules_hash="0" * 64,
        settings_json=to_dict(from_dict(settings)),
    )
    chain_open(event)
    for n in range(1, entrants + 1):
        player = Player.objects.create(given_name="P", family_name=str(n))
        Entry.objects.create(
            event=event, player=player, number=n, code=f"E{n:03}", view_token=f"{event.pk}-{n}"
        )
    return event


def run(event: Event, act) -> dict:
    """Run ``act(cmd)`` as one command of the event."""

    def acting(cmd: Command) -> dict:
        act(cmd)
        return {}

    return command(kind="test", key=f"k{next(keys)}", actor=None, event_id=event.pk, body={}, act=acting)


def seat(event: Event) -> Round:
    stage = next_stage(event)
    assert stage is not None
    run(event, lambda cmd: rounds.round_open(cmd, stage=stage, draw=None))
    return Round.objects.get(event=event, number=stage.number, kind=stage.kind, status="seated")


def win(round_: Round, **nets: int) -> None:
    """Chips won or lost by entry code in one hand, and the look at the round after it."""

    def act(cmd: Command) -> None:
        stacks = {s.entry.code: s for s in round_.stacks.select_related("entry")}
        chips_settle(cmd, nets={stacks[code]: net for code, net in nets.items()}, source="deal:0")
        rounds.round_step(cmd, Round.objects.get(pk=round_.pk))

    run(round_.event, act)


def counted(round_: Round) -> Round:
    for status in ("playing", "counted"):
        status_move(round_, status)
    return round_


def close(round_: Round) -> dict:
    return rounds.round_close(round_id=round_.pk, key=f"k{next(keys)}", actor=None)


def post_payouts(event: Event, *prizes_cents: int) -> None:
    def act(cmd: Command) -> None:
        posting = rounds.posting_make(cmd, kind="payouts", number=1, body={})
        PayoutStructure.objects.create(
            event=event,
            version=1,
            structure={},
            prizes_cents=list(prizes_cents),
            pool_cents=sum(prizes_cents),
            posting=posting,
        )

    run(event, act)


def ladder(count: int, *, start: int = 1) -> dict[str, int]:
    """Stacks that all differ: E001 wins 200, E002 400 …"""
    return {f"E{n:03}": 200 * (n - start + 1) for n in range(start, start + count)}


def chips_of(round_: Round) -> dict[str, int]:
    return dict(round_.stacks.values_list("entry__code", "chips"))


def test_T3_every_entry_gets_the_posted_starting_chips():
    round_ = seat(make_event(14))
    assert set(chips_of(round_).values()) == {5000}
    assert len(chips_of(round_)) == 14


def test_T20_top_twelve_advance():
    round_ = seat(make_event(14))
    win(round_, **ladder(14))
    result = close(counted(round_))
    assert sorted(result["advanced"]) == [f"E{n:03}" for n in range(3, 15)]
    out = round_.stacks.filter(outcome="cut").order_by("place")
    assert [(s.place, s.entry.code, s.closed_chips, s.chips) for s in out] == [
        (13, "E002", 5400, 0),
        (14, "E001", 5200, 0),
    ]


def test_T19_a_round_that_is_not_counted_cannot_be_closed():
    round_ = seat(make_event(3))
    with pytest.raises(Refused) as refused:
        close(round_)
    assert (refused.value.code, refused.value.status) == ("not_counted", 409)


def test_T22_carried_stacks_go_on():
    event = make_event(3)
    round_ = seat(event)
    win(round_, E001=1000, E002=-400)
    close(counted(round_))
    assert chips_of(seat(event)) == {"E001": 6000, "E002": 4600, "E003": 5000}


def test_T22_reset_stacks_start_again():
    event = make_event(3, stacks="reset")
    round_ = seat(event)
    win(round_, E001=1000, E002=-400)
    close(counted(round_))
    assert set(chips_of(round_).values()) == {0}
    assert set(chips_of(seat(event)).values()) == {5000}


def test_T20_who_cannot_cover_the_minimum_does_not_advance():
    round_ = seat(make_event(3))
    win(round_, E001=-4900, E002=200, E003=400)
    assert close(counted(round_))["advanced"] == ["E003", "E002"]


def test_T24_fewer_entrants_than_the_cut_cuts_nobody():
    round_ = seat(make_event(5))
    assert len(close(counted(round_))["advanced"]) == 5


@pytest.fixture
def tied() -> Round:
    """A counted round 1 of 14 in which three are tied for the last two seats."""
    event = make_event(14)
    round_ = seat(event)
    win(round_, **(ladder(10, start=5) | {"E001": -1000}))
    return counted(round_)


def test_T23_a_tie_at_the_cut_blocks_the_close(tied):
    found = round_cut(tied)
    assert (found.cut.tied, found.cut.contested_seats) == (("E002", "E003", "E004"), 2)
    with pytest.raises(Refused) as refused:
        close(tied)
    assert refused.value.code == "tie_at_cut"


def test_T23_only_the_tied_play_off_for_the_contested_seats(tied):
    play_off = seat(tied.event)
    assert chips_of(play_off) == {"E002": 5000, "E003": 5000, "E004": 5000}
    tied.refresh_from_db()
    assert tied.status == "playing_off"
    win(play_off, E002=200, E003=-200)
    play_off.refresh_from_db()
    tied.refresh_from_db()
    assert (play_off.status, tied.status) == ("counted", "playing_off")
    assert close(play_off) == {"round": play_off.pk, "advanced": ["E002", "E004"]}
    tied.refresh_from_db()
    assert tied.status == "counted"
    advanced = close(tied)["advanced"]
    assert set(advanced) & {"E002", "E003", "E004"} == {"E002", "E004"}
    loser = tied.stacks.get(entry__code="E003")
    assert (loser.place, loser.place_tied, loser.closed_chips) == (11, True, 5000)
    assert set(chips_of(play_off).values()) == {0}


def test_T23_those_clearly_in_are_fixed_and_the_rest_go_on(tied):
    play_off = seat(tied.event)
    win(play_off, E002=200)
    assert play_off.stacks.get(entry__code="E002").state == "settled"
    play_off.refresh_from_db()
    assert (play_off.status, play_off.stakes["contested"]) == ("seated", 1)
    win(play_off, E003=-200)
    play_off.refresh_from_db()
    assert play_off.status == "counted"


def test_T23_all_out_of_chips_get_fresh_equal_stacks(tied):
    play_off = seat(tied.event)
    win(play_off, E002=-5000, E003=-5000, E004=-5000)
    assert set(chips_of(play_off).values()) == {5000}


def test_T23_who_is_absent_from_a_play_off_is_behind_who_plays(tied):
    play_off = seat(tied.event)
    play_off.stacks.filter(entry__code="E004").update(state="absent")
    win(play_off)
    close(play_off)
    tied.refresh_from_db()
    assert tied.status == "counted"
    assert set(round_cut(tied).tie_winners) == {"E002", "E003"}


def test_T23_all_tied_advance_where_the_event_says_so():
    event = make_event(14, tie_at_cut="all_advance")
    round_ = seat(event)
    win(round_, **(ladder(10, start=5) | {"E001": -1000}))
    assert len(close(counted(round_))["advanced"]) == 13


def rule(round_: Round, *advance: str, reason: str = "larger stack before") -> dict:
    return rounds.tie_rule(
        round_id=round_.pk, advance=list(advance), reason=reason, key=f"k{next(keys)}", actor=None
    )


def test_T23_the_director_rules_where_the_event_says_so():
    event = make_event(14, tie_at_cut="director")
    round_ = seat(event)
    win(round_, **(ladder(10, start=5) | {"E001": -1000}))
    counted(round_)
    with pytest.raises(Refused) as refused:
        rule(round_, "E002", "E003", reason=" ")
    assert refused.value.code == "reason_missing"
    rule(round_, "E002", "E003")
    assert "E004" not in close(Round.objects.get(pk=round_.pk))["advanced"]


def test_T23_a_ruling_is_refused_where_the_rules_say_play_off(tied):
    with pytest.raises(Refused) as refused:
        rule(tied, "E002", "E003")
    assert refused.value.code == "ruling_not_offered"


def test_T23_a_ruling_decides_when_all_who_should_play_off_are_absent(tied):
    play_off = seat(tied.event)
    play_off.stacks.update(state="absent")
    rule(tied, "E002", "E003", reason="nobody came back")
    tied.refresh_from_db()
    assert tied.status == "counted"
    assert "E004" not in close(tied)["advanced"]


@pytest.fixture
def final() -> Round:
    """The third round of an event of five, seated, payouts posted: 500, 300, 200."""
    event = make_event(5)
    close(counted(seat(event)))
    post_payouts(event, 50000, 30000, 20000)
    close(counted(seat(event)))
    return seat(event)


def test_T20_round_3_ranks_those_who_played_it(final):
    win(final, **ladder(5))
    close(counted(final))
    event = Event.objects.get(pk=final.event_id)
    assert event.status == "finished"
    places = list(event.entries.order_by("place").values_list("place", "code", "final_chips"))
    assert places[0] == (1, "E005", 6000)
    assert places[-1] == (5, "E001", 5200)
    assert Posting.objects.filter(event=event, kind="result").count() == 4


def test_T33_a_tie_for_second_goes_to_sudden_death(final):
    win(final, E001=1000, E002=600, E003=600, E004=200)
    close(counted(final))
    event = Event.objects.get(pk=final.event_id)
    assert event.status == "running"
    assert [(g.places, g.entries) for g in open_money_ties(event)] == [((2, 3), ("E002", "E003"))]
    sudden = seat(event)
    assert (sudden.number, sudden.kind, chips_of(sudden)) == (4, "sudden_death", {"E002": 5000, "E003": 5000})
    win(sudden, E002=200, E003=200)
    sudden.refresh_from_db()
    assert sudden.status == "seated"
    win(sudden, E003=200)
    sudden.refresh_from_db()
    assert sudden.status == "counted"
    close(sudden)
    event.refresh_from_db()
    assert event.status == "finished"
    assert list(event.entries.order_by("place").values_list("place", "code"))[:3] == [
        (1, "E001"),
        (2, "E003"),
        (3, "E002"),
    ]


def test_T34_a_tie_over_the_last_paid_place_counts(final):
    win(final, E001=1000, E002=800, E003=600, E004=600)
    close(counted(final))
    assert [g.places for g in open_money_ties(final.event)] == [(3, 4)]


def test_T34_each_group_is_ranked_only_inside_its_own_places(final):
    win(final, E001=1000, E002=1000, E003=600, E004=600)
    close(counted(final))
    sudden = seat(final.event)
    win(sudden, E001=-200, E003=4000)
    sudden.refresh_from_db()
    close(sudden)
    places = dict(final.event.entries.values_list("code", "place"))
    assert places == {"E002": 1, "E001": 2, "E003": 3, "E004": 4, "E005": 5}


def test_T33_everybody_out_of_chips_starts_again(final):
    win(final, E001=1000, E002=600, E003=600)
    close(counted(final))
    sudden = seat(final.event)
    win(sudden, E002=-5000, E003=-5000)
    assert set(chips_of(sudden).values()) == {5000}


def test_T33_if_all_are_absent_they_stay_tied_and_the_event_ends(final):
    win(final, E001=1000, E002=600, E003=600)
    close(counted(final))
    sudden = seat(final.event)
    sudden.stacks.update(state="absent")
    win(sudden)
    sudden.refresh_from_db()
    close(sudden)
    event = Event.objects.get(pk=final.event_id)
    assert event.status == "finished"
    assert sorted(event.entries.filter(place=2).values_list("code", "place_tied")) == [
        ("E002", True),
        ("E003", True),
    ]


def test_T26_disqualified_is_last_of_the_round(final):
    win(final, E001=1000, E002=600, E003=400, E004=200)
    final.stacks.filter(entry__code="E001").update(state="disqualified")
    Entry.objects.filter(event=final.event, code="E001").update(status="disqualified")
    close(counted(final))
    assert [(r.place, r.entry) for r in places_so_far(final.event)] == [
        (1, "E002"),
        (2, "E003"),
        (3, "E004"),
        (4, "E005"),
        (5, "E001"),
    ]


def test_stack_never_negative():
    round_ = seat(make_event(2))
    with pytest.raises(Refused) as refused:
        win(round_, E001=-5200)
    assert refused.value.code == "not_enough_chips"
    assert Stack.objects.get(round=round_, entry__code="E001").chips == 5000
