"""The hall: announcements, named screens and their slides, and the publication of standings."""

import re
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Q
from django.db.models.functions import Now

from ground.refused import Conflict, Refused
from ground.typed import text_clean
from tournament.models import (
    Announcement,
    Event,
    HallRotation,
    HallScreen,
    StandingsKept,
    StandingsPublication,
    StandingsSnapshot,
)
from tournament.models.hall import MINUTES_LEAST, MINUTES_MOST
from tournament.selectors.hall import KINDS, SECONDS_LEAST, SECONDS_MOST, STEERED, announcements_live
from tournament.selectors.publication import Mode, public_until
from tournament.services.arguments import event_of, find
from tournament.services.journal import Command, Json, command

LONGEST = 200
MOST = 5


def announcement_post(*, event_id: int, text: str, key: str, actor: User | None) -> Json:
    """Post a text of at most 200 characters to the hall and the phones.

    Result: ``{"announcement": id}``. Refuses ``text_missing``, ``text_too_long``, ``text_bad``, and what
    ``announcement_check`` refuses.
    """
    cleaned = text_clean(text, "The announcement", longest=LONGEST, missing="text_missing")

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        announcement_check(event)
        made = Announcement.objects.create(event=event, text=cleaned, posted_by=cmd.actor, posted_at=cmd.at)
        return {"announcement": made.pk}

    body = {"text": cleaned}
    return command(kind="announcement.post", key=key, actor=actor, event_id=event_id, body=body, act=act)


def announcement_check(event: Event) -> None:
    """Refuse ``not_public`` or ``announcements_full`` (409) if no further announcement can be posted."""
    if event.status == Event.Status.DRAFT:
        raise Conflict(
            "not_public",
            "Nobody could read the announcement: the event has no public page before its rules are posted.",
        )
    if len(announcements_live(event)) >= MOST:
        raise Conflict(
            "announcements_full",
            "%(most)s announcements are shown already. Withdraw one of them first.",
            most=MOST,
        )


def announcement_withdraw(*, announcement_id: int, key: str, actor: User | None) -> Json:
    """Withdraw an announcement, so that it is no longer shown. Refuses ``announcement_withdrawn`` (409)."""
    found = find(Announcement, announcement_id, "announcement")

    def act(cmd: Command) -> Json:
        found.refresh_from_db()
        if found.withdrawn_at:
            raise Conflict("announcement_withdrawn", "This announcement is withdrawn already.")
        found.withdrawn_by, found.withdrawn_at = cmd.actor, cmd.at
        found.save(update_fields=["withdrawn_by", "withdrawn_at"])
        return {"text": found.text}

    body = {"announcement": announcement_id}
    return command(
        kind="announcement.withdraw", key=key, actor=actor, event_id=found.event_id, body=body, act=act
    )


SCREENS_MOST = 20
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?")


def screen_add(*, event_id: int, name: str, key: str, actor: User | None) -> Json:
    """Add a screen with a name, which is the last part of its address.

    Result: ``{"screen": id}``. Refuses ``screen_name_bad``, ``screen_name_taken`` and ``screens_full`` (409).
    """
    wanted = name.strip().lower()
    if not NAME.fullmatch(wanted):
        raise Refused(
            "screen_name_bad",
            "A name has at most 20 letters from a to z, digits and dashes, like bar or stage-left.",
        )

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        names = set(HallScreen.objects.filter(event=event).values_list("name", flat=True))
        if wanted in names:
            raise Conflict("screen_name_taken", "There is a screen %(name)s already.", name=wanted)
        if len(names) >= SCREENS_MOST:
            raise Conflict(
                "screens_full",
                "%(most)s screens have a name already. Remove one of them first.",
                most=SCREENS_MOST,
            )
        return {"screen": HallScreen.objects.create(event=event, name=wanted).pk}

    return command(kind="screen.add", key=key, actor=actor, event_id=event_id, body={"name": wanted}, act=act)


def screen_remove(*, event_id: int, screen_id: int, key: str, actor: User | None) -> Json:
    """Remove a screen: its address shows nothing any more. Refuses ``no_such_screen`` (404)."""

    def act(_cmd: Command) -> Json:
        screen = _screen(event_id, screen_id)
        screen.delete()
        return {"name": screen.name}

    body = {"screen": screen_id}
    return command(kind="screen.remove", key=key, actor=actor, event_id=event_id, body=body, act=act)


def screen_show(*, event_id: int, screen_id: int, kind: str, key: str, actor: User | None) -> Json:
    """Fix a screen to one kind of slide; an empty ``kind`` returns it to the rotation.

    Refuses ``slide_unknown``, ``no_such_screen`` (404).
    """
    if kind and kind not in STEERED:
        raise Refused("slide_unknown", "There is no such slide. Choose one of the list.")

    def act(_cmd: Command) -> Json:
        screen = _screen(event_id, screen_id)
        screen.shows = kind
        screen.save(update_fields=["shows"])
        return {"name": screen.name}

    body = {"screen": screen_id, "kind": kind}
    return command(kind="screen.show", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _screen(event_id: int, screen_id: int) -> HallScreen:
    return find(HallScreen.objects.filter(event=event_id), screen_id, "screen")


def rotation_set(*, event_id: int, slides: Sequence[tuple[str, int]], key: str, actor: User | None) -> Json:
    """Set the slides of the screens of an event: kinds in their order, each with its seconds.

    Refuses ``rotation_empty``, ``slide_unknown``, ``slide_twice``, ``seconds_out_of_range``.
    """
    kinds = [kind for kind, _seconds in slides]
    if not kinds:
        raise Refused("rotation_empty", "No slide is chosen. Give at least one of them a number.")
    if not set(kinds) <= set(KINDS):
        raise Refused("slide_unknown", "There is no such slide. Choose one of the list.")
    if len(set(kinds)) < len(kinds):
        raise Refused("slide_twice", "A slide can be in the rotation only once.")
    if not all(SECONDS_LEAST <= seconds <= SECONDS_MOST for _kind, seconds in slides):
        raise Refused(
            "seconds_out_of_range",
            "A slide is shown for %(least)s to %(most)s seconds.",
            least=SECONDS_LEAST,
            most=SECONDS_MOST,
        )

    def act(cmd: Command) -> Json:
        made = {"slides": [list(each) for each in slides], "version": cmd.seq}
        HallRotation.objects.update_or_create(event=event_of(cmd), defaults=made)
        return {"version": cmd.seq}

    body = {"kinds": kinds, "seconds": [seconds for _kind, seconds in slides]}
    return command(kind="hall.rotation", key=key, actor=actor, event_id=event_id, body=body, act=act)


def screen_seen(*, screen_id: int) -> None:
    """Record that a screen has loaded its slide: at most every ten seconds, and not in the journal."""
    stale = Q(seen_at=None) | Q(seen_at__lt=Now() - HallScreen.SEEN_EVERY)
    HallScreen.objects.filter(stale, pk=screen_id).update(seen_at=Now())


REASON_LONGEST = 200


def standings_publish(
    *, event_id: int, mode: str, minutes: int | None, reason: str, key: str, actor: User | None
) -> Json:
    """Publish the standings of an event live, some minutes late (1 to 60), or not at all.

    ``minutes`` is only used for a delay; ``reason`` may be empty. Standings that the public has not seen yet
    stay hidden until the new delay has passed. Result: ``{"mode", "minutes", "before"}``. Refuses
    ``publication_unknown``, ``minutes_out_of_range``, ``text_too_long``, ``text_bad``, and what
    ``publication_check`` refuses.
    """
    if mode not in Mode.values:
        raise Refused("publication_unknown", "Choose whether the standings are live, delayed or hidden.")
    minutes = minutes if mode == Mode.DELAYED else None
    if mode == Mode.DELAYED and not (minutes is not None and MINUTES_LEAST <= minutes <= MINUTES_MOST):
        raise Refused(
            "minutes_out_of_range",
            "The standings can be %(least)s to %(most)s minutes behind.",
            least=MINUTES_LEAST,
            most=MINUTES_MOST,
        )
    why = text_clean(reason, "The reason", longest=REASON_LONGEST)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        publication_check(event, mode=mode)
        # While the row is locked no worker writes standings: the ones read here are the last public ones.
        snapshot = StandingsSnapshot.objects.select_for_update().filter(event=event).first()
        before = StandingsPublication.objects.filter(event=event).first()
        now = max(cmd.at, snapshot.at) if snapshot else cmd.at
        if mode == Mode.LIVE:
            StandingsKept.objects.filter(event=event).delete()
        elif snapshot and (before is None or before.mode == Mode.LIVE):
            stored = {"at": snapshot.at, "etag": snapshot.etag, "body": snapshot.body}
            StandingsKept.objects.create(event=event, **stored)
        until = None if mode == Mode.LIVE else public_until(before, now)
        StandingsPublication.objects.update_or_create(
            event=event, defaults={"mode": mode, "minutes": minutes, "public_until": until}
        )
        return {"mode": mode, "minutes": minutes, "before": before.mode if before else str(Mode.LIVE)}

    body = {"mode": mode, "minutes": minutes, "reason": why}
    return command(kind="standings.publish", key=key, actor=actor, event_id=event_id, body=body, act=act)


def publication_check(event: Event, *, mode: str = "") -> None:
    """Refuse ``not_public`` or ``event_over`` (409) if standings cannot be published in this mode."""
    if event.status == Event.Status.DRAFT:
        raise Conflict("not_public", "The event has no public page before its rules are posted.")
    if event.status in (Event.Status.PAID, Event.Status.CALLED_OFF) and mode != Mode.LIVE:
        raise Conflict(
            "event_over",
            "The event is over and its results are posted. Its standings can only be shown live.",
        )
