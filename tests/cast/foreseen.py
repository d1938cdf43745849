"""What the core says of a correction, beside what the services say of it (T17)."""

from __future__ import annotations

from typing import Any

from ground.refused import Refused
from tables.models import Deal
from tables.selectors.facts_standing import Course
from tables.selectors.journal_facts import facts_of, journal_lines
from tables.selectors.names import names_of
from tables.services import corrections
from tournament.engine.corrections import decide
from tournament.engine.fold import fold
from tournament.engine.state import State, stacks_of
from tournament.models import Event


def as_foreseen(event: Event) -> None:
    """Assert that core and services say the same of voiding any settled hand: the refusal, or the moves."""
    if Event.objects.get(pk=event.pk).status == "called_off":
        return
    names = names_of(event)
    log = Course.of(fact for _seq, fact in facts_of(journal_lines(event), names).facts).log
    for deal in Deal.objects.filter(shoe__round__event=event, status="settled").select_related("shoe"):
        stage = names.stages[deal.shoe.round_id]
        seen, said = _seen(deal), _decided(log, names.hand(deal.pk))
        if seen in ("deal_open", "journal_not_whole"):
            continue
        if isinstance(seen, str) or isinstance(said, str):
            assert seen == said, (deal.pk, stage)
            continue
        stacks = {entry: chips for (of, entry), chips in said.items() if of == stage}
        # T26: the stack of who is disqualified has left play; what was handed in is said beside the lines.
        beside = {line.entry for line in seen.lines if line.after.cut == "disqualified"}
        beside |= {entry for entry, *_chips in seen.handed_in}
        lines = {
            line.entry: line.after.chips for line in seen.changed if line.before.chips != line.after.chips
        }
        assert {entry: each for entry, each in stacks.items() if entry not in beside} == {
            entry: each for entry, each in lines.items() if entry not in beside
        }, (deal.pk, stage)


def _seen(deal: Deal) -> Any:
    try:
        return corrections.correction_preview(deal_id=deal.pk, void=True)
    except Refused as no:
        return no.code


def _chips(state: State) -> dict[Any, int]:
    ended = {(s.frame.key, code): each.chips for s in state.stages for code, each in s.results.items()}
    return {key: stack.chips for key, stack in stacks_of(state).items()} | ended


def _decided(log: Any, at: Any) -> Any:
    try:
        was, now = (_chips(fold(each)) for each in (log, decide(log, at, None).log))
    except Refused as no:
        return no.code
    return {key: chips for key, chips in now.items() if was.get(key) != chips}
