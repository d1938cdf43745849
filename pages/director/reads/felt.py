"""The draft of a settled hand that is being corrected on the felt, and the table as it was in that hand.

The draft is a ``Deal`` that is never saved; the page's address and forms carry it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from games.protocol import Json
from games.registry import game_of
from ground.refused import Refused, refuse
from ground.words import gettext_noop as _
from pages.dealer.games.parts import part_of
from pages.dealer.reads import Screen
from tables.models import Deal
from tables.models.floor import BOXES
from tables.selectors.amending import tapped, tapped_op
from tables.selectors.correction_requests import why_correction_requested
from tables.selectors.deals import deal_view, line_chips, stacks_before, taps_standing
from tables.selectors.floor import house_rules
from tables.selectors.table_view import BoxRow, TableView
from tables.selectors.take_back import why_not_settled
from tournament.models import Entry, Event, Stack

KEPT = ("cards", "decisions", "irregularities")


def why_not_touched(deal: Deal) -> Refused | None:
    """Return why a hand cannot be corrected on the felt; None if it can.

    ``deal_not_settled``, ``already_asked``, ``recorded_by_results``, ``not_touched``, ``irregular_hand``.
    """
    try:
        refuse(why_not_settled(deal) or why_correction_requested(deal))
        draft_recorded(deal)
    except Refused as no:
        return no
    return None


def draft_recorded(deal: Deal) -> Deal:
    """Return the recorded hand with the taps that enter it. Raises Refused as ``why_not_touched``."""
    if "cards" not in (deal.record or {}):
        raise Refused(
            "recorded_by_results",
            _("This hand was recorded by its results: none of its cards are known. Enter its results again."),
        )
    return draft_of(deal, deal.bets, taps_of_text(deal, deal.record or {}))


def taps_of_text(deal: Deal, record: Mapping[str, Any]) -> list[Json]:
    """Return the taps of a hand written as ``bets``, ``cards`` and ``decisions``.

    Raises Refused ``not_touched``, ``irregular_hand`` and the codes of settling the record.
    """
    rules, bets = house_rules(deal.shoe.round), record["bets"]
    stacks = {box: chips for box, chips in stacks_of(deal).items() if box in bets}
    known = {**game_of(rules).rules_record(rules), "bets": bets, "stacks": stacks}
    taps = part_of(rules).record_taps(known | {name: record[name] for name in KEPT if name in record})
    if taps is None:
        raise Refused(
            "not_touched", _("Hands of %(game)s are corrected as text or by results."), game=rules.game
        )
    return taps


def stacks_of(deal: Deal) -> dict[str, int]:
    """Map each box to its chips before the hand, including boxes that did not bet."""
    unbet = stacks_before(deal)
    held = {box: deal.stacks.get(box, unbet.get(entry)) for box, entry in deal.entries.items()}
    return {box: chips for box, chips in held.items() if chips is not None}


def draft_of(deal: Deal, bets: Mapping[str, int], taps: Sequence[Json]) -> Deal:
    """Return the unsaved hand with these bets and taps. Raises Refused with the game's codes."""
    draft = Deal(
        shoe=deal.shoe,
        number=deal.number,
        mode=Deal.Mode.CARDS,
        button_box=deal.button_box,
        bets=dict(bets),
        stacks=stacks_of(deal),
        entries=deal.entries,
        sits_out=deal.sits_out,
        taps=[],
    )
    taps_put(draft, tapped(draft, list(taps)).standing)
    return draft


def taps_put(draft: Deal, standing: Sequence[Sequence[Json]]) -> None:
    """Set the taps of the draft, each with all of its operations."""
    draft.taps = [{"meant": list(ops)} for ops in standing]


def taps_in(draft: Deal) -> list[Json]:
    """Return the operations of a draft as they were tapped."""
    return [tapped_op(ops) for ops in taps_standing(draft.taps)]


def fields_of(draft: Deal, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the draft as fields of a form; ``words`` are its taps."""
    return [*((f"bet-{box}", str(chips)) for box, chips in draft.bets.items()), ("taps", " ".join(words))]


def query_of(fields: Sequence[tuple[str, str]]) -> str:
    """Return the beginning of an address of the page with these fields."""
    return urlencode([("how", "felt"), *fields], safe=":") + "&"


def screen_of(event: Event, draft: Deal) -> Screen:
    """Return the table as it was in this hand, showing the draft."""
    shoe, rules = draft.shoe, house_rules(draft.shoe.round)
    found = Entry.objects.filter(event=event, pk__in=draft.entries.values()).select_related("player")
    entries = {entry.pk: entry for entry in found}
    rows = tuple(_row(draft, box, entries.get(draft.entries.get(str(box), 0))) for box in range(1, BOXES + 1))
    shoe.table.event = event
    return Screen(
        view=TableView(shoe.table, shoe.round, shoe, rows, draft, 0, draft.number),
        rules=rules,
        hand=deal_view(draft),
        last=None,
        number=draft.number,
        version="",
        line_chips=line_chips(shoe, rules, before=draft.number),
    )


def _row(draft: Deal, box: int, entry: Entry | None) -> BoxRow:
    if entry is None:
        return BoxRow(box, in_use=False)
    key, held = str(box), str(box) in draft.sits_out
    stack = Stack(entry=entry, round=draft.shoe.round, chips=draft.stacks.get(key, 0))
    return BoxRow(
        box,
        in_use=True,
        entry=entry,
        stack=stack,
        may_bet=not held,
        sits_out=held,
        button=draft.button_box == box,
        bet_chips=draft.bets.get(key),
    )
