"""The building blocks of the catalogue of commands: kinds of commands and kinds of requests."""

from dataclasses import dataclass
from enum import StrEnum

from ground.arguments import FACTS, FLAG, TEXT, WHOLE, Takes
from ground.words import gettext_noop as _
from tournament.journal_parts import Part, Words, amount, by_box, listed, text, thing
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER

NOBODY: tuple[str, ...] = ()
LEADS = (DIRECTOR, MANAGER)
SELLS = (DIRECTOR, CASHIER)
PAYS = (MANAGER, CASHIER)
FLOORS = (DIRECTOR, FLOOR)
DEALS = (DIRECTOR, DEALER, FLOOR)


class Chips(StrEnum):
    """The cause of a movement of chips; docs/rules.md gives the reason for every kind.

    A ruling that moves chips takes two people (faults): no command moves chips as a ``RULING``, only the
    approval of a request does.
    """

    NONE = "none"
    HANDS = "what the hands were"
    RULES = "the posted rules"
    COUNTED = "two counts that agree"
    RULING = "a ruling"


@dataclass(frozen=True)
class Kind:
    """A kind of command: its words, roles and arguments, and the parts of its journal line, in order.

    ``may``: the roles that may carry it out, which also guard the pages; ``NOBODY`` for commands of the
    house's own programs and of people with a link. ``takes``: the arguments of its body, by name; another
    body is a programmer's mistake. ``says``: the parts of the line after its subject; with ``subject=False``
    the line has none. ``reason``: the path of the reason; empty if it must not be read (a digest of personal
    data). ``requested``: its words if it only opened a request. ``chips``: the cause of its moves of chips.
    """

    words: Words
    may: tuple[str, ...]
    takes: Takes
    says: tuple[Part, ...] = ()
    subject: bool = True
    reason: str = "asked.reason"
    requested: Words = ""
    chips: Chips = Chips.NONE

    @property
    def line(self) -> tuple[Part, ...]:
        """The parts of its journal line, in order."""
        return (*subject_of(self.takes), *self.says) if self.subject else self.says


@dataclass(frozen=True)
class Approval:
    """A kind of request for approval, such as "Call the event off": its words, roles and arguments.

    ``words``: the name of the request in lists; ``done``: its name once it has been approved. ``takes``: the
    arguments of the request's body, by name. ``says``: the parts of its journal line after its subject; their
    paths begin with ``asked`` for the body, or with ``result`` for the result of the approval. ``same_as``:
    the command that does the same without a second person; the journal's filter lists both together.
    ``chips``: the cause of the chips that the approval moves. ``house``: the request concerns the house, not
    an event. ``asks`` and ``confirms``: the roles that may make and approve the request. ``once_paid``: the
    request is allowed even after all prizes of the event have been paid.
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
        """The parts of its journal line, in order."""
        return (*subject_of(self.takes), *self.says)


def subject_of(takes: Takes) -> tuple[Part, ...]:
    """Return the subject of a body with these arguments: the first argument that names a thing."""
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
"""Arguments that name the subject of a command."""
REFUND = amount("result.refunded_cents", words=_("%(n)s given back"))
MOVED_UP = text("noted.moved_up", words=_("moved up from the waiting list: %(n)s"))
SECOND = text("result.request", words=_("a second person has been asked"))
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
