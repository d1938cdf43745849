"""The closed sets of states in the stored standings; pages translate each of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Headline(StrEnum):
    """The progress of an event. With ``stage`` while a stage is seated; STAGE adds nothing to it."""

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
    """The progress of the tables of a stage, by the last settled hand of each.

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
    """The title of a section; a round that was played alone has no title."""

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
    """A note above the list."""

    CALLED_OFF = "called_off"
    REASON = "reason"
    NOBODY_CUT = "nobody_cut"
    CUT_STANDS = "cut_stands"


class Word(StrEnum):
    """The word beside a player's name in a list; NONE if the place is enough."""

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
    """The position of a player: relative to the cut, the first place or the tie, or at the end.

    For a player who has left it is the ``Side`` of the ranking.
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
    """The text on the card of a pinned player beside the gap; for a player who has left, a ``Word``."""

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
    """The text at one end of a line through the list."""

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
    """The state of the shoe of a table."""

    DEALING = "dealing"
    LAST_HAND = "last_hand"
    OVER = "over"
    COUNTED = "counted"


def of(state: StrEnum, **figures: Any) -> Json:
    """Return a state with its figures, in the form of the stored standings."""
    return {"state": str(state), **figures}
