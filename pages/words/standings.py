"""The stored standings in words: a sentence for each state, in the language of the reader.

A sentence is one string with named placeholders. Public pages translate a whole body (``shown.py``); staff
pages single states.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from pages.words.entrants import entrants_words
from pages.words.prizes import places_words
from pages.words.stages import stage_title
from tournament.engine.standing import Side
from tournament.figures import chips, money_short, ordinal
from tournament.models import Event, Round
from tournament.selectors.clocks import ClockShown
from tournament.selectors.desk import Seating, SeatingState
from tournament.selectors.entrants import Entrants
from tournament.selectors.standings_states import (
    ChanceState,
    GapState,
    Headline,
    Json,
    LineState,
    Note,
    Progress,
    Shoe,
    Title,
    Word,
)

Sentences = Mapping[Any, Any]


class StateText(str):
    """A text that keeps the ``state`` it describes, and the number of ``chips`` if it has one.

    Pages write both as attributes (``data-``), so that tests need not compare sentences.
    """

    __slots__ = ("chips", "state")
    state: str
    chips: int | None

    def __new__(cls, text: str, state: str = "", chips: int | None = None) -> StateText:
        made = super().__new__(cls, text)
        made.state, made.chips = state, chips
        return made

    @property
    def code(self) -> str:
        """The state, under the name that a note uses."""
        return self.state


def say(sentences: Sentences, facts: Json | None, **more: Any) -> StateText:
    """Return the sentence of a state with its figures; empty for None and for a state without one."""
    if not facts:
        return StateText("")
    state = facts["state"]
    sentence = sentences.get(state, "")
    figures = {**_figures(facts), **more}
    return StateText(str(sentence % figures) if sentence else "", state, facts.get("chips"))


def _figures(facts: Json) -> Json:
    """Return the formatted figures of a state; counts stay as they are."""
    figures = dict(facts)
    if facts.get("chips") is not None:
        figures["chips"] = chips(facts["chips"])
    if facts.get("place") is not None:
        figures["place"] = ("=" if facts.get("tied") else "") + ordinal(facts["place"])
    if "places" in facts:
        figures["places"] = places_words(facts["places"])
    if "cents" in facts:
        figures["amount"] = money_short(facts["cents"], facts["currency"])
    return figures


def stage_words(stage: Json) -> str:
    """Return the title of a stage."""
    return stage_title(Round(**stage))


def clock_ends(clock: ClockShown) -> str:
    """Return `20:30`; `Sat 00:10` on another day; `01:30 UTC-07:00` for an hour that occurs twice."""
    if clock.ends is None:
        return ""
    local, offset = clock.ends.local, clock.ends.clock.partition(", ")[2]
    day = date_format(local, "D") if clock.ends_another_day else ""
    return " ".join(part for part in (day, date_format(local, "TIME_FORMAT"), offset) if part)


# Progress of an event -------------------------------------------------------------------------------------

HEADLINES: Sentences = {
    Headline.CALLED_OFF: _("Called off"),
    Headline.DESK_OPEN: _("Desk open · %(entrants)s"),
    Headline.SEATED: _("%(stage)s · seats are drawn"),
    Headline.COUNTED: _("%(stage)s · counted"),
    Headline.DECIDED: _("%(stage)s · decided"),
    Headline.TIE: _("%(stage)s · tie at the cut"),
    Headline.CLOSED: _("%(stage)s · closed"),
    Headline.STAGE: "%(stage)s",
    Headline.FINAL: _("All places are decided"),
    Headline.PAID: _("All places are decided · prizes paid"),
}

PROGRESS: Sentences = {
    Progress.NONE: "%(stage)s",
    Progress.COUNTING: _("%(stage)s · shoes over, chips are counted"),
    Progress.COUNTS: _("%(stage)s · being played"),
    Progress.NO_HAND: _("%(stage)s · no hand is settled yet"),
    Progress.AT_MOST: _("%(stage)s · up to hand %(hand)s"),
    Progress.HAND: _("%(stage)s · hand %(hand)s"),
    Progress.MOST: _("%(stage)s · hand %(hand)s at most tables"),
    Progress.RANGE: _("%(stage)s · hands %(first)s to %(hand)s"),
}

TABLES_OVER = ngettext_lazy("%(n)s table over", "%(n)s tables over", "n")


def headline_words(facts: Json) -> StateText:
    """Return the progress of an event, in one line."""
    if facts["state"] == Headline.PLAYING:
        return _playing_words(facts)
    if facts["state"] in Event.Status.values and facts["state"] not in HEADLINES:
        return StateText(str(_(Event.Status(facts["state"]).label)), facts["state"])
    more = {"stage": stage_words(facts["stage"])} if "stage" in facts else {}
    return say(HEADLINES, facts, entrants=headline_entrants_words(facts), **more)


def _playing_words(facts: Json) -> StateText:
    words = str(PROGRESS[facts["progress"]] % {**facts, "stage": stage_words(facts["stage"])})
    if facts.get("tables_over"):
        words = f"{words} · {TABLES_OVER % {'n': facts['tables_over']}}"
    return StateText(words, facts["state"])


def headline_entrants_words(figures: Json) -> str:
    """Return the figures of a headline: ``40 entrants, 2 alternates, 1 no-show``."""
    return entrants_words(Entrants(**{each.name: figures.get(each.name, 0) for each in fields(Entrants)}))


# Sections and notes ---------------------------------------------------------------------------------------

TITLES: Sentences = {
    Title.ENTERED: _("Entered"),
    Title.WAITING: _("Waiting"),
    Title.STAGE: "%(stage)s",
    Title.OUT: _("Out after round %(round)s"),
    Title.PLAY_OFF: ngettext_lazy("Play-off for %(seats)s seat", "Play-off for %(seats)s seats", "seats"),
    Title.PLAY_OFF_DECIDED: _("Play-off, decided"),
    Title.SUDDEN_DEATH_DECIDED: _("Sudden death, decided"),
    Title.FINAL: _("Final standings"),
}

NOTES: Sentences = {
    Note.CALLED_OFF: _("The event is called off. Every buy-in is refunded at the desk."),
    Note.REASON: _("The reason: %(reason)s"),
    Note.NOBODY_CUT: _("%(n)s advance and no more are playing: nobody is cut in this round."),
    Note.CUT_STANDS: _(
        "The cut of round %(n)s stands by a ruling of the director: hands were corrected after players had"
        " advanced, so players who advanced may be ranked behind players who are out."
    ),
}

RULING = ngettext_lazy(
    "The director decided the tie for the last seats: %(who)s advances. Reason: %(why)s",
    "The director decided the tie for the last seats: %(who)s advance. Reason: %(why)s",
    "n",
)

SEATING: Sentences = {
    SeatingState.NOT_DRAWN: _("Alternates take boxes that become free, in this order."),
    SeatingState.CLOSED: _("The desk refunds the buy-in of an alternate who was not seated."),
}
SEATING_FULL: Sentences = {
    SeatingState.OPEN: _(
        "No box is free now. Until the first bet of round 1, alternates take the seats of players who do not"
        " come, in this order."
    ),
    SeatingState.CLOSED: _(
        "Seating closed with the first bet of round 1. Every box is taken. The desk refunds the buy-in "
        "of an alternate who was not seated."
    ),
}
SEATING_FREE: Sentences = {
    SeatingState.OPEN: ngettext_lazy(
        "%(n)s box is free. Alternates are seated in this order until the first bet of round 1.",
        "%(n)s boxes are free. Alternates are seated in this order until the first bet of round 1.",
        "n",
    ),
    SeatingState.CLOSED: ngettext_lazy(
        "Seating closed with the first bet of round 1. %(n)s box stays empty. The buy-in of an alternate who"
        " was not seated goes back at the desk.",
        "Seating closed with the first bet of round 1. %(n)s boxes stay empty. The buy-in of an alternate who"
        " was not seated goes back at the desk.",
        "n",
    ),
}


def title_words(facts: Json | None) -> StateText:
    """Return the title of a section; empty for the only round."""
    if facts is None:
        return StateText("")
    if facts["state"] == Title.SUDDEN_DEATH:
        first, last = ordinal(facts["first"]), ordinal(facts["last"])
        words = {
            0: _("Sudden death for %(first)s"),
            1: _("Sudden death for %(first)s and %(last)s"),
        }.get(facts["last"] - facts["first"], _("Sudden death for %(first)s to %(last)s"))
        return StateText(str(words % {"first": first, "last": last}), facts["state"])
    more = {"stage": stage_words(facts["stage"])} if "stage" in facts else {}
    return say(TITLES, facts, **more)


def tie_ruling_words(facts: Json, who: str) -> str:
    """Return a ruling on a tie with which a round was closed (T23); ``who``: the players who advance."""
    return str(RULING % {"n": len(facts["advance"]), "who": who, "why": facts["reason"]})


def seating_state_words(state: str, free: int | None) -> str:
    """Return the seating for alternates and staff; ``free``: the number of free boxes, None to leave it
    out."""
    if free is None or state == SeatingState.NOT_DRAWN:
        return str(SEATING[state])
    return str(SEATING_FREE[state] % {"n": free} if free else SEATING_FULL[state])


def seating_words(seating: Seating) -> str:
    """Return the words of a seating from the database."""
    return seating_state_words(seating.state, seating.free)


# A player -------------------------------------------------------------------------------------------------

WORDS: Sentences = {
    Word.ABSENT: _("absent"),
    Word.NO_HAND: _("0 hands played"),
    Word.ABSENT_NO_HAND: _("absent, 0 hands played"),
    Word.WON_TIE: _("won the tie"),
    Word.LOST_TIE: _("lost the tie"),
    Word.CANNOT_BET: _("cannot cover the minimum"),
    Word.MONEY_TIE: _("tied, sudden death follows"),
    Word.SUDDEN_DEATH: _("by sudden death"),
    Word.REPLACED: _("replaced"),
    Word.TAKEN_OUT: _("taken out"),
    Word.WITHDREW: _("withdrew"),
    Word.NO_SHOW: _("no-show"),
    Word.DISQUALIFIED: _("disqualified"),
}

STATES: dict[Side, tuple[Any, str]] = {
    Side.PLAYING: ("", ""),
    Side.ABOVE: (_("Above the cut"), "good"),
    Side.UNCUT: (_("Nobody is cut"), ""),
    Side.LEVEL: (_("On the line"), "due"),
    Side.BELOW: (_("Below the cut"), ""),
    Side.ADVANCES: (_("Advances"), "good"),
    Side.PLAYS_OFF: (_("Plays off"), "due"),
    Side.TIED: (_("Tied at the cut"), "due"),
    Side.OUT: (_("Out"), ""),
    Side.RANKED: ("", ""),
    Side.REPLACED: (_("Replaced"), ""),
    Side.TAKEN_OUT: (_("Taken out"), ""),
    Side.WITHDREW: (_("Withdrew"), ""),
    Side.NO_SHOW: (_("No-show"), ""),
    Side.DISQUALIFIED: (_("Disqualified"), "bad"),
}
"""The word of a pill, empty if the place is enough, and the kind of pill: good, due, bad or none."""

GAPS: Sentences = {
    **WORDS,
    GapState.AHEAD: _("%(chips)s ahead of %(place)s"),
    GapState.BEHIND: _("%(chips)s behind %(place)s"),
    GapState.SHORT: _("%(chips)s short of the smallest bet"),
    GapState.LEVEL: _("level at the cut, top %(n)s advance"),
    GapState.IN: _("in as it stands"),
    GapState.ADVANCES: _("advances"),
    GapState.NOBODY_CUT: _("nobody is cut in this round"),
    GapState.WON_TIE: _("won the tie at the cut"),
    GapState.LOST_TIE: _("lost the tie at the cut"),
    GapState.ALL_ADVANCE: _("level at the cut, all of them advance"),
    GapState.LEADS: _("leads by %(chips)s"),
    GapState.LEADS_LEVEL: _("level at the top"),
    GapState.MONEY_TIE: _("tied for %(places)s place, a sudden death follows"),
    GapState.DECIDED: _("decided"),
    GapState.PLAYING: _("still playing"),
    GapState.ABSENT: _("absent, behind all who play"),
    GapState.PRIZE: _("prize %(amount)s"),
    GapState.PLACED: _("of %(n)s"),
}

AFTER_ROUND: Sentences = {
    GapState.GOES_ON: _("advances to round %(next)s"),
    GapState.OUT: _("out after round %(round)s"),
    Word.REPLACED: _("replaced after round %(round)s"),
    Word.TAKEN_OUT: _("taken out after round %(round)s"),
    Word.WITHDREW: _("withdrew after round %(round)s"),
    Word.NO_SHOW: _("did not come to round %(next)s"),
    Word.DISQUALIFIED: WORDS[Word.DISQUALIFIED],
}

CHANCES: Sentences = {
    ChanceState.THROUGH: _(
        "sure to advance: nobody can push you out in this round, unless something is corrected"
    ),
    ChanceState.CUT_MISSED: _("out: the cut cannot be reached any more, unless something is corrected"),
    ChanceState.PRIZE_SURE: _("sure of a prize, unless something is corrected"),
    ChanceState.PRIZE_MISSED: _("no prize can be reached any more, unless something is corrected"),
    ChanceState.NEEDS_TOP: _("needs %(chips)s more to be in the top %(seats)s now"),
    ChanceState.NEEDS_CLEAR: _("needs %(chips)s more to be clear of the tie"),
    ChanceState.NEEDS_MONEY: _("needs %(chips)s more to be in the money now"),
    ChanceState.IN: GAPS[GapState.IN],
    ChanceState.IN_THE_MONEY: _("in the money as it stands"),
    ChanceState.ALIVE: _("still in it"),
    ChanceState.STACK_STANDS: _("absent, the stack stands"),
    ChanceState.BEHIND_UNTIL_HAND: _("absent, behind all who play until a hand is played"),
    ChanceState.BEHIND_WITHOUT_HAND: _("played no hand, behind all who played"),
    ChanceState.PLACE: _("%(place)s in the event"),
    **WORDS,
}

SHOES: Sentences = {
    Shoe.COUNTED: _("chips counted"),
    Shoe.OVER: _("shoe over"),
    Shoe.LAST_HAND: _("last hand of the shoe"),
}
HANDS_LEFT = ngettext_lazy("about %(n)s hand left", "about %(n)s hands left", "n")

PRIZE = _("prize %(most)s as it stands")
PRIZE_RANGE = _("prize %(least)s to %(most)s as it stands, by how the tie is decided")
PRIZE_UP_TO = _("prize up to %(most)s as it stands, by how the tie is decided")

TABLE = _("table %(table)s")
SEAT = _("table %(table)s, box %(box)s")


def remark_words(word: str) -> StateText:
    """Return the remark beside a player's name."""
    return StateText(str(WORDS.get(word, "")), word)


def state_word(state: str) -> str:
    """Return the word on the pill of a player's state; empty for other words."""
    return str(STATES[Side(state)][0]) if state in STATES else ""


def rank_word(word: str) -> str:
    """Return the word beside a stored rank: that of its state, or in older journals the stored word."""
    return state_word(word) if word in STATES else word


def state_tone(state: str) -> str:
    """Return the kind of that pill."""
    return STATES[Side(state)][1] if state in STATES else ""


def gap_words(facts: Json | None) -> StateText:
    """Return a player's gap to the cut or the lead, or the outcome."""
    if facts and "round" in facts:
        return say(AFTER_ROUND, facts, next=facts["round"] + 1)
    return say(GAPS, facts)


def chance_words(facts: Json | None) -> StateText:
    """Return the remark beside the gap on a pinned player's card."""
    return say(CHANCES, facts)


def shoe_words(shoe: str, hands_left: int | None) -> StateText:
    """Return how many hands are left at a table, or the state of its shoe."""
    words = HANDS_LEFT % {"n": hands_left} if hands_left else SHOES.get(shoe, "")
    return StateText(str(words), shoe)


def prize_words(row: Json) -> str:
    """Return the present prize of a place; empty without one."""
    if not row.get("prize_most_cents"):
        return ""
    least, most = row["prize_least_cents"], row["prize_most_cents"]
    sentence = PRIZE if least == most else PRIZE_RANGE if least else PRIZE_UP_TO
    currency = row["currency"]
    return str(sentence % {"least": money_short(least, currency), "most": money_short(most, currency)})


def seat_words(table: int, box: int) -> str:
    """Return a seat: the table and the box."""
    return str(SEAT % {"table": table, "box": box})


# Lines ----------------------------------------------------------------------------------------------------

LINES: Sentences = {
    LineState.TOP_ADVANCE: _("Top %(n)s advance"),
    LineState.ADVANCE: _("%(n)s advance"),
    LineState.GO_ON: ngettext_lazy("%(n)s advances", "%(n)s advance", "n"),
    LineState.LEVEL: ngettext_lazy(
        "%(n)s are tied for %(seats)s seat", "%(n)s are tied for %(seats)s seats", "seats"
    ),
    LineState.TOP_PAID: _("Top %(n)s are paid"),
    LineState.PAID: _("%(n)s are paid"),
    LineState.ALL_LEVEL: _("all are tied"),
    LineState.AT: _("at %(chips)s"),
    LineState.HAS: _("%(place)s has %(chips)s"),
    LineState.CLOSED: _("round %(round)s closed"),
}
CLOSED_EMPTY: Sentences = {
    LineState.CLOSED: ngettext_lazy(
        "round %(round)s closed, %(empty)s seat is empty",
        "round %(round)s closed, %(empty)s seats are empty",
        "empty",
    )
}


def line_words(line: Json) -> dict[str, StateText]:
    """Return a line through the list: ``label``, and ``gap`` at its other end, which may be empty."""
    gap = line["gap"]
    return {
        "label": say(LINES, line["label"]),
        "gap": say(CLOSED_EMPTY if gap and gap.get("empty") else LINES, gap),
    }
