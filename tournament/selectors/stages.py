"""What comes next in an event, and who stands where at a cut: reads only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field

from tournament.engine import settings as event_settings
from tournament.engine.advance import Advance, Advanced, Decided, advance
from tournament.engine.ranking import Ranked, RoundResult, Standing, final_places, rank, result_of
from tournament.engine.ties import Fought, TieGroup, fought_out, money_ties
from tournament.models import Entry, Event, PayoutStructure, Round, Stack
from tournament.selectors.floor import floor

Kind = Round.Kind
# Stacks in these states were never played, or were given up: they are not ranked (T6, T25).
NOT_RANKED = (Stack.State.NO_SHOW, Stack.State.WITHDRAWN)
SEATED_STATES = (Stack.State.PLAYING, Stack.State.ABSENT)


@dataclass(frozen=True)
class Stage:
    """The stage that has to be seated next: who plays it, and what for."""

    number: int
    kind: str
    entries: tuple[Entry, ...]
    purpose: str
    parent: Round | None = None
    stakes: dict[str, object] = field(default_factory=dict)

    @property
    def late_seated(self) -> bool:
        """Whether a player who buys in after the lock can be seated in this round: only in round 1 (T6)."""
        return self.kind == Round.Kind.ROUND and self.number == 1


@dataclass(frozen=True)
class TieRuling:
    """A ruling on a tie at the cut (T23): the entries it was about, who of them advances, and why.

    ``seq`` is its entry in the journal, 0 where that was not kept. ``used``: the round was closed with it;
    ``lifted``: a correction came to another tie, so that it counts no more.
    """

    tied: tuple[str, ...]
    advance: tuple[str, ...]
    reason: str
    seq: int = 0
    used: bool = False
    lifted: bool = False


@dataclass(frozen=True)
class RoundCut:
    """The cut of a counted round: ``cut`` with its ties settled where that is done; ``open_tie`` if not.

    ``ruled`` are the rulings that it was settled by, ``method`` says how an open tie is decided (T23).
    """

    cut: Advanced
    ranked: tuple[Ranked, ...]
    method: str = ""
    ruled: tuple[TieRuling, ...] = ()

    @property
    def open_tie(self) -> bool:
        """Whether some are level at the cut, and nothing has decided which of them go on."""
        return bool(self.cut.ties)

    @property
    def tie_winners(self) -> frozenset[str]:
        """The entries that go on because a tie was decided."""
        return frozenset(code for each in self.cut.settled for code in each.winners)


def main_rounds(event: Event) -> list[Round]:
    """The rounds of the plan that have been seated, in order (F1)."""
    return list(event.rounds.filter(kind=Kind.ROUND).order_by("number"))


def current_round(event: Event) -> Round | None:
    """The stage that is being played: the unclosed play-off if there is one, else the unclosed round."""
    unclosed = list(event.rounds.exclude(status=Round.Status.CLOSED))
    return next((r for r in unclosed if r.kind == Kind.PLAY_OFF), unclosed[0] if unclosed else None)


def round_stacks(round_: Round) -> list[Stack]:
    """The stacks that are ranked in a round."""
    stacks = round_.stacks.select_related("entry__player").exclude(state__in=NOT_RANKED)
    return list(stacks.order_by("entry__number"))


def standings_of(stacks: Iterable[Stack]) -> list[Standing]:
    """The stacks of one round as the engine ranks them: those of closed rounds as they were frozen."""
    stacks = list(stacks)
    unplayed = _out_without_hand(stacks)
    return [
        Standing(
            s.entry.code,
            s.chips if s.closed_chips is None else s.closed_chips,
            s.state == Stack.State.DISQUALIFIED,
            s.pk in unplayed,
        )
        for s in stacks
    ]


def without_hand(stacks: Iterable[Stack]) -> set[int]:
    """The ids of those stacks of a round whose players have played no hand of it (T15).

    While the round is played only an absent player: all others still have their first hand to come. Once it
    is counted every player without a hand; at a table where no hand was dealt only an absent one. Empty
    where hands are not recorded. A hand that a correction made void was not played (T17).
    """
    # Whose last hand moved the stack has played; a push says nothing, nor does a hand that was made void.
    unplayed = [s for s in stacks if s.state in SEATED_STATES and not s.last_change_chips]
    round_ = unplayed[0].round if unplayed else None
    if round_ is None or round_.kind != Kind.ROUND:
        return set()
    if round_.event.settings.record_mode != event_settings.HANDS:
        return set()
    if round_.status in (Round.Status.SEATED, Round.Status.PLAYING):
        unplayed = [s for s in unplayed if s.state == Stack.State.ABSENT]
    bettors = floor().bettors(round_.pk) if unplayed else ()
    unplayed = [s for s in unplayed if s.entry_id not in bettors]
    absent = {s.pk for s in unplayed if s.state == Stack.State.ABSENT}
    there = [s for s in unplayed if s.pk not in absent]
    if not there:
        return absent
    seats = floor().seats([round_.pk])
    dealt = {table for (_round, entry), (table, _box) in seats.items() if entry in bettors}
    return absent | {s.pk for s in there if seats.get((round_.pk, s.entry_id), (0, 0))[0] in dealt}


def _out_without_hand(stacks: Sequence[Stack]) -> set[int]:
    """As ``without_hand``; nobody where the posted rules rank such a stack like every other (T15)."""
    found = without_hand(stacks)
    if found and stacks[0].round.event.settings.no_hand == event_settings.RANKED:
        return set()
    return found


def round_cut(round_: Round, standings: Sequence[Standing] | None = None) -> RoundCut:
    """Return the cut of a counted round (T20), its tie settled as the settings of the event say (T23).

    The last round cuts nobody: everybody is ranked. ``standings``: its stacks, where they are known.
    """
    standings = standings_of(round_stacks(round_)) if standings is None else standings
    ranked, method = tuple(rank(standings)), ""
    found = _cut_of(round_, standings)
    decided = _decided(round_, ranked) if found.ties else {}
    if decided:
        found = _cut_of(round_, standings, decided)
    while found.ties:
        method = _tie_method(round_, found)
        if method != event_settings.ALL_ADVANCE:
            break
        level = frozenset(found.level)
        decided[Decided(level, level)] = None
        found = _cut_of(round_, standings, decided)
    ruled = tuple(ruling for each in found.settled if (ruling := decided[each]))
    return RoundCut(found, ranked, method, ruled)


def _cut_of(round_: Round, standings: Iterable[Standing], decided: Collection[Decided] = ()) -> Advanced:
    rule, least = round_.plan.advance or Advance(), round_.event.format.least_to_advance(round_.number)
    return advance(rule, [{1: [each.finish for each in standings]}], least, decided)


def stage_chips(round_: Round) -> int:
    """The equal stack that a stage is played with, in chips; in a round what its plan gives each (F4)."""
    settings = round_.event.settings
    if round_.kind == Kind.PLAY_OFF:
        return settings.play_off_chips
    if round_.kind == Kind.SUDDEN_DEATH:
        return settings.sudden_death_chips
    stack_chips = round_.plan.stack_chips
    assert stack_chips is not None, "where stacks are carried nobody gets an equal one"
    return stack_chips


def _tie_method(round_: Round, found: Advanced) -> str:
    """How the tie at this cut is decided (T23).

    All advance only where there are boxes for all; otherwise it is played off, and once that has begun it
    stays so.
    """
    method: str = round_.event.settings.tie_at_cut
    if method != event_settings.ALL_ADVANCE:
        return method
    boxes = floor().capacity(round_.event)
    fits = boxes is None or len(found.through) + len(found.level) <= boxes
    return method if fits and not round_.play_offs.exists() else event_settings.PLAY_OFF


def rulings_kept(round_: Round) -> list[TieRuling]:
    """Every ruling on a tie at the cut of a round, in the order in which they were made (T23)."""
    kept = round_.stakes.get("rulings")
    if kept is None:
        # Before all of them were kept there was room for one, and for one that was lifted.
        before = {"ruling_lifted": True, "ruling": False}
        made = [(round_.stakes[name], lifted) for name, lifted in before.items() if round_.stakes.get(name)]
        kept = [{**ruling, "used": not lifted, "lifted": lifted} for ruling, lifted in made]
    return [
        TieRuling(
            tuple(each["tied"]),
            tuple(each["advance"]),
            each["reason"],
            each.get("seq", 0),
            each.get("used", False),
            each.get("lifted", False),
        )
        for each in kept
    ]


def ruling_to_dict(ruling: TieRuling) -> dict[str, object]:
    """A ruling as it is kept in ``Round.stakes``."""
    return {**asdict(ruling), "tied": list(ruling.tied), "advance": list(ruling.advance)}


def _decided(round_: Round, ranked: Iterable[Ranked]) -> dict[Decided, TieRuling | None]:
    """Return what has decided ties of a round, the latest first: rulings, then play-offs (T23).

    Who has left since takes nothing from the others (T26).
    """
    in_it, found = _in_it(round_, ranked), dict[Decided, TieRuling | None]()
    for ruling in reversed(rulings_kept(round_)):
        if not ruling.lifted:
            found.setdefault(Decided(in_it & set(ruling.tied), in_it & set(ruling.advance)), ruling)
    for play_off in round_.play_offs.filter(status=Round.Status.CLOSED).order_by("-sequence"):
        outcomes = dict(play_off.stacks.values_list("entry__code", "outcome"))
        won = {code for code, outcome in outcomes.items() if outcome == Stack.Outcome.ADVANCED}
        found.setdefault(Decided(in_it.intersection(outcomes), in_it & won), None)
    return found


def _in_it(round_: Round, ranked: Iterable[Ranked]) -> frozenset[str]:
    """Return the entries that can be in the tie of a round; once closed, also those that left since."""
    if round_.status == Round.Status.CLOSED:
        return frozenset(each.entry for each in ranked if not each.out_of_play)
    live = Entry.objects.filter(event=round_.event_id, status=Entry.Status.LIVE)
    return frozenset(live.values_list("code", flat=True))


def live_payouts(event: Event) -> PayoutStructure | None:
    """The payout structure in force (T31), if one is posted."""
    return PayoutStructure.objects.filter(event=event, status=PayoutStructure.Status.LIVE).first()


def places_so_far(event: Event) -> list[Ranked]:
    """Everybody's place from the rounds that are closed (T20, T23, T26), sudden death applied (T34)."""
    return _fought_out(event)[0]


def _fought_out(event: Event) -> tuple[list[Ranked], list[tuple[Round, frozenset[str]]]]:
    """The places, and every sudden death that has decided some with the entries whose tie it was about."""
    placed = Stack.objects.filter(round__event=event, round__kind=Kind.SUDDEN_DEATH, place__isnull=False)
    stages, places = dict[int, Round](), dict[int, dict[str, int]]()
    for stack in placed.select_related("entry", "round").order_by("round_id"):
        stack.round.event = event
        stages[stack.round_id] = stack.round
        places.setdefault(stack.round_id, {})[stack.entry.code] = stack.place or 0
    fought = [
        Fought(tuple(frozenset(group.entries) for group in groups_opened(each)), places[pk])
        for pk, each in stages.items()
    ]
    found, about = fought_out(places_of_rounds(event), fought)
    return found, list(zip(stages.values(), about, strict=True))


def place_in_event(event: Event, entry: Entry) -> Ranked | None:
    """The place of an entry in the event: as decided, or of who is out as it stands (T20).

    Who has left is out as well where a round that is closed has ranked the entry; of who is disqualified in
    a round that is played ``place_shown`` knows more. None while it is in, and once the event is called off
    (T8).
    """
    if entry.place is not None:
        return Ranked(entry.code, entry.final_chips or 0, entry.place, entry.place_tied)
    cut = Stack.objects.filter(entry=entry, round__kind=Kind.ROUND, outcome=Stack.Outcome.CUT)
    out = entry.status not in (Entry.Status.LIVE, Entry.Status.WAITING) or cut.exists()
    if event.status != Event.Status.RUNNING or not out:
        return None
    return next((ranked for ranked in places_so_far(event) if ranked.entry == entry.code), None)


def places_of_rounds(event: Event) -> list[Ranked]:
    """As ``places_so_far``, before any sudden death: who is tied for money stands level."""
    rounds = main_rounds(event)
    # One reading for all rounds: places are asked for more often than anything else.
    ranked = Stack.objects.filter(round__in=rounds).exclude(state__in=NOT_RANKED)
    of_round: dict[int, list[Stack]] = {each.pk: [] for each in rounds}
    by_id = {each.pk: each for each in rounds}
    for stack in ranked.select_related("entry").order_by("entry__number"):
        stack.round = by_id[stack.round_id]
        of_round[stack.round_id].append(stack)
    results, played_on = list[RoundResult](), set[str]()
    for each in reversed(rounds):
        if each.status == Round.Status.CLOSED:
            results.insert(0, round_result(each, of_round[each.pk], played_on))
        played_on.update(stack.entry.code for stack in of_round[each.pk])
    return final_places(results)


def round_result(
    round_: Round, stacks: Collection[Stack], played_on: Collection[str] | None = None
) -> RoundResult:
    """Return a closed round with who has gone on from it, as it stands now (T25, T26).

    ``stacks``: those that are ranked in it; ``played_on``: who is ranked in a later one, where that is known.
    """
    status = {stack.entry.code: stack.entry.status for stack in stacks}
    return result_of(
        standings_of(stacks),
        [stack.entry.code for stack in stacks if stack.outcome == Stack.Outcome.ADVANCED],
        {code for code, each in status.items() if each == Entry.Status.LIVE},
        [code for code, each in status.items() if each == Entry.Status.DISQUALIFIED],
        _played_on(round_) if played_on is None else played_on,
    )


def _played_on(round_: Round) -> set[str]:
    later = Stack.objects.filter(
        round__event=round_.event_id, round__kind=Kind.ROUND, round__number__gt=round_.number
    )
    return set(later.exclude(state__in=NOT_RANKED).values_list("entry__code", flat=True))


def open_money_ties(event: Event, prizes_cents: Sequence[int] | None = None) -> list[TieGroup]:
    """The ties for money that are not decided yet (T33); none before a structure is posted.

    ``prizes_cents``: by other prizes than those in force, to see what they would come to.
    """
    payouts = live_payouts(event)
    if payouts is None:
        return []
    prizes_cents = payouts.prizes_cents if prizes_cents is None else prizes_cents
    # T33: a group that was absent from its sudden death is still tied, and its prizes are split.
    places, fought = _fought_out(event)
    away = _absent_from_it(fought)
    return [g for g in money_ties(places, prizes_cents) if not away.issuperset(g.entries)]


def _absent_from_it(fought: Iterable[tuple[Round, frozenset[str]]]) -> set[str]:
    """Return the entries absent from a sudden death that is over; all where its looks were not kept."""
    away: set[str] = set()
    for stage, about in fought:
        if stage.status != Round.Status.CLOSED:
            continue
        outcomes = stage.stacks.filter(outcome=Stack.Outcome.RANKED)
        ranked = about.intersection(outcomes.values_list("entry__code", flat=True))
        looks = stage.stakes.get("looks")
        away |= ranked if looks is None else ranked & {code for look in looks for code in look["absent"]}
    return away


def groups_opened(sudden_death: Round) -> list[TieGroup]:
    """The ties that a sudden death was opened for, whatever it has decided since."""
    kept = sudden_death.stakes.get("opened")
    if kept is not None:
        return [group_from_dict(data) for data in kept]
    payouts = live_payouts(sudden_death.event)
    if payouts is None:
        return []
    in_it = set(sudden_death.stacks.values_list("entry__code", flat=True))
    ties = money_ties(places_of_rounds(sudden_death.event), payouts.prizes_cents)
    return [group for group in ties if in_it.issuperset(group.entries)]


def play_is_over(event: Event) -> bool:
    """Whether no further round can be played: the last one is closed, or fewer than two are left in."""
    rounds = main_rounds(event)
    if not rounds or rounds[-1].status != Round.Status.CLOSED:
        return False
    return rounds[-1].number >= event.format.last or len(qualified(rounds[-1])) < 2


def qualified(round_: Round) -> list[Entry]:
    """Return the entries that advanced from a closed round and are still in the event, by entry number."""
    stacks = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED, entry__status=Entry.Status.LIVE)
    return [s.entry for s in stacks.select_related("entry__player").order_by("entry__number")]


def next_stage(event: Event) -> Stage | None:
    """The stage to seat next: a round, a play-off inside one, sudden death; None while one is played."""
    rounds = main_rounds(event)
    if not rounds:
        live = event.entries.filter(status=Entry.Status.LIVE).select_related("player")
        return Stage(1, Kind.ROUND, tuple(live.order_by("number")), "Seats for round 1")
    last = rounds[-1]
    if last.status == Round.Status.COUNTED:
        return _play_off_stage(last)
    if last.status != Round.Status.CLOSED or current_round(event) is not None:
        return None
    if not play_is_over(event):
        number = last.number + 1
        return Stage(number, Kind.ROUND, tuple(qualified(last)), f"Seats for round {number}")
    return _sudden_death_stage(event)


def _play_off_stage(round_: Round) -> Stage | None:
    found = round_cut(round_)
    if not found.open_tie or found.method != event_settings.PLAY_OFF:
        return None
    return Stage(
        round_.number,
        Kind.PLAY_OFF,
        _entries(round_.event, found.cut.level),
        f"Seats for the play-off of round {round_.number}",
        parent=round_,
        stakes={"contested": found.cut.seats},
    )


def _sudden_death_stage(event: Event) -> Stage | None:
    groups = open_money_ties(event)
    if not groups:
        return None
    entries = _entries(event, [code for group in groups for code in group.entries])
    return Stage(
        event.format.after_last,
        Kind.SUDDEN_DEATH,
        entries,
        "Seats for sudden death",
        stakes={key: [group_to_dict(group) for group in groups] for key in ("groups", "opened")},
    )


def _entries(event: Event, codes: Iterable[str]) -> tuple[Entry, ...]:
    return tuple(event.entries.filter(code__in=list(codes)).select_related("player").order_by("number"))


def group_to_dict(group: TieGroup) -> dict[str, list[int] | list[str]]:
    """A tie group as it is kept in ``Round.stakes``."""
    return {
        "places": list(group.places),
        "entries": list(group.entries),
        "prizes_cents": list(group.prizes_cents),
    }


def group_from_dict(data: dict[str, list]) -> TieGroup:  # type: ignore[type-arg]  # JSON from the column
    """The tie group that ``group_to_dict`` wrote."""
    return TieGroup(tuple(data["places"]), tuple(data["entries"]), tuple(data["prizes_cents"]))


def chips_are_out(event: Event) -> bool:
    """Whether chips are in front of anybody, which a calling off has handed in (T8, T24)."""
    return Stack.objects.filter(entry__event=event, chips__gt=0).exists()
