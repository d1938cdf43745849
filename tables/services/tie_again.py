"""A hand of a play-off or sudden death put right: the stage is looked at again from there (T17, T23, T33).

The stage is played again twice from its hands: as it was, which must come to what is there, and with the hand
as it should have been. What differs is what changes: stacks, who is decided, later hands that do not stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ground.refused import Refused
from tables.models import Deal, Seat, Shoe
from tables.selectors.floor import house_rules
from tournament.engine.tie_again import (
    OTHERS,
    OVER,
    ChipPosting,
    Looked,
    Terms,
    TieHand,
    TiePlay,
    tie_play,
)
from tournament.models import ChipTransaction, Round, Stack
from tournament.selectors.stages import TieRuling, groups_opened, rulings_kept
from tournament.services.chips import ChipMove, chips_rewrite
from tournament.services.journal import Command
from tournament.services.rounds import stage_chips, tie_stage_set
from tournament.services.status import status_move

from .hand import Outcome
from .ties import LOOKED, LOOKS
from .working import covered

Kind = ChipTransaction.Kind
WORDS = {
    OVER: "the tie was decided before it",
    OTHERS: "others would have been playing",
}


@dataclass(frozen=True)
class Stage:
    """A play-off or sudden death as it was played: its hands by their numbers, the first first."""

    round: Round
    terms: Terms
    hands: tuple[TieHand, ...]
    deals: dict[int, Deal]
    looks: tuple[Looked, ...]
    play: TiePlay
    ruling: TieRuling | None = None

    def number_of(self, deal: Deal) -> int:
        """The number of a hand in this stage."""
        return next(number for number, each in self.deals.items() if each.pk == deal.pk)

    def chips_before(self, deal: Deal) -> dict[str, int]:
        """The chips before a hand of those who were playing, by entry code."""
        return self.play.before[self.number_of(deal)]


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


# The stage as it was --------------------------------------------------------------------------------


def stage_of(round_: Round) -> Stage:
    """The stage as it was played. Raises Refused ``tie_not_replayed`` (409) where hands do not make it."""
    deals = _deals(round_)
    ruling, looks = _ruling(round_), _looks(round_)
    terms = _terms(round_, ruling)
    codes = {s.entry_id: s.entry.code for s in round_.stacks.select_related("entry")}
    hands = tuple(_hand(number, deal, codes) for number, deal in sorted(deals.items()))
    play = tie_play(terms, hands, looks)
    if not _is_what_is_there(play, round_):
        raise Refused(
            "tie_not_replayed",
            f"{round_} was decided by more than its hands: a ruling moved chips, or somebody left."
            " It cannot be looked at again; the director rules what is left.",
            status=409,
        )
    return Stage(round_, terms, hands, deals, looks, play, ruling)


def _deals(round_: Round) -> dict[int, Deal]:
    """The settled hands by the id under which each was first recorded: the order in which they were dealt."""
    deals = Deal.objects.filter(shoe__round=round_).select_related("shoe__table")
    by_id = {deal.pk: deal for deal in deals}
    found = {}
    for deal in by_id.values():
        first = deal
        while first.corrects_id is not None:
            first = by_id[first.corrects_id]
        if deal.status == Deal.Status.SETTLED:
            found[first.pk] = deal
    return found


def _hand(number: int, deal: Deal, codes: Mapping[int, str]) -> TieHand:
    at_box = {box: codes[entry] for box, entry in deal.entries.items()}
    nets = {at_box[box]: net for box, net in (deal.answer or {"net": {}})["net"].items()}
    return TieHand(number, deal.shoe.table_id, tuple(sorted(at_box.values())), nets)


def _ruling(round_: Round) -> TieRuling | None:
    """The ruling that ended a play-off which nobody was there to play (T23): the latest on its players."""
    in_it = set(round_.stacks.values_list("entry__code", flat=True))
    kept = rulings_kept(round_.parent) if round_.parent else []
    on_it = [each for each in kept if not each.lifted and set(each.tied) == in_it]
    return on_it[-1] if on_it else None


def _terms(round_: Round, ruling: TieRuling | None) -> Terms:
    settings = round_.event.settings
    seats = Seat.objects.filter(round=round_).order_by("pk").values_list("entry__code", "table_id")
    return Terms(
        tables=dict(seats),
        fresh_chips=stage_chips(round_),
        minimum_chips=settings.bet_min_chips,
        until=settings.sudden_death_until,
        seats=_seats_opened(round_) if round_.kind == Round.Kind.PLAY_OFF else 0,
        groups=tuple(groups_opened(round_)) if round_.kind == Round.Kind.SUDDEN_DEATH else (),
        ruled=frozenset(ruling.advance) if ruling else None,
    )


def _seats_opened(round_: Round) -> int:
    """For how many seats a play-off was opened: those that were won, and those that are still contested."""
    won = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).count()
    going_on = round_.status in (Round.Status.SEATED, Round.Status.PLAYING)
    return won + (int(round_.stakes["contested"]) if going_on else 0)


def _looks(round_: Round) -> tuple[Looked, ...]:
    kept = round_.stakes.get(LOOKS)
    if kept is None:
        # Before looks were kept: who is absent now was absent all the while.
        away = round_.stacks.filter(state=Stack.State.ABSENT).values_list("entry__code", flat=True)
        return (Looked(0, frozenset(away)),)
    return tuple(
        Looked(
            look["after"],
            frozenset(look["absent"]),
            look["asked"],
            tuple(look["prizes_cents"]) if "prizes_cents" in look else None,
        )
        for look in kept
    )


def _is_what_is_there(play: TiePlay, round_: Round) -> bool:
    for stack in round_.stacks.select_related("entry"):
        code = stack.entry.code
        if stack.state == Stack.State.SETTLED:
            found = play.decided.get(code)
            there = (stack.outcome, stack.place, stack.closed_chips)
            if found is None or (found.outcome, found.place, play.chips[code]) != there:
                return False
        elif code not in play.in_play or play.chips[code] != stack.chips:
            return False
    return True


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
    rules = house_rules(stage.round.event)

    def stands(hand: TieHand, chips: Mapping[str, int]) -> str:
        deal = stage.deals[hand.number]
        codes = _codes(stage, deal)
        no = covered(rules, deal, {box: chips[codes[box]] for box in deal.bets})
        return f"it could not have been bet: {no.message.removesuffix('.')}" if no else ""

    play = tie_play(
        stage.terms,
        sorted(hands, key=lambda hand: hand.number),
        stage.looks,
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
    if seats_stand:
        left = {code: play.chips[code] for code in play.in_play if play.chips[code]}
        post += [_move(ChipPosting(False, left), stacks, f"round:{stage.round.pk}")]
    chips_rewrite(cmd, reverse=reverse, post=post)
    if seats_stand:
        _ended_set(again, stacks)
        return
    _stacks_set(again, stacks)
    _later_hands(again)
    _looked_set(stage, play)
    lift = stage.ruling if stage.play.ruled and not play.ruled else None
    tie_stage_set(stage.round, seats=play.seats, groups=play.groups, over=play.over, lift_ruling=lift)
    if play.over:
        dealing = Shoe.objects.filter(round=stage.round, status=Shoe.Status.DEALING)
        dealing.update(status=Shoe.Status.OVER, ended_reason="the tie is decided", ended_at=cmd.at)


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
    return [*hands, *there[same:]], post


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


def _ended_set(again: Again, stacks: Mapping[str, Stack]) -> None:
    """What each ended the play-off with; who won it stands."""
    for code, stack in stacks.items():
        stack.closed_chips = again.play.chips[code]
    Stack.objects.bulk_update(stacks.values(), ["closed_chips"])
    _later_hands(again)


def _stacks_set(again: Again, stacks: Mapping[str, Stack]) -> None:
    play = again.play
    taken = [look for look in again.stage.looks if look.prizes_cents is None]
    away = taken[-1].absent if taken else frozenset[str]()
    last = _last_nets(again)
    for code, stack in stacks.items():
        found = play.decided.get(code)
        if found is not None:
            stack.closed_chips, stack.outcome, stack.place = play.chips[code], found.outcome, found.place
            stack.state = Stack.State.SETTLED
        else:
            if stack.state == Stack.State.SETTLED:
                stack.state = Stack.State.ABSENT if code in away else Stack.State.PLAYING
            stack.closed_chips, stack.outcome, stack.place = None, "", None
        stack.last_change_chips = last.get(code, stack.last_change_chips)
    fields = ["closed_chips", "outcome", "place", "state", "last_change_chips"]
    Stack.objects.bulk_update(stacks.values(), fields)


def _last_nets(again: Again) -> dict[str, int]:
    """What the last hand that stands did to each stack."""
    found: dict[str, int] = {}
    number = again.stage.number_of(again.deal)
    for hand in again.stage.hands:
        if hand.number != number and hand.number not in again.play.void:
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
