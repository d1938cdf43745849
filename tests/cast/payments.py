"""Prizes that are paid and taken back."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum

from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import confirm
from tournament.models import Event, MoneyAccount, MoneyEntry
from tournament.selectors.prizes import prizes_for
from tournament.services import payments


def won(event: Event) -> dict[str, int]:
    return {code: cents for code, cents in prizes_for(event).items() if cents}


def pay(event: Event, code: str, actor: Any = None) -> dict[str, Any]:
    entry = event.entries.get(code=code)
    return payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=actor)


def ask_back(event: Event, code: str, reason: str = "paid to the wrong person") -> dict[str, Any]:
    entry = event.entries.get(code=code)
    return payments.prize_take_back_request(
        entry_id=entry.pk, reason=reason, key=new_key(), actor=UserFactory()
    )


def take_back(event: Event, code: str) -> dict[str, Any]:
    done = confirm(ask_back(event, code))
    event.refresh_from_db()
    return done


def accounts(event: Event) -> dict[str, int]:
    """The balance of each money account of an event, in cents."""
    legs = MoneyEntry.objects.filter(transaction__event=event)
    totals = dict(legs.order_by().values_list("account").annotate(total=Sum("amount_cents")))
    return {account: totals.get(account, 0) for account in MoneyAccount.values}
