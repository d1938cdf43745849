"""T6: a no-show who comes before the first bet is called may still be seated."""

from __future__ import annotations

import pytest

from tables.selectors.unseen import unseen_of
from tests.cast.alternates import fill, no_show
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.factories import EntryFactory
from tests.cast.floor import hand, play_and_count, refusal, seated, shoe_of, stack_at
from tests.cast.html import read
from tournament.models import Entry, Round, Stack
from tournament.selectors.entrants import entrants_of
from tournament.selectors.stage_ranking import stage_ranking
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def marked(boxes: int = 4, **more: object) -> tuple[Round, Entry]:
    """Round 1, where the player of box 2 was marked as a no-show."""
    round_ = seated(boxes, tables_count=1)
    return round_, Entry.objects.get(code=no_show(round_, 2, **more)["entry"], event=round_.event)


def test_T6_a_no_show_who_comes_before_the_first_bet_has_a_stack_again_and_is_asked_about():
    round_, entry = marked()
    fill(round_, 5, entry)
    assert no_show(round_, 5)["entry"] == entry.code, "and twice"
    assert fill(round_, 2, entry)["entry"] == entry.code
    entry.refresh_from_db()
    stack = Stack.objects.get(round=round_, entry=entry)
    assert (entry.status, stack.state, stack.chips, stack.start_chips) == ("live", "playing", 5_000, 5_000)
    assert (reconcile(round_.event), entrants_of(round_.event).no_shows) == ([], 0)
    assert entry in [seat.entry for seat in unseen_of(round_.event).seats]
    hand(shoe_of(round_), {2: 200}, b2="win")
    play_and_count(round_)
    assert stage_ranking(round_).rows[0].entry == entry


def test_T6_a_no_show_is_not_seated_at_a_taken_box_with_the_buy_in_back_or_after_the_first_bet():
    round_, entry = marked()
    first = EntryFactory(event=round_.event)
    assert fill(round_, 2)["entry"] == first.code
    with refusal("box_taken", 409):
        fill(round_, 2, entry)
    paid_back = Entry.objects.get(code=no_show(round_, 3, refund=True, reason="ill")["entry"])
    with refusal("buy_in_refunded", 409):
        fill(round_, 3, paid_back)
    hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        fill(round_, 5, entry)
    assert set(Entry.objects.filter(pk__in=[entry.pk, paid_back.pk]).values_list("status")) == {("no_show",)}
    assert Stack.objects.get(round=round_, entry=paid_back).chips == 0


@pytest.mark.parametrize(("refund", "offered"), [(False, True), (True, False)])
def test_T6_the_page_of_a_free_box_offers_a_no_show_behind_the_alternates(refund, offered):
    round_, entry = marked(refund=refund, reason="ill")
    late = EntryFactory(event=round_.event)
    floor, path = Somebody("floor"), staff(round_.event, f"seating/{round_.pk}/1/2/")
    page = read(floor.get(path).content.decode())
    listed = [str(late.pk), *([str(entry.pk)] if offered else [])]
    assert [node.attrs["value"] for node in page.all("option")] == listed
    if offered:
        done(floor.press(path, entry=str(entry.pk)), "seating/")
        assert stack_at(round_, 2).entry == entry
