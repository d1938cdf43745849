"""The part of the catalogue that a second person is asked for: each kind of request, declared once."""

from __future__ import annotations

from ground.words import gettext_noop as _
from tournament.arguments import CHIPS, FACTS, FLAG, ID, LISTED, TEXT, TEXTS, WHOLE, WHOLES
from tournament.kinds import ANEW, BEFORE, CORRECTED, DUE, DUE_NUMBER, LEADS, PAYS, SELLS, Ask, Chips
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
    things,
)
from tournament.roles import MANAGER

ROLES = (
    listed("asked.before", words=_("before: %(n)s")),
    listed("asked.roles", words=_("now: %(n)s")),
    one_of("asked.active", {False: _("no longer works here")}),
)

REQUESTS: dict[str, Ask] = {
    "house_day": Ask(
        _("Change the limit or the clock of the gaming day"),
        _("Limit or clock of the gaming day changed"),
        {"before": FACTS, "after": FACTS},
        (changed("asked.before", "asked.after"),),
        same_as="house.change",
        house=True,
        asks=LEADS,
    ),
    "player_let_in": Ask(
        _("Let somebody in who was turned away"), _("Let in after all"), {"player": ID}, asks=LEADS
    ),
    "players_apart": Ask(
        _("Confirm that similar records are separate people"),
        _("Separate people confirmed"),
        {"player": ID, "others": WHOLES},
        (things("player", "asked.others"),),
        asks=LEADS,
    ),
    "player_correct": Ask(
        _("Correct a year of birth or an identity number"),
        _("Year of birth or identity number corrected"),
        {"player": ID},
        (CORRECTED,),
        same_as="player.correct",
        house=True,
        asks=SELLS,
    ),
    "login_new": Ask(
        _("Add a login"),
        _("Login added"),
        {"username": TEXT, "roles": TEXTS},
        (text("asked.username"), listed("asked.roles")),
        same_as="staff.create",
        house=True,
        asks=LEADS,
    ),
    "login_reset": Ask(
        _("Reset a password"),
        _("Password reset, link due"),
        {"user": ID},
        same_as="staff.password",
        house=True,
        asks=LEADS,
    ),
    "login_roles": Ask(
        _("Change roles"),
        _("Roles changed"),
        {"user": ID, "roles": TEXTS, "active": FLAG, "before": TEXTS, "active_before": FLAG},
        ROLES,
        same_as="staff.roles",
        house=True,
        asks=LEADS,
    ),
    "disqualify": Ask(_("Disqualification"), _("Disqualified"), {"entry": ID}, chips=Chips.RULING),
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
        (count_ruled(),),
        same_as="count.rule",
        chips=Chips.RULING,
    ),
    "penalty_chips": Ask(
        _("Penalty in chips"),
        _("Penalty"),
        {"entry": ID, "chips": WHOLE, "round": ID},
        (stack("asked.chips"),),
        same_as="penalty.add",
        chips=Chips.RULING,
    ),
    "penalty_chips_back": Ask(
        _("Cancel a penalty in chips"),
        _("Penalty cancelled"),
        {"penalty": ID, "entry": ID, "round": ID.or_none},
        same_as="penalty.cancel",
        chips=Chips.RULING,
    ),
    "prize_pay": Ask(
        _("Payment of a prize from the threshold on"),
        _("Prize paid"),
        {"entry": ID, "amount_cents": WHOLE, "identity_checked": FLAG},
        (place("result.place"), amount("asked.amount_cents"), BEFORE),
        same_as="prize.pay",
        asks=PAYS,
    ),
    "prize_take_back": Ask(
        _("Take a payment back"),
        _("Payment taken back"),
        {"entry": ID, "amount_cents": WHOLE},
        (amount("asked.amount_cents"),),
        asks=PAYS,
        once_paid=True,
    ),
    "prize_sharing": Ask(
        _("Share out an unclaimed prize"),
        _("Unclaimed prize shared out"),
        {"version": WHOLE, "places": WHOLES, "cents": WHOLE, "shares_cents": FACTS},
        (amounts_by_entry("asked.shares_cents"),),
        asks=LEADS,
    ),
    "payouts_supersede": Ask(
        _("Change the payout structure"),
        _("Payout structure superseded"),
        {"structure": FACTS},
        (text("result.version", words=_("version %(n)s")), amounts("result.prizes_cents")),
        same_as="payouts.post",
        chips=Chips.RULES,
        asks=(MANAGER,),
    ),
    "call_off": Ask(
        _("Call the event off"),
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
        (text("result.number", words=_("superseded by draw %(n)s")),),
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
        (by_entry("asked.changes"),),
        same_as="deal.correct",
        chips=Chips.RULING,
    ),
}
