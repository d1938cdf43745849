"""Prizes in words: payout structures, unclaimed prizes, ties for money (T26–T35)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.prizes import Goes, Unclaimed
from tournament.engine.ties import TieGroup
from tournament.figures import money, ordinal, percent
from tournament.selectors.payouts import TiesChanged
from tournament.selectors.prizes import Compared, PoolBeside, PrizeLine

# Lists in sentences ------------------------------------------------------------------------------------


def listed(names: Sequence[str]) -> str:
    """Return a list: ``E001``, ``E001 and E002``, ``E001, E002 and E003``."""
    *first, last = names
    return _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def places_words(places: Sequence[int]) -> str:
    """Return places: ``3rd``, ``3rd and 4th``, ``2nd, 3rd and 4th``."""
    return listed([ordinal(place) for place in places])


# Unclaimed prizes --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnclaimedText:
    """What happens to an unclaimed prize, as a state and in words."""

    goes: str
    words: str


def unclaimed_words(prizes: Unclaimed | None, currency: str) -> list[UnclaimedText]:
    """Return what happens to the unclaimed prizes; empty if there are none."""
    if prizes is None:
        return []
    words = {
        Goes.IN_PROPORTION: ngettext(
            "Nobody is paid for %(places)s place any more. Its prize of %(amount)s is divided among the other"
            " paid players in proportion to their prizes.",
            "Nobody is paid for %(places)s place any more. The prizes of these places, %(amount)s together,"
            " are divided among the other paid players in proportion to their prizes.",
            len(prizes.places),
        ),
        Goes.TO_NOBODY: _(
            "Nobody holds a paid place any more. The prizes of %(amount)s are paid to nobody unless two "
            "people replace the payout structure."
        ),
    }[prizes.goes]
    figures = {"places": places_words(prizes.places), "amount": money(prizes.cents, currency)}
    return [UnclaimedText(prizes.goes, words % figures)]


def still_to_pay_words(line: PrizeLine, currency: str) -> list[str]:
    """Return why a prize has grown since it was paid, its amount, and what is left to pay (T26)."""
    place, last = line.entry.place, line.payment
    if not line.left_cents or last is None:
        return []
    amounts = {"whole": line.amount_cents, "paid": line.paid_cents, "left": line.left_cents}
    figures = {name: money(cents, currency) for name, cents in amounts.items()}
    if not line.paid_cents:
        return [_("The payment was taken back. The prize of %(whole)s is still to be paid.") % figures]
    if not place or place == last.place:
        words = _(
            "Since the payment, a part of an unclaimed prize has been added. The prize is now %(whole)s; "
            "%(paid)s of it is paid, and %(left)s is still to be paid."
        )
        return [words % figures]
    words = _(
        "The prize was paid for %(then)s place. A player ahead has been disqualified since, so the place "
        "is now %(now)s. The prize is now %(whole)s; %(paid)s of it is paid, and %(left)s is still to be "
        "paid."
    )
    return [words % {**figures, "then": ordinal(last.place), "now": ordinal(place)}]


def tax_form_words(line: PrizeLine, currency: str) -> str:
    """Return that a prize needs a tax form; empty if it does not (T35)."""
    if line.tax_form_from_cents is None:
        return ""
    words = _(
        "This prize reaches the posted tax-report amount of %(amount)s. Fill in the form before paying."
    )
    return words % {"amount": money(line.tax_form_from_cents, currency)}


# A payout structure ------------------------------------------------------------------------------------


def posted_words(body: Mapping[str, Any], currency: str) -> list[str]:
    """Return how the prizes of a posted structure compared with the pool, by its posted figures (T32)."""
    return compared_words(Compared(**body["compared"]), currency)


def compared_words(compared: Compared, currency: str) -> list[str]:
    """Return how prizes compare with the pool and the promise, and how shares were rounded (T32)."""
    said = [_pool_words(compared, currency), *_promise_words(compared, currency)]
    if compared.unit_cents is None:
        return said
    rounded = _(
        "Shares are rounded down to %(unit)s. The remainder goes to the places that lost most by rounding."
    )
    return [*said, rounded % {"unit": money(compared.unit_cents, currency)}]


def _pool_words(compared: Compared, currency: str) -> str:
    more_cents = compared.prizes_cents - compared.pool_cents
    words = {
        PoolBeside.EXACT: _("The prizes add up to the pool of %(pool)s exactly."),
        PoolBeside.FIXED_ON_TOP: _(
            "The shares add up to the pool of %(pool)s exactly, and the house adds the fixed amounts of"
            " %(difference)s."
        ),
        PoolBeside.MORE: _(
            "The prizes are %(difference)s more than the pool. The house adds the difference."
        ),
        PoolBeside.LESS: _(
            "The prizes are %(difference)s less than the pool. The house keeps the difference."
        ),
    }[PoolBeside(compared.pool)]
    amounts = {"pool": compared.pool_cents, "difference": abs(more_cents)}
    return words % {name: money(cents, currency) for name, cents in amounts.items()}


def _promise_words(compared: Compared, currency: str) -> list[str]:
    """Return the promise beside the prizes, if it differs from the pool (T32)."""
    if compared.promised_cents is None:
        return []
    more_cents, of_pool = compared.prizes_cents - compared.promised_cents, compared.promised_bp is not None
    words = {
        (True, False): _("The prizes add up to what the posted rules promise: %(promised)s."),
        (True, True): _(
            "The prizes add up to what the posted rules promise: %(promised)s, %(share)s of the pool."
        ),
        (False, False): _("The posted rules promise %(promised)s. The prizes are %(more)s more."),
        (False, True): _(
            "The posted rules promise %(promised)s, %(share)s of the pool. The prizes are %(more)s more."
        ),
    }[not more_cents, of_pool]
    share = percent(compared.promised_bp or 0)
    amounts = {"promised": compared.promised_cents, "more": more_cents}
    return [words % {"share": share, **{name: money(cents, currency) for name, cents in amounts.items()}}]


# Ties for money ----------------------------------------------------------------------------------------


def ties_words(changed: TiesChanged) -> list[str]:
    """Return which players would stop playing for money, and which would begin to (T31, T33)."""
    ended = _("%(who)s no longer play for %(places)s place: they would be paid the same.")
    return [*(_tie(ended, tie) for tie in changed.ended), *begun_words(changed.begun, opens=changed.opens)]


def begun_words(begun: Iterable[TieGroup], *, opens: bool) -> list[str]:
    """Return which players would begin to play for money."""
    words = _("%(who)s share %(place)s place and would play for it: they would be paid differently.")
    said = [_tie(words, each) for each in begun]
    if opens and said:
        again = ngettext(
            "The places are open again until this tie is decided.",
            "The places are open again until these ties are decided.",
            len(said),
        )
        said.append(again)
    return said


def _tie(words: str, tie: TieGroup) -> str:
    figures = {"places": places_words(tie.places), "place": ordinal(tie.places[0])}
    return words % {"who": listed(sorted(tie.entries)), **figures}
