"""What a body of the standings is built from, read once: rounds, seats, tables, rankings, posted prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tournament.engine.settings import round_rules
from tournament.engine.state import State
from tournament.engine.steps.places import money_ties_open, play_is_over
from tournament.models import Event, Round, Stack
from tournament.selectors.floor import TableProgress, floor
from tournament.selectors.hands_left import hands_about, hands_most, shoe_state
from tournament.selectors.prizes import currency_of
from tournament.selectors.stage_ranking import Ranking, stage_ranking
from tournament.selectors.stages import IN_PLAY, state_of
from tournament.selectors.standings_states import Json

Kind, Status = Round.Kind, Round.Status


@dataclass(frozen=True)
class Facts:
    """Everything that one body is built from, read once."""

    event: Event
    rounds: list[Round]
    seats: dict[tuple[int, int], tuple[int, int]]
    ranked: dict[int, Ranking] = field(default_factory=dict)
    tables: dict[int, dict[int, TableProgress]] = field(default_factory=dict)
    at_tables: dict[tuple[int, int], Json] = field(default_factory=dict)

    @property
    def prizes_cents(self) -> Sequence[int]:
        """The posted prizes by place; none before they are posted."""
        return self.state.prizes_cents or ()

    @cached_property
    def state(self) -> State:
        """The event as the engine has it, by which its stages are ranked."""
        return state_of(self.event)

    @cached_property
    def _currency(self) -> str:
        return currency_of(self.event)

    def prize(self, place: int | None, level: int) -> Json:
        """The prize of a place as it stands, in cents, from the least to the most of a tie (T33).

        ``level``: how many in play hold the place, 0 for somebody who has left the round. Empty where none of
        their places is paid, or no structure is posted.
        """
        paid = self.prizes_cents[place - 1 : place - 1 + level] if place else ()
        most = max(paid, default=0)
        if not most:
            return {}
        least = min(paid) if len(paid) == level else 0
        return {"prize_least_cents": least, "prize_most_cents": most, "currency": self._currency}

    @property
    def mains(self) -> list[Round]:
        """The rounds of the plan that have been seated, in order (F1)."""
        return [r for r in self.rounds if r.kind == Kind.ROUND]

    @property
    def extra(self) -> Round | None:
        """The play-off or sudden death that is being played."""
        return next((r for r in self.rounds if r.kind != Kind.ROUND and r.status != Status.CLOSED), None)

    @cached_property
    def money_ties(self) -> Mapping[str, Sequence[int]]:
        """Entries for whom a sudden death is still to be drawn, each with the places of its tie (T33)."""
        if self.extra is not None or not self.prizes_cents or not play_is_over(self.state):
            return {}
        groups = money_ties_open(self.state)
        return {code: group.places for group in groups for code in group.entries}

    def ranking(self, round_: Round) -> Ranking:
        """The ranking of one of the stages."""
        if round_.pk not in self.ranked:
            self.ranked[round_.pk] = stage_ranking(round_, self.state)
        return self.ranked[round_.pk]

    def progress(self, round_: Round) -> dict[int, TableProgress]:
        """The tables of a stage by their numbers; none unless it is being played."""
        if round_.pk not in self.tables:
            found = floor().progress(round_.pk) if round_.status == Status.PLAYING else []
            self.tables[round_.pk] = {each.table: each for each in found}
        return self.tables[round_.pk]

    def _round(self, stack: Stack) -> Round:
        return next(each for each in self.rounds if each.pk == stack.round_id)

    def seat(self, stack: Stack) -> Json:
        """The table and the box of a player, and how far that table is.

        ``call``: another one each time the player has to go there, with new seats and as play begins.
        """
        seat = self.seats.get((stack.round_id, stack.entry_id))
        if seat is None:
            return {}
        round_ = self._round(stack)
        called = round_.status in (Status.SEATED, Status.PLAYING) and stack.state in IN_PLAY
        return {
            "table": seat[0],
            "box": seat[1],
            "call": f"{round_.pk}-{round_.status}-{seat[0]}-{seat[1]}" if called else "",
            **self._told_at(round_, seat[0]),
        }

    def _told_at(self, round_: Round, table: int) -> Json:
        """How far a table is, made once for all who sit there."""
        key = (round_.pk, table)
        if key not in self.at_tables:
            found = self.progress(round_).get(table)
            about = hands_about(found) if found and not round_.counts_alone else None
            self.at_tables[key] = (
                {"hand": found.hands, "hands_left": about, "shoe": str(shoe_state(found))} if found else {}
            )
        return self.at_tables[key]

    def hands_most(self, ranking: Ranking) -> dict[str, int | None]:
        """The most hands that each player of a stage can still play, by code; None where nobody knows."""
        round_ = ranking.round
        rules, alone = round_rules(self.event.settings, round_.number), round_.counts_alone
        most = {
            number: hands_most(rules, table, counts_alone=alone)
            for number, table in self.progress(round_).items()
        }
        seats = {row.code: self.seats.get((round_.pk, row.entry.pk)) for row in ranking.rows}
        return {code: most.get(seat[0]) for code, seat in seats.items() if seat}


def facts_of(event: Event) -> Facts:
    """Read the rounds of an event, and the seats of those that are not closed."""
    rounds = list(event.rounds.select_related("parent").order_by("id"))
    for round_ in rounds:
        round_.event = event
        if round_.parent is not None:
            round_.parent.event = event
    seated = [r.pk for r in rounds if r.status != Status.CLOSED]
    seats = floor().seats(seated) if seated else {}
    return Facts(event, rounds, seats)
