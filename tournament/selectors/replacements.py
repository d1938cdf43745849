"""Replaced qualifiers, their replacements, and the status of players who left (T25, T26).

The reason of a replacement is a withdrawal or an error in the cut. The status only says that another player
has the seat, or that nobody could take it.
"""

from collections.abc import Iterable

from ground.words import gettext_noop as _
from tournament.engine.steps import replacing
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.stages import main_rounds, replaced_in, state_of
from tournament.selectors.standings_states import Word

Status = Entry.Status


def status_words(entries: Iterable[Entry]) -> dict[int, str]:
    """Return the status of each entry in a word, by id; a replaced entry is not called withdrawn.

    The word is marked; a page translates it.
    """
    entries = list(entries)
    words, left = {Word.REPLACED: _("replaced"), Word.TAKEN_OUT: _("taken out")}, left_words(entries)
    return {each.pk: words.get(left[each.pk]) or str(each.get_status_display()) for each in entries}


def status_word(entry: Entry) -> str:
    """Return the status of one entry as a word."""
    return status_words([entry])[entry.pk]


def left_words(entries: Iterable[Entry]) -> dict[int, Word]:
    """Return how each of these entries left the event; NONE for one that is in it.

    A withdrawn entry may have been replaced: another has the seat, or nobody could take it.
    """
    own = {
        Status.DISQUALIFIED: Word.DISQUALIFIED,
        Status.WITHDRAWN: Word.WITHDREW,
        Status.NO_SHOW: Word.NO_SHOW,
    }
    entries = list(entries)
    found = {each.pk: own.get(Status(each.status), Word.NONE) for each in entries}
    for event_id in {each.event_id for each in entries if each.status == Status.WITHDRAWN}:
        by = replaced_in(event_id)
        replaced = (pk for pk, word in found.items() if word == Word.WITHDREW and pk in by)
        found |= {pk: Word.REPLACED if by[pk] else Word.TAKEN_OUT for pk in replaced}
    return found


# Replacements -------------------------------------------------------------------------------------------


def last_closed_round(event: Event) -> Round | None:
    """Return the main round that was closed last, from which qualifiers come (T25)."""
    closed = [r for r in main_rounds(event) if r.status == Round.Status.CLOSED]
    return closed[-1] if closed else None


def next_ranked(round_: Round) -> list[Entry]:
    """Return the next-ranked entry of the round that was closed last; or several if they are tied (T25)."""
    codes = replacing.next_ranked(state_of(round_.event))
    entries = Entry.objects.filter(event=round_.event_id, code__in=codes).select_related("player")
    return sorted(entries, key=lambda entry: codes.index(entry.code))


def round_after(round_: Round) -> Round | None:
    """Return the round in which the qualifiers of a round are seated; None before that."""
    rounds = Round.objects.filter(event=round_.event_id, kind=Round.Kind.ROUND)
    return rounds.filter(number=round_.number + 1).first()


def qualified_from(entry: Entry) -> Round | None:
    """Return the round that was closed last if an entry advanced from it."""
    round_ = last_closed_round(entry.event)
    advanced = Stack.objects.filter(round=round_, entry=entry, outcome=Stack.Outcome.ADVANCED)
    return round_ if advanced.exists() else None


def round_qualified_from(entry: Entry) -> Round | None:
    """Return the round that an entry advanced from, None once the next round has begun (T25)."""
    round_ = qualified_from(entry)
    after = round_after(round_) if round_ else None
    return None if after and after.status != Round.Status.SEATED else round_
