"""The closed sets of states in the stored standings; pages say each of them in their reader's language."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Headline(StrEnum):
    """How far an event is. With ``stage`` while a stage is seated: STAGE says nothing but that."""

    CALLED_OFF = "called_off"
    DESK_OPEN = "desk_open"
    SEATED = "seated"
    PLAYING = "playing"
    COUNTED = "counted"
    DECIDED = "decided"
    TIE = "tie"
    CLOSED = "closed"
    STAGE = "stage"
    FINAL = "final"
    PAID = "paid"


class Progress(StrEnum):
    """How far the tables of a stage are, by the hand that each has settled last.

    HAND: all tables alike; MOST: more than half of them; RANGE: from ``first`` to ``hand``; AT_MOST: some
    tables have settled none. On counts alone no hand is recorded: COUNTS (T18).
    """

    NONE = "none"
    COUNTING = "counting"
    COUNTS = "counts"
    NO_HAND = "no_hand"
    AT_MOST = "at_most"
    HAND = "hand"
    MOST = "most"
    RANGE = "range"


class Title(StrEnum):
    """What a section is called; a round that was played alone has no title."""

    ENTERED = "entered"
    WAITING = "waiting"
    STAGE = "stage"
    OUT = "out"
    PLAY_OFF = "play_off"
    PLAY_OFF_DECIDED = "play_off_decided"
    SUDDEN_DEATH = "sudden_death"
    SUDDEN_DEATH_DECIDED = "sudden_death_decided"
    FINAL = "final"


class Note(StrEnum):
    """What has to be said above the list."""

    CALLED_OFF = "called_off"
    REASON = "reason"
    NOBODY_CUT = "nobody_cut"


class Word(StrEnum):
    """What a list says of a player beside the name; NONE where the place says it all."""

    NONE = ""
    ABSENT = "absent"
    NO_HAND = "no_hand"
    ABSENT_NO_HAND = "absent_no_hand"
    WON_TIE = "won_tie"
    LOST_TIE = "lost_tie"
    CANNOT_BET = "cannot_bet"
    MONEY_TIE = "money_tie"
    SUDDEN_DEATH = "sudden_death"
    REPLACED = "replaced"
    TAKEN_OUT = "taken_out"
    WITHDREW = "withdrew"
    NO_SHOW = "no_show"
    DISQUALIFIED = "disqualified"


class GapState(StrEnum):
    """Where a player stands: against the cut, the first place, the tie that is played, or the end.

    Of a player who has left it is the ``Side`` of the ranking.
    """

    AHEAD = "ahead"
    BEHIND = "behind"
    SHORT = "short"
    LEVEL = "level"
    IN = "in"
    ADVANCES = "advances"
    NOBODY_CUT = "nobody_cut"
    WON_TIE = "won_tie"
    LOST_TIE = "lost_tie"
    ALL_ADVANCE = "all_advance"
    LEADS = "leads"
    LEADS_LEVEL = "leads_level"
    MONEY_TIE = "money_tie"
    DECIDED = "decided"
    PLAYING = "playing"
    ABSENT = "absent"
    GOES_ON = "goes_on"
    OUT = "out"
    PRIZE = "prize"
    PLACED = "placed"


class ChanceState(StrEnum):
    """What the card of a pinned player says beside the gap; a ``Word`` of a player who has left, too."""

    THROUGH = "through"
    CUT_MISSED = "cut_missed"
    PRIZE_SURE = "prize_sure"
    PRIZE_MISSED = "prize_missed"
    NEEDS_TOP = "needs_top"
    NEEDS_CLEAR = "needs_clear"
    NEEDS_MONEY = "needs_money"
    IN = "in"
    IN_THE_MONEY = "in_the_money"
    ALIVE = "alive"
    CANNOT_BET = "cannot_bet"
    STACK_STANDS = "stack_stands"
    BEHIND_UNTIL_HAND = "behind_until_hand"
    BEHIND_WITHOUT_HAND = "behind_without_hand"
    PLACE = "place"


class LineState(StrEnum):
    """What stands at one end of a line that is drawn through the list."""

    TOP_ADVANCE = "top_advance"
    ADVANCE = "advance"
    GO_ON = "go_on"
    LEVEL = "level"
    TOP_PAID = "top_paid"
    PAID = "paid"
    ALL_LEVEL = "all_level"
    AT = "at"
    HAS = "has"
    CLOSED = "closed"


class Shoe(StrEnum):
    """How far the shoe of a table is."""

    DEALING = "dealing"
    LAST_HAND = "last_hand"
    OVER = "over"
    COUNTED = "counted"


def of(state: StrEnum, **figures: Any) -> Json:
    """A state with its figures, as the body of the standings holds it."""
    return {"state": str(state), **figures}
