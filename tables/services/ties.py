"""Play-offs and sudden deaths; the core decides how they go on (T19, T23, T33)."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import Refused, refuse
from ground.words import gettext_noop as _
from tournament.engine import settings as event_settings
from tournament.models import Round, Stack, TieRuling
from tournament.selectors.stages import SEATED_STATES, round_cut
from tournament.selectors.waiting import why_rulings_wait
from tournament.services.asked import reason_clean
from tournament.services.journal import Command, Json, command
from tournament.services.rounds import round_get

from .facts_write import facts_write

# Ties at the cut by ruling ----------------------------------------------------------------------------


def tie_rule(*, round_id: int, advance: list[str], reason: str, key: str, actor: User | None) -> Json:
    """The director decides a tie at the cut, with a reason (T23, option), by entry codes.

    Allowed where the event says so, or where everybody who should play off is absent. Raises Refused
    ``ruling_not_offered``, ``no_tie``, ``ruling_waits`` (409), ``cut_winners_wrong``, ``reason_missing``.
    """
    round_ = round_get(round_id)
    body = {"round": round_id, "advance": sorted(advance), "reason": reason}

    def act(cmd: Command) -> Json:
        round_.refresh_from_db()
        _ruling_check(round_, advance, reason)
        play_off = round_.play_offs.exclude(status=Round.Status.CLOSED).first()
        tied = list(round_cut(round_).level)
        # T23: earlier rulings stay on record; the latest one counts.
        TieRuling.objects.create(round=round_, seq=cmd.seq, tied=tied, advance=sorted(advance), reason=reason)
        if play_off is not None:
            facts_write(cmd, "round.tie_rule", asked=body)
        return {"round": round_.pk, "advance": sorted(advance)}

    return command(kind="round.tie_rule", key=key, actor=actor, event_id=round_.event_id, body=body, act=act)


def _ruling_check(round_: Round, advance: list[str], reason: str) -> None:
    found = round_cut(round_)
    if round_.status not in (Round.Status.COUNTED, Round.Status.PLAYING_OFF) or not found.ties:
        raise Refused("no_tie", _("%(round)s has no tie at the cut that is open."), status=409, round=round_)
    refuse(why_rulings_wait(round_.event_id))
    if not reason.strip():
        raise Refused("reason_missing", _("Give the reason for the ruling; it is posted with the result."))
    reason_clean(reason)
    if round_.event.settings.tie_at_cut != event_settings.DIRECTOR and not _all_absent(round_):
        raise Refused("ruling_not_offered", _("The posted rules say that this tie is played off."))
    if not set(advance) <= set(found.level) or len(set(advance)) != found.seats:
        raise Refused(
            "cut_winners_wrong",
            _("Choose exactly %(contested_seats)s of %(tied)s."),
            contested_seats=found.seats,
            tied=", ".join(found.level),
        )
    _decided_check(round_, set(advance))


def _decided_check(round_: Round, advance: set[str]) -> None:
    """Refuse a ruling against what the play-off has already decided."""
    play_off = round_.play_offs.exclude(status=Round.Status.CLOSED).first()
    decided = play_off.stacks.select_related("entry").exclude(outcome="") if play_off else []
    wrong = [
        s.entry.code for s in decided if (s.outcome == Stack.Outcome.ADVANCED) != (s.entry.code in advance)
    ]
    if wrong:
        raise Refused(
            "play_off_decided",
            _("The play-off has already decided %(wrong)s; that stands."),
            wrong=", ".join(wrong),
        )


def _all_absent(round_: Round) -> bool:
    play_off = round_.play_offs.exclude(status=Round.Status.CLOSED).first()
    if play_off is None:
        return False
    states = play_off.stacks.filter(state__in=SEATED_STATES).values_list("state", flat=True)
    return set(states) == {Stack.State.ABSENT}
