"""The counts of a table at the end of its shoe: two blind counts, rulings, recounts (T18)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Forbidden
from pages.floor.at_table import everywhere, shoe_here, table_or_404
from pages.floor.forms import counts_of_form, number_of
from pages.floor.reads.late_count import LateCount, late_count
from pages.guard import carries_out, may_press, role_required
from pages.kit import (
    UNTRIED,
    Tried,
    act_or_sentence,
    actor_of,
    answers_requests,
    no_such_button,
    opens,
    pressed,
    reason_refused,
    see_other,
    staff_page,
    why_not_now,
)
from pages.qr import qr_svg
from pages.signing import person_signed, signs_for
from pages.templatetags.staff_pages import who_confirms
from pages.unsaved import keeps_typed, typed_by
from tables.models import Shoe, Table
from tables.selectors.basis import shoe_basis
from tables.selectors.countings import countings
from tables.selectors.counts import (
    COUNTS,
    COUNTS_SECOND,
    CountView,
    boxes_again,
    boxes_to_count,
    count_view,
    hands_recorded,
    live_sheets,
    recounters,
    signers,
)
from tables.selectors.floor import current_shoe
from tables.services.counts import count_enter, count_reopen, count_rule, reopen_check
from tables.services.locks import shoe_basis_locked
from tournament.models import Event, Round
from tournament.selectors.stages import current_round, main_rounds

Json = dict[str, Any]


@keeps_typed
@carries_out("count.enter", "count.rule", "count.reopen", "count_ruling")
def count(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Enter a count; if both are in and differ, compare them and rule on them."""
    event, table = table_or_404(request, slug, number, *COUNTS_SECOND)
    if request.method != "POST":
        return _show(request, event, table)
    tried = act_or_sentence(partial(_act, request, table))
    if tried.result is None:
        return _show(request, event, table, tried)
    message = _sentence(tried.result, event)
    if tried.result.get("agreed") is False:
        messages.warning(request, message)
        message = ""
    return see_other(request, message, "tables:count", slug=slug, number=number)


def _act(request: HttpRequest, table: Table) -> Json:
    do = request.POST.get("do", "")
    if do not in ACTIONS:
        raise no_such_button()
    return ACTIONS[do](request, shoe_here(table, number_of(request.POST, "shoe")))


def _chips(request: HttpRequest, shoe: Shoe) -> dict[int, int]:
    return counts_of_form(request.POST, boxes_to_count(shoe))


def _enter(request: HttpRequest, shoe: Shoe) -> Json:
    return _count(request, shoe, signers(shoe, live_sheets(shoe)))


def _again(request: HttpRequest, shoe: Shoe) -> Json:
    """Enter a recount of the differing boxes by one of the two people, logged in or signing here."""
    # Offer both people, even if they may not any more: the service refuses that, also for a repeated press.
    sheets = live_sheets(shoe)
    return _count(request, shoe, [each.counted_by for each in sheets if each.counted_by], again=True)


def _count(request: HttpRequest, shoe: Shoe, may_sign: Iterable[User], *, again: bool = False) -> Json:
    """Enter a count by the person who is logged in, or by another person who signs at this tablet."""
    sent: Json = {"shoe_id": shoe.pk, "chips": _chips(request, shoe), "again": again}
    sent |= pressed(request, shoe_basis_locked, shoe.pk)
    if signs_for(request):
        sent |= {"actor": person_signed(request, may_sign), "tablet": actor_of(request)}
    return count_enter(**sent)


def _rule(request: HttpRequest, shoe: Shoe) -> Json:
    if not may_press(request, "count.rule"):
        raise Forbidden("not_allowed", _("Only the director rules on counts that differ."))
    reason = request.POST.get("reason", "")
    chips = _chips(request, shoe)
    return count_rule(
        shoe_id=shoe.pk, chips=chips, reason=reason, **pressed(request, shoe_basis_locked, shoe.pk)
    )


def _reopen(request: HttpRequest, shoe: Shoe) -> Json:
    if not may_press(request, "count.reopen"):
        raise Forbidden("not_allowed", _("Only the floor or the director can withdraw a count."))
    reason = request.POST.get("reason", "")
    return count_reopen(shoe_id=shoe.pk, reason=reason, **pressed(request, shoe_basis_locked, shoe.pk))


ACTIONS = {"enter": _enter, "again": _again, "rule": _rule, "reopen": _reopen}


def _sentence(result: Mapping[str, Any], event: Event) -> str:
    if "request" in result:
        words = _("The ruling moves chips. It counts once %(who)s has confirmed it.")
        return words % {"who": who_confirms(event)}
    if "which" not in result:
        return (
            _("The ruling stands: the table is counted.")
            if result["status"] == Shoe.Status.COUNTED
            else _("The count is withdrawn. Two people count the table again.")
        )
    if result["which"] == 1 and result["agreed"] is None:
        return _("The first count is in. Now a second person counts.")
    if result["agreed"]:
        return _("Both counts agree: the table is counted.")
    shoe = Shoe.objects.get(pk=result["shoe"])
    sheets = live_sheets(shoe)
    # A form that is sent again may come after its counts were withdrawn.
    if len(sheets) == 2 and not boxes_again(sheets, boxes_to_count(shoe)):
        return _("The two counts agree with each other, but not with the recorded hands.")
    return _("The counts do not agree.")


# -- What is shown ----------------------------------------------------------------------------------------


def _shoe(event: Event, table: Table) -> Shoe | None:
    """Return the shoe to count: that of the latest round of the plan in which this table was used.

    Its counts and rulings can be read after the round too.
    """
    rounds: list[Round | None] = [*reversed(main_rounds(event))] or [current_round(event)]
    shoes = (current_shoe(table, each) for each in rounds)
    shoe = next((each for each in shoes if each is not None), None)
    if shoe is not None:
        shoe.table = table
        shoe.round.event = event
    return shoe


def _show(request: HttpRequest, event: Event, table: Table, tried: Tried = UNTRIED) -> HttpResponse:
    shoe = _shoe(event, table)
    context: Json = {"table": table, "shoe": shoe, "refused": tried.sentence}
    context |= reason_refused(tried)
    # A manager may count but not open the table.
    context["opens_table"] = opens(request, resolve_url("tables:table", slug=event.slug, number=table.number))
    context["opens_requests"] = answers_requests(request, event)
    if shoe is not None:
        view = count_view(shoe, actor_of(request))
        prefetch_related_objects(list(view.boxes.values()), "player")
        stage = _stage(view)
        # Show earlier counts only if both counts are in: the reader may have to count again.
        shown = countings(shoe) if stage in ("differ", "counted") else []
        context |= {
            "basis": shoe_basis(shoe.pk),
            "typed_by": typed_by(request),
            "view": view,
            "enters": _enters(view),
            "stage": stage,
            "rows": _rows(request, view),
        }
        context |= {"countings": shown[::-1], "counting": shown[-1] if shown else None}
        rules_it, asked = may_press(request, "count.rule"), bool(shown and shown[-1].waiting)
        context |= {"rules_it": rules_it, "rules_now": rules_it and stage == "differ" and not asked}
        context["reopens"] = everywhere(request)
        context["recounters"] = _recounters(shoe) if stage == "differ" else []
        context |= {"chip_value": event.settings.chip_value_chips, "recorded": hands_recorded(shoe)}
        context["closed"] = why_not_now(partial(reopen_check, shoe.round))
        context["late"] = _late(request, shoe, context)
    return staff_page(request, "floor/count.html", context, event=event, status=tried.status)


def _recounters(shoe: Shoe) -> list[str]:
    """Return the people who may still count the differing boxes again, for a page without that form."""
    return [each.get_username() for each in recounters(shoe, live_sheets(shoe), boxes_to_count(shoe))]


def _late(request: HttpRequest, shoe: Shoe, context: Json) -> LateCount | None:
    """Return typed figures that no form of the page can show, as when two screens count one table."""
    enters, stage = context["enters"], context["stage"]
    shown = {"rule": context["rules_now"], **({stage: enters} if stage in ("enter", "again") else {})}
    if shown.get(request.POST.get("do", "")):
        return None
    here = request.POST.get("shoe") == str(shoe.pk)
    return late_count(request.POST, context["counting"] if here else None)


def _stage(view: CountView) -> str:
    """Return the stage of the count that the page shows."""
    if view.shoe.status == Shoe.Status.COUNTED:
        return "counted"
    if view.shoe.status == Shoe.Status.DEALING:
        return "playing"
    if view.entered == 2:
        return "again" if view.again else "differ"
    return "enter"


def _enters(view: CountView) -> bool:
    """Whether the page has the form of the next count, for this person or for others who sign here."""
    return view.may_enter or bool(view.signers)


def _rows(request: HttpRequest, view: CountView) -> list[Json]:
    """Return a row with fields for each box; in a ruling the agreed boxes are filled in."""
    # Do not fill a ruling with the figures of a count that came too late.
    mine = "again" if view.again else "rule" if view.entered == 2 else "enter"
    typed = request.POST if request.POST.get("do") == mine else {}
    agreed = view.agreed
    return [
        {
            "box": box,
            "name": entry.player.public_name,
            "code": entry.code,
            "typed": typed.get(f"chips-{box}", agreed.get(box, "")),
            "differs": box in view.differences,
        }
        for box, entry in sorted(view.boxes.items())
        if not view.again or box in view.again
    ]


@role_required(*COUNTS, *COUNTS_SECOND)
@require_safe
def sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Print the count sheet of a table: boxes, lines to write on, and the address of the count page."""
    event, table = table_or_404(request, slug, number, *COUNTS_SECOND)
    shoe = _shoe(event, table)
    if shoe is None:
        raise Http404
    stacks = boxes_to_count(shoe)
    prefetch_related_objects([stack.entry for stack in stacks.values()], "player")
    address = request.build_absolute_uri(request.path.removesuffix("sheet/"))
    rows = [{"box": box, "entry": stack.entry} for box, stack in sorted(stacks.items())]
    context = {"table": table, "shoe": shoe, "rows": rows, "qr": qr_svg(address), "people": (1, 2)}
    return staff_page(request, "floor/count_sheet.html", context, event=event)


urlpatterns = [
    path("staff/<slug:slug>/tables/<int:number>/count/", count, name="count"),
    path("staff/<slug:slug>/tables/<int:number>/count/sheet/", sheet, name="count_sheet"),
]
