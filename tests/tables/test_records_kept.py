"""Every record that the product keeps is one that the published schema describes (hand record)."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tables.models import Deal
from tables.services.nights import event_simulate
from tests.cast.floor import hand, seated, shoe_of

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "hand-record.schema.json"


@pytest.fixture(scope="module")
def valid() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text()))


def test_a_hand_recorded_by_results_is_kept_as_the_schema_says(valid: Draft202012Validator) -> None:
    shoe = shoe_of(seated(3))
    for first, second in (("win", "lose"), ("natural", "push"), ("surrender", "lose")):
        kept = hand(shoe, {1: 200, 2: 400}, b1=first, b2=second)
        assert [error.message for error in valid.iter_errors(kept.record)] == []


@pytest.mark.parametrize("sheet", ["wonder", "eca", "banco", "ggpoker", "wiesbaden"])
def test_every_hand_of_a_simulated_night_is_kept_as_the_schema_says(
    valid: Draft202012Validator, sheet: str
) -> None:
    event_simulate(entrants=4, seed=5, settings={"sheet": sheet})
    kept = Deal.objects.filter(status=Deal.Status.SETTLED).values_list("record", flat=True)
    assert len(kept) > 10
    assert [error.message for record in kept for error in valid.iter_errors(record)] == []
