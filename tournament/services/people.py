"""Players: one person, one record; the checks at the desk (T7)."""

from collections.abc import Iterable

from django.contrib.auth.models import User

from ground.refused import Conflict, Refused, refuse
from ground.typed import name_clean
from tournament.engine.names import name_folded, number_folded
from tournament.models import (
    Entry,
    Event,
    House,
    Player,
    PlayerCheck,
    PlayerCorrection,
    PlayersApart,
    Request,
)
from tournament.selectors.buying import checks_in_force, identity_missing, likely_same, pair_of
from tournament.selectors.open_requests import CORRECT, why_asked_already

from . import commits
from .arguments import event_of, find, person_digest, reason_clean
from .house import house_current
from .journal import Command, Json, command
from .requests import handler, request_add, request_open
from .standings import standings_outdate

LET_IN, APART = "player_let_in", "players_apart"


def player_create(
    *,
    given_name: str,
    family_name: str,
    alias: str = "",
    identity_number: str = "",
    birth_year: int | None = None,
    simulated: bool = False,
    event_id: int | None = None,
    key: str,
    actor: User | None,
) -> Json:
    """Add a person. Result: ``{"player": id}``.

    ``identity_number`` is stored only as a keyed digest, and identifies the person under any name; at the
    desk of an event (``event_id``) it is required if the house requires it. ``birth_year`` is shown when two
    people have the same name; it does not identify a person. Refuses ``name_missing``, ``text_too_long``,
    ``text_bad``, ``birth_year_bad``, ``identity_missing`` and ``identity_known``: one person, one record. The
    journal holds the id and a digest of the input.
    """
    person = _person(given_name, family_name, alias, birth_year, identity_number)
    person.simulated = simulated
    person.name_folded = name_folded(person.given_name, person.family_name)
    typed = person_digest(
        *("player", person.given_name, person.family_name, person.alias, person.identity_digest or ""),
        *([str(birth_year)] if birth_year else []),
    )

    def act(cmd: Command) -> Json:
        if event_id is not None:
            refuse(identity_missing(find(Event, event_id, "event"), house_current(), person))
        _refuse_second_record(person)
        person.save(force_insert=True)
        return {"player": person.pk}

    return command(
        kind="player.create", key=key, actor=actor, body={"person": typed, "simulated": simulated}, act=act
    )


def _person(given: str, family: str, alias: str, birth_year: int | None, identity_number: str) -> Player:
    """Return an unsaved person from the typed input."""
    if birth_year is not None and not 1900 <= birth_year <= 2100:
        raise Refused("birth_year_bad", "A year of birth has four digits, like 1974.")
    return Player(
        given_name=name_clean(given, "The given name", longest=60, missing="name_missing"),
        family_name=name_clean(family, "The family name", longest=60),
        alias=name_clean(alias, "The alias", longest=40),
        birth_year=birth_year,
        identity_digest=identity_digest(identity_number),
    )


def player_identity(*, player_id: int, identity_number: str, key: str, actor: User | None) -> Json:
    """Add an identity number to a record that has none. Result: ``{"player": id}``.

    Refuses ``identity_missing``, ``identity_known`` if it belongs to another record, and ``identity_set``
    (409): two people correct a number with ``player_correct``.
    """
    digest = identity_digest(identity_number)

    def act(cmd: Command) -> Json:
        player = find(Player, player_id, "player")
        if digest is None:
            raise Refused("identity_missing", "Type the identity number.")
        if player.identity_digest:
            raise Conflict(
                "identity_set",
                "This record has an identity number already. Correct it on the page 'Correct a person'.",
            )
        _refuse_second_record(Player(identity_digest=digest))
        Player.objects.filter(pk=player.pk).update(identity_digest=digest)
        return {"player": player.pk}

    body = {"player": player_id, "identity": digest}
    return command(kind="player.identity", key=key, actor=actor, body=body, act=act)


def identity_digest(identity_number: str) -> str | None:
    """Return the keyed digest of an identity number, whatever its spelling."""
    number = number_folded(identity_number)
    if identity_number.strip() and not number:
        raise Refused("identity_bad", "The identity number has neither letters nor digits. Type it again.")
    return person_digest("identity", number) if number else None


def _refuse_second_record(person: Player) -> None:
    if not person.identity_digest:
        return
    known = Player.objects.filter(identity_digest=person.identity_digest).first()
    if known is not None:
        raise Refused(
            "identity_known",
            "This identity number belongs to %(full_name)s, who is on record already. Use that record.",
            full_name=known.full_name,
        )


# -- Corrections of a record --------------------------------------------------------------------------


def player_correct(
    *,
    player_id: int,
    given_name: str,
    family_name: str,
    alias: str,
    birth_year: int | None,
    identity_number: str,
    reason: str,
    key: str,
    actor: User | None,
) -> Json:
    """Correct a person's record (T7). Result: ``{"player": id, "corrected": [field, …]}``.

    Names and the alias change at once, and stay if the request is refused later. The year of birth
    and the identity number wait for a second person; then the result has ``request`` as well. An empty
    ``identity_number`` keeps the recorded one. Refuses what ``player_create`` refuses, ``reason_missing``,
    ``nothing_corrected`` and ``already_asked`` (409). The journal holds the id, the names of the fields and
    digests.
    """
    person = _person(given_name, family_name, alias, birth_year, identity_number)
    why = reason_clean(reason)

    def act(cmd: Command) -> Json:
        player = find(Player, player_id, "player")
        at_once = _differing(player, person, NAMES)
        to_confirm = _differing(player, person, CONFIRMED if person.identity_digest else CONFIRMED[:1])
        if not at_once and not to_confirm:
            raise Refused("nothing_corrected", "Nothing was corrected: the record says this already.")
        if "identity_digest" in to_confirm:
            _refuse_second_record(person)
        result: Json = {"player": player.pk, "corrected": _named(at_once)}
        if at_once:
            _correct(_correction_add(cmd, player, person, at_once, why))
        if to_confirm:
            result |= request_add(cmd, kind=CORRECT, body={"player": player.pk}, reason=why)
            _correction_add(cmd, player, person, to_confirm, why, request_id=result["request"])
        return result

    typed = [str(getattr(person, field) or "") for field in (*NAMES, *CONFIRMED)]
    body = {
        "player": player_id,
        "person": person_digest("correction", *typed),
        "reason": person_digest("correction", why),
    }
    return command(kind="player.correct", key=key, actor=actor, body=body, act=act)


NAMES, CONFIRMED = ("given_name", "family_name", "alias"), ("birth_year", "identity_digest")


def _named(fields: Iterable[str]) -> list[str]:
    """Return the corrected fields as the journal names them."""
    words = {"birth_year": "year of birth", "identity_digest": "identity number"}
    return [words.get(field, field.replace("_", " ")) for field in fields]


def _differing(player: Player, person: Player, fields: Iterable[str]) -> list[str]:
    return [field for field in fields if getattr(player, field) != getattr(person, field)]


def _correction_add(
    cmd: Command,
    player: Player,
    person: Player,
    fields: Iterable[str],
    reason: str,
    request_id: int | None = None,
) -> PlayerCorrection:
    return PlayerCorrection.objects.create(
        player=player,
        before={field: getattr(player, field) for field in fields},
        after={field: getattr(person, field) for field in fields},
        reason=reason,
        by=cmd.actor,
        at=cmd.at,
        request_id=request_id,
    )


def _correct(correction: PlayerCorrection) -> None:
    """Write the corrected facts, and have standings with the name recomputed."""
    player = correction.player
    for field, value in correction.after.items():
        setattr(player, field, value)
    player.name_folded = name_folded(player.given_name, player.family_name)
    player.save(update_fields=[*correction.after, "name_folded"])
    events = set(Entry.objects.filter(player=player).values_list("event", flat=True))
    standings_outdate(event_ids=events, mark=f"corrected:{correction.pk}")
    for event_id in events:
        commits.after_commit("tournament.recompute_standings", event_id)


@handler(CORRECT)
def _correct_confirmed(cmd: Command, request: Request) -> Json:
    correction = request.player_correction
    if "identity_digest" in correction.after:
        _refuse_second_record(Player(**correction.after))
    _correct(correction)
    return {"player": correction.player_id, "corrected": _named(correction.after)}


# -- People who may not play --------------------------------------------------------------------------


def player_check_refuse(*, event_id: int, player_id: int, outcome: str, key: str, actor: User | None) -> Json:
    """Record that a person was turned away at the desk: ``under_age`` or ``excluded`` (T7).

    Keeps the outcome, the time and the checker; no document is copied. Result:
    ``{"check": id, "outcome": …}``. Refuses ``outcome_unknown`` and ``no_such_player``.
    """
    if outcome not in (PlayerCheck.Outcome.UNDER_AGE, PlayerCheck.Outcome.EXCLUDED):
        raise Refused("outcome_unknown", "A person can be turned away as under age or as excluded.")

    def act(cmd: Command) -> Json:
        player = find(Player, player_id, "player")
        check = check_record(cmd, player=player, house=house_current(), outcome=outcome)
        return {"check": check.pk, "outcome": outcome}

    body = {"player": player_id, "outcome": outcome}
    return command(kind="player.turned_away", key=key, actor=actor, event_id=event_id, body=body, act=act)


def refuse_unchecked(identity_checked: bool) -> None:
    """Refuse ``identity_not_checked`` before money is paid or taken (T7, T35)."""
    if not identity_checked:
        raise Refused("identity_not_checked", "Check the person first, and tick that you did.")


def check_record(cmd: Command, *, player: Player, house: House, outcome: str) -> PlayerCheck:
    """Record a check at the desk: its time, its outcome and the checker (T7)."""
    return PlayerCheck.objects.create(
        player=player,
        event=cmd.event,
        outcome=outcome,
        checked_by=cmd.actor,
        gaming_day=house.day_of(cmd.at),
        at=cmd.at,
    )


# -- Rulings of two people ----------------------------------------------------------------------------


def player_let_in_request(
    *, event_id: int, player_id: int, reason: str, key: str, actor: User | None
) -> Json:
    """Request that a person who was turned away today may buy in after all (T7). Result: ``{"request": id}``.

    Refuses ``not_turned_away`` (409) and what ``request_open`` refuses.
    """
    return request_open(
        event_id=event_id,
        kind=LET_IN,
        body={"player": player_id},
        reason=reason,
        check=lambda: _turned_away_check(find(Event, event_id, "event"), player_id),
        key=key,
        actor=actor,
    )


@handler(LET_IN)
def _let_in(cmd: Command, request: Request) -> Json:
    player = find(Player, int(request.body["player"]), "player")
    _turned_away_check(event_of(cmd), player.pk)
    check = check_record(cmd, player=player, house=house_current(), outcome=PlayerCheck.Outcome.LET_IN)
    return {"check": check.pk}


def _turned_away_check(event: Event, player_id: int) -> None:
    player, house = find(Player, player_id, "player"), house_current()
    last = checks_in_force(event, [player], house).get(player.pk)
    if last is None or last.outcome == PlayerCheck.Outcome.LET_IN:
        raise Conflict(
            "not_turned_away", "%(full_name)s is not turned away today.", full_name=player.full_name
        )


def players_apart_request(
    *, event_id: int, player_id: int, reason: str, key: str, actor: User | None
) -> Json:
    """Request to record that similar records belong to different people (T2).

    Result: ``{"request": id}``. Refuses ``no_duplicate`` (409) and what ``request_open`` refuses.
    """
    found = _alike_ids(find(Event, event_id, "event"), find(Player, player_id, "player"))
    return request_open(
        event_id=event_id,
        kind=APART,
        body={"player": player_id, "others": found},
        reason=reason,
        check=lambda: _refuse_no_duplicate(found),
        key=key,
        actor=actor,
    )


def why_requested_at_desk(event: Event, player: Player, code: str) -> Refused | None:
    """Return ``already_asked`` (409) while a request on the obstacle for this player is open.

    ``code``: the reason why no entry is sold; two people can only rule on ``turned_away`` and
    ``likely_duplicate``.
    """
    body: Json = {"player": player.pk}
    if code == "turned_away":
        return why_asked_already(event.pk, LET_IN, body=body)
    if code == "likely_duplicate":
        return why_asked_already(event.pk, APART, body=body | {"others": _alike_ids(event, player)})
    return None


def _alike_ids(event: Event, player: Player) -> list[int]:
    return [each.pk for each in likely_same(event, [player], house_current()).get(player.pk, [])]


def _refuse_no_duplicate(found: list[int]) -> None:
    if not found:
        raise Conflict("no_duplicate", "No other record looks like this person. Go on.")


@handler(APART)
def _apart(cmd: Command, request: Request) -> Json:
    one = int(request.body["player"])
    for other in request.body["others"]:
        first, second = pair_of(one, int(other))
        PlayersApart.objects.get_or_create(
            player_id=first, other_id=second, defaults={"request": request, "at": cmd.at}
        )
    return {"player": one}
