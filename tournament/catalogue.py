"""The catalogue of commands: every kind that can be written to the journal, declared once.

``command`` takes no kind that is not here, and no request is registered that is not. To add one: an entry
below with its words and with what the journal says of it (``tournament.parts``), and its line in
``tests/test_catalogue.py``, which walks all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from tournament.parts import (
    Part,
    Words,
    amount,
    amounts,
    amounts_by_entry,
    by_box,
    by_entry,
    cards,
    changed,
    count_entered,
    count_ruled,
    counts_taken_back,
    how_many,
    listed,
    one_of,
    place,
    seat_of,
    stack,
    text,
    thing,
    things,
)


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
    """A command: its words, and what the journal says of it, in this order.

    ``reason``: where the reason stands; empty where it must not be read (a digest of what was typed).
    ``asking``: its words where it has only asked a second person. ``chips``: what moves chips by it.
    """

    words: Words
    says: tuple[Part, ...]
    reason: str = "asked.reason"
    asking: Words = ""
    chips: Chips = Chips.NONE


@dataclass(frozen=True)
class Ask:
    """What a second person is asked for: its words, those for when it is done, and what the journal says.

    ``asked`` in its parts is what was asked of the second person, ``result`` what the approval did.
    ``same_as``: the command that does the same without a second person; the journal lists them together.
    ``chips``: what moves chips by the approval. ``house``: asked of the house, not of an event.
    """

    words: Words
    done: Words
    says: tuple[Part, ...]
    same_as: str = ""
    chips: Chips = Chips.NONE
    house: bool = False


ENTRY = thing("entry", "result.code", "asked.entry")
HAND = thing("deal", "asked.deal", "result.deal")
TABLE = thing("shoe", "asked.shoe")
ROUND = thing("round", "asked.round", "result.round")
DRAW = thing("draw", "asked.draw", "result.draw")
REFUND = amount("result.refunded_cents", words=_("%(n)s given back"))
SECOND = text("result.request", words=_("a second person is asked"))
BEFORE = amount("result.paid_before_cents", words=_("after %(n)s before"))
DUE_NUMBER = text("result.refunds", words=_("%(n)s buy-ins"))
DUE = amount("result.refunded_cents", words=_("%(n)s to give back"))
RECORDED = (HAND, by_box("result.net", net=True))

COMMANDS: dict[str, Kind] = {
    # The house and its people
    "house.change": Kind(_("House settings changed"), (changed("noted.before", "result"), SECOND)),
    "staff.create": Kind(_("New login"), (text("asked.username"), listed("asked.roles"), SECOND)),
    "staff.password": Kind(_("New password for a login"), (thing("user", "asked.user"), SECOND)),
    "staff.link": Kind(_("Link made out"), (thing("user", "result.user"),)),
    "staff.password_set": Kind(_("Password set by its owner"), (thing("user", "result.user"),)),
    "staff.password_own": Kind(_("Own password changed"), (thing("user", "asked.user"),)),
    "staff.roles": Kind(
        _("Roles changed"),
        (
            thing("user", "asked.user"),
            listed("noted.before", _("before: %(n)s")),
            listed("asked.roles", _("now: %(n)s")),
            one_of("asked.active", {False: _("no longer works here")}),
            SECOND,
        ),
    ),
    "staff.role_passwords": Kind(_("Passwords of the roles set"), (listed("result.users"),)),
    "player.create": Kind(_("Person recorded"), (thing("player", "result.player"),)),
    "player.identity": Kind(_("Identity number recorded"), (thing("player", "asked.player"),)),
    "player.exclude": Kind(_("Person excluded"), (thing("player", "asked.player"),), reason=""),
    "player.turned_away": Kind(
        _("Turned away at the desk"),
        (
            thing("player", "asked.player"),
            one_of("asked.outcome", {"under_age": _("under age"), "excluded": _("excluded")}),
        ),
    ),
    # The event
    "event.create": Kind(
        _("Event made"),
        (
            text("result.code"),
            one_of("asked.kind", {"rehearsal": _("a rehearsal"), "simulation": _("a simulation")}),
        ),
    ),
    "event.settings": Kind(
        _("Settings changed"),
        (changed("noted.before", "result.settings"), text("asked.name", words=_("named %(n)s"))),
    ),
    "event.open": Kind(
        _("Rules posted, desk opened"),
        (
            text("result.rules_hash", words=_("rules %(n)s")),
            how_many("result.commitments", _("%(n)s secrets committed to")),
        ),
    ),
    "event.setup_again": Kind(_("Desk closed, set-up again"), (text("result.status"),)),
    "event.call_off": Kind(
        _("Event called off"),
        (
            DUE_NUMBER,
            DUE,
        ),
        chips=Chips.RULES,
    ),
    "refund.hand_out": Kind(_("Buy-in handed out"), (ENTRY, amount("result.amount_cents"))),
    # Entries
    "entry.buy_in": Kind(
        _("Buy-in"),
        (
            ENTRY,
            amount("result.amount_cents"),
            text("result.waiting_number", words=_("alternate %(n)s")),
        ),
    ),
    "entry.withdraw": Kind(
        _("Withdrawn"),
        (ENTRY, REFUND, text("noted.moved_up", words=_("%(n)s moves up"))),
        chips=Chips.RULES,
    ),
    "entry.replace": Kind(
        _("Qualifier replaced"),
        (
            text("result.out", words=_("%(n)s leaves")),
            text("result.in", words=_("%(n)s comes in")),
        ),
        chips=Chips.RULES,
    ),
    "penalty.add": Kind(
        _("Penalty"),
        (
            thing("entry", "asked.entry"),
            one_of("asked.kind", {"warning": _("warning"), "sit_out": _("a hand sat out")}),
            stack("asked.chips"),
            SECOND,
        ),
        asking=_("Penalty in chips asked for"),
    ),
    "penalty.cancel": Kind(
        _("Penalty cancelled"),
        (thing("penalty", "asked.penalty"), SECOND),
        asking=_("Cancelling of a penalty asked for"),
    ),
    # Tables, draws and seats
    "table.add": Kind(
        _("Table added"),
        (
            text("result.number", words=_("table %(n)s")),
            listed("asked.boxes_out", _("out of use: box %(n)s")),
        ),
    ),
    "table.change": Kind(
        _("Table changed"), (thing("table", "asked.table"), changed("noted.before", "asked"))
    ),
    "tables.ensure": Kind(_("Tables put out"), (listed("result.tables", _("tables %(n)s")),)),
    "clerk.bind": Kind(
        _("Dealer put to a table"), (thing("user", "asked.user"), thing("table", "asked.table"))
    ),
    "clerk.release": Kind(
        _("Dealer taken off a table"), (thing("user", "asked.user"), thing("table", "asked.table"))
    ),
    "draw.lock": Kind(
        _("Roster locked"),
        (
            text("result.number", words=_("draw %(n)s")),
            how_many("result.roster", _("%(n)s entries")),
            listed("result.waiting", _("%(n)s wait")),
        ),
    ),
    "draw.cards": Kind(_("Five cards typed"), (DRAW, text("asked.cards"))),
    "draw.confirm": Kind(_("Five cards confirmed"), (DRAW, text("result.cards"))),
    "round.seat": Kind(
        _("Seats drawn"),
        (thing("draw", "asked.draw"), ROUND, how_many("result.seats", _("%(n)s seats"))),
        chips=Chips.RULES,
    ),
    "seat.no_show": Kind(_("No-show"), (text("result.entry"), seat_of(), REFUND), chips=Chips.RULES),
    "seat.fill": Kind(_("Seat filled"), (text("result.entry"), seat_of()), chips=Chips.RULES),
    "stack.absent": Kind(
        _("Absence ruled"),
        (thing("stack", "asked.stack"), one_of("asked.absent", {True: _("absent"), False: _("back")})),
    ),
    # Play
    "round.play": Kind(_("First bet called"), (ROUND,)),
    "round.look": Kind(_("Tie looked at"), (ROUND,), chips=Chips.RULES),
    "deal.settle": Kind(_("Hand settled"), RECORDED, chips=Chips.HANDS),
    "deal.record": Kind(_("Hand recorded"), RECORDED, chips=Chips.HANDS),
    "deal.void": Kind(_("Hand void"), (HAND, by_box("noted.bets", words=_("bets given back: %(n)s")))),
    "deal.correct": Kind(_("Hand corrected"), (HAND, by_entry("result.changes")), chips=Chips.HANDS),
    "shoe.end": Kind(_("Cut card out"), (TABLE, cards("result.cards_dealt"))),
    "shoe.next": Kind(
        _("Further shoe"),
        (
            ROUND,
            thing("table", "asked.table"),
            text("result.number", words=_("shoe %(n)s")),
            text("result.button", words=_("button at box %(n)s")),
        ),
    ),
    "shoe.seed": Kind(_("Shoe seeded"), (TABLE, text("result.seed"))),
    # Counts and closing
    "count.enter": Kind(
        _("Count entered"),
        (
            TABLE,
            count_entered(),
            one_of("result.agreed", {True: _("agreed"), False: _("a difference")}),
        ),
        chips=Chips.COUNTED,
    ),
    "count.rule": Kind(
        _("Count ruled on"), (TABLE, count_ruled(), SECOND), asking=_("Ruling on a count asked for")
    ),
    "count.reopen": Kind(_("Count reopened"), (TABLE, counts_taken_back()), chips=Chips.COUNTED),
    "round.close": Kind(
        _("Round closed"), (ROUND, how_many("result.advanced", _("%(n)s advance"))), chips=Chips.RULES
    ),
    "round.tie_rule": Kind(
        _("Tie ruled on"), (ROUND, listed("asked.advance", _("%(n)s advance"))), chips=Chips.RULES
    ),
    "round.cut_stands": Kind(
        _("Cut ruled to stand"),
        (
            ROUND,
            listed("result.missed", _("out: %(n)s")),
            listed("result.extra", _("through: %(n)s")),
            listed("result.tied", _("level at the line: %(n)s")),
        ),
    ),
    # Prizes
    "payouts.post": Kind(
        _("Payouts posted"),
        (text("result.version", words=_("version %(n)s")), amounts("result.prizes_cents")),
        chips=Chips.RULES,
    ),
    "prize.pay": Kind(
        _("Prize paid"),
        (thing("entry", "asked.entry"), place("result.place"), amount("result.amount_cents"), BEFORE),
    ),
    # The second person: what is asked stands in REQUESTS
    "request.open": Kind(_("Second person asked"), ()),
    "request.decide": Kind(_("Second person answered"), ()),
}

ROLES = (
    thing("user", "asked.user"),
    listed("asked.before", _("before: %(n)s")),
    listed("asked.roles", _("now: %(n)s")),
    one_of("asked.active", {False: _("no longer works here")}),
)

REQUESTS: dict[str, Ask] = {
    "house_day": Ask(
        _("Limit or clock of the gaming day"),
        _("Limit or clock of the gaming day changed"),
        (changed("asked.before", "asked.after"),),
        same_as="house.change",
        house=True,
    ),
    "player_let_in": Ask(
        _("Turned away, to be let in"), _("Let in after all"), (thing("player", "asked.player"),)
    ),
    "players_apart": Ask(
        _("Records that look like one person"),
        _("Told apart"),
        (thing("player", "asked.player"), things("player", "asked.others")),
    ),
    "login_new": Ask(
        _("New login"),
        _("Login made"),
        (text("asked.username"), listed("asked.roles")),
        same_as="staff.create",
        house=True,
    ),
    "login_reset": Ask(
        _("New password for a login"),
        _("Password taken away, link due"),
        (thing("user", "asked.user"),),
        same_as="staff.password",
        house=True,
    ),
    "login_roles": Ask(_("Other roles"), _("Roles changed"), ROLES, same_as="staff.roles", house=True),
    "disqualify": Ask(
        _("Disqualification"), _("Disqualified"), (thing("entry", "asked.entry"),), chips=Chips.RULING
    ),
    "count_ruling": Ask(
        _("Ruling on a count"),
        _("Count ruled on"),
        (TABLE, count_ruled()),
        same_as="count.rule",
        chips=Chips.RULING,
    ),
    "penalty_chips": Ask(
        _("Penalty in chips"),
        _("Penalty"),
        (thing("entry", "asked.entry"), stack("asked.chips")),
        same_as="penalty.add",
        chips=Chips.RULING,
    ),
    "penalty_chips_back": Ask(
        _("Cancelling of a penalty"),
        _("Penalty cancelled"),
        (thing("penalty", "asked.penalty"),),
        same_as="penalty.cancel",
        chips=Chips.RULING,
    ),
    "prize_pay": Ask(
        _("Prize from the threshold on"),
        _("Prize paid"),
        (
            thing("entry", "asked.entry"),
            place("result.place"),
            amount("asked.amount_cents"),
            BEFORE,
        ),
        same_as="prize.pay",
    ),
    "prize_take_back": Ask(
        _("A payment to be taken back"),
        _("Payment taken back"),
        (thing("entry", "asked.entry"), amount("asked.amount_cents")),
    ),
    "prize_sharing": Ask(
        _("Sharing of a prize that nobody holds"),
        _("Prize shared out that nobody holds"),
        (amounts_by_entry("asked.shares_cents"),),
    ),
    "payouts_supersede": Ask(
        _("Other payouts"),
        _("Payouts superseded"),
        (text("result.version", words=_("version %(n)s")), amounts("result.prizes_cents")),
        same_as="payouts.post",
        chips=Chips.RULES,
    ),
    "call_off": Ask(
        _("Call off the event"),
        _("Event called off"),
        (DUE_NUMBER, DUE),
        same_as="event.call_off",
        chips=Chips.RULES,
    ),
    "redraw": Ask(
        _("Redraw"),
        _("Drawn again"),
        (thing("draw", "asked.draw"), text("result.number", words=_("superseded by draw %(n)s"))),
    ),
    "correct_after_close": Ask(
        _("Correction after the close"),
        _("Corrected after the close"),
        (thing("deal", "asked.deal"), by_entry("asked.changes")),
        same_as="deal.correct",
        chips=Chips.RULING,
    ),
}
