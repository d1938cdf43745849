"""A hand of a play-off or sudden death put right: the stage is looked at again from there (T17, T23, T33).

The stage is played again twice from its hands: as it was, which must come to what is there, and with the hand
as it should have been. What differs is what changes: stacks, who is decided, later hands that do not stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.models import Deal, Seat
from tables.selectors.floor import house_rules
from tables.selectors.tie_played import LOOKED, Stage
from tournament.engine.tie_again import OTHERS, OVER, TOO_FEW, ChipPosting, TieHand, TiePlay, tie_play
from tournament.models import ChipTransaction, Penalty, Stack
from tournament.services.chips import ChipMove, chips_rewrite, felt_keep
from tournament.services.journal import Command
from tournament.services.rounds import tie_stage_set
from tournament.services.status import status_move

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


# Carried out ----------------------------------------------------------------------------------------


def again_carry_out(cmd: Command, again: Again, made: Deal, *, seats_stand: bool = False) -> None:
    """Make the stage what it comes to: chips, later hands, who is decided, and whether it goes on.

    ``made`` is the corrected hand, recorded already. ``seats_stand``: who won stays as it was, because they
    sit in a later round (faults); only the hand and its chips are put right.
    """
    stage, play = again.stage, again.play
    stacks = {s.entry.code: s for s in stage.round.stacks.select_related("entry").select_for_update()}
    reverse, post = _postings(cmd, again, made, stacks)
    for deal, why in again.void:
        _void(cmd, deal, why)
    dropped, undone = _dropped(cmd, again)
    reverse += undone
    cmd.note(penalties_cancelled=[penalty.pk for penalty in dropped])
    if seats_stand:
        left = {code: play.chips[code] for code in play.in_play if play.chips[code]}
        post += [_move(ChipPosting(False, left), stacks, f"round:{stage.round.pk}")]
    felt = {stack: stack.chips - stack.due_chips for stack in stacks.values()}
    chips_rewrite(cmd, reverse=reverse, post=post, due=False)
    if seats_stand:
        _ended_set(again, made, stacks)
        return
    _stacks_set(again, made, stacks)
    _later_hands(again)
    _looked_set(stage, play)
    lift = stage.ruling if stage.play.ruled and not play.ruled else None
    tie_stage_set(cmd, stage.round, seats=play.seats, groups=play.groups, over=play.over, lift_ruling=lift)
    _leave_seats(cmd, again)
    felt_keep(felt)


def _postings(
    cmd: Command, again: Again, made: Deal, stacks: Mapping[str, Stack]
) -> tuple[list[ChipTransaction], list[ChipMove]]:
    """What is reversed, and what is posted in its place; what both have in common at the start stays."""
    stage, play = again.stage, again.play
    source = f"round:{stage.round.pk}"
    standing = ChipTransaction.objects.filter(event=cmd.event, reversed_by__isnull=True)
    there = list(standing.filter(source=source, kind__in=[Kind.ISSUE, Kind.RETURN]).order_by("pk"))
    same = 0
    for old, new in zip(stage.play.postings, play.postings, strict=False):
        if old != new:
            break
        same += 1
    wrong = [again.deal, *(deal for deal, _ in again.void)]
    hands = standing.filter(source__in=[f"deal:{deal.pk}" for deal in wrong], kind=Kind.DEAL)
    codes = _codes(stage, again.deal)
    nets = {stacks[codes[box]]: net for box, net in (made.answer or {"net": {}})["net"].items()}
    post = [ChipMove(Kind.DEAL, nets, f"deal:{made.pk}")]
    post += [_move(posting, stacks, source) for posting in play.postings[same:]]
    # T26: what the disqualified had in front as they left was handed in, and is another amount now.
    more = {code: play.left.get(code, 0) - stage.play.left.get(code, 0) for code in stacks}
    post.append(ChipMove(Kind.RETURN, {stacks[code]: -chips for code, chips in more.items()}, "follows"))
    return [*hands, *there[same:]], post


def _dropped(cmd: Command, again: Again) -> tuple[list[Penalty], list[ChipTransaction]]:
    """Cancel the penalties that do not stand (T26); what they had taken is reversed with the rest."""
    found = again.dropped
    for penalty, why in found:
        penalty.cancelled_at, penalty.cancel_reason = cmd.at, f"after a correction of the tie {why}"
        penalty.save(update_fields=["cancelled_at", "cancel_reason"])
    sources = [f"penalty:{penalty.pk}" for penalty, _ in found]
    taken = ChipTransaction.objects.filter(event=cmd.event, source__in=sources, kind=Kind.PENALTY)
    return [penalty for penalty, _ in found], list(taken.filter(reversed_by__isnull=True))


def _move(posting: ChipPosting, stacks: Mapping[str, Stack], source: str) -> ChipMove:
    sign = 1 if posting.issue else -1
    chips = {stacks[code]: sign * each for code, each in posting.chips.items()}
    return ChipMove(Kind.ISSUE if posting.issue else Kind.RETURN, chips, source)


def _void(cmd: Command, deal: Deal, why: str) -> None:
    """A later hand that does not stand: its number stays used, every bet goes back (T17)."""
    status_move(deal, Deal.Status.REVERSED)
    Deal.objects.create(
        shoe=deal.shoe,
        number=deal.number,
        status=Deal.Status.VOID,
        mode=deal.mode,
        button_box=deal.button_box,
        bets=deal.bets,
        stacks=deal.stacks,
        entries=deal.entries,
        corrects=deal,
        reason=f"after a correction of the tie {why}"[:200],
        opened_by=cmd.actor,
        opened_at=cmd.at,
        closed_at=cmd.at,
    )


def _ended_set(again: Again, made: Deal, stacks: Mapping[str, Stack]) -> None:
    """What each ended the play-off with; who won it stands."""
    last = _last_nets(again, made)
    for code, stack in stacks.items():
        stack.last_change_chips = last.get(code)
        if stack.closed_chips is not None:
            stack.closed_chips = again.play.chips[code]
    Stack.objects.bulk_update(stacks.values(), ["closed_chips", "last_change_chips"])
    _later_hands(again)


def _leave_seats(cmd: Command, again: Again) -> None:
    """Who was disqualified since the close does not sit in a tie that goes on after all (T26)."""
    seats = Seat.objects.filter(round=again.stage.round, vacated_at__isnull=True)
    seats.filter(entry__code__in=again.play.gone - set(again.play.decided)).update(vacated_at=cmd.at)


def _stacks_set(again: Again, made: Deal, stacks: Mapping[str, Stack]) -> None:
    play, away = again.play, again.stage.absent_last
    last = _last_nets(again, made)
    for code, stack in stacks.items():
        found, gone = play.decided.get(code), code in play.out
        if found is not None:
            stack.closed_chips, stack.outcome, stack.place = play.chips[code], found.outcome, found.place
            stack.state = Stack.State.DISQUALIFIED if gone else Stack.State.SETTLED
        else:
            if code in play.gone:
                stack.state = Stack.State.DISQUALIFIED
            elif stack.state == Stack.State.SETTLED:
                stack.state = Stack.State.ABSENT if code in away else Stack.State.PLAYING
            stack.closed_chips, stack.outcome, stack.place = None, "", None
        stack.last_change_chips = last.get(code)
    fields = ["closed_chips", "outcome", "place", "state", "last_change_chips"]
    Stack.objects.bulk_update(stacks.values(), fields)


def _last_nets(again: Again, made: Deal) -> dict[str, int]:
    """What the last hand that stands did to each stack; ``made`` is the corrected one."""
    found: dict[str, int] = {}
    number, codes = again.stage.number_of(again.deal), _codes(again.stage, again.deal)
    for hand in again.stage.hands:
        if hand.number == number:
            found |= {codes[box]: net for box, net in (made.answer or {"net": {}})["net"].items()}
        elif hand.number not in again.play.void:
            found |= hand.nets
    return found


def _later_hands(again: Again) -> None:
    """The stacks before the later hands that stand, as they now follow."""
    number = again.stage.number_of(again.deal)
    for each, deal in again.stage.deals.items():
        if each > number and each not in again.play.void:
            codes, before = _codes(again.stage, deal), again.play.before[each]
            Deal.objects.filter(pk=deal.pk).update(stacks={box: before[codes[box]] for box in deal.stacks})


def _looked_set(stage: Stage, play: TiePlay) -> None:
    looked = {
        key: {str(table): hands for table, hands in tables.items()} for key, tables in play.looked.items()
    }
    stage.round.stakes = {**stage.round.stakes, LOOKED: looked}
