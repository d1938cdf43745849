"""The screens in the hall: their names, what they show and in which order, and when each was last seen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Q
from django.db.models.functions import Now

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.models import HallRotation, HallScreen
from tournament.selectors.hall import KINDS, SECONDS_LEAST, SECONDS_MOST, STEERED
from tournament.services.asked import event_of
from tournament.services.journal import Command, Json, command

SCREENS_MOST = 20
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?")


def screen_add(*, event_id: int, name: str, key: str, actor: User | None) -> Json:
    """Give a screen a name, which is the last part of its address.

    Result: ``{"screen": id}``. Refuses ``screen_name_bad``, ``screen_name_taken`` and ``screens_full`` (409).
    """
    wanted = name.strip().lower()
    if not NAME.fullmatch(wanted):
        raise Refused(
            "screen_name_bad",
            _("A name has at most 20 letters from a to z, digits and dashes, like bar or stage-left."),
        )

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        names = set(HallScreen.objects.filter(event=event).values_list("name", flat=True))
        if wanted in names:
            raise Refused(
                "screen_name_taken", _("There is a screen %(name)s already."), status=409, name=wanted
            )
        if len(names) >= SCREENS_MOST:
            raise Refused(
                "screens_full",
                _("%(most)s screens have a name already. Remove one of them first."),
                status=409,
                most=SCREENS_MOST,
            )
        return {"screen": HallScreen.objects.create(event=event, name=wanted).pk}

    return command(kind="screen.add", key=key, actor=actor, event_id=event_id, body={"name": wanted}, act=act)


def screen_remove(*, event_id: int, screen_id: int, key: str, actor: User | None) -> Json:
    """Take a screen's name away: its address shows nothing any more. Refuses ``no_such_screen`` (404)."""

    def act(_cmd: Command) -> Json:
        screen = _screen(event_id, screen_id)
        screen.delete()
        return {"name": screen.name}

    body = {"screen": screen_id}
    return command(kind="screen.remove", key=key, actor=actor, event_id=event_id, body=body, act=act)


def screen_show(*, event_id: int, screen_id: int, kind: str, key: str, actor: User | None) -> Json:
    """Have a screen keep to one kind of slide; an empty ``kind`` releases it to the rotation.

    Refuses ``slide_unknown``, ``no_such_screen`` (404).
    """
    if kind and kind not in STEERED:
        raise Refused("slide_unknown", _("There is no such slide. Choose one of the list."))

    def act(_cmd: Command) -> Json:
        screen = _screen(event_id, screen_id)
        screen.shows = kind
        screen.save(update_fields=["shows"])
        return {"name": screen.name}

    body = {"screen": screen_id, "kind": kind}
    return command(kind="screen.show", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _screen(event_id: int, screen_id: int) -> HallScreen:
    found = HallScreen.objects.filter(event=event_id, pk=screen_id).first()
    if found is None:
        raise Refused("no_such_screen", _("There is no such screen. Look at the list again."), status=404)
    return found


def rotation_set(*, event_id: int, slides: Sequence[tuple[str, int]], key: str, actor: User | None) -> Json:
    """Compose what the screens of an event show: kinds of slides in their order, each with its seconds.

    Refuses ``rotation_empty``, ``slide_unknown``, ``slide_twice``, ``seconds_out_of_range``.
    """
    kinds = [kind for kind, _seconds in slides]
    if not kinds:
        raise Refused("rotation_empty", _("No slide is chosen. Give at least one of them a number."))
    if not set(kinds) <= set(KINDS):
        raise Refused("slide_unknown", _("There is no such slide. Choose one of the list."))
    if len(set(kinds)) < len(kinds):
        raise Refused("slide_twice", _("A slide stands in the rotation once."))
    if not all(SECONDS_LEAST <= seconds <= SECONDS_MOST for _kind, seconds in slides):
        raise Refused(
            "seconds_out_of_range",
            _("A slide is shown for %(least)s to %(most)s seconds."),
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
    """Write down that a screen asks for its picture: at most every ten seconds, and not in the journal."""
    stale = Q(seen_at=None) | Q(seen_at__lt=Now() - HallScreen.SEEN_EVERY)
    HallScreen.objects.filter(stale, pk=screen_id).update(seen_at=Now())
