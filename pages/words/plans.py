"""The rounds of an event in sentences, for its posted rules and its set-up (F1)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.words.hands import Rule
from tournament.engine.format import CARRIED, RESET, THE_STACK, Bets, RoundSettings
from tournament.engine.settings import EventSettings
from tournament.figures import chips


def rounds_words(s: EventSettings) -> str:
    """Return how many rounds are played and how many players advance after each (T20)."""
    played = ngettext("%(n)s round is played.", "%(n)s rounds are played.", len(s.plan)) % {"n": len(s.plan)}
    cuts = [
        ngettext(
            "After round %(n)s, the %(top)s player with the most chips advances.",
            "After round %(n)s, the %(top)s players with the most chips advance.",
            each.advance.top,
        )
        % {"n": n, "top": chips(each.advance.top)}
        for n, each in enumerate(s.plan, start=1)
        if each.advance
    ]
    return " ".join([played, *cuts, _("The last round decides the places of the players in it.")])


def stacks_words(s: EventSettings) -> str:
    """Return the starting stack of each round, and the minimum to advance if chips are carried (T20, T22)."""
    later = {each.stack for each in s.plan[1:]}
    if later == {RESET}:
        words = _("Every player starts every round with %(stack)s in chips.")
        return words % {"stack": chips(s.starting_chips)}
    if later == {CARRIED}:
        said = [_("Players keep their chips from round to round.")]
    else:
        said = [_stack(s, n, each) for n, each in enumerate(s.plan[1:], start=2)]
    if CARRIED in later:
        said.append(
            _(
                "To advance to a round in which players keep their chips, a player must be able to cover the"
                " minimum bet; if too few can, fewer players advance."
            )
        )
    return " ".join(said)


def bets_words(bets: Bets) -> str:
    """Return the possible bets of a round with bets of its own (F5)."""
    words = _("from %(low)s to %(high)s in steps of %(step)s")
    if bets.max_chips is THE_STACK:
        words = _("from %(low)s to the whole stack in steps of %(step)s")
    return words % _limits(bets)


def round_bets_sentences(s: EventSettings) -> list[Rule]:
    """Return a sentence for each round with bets of its own (F5, T12)."""
    return [
        Rule("T12", _bets(each.bets) % {**_limits(each.bets), "n": n}, _settings(n, each.bets))
        for n, each in enumerate(s.plan, start=1)
        if each.bets is not None
    ]


def _bets(bets: Bets) -> str:
    if bets.max_chips is THE_STACK:
        return _("In round %(n)s, a bet is from %(low)s to all of the player's chips, in steps of %(step)s.")
    return _("In round %(n)s, a bet is from %(low)s to %(high)s, in steps of %(step)s.")


def _limits(bets: Bets) -> dict[str, str]:
    return {"low": chips(bets.min_chips), "high": chips(bets.max_chips), "step": chips(bets.step_chips)}


def _settings(number: int, bets: Bets) -> dict[str, object]:
    limits = {"min": bets.min_chips, "max": bets.max_chips, "step": bets.step_chips}
    return {f"round_{number}_bet_{word}": value for word, value in limits.items()}


def _stack(s: EventSettings, number: int, each: RoundSettings) -> str:
    if each.stack == CARRIED:
        return _("Players keep their chips for round %(n)s.") % {"n": number}
    stack = s.starting_chips if isinstance(each.stack, str) else each.stack
    return _("Every player starts round %(n)s with %(stack)s in chips.") % {
        "n": number,
        "stack": chips(stack),
    }
