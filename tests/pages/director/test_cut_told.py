"""A cut that a correction would have made otherwise: the pages that tell of it agree (T17, T20)."""

from __future__ import annotations

from typing import Any

import pytest

from pages.history import entry_history
from tables.models import Deal
from tests.cast.at_tables import logged_in, text
from tests.cast.corrected import post, round_1
from tests.cast.correction_asked import asked_for, page_of
from tests.cast.cut_since import SWAPPED, latest
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, hand, person, shoe_of
from tournament.models import Request, Round
from tournament.services.requests import request_decide

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def seats_stand(*, bet: bool = False) -> tuple[Round, Request]:
    """Round 2 is seated, with ``bet`` begun, and a correction of round 1 is asked for: 3 instead of 2."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    second = draw_and_seat(round_.event)
    if bet:
        hand(shoe_of(second), {1: 200, 2: 200}, b1="win", b2="win")
    return round_, asked_for(old, outcomes=SWAPPED)


# The round ----------------------------------------------------------------------------------------------


# The correction -----------------------------------------------------------------------------------------


# The entries --------------------------------------------------------------------------------------------


def history(round_: Round, code: str) -> str:
    entry = round_.event.entries.get(code=code)
    return " | ".join(f"{line.title} {line.detail}" for line in entry_history(entry))


# The hand -----------------------------------------------------------------------------------------------


def test_T17_a_hand_whose_correction_waits_is_marked_and_cannot_be_asked_about_twice():
    round_, asked = seats_stand()
    deals = f"deals/?table=1&round={round_.pk}"
    client = logged_in("director")
    html = client.get(f"/staff/{round_.event.slug}/{deals}").content.decode()
    assert f'href="{page_of(asked)}"' in html
    assert "A correction of this hand waits for a second person." in text(
        client.get(f"/staff/{round_.event.slug}/{deals}")
    )
    assert f"/deals/{asked.body['deal']}/correct/" not in html
    correct = f"/staff/{round_.event.slug}/deals/{asked.body['deal']}/correct/"
    shown = client.get(correct)
    assert "A correction of this hand, asked for by" in text(shown) and "Preview what changes" not in text(
        shown
    )
    dealer = logged_in("floor").get(f"/staff/{round_.event.slug}/{deals}")
    assert "A correction of this hand waits" in text(dealer)
    posted = {"key": new_key(), "how": "void", "do": "correct", "reason": "again"}
    refused = client.post(correct, posted)
    assert (refused.status_code, text(refused).count("A correction of this hand, asked for by")) == (409, 1)
    assert Request.objects.filter(kind=asked.kind, event=round_.event).count() == 1
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=person("manager"))
    assert (
        f"/deals/{asked.body['deal']}/correct/"
        in client.get(f"/staff/{round_.event.slug}/{deals}").content.decode()
    )
    assert "Preview what changes" in text(client.get(correct))
    assert asked_for(latest_of(asked), void=True).status == "open"


def latest_of(asked: Request) -> Any:
    return latest(Deal.objects.get(pk=asked.body["deal"]))
