"""Close stages, and rule on ties and on cuts that differ (T17, T19, T20, T23, T33).

The core decides the result of a closed stage, and how a tie goes on.
"""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import Conflict, Refused, refuse
from tables.selectors.cut_review import cut_review, why_not_stands
from tournament.engine import settings as event_settings
from tournament.engine.facts import Closed, CutStands, TieRuled, key_of
from tournament.engine.state import stage_of
from tournament.engine.steps.cut import cut_of
from tournament.models import Round, Stack, TieRuling
from tournament.selectors.facts_standing import Course, course_standing
from tournament.selectors.open_requests import why_not_close, why_rulings_wait
from tournament.selectors.stages import IN_PLAY, round_cut
from tournament.services.arguments import event_of, reason_clean
from tournament.services.journal import Command, Json
from tournament.services.rounds import round_command

from .facts_write import facts_write


def round_close(*, round_id: int, key: str, actor: User | None) -> Json:
    """Close a counted round: freeze its ranking and cut, hand in the chips of players who are out (T19, T20).

    After the last round the places are settled: the event is finished, or waits for sudden death (T33).
    Raises Refused what ``why_not_close`` says, and ``journal_not_whole`` (409).
    """

    def act(cmd: Command, round_: Round) -> Json:
        refuse(why_not_close(round_))
        before = course_standing(event_of(cmd), (cmd.seq - 1, cmd.head))
        advanced = _advanced(round_, before)
        facts_write(cmd, Closed(key_of(round_), tuple(advanced)), before=before)
        return {"round": round_.pk, "advanced": advanced}

    return round_command("round.close", round_id, act, key=key, actor=actor)


def _advanced(round_: Round, course: Course) -> list[str]:
    """Return the codes of the entries that go on."""
    if round_.kind != Round.Kind.ROUND:
        won = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).order_by("entry__number")
        return list(won.values_list("entry__code", flat=True))
    return list(cut_of(course.state, stage_of(course.state, key_of(round_))).entries)


# Ties at the cut by ruling ----------------------------------------------------------------------------


def tie_rule(*, round_id: int, advance: list[str], reason: str, key: str, actor: User | None) -> Json:
    """Decide a tie at the cut by a ruling of the director, with a reason (T23, option).

    ``advance``: codes of the entries that advance. Allowed if the posted rules say so, or if everybody in the
    play-off is absent. Raises Refused ``ruling_not_offered``, ``no_tie``, ``ruling_waits`` (409),
    ``cut_winners_wrong``, ``reason_missing``.
    """
    winners = sorted(advance)

    def act(cmd: Command, round_: Round) -> Json:
        play_off = round_.play_offs.exclude(status=Round.Status.CLOSED).first()
        _ruling_check(round_, play_off, advance, reason)
        tied = list(round_cut(round_).level)
        # T23: earlier rulings stay on record; the latest one counts.
        TieRuling.objects.create(round=round_, seq=cmd.seq, tied=tied, advance=winners, reason=reason)
        cmd.write(TieRuled(key_of(round_), tuple(winners)))
        if play_off is not None:
            facts_write(cmd)
        return {"round": round_.pk, "advance": winners}

    return round_command(
        "round.tie_rule", round_id, act, key=key, actor=actor, advance=winners, reason=reason
    )


def _ruling_check(round_: Round, play_off: Round | None, advance: list[str], reason: str) -> None:
    found = round_cut(round_)
    if round_.status not in (Round.Status.COUNTED, Round.Status.PLAYING_OFF) or not found.ties:
        raise Conflict("no_tie", "%(round)s has no tie at the cut that is open.", round=round_)
    refuse(why_rulings_wait(round_.event_id))
    reason_clean(reason)
    if round_.event.settings.tie_at_cut != event_settings.DIRECTOR and not _all_absent(play_off):
        raise Refused("ruling_not_offered", "The posted rules say that this tie is played off.")
    if not set(advance) <= set(found.level) or len(set(advance)) != found.seats:
        raise Refused(
            "cut_winners_wrong",
            "Choose exactly %(contested_seats)s of %(tied)s.",
            contested_seats=found.seats,
            tied=", ".join(found.level),
        )
    _decided_check(play_off, set(advance))


def _decided_check(play_off: Round | None, advance: set[str]) -> None:
    """Refuse a ruling against what the play-off has already decided."""
    decided = play_off.stacks.select_related("entry").exclude(outcome="") if play_off else []
    wrong = [
        s.entry.code for s in decided if (s.outcome == Stack.Outcome.ADVANCED) != (s.entry.code in advance)
    ]
    if wrong:
        raise Refused(
            "play_off_decided",
            "The play-off has already decided %(wrong)s; that stands.",
            wrong=", ".join(wrong),
        )


def _all_absent(play_off: Round | None) -> bool:
    if play_off is None:
        return False
    states = play_off.stacks.filter(state__in=IN_PLAY).values_list("state", flat=True)
    return set(states) == {Stack.State.ABSENT}


# A cut that differs after a correction -----------------------------------------------------------------


def cut_stands(*, round_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Let the cut of a closed round stand as it was made (T17).

    The ruling names the entries that the corrected hands put on the other side of the cut. If a later
    correction changes these entries, a new ruling is needed. No chips move. Gives ``{"round", "missed",
    "extra", "tied", "seats", "reason"}``, entries by their codes. Raises Refused ``cut_agrees``,
    ``cut_ruled`` (409), ``event_over`` (409), ``reason_missing``, ``no_such_round`` (404).
    """

    def act(cmd: Command, round_: Round) -> Json:
        found = cut_review(round_)
        refuse(why_not_stands(round_, found))
        assert found is not None, "otherwise it has been refused"
        cmd.write(CutStands(key_of(round_), found.about))
        return {"round": round_.pk, **found.about.body(), "reason": reason_clean(reason)}

    return round_command("round.cut_stands", round_id, act, key=key, actor=actor, reason=reason)
