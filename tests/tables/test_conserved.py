"""Chips are conserved whatever a table does, and a refusal changes nothing (Standing orders, T17)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ground.refused import Refused
from tables.models import Deal
from tables.services import corrections
from tests.cast.factories import new_key
from tests.cast.floor import by_results, chips_right, result, seated, shoe_of
from tournament.models import Round, Stack
from tournament.services.journal import chain_verify
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
WORDS = ("win", "lose", "push", "natural", "surrender")


def random_hand(luck: random.Random) -> tuple[dict[int, int], dict[int, Any]]:
    """Bets of any size, some off the ladder or without cover, and any results."""
    boxes = luck.sample(range(1, 5), luck.randint(1, 4))
    bets = {box: luck.choice([200, 400, 600, 1_000, 1_000, 300]) for box in boxes}
    return bets, {box: result(luck.choice(WORDS)) for box in boxes}


def step(luck: random.Random, round_: Round) -> None:
    """One thing that a table or its director does."""
    shoe = shoe_of(round_)
    bets, outcomes = random_hand(luck)
    settled = list(Deal.objects.filter(shoe=shoe, status="settled"))
    common = {"key": new_key(), "actor": None}
    if not settled or luck.random() < 0.6:
        by_results(shoe, bets, outcomes)
        return
    deal = luck.choice(settled)
    if luck.random() < 0.3:
        corrections.deal_correct(deal_id=deal.pk, void=True, reason="misdeal", **common)
    else:
        corrections.deal_correct(deal_id=deal.pk, bets=bets, outcomes=outcomes, reason="misread", **common)


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in (1, 2, 3))])
def test_T17_random_hands_voids_and_corrections_conserve_chips(seed: int):
    luck = random.Random(seed)
    round_ = seated(4, starting_chips=2_000)
    refused = done = 0
    for _ in range(60):
        chips_right(shoe_of(round_))
        before = (list(Stack.objects.values_list("pk", "chips")), round_.event.journal.count())
        try:
            step(luck, round_)
            done += 1
        except Refused:
            refused += 1
            assert before == (list(Stack.objects.values_list("pk", "chips")), round_.event.journal.count())
    assert done > 10
    assert refused > 5
    assert list(reconcile(round_.event)) == []
    assert chain_verify(round_.event).broken_at is None
    assert_chain_of_stacks(round_)


def assert_chain_of_stacks(round_: Round) -> None:
    """Every settled hand starts with the stacks that the hands before it left."""
    chips = {stack.entry_id: stack.start_chips for stack in round_.stacks.all()}
    for deal in Deal.objects.filter(shoe__round=round_, status="settled").order_by("number"):
        for box, before in deal.stacks.items():
            assert before == chips[deal.entries[box]], f"hand {deal.number}, box {box}"
        assert deal.answer is not None
        for box, net in deal.answer["net"].items():
            chips[deal.entries[box]] += net
    assert chips == dict(round_.stacks.values_list("entry", "chips"))
