"""Edits by somebody with all rights in the database: what was changed, and what the audit has to name.

Each is one statement over ``rich_night`` of ``test_tampering.py``. Our own triggers are switched off, and
nothing is committed, so no foreign key is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from typing import Any

import pgtrigger
from django.db import connection
from django.db.backends.postgresql.base import Cursor

from ground.canonical import GENESIS_HASH, journal_hash, json_hash
from tournament.models import Event, JournalEntry
from tournament.selectors.chain import entry_row


@contextmanager
def unguarded(*triggers: str) -> Iterator[None]:
    """Inside, what is never changed may be.

    ``triggers`` as ``pgtrigger.ignore`` takes them, all of them where none is named. It sends two statements
    as one, which the server takes only with the values in their text.
    """
    connection.ensure_connection()
    opened = connection.connection
    usual, opened.cursor_factory = opened.cursor_factory, Cursor
    try:
        with pgtrigger.ignore(*triggers):
            yield
    finally:
        opened.cursor_factory = usual


@dataclass(frozen=True)
class Edit:
    """A statement, and the beginning of the row and of the column that an audit names for it.

    ``alone``: made together with others it would hide them, or they it.
    """

    sql: str
    row: str
    column: str
    alone: bool = False


def edited(
    table: str, change: str, which: str, row: str, column: str | None = None, *, alone: bool = False
) -> Edit:
    """An UPDATE of the first row of a table that is chosen by a condition; an audit names its column."""
    if column is None:
        column = change.split(" = ", maxsplit=1)[0].removesuffix("_id")
    first = f"SELECT t.id FROM {table} t {which} ORDER BY t.id LIMIT 1"
    return Edit(f"UPDATE {table} SET {change} WHERE id = ({first})", row, column, alone or column == "row")


OF_EVENT = "WHERE t.event_id = %(event)s"
OF_ROUND = "JOIN tournament_round r ON r.id = t.round_id WHERE r.event_id = %(event)s"
OF_SHOE = (
    "JOIN tables_shoe s ON s.id = t.shoe_id JOIN tournament_round r ON r.id = s.round_id"
    " WHERE r.event_id = %(event)s"
)
OF_ENTRY = "JOIN tournament_entry e ON e.id = t.entry_id WHERE e.event_id = %(event)s"
OF_MONEY = "JOIN tournament_moneytransaction m ON m.id = t.transaction_id WHERE m.event_id = %(event)s"
OF_CHIPS = "JOIN tournament_chiptransaction m ON m.id = t.transaction_id WHERE m.event_id = %(event)s"
OTHER_PLAYER = "(SELECT max(id) FROM tournament_player)"
OTHER_USER = "(SELECT max(id) FROM auth_user)"
OTHER_ENTRY = "(SELECT max(id) FROM tournament_entry WHERE event_id = %(event)s AND place > 2)"
SETTLED = OF_SHOE + " AND t.status = 'settled'"
CARDS = SETTLED + " AND t.mode = 'cards'"
RESULTS = SETTLED + " AND t.mode = 'results'"
LAST_HAND_GONE = "DELETE FROM tables_deal WHERE id = (SELECT max(id) FROM tables_deal)"
LATER = "at + interval '1 hour'"


def json(column: str, path: str, value: str) -> str:
    """Set one value of a JSON column."""
    return f"{column} = jsonb_set({column}, '{{{path}}}', '{value}')"


EVENT = [
    edited("tournament_event", json("settings_json", "decks", "4"), "WHERE t.id = %(event)s", "event"),
    edited("tournament_event", "starting_chips = 9000", "WHERE t.id = %(event)s", "event"),
    edited("tournament_event", "buy_in_cents = 9000", "WHERE t.id = %(event)s", "event"),
    edited("tournament_event", "rules_hash = repeat('a', 64)", "WHERE t.id = %(event)s", "event"),
    edited("tournament_event", "status = 'running'", "WHERE t.id = %(event)s", "event"),
    edited("tournament_event", "kind = 'rehearsal'", "WHERE t.id = %(event)s", "event", alone=True),
    edited("tournament_event", "code = 'OTHER'", "WHERE t.id = %(event)s", "event"),
    edited("tables_table", "in_use = false", OF_EVENT, "table 1"),
    edited("tables_table", "boxes_out = '{1}'", OF_EVENT, "table 1"),
    edited("tournament_round", "status = 'counted'", OF_EVENT, "round 1"),
    edited("tournament_round", "cut_to = 3", OF_EVENT, "round 1"),
    edited("tournament_round", "contested = 1", OF_EVENT, "round 1"),
    edited("tournament_round", f"opened_at = opened_{LATER}", OF_EVENT, "round 1"),
    edited("tournament_round", f"closed_at = closed_{LATER}", OF_EVENT, "round 1"),
    edited(
        "tournament_round",
        "draw_id = (SELECT max(id) FROM tournament_draw WHERE event_id = %(event)s)",
        OF_EVENT,
        "round 1",
    ),
]
DESK = [
    edited("tournament_entry", f"player_id = {OTHER_PLAYER}", OF_EVENT, "entry E001"),
    edited("tournament_entry", "number = 77", OF_EVENT, "entry E001"),
    edited("tournament_entry", "status = 'withdrawn'", OF_EVENT, "entry E001"),
    edited("tournament_entry", "waiting_since = now()", OF_EVENT, "entry E001"),
    edited("tournament_entry", "final_chips = 1", OF_EVENT + " AND t.place = 1", "entry"),
    edited("tournament_entry", "place = 3", OF_EVENT + " AND t.place = 1", "entry"),
    Edit("DELETE FROM tournament_entry WHERE event_id = %(event)s AND place = 4", "entry", "row", alone=True),
    Edit(LAST_HAND_GONE, "hand", "row", alone=True),
    Edit(LAST_HAND_GONE, "chips, deal: deal", "", alone=True),
    edited("tournament_playercheck", f"checked_by_id = {OTHER_USER}", OF_EVENT, "check of player", "checked"),
    edited("tournament_playercheck", "outcome = 'excluded'", OF_EVENT, "check of player"),
    edited("tournament_moneytransaction", "gaming_day = '2020-01-01'", OF_EVENT, "money, buy_in"),
    edited("tournament_moneytransaction", f"by_id = {OTHER_USER}", OF_EVENT, "money, buy_in"),
    edited("tournament_moneytransaction", "amount_cents = 1", OF_EVENT, "money, buy_in"),
    edited("tournament_moneytransaction", f"at = {LATER}", OF_EVENT, "money, buy_in"),
    edited("tournament_moneyentry", "amount_cents = amount_cents + 1", OF_MONEY, "money, buy_in", "desk"),
    edited(
        "tournament_playerday",
        "spent_cents = 0",
        "JOIN tournament_entry e ON e.player_id = t.player_id WHERE e.event_id = %(event)s",
        "day",
    ),
    edited("tournament_penalty", "kind = 'sit_out'", OF_ENTRY, "penalty of"),
    edited("tournament_penalty", "reason = 'nothing'", OF_ENTRY, "penalty of"),
    edited("tournament_penalty", "chips = 400", OF_ENTRY + " AND t.kind = 'chips'", "penalty of"),
    edited("tournament_penalty", "cancelled_at = now()", OF_ENTRY, "penalty of"),
    edited("tournament_request", f"decided_by_id = {OTHER_USER}", OF_EVENT, "request"),
    edited("tournament_request", "status = 'refused'", OF_EVENT, "request"),
    edited("tournament_request", json("body", "chips", "400"), OF_EVENT, "request"),
    edited("tournament_payment", "amount_cents = 1", OF_EVENT, "payment 1 of"),
    edited("tournament_payment", f"paid_by_id = {OTHER_USER}", OF_EVENT, "payment 1 of"),
    edited("tournament_payment", "second_person_id = NULL", OF_EVENT, "payment 1 of"),
    edited("tournament_payment", "place = 4", OF_EVENT, "payment 1 of"),
]
DRAWS = [
    edited("tournament_draw", "cards = 'AS 2S 3S 4S 5S'", OF_EVENT, "draw 1"),
    edited("tournament_draw", f"cards_by_id = {OTHER_USER}", OF_EVENT, "draw 1"),
    edited("tournament_draw", f"confirmed_by_id = {OTHER_USER}", OF_EVENT, "draw 1"),
    edited("tournament_draw", "commitment = repeat('a', 64)", OF_EVENT, "draw 1"),
    edited("tournament_draw", "revealed_secret = repeat('a', 64)", OF_EVENT, "draw 1"),
    edited("tournament_draw", json("roster", "0", '"E009"'), OF_EVENT, "draw 1"),
    edited("tournament_draw", json("result", "0,0", '"E009"'), OF_EVENT, "draw 1"),
    edited(
        "tournament_drawsecret",
        "secret = sha256('other')",
        "JOIN tournament_draw d ON d.id = t.draw_id WHERE d.event_id = %(event)s",
        "draw 1",
    ),
    edited("tables_seat", "box = 7", OF_ROUND, "seat of"),
    edited("tables_seat", f"entry_id = {OTHER_ENTRY}", OF_ROUND + " AND r.number = 2", "seat of", "row"),
    edited("tables_seat", "vacated_at = now()", OF_ROUND, "seat of"),
]
FLOOR = [
    edited("tournament_stack", "chips = chips + 100", OF_ROUND, "stack"),
    edited("tournament_stack", "start_chips = 100", OF_ROUND, "stack"),
    edited("tournament_stack", "outcome = 'cut'", OF_ROUND + " AND t.outcome = 'advanced'", "stack"),
    edited("tournament_stack", "state = 'absent'", OF_ROUND, "stack"),
    edited("tournament_stack", "tied_from = 1", OF_ROUND, "stack"),
    edited("tournament_stack", "plays_from = 1", OF_ROUND, "stack"),
    edited("tournament_stack", "absent_at_look = true", OF_ROUND, "stack"),
    edited("tournament_chipentry", "amount_chips = amount_chips + 100", OF_CHIPS, "chips, issue", ""),
    edited("tournament_chiptransaction", f"at = {LATER}", OF_EVENT, "chips, issue"),
    edited("tables_shoe", "button_box = 7", OF_ROUND, "shoe 1, round 1"),
    edited("tables_shoe", "cards_dealt = 1", OF_ROUND, "shoe 1, round 1"),
    edited("tables_shoe", "ended_reason = 'none'", OF_ROUND, "shoe 1, round 1"),
    edited("tables_shoe", "decks = 1", OF_ROUND, "shoe 1, round 1"),
    edited("tables_shoe", "to_correct = '[{}]'", OF_ROUND, "shoe 1, round 1"),
    edited("tables_deal", json("record", "cards,0", '"2c"'), CARDS, "hand"),
    edited("tables_deal", json("answer", "net,1", "9"), RESULTS, "hand", "net of box 1"),
    edited("tables_deal", json("answer", "boxes", "[]"), RESULTS, "hand", "answer, boxes"),
    edited("tables_deal", json("record", "results,1", "{}"), RESULTS, "hand", alone=True),
    edited("tables_deal", json("outcomes", "1", "{}"), RESULTS, "hand"),
    edited("tables_deal", json("bets", "1", "800"), RESULTS, "hand", "bet of box 1"),
    edited("tables_deal", json("entries", "1", "0"), RESULTS, "hand"),
    edited("tables_deal", f"opened_by_id = {OTHER_USER}", RESULTS, "hand"),
    edited("tables_deal", "mode = 'cards'", RESULTS, "hand"),
    edited("tables_deal", f"closed_at = closed_{LATER}", RESULTS, "hand"),
    edited("tables_countsheet", json("chips", "1", "9"), OF_SHOE, "count 1, shoe 1"),
    edited("tables_countsheet", f"counted_by_id = {OTHER_USER}", OF_SHOE, "count 1, shoe 1"),
    edited("tables_countsheet", "status = 'reopened'", OF_SHOE, "count 1, shoe 1"),
]
POSTED = [
    edited(
        "tournament_posting",
        json("body", "standings,0,2", "1"),
        OF_EVENT + " AND t.kind = 'result'",
        "posting result 1",
        "content",
    ),
    edited("tournament_posting", "hash = repeat('a', 64)", OF_EVENT, "posting rules 1"),
    edited("tournament_posting", f"at = {LATER}", OF_EVENT, "posting rules 1"),
    edited(
        "tournament_payoutstructure", json("prizes_cents", "0", "1"), OF_EVENT, "payout structure 1", "prizes"
    ),
    edited("tournament_payoutstructure", "pool_cents = 1", OF_EVENT, "payout structure 1"),
    edited("tournament_payoutstructure", "status = 'superseded'", OF_EVENT, "payout structure 1"),
]
FIRST: dict[str, Any] = {"row": "journal entry 1", "column": "chain", "alone": True}
JOURNAL = [
    edited(
        "tournament_journalentry",
        json("body", "asked,player", "0"),
        OF_EVENT + " AND t.kind = 'entry.buy_in'",
        "journal entry",
        "chain",
        alone=True,
    ),
    edited("tournament_journalentry", f"actor_id = {OTHER_USER}", OF_EVENT, **FIRST),
    edited("tournament_journalentry", f"at = {LATER}", OF_EVENT, **FIRST),
    edited("tournament_journalentry", "facts = '[{}]'", OF_EVENT, **FIRST),
    edited("tournament_journalentry", "hash = repeat('a', 64)", OF_EVENT, **FIRST),
    Edit(
        "DELETE FROM tournament_journalentry WHERE event_id = %(event)s AND kind = 'penalty.add'",
        "journal entry",
        "chain",
        alone=True,
    ),
    Edit(
        "DELETE FROM tournament_journalentry t WHERE event_id = %(event)s AND seq ="
        " (SELECT max(seq) FROM tournament_journalentry WHERE event_id = t.event_id)",
        "journal head",
        "chain",
        alone=True,
    ),
    edited("tournament_journalhead", "seq = seq + 1", OF_EVENT, "journal head", "chain", alone=True),
    edited("tournament_journalhead", "hash = repeat('a', 64)", OF_EVENT, "journal head", "chain", alone=True),
]
GONE = [
    Edit("DELETE FROM tournament_payment WHERE event_id = %(event)s", "payment 1 of", "row"),
    Edit("DELETE FROM tables_seat WHERE round_id IN (SELECT id FROM tournament_round)", "seat of", "row"),
    Edit(
        "DELETE FROM tournament_posting WHERE event_id = %(event)s AND kind = 'draw'",
        "posting draw 1",
        "row",
    ),
    Edit(
        f"UPDATE tournament_moneytransaction SET entry_id = {OTHER_ENTRY}"
        " WHERE event_id = %(event)s AND kind = 'prize'",
        "money, prize",
        "row",
    ),
    Edit(
        "UPDATE tournament_chiptransaction SET kind = 'count' WHERE event_id = %(event)s AND kind = 'issue'",
        "chips, issue",
        "row",
    ),
]
CALLED_OFF = [
    edited("tournament_handout", "amount_cents = 1", OF_EVENT, "hand-out of"),
    edited("tournament_handout", "handed_by_id = NULL", OF_EVENT, "hand-out of"),
    edited(
        "tournament_moneytransaction", f"at = {LATER}", OF_EVENT + " AND t.kind = 'refund'", "money, refund"
    ),
    edited("tournament_tieruling", "reason = 'none'", OF_ROUND, "ruling", alone=True),
    edited("tournament_tieruling", "tied = '{E001}'", OF_ROUND, "round 1", "rulings"),
    edited("tournament_tieruling", "lifted = true", OF_ROUND, "round 1", "rulings", alone=True),
]
"""Edits of an event in which a tie was ruled on, and which was called off."""


def chain_made_anew(event: Event) -> None:
    """Write every hash of a journal anew, as somebody would who has changed an entry and knows the recipe."""
    previous = GENESIS_HASH
    with unguarded(), connection.cursor() as cursor:
        for entry in JournalEntry.objects.filter(event=event).order_by("seq"):
            entry.body["facts"] = json_hash(entry.facts)
            hashed = journal_hash(previous, entry_row(entry))
            cursor.execute(
                "UPDATE tournament_journalentry SET prev_hash = %s, hash = %s, body = %s WHERE id = %s",
                (previous, hashed, dumps(entry.body), entry.pk),
            )
            previous = hashed
        cursor.execute(
            "UPDATE tournament_journalhead SET hash = %s WHERE event_id = %s", (previous, event.pk)
        )


OF_A_NIGHT = tuple(map(tuple, (EVENT, DESK, DRAWS, FLOOR, POSTED, GONE, JOURNAL)))
