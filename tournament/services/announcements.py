"""Announcements: the director tells the hall and the phones something until it is withdrawn."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.models import Announcement, Event
from tournament.selectors.hall import announcements_live
from tournament.services.asked import event_of, find, text_clean
from tournament.services.journal import Command, Json, command

LONGEST = 200
MOST = 5


def announcement_post(*, event_id: int, text: str, key: str, actor: User | None) -> Json:
    """Post a text of at most 200 characters to the hall and the phones.

    Result: ``{"announcement": id}``. Refuses ``text_missing``, ``text_too_long``, ``text_bad``, and what
    ``announcement_check`` refuses.
    """
    said = text_clean(text, "The announcement", longest=LONGEST, missing="text_missing")

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        announcement_check(event)
        made = Announcement.objects.create(event=event, text=said, posted_by=cmd.actor, posted_at=cmd.at)
        return {"announcement": made.pk}

    body = {"text": said}
    return command(kind="announcement.post", key=key, actor=actor, event_id=event_id, body=body, act=act)


def announcement_check(event: Event) -> None:
    """Whether another announcement can be posted. Refuses ``not_public``, ``announcements_full`` (409)."""
    if event.status == Event.Status.DRAFT:
        raise Refused(
            "not_public",
            _("Nobody could read it: the event has no public page before its rules are posted."),
            status=409,
        )
    if len(announcements_live(event)) >= MOST:
        raise Refused(
            "announcements_full",
            _("%(most)s announcements are shown already. Withdraw one of them first."),
            status=409,
            most=MOST,
        )


def announcement_withdraw(*, announcement_id: int, key: str, actor: User | None) -> Json:
    """Withdraw an announcement: it is shown no more. Refuses ``announcement_withdrawn`` (409)."""
    found = find(Announcement, announcement_id, "announcement")

    def act(cmd: Command) -> Json:
        found.refresh_from_db()
        if found.withdrawn_at:
            raise Refused("announcement_withdrawn", _("This announcement is withdrawn already."), status=409)
        found.withdrawn_by, found.withdrawn_at = cmd.actor, cmd.at
        found.save(update_fields=["withdrawn_by", "withdrawn_at"])
        return {"text": found.text}

    body = {"announcement": announcement_id}
    return command(
        kind="announcement.withdraw", key=key, actor=actor, event_id=found.event_id, body=body, act=act
    )
