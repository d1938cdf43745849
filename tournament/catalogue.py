"""The catalogue of commands: every kind that can be written to the journal, declared once.

``command`` takes no other kind and no other body; every request is among ``REQUESTS``. To add a kind: an
entry with its words, ``arguments`` and the ``parts`` of its line, and a line in ``tests/test_catalogue.py``.
"""

from ground.arguments import CHIPS, FACTS, FLAG, ID, TEXT, TEXTS, WHOLE, WHOLES
from ground.words import gettext_noop as _
from tournament.approvals import REQUESTS
from tournament.command_kinds import (
    ANEW,
    BEFORE,
    CLOCK,
    CLOCKS,
    CORRECTED,
    DEALS,
    DUE,
    DUE_NUMBER,
    ENTRY,
    FLOORS,
    HAND,
    LEADS,
    MOVED_UP,
    NET,
    NOBODY,
    PAYS,
    REFUND,
    ROUND,
    SECOND,
    SELLS,
    UNTIL,
    Approval,
    Chips,
    Kind,
)
from tournament.journal_parts import (
    SEAT,
    amount,
    amounts,
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
    sentence,
    stack,
    text,
    thing,
)
from tournament.roles import CASHIER, DIRECTOR, FLOOR, MANAGER, ROLES

__all__ = ["COMMANDS", "REQUESTS", "Approval", "Chips", "Kind", "who_may"]

COMMANDS: dict[str, Kind] = {
    # The house and its people
    "house.change": Kind(
        _("House settings changed"),
        LEADS,
        {
            **dict.fromkeys(("name", "currency", "time_zone"), TEXT),
            "language": TEXT.or_absent,
            "day_limit_cents": WHOLE,
            "day_turns_at_hour": WHOLE,
            "identity_required": FLAG,
            "reason": TEXT.or_absent,
        },
        (changed("noted.before", "result"), SECOND),
    ),
    "staff.create": Kind(
        _("New login"),
        LEADS,
        {"username": TEXT, "roles": TEXTS, "reason": TEXT},
        (text("asked.username"), listed("asked.roles"), SECOND),
    ),
    "staff.password": Kind(_("New password for a login"), LEADS, {"user": ID, "reason": TEXT}, (SECOND,)),
    "staff.link": Kind(_("Link created"), LEADS, {"link": ID}, (thing("user", "result.user"),)),
    "staff.password_set": Kind(
        _("Password set by its owner"), NOBODY, {"link": ID}, (thing("user", "result.user"),)
    ),
    "staff.password_own": Kind(_("Own password changed"), ROLES, {"user": ID}),
    "staff.pin": Kind(
        _("Own PIN"),
        ROLES,
        {"user": ID, "set": FLAG},
        (one_of("asked.set", {True: _("set"), False: _("removed")}),),
    ),
    "staff.roles": Kind(
        _("Roles changed"),
        LEADS,
        {"user": ID, "roles": TEXTS, "active": FLAG, "reason": TEXT},
        (
            listed("noted.before", words=_("before: %(n)s")),
            listed("asked.roles", words=_("now: %(n)s")),
            one_of("asked.active", {False: _("no longer works here")}),
            SECOND,
        ),
    ),
    "staff.role_passwords": Kind(
        _("Passwords of the roles set"), NOBODY, {"create": FLAG}, (listed("result.users"),)
    ),
    "player.create": Kind(
        _("Person recorded"), SELLS, {"person": TEXT, "simulated": FLAG}, (thing("player", "result.player"),)
    ),
    "player.identity": Kind(_("Identity number recorded"), SELLS, {"player": ID, "identity": TEXT.or_none}),
    "player.correct": Kind(
        _("Person's record corrected"),
        SELLS,
        {"player": ID, "person": TEXT, "reason": TEXT},
        (CORRECTED, SECOND),
        reason="",
    ),
    "player.turned_away": Kind(
        _("Turned away at the desk"),
        SELLS,
        {"player": ID, "outcome": TEXT},
        (one_of("asked.outcome", {"under_age": _("under age"), "excluded": _("excluded")}),),
    ),
    # The event
    "event.create": Kind(
        _("Event created"),
        LEADS,
        {
            "name": TEXT,
            "code": TEXT,
            "kind": TEXT,
            "settings": FACTS,
            "starts_at": TEXT.or_none,
            "starts_zone": TEXT.or_absent,
            "like": TEXT.or_absent,
        },
        (
            text("result.code"),
            text("asked.like", words=_("set up like %(n)s")),
            one_of("asked.kind", {"rehearsal": _("a rehearsal"), "simulation": _("a simulation")}),
        ),
    ),
    "event.settings": Kind(
        _("Settings changed"),
        LEADS,
        {"settings": FACTS, "name": TEXT},
        (changed("noted.before", "result.settings"), text("asked.name", words=_("named %(n)s"))),
    ),
    "event.start": Kind(
        _("Start of the event set"),
        LEADS,
        {"starts_at": TEXT.or_none, "starts_zone": TEXT.or_absent},
        (
            text("noted.before", words=_("before: %(n)s")),
            text("result.start", words=_("now: %(n)s")),
            one_of("result.start", {"": _("no start now")}),
            text("result.code"),
        ),
    ),
    "announcement.post": Kind(_("Announcement posted"), (DIRECTOR,), {"text": TEXT}, (text("asked.text"),)),
    "announcement.withdraw": Kind(
        _("Announcement withdrawn"), (DIRECTOR,), {"announcement": ID}, (text("result.text"),)
    ),
    "standings.publish": Kind(
        _("Standings shown to the public"),
        (DIRECTOR,),
        {"mode": TEXT, "minutes": WHOLE.or_none, "reason": TEXT},
        (
            one_of("asked.mode", {"live": _("live"), "hidden": _("hidden"), "delayed": _("delayed")}),
            text("asked.minutes", words=_("minutes behind: %(n)s")),
        ),
    ),
    "hall.rotation": Kind(
        _("Slides of the hall set"),
        (DIRECTOR,),
        {"kinds": TEXTS, "seconds": WHOLES},
        (listed("asked.kinds"),),
    ),
    "screen.add": Kind(_("Screen named"), (DIRECTOR,), {"name": TEXT}, (text("asked.name"),)),
    "screen.remove": Kind(_("Screen removed"), (DIRECTOR,), {"screen": ID}, (text("result.name"),)),
    "screen.show": Kind(
        _("Slide of a screen chosen"),
        (DIRECTOR,),
        {"screen": ID, "kind": TEXT},
        (text("result.name"), text("asked.kind", words=_("shows %(n)s"))),
    ),
    "event.open": Kind(
        _("Rules posted, desk opened"),
        LEADS,
        {"commitments": TEXTS},
        (
            text("result.rules_hash", words=_("rules %(n)s")),
            how_many("result.commitments", words=_("%(n)s secrets fixed")),
        ),
    ),
    "event.setup_again": Kind(_("Desk closed, set-up again"), LEADS, {}, (text("result.status"),)),
    "event.call_off": Kind(
        _("Event called off"),
        (DIRECTOR,),
        {"reason": TEXT},
        (DUE_NUMBER, DUE, SECOND),
        requested=_("Request to call the event off"),
        chips=Chips.RULES,
    ),
    "refund.hand_out": Kind(
        _("Buy-in handed out"),
        PAYS,
        {"entry": ID, "identity_checked": FLAG},
        (amount("result.amount_cents"),),
    ),
    # The clock: no standings show it, but they are remade so that they are not behind the journal.
    "clock.start": Kind(
        _("Clock started"),
        FLOORS,
        {"kind": TEXT, "label": TEXT, **UNTIL},
        (one_of("asked.kind", CLOCKS), text("asked.label"), *CLOCK),
    ),
    "clock.pause": Kind(_("Clock paused"), FLOORS, {}, CLOCK),
    "clock.resume": Kind(_("Clock goes on"), FLOORS, {}, CLOCK),
    "clock.set": Kind(_("Clock set"), FLOORS, UNTIL, CLOCK),
    "clock.stop": Kind(_("Clock stopped"), FLOORS, {}),
    # Entries
    "entry.buy_in": Kind(
        _("Buy-in"),
        SELLS,
        {"player": ID, "identity_checked": FLAG},
        (ENTRY, amount("result.amount_cents"), text("result.waiting_number", words=_("alternate %(n)s"))),
        subject=False,
    ),
    "entry.withdraw": Kind(
        _("Withdrawn"),
        SELLS,
        {"entry": ID, "reason": TEXT, "refund": FLAG},
        (REFUND, MOVED_UP),
        chips=Chips.RULES,
    ),
    "entry.replace": Kind(
        _("Qualifier replaced"),
        (DIRECTOR,),
        {"entry": ID, "reason": TEXT, "replacement": ID.or_none},
        (
            text("result.out", words=_("%(n)s is out")),
            text("result.in", words=_("%(n)s moves up")),
            one_of("result.in", {None: _("nobody could take the seat")}),
        ),
        subject=False,
        chips=Chips.RULES,
    ),
    "penalty.add": Kind(
        _("Penalty"),
        FLOORS,
        {"entry": ID, "kind": TEXT, "chips": WHOLE, "reason": TEXT},
        (
            one_of("asked.kind", {"warning": _("warning"), "sit_out": _("a hand sat out")}),
            stack("asked.chips"),
            SECOND,
        ),
        requested=_("Request for a penalty in chips"),
    ),
    "penalty.cancel": Kind(
        _("Penalty cancelled"),
        (DIRECTOR,),
        {"penalty": ID, "reason": TEXT},
        (SECOND,),
        requested=_("Request to cancel a penalty"),
    ),
    # Tables, draws and seats
    "table.add": Kind(
        _("Table added"),
        FLOORS,
        {"event": ID, "boxes_out": WHOLES},
        (
            text("result.number", words=_("table %(n)s")),
            listed("asked.boxes_out", words=_("out of use: box %(n)s")),
            MOVED_UP,
        ),
    ),
    "table.change": Kind(
        _("Table changed"),
        FLOORS,
        {"table": ID, "in_use": FLAG, "boxes_out": WHOLES},
        (changed("noted.before", "asked"), MOVED_UP),
    ),
    "tables.ensure": Kind(
        _("Tables set up"),
        FLOORS,
        {"event": ID},
        (listed("result.tables", words=_("tables: %(n)s")), MOVED_UP),
    ),
    "clerk.bind": Kind(
        _("Dealer assigned to a table"), FLOORS, {"user": ID, "table": ID}, (thing("table", "asked.table"),)
    ),
    "clerk.release": Kind(
        _("Dealer released from a table"), FLOORS, {"user": ID, "table": ID}, (thing("table", "asked.table"),)
    ),
    "draw.lock": Kind(
        _("Roster locked"),
        FLOORS,
        {"event": ID},
        (
            text("result.number", words=_("draw %(n)s")),
            how_many("result.roster", words=_("%(n)s entries")),
            listed("result.waiting", words=_("%(n)s wait")),
        ),
    ),
    "draw.cards": Kind(_("Five cards typed"), FLOORS, {"draw": ID, "cards": TEXT}, (text("asked.cards"),)),
    "draw.confirm": Kind(
        _("Five cards confirmed"),
        (DIRECTOR, MANAGER, FLOOR),
        {"draw": ID, "cards": TEXT.or_absent},
        (text("result.cards"),),
    ),
    "round.seat": Kind(
        _("Seats drawn"),
        NOBODY,
        {"draw": ID},
        (ROUND, how_many("result.seats", words=_("%(n)s seats"))),
        chips=Chips.RULES,
    ),
    "seat.no_show": Kind(
        _("No-show"),
        FLOORS,
        {"seat": ID, "refund": FLAG, "reason": TEXT},
        (text("result.entry"), SEAT, REFUND),
        chips=Chips.RULES,
    ),
    "seat.seen": Kind(
        _("Players seen at the table"),
        DEALS,
        {"shoe": ID, "boxes": WHOLES, "seen": FLAG},
        (
            listed("asked.boxes", words=_("box %(n)s")),
            one_of("asked.seen", {True: _("seen"), False: _("not seen after all")}),
        ),
    ),
    "chips.due": Kind(_("Chips moved at the table"), DEALS, {"shoe": ID}, (by_box("result.due", net=True),)),
    "seat.fill": Kind(
        _("Player seated"),
        FLOORS,
        {"round": ID, "table": ID, "box": WHOLE, "entry": ID.or_none},
        (text("result.entry"), SEAT),
        subject=False,
        chips=Chips.RULES,
    ),
    "stack.absent": Kind(
        _("Player marked absent or back"),
        FLOORS,
        {"stack": ID, "absent": FLAG, "reason": TEXT},
        (one_of("asked.absent", {True: _("absent"), False: _("back")}),),
    ),
    # Play
    "round.play": Kind(_("First bet called"), DEALS, {"round": ID}),
    "round.look": Kind(_("Tie evaluated"), (DIRECTOR,), {"round": ID}, chips=Chips.RULES),
    "deal.settle": Kind(
        _("Hand settled"), DEALS, {"deal": ID, "outcomes": FACTS.or_absent}, (NET,), chips=Chips.HANDS
    ),
    "deal.record": Kind(
        _("Hand recorded"),
        DEALS,
        {
            "shoe": ID,
            "record": FACTS.or_absent,
            "mode": TEXT.or_absent,
            "bets": CHIPS.or_absent,
            "outcomes": FACTS.or_absent,
        },
        (HAND, NET),
        subject=False,
        chips=Chips.HANDS,
    ),
    "deal.void": Kind(
        _("Hand void"),
        DEALS,
        {"deal": ID, "reason": TEXT, "happened": FACTS.or_absent},
        (text("noted.said"), by_box("noted.bets", words=_("bets given back: %(n)s"))),
    ),
    "deal.play_on": Kind(
        _("Hand played on by a ruling"),
        DEALS,
        {"deal": ID, "seen": WHOLE, "op": FACTS, "reason": TEXT},
        (text("noted.said"),),
    ),
    "deal.amend": Kind(
        _("Open hand corrected"),
        DEALS,
        {"deal": ID, "seen": WHOLE, "change": FACTS},
        (text("noted.said"), listed("noted.dropped", words=_("taken back: %(n)s"))),
    ),
    "deal.correct": Kind(
        _("Hand corrected"),
        (DIRECTOR,),
        {"deal": ID, "reason": TEXT, **ANEW},
        (by_entry("result.changes"),),
        chips=Chips.HANDS,
    ),
    # Corrections that wait for the end of an open hand (T17)
    "deal.correct_later": Kind(
        _("Correction waits for the end of a hand"),
        (DIRECTOR,),
        {"deal": ID, "reason": TEXT, **ANEW},
        (by_entry("noted.changes"),),
    ),
    "deal.correct_lapse": Kind(
        _("Waiting correction not made"), NOBODY, {"deal": ID, "later": WHOLE}, (sentence("noted.why"),)
    ),
    "deal.correct_drop": Kind(
        _("Waiting correction cleared"),
        (DIRECTOR,),
        {"deal": ID, "later": WHOLE},
        (one_of("noted.was", {"waits": _("taken back"), "lapsed": _("read why it was not made")}),),
    ),
    "deal.take_back": Kind(
        _("Hand taken back"), DEALS, {"deal": ID}, (by_entry("result.changes"),), chips=Chips.HANDS
    ),
    "shoe.end": Kind(_("Cut card out"), DEALS, {"shoe": ID, "reason": TEXT}, (cards("result.cards_dealt"),)),
    "shoe.last_hand": Kind(
        _("Cut card came out in a hand"),
        DEALS,
        {"shoe": ID, "out": FLAG, "reason": TEXT},
        (one_of("asked.out", {True: _("this hand is the last"), False: _("it was not the cut card")}),),
    ),
    "shoe.reopen": Kind(_("Shoe opened again"), FLOORS, {"shoe": ID, "reason": TEXT}),
    "shoe.next": Kind(
        _("Another shoe"),
        DEALS,
        {"round": ID, "table": ID},
        (
            thing("table", "asked.table"),
            text("result.number", words=_("shoe %(n)s")),
            text("result.button", words=_("button at box %(n)s")),
        ),
    ),
    "shoe.seed": Kind(_("Shoe seeded"), DEALS, {"shoe": ID, "seed": TEXT}, (text("result.seed"),)),
    # Counts and closing
    "count.enter": Kind(
        _("Count entered"),
        (*DEALS, MANAGER),
        {"shoe": ID, "chips": CHIPS, "again": FLAG.or_absent},
        (
            count_entered(),
            one_of("result.agreed", {True: _("agreed"), False: _("a difference")}),
            thing("user", "noted.tablet", words=_("at the tablet of %(n)s")),
        ),
        chips=Chips.COUNTED,
    ),
    "count.rule": Kind(
        _("Count ruled on"),
        (DIRECTOR,),
        {"shoe": ID, "chips": CHIPS, "reason": TEXT},
        (count_ruled(), SECOND),
        requested=_("Request for a ruling on a count"),
    ),
    "count.reopen": Kind(
        _("Counts withdrawn"),
        FLOORS,
        {"shoe": ID, "reason": TEXT},
        (counts_taken_back(),),
        chips=Chips.COUNTED,
    ),
    "round.close": Kind(
        _("Round closed"),
        (DIRECTOR,),
        {"round": ID},
        (how_many("result.advanced", words=_("%(n)s advance")),),
        chips=Chips.RULES,
    ),
    "round.tie_rule": Kind(
        _("Tie ruled on"),
        (DIRECTOR,),
        {"round": ID, "advance": TEXTS, "reason": TEXT},
        (listed("asked.advance", words=_("%(n)s advance")),),
        chips=Chips.RULES,
    ),
    "round.cut_stands": Kind(
        _("Cut ruled to stand"),
        (DIRECTOR,),
        {"round": ID, "reason": TEXT},
        (
            listed("result.missed", words=_("out: %(n)s")),
            listed("result.extra", words=_("through: %(n)s")),
            listed("result.tied", words=_("tied at the cut: %(n)s")),
        ),
    ),
    # Prizes
    "payouts.post": Kind(
        _("Payout structure posted"),
        (MANAGER,),
        {"structure": FACTS},
        (text("result.version", words=_("version %(n)s")), amounts("result.prizes_cents")),
        chips=Chips.RULES,
    ),
    "prize.pay": Kind(
        _("Prize paid"),
        PAYS,
        {"entry": ID, "identity_checked": FLAG},
        (place("result.place"), amount("result.amount_cents"), BEFORE, SECOND),
        requested=_("Request to pay a prize"),
    ),
    # Dual control: the kinds of requests are in REQUESTS
    "request.open": Kind(
        _("Second person asked"),
        (DIRECTOR, MANAGER, CASHIER),
        {"kind": TEXT, "body": FACTS, "reason": TEXT.or_absent},
    ),
    "request.decide": Kind(_("Second person answered"), LEADS, {"request": ID, "approve": FLAG}),
}


def who_may(*kinds: str) -> tuple[str, ...]:
    """Return the roles that may carry out one of these commands, or make one of these requests.

    Raises LookupError for a kind that is not declared.
    """
    roles = {
        role for kind in kinds for role in (REQUESTS[kind].asks if kind in REQUESTS else COMMANDS[kind].may)
    }
    return tuple(role for role in ROLES if role in roles)
