"""A hand of a play-off or sudden death put right: the stage is looked at again from there (T17, T23, T33).

The stage is played again twice from its hands: as it was, which must come to what is there, and with the hand
as it should have been. What differs is what changes: stacks, who is decided, later hands that do not stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.models import Deal
from tables.selectors.floor import house_rules
from tables.selectors.tie_played import Stage
from tournament.engine.tie_again import OTHERS, OVER, TOO_FEW, TieHand, TiePlay, tie_play
from tournament.models import ChipTransaction, Penalty

from .hand import Outcome
from .working import covered

Kind = ChipTransaction.Kind
WORDS = {
    OVER: "the tie was decided before it",
    OTHERS: "others would have been playing",
    TOO_FEW: "the chips would not have been there",
}


@dataclass(frozen=True)
class Again:
    """The stage with one hand put right: ``play`` is what it comes to."""

    stage: Stage
    deal: Deal
    play: TiePlay

    @property
    def void(self) -> list[tuple[Deal, str]]:
        """The later hands that do not stand, and why."""
        return [
            (self.stage.deals[number], WORDS.get(why, why)) for number, why in sorted(self.play.void.items())
        ]

    @property
    def dropped(self) -> list[tuple[Penalty, str]]:
        """The penalties in chips that do not stand, and why; what the director cancelled is none of them."""
        penalties = Penalty.objects.filter(pk__in=self.play.dropped, cancelled_at__isnull=True)
        found = penalties.select_related("entry").order_by("pk")
        return [(penalty, WORDS[self.play.dropped[penalty.pk]]) for penalty in found]


# With the hand put right ----------------------------------------------------------------------------


def stage_again(stage: Stage, deal: Deal, outcome: Outcome | None) -> Again:
    """The stage from the corrected hand on; ``outcome`` None is a void hand."""
    number = stage.number_of(deal)
    corrected = _corrected(stage, number, outcome)
    hands = [
        each
        for each in ([corrected] if corrected else []) + list(stage.hands)
        if each is corrected or each.number != number
    ]
    rules = house_rules(stage.round)

    def stands(hand: TieHand, chips: Mapping[str, int]) -> str:
        deal = stage.deals[hand.number]
        codes = _codes(stage, deal)
        no = covered(rules, deal, {box: chips[codes[box]] for box in deal.bets})
        return f"it could not have been bet: {no.message.removesuffix('.')}" if no else ""

    play = tie_play(
        stage.terms,
        sorted(hands, key=lambda hand: hand.number),
        stage.moves,
        as_was=stage.play,
        corrected=number,
        stands=stands,
    )
    return Again(stage, deal, play)


def _corrected(stage: Stage, number: int, outcome: Outcome | None) -> TieHand | None:
    if outcome is None:
        return None
    was = next(hand for hand in stage.hands if hand.number == number)
    codes = _codes(stage, stage.deals[number])
    return replace(was, nets={codes[str(box)]: net for box, net in outcome.nets.items()})


def _codes(stage: Stage, deal: Deal) -> dict[str, str]:
    stacks = stage.round.stacks.select_related("entry")
    by_id = {stack.entry_id: stack.entry.code for stack in stacks}
    return {box: by_id[entry] for box, entry in deal.entries.items()}
