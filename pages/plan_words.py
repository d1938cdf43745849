"""The plan of an event in sentences: what its posted rules and its set-up say of the rounds (F1)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.format import CARRIED, RESET, THE_STACK, Bets, RoundSettings
from tournament.engine.settings import EventSettings
from tournament.figures import chips


def rounds_said(s: EventSettings) -> str:
    """How many rounds there are and how many advance after each (T20)."""
    played = ngettext("%(n)s round is played.", "%(n)s rounds are played.", len(s.plan)) % {"n": len(s.plan)}
    cuts = [
        _("After round %(n)s the %(top)s with the most chips advance.")
        % {"n": n, "top": chips(each.advance.top)}
        for n, each in enumerate(s.plan, start=1)
        if each.advance
    ]
    return " ".join([played, *cuts, _("The last round ranks those who play it.")])


def stacks_said(s: EventSettings) -> str:
    """Whose stack is carried into which round, and who is held back by it (T20, T22)."""
    later = {each.stack for each in s.plan[1:]}
    if later == {RESET}:
        return _("Stacks start anew in every round, with %(stack)s.") % {"stack": chips(s.starting_chips)}
    if later == {CARRIED}:
        said = [_("Stacks are carried from round to round.")]
    else:
        said = [_stack(s, n, each) for n, each in enumerate(s.plan[1:], start=2)]
    if CARRIED in later:
        said.append(
            _(
                "Nobody advances into a round with carried stacks who cannot cover the smallest bet; the cut "
                "then lets through fewer."
            )
        )
    return " ".join(said)


def bets_words(bets: Bets) -> str:
    """What may be bet in a round that has bets of its own (F5)."""
    words = _("from %(low)s to %(high)s in steps of %(step)s")
    if bets.max_chips is THE_STACK:
        words = _("from %(low)s to the whole stack in steps of %(step)s")
    high = None if bets.max_chips is THE_STACK else chips(bets.max_chips)
    return words % {"low": chips(bets.min_chips), "high": high, "step": chips(bets.step_chips)}


def bets_said(s: EventSettings) -> list[str]:
    """A sentence for each round with bets of its own."""
    return [
        _("In round %(n)s bets are %(bets)s.") % {"n": n, "bets": bets_words(each.bets)}
        for n, each in enumerate(s.plan, start=1)
        if each.bets is not None
    ]


def _stack(s: EventSettings, number: int, each: RoundSettings) -> str:
    if each.stack == CARRIED:
        return _("Into round %(n)s the stacks are carried.") % {"n": number}
    stack = s.starting_chips if isinstance(each.stack, str) else each.stack
    return _("Everybody starts round %(n)s with %(stack)s.") % {"n": number, "stack": chips(stack)}
