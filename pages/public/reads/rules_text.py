"""The text of the posted rules, written from the event's frozen settings (T1–T35).

Every sentence comes from a setting, or states a rule for every event. The page carries its clause, the same
as in code and tests, and its settings (``Rule``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import time
from itertools import groupby

from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bets import largest_bet
from games.registry import game_of
from pages.words.hands import Rule, hand_rule_sentences, spoken
from pages.words.plans import round_bets_sentences, rounds_words, stacks_words
from tournament.engine import settings as event_settings
from tournament.engine.promise import ALL_OF_POOL, PRIZE_LIST, SHARE_OF_POOL
from tournament.engine.settings import EventSettings
from tournament.figures import chips, money, ordinal, percent
from tournament.models import Event, House


@dataclass(frozen=True, slots=True)
class Clause:
    """Consecutive sentences of one clause; ``number``: the number that people quote."""

    number: str
    clause: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the posted rules."""

    title: str
    clauses: tuple[Clause, ...]


def rules_sections(event: Event) -> list[Section]:
    """Return the rules of an event in their posted order."""
    settings = event.settings
    house = House.objects.first() or House()
    parts = [
        (_("Entering"), _entering(event, settings, house)),
        (_("Rounds and seats"), _rounds(settings)),
        (_("At the table"), _table(settings)),
        (_("Playing a hand"), hand_rule_sentences(event_settings.hand_rules(settings))),
        (_("Prizes"), _prizes(settings, house.currency)),
    ]
    return [_section(number, title, rules) for number, (title, rules) in enumerate(parts, start=1)]


def _section(number: int, title: str, rules: Iterable[Rule]) -> Section:
    together = [(clause, tuple(said)) for clause, said in groupby(rules, key=lambda rule: rule.clause)]
    return Section(
        title,
        tuple(Clause(f"{number}.{i}", clause, said) for i, (clause, said) in enumerate(together, start=1)),
    )


# -- Entering ---------------------------------------------------------------------------------------------


def _entering(event: Event, s: EventSettings, house: House) -> list[Rule]:
    words = _("Every player starts with %(stack)s in chips. The smallest chip is worth %(chip)s.")
    chip = event_settings.hand_rules(s).chip_chips
    stack = words % {"stack": chips(s.starting_chips), "chip": chips(chip)}
    words = _(
        "The event takes place only with %(n)s entrants or more. With fewer, or for another reason that is"
        " posted, it is called off and every buy-in is refunded."
    )
    least = words % {"n": chips(s.min_entrants)}
    return [
        Rule("T1", _("The player with the most chips at the end wins.")),
        _buy_in(s, house.currency),
        _day_limit(event, house),
        Rule("T3", stack, {"starting_chips": s.starting_chips, "chip_value_chips": chip}),
        Rule(
            "T6",
            _(
                "A player may take the drawn seat until the first bet is called. Until then, the floor or the"
                " director may give the seat of a player who has not come to the alternates, in the order of"
                " the waiting list. From then on, a player with a seat who is not at the table is absent, and"
                " a player whose seat was given away is a no-show. A no-show gets no refund unless the"
                " director decides otherwise."
            ),
        ),
        Rule(
            "T7",
            _(
                "An entry can be withdrawn with a refund until the draw. After the draw, only the director"
                " can allow this, with a reason. Persons who are under age or barred from gambling cannot"
                " enter."
            ),
        ),
        Rule("T7", _("An alternate who has no seat can withdraw with a refund at any time.")),
        Rule("T24", least, {"min_entrants": s.min_entrants}),
    ]


def _buy_in(s: EventSettings, currency: str) -> Rule:
    words = _("The buy-in is %(buy_in)s, and all of it goes into the prize pool.")
    if s.fee_cents:
        words = _("The buy-in is %(buy_in)s. It includes a fee of %(fee)s for the house.")
    elif s.prizes_promised in (SHARE_OF_POOL, PRIZE_LIST):
        words = _("The buy-in is %(buy_in)s.")
    figures = {"buy_in": money(s.buy_in_cents, currency), "fee": money(s.fee_cents, currency)}
    return Rule("T2", words % figures, {"buy_in_cents": s.buy_in_cents, "fee_cents": s.fee_cents})


def _day_limit(event: Event, house: House) -> Rule:
    if event.is_rehearsal:
        return Rule(
            "T2",
            _(
                "This event is a rehearsal: buy-ins and prizes are play money, nobody pays, and nobody is"
                " paid. It does not count towards the day limit."
            ),
        )
    words = _(
        "A person may spend at most %(limit)s on buy-ins per gaming day, over all events of the house. A"
        " gaming day begins at %(hour)s (%(zone)s)."
    )
    figures = {
        "limit": money(house.day_limit_cents, house.currency),
        "hour": time_format(time(house.day_turns_at_hour), "TIME_FORMAT"),
        "zone": house.time_zone,
    }
    return Rule("T2", words % figures, {"day_limit_cents": house.day_limit_cents})


# -- Rounds and seats -------------------------------------------------------------------------------------


def _rounds(s: EventSettings) -> list[Rule]:
    return [
        Rule("T20", rounds_words(s), {"advance": [each.advance.top for each in s.plan if each.advance]}),
        Rule("T22", stacks_words(s), {"stack": [each.stack for each in s.plan]}),
        *_seats(s),
        Rule("T21", _("Every player who advances is drawn a new random seat for the next round.")),
        Rule("T21", _public_input(s), {"public_input": s.public_input}),
        Rule("T21", _("Anybody can check every draw on the page “Draws”.")),
        Rule("T23", _tie(s), {"tie_at_cut": s.tie_at_cut, "play_off_chips": s.play_off_chips}),
        Rule(
            "T20",
            _("Tied players who do not play for their places share the better place, as in 1, 2, 2, 4."),
        ),
        Rule(
            "T24",
            _(
                "If a round has no more players than may advance from it, the round is still played, and"
                " nobody is eliminated by rank."
            ),
        ),
        Rule(
            "T25",
            _(
                "A player who has qualified for the next round and withdraws before its first bet is replaced"
                " by the next player of the final standings of the round before."
            ),
        ),
    ]


def _seats(s: EventSettings) -> list[Rule]:
    fewest = _("As few tables as possible are used, with up to %(boxes)s players each.")
    if s.tables_count is None:
        tables = fewest % {"boxes": s.boxes_per_table}
    else:
        tables = ngettext(
            "%(n)s table is used, with up to %(boxes)s players.",
            "%(n)s tables are used, with up to %(boxes)s players each.",
            s.tables_count,
        ) % {"n": s.tables_count, "boxes": s.boxes_per_table}
    rules = [
        Rule("T4", _("Seats are drawn at random.")),
        Rule("T4", tables, {"tables_count": s.tables_count, "boxes_per_table": s.boxes_per_table}),
        Rule("T4", _("The numbers of players at two tables differ by at most one.")),
    ]
    if s.tables_count is not None and s.tie_tables == event_settings.FEWEST:
        ties = _("A play-off or a sudden-death round uses as few tables as possible.")
        rules.append(Rule("T4", ties, {"tie_tables": s.tie_tables}))
    return rules


def _public_input(s: EventSettings) -> str:
    if not s.public_input:
        return _("The draw uses only a secret that was fixed beforehand, and no cards cut in public.")
    return _(
        "For the draw a player cuts a deck and five cards are turned face up; these cards enter the draw."
    )


def _tie(s: EventSettings) -> str:
    stack = {"stack": chips(s.play_off_chips)}
    if s.tie_at_cut == event_settings.ALL_ADVANCE:
        return (
            _(
                "If players are tied for the last seats in the next round, all of them advance if there are"
                " boxes for all of them. If not, the tied players play off for these seats, each with a fresh"
                " stack of %(stack)s."
            )
            % stack
        )
    if s.tie_at_cut == event_settings.DIRECTOR:
        return _(
            "If players are tied for the last seats in the next round, the director decides and posts the"
            " reason."
        )
    return (
        _(
            "If players are tied for the last seats in the next round, these players alone play off for these"
            " seats, each with a fresh stack of %(stack)s. After each hand, the players who are certainly in"
            " or out stop, and the others play on. Afterwards, the stacks from before the play-off count"
            " again."
        )
        % stack
    )


# -- At the table -----------------------------------------------------------------------------------------


def _table(s: EventSettings) -> list[Rule]:
    rules = event_settings.hand_rules(s)
    decks = ngettext(
        "Every table of the event plays with %(n)s deck of cards.",
        "Every table of the event plays with %(n)s decks of cards.",
        rules.decks,
    )
    return [
        Rule("T10", decks % {"n": rules.decks}, {"decks": rules.decks}),
        Rule("T11", spoken(game_of(rules).shoe_rule(rules))),
        *_bets(s),
        Rule(
            "T13",
            _(
                "A player who cannot cover the minimum bet stops playing for that round; the remaining chips"
                " still count."
            ),
        ),
        Rule(
            "T14",
            _(
                "A button shows which player bets first. It is drawn at random at the start of the shoe and"
                " moves clockwise to the next occupied box with each hand. Cards and decisions always start"
                " at box 1."
            ),
        ),
        *_absent(s),
        Rule(
            "T17",
            _(
                "A hand that went wrong at the table is void, and every bet is returned. A hand that was"
                " recorded wrongly is corrected openly, and the stacks after it are recalculated."
            ),
        ),
        Rule(
            "T18",
            _(
                "At the end of the shoe, the chips of every box are counted twice, by two people who do not"
                " see each other's figure."
            ),
        ),
        Rule("T18", _counts(s), {"record_mode": s.record_mode}),
        *_penalties(),
    ]


def _bets(s: EventSettings) -> list[Rule]:
    rules, own = event_settings.hand_rules(s), round_bets_sentences(s)
    said = []
    if len(own) < len(s.plan):
        words = _("A bet is from %(low)s to %(high)s, in steps of %(step)s.")
        top = largest_bet(rules.limits)
        if top < rules.max_chips:
            words = _(
                "A bet is from %(low)s to %(high)s, in steps of %(step)s; so the largest possible bet is"
                " %(top)s."
            )
        figures = {"low": rules.min_chips, "high": rules.max_chips, "step": rules.step_chips, "top": top}
        limits = {
            "bet_min_chips": rules.min_chips,
            "bet_max_chips": rules.max_chips,
            "bet_step_chips": rules.step_chips,
        }
        said.append(Rule("T12", words % {name: chips(each) for name, each in figures.items()}, limits))
    box = _("Each player has one box and bets in every hand while at the table. Side bets are not offered.")
    return [*said, *own, Rule("T12", box)]


def _penalties() -> list[Rule]:
    return [
        Rule(
            "T26",
            _(
                "The floor or the director may warn a player, or have a player sit out a hand. The director"
                " may take chips from a player or disqualify a player; a second person must confirm this."
            ),
        ),
        Rule(
            "T26",
            _(
                "A disqualified player is out of the event: the player's chips leave play, and the player"
                " gets neither a prize nor a refund. If the player had qualified for the next round, that"
                " seat stays empty."
            ),
        ),
    ]


def _absent(s: EventSettings) -> list[Rule]:
    rules = [Rule("T15", _("An absent player sits the hand out and keeps the chips."))]
    if s.record_mode == event_settings.COUNTS:
        return rules
    words = _(
        "A player who has played no hand of a round when it is counted is out of that round and ranks behind"
        " all players who played. This does not apply to players who were present at a table where no hand"
        " was dealt."
    )
    if s.no_hand == event_settings.RANKED:
        words = _("A player who has played no hand of a round still ranks by chips and may advance.")
    return [*rules, Rule("T15", words, {"no_hand": s.no_hand})]


def _counts(s: EventSettings) -> str:
    if s.record_mode == event_settings.COUNTS:
        return _("Only these counts decide; single hands are not recorded.")
    return _("The two counts must agree with each other and with the recorded hands.")


# -- Prizes -----------------------------------------------------------------------------------------------


def _prizes(s: EventSettings, currency: str) -> list[Rule]:
    return [
        Rule("T30", _("At least two places are paid.")),
        Rule(
            "T31",
            _(
                "The payout structure is posted at the end of round 1, before round 2 is dealt. A posted"
                " structure is never changed. Until the first payment, two people together may replace it"
                " with a new version, and all versions stay public."
            ),
        ),
        *_pool(s, currency),
        *_promise(s, currency),
        *_shares(s, currency),
        *_sudden_death(s),
        Rule("T34", _("A sudden-death round decides only the places for which it is played.")),
        *_payments(s, currency),
    ]


def _pool(s: EventSettings, currency: str) -> list[Rule]:
    pool = _("The prize pool is the sum of all buy-ins that were paid and not refunded.")
    if s.fee_cents:
        pool = _(
            "The prize pool is the sum of all buy-ins that were paid and not refunded, minus the fee in each."
        )
    rules = [Rule("T32", pool, {"fee_cents": s.fee_cents})]
    if s.guarantee_cents:
        raised = _(
            "If the prize pool is less than the guaranteed %(amount)s, the house raises it to that amount."
        )
        amount = money(s.guarantee_cents, currency)
        rules.append(Rule("T32", raised % {"amount": amount}, {"guarantee_cents": s.guarantee_cents}))
    return rules


def _promise(s: EventSettings, currency: str) -> list[Rule]:
    """Return what the rules promise of the pool (T32)."""
    promised: dict[str, object] = {"prizes_promised": s.prizes_promised}
    if s.prizes_promised == ALL_OF_POOL:
        words = _("All of the prize pool is paid out as prizes.")
    elif s.prizes_promised == SHARE_OF_POOL:
        promised["promised_share_bp"] = s.promised_share_bp
        words = _("%(share)s of the prize pool is paid out as prizes; the house keeps the rest.") % {
            "share": percent(s.promised_share_bp or 0)
        }
    else:
        promised["promised_prizes_cents"] = list(s.promised_prizes_cents)
        each = _("%(place)s place %(prize)s")
        prizes = [
            each % {"place": ordinal(place), "prize": money(cents, currency)}
            for place, cents in enumerate(s.promised_prizes_cents, start=1)
        ]
        words = _(
            "These prizes are paid, whatever the prize pool is: %(prizes)s. No prize is paid for a place"
            " beyond the number of entries."
        ) % {"prizes": ", ".join(prizes)}
    more = _("The payout structure cannot pay less. If it pays more than the pool, the house adds the rest.")
    return [Rule("T32", words, promised), Rule("T32", more)]


def _shares(s: EventSettings, currency: str) -> list[Rule]:
    words = _(
        "Prizes that are shares of the pool are rounded down to a multiple of %(unit)s. The places that lost"
        " most by rounding get what is left over, so that the prizes add up to the pool exactly."
    )
    if s.prizes_promised == SHARE_OF_POOL:
        words = _(
            "Prizes that are shares divide this part of the pool. They are rounded down to a multiple of"
            " %(unit)s. The places that lost most by rounding get what is left over, so that the prizes add"
            " up to this part exactly."
        )
    unit, setting = {"unit": money(s.prize_unit_cents, currency)}, {"prize_unit_cents": s.prize_unit_cents}
    rules = [Rule("T32", words % unit, setting)]
    if s.prize_unit_cents > 1:
        rest = _("A remainder of less than %(unit)s goes to first place.")
        rules.append(Rule("T32", rest % unit, setting))
    return rules


def _sudden_death(s: EventSettings) -> list[Rule]:
    words = _(
        "If players are tied for places with different prizes, the tied players play a sudden-death round."
        " Each of them starts with a fresh stack of %(stack)s, and the stacks are compared after every hand."
    )
    stack = words % {"stack": chips(s.sudden_death_chips)}
    absent = _(
        "A player who is absent ranks last among the tied players. If all of them are absent, the prizes of"
        " their places are split equally."
    )
    return [
        Rule("T33", stack, {"sudden_death_chips": s.sudden_death_chips}),
        Rule("T33", _until(s), {"sudden_death_until": s.sudden_death_until}),
        Rule("T33", absent),
    ]


def _until(s: EventSettings) -> str:
    if s.sudden_death_until == event_settings.STACKS_DIFFER:
        return _("All of them play on until no two of their stacks are equal.")
    if s.sudden_death_until == event_settings.FROZEN:
        return _(
            "A player whose place is decided keeps it; players who are still tied play on among themselves."
        )
    return _(
        "All of them play on until nobody is tied any more for places with different prizes. Places with the"
        " same prize are not played for."
    )


def _payments(s: EventSettings, currency: str) -> list[Rule]:
    rules = [
        Rule(
            "T35",
            _("Prizes go by final place. Each is paid once, after the player's identity has been checked."),
        )
    ]
    if s.second_person_from_cents is not None:
        words = _("A second person confirms the payment of a prize of %(amount)s or more.")
        amount = {"amount": money(s.second_person_from_cents, currency)}
        rules.append(Rule("T35", words % amount, {"second_person_from_cents": s.second_person_from_cents}))
    if s.tax_notice_from_cents is not None:
        words = _("A tax form is filled in for a prize of %(amount)s or more.")
        amount = {"amount": money(s.tax_notice_from_cents, currency)}
        rules.append(Rule("T35", words % amount, {"tax_notice_from_cents": s.tax_notice_from_cents}))
    return rules
