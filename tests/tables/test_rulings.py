"""A ruling that moves chips waits for a second person: on a count (T18), a penalty in chips (T26)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.models import Shoe
from tables.selectors import boxes_to_count
from tables.selectors.countings import (
    Counting,
    countings,
    rulings,
)
from tables.selectors.rulings import Fate
from tables.services import corrections, counts, draws
from tests.cast.calls import at_once, codes
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    confirm,
    count_both,
    draw_and_seat,
    event_make,
    hand,
    person,
    play_and_count,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    take_chips,
)
from tournament.models import ChipTransaction, Event, Penalty, Request, Round
from tournament.selectors.penalties import penalties_of
from tournament.services import entries, penalties, rounds
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db

# The hands say 5,200 and 4,800; both counted 5,000 in box 1; the director says 5,600.
COUNTED, LEDGER, RULED = {1: 5_000, 2: 4_800}, {1: 5_200, 2: 4_800}, {1: 5_600, 2: 4_800}


def differing(round_: Round, table: int = 1) -> Shoe:
    """A table that is counted twice, and not as its hand says."""
    hand(shoe_of(round_, table), {1: 200, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe_of(round_, table))
    count_both(shoe_of(round_, table), everybody(shoe_of(round_, table), COUNTED))
    return shoe_of(round_, table)


def everybody(shoe: Shoe, chips: dict[int, int]) -> dict[int, int]:
    """These chips, and of the other boxes what the ledger says."""
    return {**{box: stack.chips for box, stack in boxes_to_count(shoe).items()}, **chips}


def ask(shoe: Shoe, chips: dict[int, int] | None = None, actor: User | None = None) -> dict[str, Any]:
    """A director rules on the count."""
    by = actor or person("director")
    figures = everybody(shoe, chips or RULED)
    return counts.count_rule(shoe_id=shoe.pk, chips=figures, reason="chip found", key=new_key(), actor=by)


def answer(asked: dict[str, Any], approve: bool = True, actor: User | None = None) -> dict[str, Any]:
    by = actor or person("manager")
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=by)


def stands(shoe: Shoe) -> tuple[str, int]:
    """How far the table is, and the chips of box 1."""
    shoe.refresh_from_db()
    return shoe.status, chips_at(shoe.round, 1)


def latest(shoe: Shoe) -> Counting:
    return countings(shoe)[-1]


# On a count (T18) ------------------------------------------------------------------------------------


def test_T18_a_ruling_that_moves_chips_waits_and_moves_none_before_it_is_confirmed():
    shoe = differing(seated(2))
    asked = ask(shoe)
    assert (asked["kind"], asked["status"]) == ("count_ruling", "over")
    assert stands(shoe) == ("over", 5_200)
    assert not ChipTransaction.objects.filter(source=f"count:{shoe.pk}").exists()
    assert rulings(shoe.round.event) == []
    assert answer(asked)["done"] == {"shoe": shoe.pk, "status": "counted"}
    assert stands(shoe) == ("counted", 5_600)
    assert reconcile(shoe.round.event) == []


def test_T18_nobody_confirms_the_ruling_they_have_asked_for_and_no_other_role_does():
    shoe, director = differing(seated(2)), person("director")
    asked = ask(shoe, actor=director)
    for who, code in ((director, "own_request"), (person("floor", "dealer"), "not_yours_to_confirm")):
        with refusal(code, 403):
            answer(asked, actor=who)
    assert stands(shoe) == ("over", 5_200)
    answer(asked, actor=person("director"))
    assert stands(shoe) == ("counted", 5_600)


def test_T18_only_a_director_asks_for_a_ruling_that_moves_chips():
    shoe = differing(seated(2))
    for role in ("floor", "manager", "dealer"):
        with refusal("not_yours_to_ask", 403):
            ask(shoe, actor=person(role))
    assert not Request.objects.exists()


def test_T18_a_ruling_that_says_what_the_ledger_says_moves_none_and_needs_nobody_else():
    shoe = differing(seated(2))
    assert ask(shoe, LEDGER)["status"] == "counted"
    assert stands(shoe) == ("counted", 5_200)
    assert not Request.objects.exists()
    assert not ChipTransaction.objects.filter(source=f"count:{shoe.pk}").exists()
    ruling = rulings(shoe.round.event)[0].ruling
    assert ruling and (ruling.reason, ruling.confirmed_by) == ("chip found", "")


@pytest.mark.parametrize("first_box", [5_000, 7_300])
def test_T18_on_counts_alone_every_ruling_decides_the_stack_and_waits(first_box):
    """Also one that says the chips of the start: no hand was recorded that could say the same."""
    round_ = draw_and_seat(event_make(2, record_mode="counts"))
    shoe = shoe_of(round_)
    shoe_over(shoe)
    for chips in ({1: 7_300, 2: 0}, {1: 5_000, 2: 0}):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=person())
    asked = ask(shoe, {1: first_box, 2: 0})
    assert stands(shoe) == ("over", 5_000)
    answer(asked)
    assert stands(shoe) == ("counted", first_box)
    assert chips_at(round_, 2) == 0


def test_T18_refused_the_count_is_open_again():
    shoe = differing(seated(2))
    asked = ask(shoe)
    with refusal("ruling_waits", 409):
        ask(shoe, LEDGER)
    answer(asked, approve=False, actor=person("manager"))
    assert stands(shoe) == ("over", 5_200)
    assert [each.fate for each in latest(shoe).asked] == [Fate.REFUSED]
    assert ask(shoe, LEDGER)["status"] == "counted"


def test_T18_the_ruling_can_be_taken_back_and_asked_for_with_another_figure():
    shoe, director = differing(seated(2)), person("director")
    answer(ask(shoe, actor=director), approve=False, actor=director)
    answer(ask(shoe, {1: 5_000, 2: 4_800}, director))
    assert stands(shoe) == ("counted", 5_000)
    assert [each.fate for each in latest(shoe).asked] == [Fate.TAKEN_BACK]


def test_T18_evidence_stays_side_by_side_with_who_asked_and_who_confirmed():
    shoe, director, manager = differing(seated(2)), person("director"), person("manager")
    asked = ask(shoe, actor=director)
    waiting = latest(shoe).waiting
    assert waiting and (waiting.who, waiting.moves) == (director.username, {1: (5_200, 5_600)})
    assert [(b.first, b.second, b.hands, b.asked, b.ruled) for b in latest(shoe).boxes[:1]] == [
        (5_000, 5_000, 5_200, 5_600, None)
    ]
    answer(asked, actor=manager)
    found = latest(shoe)
    assert [(b.first, b.second, b.hands, b.asked, b.ruled) for b in found.boxes[:1]] == [
        (5_000, 5_000, 5_200, None, 5_600)
    ]
    assert found.ruling and found.asked == ()
    assert (found.ruling.who, found.ruling.confirmed_by) == (director.username, manager.username)
    assert found.ruling.reason == "chip found"
    noted = shoe.round.event.journal.get(kind="request.decide").body["noted"]
    assert noted["counts"] == [{"1": 5_000, "2": 4_800}] * 2
    assert (noted["hands"]["1"], noted["before"]["1"], noted["after"]["1"]) == (5_200, 5_200, 5_600)
    shoe.round.refresh_from_db()
    close(shoe.round)
    assert [each.ruling for each in rulings(shoe.round.event)] == [found.ruling]


def test_T18_a_confirmed_ruling_is_taken_back_with_its_count():
    shoe = differing(seated(2))
    answer(ask(shoe))
    counts.count_reopen(shoe_id=shoe.pk, reason="once more", key=new_key(), actor=None)
    assert stands(shoe) == ("over", 5_200)
    assert rulings(shoe.round.event) == []
    taken_back = latest(shoe).taken_back
    assert taken_back and taken_back.reason == "once more"


@pytest.mark.django_db(transaction=True)
def test_T18_two_second_persons_at_once_carry_a_ruling_out_once():
    shoe = differing(seated(2))
    asked, one, two = ask(shoe), person("manager"), person("manager")
    answers = at_once(lambda: answer(asked, actor=one), lambda: answer(asked, actor=two))
    assert codes(answers) == ["already_decided"]
    assert stands(shoe) == ("counted", 5_600)


# What it was asked about is no more ------------------------------------------------------------------


def recounted(shoe: Shoe) -> None:
    counts.count_reopen(shoe_id=shoe.pk, reason="once more", key=new_key(), actor=None)
    count_both(shoe, everybody(shoe, COUNTED))


def counted_right(shoe: Shoe) -> None:
    counts.count_reopen(shoe_id=shoe.pk, reason="once more", key=new_key(), actor=None)
    count_both(shoe, everybody(shoe, LEDGER))


def corrected(shoe: Shoe) -> None:
    _correct(shoe, "lose")


def corrected_as_counted(shoe: Shoe) -> None:
    """The hand is put right as both have counted: the table is counted with it."""
    _correct(shoe, "push")


def _correct(shoe: Shoe, word: str) -> None:
    corrections.deal_correct(
        deal_id=shoe.deals.get().pk,
        outcomes={1: result(word), 2: result("lose")},
        reason="seen on tape",
        key=new_key(),
        actor=None,
    )


def penalised(shoe: Shoe) -> None:
    take_chips(stack_at(shoe.round, 2).entry, 200)


def disqualified(shoe: Shoe) -> None:
    asked = entries.entry_disqualify_request(
        entry_id=stack_at(shoe.round, 2).entry_id, reason="marked cards", key=new_key(), actor=person()
    )
    confirm(asked)


@pytest.mark.parametrize(
    "meanwhile",
    [recounted, counted_right, corrected, corrected_as_counted, penalised, disqualified],
)
def test_T18_what_was_asked_about_another_state_is_told_so_and_carries_nothing_out(
    meanwhile: Callable[[Shoe], None],
):
    shoe = differing(seated(3))
    asked = ask(shoe)
    meanwhile(shoe)
    before, length = stands(shoe), shoe.round.event.journal.count()
    with refusal("lapsed", 409):
        answer(asked)
    assert (stands(shoe), shoe.round.event.journal.count()) == (before, length)
    assert Request.objects.get(pk=asked["request"]).status == Request.Status.OPEN
    answer(asked, approve=False)
    assert reconcile(shoe.round.event) == []


def test_T18_a_ruling_that_no_longer_holds_stands_in_no_other_ones_way():
    shoe = differing(seated(2))
    ask(shoe)
    recounted(shoe)
    again = ask(shoe)
    assert [each.fate for each in latest(shoe).asked] == [Fate.WAITS]
    answer(again)
    assert stands(shoe) == ("counted", 5_600)
    assert [each.fate for each in countings(shoe)[0].asked] == [Fate.LAPSED]


# A penalty in chips (T26) ----------------------------------------------------------------------------


def ask_for_chips(round_: Round, chips: int = 400, actor: User | None = None) -> dict[str, Any]:
    return penalties.penalty_add(
        entry_id=stack_at(round_, 1).entry_id,
        kind="chips",
        chips=chips,
        reason="late bet",
        key=new_key(),
        actor=actor or person("director"),
    )


def test_T26_a_penalty_in_chips_waits_and_takes_none_before_it_is_confirmed():
    round_, director, manager = seated(3), person("director"), person("manager")
    asked = ask_for_chips(round_, actor=director)
    assert asked["kind"] == "penalty_chips"
    assert (chips_at(round_, 1), Penalty.objects.count()) == (5_000, 0)
    with refusal("own_request", 403):
        answer(asked, actor=director)
    answer(asked, actor=manager)
    given = Penalty.objects.get()
    assert (chips_at(round_, 1), given.chips, given.by) == (4_600, 400, director)
    assert reconcile(round_.event) == []


def test_T26_only_a_director_asks_for_chips_and_the_floor_warns_at_once():
    round_, floor = seated(3), person("floor")
    with refusal("not_yours_to_ask", 403):
        ask_for_chips(round_, actor=floor)
    for kind in ("warning", "sit_out"):
        penalties.penalty_add(
            entry_id=stack_at(round_, 1).entry_id, kind=kind, reason="late", key=new_key(), actor=floor
        )
    assert set(Penalty.objects.values_list("kind", flat=True)) == {"warning", "sit_out"}
    assert not Request.objects.exists()


def test_T26_chips_of_a_penalty_go_back_by_two_persons_too():
    round_ = seated(3)
    given = take_chips(stack_at(round_, 1).entry, 400)
    back = {"penalty_id": given["penalty"], "reason": "in time", "actor": person("director")}
    asked = penalties.penalty_cancel(**back, key=new_key())
    assert (asked["kind"], chips_at(round_, 1)) == ("penalty_chips_back", 4_600)
    assert Penalty.objects.get().cancelled_at is None
    answer(asked)
    assert (chips_at(round_, 1), Penalty.objects.get().cancel_reason) == (5_000, "in time")
    with refusal("already_cancelled", 409):
        penalties.penalty_cancel(**back, key=new_key())
    assert reconcile(round_.event) == []


def test_T26_a_penalty_is_being_cancelled_only_while_the_answer_is_open():
    round_ = seated(3)
    given = take_chips(stack_at(round_, 1).entry, 400)
    about = {"penalty_id": given["penalty"], "reason": "it was in time", "actor": person("director")}

    def said() -> list[bool]:
        return [line.cancelling for line in penalties_of(stack_at(round_, 1).entry)]

    assert said() == [False]
    asked = penalties.penalty_cancel(**about, key=new_key())
    assert said() == [True]
    answer(asked, approve=False)
    assert said() == [False]


def test_T26_a_penalty_asked_for_while_the_stack_had_the_chips_waits_until_it_has_them():
    """Playing on makes it no other ruling: it takes so many chips, whatever the stack is by then."""
    round_ = seated(2)
    asked = ask_for_chips(round_, 5_000)
    hand(shoe_of(round_), {1: 200, 2: 200}, b1="lose", b2="win")
    with refusal("not_enough_chips"):
        answer(asked)
    hand(shoe_of(round_), {1: 400, 2: 200}, b1="win", b2="lose")
    answer(asked)
    assert chips_at(round_, 1) == 200


def left(round_: Round) -> None:
    entry = stack_at(round_, 1).entry_id
    entries.entry_withdraw(entry_id=entry, reason="ill", refund=False, key=new_key(), actor=None)


@pytest.mark.parametrize("back", [False, True])
def test_T26_a_penalty_of_somebody_who_has_left_is_told_so(back):
    round_ = seated(4)
    asked = _asked(round_, back)
    left(round_)
    with refusal("lapsed", 409):
        answer(asked)
    answer(asked, approve=False)


def _asked(round_: Round, back: bool) -> dict[str, Any]:
    """Chips to be taken, or those of a penalty to be given back."""
    if not back:
        return ask_for_chips(round_)
    given = take_chips(stack_at(round_, 1).entry, 400)
    return penalties.penalty_cancel(
        penalty_id=given["penalty"], reason="no", key=new_key(), actor=person("director")
    )


# What rests on the chips waits (T19, T20, T23) --------------------------------------------------------


@pytest.mark.parametrize("back", [False, True])
def test_T26_the_round_is_not_closed_while_a_second_person_is_asked_about_its_chips(back):
    round_ = seated(3)
    asked = _asked(round_, back)
    play_and_count(round_)
    with refusal("ruling_waits", 409):
        close(round_)
    answer(asked, approve=False)
    close(round_)


def test_T26_the_confirmed_penalty_is_in_the_cut_that_the_round_is_closed_with():
    round_ = seated(3, cut_after_round_1=2, cut_after_round_2=2)
    hand(shoe_of(round_), {1: 400, 2: 200}, b1="win", b2="win")
    asked = ask_for_chips(round_, 1_000)
    play_and_count(round_)
    answer(asked)
    assert stack_at(round_, 1).entry.code not in close(round_)["advanced"]


def test_T23_T26_no_tie_is_played_off_or_ruled_on_while_its_chips_are_asked_about():
    for tie_at_cut in ("play_off", "director"):
        round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut=tie_at_cut)
        asked = ask_for_chips(round_)
        play_and_count(round_)
        with refusal("ruling_waits", 409):
            _decide(round_.event, round_, tie_at_cut)
        answer(asked, approve=False)
        _decide(round_.event, round_, tie_at_cut)


def _decide(event: Event, round_: Round, tie_at_cut: str) -> None:
    if tie_at_cut == "play_off":
        draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
        return
    advance = sorted(event.entries.values_list("code", flat=True))[:2]
    rounds.tie_rule(round_id=round_.pk, advance=advance, reason="by lot", key=new_key(), actor=None)


def test_T26_what_no_longer_holds_holds_up_no_close():
    round_ = seated(4)
    asked = ask_for_chips(round_)
    left(round_)
    play_and_count(round_)
    close(round_)
    assert Request.objects.get(pk=asked["request"]).status == Request.Status.OPEN
