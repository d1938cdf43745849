"""What the floor's pages read back: forms of a hand put right, boxes after a hand, the dealer, counts."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from pages.auditor.views.replay import (
    _dealer,
    _text,
)
from tables.models import Deal
from tables.selectors.counts import count_view
from tables.services import (
    dealing,
    draws,
    seating,
)
from tables.services.corrections import deal_correct
from tables.services.counts import count_enter
from tests.cast import floor as cast
from tests.cast.at_tables import logged_in
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.html import Node, read
from tournament.models import StandingsSnapshot
from tournament.services import queue
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def sent(page: Node) -> dict[str, str]:
    """What the forms of a page would send as they stand: typed, ticked and chosen fields, none empty."""
    found: dict[str, str] = {}
    for node in page.walk():
        name, attrs = node.attrs.get("name", ""), node.attrs
        if node.tag == "textarea":
            found[name] = "\n".join(part.strip() for part in node.parts if isinstance(part, str))
        elif node.tag == "select":
            chosen = [n for n in node.all("option") if "selected" in n.attrs]
            found[name] = chosen[0].attrs.get("value", "") if chosen else ""
        elif node.tag == "input" and (
            attrs.get("type") not in ("radio", "checkbox", "hidden") or "checked" in attrs
        ):
            found[name] = attrs.get("value", "")
    return {name: value for name, value in found.items() if name and value}


def correction_form(deal: Deal, **query: str) -> dict[str, str]:
    """The fields of the correction's page as it is opened."""
    address = f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/correct/"
    return sent(read(logged_in("director").get(address, query).content.decode()))


# A hand put right begins as it was recorded (T17) ------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "outcome", "fields"),
    [
        *(
            (400, cast.result(word), {"out-1": word})
            for word in ("win", "lose", "push", "natural", "surrender")
        ),
        (400, cast.result("win", doubled=400), {"out-1": "win_doubled"}),
        (400, cast.result("push", doubled=400), {"out-1": "push_doubled"}),
        (
            400,
            {"hands": [{"result": "win"}, {"result": "lose", "doubled": 400}, {"result": "push"}]},
            {"out-1": "split", "hand-1-1": "win", "hand-1-2": "lose_doubled", "hand-1-3": "push"},
        ),
        (
            400,
            {**cast.result("lose"), "insurance": 200, "insurance_won": True},
            {"out-1": "lose", "ins-1": "200", "insurance": "won"},
        ),
        (
            600,
            {**cast.result("win"), "insurance": 300, "insurance_won": False},
            {"out-1": "win", "ins-1": "300", "insurance": "lost"},
        ),
    ],
)
def test_T17_the_form_by_results_begins_with_every_field_of_the_hand(bet, outcome, fields):
    shoe = cast.shoe_of(cast.seated(3))
    deal = cast.by_results(shoe, {1: bet, 2: 200}, {1: outcome, 2: cast.result("push")})
    about = ("bet-", "out-", "hand-", "ins")
    found = {name: value for name, value in correction_form(deal).items() if name.startswith(about)}
    # Box 3 did not bet, which is an answer of its own.
    assert found == {"bet-1": str(bet), "bet-2": "200", "bet-3": "0", "out-2": "push", **fields}


def test_T17_the_form_by_cards_begins_with_every_field_of_the_hand():
    shoe = cast.shoe_of(cast.seated(3))
    deal = cast.recorded(shoe, cast.one_box_win(2, 400))
    address = f"/staff/{shoe.round.event.slug}/deals/{deal.pk}/correct/"
    page = read(logged_in("director").get(address, {"how": "cards"}).content.decode())
    (form,) = [n for n in page.all("form") if any(f.attrs.get("name") == "cards" for f in n.walk())]
    found = sent(form)
    assert {name: found.get(name) for name in ("bet-2", "cards", "decisions")} == {
        "bet-2": "400",
        "cards": "Kh 9c Ks Td",
        "decisions": "2 stand",
    }


# The table's page (T16) --------------------------------------------------------------------------------


def table_page(shoe) -> Node:
    address = f"/staff/{shoe.round.event.slug}/tables/{shoe.table.number}/?mode=cards"
    return read(logged_in("director").get(address).content.decode())


def test_between_hands_every_box_says_what_the_last_hand_did_to_it():
    shoe = cast.shoe_of(cast.seated(4))
    words = {"b1": "win", "b2": "push", "b3": "lose", "b4": "natural"}
    cast.hand(shoe, dict.fromkeys((1, 2, 3, 4), 200), **words)
    pills = {
        int(box.attrs["id"].removeprefix("box-")): (box.one(".pill"), box.all(".pill")[0].classes)
        for box in table_page(shoe).all(".box")
        if box.all(".pill")
    }
    tone = {"+200": {"pill-gain"}, "Push": set(), "−200": {"pill-loss"}, "+300": {"pill-gain"}}
    for box, said in enumerate(("+200", "Push", "−200", "+300"), start=1):
        assert pills[box][0].startswith(said), (box, pills[box])
        assert pills[box][1] - {"pill"} == tone[said]


def test_T11_the_line_beside_the_tables_name_says_the_hand_and_then_how_many_there_were():
    shoe = cast.shoe_of(cast.seated(3))
    decks = f"{shoe.decks} decks" if shoe.decks > 1 else "1 deck"
    assert f"Round 1 · hand 1 · {decks}" in table_page(shoe).text
    cast.hand(shoe, dict.fromkeys((1, 2, 3), 200), b1="win", b2="push", b3="lose")
    assert f"Round 1 · hand 2 · {decks}" in table_page(shoe).text
    cast.shoe_over(shoe)
    assert f"Round 1 · 1 hand · {decks}" in table_page(shoe).text


def test_T16_every_result_of_a_box_is_tapped_under_its_own_word():
    shoe = cast.shoe_of(cast.seated(2))
    address = f"/staff/{shoe.round.event.slug}/tables/{shoe.table.number}/?mode=results"
    page = read(logged_in("director").get(address).content.decode())
    words = {
        field.attrs["value"]: label.text
        for label in page.all("label")
        for field in label.all("input")
        if field.attrs.get("name") == "out-1"
    }
    named = ("lose", "push", "win", "natural", "surrender", "lose_doubled", "push_doubled", "win_doubled")
    told = ("Lose", "Push", "Win", "Blackjack", "Surrender", "Lose ×2", "Push ×2", "Win ×2")
    for name, word in zip(named, told, strict=True):
        assert words[name].startswith(word), (name, words[name])


# The dealer of a replay (A6) ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "total", "said"),
    [
        ((), 0, ""),
        (("??",), 0, ""),
        (("Kh", "??"), 10, "king"),
        (("Kh", "Th"), 20, "20"),
        (("Kh", "Ah"), 21, "blackjack"),
        (("7h", "7c", "6s"), 20, "20"),
        (("7h", "7c", "7s"), 21, "21"),
        (("7h", "7c", "8s"), 22, "22"),
    ],
)
def test_the_dealer_of_a_replay_is_told_round_21(cards, total, said):
    assert _dealer(SimpleNamespace(dealer=cards, dealer_total=total)).endswith(said)


def test_a_record_is_written_with_the_fields_that_it_has_to_have_first():
    record = {"note": 1, "decisions": [], "cards": ["Kh"], "rules": "wonder", "bets": {"1": 200}, "a": 2}
    names = [line.split('"')[1] for line in _text(record).splitlines() if '"' in line]
    assert names[:2] == ["rules", "bets"] and names[-2:] == ["note", "a"]
    assert set(names) == set(record)


# Counts (T18) ------------------------------------------------------------------------------------------


def test_T18_nobody_is_asked_for_a_third_count():
    shoe = cast.shoe_of(cast.seated(3))
    cast.hand(shoe, {1: 200}, b1="win")
    third = UserFactory(roles=["floor"])
    assert not count_view(shoe, third).may_enter
    cast.shoe_over(shoe)
    shoe.refresh_from_db()
    right = {box: cast.chips_at(shoe.round, box) for box in (1, 2, 3)}
    for entered, chips in enumerate((right, {**right, 1: right[1] - 100})):
        view = count_view(shoe, third)
        assert (view.entered, view.may_enter) == (entered, True)
        who = UserFactory(roles=["floor"])
        count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=who)
        shoe.refresh_from_db()
    view = count_view(shoe, third)
    assert (view.entered, view.may_enter) == (2, False)


def test_T18_the_journal_hides_a_first_count_until_the_second_is_in():
    shoe = cast.shoe_of(cast.seated(3))
    cast.hand(shoe, {1: 200}, b1="win")
    cast.shoe_over(shoe)
    right = {box: cast.chips_at(shoe.round, box) for box in (1, 2, 3)}
    client = logged_in("director")
    for hidden in (True, False):
        who = UserFactory(roles=["floor"])
        count_enter(shoe_id=shoe.pk, chips=right, key=new_key(), actor=who)
        text = read(client.get(f"/staff/{shoe.round.event.slug}/journal/").content.decode()).text
        assert (f"{right[1]:,}" in text) != hidden


# Before the first card ---------------------------------------------------------------------------------


def test_the_boxes_in_use_are_counted_over_all_tables():
    event = EventFactory(settings={"public_input": False, "tables_count": 2, "boxes_per_table": 4})
    for _ in range(3):
        EntryFactory(event=event)
    client = logged_in("director")

    def figures():
        page = read(client.get(f"/staff/{event.slug}/boxes/").content.decode())
        return [int(n) for n in re.findall(r"\d+", page.one(".sub"))]

    assert figures() == [0, 0, 3]
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    tables = event.tables.count()
    assert figures() == [tables, 4 * tables, 3]


def test_T3_a_draw_without_a_box_for_everybody_is_refused_by_its_name():
    round_ = cast.seated(4, cut_after_round_1=3, cut_after_round_2=3)
    cast.hand(cast.shoe_of(round_), dict.fromkeys((1, 2, 3), 200), b1="win", b2="win", b3="win")
    cast.play_and_count(round_)
    cast.close(round_)
    table = round_.event.tables.get()
    for out in ([3, 4, 5, 6, 7], [4, 5, 6, 7]):
        table.boxes_out = out
        table.save()
        if len(out) == 5:
            with refused("no_box"):
                draws.draw_lock(event_id=round_.event_id, key=new_key(), actor=None)
    assert draws.draw_lock(event_id=round_.event_id, key=new_key(), actor=None)["draw"]


def test_a_record_is_of_cards_dealt_or_simulated_and_of_nothing_else():
    shoe = cast.shoe_of(cast.seated(3))
    for mode, code in (("results", "bad_mode"), ("", "bad_mode")):
        with refused(code), cast.only(shoe, (1,)):
            dealing.deal_record(
                shoe_id=shoe.pk, record=cast.one_box_win(1, 200), mode=mode, key=new_key(), actor=None
            )


# The stored standings follow every command (T20) -------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_T20_the_standings_follow_whatever_the_floor_does():
    """After each command the stored list is what would be made now: nothing waits for the next sweep."""

    def follows(made):
        kept = StandingsSnapshot.objects.get(event=event)
        body = kept.body
        kept.delete()
        standings_recompute(event_id=event.pk)
        fresh = StandingsSnapshot.objects.get(event=event)
        assert body == fresh.body
        return made

    event = cast.event_make(4, cut_after_round_1=2, cut_after_round_2=2)
    standings_recompute(event_id=event.pk)
    round_ = follows(cast.draw_and_seat(event))
    shoe = cast.shoe_of(round_)
    everybody = dict.fromkeys((1, 2, 3, 4), 200)
    deal = follows(cast.hand(shoe, everybody, b1="win", b2="natural", b3="lose", b4="push"))
    follows(deal_correct(deal_id=deal.pk, void=True, reason="seen again", key=new_key(), actor=None))
    follows(cast.hand(shoe, everybody, b1="win", b2="natural", b3="lose", b4="push"))
    stack = cast.stack_at(round_, 4)
    mark = {"stack_id": stack.pk, "reason": "called away", "actor": None}
    follows(seating.stack_absent(absent=True, key=new_key(), **mark))
    follows(seating.stack_absent(absent=False, key=new_key(), **mark))
    follows(cast.shoe_over(shoe))
    follows(cast.count_both(shoe))
    follows(cast.close(round_))
    gone = cast.stack_at(round_, 2).entry_id
    follows(seating.entry_replace(entry_id=gone, reason="ill", key=new_key(), actor=None))
    follows(cast.draw_and_seat(event))


@pytest.mark.django_db(transaction=True)
def test_T20_the_standings_follow_the_seats_that_another_process_draws(monkeypatch):
    """As with a worker: the roster is locked by one command, the seats are drawn by another, later."""
    event, carry_out = cast.event_make(4), queue._send

    def held(task, *args):
        return None if task == "tables.seat_round" else carry_out(task, *args)

    monkeypatch.setattr(queue, "_send", held)
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    headline = lambda: StandingsSnapshot.objects.get(event=event).body["headline"]["state"]  # noqa: E731 - twice
    assert headline() == "desk_open"
    draws.round_seat(draw_id=locked["draw"])
    assert headline() == "seated"
