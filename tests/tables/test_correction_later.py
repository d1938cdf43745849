"""A correction that is asked for while a hand is open: it waits for the end of the hand (T17)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tables.models import Deal
from tables.selectors.audit import audit
from tables.services import correct_first, dealing
from tables.services import hand as hands
from tables.services.correction_later import correction_later, corrections_carry_out, deal_correct_or_later
from tables.tasks import corrections_sweep
from tests.cast.at_desk import codes, marked
from tests.cast.at_tables import logged_in, url
from tests.cast.calls import at_once
from tests.cast.calls import codes as refusals
from tests.cast.corrected import correct_now, words
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, hand, opened, refusal, seated, shoe_of
from tournament.services import queue

pytestmark = pytest.mark.django_db
PUSH = words(b1="push", b2="push")


@pytest.mark.parametrize(
    ("word", "void", "chips", "no"),
    [("lose", False, 1_200, "later_bet_not_covered"), ("push", False, 1_000, ""), ("lose", True, 800, "")],
)
def test_T17_a_correction_waits_for_the_end_of_the_hand_and_is_made_if_it_still_holds(
    word: str, void: bool, chips: int, no: str, django_capture_on_commit_callbacks: Any
) -> None:
    """Box 1 bets 1,000 in the open hand, and would have 800, 1,000, or 1,200 without a correction."""
    round_, director = seated(2, starting_chips=1_000), UserFactory(roles=["director"])
    shoe, bets = shoe_of(round_), {1: 1_000, 2: 200}
    old = hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    now = dealing.deal_open(shoe_id=shoe.pk, bets=bets, mode="results", actor=None)["deal"]
    right = {"deal_id": old.pk, "outcomes": words(b1=word, b2="lose"), "reason": "the camera"}
    ask = partial(deal_correct_or_later, **right, actor=director)
    asked = ask(key="asked")
    with refusal("already_asked", 409):
        ask(key=new_key())
    with refusal("deal_open", 409):
        correct_now(old, void=True)
    assert chips_at(round_, 1) == 1_200
    with django_capture_on_commit_callbacks(execute=True):
        if void:
            dealing.deal_void(deal_id=now, reason="misdeal", key=new_key(), actor=None)
        else:
            dealing.deal_settle(deal_id=now, outcomes=PUSH, key=new_key(), actor=None)
    shoe.refresh_from_db()
    assert (chips_at(round_, 1), [each["no"] for each in shoe.to_correct]) == (chips, [no] if no else [])
    last = round_.event.journal.latest("seq")
    assert (last.kind, last.actor) == (("deal.correct_lapse", None) if no else ("deal.correct", director))
    assert ask(key="asked") == asked
    with refusal("no_hand_open" if no else "deal_not_settled", 409):
        correction_later(**right, key=new_key(), actor=director)
    assert audit(round_.event).differences == ()


def test_T17_a_correction_that_waits_is_told_and_taken_back_and_one_that_was_not_made_is_read() -> None:
    old = hand(shoe_of(seated(3)), {1: 400, 2: 200}, b1="win", b2="lose")
    now, client = opened(old.shoe, {1: 200}), logged_in("director")
    tonight = f"/staff/{old.shoe.round.event.slug}/"
    here, replay = f"{tonight}deals/{old.pk}/correct/", f"{tonight}deals/{old.pk}/replay/"
    pages = (url(old.shoe), replay, f"{tonight}deals/")

    def post(do: str) -> Any:
        later = Deal.objects.get(pk=old.pk).shoe.to_correct
        typed = {"how": "void", "reason": "On tape", "later": later[0]["seq"] if later else ""}
        return client.post(here, {"do": do, "key": new_key(), **typed})

    def told() -> list[bool]:
        found = ["correction_later" in codes(client.get(page)) for page in pages]
        return [*found, here in client.get(tonight).content.decode(), bool(marked(client.get(here), "later"))]

    assert "deal_open" in codes(post("preview"))
    assert (told(), post("correct").status_code, told()) == ([False] * 5, 303, [True] * 5)
    assert (post("drop").status_code, told()) == (303, [False] * 5)
    assert (post("drop").status_code, post("correct").status_code) == (409, 303)
    dealing.deal_void(deal_id=now.pk, reason="misdeal", key=new_key(), actor=None)
    correct_now(old, void=True)
    corrections_carry_out(shoe_id=old.shoe_id)
    assert list(marked(client.get(here), "later")) == ["deal_not_settled"]
    assert told() == [False] * 3 + [True] * 2
    assert (post("drop").status_code, told()) == (303, [False] * 5)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("off", "code"), [((), "chips_due"), (("first",), "correction_waits"), (("first", "gate"), "")]
)
def test_T17_no_hand_slips_in_where_the_process_dies_that_ended_the_one_before(
    off: tuple[str, ...], code: str, monkeypatch: Any
) -> None:
    """Without its two gates a hand would be begun on stacks that are about to be others."""
    round_ = seated(2)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    now = opened(shoe, {1: 200, 2: 200})
    correction_later(deal_id=old.pk, void=True, reason="the camera", key=new_key(), actor=None)
    monkeypatch.setattr(queue, "after_commit_here", lambda *task: None)
    dealing.deal_void(deal_id=now.pk, reason="misdeal", key=new_key(), actor=None)
    if "first" in off:
        monkeypatch.setattr(dealing, "corrected_first", lambda shoe_id: None)
    if "gate" in off:
        monkeypatch.setattr(hands, "why_not_deal_yet", lambda shoe: None)
    bets = {"shoe_id": shoe.pk, "bets": {1: 200, 2: 200}, "actor": None}
    assert refusals(at_once(*[partial(dealing.deal_open, **bets)] * 2)) == [code] * 2 * bool(code)
    corrections_sweep()
    correct_first.corrected_first(shoe.pk)
    made = round_.event.journal.filter(kind="deal.correct").count()
    assert (made, chips_at(round_, 1)) == ((0, 5_200) if "gate" in off else (1, 5_000))
    assert audit(round_.event).differences == ()
