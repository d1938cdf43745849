"""Players: one person, one record; the checks at the desk; who is excluded (T7)."""

from __future__ import annotations

from django.contrib.auth.models import User

from tournament.engine.refused import Refused
from tournament.models import Player, PlayerCheck

from .asked import find, name_clean, person_digest, reason_clean
from .journal import Command, Json, command


def player_create(
    *,
    given_name: str,
    family_name: str,
    alias: str = "",
    identity_number: str = "",
    simulated: bool = False,
    key: str,
    actor: User | None,
) -> Json:
    """Add a person. Result: ``{"player": id}``.

    ``identity_number`` is stored as a keyed digest only, and finds the person again whatever name is
    typed. Refuses ``name_missing``, ``text_too_long``, ``text_bad`` and ``identity_known``: one
    person, one record. The journal holds the id and a digest of what was typed.
    """
    person = Player(
        given_name=name_clean(given_name, "The given name", longest=60, missing="name_missing"),
        family_name=name_clean(family_name, "The family name", longest=60),
        alias=name_clean(alias, "The alias", longest=40),
        identity_digest=identity_digest(identity_number),
        simulated=simulated,
    )
    typed = person_digest(
        "player", person.given_name, person.family_name, person.alias, person.identity_digest or ""
    )

    def act(cmd: Command) -> Json:
        _refuse_second_record(person)
        person.save(force_insert=True)
        return {"player": person.pk}

    return command(
        kind="player.create", key=key, actor=actor, body={"person": typed, "simulated": simulated}, act=act
    )


def identity_digest(identity_number: str) -> str | None:
    """The keyed digest under which an identity number is known; spaces, dashes and case do not count."""
    number = "".join(sign for sign in identity_number.upper() if sign.isalnum())
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
            f"This identity number belongs to {known.full_name}, who is on record already. Use that record.",
        )


def player_check_refuse(*, event_id: int, player_id: int, outcome: str, key: str, actor: User | None) -> Json:
    """Record that a person was turned away at the desk: ``under_age`` or ``excluded`` (T7).

    Keeps the outcome, the time and the checker; no document is copied. Result:
    ``{"check": id, "outcome": …}``. Refuses ``outcome_unknown`` and ``no_such_player``.
    """
    if outcome not in (PlayerCheck.Outcome.UNDER_AGE, PlayerCheck.Outcome.EXCLUDED):
        raise Refused("outcome_unknown", "A person is turned away as under age or as excluded.")

    def act(cmd: Command) -> Json:
        player = find(Player, player_id, "player")
        return {"check": check_record(cmd, player=player, outcome=outcome).pk, "outcome": outcome}

    body = {"player": player_id, "outcome": outcome}
    return command(kind="player.turned_away", key=key, actor=actor, event_id=event_id, body=body, act=act)


def check_record(cmd: Command, *, player: Player, outcome: str) -> PlayerCheck:
    """Write down a check at the desk: its time, its outcome and the checker (T7)."""
    return PlayerCheck.objects.create(
        player=player, event=cmd.event, outcome=outcome, checked_by=cmd.actor, at=cmd.at
    )


def player_exclude(*, player_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Exclude a person from every event of the house from now on (T7). Result: ``{"player": id}``.

    Entries that are already sold stand. Refuses ``already_excluded``, ``reason_missing``, ``no_such_player``.
    """
    # The reason may say something about the person, so the journal holds its digest.
    why = person_digest("exclusion", reason_clean(reason))

    def act(cmd: Command) -> Json:
        player = find(Player, player_id, "player")
        if not Player.objects.filter(pk=player.pk, excluded_at__isnull=True).update(excluded_at=cmd.at):
            raise Refused("already_excluded", f"{player.full_name} is excluded already.", status=409)
        check_record(cmd, player=player, outcome=PlayerCheck.Outcome.EXCLUDED)
        return {"player": player.pk}

    return command(
        kind="player.exclude", key=key, actor=actor, body={"player": player_id, "reason": why}, act=act
    )


def excluded_refuse(player: Player) -> None:
    """Refuse ``player_excluded`` (403) for a person who is excluded (T7)."""
    if player.excluded_at is not None:
        raise Refused(
            "player_excluded",
            f"{player.full_name} is excluded and cannot buy in. Record that the person was turned away.",
            status=403,
        )
