"""Facts as the journal keeps them: every kind is JSON and back (ADR 25)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.engine.facts_json import KINDS, fact_of_json, fact_to_json
from tournament.engine.plan import Plan, plan_of

PLANS = [{}, {"sheet": "banco", "stacks": "carried", "promised_prizes_cents": [5, 1], "options": {"rows": 1}}]
st.register_type_strategy(Plan, st.sampled_from(PLANS).map(plan_of))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8)
@given(data=st.data())
def test_a_fact_of_each_kind_is_the_same_after_json(kind, data):
    fact = data.draw(st.from_type(kind))
    assert fact_of_json(json.loads(json.dumps(fact_to_json(fact)))) == fact


@pytest.mark.parametrize(
    "body", [{}, {"fact": "Sold"}, {"fact": "Plan"}, {"fact": []}, [], {"fact": "Hand", "bets": 1}]
)
def test_what_is_no_fact_is_refused(body):
    with pytest.raises(ValueError, match=r"no fact|^Plan$"):
        fact_of_json(body)
