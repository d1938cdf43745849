"""Check who may work at a table: director and floor at every table, a dealer at their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.director.reads.floor_facts import TableLine
from pages.kit import actor_of, opens
from tables.models import Deal, Shoe, Table
from tables.selectors.clerks import deals_at, table_kept, table_of_dealer
from tables.selectors.deals import dealt_at
from tables.selectors.floor import table_named
from tables.services.locks import no_such_shoe, shoe_get
from tournament.models import Event
from tournament.roles import AUDITOR, DEALER, DIRECTOR, FLOOR, MANAGER, roles_of

EVERYWHERE = {DIRECTOR, FLOOR}


def everywhere(request: HttpRequest) -> bool:
    """Whether this person may act at every table."""
    return bool(roles_of(request.user) & EVERYWHERE)


def reads_everywhere(request: HttpRequest) -> bool:
    """Whether this person may read the hands of every table."""
    return everywhere(request) or bool(roles_of(request.user) & {MANAGER, AUDITOR})


def lines_opened(request: HttpRequest, event: Event, lines: Iterable[TableLine]) -> list[TableLine]:
    """Return the lines of tables, without links that this person may not open: a dealer has one table."""
    bound = DEALER in roles_of(request.user) and not reads_everywhere(request)
    own = table_of_dealer(actor_of(request), event) if bound else None
    return [
        line
        if opens(request, f"/staff/{event.slug}/{line.tail}")
        and (not bound or (own and own.number == line.number))
        else replace(line, tail="")
        for line in lines
    ]


def table_or_404(request: HttpRequest, slug: str, number: int, *also: str) -> tuple[Event, Table]:
    """Return event and table of an address, or 404; 403 for a person who may not be at this table.

    ``also``: further roles that may be at every table on this page.
    """
    table = table_named(slug, number)
    if table is None:
        raise Http404
    reading = request.method in ("GET", "HEAD") and AUDITOR in roles_of(request.user)
    at_all = everywhere(request) or bool(roles_of(request.user) & set(also))
    if not at_all and not reading and not deals_at(actor_of(request), table):
        raise not_your_table(request)
    return table.event, table


def not_your_table(request: HttpRequest) -> PermissionDenied:
    """Return the refusal of a page about another table; the page links to the dealer's own (``403.html``)."""
    if table_kept(actor_of(request)) is None:
        return PermissionDenied(_("You deal at no table. The floor or the director can assign you to one."))
    return PermissionDenied(
        _("You deal at another table. The floor or the director can assign you to this one.")
    )


def shoe_here(table: Table, shoe_id: int) -> Shoe:
    """Return a shoe of this table with its round and event. Refuses ``no_such_shoe`` (404)."""
    shoe = shoe_get(shoe_id)
    if shoe.table_id != table.pk:
        raise no_such_shoe()
    return shoe


def shoe_of_deal(table: Table, deal_id: int) -> int:
    """Return the id of the shoe of a hand at this table. Refuses ``no_such_deal`` (404)."""
    found = dealt_at(deal_id)
    if found is None or found[1] != table.pk:
        raise Refused(
            "no_such_deal", _("There is no such hand at this table. Load the page again."), status=404
        )
    return found[0]


def deal_begun(shoe_id: int, nonce: str) -> int:
    """Return the id of the hand of this shoe that the press ``nonce`` began. Refuses ``no_such_deal``
    (404)."""
    begun = Deal.objects.filter(shoe=shoe_id, taps__0__nonce=nonce[:64]).order_by("-pk").first()
    if begun is None:
        raise Refused("no_such_deal", _("This tap belongs to a hand that was not begun."), status=404)
    return begun.pk
