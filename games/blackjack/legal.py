"""The legal actions: every check of ``verify``, without acting."""

from collections.abc import Callable
from dataclasses import dataclass

from games.blackjack.boxes import Account, Box, Hand
from games.blackjack.play import Play
from ground.refused import Refused


@dataclass(frozen=True, slots=True)
class Legal:
    """One legal action: for chips, any multiple of ``step_chips`` from ``min_chips`` to ``max_chips``.

    ``action`` is one of the record's, or "close_insurance" (the operation ``InsuranceClosed``), which has no
    seat. Actions without chips have None; a double of a fixed amount has min = max. On a shared box
    ``player`` is the player who acts, None for the one who decides for the box (before play: the owner), and
    ``along`` lists the players who may join, each by name with least and most chips.
    """

    seat: int | None
    action: str
    min_chips: int | None = None
    max_chips: int | None = None
    step_chips: int | None = None
    player: str | None = None
    along: tuple[tuple[str, int, int], ...] = ()


def hand_legal(play: Play, box: Box, hand: Hand) -> list[Legal]:
    """Return the legal actions of the hand whose turn it is."""
    actions = [Legal(box.seat, "stand")]
    stake, account = play.caller(box, hand)
    bet, chip = stake.bet, play.rules.chip_chips
    if _passes(play.verify_hit, hand):
        actions.append(Legal(box.seat, "hit"))
    least = play.least_double(bet)
    if _passes(play.verify_double, box, hand, least):
        most = bet if least == bet else _affordable(account, bet, chip)
        actions.append(Legal(box.seat, "double", least, most, chip, None, _along(play, box, hand, "double")))
    if _passes(play.verify_split, box, hand):
        actions.append(Legal(box.seat, "split", bet, bet, chip, None, _along(play, box, hand, "split")))
    if _passes(play.verify_surrender, hand):
        actions.append(Legal(box.seat, "surrender"))
        actions += [Legal(box.seat, "surrender", player=name) for name in _others_on(play, box, hand)]
    return actions


def _others_on(play: Play, box: Box, hand: Hand) -> list[str]:
    return [each.player.name for each in play.may_go_along(box, hand)] if box.players else []


def _along(play: Play, box: Box, hand: Hand, action: str) -> tuple[tuple[str, int, int], ...]:
    """Return the players of a shared box who may join, with least and most chips (rows 13 and 25, A6)."""
    if not box.players:
        return ()
    found = []
    for stake in play.may_go_along(box, hand):
        least = play.least_double(stake.bet) if action == "double" else stake.bet
        most = stake.bet
        if least < stake.bet:
            most = _affordable(stake.player, stake.bet, play.rules.chip_chips)
        if least <= most and stake.player.has(least):
            found.append((stake.player.name, least, most))
    return tuple(found)


def insurance_legal(play: Play, box: Box) -> list[Legal]:
    """Return the insurance and even money that a box, and every player who shares it, may take."""
    offers = []
    for account, name in ((box, None), *((player, player.name) for player in box.players)):
        low, high, step = play.rules.insurance_range(account.bet)
        if low <= high and _passes(play.verify_insurance, box, low, account):
            most = _affordable(account, high, step)
            offers.append(Legal(box.seat, "insurance", low, most, step, name))
        if _passes(play.verify_even_money, box, account):
            offers.append(Legal(box.seat, "even_money", player=name))
    return offers


def _affordable(account: Account, most: int, step: int) -> int:
    """Return the most chips up to ``most``, in whole steps, that the stack still holds (A6)."""
    return most if account.stack is None else min(most, (account.stack - account.out) // step * step)


def _passes(verify: Callable[..., None], *arguments: object) -> bool:
    try:
        verify(*arguments)
    except Refused:
        return False
    return True
