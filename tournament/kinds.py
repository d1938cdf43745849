"""What the catalogue of commands is written in: a kind of command, a kind of request, and what they share."""

from dataclasses import dataclass
from enum import StrEnum

from ground.arguments import FACTS, FLAG, TEXT, WHOLE, Takes
from ground.words import gettext_noop as _
from tournament.parts import Part, Words, amount, by_box, listed, text, thing
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER

NOBODY: tuple[str, ...] = ()
LEADS = (DIRECTOR, MANAGER)
SELLS = (DIRECTOR, CASHIER)
PAYS = (MANAGER, CASHIER)
FLOORS = (DIRECTOR, FLOOR)
DEALS = (DIRECTOR, DEALER, FLOOR)


class Chips(StrEnum):
    """What moves chips when something is carried out; docs/rules.md says why for every kind.

    A ruling that moves chips takes two persons (faults): no command moves chips as a ``RULING``, only what a
    second person has confirmed.
    """

    NONE = "none"
    HANDS = "what the hands were"
    RULES = "the posted rules"
    COUNTED = "two counts that agree"
    RULING = "a ruling"


@dataclass(frozen=True)
class Kind:
    """A command: its words, who may, what it takes, and what the journal says of it, in this order.

    ``may``: the roles that carry it out, by which the pages are guarded; ``NOBODY``'s is what the house's own
    programs do, and whoever holds a link. ``takes``: what its body has, by name; a command with another body
    is refused as a programmer's mistake. ``says``: what the line says after its subject; without ``subject``
    it names none of its own accord.
    ``reason``: where the reason stands; empty where it must not be read (a digest of what was typed).
    ``asking``: its words where it has only asked a second person. ``chips``: what moves chips by it.
    """

    words: Words
    may: tuple[str, ...]
    takes: Takes
    says: tuple[Part, ...] = ()
    subject: bool = True
    reason: str = "asked.reason"
    asking: Words = ""
    chips: Chips = Chips.NONE

    @property
    def line(self) -> tuple[Part, ...]:
        """What the journal says of it, in this order."""
        return (*subject_of(self.takes), *self.says) if self.subject else self.says


@dataclass(frozen=True)
class Ask:
    """What a second person is asked for: its words, those for when it is done, what is kept of it.

    ``words`` name an act, as "Calling off of the event" does: they stand in one list, and behind "asked for".
    ``takes``: what is in its body, for its approval to carry out; ``says``: as of a ``Kind``.
    ``asked`` in its parts is what was asked of the second person, ``result`` what the approval did.
    ``same_as``: the command that does the same without a second person; the journal lists them together.
    ``chips``: what moves chips by the approval. ``house``: asked of the house, not of an event.
    ``asks``, ``confirms``: the roles that may ask for it, and that may confirm it. ``once_paid``: also in an
    event that is paid, where nothing else changes any more.
    """

    words: Words
    done: Words
    takes: Takes
    says: tuple[Part, ...] = ()
    same_as: str = ""
    chips: Chips = Chips.NONE
    house: bool = False
    asks: tuple[str, ...] = (DIRECTOR,)
    confirms: tuple[str, ...] = LEADS
    once_paid: bool = False

    @property
    def line(self) -> tuple[Part, ...]:
        """What the journal says of it, in this order."""
        return (*subject_of(self.takes), *self.says)


def subject_of(takes: Takes) -> tuple[Part, ...]:
    """Return the thing that a body with these arguments is about: the first argument that names one."""
    return tuple(SUBJECTS[name] for name in takes if name in SUBJECTS)[:1]


ENTRY = thing("entry", "result.code", "asked.entry")
HAND = thing("deal", "asked.deal", "result.deal")
ROUND = thing("round", "asked.round", "result.round")
SUBJECTS = {
    "entry": ENTRY,
    "deal": HAND,
    "round": ROUND,
    **{name: thing(name, f"asked.{name}") for name in ("shoe", "draw", "user", "player")},
    **{name: thing(name, f"asked.{name}") for name in ("penalty", "stack", "table")},
}
"""Arguments that name what a command is about."""
REFUND = amount("result.refunded_cents", words=_("%(n)s given back"))
MOVED_UP = text("noted.moved_up", words=_("moved up from the waiting list: %(n)s"))
SECOND = text("result.request", words=_("a second person is asked"))
BEFORE = amount("result.paid_before_cents", words=_("after %(n)s before"))
CORRECTED = listed("result.corrected")
DUE_NUMBER = text("result.refunds", words=_("buy-ins: %(n)s"))
DUE = amount("result.refunded_cents", words=_("%(n)s to give back"))
ANEW: Takes = {"record": FACTS.or_none, "bets": FACTS.or_none, "outcomes": FACTS.or_none, "void": FLAG}
UNTIL: Takes = {"seconds": WHOLE.or_none, "until": TEXT.or_none}
CLOCKS = {
    "round": _("a round"),
    "start": _("the start of a round"),
    "break": _("a break"),
    "late": _("late registration"),
}
CLOCK = (text("result.ends", words=_("ends at %(n)s")), text("result.left", words=_("%(n)s left")))
NET = by_box("result.net", net=True)
