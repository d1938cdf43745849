"""A ruling that moves chips waits for a second person: on a count (T18), a penalty in chips (T26)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.models import Shoe
from tables.selectors.countings import Counting, countings, rulings
from tables.services import closing, corrections, counts, draws
from tests.cast.counting import enter, recount
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    count_both,
    disqualify,
    hand,
    person,
    play_and_close,
    play_and_count,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    take_chips,
)
from tests.cast.leaving import penalise
from tests.cast.tied import play_off, sudden_death
from tournament.models import ChipTransaction, Request, Round
from tournament.services import entries, penalties
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db

# The hands say 5,200 and 4,800; both counted 5,000 in box 1; the director says 5,600.
COUNTED, LEDGER, RULED = ({1: chips, 2: 4_800, 3: 5_000} for chips in (5_000, 5_200, 5_600))


def differing() -> Shoe:
    """A table that is counted twice, and not as its hand says."""
    shoe = shoe_of(seated(3))
    hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    count_both(shoe, COUNTED)
    return shoe_of(shoe.round)


def ask(shoe: Shoe, chips: dict[int, int] | None = None, actor: User | None = None) -> dict[str, Any]:
    by = actor or person("director")
    about = {"shoe_id": shoe.pk, "chips": chips or RULED, "reason": "chip found"}
    return counts.count_rule(**about, key=new_key(), actor=by)


def answer(asked: dict[str, Any], approve: bool = True, actor: User | None = None) -> dict[str, Any]:
    by = actor or person("manager")
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=by)


def stands(shoe: Shoe) -> tuple[str, int]:
    shoe.refresh_from_db()
    return shoe.status, chips_at(shoe.round, 1)


def latest(shoe: Shoe) -> Counting:
    return countings(shoe)[-1]


def evidence(shoe: Shoe) -> tuple[int, int, int | None, int | None, int | None]:
    """Of box 1: both counts, what the hands say, what is asked for and what was ruled."""
    box = latest(shoe).boxes[0]
    return box.first, box.second, box.hands, box.asked, box.ruled


def test_T18_a_ruling_that_moves_chips_is_a_directors_and_moves_none_before_another_one_confirms_it():
    shoe, director, second = differing(), person("director"), person("director")
    for role in ("floor", "manager", "dealer"):
        with refusal("not_yours_to_ask", 403):
            ask(shoe, actor=person(role))
    asked = ask(shoe, actor=director)
    assert (asked["kind"], asked["status"]) == ("count_ruling", "over")
    for who, code in ((director, "own_request"), (person("floor", "dealer"), "not_yours_to_confirm")):
        with refusal(code, 403):
            answer(asked, actor=who)
    waiting = latest(shoe).waiting
    assert waiting and (waiting.who, waiting.moves) == (director.username, {1: (5_200, 5_600)})
    assert evidence(shoe) == (5_000, 5_000, 5_200, 5_600, None)
    assert (stands(shoe), rulings(shoe.round.event)) == (("over", 5_200), [])
    assert answer(asked, actor=second)["done"] == {"shoe": shoe.pk, "status": "counted"}
    assert stands(shoe) == ("counted", 5_600)
    assert evidence(shoe) == (5_000, 5_000, 5_200, None, 5_600)
    ruling = latest(shoe).ruling
    assert ruling and (ruling.who, ruling.confirmed_by) == (director.username, second.username)
    noted = shoe.round.event.journal.get(kind="request.decide").body["noted"]
    assert noted["counts"] == [{"1": 5_000, "2": 4_800, "3": 5_000}] * 2
    assert (noted["hands"]["1"], noted["before"]["1"], noted["after"]["1"]) == (5_200, 5_200, 5_600)
    shoe.round.refresh_from_db()
    close(shoe.round)
    assert [each.ruling for each in rulings(shoe.round.event)] == [ruling]
    assert reconcile(shoe.round.event) == []


def test_T18_a_ruling_that_says_what_the_ledger_says_moves_none_and_needs_nobody_else():
    shoe = differing()
    assert ask(shoe, LEDGER)["status"] == "counted"
    assert stands(shoe) == ("counted", 5_200)
    assert not Request.objects.exists()
    assert not ChipTransaction.objects.filter(source=f"count:{shoe.pk}").exists()
    ruling = rulings(shoe.round.event)[0].ruling
    assert ruling and (ruling.reason, ruling.confirmed_by) == ("chip found", "")


def test_T18_on_counts_alone_a_ruling_decides_the_stack_and_waits_even_with_the_chips_of_the_start():
    shoe = shoe_of(seated(2, record_mode="counts"))
    shoe_over(shoe)
    for chips in ({1: 7_300, 2: 0}, {1: 5_000, 2: 0}):
        enter(shoe, chips)
    asked = ask(shoe, {1: 5_000, 2: 0})
    assert stands(shoe) == ("over", 5_000)
    answer(asked)
    assert (stands(shoe), chips_at(shoe.round, 2)) == (("counted", 5_000), 0)


def test_T18_a_ruling_that_is_refused_or_taken_back_leaves_the_count_open():
    shoe, director = differing(), person("director")
    asked = ask(shoe)
    with refusal("ruling_waits", 409):
        ask(shoe, LEDGER)
    answer(asked, approve=False, actor=person("manager"))
    assert stands(shoe) == ("over", 5_200)
    answer(ask(shoe, actor=director), approve=False, actor=director)
    assert latest(shoe).waiting is None
    answer(ask(shoe, COUNTED))
    assert stands(shoe) == ("counted", 5_000)


def recounted(shoe: Shoe) -> None:
    recount(shoe)
    count_both(shoe, COUNTED)


def corrected(shoe: Shoe, word: str) -> None:
    outcomes = {1: result(word), 2: result("lose")}
    about = {"deal_id": shoe.deals.get().pk, "reason": "seen on tape", "key": new_key(), "actor": None}
    corrections.deal_correct(outcomes=outcomes, **about)


MEANWHILE: dict[str, Callable[[Shoe], Any]] = {
    "counted anew": recounted,
    "corrected": lambda shoe: corrected(shoe, "lose"),
    "corrected as both have counted": lambda shoe: corrected(shoe, "push"),
    "penalised": lambda shoe: take_chips(stack_at(shoe.round, 2).entry, 200),
    "disqualified": lambda shoe: disqualify(shoe.round, stack_at(shoe.round, 2).entry.code),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_T18_what_was_asked_about_another_state_is_told_so_and_carries_nothing_out(meanwhile: str):
    shoe = differing()
    asked = ask(shoe)
    MEANWHILE[meanwhile](shoe)
    before, length = stands(shoe), shoe.round.event.journal.count()
    with refusal("lapsed", 409):
        answer(asked)
    assert (stands(shoe), shoe.round.event.journal.count()) == (before, length)
    assert Request.objects.get(pk=asked["request"]).status == Request.Status.OPEN
    if meanwhile == "counted anew":
        answer(ask(shoe))
        assert stands(shoe) == ("counted", 5_600)
    answer(asked, approve=False)
    assert reconcile(shoe.round.event) == []


def ask_for_chips(round_: Round, chips: int = 400, actor: User | None = None) -> dict[str, Any]:
    given = {"entry_id": stack_at(round_, 1).entry_id, "kind": "chips", "chips": chips, "reason": "late bet"}
    return penalties.penalty_add(**given, key=new_key(), actor=actor or person("director"))


def test_T26_in_a_play_off_and_a_sudden_death_no_penalty_takes_chips():
    for stage in (play_off(), sudden_death()):
        with refusal("penalty_in_tie", 409):
            ask_for_chips(stage)


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


@pytest.mark.parametrize("back", [False, True])
def test_T26_a_penalty_of_somebody_who_has_left_has_lapsed_and_holds_up_no_close(back):
    round_ = seated(4)
    asked, entry = _asked(round_, back), stack_at(round_, 1).entry_id
    entries.entry_withdraw(entry_id=entry, reason="ill", refund=False, key=new_key(), actor=None)
    with refusal("lapsed", 409):
        answer(asked)
    play_and_close(round_)
    assert Request.objects.get(pk=asked["request"]).status == Request.Status.OPEN


def _asked(round_: Round, back: bool) -> dict[str, Any]:
    """Chips to be taken, or those of a penalty to be given back."""
    if not back:
        return ask_for_chips(round_, 1_000)
    about = {"penalty_id": penalise(round_, 1, 1_000), "reason": "no", "actor": person("director")}
    return penalties.penalty_cancel(**about, key=new_key())


@pytest.mark.parametrize("back", [False, True])
def test_T26_the_round_is_closed_after_a_second_person_has_decided_on_its_chips(back):
    round_ = seated(3, cut_after_round_1=2, cut_after_round_2=2)
    hand(shoe_of(round_), {1: 400, 2: 200}, b1="win", b2="win")
    asked = _asked(round_, back)
    play_and_count(round_)
    with refusal("ruling_waits", 409):
        close(round_)
    answer(asked)
    assert (stack_at(round_, 1).entry.code in close(round_)["advanced"]) is back


@pytest.mark.parametrize("tie_at_cut", ["play_off", "director"])
def test_T23_T26_no_tie_is_played_off_or_ruled_on_while_its_chips_are_asked_about(tie_at_cut):
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut=tie_at_cut)
    advance = sorted(round_.event.entries.values_list("code", flat=True))[:2]
    decide = {
        "play_off": partial(draws.draw_lock, event_id=round_.event_id),
        "director": partial(closing.tie_rule, round_id=round_.pk, advance=advance, reason="by lot"),
    }[tie_at_cut]
    asked = ask_for_chips(round_)
    play_and_count(round_)
    with refusal("ruling_waits", 409):
        decide(key=new_key(), actor=None)
    answer(asked, approve=False)
    decide(key=new_key(), actor=None)
