"""What holds of any record, however spoilt: it is settled or refused with a code, and the answer is JSON."""

import json
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.blackjack.cards import DECK
from games.blackjack.record import answer
from tests.games.blackjack.opinions import CODES, check_spoilt
from tests.games.blackjack.second_opinion import Round

WORDS = ("1", "2", "name", "bet", "kind", "card", "refused", "after", "face_up", "misdealt", "seat", "with")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from((*DECK, *WORDS)),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner),
    max_leaves=12,
)
RECORD = ("id", "rules", "bets", "cards", "decisions", "decks", "stacks", "limits")
FIELDS = st.sampled_from(
    (*RECORD, "side_bets", "options", "line_chips", "players", "irregularities", "void", "void_reason")
)


@given(JSON)
def test_any_json_value_whatever_is_answered(value: Any) -> None:
    assert answer(value)["error"] in CODES


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32 - 1), st.dictionaries(FIELDS, JSON, max_size=3))
def test_a_spoilt_record_is_settled_or_refused_with_a_code(seed: int, spoilt: dict[str, Any]) -> None:
    written = json.loads(json.dumps(Round(Random(seed)).play().record()))
    check_spoilt({**written, **spoilt}, Random(seed))
