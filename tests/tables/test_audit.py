"""The audit: the rows of an event beside what its journal comes to (faults, threats)."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.blackjack.rules import SHEETS
from tables.selectors.audit import audit
from tables.services import counts, dealing, nights
from tests.cast.at_tables import logged_in
from tests.cast.calls import refused
from tests.cast.corrected import played
from tests.cast.edits import chain_made_anew, unguarded
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    close,
    confirm,
    draw_and_seat,
    event_make,
    hand,
    play_and_count,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.prizes import finished
from tests.cast.scenes import the_set_up
from tests.seed import chance_of
from tournament.engine.facts import Closed
from tournament.engine.fold import STEPS
from tournament.models import Event, JournalEntry, Stack
from tournament.selectors.facts_standing import course_standing
from tournament.services import events
from tournament.tasks import sweep

pytestmark = pytest.mark.django_db

TWO_ROUNDS = [{"stack": "reset", "advance": {"top": 5}}, {"stack": "carried", "advance": None}]
CUTS = {"cut_after_round_1": 2, "cut_after_round_2": 2}


def audited(event: Event) -> tuple[int, dict[str, Any], list[str]]:
    """How ``manage.py audit`` ends, and what it says as JSON and in lines."""
    said, codes = [], []
    for words in ([event.slug], [event.slug, "--json"]):
        out, code = StringIO(), 0
        try:
            call_command("audit", *words, stdout=out)
        except SystemExit as end:
            code = int(end.code or 0)
        said.append(out.getvalue())
        codes.append(code)
    assert codes[0] == codes[1]
    return codes[0], json.loads(said[1]), said[0].splitlines()


def holds(event: Event) -> None:
    """Nothing differs, and the whole journal was folded."""
    code, found, lines = audited(event)
    assert (code, found["differences"], found["stopped"]) == (0, [], None), lines
    assert lines == [f"ok: {found['entries']} journal entries, {found['facts']} facts"]
    assert found["entries"] == JournalEntry.objects.filter(event=event).count()


def simulated(entrants: int, seed: int, **settings: Any) -> Event:
    """A whole simulated night."""
    made = nights.event_simulate(entrants=entrants, seed=seed, settings=settings)
    return Event.objects.get(slug=made["event"])


# Nothing differs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sheet",
    [pytest.param(name, marks=[] if name == "banco" else pytest.mark.soak) for name in SHEETS],
)
def test_T16_a_simulated_night_is_what_its_journal_says(sheet: str):
    event = simulated(6, 1, sheet=sheet, plan=TWO_ROUNDS)
    holds(event)
    assert event.status == Event.Status.PAID


def test_T18_an_event_on_counts_alone_is_followed():
    round_ = draw_and_seat(event_make(3, record_mode="counts", **CUTS))
    dealing.round_play(round_id=round_.pk, key=new_key(), actor=None)
    shoe = shoe_of(round_)
    shoe_over(shoe)
    for chips in ({1: 6_000, 2: 5_000, 3: 3_000}, {1: 6_000, 2: 5_000, 3: 4_000}):
        who = UserFactory(roles=["floor"])
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=who)
    counts.count_enter(again=True, shoe_id=shoe.pk, chips={3: 3_000}, key=new_key(), actor=who)
    holds(round_.event)
    round_.refresh_from_db()
    close(round_)
    holds(round_.event)
    assert [stack_at(round_, box).outcome for box in (1, 2, 3)] == ["advanced", "advanced", "cut"]


@pytest.mark.soak
@pytest.mark.parametrize("nth", range(100))
def test_a_hundred_nights_by_chance_are_what_their_journals_say(nth: int):
    chance = chance_of(f"audit {nth}")
    stacks, first = chance.choice(["carried", "reset"]), chance.randint(2, 9)
    settings = {
        "sheet": chance.choice(list(SHEETS)),
        "stacks": stacks,
        "boxes_per_table": chance.randint(2, 7),
        "cut_after_round_1": first,
        "cut_after_round_2": chance.randint(2, first),
    }
    event = simulated(chance.randint(3, 14), chance.randint(1, 10**6), **settings)
    holds(event)


def test_T2_an_event_in_set_up_again_is_followed():
    event = the_set_up()
    holds(event)
    events.event_open(event_id=event.pk, key=new_key(), actor=None)
    holds(event)


# Something differs ----------------------------------------------------------------------------------


def spoil(statement: str, *values: object) -> None:
    """Change a row behind the back of the services."""
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount == 1


def only_difference(event: Event) -> dict[str, Any]:
    """The one difference that there is; both forms of the command say the same."""
    code, found, lines = audited(event)
    assert (code, found["stopped"]) == (1, None)
    (each,) = found["differences"]
    assert lines == [f"{each['row']}: {each['column']} is {each['is']}, should be {each['should']}"]
    return dict(each)


def test_T8_an_event_that_two_persons_have_called_off_is_followed():
    event = finished()
    asked = events.event_call_off(event_id=event.pk, reason="rain", key=new_key(), actor=UserFactory())
    assert "request" in asked and audit(event).differences == ()
    confirm(asked)
    event.refresh_from_db()
    assert (event.status, audit(event).differences) == (Event.Status.CALLED_OFF, ())


def test_a_changed_stack_is_named():
    event, *_night = played()
    stack = Stack.objects.filter(round__event=event, round__number=3).select_related("entry")[0]
    spoil("UPDATE tournament_stack SET chips = chips + 100 WHERE id = %s", stack.pk)
    row = f"stack {stack.entry.code}, round 3"
    assert only_difference(event) == {"row": row, "column": "chips", "is": 100, "should": 0}


def test_T23_what_cannot_follow_from_a_changed_journal_is_named_and_no_crash():
    round_ = seated(3, **CUTS)
    hand(shoe_of(round_), dict.fromkeys((1, 2, 3), 200), b1="push", b2="push", b3="push")
    play_and_count(round_)
    stage = draw_and_seat(round_.event)
    hand(shoe_of(stage), dict.fromkeys((1, 2, 3), 200), b1="win", b2="win", b3="lose")
    holds(round_.event)
    spoil(
        "UPDATE tournament_journalentry SET facts = jsonb_set(facts, '{-1,nets}', %s)"
        " WHERE event_id = %s AND kind = 'deal.record' AND seq < %s",
        json.dumps([400, 200, 0, 0, 0, 0, 0]),
        round_.event_id,
        JournalEntry.objects.filter(event=round_.event, kind="round.seat").latest("seq").seq,
    )
    chain_made_anew(round_.event)
    code, found, _lines = audited(round_.event)
    assert (code, found["stopped"]["kind"]) == (1, "deal.record")
    seats = next(each for each in found["differences"] if each["column"] == "seats")
    assert (len(seats["is"]), seats["should"]) == (3, [])
    assert found["differences"][-1]["column"] == "deal.record"


def test_an_entry_without_facts_ends_the_comparison_and_no_page_ranks(caplog):
    event = (round_ := seated(2, **CUTS)).event
    first, _last = (hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="lose") for _ in range(2))
    entry = JournalEntry.objects.filter(event=event, kind="deal.record").latest("seq")
    spoil("UPDATE tournament_journalentry SET facts = NULL WHERE id = %s", entry.pk)
    chain_made_anew(event)
    code, found, lines = audited(event)
    assert (code, found["differences"], found["entries"]) == (3, [], entry.seq - 1)
    assert (found["stopped"]["seq"], found["stopped"]["kind"]) == (entry.seq, "deal.record")
    with refused("journal_not_whole", 409):
        course_standing(event)
    tonight, way_out = (f"/staff/{event.slug}/{page}" for page in ("", "call-off/"))
    client = logged_in("director")
    for readable in ("/", f"/e/{event.slug}/", f"/e/{event.slug}/results/"):
        assert client.get(readable).status_code == 200, readable
    page = client.get(tonight)
    assert (page.status_code, b'data-code="journal_not_whole"' in page.content) == (409, True)
    assert way_out.encode() in page.content and client.get(way_out).status_code == 200
    assert way_out.encode() not in logged_in("dealer").get(tonight).content
    for _again in range(2):
        sweep()
    (told,) = [each for each in caplog.records if each.name == "tournament.tasks"]
    assert event.slug in told.getMessage() and "audit" in told.getMessage() and not told.exc_info
    # A fact that an older release wrote stops it likewise, and is named.
    old = json.dumps([{"fact": "PrizeShared", "place": 3}])
    spoil("UPDATE tournament_journalentry SET facts = %s WHERE id = %s", old, entry.pk)
    chain_made_anew(event)
    code, found, lines = audited(event)
    assert (code, found["differences"], found["entries"]) == (3, [], entry.seq - 1)
    assert "PrizeShared" in found["stopped"]["why"] and len(lines) == 1
    spoil("UPDATE tables_deal SET bets = jsonb_set(bets, '{2}', '400') WHERE id = %s", first.pk)
    code, found, lines = audited(event)
    assert (code, found["stopped"]["seq"], len(lines)) == (1, entry.seq, 2)
    # Called off, the page of an entry opens with the chips of its rows, so that the buy-in can be refunded.
    client, page = logged_in("cashier"), f"/staff/{event.slug}/entries/E001/"
    assert client.get(page).status_code == 409
    events.event_call_off(event_id=event.pk, reason="rain", key=new_key(), actor=UserFactory())
    opened = client.get(page)
    assert [(row["row"].chips, row["row"].place) for row in opened.context["rows"]] == [(5_400, None)]
    assert opened.status_code == 200 and f"/staff/{event.slug}/refunds/E001/".encode() in opened.content
    assert [(each["is"], each["should"]) for each in found["differences"]] == [(400, 200)]


def test_a_fact_that_cannot_follow_refuses_its_command_which_writes_nothing(monkeypatch):
    round_ = seated(2, **CUTS)
    play_and_count(round_)
    monkeypatch.setitem(STEPS, Closed, lambda *_: {}["no such stage"])
    with refused("cannot_follow", 409):
        close(round_)
    assert not JournalEntry.objects.filter(kind="round.close").exists()


def test_an_unknown_event_ends_with_2():
    with pytest.raises(CommandError) as no:
        call_command("audit", "no-such-night")
    assert no.value.returncode == 2


def test_the_audit_writes_nothing():
    event, *_night = played()
    with connection.execute_wrapper(_reads_only):
        assert audit(event).differences == ()


def _reads_only(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    assert sql.lstrip().split(" ")[0] in ("SELECT", "DECLARE", "FETCH", "CLOSE", "SAVEPOINT", "RELEASE"), sql
    return execute(sql, params, many, context)
