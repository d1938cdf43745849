"""Read the public page of an entry: its seats, its posted results, its own hands of closed rounds.

Of an open round only the seat is read here. Its stack comes from the snapshot of the standings, as the
leaderboard shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.public.reads.results import ResultRow, posted_results
from pages.public.reads.shown import rows_of
from pages.replay import BoxPicture, Replay, Step, cards_replay
from pages.words.replay import (
    BoxTotal,
    box_label,
    hand_shown,
    outcome_words,
    settlement,
    step_note,
    step_title,
)
from pages.words.standings import StateText, remark_words
from tables.models import Deal, Seat
from tables.selectors.records import BoxLine, recorded_hand
from tournament.models import ChipEntry, ChipTransaction, Entry, Event, Posting, Round, Stack
from tournament.selectors.replacements import left_words
from tournament.selectors.stages import NOT_RANKED

Json = dict[str, Any]


@dataclass(frozen=True)
class OwnHand:
    """One hand of the entry: its box, bet, and chips before and after; None if they are unknown.

    No stacks are shown for a void hand: it moves no chips, and corrections of earlier hands do not update its
    stacks.
    """

    deal: Deal
    box: int

    @property
    def is_void(self) -> bool:
        """Whether every bet went back."""
        return self.deal.status == Deal.Status.VOID

    @property
    def bet_chips(self) -> int:
        """The bet before any decision."""
        return int(self.deal.bets[str(self.box)])

    @property
    def net_chips(self) -> int | None:
        """The chips that the hand won or lost."""
        net: Mapping[str, int] = (self.deal.answer or {}).get("net", {})
        return None if self.is_void else net.get(str(self.box))

    @property
    def before_chips(self) -> int | None:
        """The stack before the hand."""
        return None if self.is_void else (self.deal.stacks or {}).get(str(self.box))

    @property
    def after_chips(self) -> int | None:
        """The stack after the hand."""
        if self.before_chips is None:
            return None
        return self.before_chips + (self.net_chips or 0)


@dataclass(frozen=True)
class OwnRound:
    """One stage in which the entry was seated; ``result`` and ``hands`` once its result is posted.

    ``ruled_chips``: the chips that rulings on the count and penalties moved.
    """

    round: Round
    seat: Seat | None
    is_closed: bool
    result: ResultRow | None
    hands: tuple[OwnHand, ...]
    ruled_chips: int


@dataclass(frozen=True)
class EntryPage:
    """The page of an entry: its row of the standings and every stage that it played, latest first.

    ``left``: how the entry left the event, empty if it has not.
    """

    left: StateText
    row: Json | None
    rounds: tuple[OwnRound, ...]


def entry_public(event: Event, code: str) -> Entry | None:
    """Return the entry with this code if public pages may name it: it is in the event, or was seated."""
    here = Q(status__in=(Entry.Status.LIVE, Entry.Status.WAITING)) | Q(stacks__isnull=False)
    return event.entries.filter(here, code=code).select_related("player").distinct().first()


def left_unseated(event: Event, code: str) -> str:
    """Return the status of an entry that public pages do not name; empty if there is no entry."""
    return event.entries.filter(code=code).values_list("status", flat=True).first() or ""


def entry_page(event: Event, entry: Entry, body: Json) -> EntryPage:
    """Return the page of an entry; ``body``: the standings as the leaderboard shows them now."""
    rows = rows_of(body)
    # Entries that are not seated, or whose chips are not shown, have no chips in the body.
    row = next((each for each in rows if each["code"] == entry.code and _has_chips(each)), None)
    posted = _results(event, entry)
    sat = _seats(entry)
    hands, ruled = _hands(entry, sat), _ruled_chips(entry)
    seats = {seat.round_id: seat for seat in sat}
    rounds = event.rounds.filter(stacks__entry=entry).select_related("parent").order_by("-id")
    own = (
        OwnRound(
            each,
            seats.get(each.pk),
            is_posted(each),
            posted.get(each.number) if each.kind == Round.Kind.ROUND else None,
            tuple(hand for hand in hands if hand.deal.shoe.round_id == each.pk),
            ruled.get(each.pk, 0),
        )
        for each in rounds
    )
    # A player who never arrived, or left before the first hand, has not played the round (T6, T25).
    left = set(entry.stacks.filter(state__in=NOT_RANKED).values_list("round", flat=True))
    played = tuple(
        each
        for each in own
        if each.hands or each.round.pk not in left or (not each.is_closed and _dealt(entry, each.seat))
    )
    return EntryPage(remark_words(left_words([entry])[entry.pk]), row, played)


def _ruled_chips(entry: Entry) -> dict[int, int]:
    """Map round ids to the chips that rulings on the count and penalties moved, net of reversals."""
    legs = ChipEntry.objects.filter(stack__entry=entry).order_by()
    kind = Coalesce("transaction__reverses__kind", "transaction__kind")
    legs = legs.alias(of=kind).filter(of__in=(ChipTransaction.Kind.COUNT, ChipTransaction.Kind.PENALTY))
    return dict(legs.values_list("stack__round").annotate(Sum("amount_chips")))


def _dealt(entry: Entry, seat: Seat | None) -> bool:
    """Whether a hand was dealt at the entry's table, shown yet or not."""
    if seat is None:
        return False
    at = {str(seat.box): entry.pk}
    return Deal.objects.filter(
        shoe__round=seat.round_id, shoe__table=seat.table_id, entries__contains=at
    ).exists()


def _has_chips(row: Json) -> bool:
    return row.get("stack_chips") is not None


def is_posted(round_: Round) -> bool:
    """Whether the result of a stage is posted: it, and for a play-off its round, is closed."""
    closed = Round.Status.CLOSED
    return round_.status == closed and (round_.parent is None or round_.parent.status == closed)


def _results(event: Event, entry: Entry) -> dict[int, ResultRow]:
    """Map round numbers to the entry's row in the result in force, with a remark if it moved up since."""
    found = {
        each.posting.number: row
        for each in posted_results(event, [Posting.Kind.RESULT], prizes=False)
        if each.live and "final" not in each.posting.body
        for row in each.rows
        if row.code == entry.code
    }
    out = [number for number, row in found.items() if row.outcome == Stack.Outcome.CUT]
    went_on = entry.stacks.filter(
        round__kind=Round.Kind.ROUND, round__number__in=out, outcome=Stack.Outcome.ADVANCED
    )
    for number in went_on.values_list("round__number", flat=True):
        # T25: a replacement was out when the result was posted.
        words = (*found[number].words, StateText(_("moved up for another player since"), "moved_up"))
        found[number] = replace(found[number], words=words)
    return found


def _seats(entry: Entry) -> list[Seat]:
    """Return the seats of the entry, given-up ones first, so that its present seat is the last."""
    found = Seat.objects.filter(entry=entry).select_related("table", "round__parent")
    return sorted(found, key=lambda seat: (seat.vacated_at is None, seat.pk))


# -- Hands -------------------------------------------------------------------------------------------------


def _hands(entry: Entry, seats: Iterable[Seat]) -> list[OwnHand]:
    """Return the hands with a bet of the entry in rounds with posted results, in order."""
    found = _deals(entry, seats).order_by("shoe__round_id", "shoe__number", "number", "id")
    return [hand for deal in found if (hand := _own(entry, deal)) is not None]


def _deals(entry: Entry, seats: Iterable[Seat]) -> QuerySet[Deal]:
    """Return the settled and void hands at the entry's seats in rounds with posted results."""
    wanted = Q(pk__in=())
    for seat in seats:
        if is_posted(seat.round):
            at = {str(seat.box): entry.pk}
            wanted |= Q(shoe__round=seat.round_id, shoe__table=seat.table_id, entries__contains=at)
    found = Deal.objects.filter(wanted, status__in=(Deal.Status.SETTLED, Deal.Status.VOID))
    return found.select_related("shoe__table", "shoe__round")


def _own(entry: Entry, deal: Deal) -> OwnHand | None:
    boxes = (box for box, pk in deal.entries.items() if pk == entry.pk and box in deal.bets)
    box = next(boxes, None)
    return OwnHand(deal, int(box)) if box else None


@dataclass(frozen=True)
class HandPage:
    """One hand of an entry at one step. ``stage`` is empty if no cards can be shown.

    Then ``results`` has its hands: cards, result in words, net chips. ``before_pk``, ``after_pk``: the ids of
    the entry's previous and next hands.
    """

    hand: OwnHand
    results: tuple[Json, ...]
    stage: Json
    before_pk: int | None
    after_pk: int | None


def hand_page(event: Event, entry: Entry, pk: int, at: int) -> HandPage | None:
    """Return a hand of the entry after step ``at``; None if there is no such hand or step to show."""
    hands = _hands(entry, _seats(entry))
    where = next((n for n, each in enumerate(hands) if each.deal.pk == pk), None)
    if where is None:
        return None
    hand = hands[where]
    film = _film(hand)
    steps = [each for each in film.steps if each.box in (None, hand.box)] if film else []
    if at > max(len(steps) - 1, 0):
        return None
    line = next(each for each in recorded_hand(event, hand.deal).boxes if each.box == hand.box)
    return HandPage(
        hand,
        _line_results(line),
        _stage(film, steps, hand.box, at) if film and steps else {},
        hands[where - 1].deal.pk if where else None,
        hands[where + 1].deal.pk if where + 1 < len(hands) else None,
    )


def _line_results(line: BoxLine) -> tuple[Json, ...]:
    """Return the hands of a box, each with its result in words."""
    return tuple(
        {"cards": each.cards, "result": each.word, "words": outcome_words(each), "net": each.net_chips}
        for each in line.hands
    )


def _film(hand: OwnHand) -> Replay | None:
    """Return the replay of a hand; None if it is void, without recorded cards, or cannot be replayed."""
    try:
        return None if hand.is_void else cards_replay(hand.deal.record)
    except Refused:
        # Recorded by an older engine: show only its result.
        return None


def _stage(film: Replay, steps: list[Step], box: int, at: int) -> Json:
    """Return one step of a hand for the template: only the player's own box and the dealer."""
    step, last = steps[at], len(steps) - 1
    total = next((each for each in settlement(film) if each.box == box), None) if at == last else None
    picture = next((each for each in step.boxes if each.box == box), None)
    return {
        "at": at,
        "last": last,
        "before": at - 1 if at else None,
        "after": at + 1 if at < last else None,
        "kind": step.kind,
        "title": step_title(step),
        "note": step_note(step),
        "dealer": {"cards": step.dealer, "total": step.dealer_total},
        "box": _box(picture, step, box, total) if picture else None,
        "total": total,
        # Leave the cards out: cards that are not dealt yet must stay hidden.
        "steps": [{"number": n, "title": step_title(each)} for n, each in enumerate(steps)],
    }


def _box(picture: BoxPicture, step: Step, box: int, total: BoxTotal | None) -> Json:
    lit = step.box == box
    label, tone = box_label(picture, total)
    return {
        "hands": [
            hand_shown(hand, active=lit and at == step.hand) | {"bet_chips": hand.bet_chips}
            for at, hand in enumerate(picture.hands)
        ],
        "insurance_chips": picture.insurance_chips,
        "label": label,
        "tone": tone,
    }
