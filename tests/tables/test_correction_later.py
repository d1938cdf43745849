"""A correction that is asked for while a hand is open: it waits for the end of the hand (T17)."""

from functools import partial

import pytest

from tables.selectors import next_hand
from tables.selectors.audit import audit
from tables.services import correction_later as later
from tables.services import dealing
from tables.services.correction_later import correction_later, corrections_carry_out, deal_correct_or_later
from tables.tasks import corrections_sweep
from tests.cast import calls
from tests.cast.at_desk import codes, marked
from tests.cast.at_tables import logged_in, url
from tests.cast.corrected import correct_now, words
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, hand, opened, refusal, seated, shoe_of
from tests.cast.tied import play_off
from tournament.services import commits
from tournament.services.commits import watch

pytestmark = pytest.mark.django_db
BOTH, NOT_COVERED, GONE = {1: 200, 2: 200}, "later_bet_not_covered", "asker_gone"


def ended(deal_id, *, void=True):
    how = {"reason": "misdeal"} if void else {"outcomes": words(b1="push", b2="push")}
    return (dealing.deal_void if void else dealing.deal_settle)(
        deal_id=deal_id, **how, key=new_key(), actor=None
    )


@pytest.mark.parametrize(
    ("word", "void", "chips", "no"),
    [("lose", 0, 1_200, NOT_COVERED), ("push", 0, 1_000, ""), ("lose", 1, 800, ""), ("push", 0, 1_200, GONE)],
)
def test_T17_a_correction_waits_for_the_end_of_the_hand_and_is_made_if_it_still_holds(
    word, void, chips, no, django_capture_on_commit_callbacks
):
    """Box 1 bets 1,000 in the open hand, and would have 800, or 1,000."""
    round_, director = seated(2, starting_chips=1_000), UserFactory(roles=["director"])
    shoe, bets = shoe_of(round_), {1: 1_000, 2: 200}
    old = hand(shoe, BOTH, b1="win", b2="lose")
    now = dealing.deal_open(shoe_id=shoe.pk, bets=bets, mode="results", actor=None)["deal"]
    right = {"deal_id": old.pk, "outcomes": words(b1=word, b2="lose"), "reason": "the camera"}
    ask = partial(deal_correct_or_later, **right, actor=director)
    asked = ask(key="asked")
    with refusal("already_asked", 409):
        ask(key=new_key())
    assert chips_at(round_, 1) == 1_200
    type(director).objects.filter(pk=director.pk).update(is_active=no != GONE)
    saved = watch()
    with django_capture_on_commit_callbacks(execute=True):
        ended(now, void=void)
    shoe.refresh_from_db()
    assert (chips_at(round_, 1), [each["no"] for each in shoe.to_correct]) == (chips, [no] if no else [])
    assert all(each["why"]["figures"] for each in shoe.to_correct)
    last = round_.event.journal.latest("seq")
    assert (last.kind, last.actor) == (("deal.correct_lapse", None) if no else ("deal.correct", director))
    assert (ask(key="asked"), saved.in_doubt) == (asked, False)
    with refusal("no_hand_open" if no else "deal_not_settled", 409):
        correction_later(**right, key=new_key(), actor=director)
    assert audit(round_.event).differences == ()


def test_T17_T23_in_a_tie_it_waits_for_the_other_table_too(django_capture_on_commit_callbacks):
    stage = play_off(4, boxes_per_table=2)
    one, two = shoe_of(stage, 1), shoe_of(stage, 2)
    old = hand(one, BOTH, b1="push", b2="push")
    now = dealing.deal_open(shoe_id=two.pk, bets=BOTH, mode="results", actor=None)["deal"]
    right = {"deal_id": old.pk, "outcomes": words(b1="win", b2="lose")}
    deal_correct_or_later(**right, reason="the camera", key=new_key(), actor=None)
    with refusal("correction_waits", 409):
        dealing.deal_open(shoe_id=one.pk, bets=BOTH, actor=None)
    with django_capture_on_commit_callbacks(execute=True):
        ended(now, void=False)
    old.refresh_from_db()
    assert (old.status, audit(stage.event).differences) == ("reversed", ())


def test_T17_a_correction_that_waits_is_told_and_taken_back_and_one_that_was_not_made_is_read():
    old = hand(shoe_of(seated(3)), {1: 400, 2: 200}, b1="win", b2="lose")
    now, client = opened(old.shoe, {1: 200}), logged_in("director")
    tonight = f"/staff/{old.shoe.round.event.slug}/"
    here, replay = f"{tonight}deals/{old.pk}/correct/", f"{tonight}deals/{old.pk}/replay/"

    def post(do):
        old.shoe.refresh_from_db()
        later = [each["seq"] for each in old.shoe.to_correct]
        typed = {"how": "void", "reason": "On tape", "later": max(later, default="")}
        return client.post(here, {"do": do, "key": new_key(), **typed})

    def told():
        pages = (url(old.shoe), replay, f"{tonight}deals/")
        found = ["correction_later" in codes(client.get(page)) for page in pages]
        return [*found, here in client.get(tonight).content.decode(), *marked(client.get(here), "later")]

    nothing = [False] * 4
    assert "deal_open" in codes(post("preview"))
    assert (told(), post("correct").status_code, told()) == (nothing, 303, [*[True] * 4, "waits"])
    assert (post("drop").status_code, told()) == (303, nothing)
    assert (post("drop").status_code, post("correct").status_code) == (409, 303)
    ended(now.pk)
    correct_now(old, void=True)
    corrections_carry_out(shoe_id=old.shoe_id)
    assert told() == [*nothing[:3], True, "deal_not_settled"]
    assert (post("drop").status_code, told()) == (303, nothing)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("code", ["chips_due", "correction_waits", ""])
def test_T17_no_hand_slips_in_where_the_process_dies_that_ended_the_one_before(code, monkeypatch):
    """It is made first, or where that fails the hand is refused. Without both a hand begins before it."""
    round_ = seated(2)
    shoe = shoe_of(round_)
    old, now = hand(shoe, BOTH, b1="win", b2="lose"), opened(shoe, BOTH)
    correction_later(deal_id=old.pk, void=True, reason="the camera", key=new_key(), actor=None)
    monkeypatch.setattr(commits, "after_commit_here", lambda *task: None)
    ended(now.pk)
    if code == "correction_waits":
        monkeypatch.setattr(later, "corrected", lambda *given: 1 / 0)
    if not code:
        monkeypatch.setattr(dealing, "corrected_first", lambda shoe_id: None)
        monkeypatch.setattr(next_hand, "why_not_corrected", lambda shoe: None)
    opens = [partial(dealing.deal_open, shoe_id=shoe.pk, bets=BOTH, actor=None)] * 2
    assert calls.codes(calls.at_once(*opens)) == [code] * 2 * bool(code)
    monkeypatch.undo(), corrections_sweep(), corrections_sweep()
    made = round_.event.journal.filter(kind="deal.correct").count()
    assert (made, chips_at(round_, 1)) == ((1, 5_000) if code else (0, 5_200))
    assert audit(round_.event).differences == ()
