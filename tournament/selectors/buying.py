"""Reasons why a person cannot buy in, for the desk's page and for the command that sells (T2, T7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from ground.refused import Conflict, Forbidden, Refused
from tournament import sql
from tournament.models import Entry, Event, House, Player, PlayerCheck, PlayerDay, PlayersApart
from tournament.selectors.desk import house_read, today
from tournament.selectors.entrants import entry_statuses_set


def identity_missing(event: Event, house: House, player: Player) -> Refused | None:
    """Return a refusal if the identity number that prevents double records is missing (T2); not in
    rehearsals."""
    if event.is_rehearsal or not house.identity_required or player.identity_digest:
        return None
    return Refused(
        "identity_missing",
        "No identity number of %(full_name)s is on record. Type it before the buy-in.",
        full_name=player.full_name,
    )


def why_not_sell_to(event: Event, players: Iterable[Player], house: House) -> dict[int, Refused]:
    """Return the reason for each person who cannot be sold an entry, by id. Three queries for all of them.

    ``turned_away`` (403) for the rest of the gaming day, ``identity_missing`` and ``likely_duplicate`` (409).
    """
    players = list(players)
    away, alike = _turned_away(event, players, house), likely_same(event, players, house)
    found = {
        player.pk: away.get(player.pk)
        or identity_missing(event, house, player)
        or _alike(alike.get(player.pk, []))
        for player in players
    }
    return {pk: why_not for pk, why_not in found.items() if why_not is not None}


# -- Turned away --------------------------------------------------------------------------------------


# Checks apply to all events of the house; those of a rehearsal only to the rehearsal.
_CHECKS = f"""
    SELECT DISTINCT ON (c.player_id) {sql.columns(PlayerCheck, "c")}, {sql.columns(User, "u")}
    FROM tournament_playercheck c
    LEFT JOIN tournament_event e ON e.id = c.event_id LEFT JOIN auth_user u ON u.id = c.checked_by_id
    WHERE c.player_id = ANY(%s) AND c.gaming_day = %s AND c.outcome <> 'passed'
        AND CASE WHEN %s THEN c.event_id = %s ELSE coalesce(e.kind, 'tournament') = 'tournament' END
    ORDER BY c.player_id, c.id DESC
"""  # noqa: S608 - our own columns


def checks_in_force(event: Event, players: Sequence[Player], house: House) -> dict[int, PlayerCheck]:
    """Return the last check of this gaming day that turned each person away or let them in again, by id."""
    ids = [player.pk for player in players]
    found = dict[int, PlayerCheck]()
    for row in sql.rows(_CHECKS, ids, today(house), event.is_rehearsal, event.pk):
        check, checked_by = sql.split(row, PlayerCheck, User)
        if checked_by.pk is not None:
            check.checked_by = checked_by
        found[check.player_id] = check
    return found


def _turned_away(event: Event, players: Sequence[Player], house: House) -> dict[int, Refused]:
    """Return the refusal of each person turned away for the gaming day, at every desk (T7)."""
    return {
        pk: Forbidden(
            "turned_away",
            "Turned away today as %(outcome)s, by %(by)s. This holds for the whole gaming day, "
            "unless two people decide otherwise.",
            outcome=check.get_outcome_display(),
            by=check.checked_by.get_username() if check.checked_by else "the house",
        )
        for pk, check in checks_in_force(event, players, house).items()
        if check.outcome != PlayerCheck.Outcome.LET_IN
    }


# -- Likely the same person ---------------------------------------------------------------------------


def likely_same(event: Event, players: Sequence[Player], house: House) -> dict[int, list[Player]]:
    """Return the similar records that two people must tell apart before these may buy in, by id (T2).

    Similar records have the same folded name, whatever number and year of birth were typed. The oldest record
    of a name may buy in, so that a person recorded twice can use one, unless a younger one has spent money
    today or was turned away. Pairs that two people have confirmed as different are left out.
    """
    if event.is_rehearsal:
        return {}
    names = {player.name_folded for player in players if player.name_folded}
    named = list(Player.objects.filter(name_folded__in=names, simulated=False).order_by("pk"))
    of_a_name = {name: [each for each in named if each.name_folded == name] for name in names}
    pairs = {
        player.pk: [each for each in of_a_name.get(player.name_folded, []) if each.pk != player.pk]
        for player in players
    }
    if not any(pairs.values()):
        return {}
    apart = _confirmed_pairs([each.pk for each in named])
    younger = {each.pk for pk, others in pairs.items() for each in others if each.pk > pk}
    counts = _with_obstacles(event, [each for each in named if each.pk in younger], house)
    return {
        pk: [
            each
            for each in others
            if (each.pk < pk or each.pk in counts) and pair_of(pk, each.pk) not in apart
        ]
        for pk, others in pairs.items()
    }


def _with_obstacles(event: Event, players: Sequence[Player], house: House) -> set[int]:
    """Return the records that stand against a sale: money spent today, or turned away."""
    if not players:
        return set()
    spent = PlayerDay.objects.filter(player__in=players, gaming_day=today(house), spent_cents__gt=0)
    return {*spent.values_list("player_id", flat=True), *_turned_away(event, players, house)}


def pair_of(one: int, two: int) -> tuple[int, int]:
    """Return two records, the older first."""
    return (one, two) if one < two else (two, one)


def _confirmed_pairs(ids: list[int]) -> set[tuple[int, int]]:
    pairs = PlayersApart.objects.filter(player__in=ids, other__in=ids)
    return {(player, other) for player, other in pairs.values_list("player", "other")}


def _alike(others: Sequence[Player]) -> Refused | None:
    if not others:
        return None
    return Conflict(
        "likely_duplicate",
        "%(full_name)s is on record already. If that is this person, use that record. If not, a director"
        " or a manager asks a second person to confirm that they are separate people.",
        full_name=others[0].full_name,
    )


# -- In front of the cashier --------------------------------------------------------------------------


@dataclass(frozen=True)
class AtDesk:
    """A person at the desk. ``why_not`` is empty if an entry can be sold; ``code`` is its code.

    ``left_cents`` is the rest of the day limit, None in a rehearsal, which has no limit. ``turned_away`` is
    the last time that the person was turned away, if ever.
    """

    player: Player
    entry: Entry | None
    left_cents: int | None
    turned_away: PlayerCheck | None
    why_not: str
    code: str = ""


def players_at_desk(event: Event, players: Iterable[Player]) -> list[AtDesk]:
    """Return these people with everything the cashier must know to sell an entry; ten queries for all of
    them."""
    players, house = list(players), house_read()
    entries = Entry.objects.filter(event=event, player__in=players).exclude(status=Entry.Status.WITHDRAWN)
    held = {entry.player_id: entry for entry in entries}
    entry_statuses_set(event, held.values())
    days = PlayerDay.objects.filter(player__in=players, gaming_day=today(house))
    spent = dict(days.values_list("player_id", "spent_cents"))
    refused = PlayerCheck.objects.filter(player__in=players).exclude(outcome=PlayerCheck.Outcome.PASSED)
    turned = refused.exclude(outcome=PlayerCheck.Outcome.LET_IN)
    away = {check.player_id: check for check in turned.order_by("at")}
    bars, found = why_not_sell_to(event, players, house), []
    for player in players:
        entry, bar, why_not = held.get(player.pk), bars.get(player.pk), ""
        left_cents = max(0, house.day_limit_cents - spent.get(player.pk, 0))
        if bar is not None:
            why_not = bar.message
        elif entry is not None:
            why_not = f"Has entry {entry.code} already."
        elif left_cents < event.buy_in_cents and not event.is_rehearsal:
            why_not = "The limit of the day does not cover the buy-in."
        limit_cents = None if event.is_rehearsal else left_cents
        code = bar.code if bar else ""
        found.append(AtDesk(player, entry, limit_cents, away.get(player.pk), why_not, code))
    return found


def alike_at_desk(event: Event, person: AtDesk) -> list[AtDesk]:
    """Return the similar records of this person, if they are the reason why no entry can be sold."""
    if person.code != "likely_duplicate":
        return []
    return players_at_desk(event, likely_same(event, [person.player], house_read())[person.player.pk])
