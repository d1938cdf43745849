"""The posted rules in our own words, written from the event's frozen settings (T1–T35).

Every sentence comes from a setting or says a rule that holds for every event; the clause that it
carries is the one of the code and the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bets import largest_bet
from games.registry import game_of
from pages.hand_text import hand_rows, spoken
from pages.plan_words import bets_said, rounds_said, stacks_said
from tournament.engine import settings as event_settings
from tournament.engine.format import SHORT
from tournament.engine.payouts import percent
from tournament.engine.promise import ALL_OF_POOL, PRIZE_LIST, SHARE_OF_POOL
from tournament.engine.settings import EventSettings
from tournament.figures import chips, money, ordinal
from tournament.models import Event, House

Clause = tuple[str, str]
"""(clause, sentence)."""


def rules_sections(event: Event) -> list[dict[str, Any]]:
    """The rules as ``[{"title", "clauses": [{"number": "2.1", "clause": "T20", "text"}]}]``."""
    settings = event.settings
    house = House.objects.first() or House()
    parts = [
        (_("Entering"), _entering(event, settings, house)),
        (_("Rounds and seats"), _rounds(settings)),
        (_("At the table"), _table(settings)),
        (_("The hand"), hand_rows(event_settings.hand_rules(settings))),
        (_("Prizes"), _prizes(settings, house.currency)),
    ]
    return [_section(number, title, clauses) for number, (title, clauses) in enumerate(parts, start=1)]


def _section(number: int, title: str, clauses: Iterable[Clause]) -> dict[str, Any]:
    numbered = [
        {"number": f"{number}.{i}", "clause": clause, "text": text}
        for i, (clause, text) in enumerate(clauses, start=1)
    ]
    return {"title": title, "clauses": numbered}


def _entering(event: Event, s: EventSettings, house: House) -> list[Clause]:
    buy_in, fee = money(s.buy_in_cents, house.currency), money(s.fee_cents, house.currency)
    if event.is_rehearsal:
        buy_in = _("%(amount)s in play money") % {"amount": buy_in}
    words = _("The buy-in is %(buy_in)s, of which %(fee)s is the fee of the house.")
    if not s.fee_cents:
        words = _("The buy-in is %(buy_in)s; all of it goes into the prize pool.")
        if s.prizes_promised in (SHARE_OF_POOL, PRIZE_LIST):
            words = _("The buy-in is %(buy_in)s.")
    limit = _(
        "A person spends at most %(limit)s on buy-ins per gaming day, over all events of the house. The "
        "gaming day turns at %(hour)02d:00 (%(zone)s)."
    ) % {
        "limit": money(house.day_limit_cents, house.currency),
        "hour": house.day_turns_at_hour,
        "zone": house.time_zone,
    }
    if event.is_rehearsal:
        limit = _(
            "This is a rehearsal: buy-ins and prizes are play money, nobody pays and nobody is paid, and it"
            " does not count towards the day limit."
        )
    return [
        ("T1", _("Whoever has the most chips at the end wins.")),
        ("T2", words % {"buy_in": buy_in, "fee": fee}),
        ("T2", limit),
        (
            "T3",
            _("Every entry starts with %(stack)s in chips of %(chip)s.")
            % {"stack": chips(s.starting_chips), "chip": chips(s.chip_value_chips)},
        ),
        (
            "T6",
            _(
                "A player may take the seat until the first bet is called; until then the floor or the "
                "director may give the seat of a no-show to the alternates in their order. After it whoever "
                "has a seat and is not there sits the hands out as absent, and whoever has none is a no-show."
                " A no-show has no refund unless the director rules so."
            ),
        ),
        (
            "T7",
            _(
                "Before the draw an entry can be withdrawn with a refund; later only by a ruling of the "
                "director, with a reason. Persons under age or excluded cannot enter."
            ),
        ),
        (
            "T24",
            ngettext(
                "The event needs %(n)s entrant.", "The event needs at least %(n)s entrants.", s.min_entrants
            )
            % {"n": s.min_entrants}
            + " "
            + _(
                "With fewer, or for another reason that is posted, it is called off and every buy-in "
                "refunded."
            ),
        ),
    ]


def _rounds(s: EventSettings) -> list[Clause]:
    tables = _("The fewest tables that hold the round are used")
    if s.tables_count is not None:
        tables = _("%(n)s tables are used") % {"n": s.tables_count}
    boxes = _("%(tables)s, with up to %(boxes)s players each; tables differ by at most one player.")
    if s.tables_count is not None and s.tie_tables == event_settings.FEWEST:
        boxes += " " + _("A play-off or a sudden death uses the fewest tables that hold it.")
    public = _("A player cuts a deck and five cards are exposed, which enter the draw.")
    if not s.public_input:
        public = _("The draw has no public input.")
    return [
        (
            "T4",
            _("Seats are drawn at random.") + " " + boxes % {"tables": tables, "boxes": s.boxes_per_table},
        ),
        (
            "T21",
            _("Whoever advances gets a new random seat for the next round.")
            + " "
            + public
            + " "
            + _("Every draw can be checked by anybody: see Draws."),
        ),
        ("T20", rounds_said(s)),
        ("T20", _("Tied places that nobody plays for share the lower number, as in 1, 2, 2, 4.")),
        ("T22", stacks_said(s)),
        ("T23", _tie(s)),
        (
            "T24",
            _("Where no more players are in than the cut lets through, the round is played and cuts nobody."),
        ),
        ("T25", _("Who withdraws after qualifying is replaced by the next in the frozen standings.")),
    ]


def _tie(s: EventSettings) -> str:
    if s.tie_at_cut == event_settings.ALL_ADVANCE:
        return _(
            "Where players are tied at the cut, all of them advance if there are boxes for all of them."
            " If not, the tied players play off for the contested seats, each with a fresh %(stack)s."
        ) % {"stack": chips(s.play_off_chips)}
    if s.tie_at_cut == event_settings.DIRECTOR:
        return _("A tie at the cut is decided by a ruling of the director, with a posted reason.")
    return _(
        "A tie at the cut is played off: only the tied players, only for the contested seats, each with a "
        "fresh %(stack)s. After each hand those clearly in or out are fixed and the rest go on. The stack "
        "from before the play-off is the one that counts."
    ) % {"stack": chips(s.play_off_chips)}


def _table(s: EventSettings) -> list[Clause]:
    rules = event_settings.hand_rules(s)
    bets = _("Bets are from %(low)s to %(high)s in steps of %(step)s, in chips of %(chip)s.")
    top, own = largest_bet(rules.limits), bets_said(s)
    if len(own) == len(s.plan):
        bets = _("Chips are of %(chip)s.")
    elif top < rules.max_chips:
        bets += " " + _("The largest bet that can be made is %(top)s.")
    bets = " ".join([bets, *own, _("One box a player, who bets in every hand while there; no side bets.")])
    decks = ngettext(
        "%(n)s deck at every table of the event.", "%(n)s decks at every table of the event.", rules.decks
    )
    clauses = [
        ("T10", decks % {"n": rules.decks}),
        ("T11", spoken(game_of(rules).shoe_said(rules))),
        (
            "T12",
            bets
            % {
                "low": chips(rules.min_chips),
                "high": chips(rules.max_chips),
                "step": chips(rules.step_chips),
                "chip": chips(rules.chip_chips),
                "top": chips(top),
            },
        ),
        (
            "T13",
            _("Who cannot cover the smallest bet stops playing in that round; what is left still ranks."),
        ),
        (
            "T14",
            _(
                "A button marks who bets first. It is drawn at random at the start of the shoe and moves "
                "clockwise to the next occupied box each hand. Cards and decisions always start at box 1."
            ),
        ),
        ("T15", _absent(s)),
        (
            "T17",
            _(
                "A hand that went wrong at the table is void: every bet goes back. A hand recorded wrongly "
                "is corrected openly, and the stacks after it follow."
            ),
        ),
        ("T18", _counts(s)),
        (
            "T26",
            _(
                "The floor or the director may warn, or sit a player out for a hand; the director, confirmed"
                " by a second person, may take chips or disqualify. Who is disqualified is out: the stack"
                " leaves play, without prize and without refund."
            )
            + " "
            + _(
                "The director may give the seat that a disqualified player had qualified for to the next in"
                " the frozen standings, until the first bet of the next round; otherwise it stays empty."
            ),
        ),
    ]
    return clauses


def _absent(s: EventSettings) -> str:
    stands = _("An absent player sits the hand out and keeps the stack.")
    if s.record_mode == event_settings.COUNTS:
        return stands
    if s.no_hand == event_settings.RANKED:
        ranked = _(
            "A player who has played no hand of a round ranks with the stack, and may advance with it."
        )
        return f"{stands} {ranked}"
    out = _(
        "A player who has played no hand of a round when it is counted is out of it and ranks behind all who"
        " played; that does not hold for players who were present at a table where no hand was dealt."
    )
    return f"{stands} {out}"


def _counts(s: EventSettings) -> str:
    counted = _(
        "At the end of the shoe the chips of every box are counted twice, by two people who do not see each"
        " other's figure."
    )
    if s.record_mode == event_settings.COUNTS:
        return counted + " " + _("The counts alone decide; single hands are not recorded.")
    return counted + " " + _("The counts must agree with each other and with the hands recorded.")


def _prizes(s: EventSettings, currency: str) -> list[Clause]:
    clauses = [
        ("T30", _("At least two places are paid.")),
        (
            "T31",
            _(
                "The payout structure is posted at the end of round 1, before round 2 is dealt. It is never"
                " edited; until the first payment two persons may supersede it, and all versions stay "
                "public."
            ),
        ),
        ("T32", _pool(s, currency)),
        *_promise(s, currency),
        ("T32", _shares(s) % {"unit": money(s.prize_unit_cents, currency)}),
        (
            "T33",
            _(
                "A tie between places that are paid differently is decided by sudden death among the tied "
                "players, each with a fresh %(stack)s, looked at after every hand: %(until)s Who is absent"
                " ranks last among them; if nobody comes, the prizes of their places are split equally."
            )
            % {"stack": chips(s.sudden_death_chips), "until": _until(s)},
        ),
        ("T34", _("Every tie is decided for its own places only.")),
        (
            "T35",
            _("Prizes are paid by final place, once, after the identity has been checked.")
            + _extra(s, currency),
        ),
    ]
    return clauses


def _pool(s: EventSettings, currency: str) -> str:
    pool = _("The prize pool is every buy-in that was paid and not refunded.")
    if s.fee_cents:
        pool = _("The prize pool is every buy-in that was paid and not refunded, minus the fee of each.")
    if s.guarantee_cents:
        amount = money(s.guarantee_cents, currency)
        raised = _("Where that is less than the guarantee of %(amount)s, the house raises it to that.")
        pool += " " + raised % {"amount": amount}
    return pool


def _promise(s: EventSettings, currency: str) -> list[Clause]:
    """T32: what the rules promise of the pool; nothing where they were posted before there was a promise."""
    promised = ""
    if s.prizes_promised == ALL_OF_POOL:
        promised = _("All of the pool is paid out as prizes.")
    elif s.prizes_promised == SHARE_OF_POOL:
        words = _("%(share)s of the pool is paid out as prizes; the house keeps the rest.")
        promised = words % {"share": percent(s.promised_share_bp or 0)}
    elif s.prizes_promised == PRIZE_LIST:
        prizes = [
            f"{ordinal(place)} {money(cents, currency)}"
            for place, cents in enumerate(s.promised_prizes_cents, start=1)
        ]
        words = _(
            "These prizes are paid, whatever the pool: %(prizes)s. A prize is not owed where the event has "
            "fewer entries than its place."
        )
        promised = words % {"prizes": ", ".join(prizes)}
    more = _(
        "The payout structure cannot pay less. Where it pays more than the pool, the house adds the rest."
    )
    return [("T32", f"{promised} {more}")] if promised else []


def _shares(s: EventSettings) -> str:
    if s.prizes_promised == SHARE_OF_POOL:
        return _(
            "Shares divide this part of the pool. They are rounded down to %(unit)s; what is left over goes "
            "to the places that lost most by it, so that the shares add up to this part exactly."
        )
    return _(
        "Shares of the pool are rounded down to %(unit)s; what is left over goes to the places that"
        " lost most by it, so that the prizes add up to the pool exactly."
    )


def _until(s: EventSettings) -> str:
    if s.sudden_death_until == event_settings.STACKS_DIFFER:
        return _("all of them play on until all their stacks differ.")
    if s.sudden_death_until == event_settings.FROZEN:
        return _("whose place is decided keeps it, and those still level play on among themselves.")
    return _(
        "all of them play on until nobody is level with another over places that pay differently."
        " Places that pay the same are not played for."
    )


def _extra(s: EventSettings, currency: str) -> str:
    words = ""
    if s.second_person_from_cents is not None:
        amount = money(s.second_person_from_cents, currency)
        words += " " + _("From %(amount)s on a second person confirms the payment.") % {"amount": amount}
    if s.tax_notice_from_cents is not None:
        amount = money(s.tax_notice_from_cents, currency)
        words += " " + _("From %(amount)s on a tax form is filled in.") % {"amount": amount}
    return words


def settings_rows(event: Event) -> list[tuple[str, str]]:
    """Every setting of the event as it was frozen: its name and its value, in the order of the clauses."""
    snapshot = event.settings_json or event_settings.to_dict(event.settings)
    names = [each.name for each in fields(EventSettings) if each.name != "house_rules"]
    # The rounds stand under one name or under four (engine.format).
    names[names.index("plan") : names.index("plan") + 1] = ["plan", *SHORT]
    rows = [(name, _value(snapshot.get(name))) for name in names if name in snapshot]
    return rows + [
        (f"house_rules.{name}", _value(value)) for name, value in (snapshot.get("house_rules") or {}).items()
    ]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None:
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_value(each)}" for name, each in value.items()) or "–"
    if isinstance(value, list | tuple):
        return "; ".join(map(_value, value)) or "–"
    return str(value) if value != "" else "–"
