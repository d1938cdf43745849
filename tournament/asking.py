"""The part of the catalogue that a second person is asked for: each kind of request, declared once."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournament.arguments import CHIPS, FACTS, FLAG, ID, LISTED, TEXT, TEXTS, WHOLE, WHOLES
from tournament.kinds import (
    ANEW,
    BEFORE,
    DUE,
    DUE_NUMBER,
    TABLE,
    Ask,
    Chips,
)
from tournament.parts import (
    amount,
    amounts,
    amounts_by_entry,
    by_entry,
    changed,
    count_ruled,
    listed,
    one_of,
    place,
    stack,
    text,
    thing,
    things,
)

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
        {"before": FACTS, "after": FACTS},
        (changed("asked.before", "asked.after"),),
        same_as="house.change",
        house=True,
    ),
    "player_let_in": Ask(
        _("Turned away, to be let in"),
        _("Let in after all"),
        {"player": ID},
        (thing("player", "asked.player"),),
    ),
    "players_apart": Ask(
        _("Records that look like one person"),
        _("Told apart"),
        {"player": ID, "others": WHOLES},
        (thing("player", "asked.player"), things("player", "asked.others")),
    ),
    "login_new": Ask(
        _("New login"),
        _("Login made"),
        {"username": TEXT, "roles": TEXTS},
        (text("asked.username"), listed("asked.roles")),
        same_as="staff.create",
        house=True,
    ),
    "login_reset": Ask(
        _("New password for a login"),
        _("Password taken away, link due"),
        {"user": ID},
        (thing("user", "asked.user"),),
        same_as="staff.password",
        house=True,
    ),
    "login_roles": Ask(
        _("Other roles"),
        _("Roles changed"),
        {"user": ID, "roles": TEXTS, "active": FLAG, "before": TEXTS, "active_before": FLAG},
        ROLES,
        same_as="staff.roles",
        house=True,
    ),
    "disqualify": Ask(
        _("Disqualification"),
        _("Disqualified"),
        {"entry": ID},
        (thing("entry", "asked.entry"),),
        chips=Chips.RULING,
    ),
    "count_ruling": Ask(
        _("Ruling on a count"),
        _("Count ruled on"),
        {
            "shoe": ID,
            "round": ID,
            "chips": CHIPS,
            "sheets": WHOLES,
            "moved": TEXTS,
            "counts": LISTED,
            "hands": CHIPS,
            "before": CHIPS,
        },
        (TABLE, count_ruled()),
        same_as="count.rule",
        chips=Chips.RULING,
    ),
    "penalty_chips": Ask(
        _("Penalty in chips"),
        _("Penalty"),
        {"entry": ID, "chips": WHOLE, "round": ID},
        (thing("entry", "asked.entry"), stack("asked.chips")),
        same_as="penalty.add",
        chips=Chips.RULING,
    ),
    "penalty_chips_back": Ask(
        _("Cancelling of a penalty"),
        _("Penalty cancelled"),
        {"penalty": ID, "entry": ID, "round": ID.or_none},
        (thing("penalty", "asked.penalty"),),
        same_as="penalty.cancel",
        chips=Chips.RULING,
    ),
    "prize_pay": Ask(
        _("Prize from the threshold on"),
        _("Prize paid"),
        {"entry": ID, "amount_cents": WHOLE, "identity_checked": FLAG},
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
        {"entry": ID, "amount_cents": WHOLE},
        (thing("entry", "asked.entry"), amount("asked.amount_cents")),
    ),
    "prize_sharing": Ask(
        _("Sharing of a prize that nobody holds"),
        _("Prize shared out that nobody holds"),
        {"version": WHOLE, "places": WHOLES, "cents": WHOLE, "shares_cents": FACTS},
        (amounts_by_entry("asked.shares_cents"),),
    ),
    "payouts_supersede": Ask(
        _("Other payouts"),
        _("Payouts superseded"),
        {"structure": FACTS},
        (text("result.version", words=_("version %(n)s")), amounts("result.prizes_cents")),
        same_as="payouts.post",
        chips=Chips.RULES,
    ),
    "call_off": Ask(
        _("Call off the event"),
        _("Event called off"),
        {},
        (DUE_NUMBER, DUE),
        same_as="event.call_off",
        chips=Chips.RULES,
    ),
    "redraw": Ask(
        _("Redraw"),
        _("Drawn again"),
        {"draw": ID},
        (thing("draw", "asked.draw"), text("result.number", words=_("superseded by draw %(n)s"))),
    ),
    "correct_after_close": Ask(
        _("Correction after the close"),
        _("Corrected after the close"),
        {
            "deal": ID,
            "hand": FACTS,
            "changes": FACTS,
            "seen": LISTED,
            "differs": FACTS.or_none,
            "ruled": LISTED,
            **ANEW,
        },
        (thing("deal", "asked.deal"), by_entry("asked.changes")),
        same_as="deal.correct",
        chips=Chips.RULING,
    ),
}
