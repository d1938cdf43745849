"""Sentences about a cut that differs after a correction, the same on every page (T17, T25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.translation import gettext as _

from pages.kit import opens
from pages.words.naming import stage_named
from pages.words.requests import cut_differs_words
from tables.selectors.cut_review import CutReview, cut_reviews, why_not_stands
from tournament.models import Event, Round
from tournament.selectors.replacements import round_after
from tournament.selectors.stage_ranking import Row


def what_can_be_done_words(round_: Round) -> str:
    """Return what the director can still do about a cut whose seats stand.

    ``round_``: the round of the cut. Before the next round's first bet a qualifier can be replaced (T25);
    after it two persons can disqualify a player (T26).
    """
    next_ = round_after(round_)
    if next_ is None or next_.status == Round.Status.SEATED:
        said = _(
            "Until the first bet of %(next)s the director can have a qualifier replaced by the next-ranked,"
            " or rule that the cut stands."
        )
    else:
        said = _(
            "%(next)s has begun, so no qualifier can be replaced any more. The director can disqualify a "
            "player together with a second person, or rule that the cut stands."
        )
    return said % {"next": next_.title if next_ else _("the next round")}


def cuts_of_entry(request: HttpRequest, event: Event, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows of an entry in its stages, each with a remark if a correction moved its cut (T17).

    ``advanced`` or ``out``: the side of the cut as it was closed, if the hands now give another one.
    ``said``: the remark. ``href``: the page of the round, for a person who may open it.
    """
    found = {each.round.pk: each for each in cut_reviews(event)}
    return [_of_row(request, found.get(row.stack.round_id), row) for row in rows]


def _of_row(request: HttpRequest, found: CutReview | None, row: Row) -> dict[str, Any]:
    sides = {} if found is None else {"missed": found.missed, "extra": found.extra, "tied": found.tied}
    about = {name: [row.code] for name, there in sides.items() if row.code in {each.code for each in there}}
    if found is None or not about:
        return {"row": row}
    href = resolve_url("tables:round", slug=found.round.event.slug, pk=found.round.pk)
    through = row.code in found.went_on
    return {
        "row": row,
        "advanced": through,
        "out": not through,
        "said": " ".join([*_differs_words(about), _ruled_words(found)]),
        "round": found.round,
        "href": href if opens(request, href) else "",
    }


def _differs_words(about: dict[str, list[str]]) -> list[str]:
    """Return how the cut differs for one player; a tie has a sentence of its own."""
    if "tied" not in about:
        return cut_differs_words(about, {}, now=True)
    said = _("By the present records, %(code)s is tied at the cut, and the tie was not played off.")
    return [said % {"code": about["tied"][0]}]


def _ruled_words(found: CutReview) -> str:
    """Return whether the cut was ruled to stand, or still can be."""
    if found.stands is not None:
        said = _("The cut of %(round)s was ruled to stand.")
    elif why_not_stands(found.round, found) is None:
        said = _("The cut of %(round)s needs a ruling.")
    else:
        said = _("The cut of %(round)s was not ruled on.")
    return said % {"round": stage_named(found.round)}
