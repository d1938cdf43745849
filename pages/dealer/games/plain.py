"""The default part of the table's page, from the methods of a ``PlainGame``.

The game itself has the next step, the cards by box, and the possible outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _

from games.protocol import HandShown, PlainGame, Rules
from games.registry import game_of
from ground.refused import Refused
from pages.dealer.games.part import Touches, net_label
from pages.dealer.reads import Screen
from pages.floor.forms import box_name
from pages.words.hands import spoken

Json = dict[str, Any]


def _game(rules: Rules) -> PlainGame[Any, Any]:
    return cast("PlainGame[Any, Any]", game_of(rules))


def _shown(shown: Screen) -> HandShown | None:
    if shown.hand is None or shown.hand.state is None:
        return None
    return _game(shown.rules).shown(shown.hand.state)


def prints(rules: Rules) -> tuple[str, str]:
    """Return the name of the game and of the sheet."""
    return rules.game.upper(), rules.name.upper()


def in_hand(shown: Screen) -> dict[int, Json]:
    """Map boxes to their cards, their label, and at the end their net."""
    if shown.hand is None or shown.hand.state is None:
        return {}
    acts, made = shown.hand.state.needs.seat, {}
    for box, at in _game(shown.rules).shown(shown.hand.state).boxes.items():
        lit = box == acts
        cards = {"cards": at.cards, "total": "", "label": "", "active": lit}
        made[box] = {"hands": [cards], "state": "act" if lit else "", "label": spoken(at.word)}
        if at.net_chips is not None:
            made[box] |= net_label(at.net_chips)
    return made


def dealer(shown: Screen) -> Json:
    """Return the cards in the middle."""
    state = _shown(shown)
    return {"cards": state.middle if state else (), "label": spoken(state.text) if state else ""}


def wanted(shown: Screen) -> Json:
    """Return the game's next step, in its own words."""
    state = _shown(shown)
    if state is None or shown.hand is None or shown.hand.state is None:
        return {}
    need = shown.hand.state.needs
    made = {"kind": need.kind, "box": need.seat, "card": need.kind == "card", "title": spoken(state.text)}
    if need.kind == "done":
        return made | {"eyebrow": _("Hand %(n)s is finished") % {"n": shown.number}}
    if need.seat is None:
        return made | {"eyebrow": _("Hand %(n)s") % {"n": shown.number}}
    names = {row.box: row.entry.player.public_name for row in shown.view.boxes if row.entry}
    eyebrow = _("Box %(n)s to act") % {"n": need.seat}
    return made | {"eyebrow": eyebrow, "detail": names.get(need.seat, "")}


def decisions(shown: Screen) -> list[Json]:
    """Return a button for each legal decision."""
    words = _game(shown.rules).actions
    return [
        {
            "value": f"{each.action}:{each.seat}",
            "label": _(words[each.action]),
            "key": each.action[0],
            "legal": True,
            "hits": False,
        }
        for each in (shown.hand.legal if shown.hand else ())
    ]


def offers(shown: Screen) -> list[Json]:
    """Return no offers: nothing is out of turn."""
    return []


def touches(shown: Screen) -> Touches | None:
    """Return None: the game does not know the tap of a card."""
    return None


def record_taps(record: Mapping[str, Any]) -> list[Json] | None:
    """Return None: nothing can be touched."""
    return None


def results_form(rules: Rules) -> Json:
    """Return the outcomes that a box can have, in the game's words."""
    return {"outcomes": [(each.value, _(each.words), each.key) for each in _game(rules).choices(rules)]}


def outcomes(rules: Rules, post: Mapping[str, str], bets: Mapping[int, int]) -> dict[int, Json]:
    """Return the choice of every box that has one. Refuses ``bad_result`` for a choice that is not
    offered."""
    known = {each.value: each.outcome for each in _game(rules).choices(rules)}
    chosen = {box: value for box in bets if (value := post.get(f"out-{box}", ""))}
    for box, value in chosen.items():
        if value not in known:
            raise Refused(
                "bad_result", _("%(box)s: a hand of this game cannot have this result."), box=box_name(box)
            )
    return {box: dict(known[value]) for box, value in chosen.items()}


def fields(rules: Rules, outcomes: Mapping[str, Json]) -> dict[str, str]:
    """Return these outcomes as the choices of the form."""
    choices = _game(rules).choices(rules)
    return {
        f"out-{box}": each.value
        for box, outcome in outcomes.items()
        for each in choices
        if each.outcome == outcome
    }


def ahead(shown: Screen) -> Json | None:
    """Return None: the script waits for each tap."""
    return None


def ahead_words() -> Json:
    """Return no words: the script does not draw this game."""
    return {}


def cards_help() -> tuple[str, str]:
    """Return help for cards and decisions in their order."""
    return _("In the order in which they left the shoe: 8h 9c As 10d."), _("Box and decision, in order.")
