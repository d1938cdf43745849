"""Rule by two people on the prizes of paid places that nobody holds any more (T26)."""

from collections.abc import Mapping

from django.contrib.auth.models import User

from ground.refused import Refused, refuse
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.engine.facts import PrizeShared
from tournament.engine.prizes import Prizes
from tournament.figures import money
from tournament.models import Event, Posting, Request
from tournament.selectors.prizes import SHARE, currency_of, prizes_at, sharing_waits
from tournament.selectors.stages import live_payouts

from .arguments import event_of, reason_clean
from .journal import Command, Json, command
from .requests import handler, request_add
from .rounds import posting_make


def prize_sharing_request(
    *, event_id: int, shares_cents: Mapping[str, int], reason: str, key: str, actor: User | None
) -> Json:
    """Request to share unclaimed prizes otherwise than in proportion (T26).

    ``shares_cents``: entry code → cents, adding up to all unclaimed prizes; entries without a share are left
    out. It replaces an earlier ruling. Result: ``{"request": id, "kind": …}``. Refuses ``not_finished``,
    ``event_over``, ``all_held`` and ``already_asked`` (409), ``not_placed``, ``shares_wrong``,
    ``less_than_paid`` and ``reason_missing``.
    """
    why = reason_clean(reason)
    shares = {code: cents for code, cents in sorted(shares_cents.items()) if cents}

    def act(cmd: Command) -> Json:
        refuse(why_not_ask_to_share(event_of(cmd)))
        about = sharing_check(event_of(cmd), shares)
        return request_add(cmd, kind=SHARE, body={**about, "shares_cents": shares}, reason=why)

    body = {"kind": SHARE, "body": {"shares_cents": shares}, "reason": why}
    return command(kind="request.open", key=key, actor=actor, event_id=event_id, body=body, act=act)


@handler(SHARE)
def _share(cmd: Command, request: Request) -> Json:
    """Post the ruling after a second person confirmed; it decides the prizes from now on."""
    event, asked = event_of(cmd), request.body
    if {**sharing_check(event, asked["shares_cents"]), "shares_cents": asked["shares_cents"]} != asked:
        raise Refused(
            "prize_changed",
            _(
                "The places that nobody is paid for are others by now than when this was asked "
                "for. Refuse this, and ask anew."
            ),
            status=409,
        )
    cmd.write(PrizeShared(tuple(sorted(asked["shares_cents"].items()))))
    number = event.postings.filter(kind=Posting.Kind.SHARING).count() + 1
    body = {**asked, "event": event.code, "reason": reason_clean(request.reason)}
    posting = posting_make(cmd, kind=Posting.Kind.SHARING, number=number, body=body)
    return {"posting": posting.pk, "hash": posting.hash, "shares_cents": asked["shares_cents"]}


def why_not_share(event: Event) -> Refused | None:
    """Return why no prize of an event can be shared out now."""
    if event.status in (Event.Status.CALLED_OFF, Event.Status.PAID):
        return Refused(
            "event_over",
            _("The event is %(state)s; no prize can be shared out any more."),
            status=409,
            state=Sentence(event.get_status_display()),
        )
    if event.status != Event.Status.FINISHED:
        return Refused(
            "not_finished", _("Which places nobody holds is known once every place is decided."), status=409
        )
    if not prizes_at(event).unheld:
        return Refused("all_held", _("Every paid place is held: there is nothing to share out."), status=409)
    return None


def why_not_ask_to_share(event: Event) -> Refused | None:
    """Return why sharing cannot be requested: as ``why_not_share``, or a request is open
    (``already_asked``)."""
    why_not = why_not_share(event)
    if why_not is not None or sharing_waits(event) is None:
        return why_not
    return Refused(
        "already_asked",
        _(
            "A second person has already been asked to confirm how this prize is shared out. Have that"
            " confirmed or refused first."
        ),
        status=409,
    )


def sharing_check(event: Event, shares_cents: Mapping[str, int]) -> Json:
    """Return the unclaimed places and cents if they can be shared like this; refuses as
    ``prize_sharing_request``."""
    refuse(why_not_share(event))
    prizes, live = prizes_at(event), live_payouts(event)
    assert live is not None, "nothing is unclaimed before a structure is posted"
    _refuse_not_placed(prizes, shares_cents)
    _refuse_other_sum(event, prizes, shares_cents)
    _refuse_less_than_paid(event, prizes, shares_cents)
    return {"version": live.version, "places": list(prizes.unheld), "cents": prizes.unheld_cents}


def _refuse_not_placed(prizes: Prizes, shares_cents: Mapping[str, int]) -> None:
    missing = [code for code in sorted(shares_cents) if prizes.of(code).place is None]
    if missing:
        raise Refused(
            "not_placed",
            _("%(missing)s has no place, so nothing can be given to that entry."),
            missing=missing[0],
        )


def _refuse_other_sum(event: Event, prizes: Prizes, shares_cents: Mapping[str, int]) -> None:
    total, currency = sum(shares_cents.values()), currency_of(event)
    if total != prizes.unheld_cents or min(shares_cents.values(), default=0) < 0:
        raise Refused(
            "shares_wrong",
            _(
                "These shares add up to %(amount)s. They must add up to %(there)s, the prizes that nobody"
                " is paid for by place."
            ),
            amount=money(total, currency),
            there=money(prizes.unheld_cents, currency),
        )


def _refuse_less_than_paid(event: Event, prizes: Prizes, shares_cents: Mapping[str, int]) -> None:
    """T35: payments stand."""
    currency = currency_of(event)
    for code, paid_cents in sorted(prizes.paid_cents.items()):
        whole_cents = prizes.of(code).by_place_cents + shares_cents.get(code, 0)
        if whole_cents < paid_cents:
            raise Refused(
                "less_than_paid",
                _(
                    "%(codes)s has been paid %(amount)s already and would get %(whole)s "
                    "by this. What is paid stands."
                ),
                codes=code,
                amount=money(paid_cents, currency),
                whole=money(whole_cents, currency),
            )
