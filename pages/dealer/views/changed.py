"""Name the people who changed a table since a screen was made, beside a refusal or when a page polls.

A tap stores its user and its screen; a screen's own taps are no news to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from pages.dealer.reads import Screen
from pages.dealer.views.amend import felt_words
from pages.dealer.views.presses import screen_of
from pages.floor.forms import hand_typed
from pages.kit import Tried, actor_of, number_or_0, staff_page
from pages.words.news import news_since
from tables.models import Deal, Table
from tables.selectors.amending import tapped_op
from tables.selectors.deals import taps_standing
from tables.services.tablets import tablets_besides
from tournament.figures import chips
from tournament.models import Event, JournalEntry
from tournament.selectors.basis import Basis, mark_of

Json = dict[str, Any]
TOLD = 3
"""The most changes that are listed; the felt shows the rest."""
ENDS = {"deal.settle": "settled", "deal.void": "void"}


@dataclass(frozen=True)
class Changed:
    """One change: a sentence, its kind, and its person, empty if unknown.

    ``kind``: ``undo``, ``amend``, ``bet``, ``bets``, ``settled``, ``void``, or the operation (``card`` …).
    """

    kind: str
    by: str
    words: str


def tablets(request: HttpRequest, at: Table) -> int:
    """Return on how many other tablets this page is open; reading or polling the page counts this one."""
    return tablets_besides(table_id=at.pk, mark=screen_of(request), asks=request.method == "GET")


def told(request: HttpRequest, shown: Screen, tried: Tried | None) -> Json:
    """Return the refusal of a press, and the changes by others since its page was made."""
    no = tried if tried and not tried.done else None
    looks = "since" in request.GET and request.method == "GET"
    found = changes(request, shown) if no or looks else []
    names = {each.by for each in found}
    refused = no.sentence if no else ""
    if no and no.code == "stale" and found and request.POST.get("do") in ("tap", "undo"):
        # The service's sentence lists the taps; here each is listed with its person instead.
        refused = Tried(sentence=_("The hand has changed. Look at it, then go on."), code=no.code).sentence
    return {
        "refused": refused,
        "refused_code": no.code if no else "",
        "changes": found,
        "changed_by": names.pop() if len(names) == 1 else "",
    }


def changes(request: HttpRequest, shown: Screen) -> list[Changed]:
    """Return the changes by others, or by the same person on another tablet, since this screen was made."""
    deal_id, seen = _asked(request, shown)
    hand = shown.hand.deal if shown.hand else None
    found: list[Changed] = []
    if deal_id and (hand is None or hand.pk != deal_id):
        found += _ended(deal_id, shown)
    if hand is not None and hand.mode == Deal.Mode.CARDS:
        is_new = hand.pk != deal_id
        mine = (actor_of(request).pk, screen_of(request))
        if is_new and not hand.taps:
            found += _called(hand)
        found += _tapped(shown, hand, 0 if is_new else seen, mine)
    return found[-TOLD:]


def _asked(request: HttpRequest, shown: Screen) -> tuple[int, int]:
    """Return the id of the hand that the screen shows (0 for none) and its number of taps."""
    if request.method != "POST":
        known, _colon, count = request.GET.get("hand", "").partition(":")
        return number_or_0(known), number_or_0(count)
    here = shown.hand.deal if shown.hand else None
    seen, deal = number_or_0(request.POST.get("seen", "")), number_or_0(request.POST.get("deal", ""))
    if here is None or deal:
        return deal, seen
    begun = request.POST.get("begun", "")[:64]
    if begun:
        return (here.pk if here.taps and here.taps[0]["nonce"] == begun else 0), seen
    # A form that begins a hand was made without one; any other form was made with the shown hand.
    return (0, 0) if request.POST.get("do") in ("bets", "results") else (here.pk, len(here.taps))


# -- Changes ------------------------------------------------------------------------------------------


def _ended(deal_id: int, shown: Screen) -> list[Changed]:
    """Return the change if the screen's hand was settled or voided elsewhere."""
    if shown.view.round is None or not Deal.objects.filter(pk=deal_id, shoe=shown.shoe).exists():
        return []
    ends = JournalEntry.objects.filter(
        event=shown.view.round.event_id, kind__in=ENDS, result__deal=deal_id
    ).select_related("actor")
    entry = ends.order_by("-seq").first()
    if entry is None or entry.actor is None:
        return []
    who, number = entry.actor.get_username(), entry.result["number"]
    words = _("%(who)s settled hand %(n)s") if entry.kind == "deal.settle" else _("%(who)s voided hand %(n)s")
    return [Changed(ENDS[entry.kind], who, words % {"who": who, "n": number})]


def _called(deal: Deal) -> list[Changed]:
    if deal.opened_by is None:
        return []
    who = deal.opened_by.get_username()
    return [Changed("bets", who, _("%(who)s called the bets of hand %(n)s") % {"who": who, "n": deal.number})]


def _tapped(shown: Screen, deal: Deal, seen: int, mine: tuple[int, str]) -> list[Changed]:
    others = [
        at for at, tap in enumerate(deal.taps) if at >= seen and (tap.get("by"), tap.get("on")) != mine
    ][-TOLD:]
    names = _names(deal.taps[at].get("by") for at in others)
    return [_one(shown, deal, at, names.get(deal.taps[at].get("by"), "")) for at in others]


def _names(ids: Iterable[int | None]) -> dict[int | None, str]:
    users = User.objects.filter(pk__in={each for each in ids if each})
    return {user.pk: user.get_username() for user in users}


def _one(shown: Screen, deal: Deal, at: int, who: str) -> Changed:
    """Return a tap as a sentence: ``Mia on another tablet: box 3, king of hearts``."""
    tap, before = deal.taps[at], taps_standing(deal.taps[:at])
    if "bets" in tap and who:
        [(box, bet)] = list(tap["bets"].items())[:1]
        words = _("%(who)s changed the bet of box %(n)s to %(chips)s")
        return Changed("bet", who, words % {"who": who, "n": box, "chips": chips(bet)})
    kind, what = _what(shown, tap, before)
    if not who:
        return Changed(kind, "", what)
    words = {
        "undo": _("%(who)s on another tablet took back: %(what)s"),
        "amend": _("%(who)s on another tablet put right: %(what)s"),
    }.get(kind, _("%(who)s on another tablet: %(what)s"))
    return Changed(kind, who, words % {"who": who, "what": what})


def _what(shown: Screen, tap: Mapping[str, Any], before: list[list[Json]]) -> tuple[str, str]:
    if tap.get("undo"):
        return "undo", felt_words(shown, tapped_op(before[-1]), before[:-1])
    if "said" in tap:
        return "amend", str(tap["said"])
    return tap["op"]["op"], felt_words(shown, tap["op"], before)


# -- While typing -------------------------------------------------------------------------------------


def typed_before(request: HttpRequest, basis: Basis) -> bool:
    """Whether the page polls while its typed form is older than somebody else's action."""
    seen = request.GET.get("basis", "")
    return "since" in request.GET and bool(seen) and mark_of(seen) != basis.mark and hand_typed(request.GET)


def meanwhile(request: HttpRequest, event: Event, shown: Screen, basis: Basis) -> HttpResponse:
    """Return a note beside the typed form, which stays: the newer form may be for another hand."""
    if request.GET.get("told") == basis.mark:
        return HttpResponse(status=204, headers={"Cache-Control": "private, no-store"})
    news = news_since(basis, request.GET["basis"])
    context = {"basis": basis, "news": news, "changes": changes(request, shown)}
    answer = staff_page(request, "dealer/_meanwhile.html", context, event=event)
    answer["HX-Retarget"], answer["HX-Reswap"] = "#meanwhile", "innerHTML"
    return answer
