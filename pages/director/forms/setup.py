"""The settings of an event as a form, in groups, each with its default and its clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.registry import game_of, sheet_title, sheets
from pages.director.forms.plan import (
    COUNT,
    count_of,
    plan_fields,
    plan_initial,
    plan_rows,
    plan_summary,
    plan_typed,
    plan_wrong,
)
from pages.fields import AmountsField, HundredthsField, ShareField, TextField, WholeField
from pages.form import Form
from tournament.engine import promise
from tournament.engine import settings as engine
from tournament.engine.payouts import percent
from tournament.engine.settings import DEFAULTS, EventSettings
from tournament.figures import chips, money

SHEET = _("Rule sheet")
TIES = _("Ties")
DEFAULT = _("Default")
CHOICES: dict[str, list[tuple[str, Any]]] = {
    "tie_at_cut": [
        (engine.PLAY_OFF, _("Play-off of the tied players")),
        (engine.ALL_ADVANCE, _("All tied advance")),
        (engine.DIRECTOR, _("The director rules, with a reason")),
    ],
    "no_hand": [
        (engine.OUT, _("Out of the round, behind all who played")),
        (engine.RANKED, _("Ranks by chips, and may advance")),
    ],
    "sudden_death_until": [
        (engine.PRIZES_DIFFER, _("Until no tie is left that changes a prize")),
        (engine.STACKS_DIFFER, _("Until all stacks differ")),
        (engine.FROZEN, _("Decided places are fixed; the other players play on")),
    ],
    "tie_tables": [
        (engine.FEWEST, _("As few as possible")),
        (engine.AS_POSTED, _("As many as in a round")),
    ],
    "record_mode": [
        (engine.HANDS, _("Every hand, then the counts")),
        (engine.COUNTS, _("The counts alone")),
    ],
    "prizes_promised": [
        (promise.ALL_OF_POOL, _("All of the pool")),
        (promise.SHARE_OF_POOL, _("A share of the pool")),
        (promise.PRIZE_LIST, _("A list of prizes, whatever the pool")),
    ],
    "public_input": [
        ("1", _("Five cards cut in public")),
        ("", _("None: only the secret that was fixed beforehand")),
    ],
}


def decks_words(decks: int) -> str:
    """``6 decks``."""
    return ngettext("%(n)s deck", "%(n)s decks", decks) % {"n": decks}


@dataclass(frozen=True)
class Setting:
    """One setting; ``kind``: money, amounts, share, chips, number or choice; ``said``: the sheet sets its
    default."""

    name: str
    label: Any
    kind: str
    clause: str
    said: bool = False
    hint: Any = ""
    optional: bool = False

    def words(self, value: Any, currency: str) -> str:
        """Return a value in words."""
        if value in (None, "", ()):
            return str(NOTHING.get(self.name, "–"))
        if self.kind == "money":
            return money(value, currency)
        if self.kind == "amounts":
            return " · ".join(money(cents, currency) for cents in value)
        if self.kind == "share":
            return percent(value)
        if self.name == "decks":
            return decks_words(value)
        if self.name == "sheet":
            return sheet_title(value)
        if self.kind == "choice":
            stored = ("1" if value else "") if isinstance(value, bool) else str(value)
            return str(dict(CHOICES.get(self.name, ())).get(stored, value))
        return gettext("%(n)s chips") % {"n": chips(value)} if self.kind == "chips" else chips(value)

    def field(self, currency: str, defaults: EventSettings = DEFAULTS) -> forms.Field:
        """Return the form field, with its default as help text."""
        default = self.words(getattr(defaults, self.name), currency)
        source = SHEET if self.said else DEFAULT
        help_text = f"{source}: {default}" + (f" · {self.hint}" if self.hint else "")
        common: dict[str, Any] = {"label": self.label, "help_text": help_text, "required": not self.optional}
        if self.kind == "money":
            return HundredthsField(**common)
        if self.kind == "amounts":
            return AmountsField(**common)
        if self.kind == "share":
            return ShareField(**common)
        if self.kind == "choice":
            choices = CHOICES.get(self.name, [])
            # If the empty value is a choice, the field cannot be missing.
            common["required"] = all(value != "" for value, _words in choices)
            return forms.ChoiceField(choices=choices, **common)
        return WholeField(**common)


NOTHING = {
    "tables_count": _("as few as the round needs"),
    "promised_share_bp": _("none"),
    "promised_prizes_cents": _("none"),
    "second_person_from_cents": _("never"),
    "tax_notice_from_cents": _("never"),
}


@dataclass(frozen=True)
class Group:
    """Settings that belong together."""

    title: Any
    text: Any
    settings: tuple[Setting, ...]


GROUPS = (
    Group(
        _("Money"),
        _("What an entry costs and what goes into the pool."),
        (
            Setting("buy_in_cents", _("Buy-in"), "money", "T2"),
            Setting("fee_cents", _("Fee, part of the buy-in"), "money", "T32"),
            Setting(
                "guarantee_cents",
                _("Guaranteed pool"),
                "money",
                "T32",
                hint=_("the house adds what is missing"),
            ),
        ),
    ),
    Group(
        _("Entrants and tables"),
        _("Seats are drawn at random; tables differ by at most one player."),
        (
            Setting(
                "min_entrants",
                _("Fewest entrants"),
                "number",
                "T24",
                hint=_("with fewer the event is called off"),
            ),
            Setting(
                "tables_count",
                _("Tables"),
                "number",
                "T4",
                optional=True,
                hint=_("leave empty for the default"),
            ),
            Setting("boxes_per_table", _("Boxes at a table"), "number", "T4"),
        ),
    ),
    Group(
        _("Chips and bets"),
        _("A bet is a multiple of the step; half a bet must be whole chips."),
        (
            Setting("starting_chips", _("Starting stack"), "chips", "T3"),
            Setting("chip_value_chips", _("Value of the smallest chip"), "number", "T12", said=True),
            Setting("bet_min_chips", _("Smallest bet"), "chips", "T12", said=True),
            Setting("bet_max_chips", _("Largest bet"), "chips", "T12", said=True),
            Setting("bet_step_chips", _("Step"), "chips", "T12", said=True),
        ),
    ),
    Group(
        _("The shoe"),
        _("A round lasts one shoe at each table."),
        (
            Setting(
                "sheet",
                _("Rules of the hand"),
                "choice",
                "T16",
                said=True,
                hint=_("another rule sheet brings its own bets, chips and stacks"),
            ),
            Setting("decks", _("Decks"), "choice", "T10", said=True),
            Setting("record_mode", _("What is recorded"), "choice", "T18"),
            Setting(
                "no_hand",
                _("A player who has played no hand"),
                "choice",
                "T15",
                hint=_("if single hands are recorded"),
            ),
        ),
    ),
    Group(
        TIES,
        _("Players who are tied at a cut, or for places with different prizes, play for it."),
        (
            Setting("tie_at_cut", _("Tie at the cut"), "choice", "T23"),
            Setting("play_off_chips", _("Stack in a play-off"), "chips", "T23"),
            Setting("sudden_death_chips", _("Stack in sudden death"), "chips", "T33"),
            Setting("sudden_death_until", _("Sudden death ends"), "choice", "T33"),
            Setting("tie_tables", _("Tables of a tie"), "choice", "T23"),
        ),
    ),
    Group(
        _("The draw"),
        _("A secret for each draw is fixed when the rules are posted, so that every one can be checked."),
        (Setting("public_input", _("Public part"), "choice", "T4"),),
    ),
    Group(
        _("Prizes"),
        _("The manager posts the payout structure once round 1 is closed. It cannot pay less than promised."),
        (
            Setting("prizes_promised", _("Promised prizes"), "choice", "T32"),
            Setting(
                "promised_share_bp",
                _("Promised share of the pool, in %"),
                "share",
                "T32",
                optional=True,
                hint=_("only if a share is promised"),
            ),
            Setting(
                "promised_prizes_cents",
                _("Promised list of prizes"),
                "amounts",
                "T32",
                optional=True,
                hint=_("only if a list is promised: one amount a line, first place first"),
            ),
            Setting("prize_unit_cents", _("Prizes are rounded to"), "money", "T32"),
            Setting(
                "second_person_from_cents", _("Second person for prizes from"), "money", "T35", optional=True
            ),
            Setting("tax_notice_from_cents", _("Tax form for prizes from"), "money", "T35", optional=True),
        ),
    ),
)


class SetupForm(Form):
    """All settings of an event; the engine checks the values."""

    name = TextField(label=_("Name of the event"), max_length=80)

    def __init__(self, *args: Any, currency: str = "USD", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sheet = str(self.initial.get("sheet", DEFAULTS.sheet))
        for group in GROUPS:
            for each in group.settings:
                self.fields[each.name] = each.field(currency, defaults_of(sheet))
        standing = count_of(self.initial, len(DEFAULTS.plan))
        self.round_count = count_of(self.data, standing) if self.is_bound else standing
        self.fields[COUNT] = forms.CharField(widget=forms.HiddenInput, required=False)
        self.fields |= plan_fields(self.round_count)
        self.offer("sheet", [(name, sheet_title(name)) for name in sheets()])
        self.offer("decks", [(str(n), decks_words(n)) for n in sheets()[sheet].decks_allowed])

    def clean(self) -> dict[str, Any]:
        """Check the fields of each round together."""
        cleaned = super().clean() or {}
        for name, wrong in list(plan_wrong(cleaned, self.round_count)):
            self.add_error(name, wrong)
        return cleaned

    def plan(self) -> dict[str, Any]:
        """Return the rounds for the page, and the buttons that add or remove one."""
        more, fewer = self.round_count + 1, self.round_count - 1
        return {
            "rounds": plan_rows(self, self.round_count),
            "more": more if count_of({COUNT: more}, 0) == more else None,
            "fewer": fewer if count_of({COUNT: fewer}, 0) == fewer else None,
        }

    def groups(self) -> Iterator[dict[str, Any]]:
        """Yield the fields by group, for the page."""
        for group in GROUPS:
            fields = [
                {"field": self[each.name], "unit": each.kind, "optional": each.optional}
                for each in group.settings
            ]
            after_rounds = group.title is TIES
            yield {"title": group.title, "text": group.text, "fields": fields, "after_rounds": after_rounds}

    def settings(self) -> dict[str, Any]:
        """Return the settings for the service."""
        chosen = {each.name: self.cleaned_data.get(each.name) for group in GROUPS for each in group.settings}
        return {
            **chosen,
            "plan": plan_typed(self.cleaned_data, self.round_count),
            "decks": int(chosen["decks"] or 0),
            "public_input": chosen["public_input"] == "1",
        }


def defaults_of(sheet: str) -> EventSettings:
    """Return the default settings of an event with this rule sheet."""
    return engine.from_dict(engine.sheet_defaults(sheet))


def initial_of(name: str, settings: EventSettings) -> dict[str, Any]:
    """Return the initial values of the form."""
    values: dict[str, Any] = {
        each.name: getattr(settings, each.name) for group in GROUPS for each in group.settings
    }
    values |= {"decks": str(settings.decks), "public_input": "1" if settings.public_input else ""}
    return {"name": name, **values, **plan_initial(settings.plan)}


def summary(settings: EventSettings, currency: str) -> list[dict[str, Any]]:
    """Return the settings in words by group: label, value, clause, and whether it differs from the
    default."""
    defaults = defaults_of(settings.sheet)
    groups: list[dict[str, Any]] = [
        {
            "title": group.title,
            "rows": [
                {
                    "label": each.label,
                    "value": each.words(getattr(settings, each.name), currency),
                    "clause": each.clause,
                    "changed": getattr(settings, each.name) != getattr(defaults, each.name),
                }
                for each in group.settings
            ],
        }
        for group in GROUPS
    ]
    at = next(n for n, group in enumerate(GROUPS) if group.title is TIES)
    groups.insert(at, {"title": gettext("Rounds"), "rows": plan_summary(settings, defaults)})
    chosen = chosen_options(settings)
    return [*groups, {"title": _("Options of the rule sheet"), "rows": chosen}] if chosen else groups


def chosen_options(settings: EventSettings) -> list[dict[str, Any]]:
    """List the options that differ from the sheet."""
    sheet = sheets()[settings.sheet]
    return [
        {
            "label": gettext(option.question),
            "value": gettext(option.sentence(settings.options[option.name])),
            "clause": gettext("row %(n)s") % {"n": option.row},
            "changed": True,
        }
        for option in game_of(sheet).options(sheet)
        if option.name in settings.options
    ]
