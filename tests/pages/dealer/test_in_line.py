"""Presses that waited on a tablet come together: in their order, each once, until one is refused (ADR 24)."""

from __future__ import annotations

import gzip
import re
from datetime import timedelta
from functools import cached_property
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.test import Client

from tables.models import Deal, Shoe
from tables.models import Tablet as OpenTablet
from tables.selectors.amending import Change
from tables.selectors.basis import shoe_basis
from tables.services import dealing
from tables.services.amending import deal_amend
from tables.services.tablets import tablets_besides
from tests.cast.amending import op_of
from tests.cast.at_tables import HTMX, Clerk, code, logged_in, sentence, url
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, opened, person, seated, shoe_of

pytestmark = pytest.mark.django_db

BOXES = 2
CARDS = ["Ts", "6h", "9c", "9d", "5c"]


class Tablet(Clerk):
    """A tablet that sends what waited on it."""

    def send(self, *presses: dict[str, Any], **more: Any) -> Any:
        """One request; the answer says how many presses, from the first on, are carried out."""
        line = {"whose": self.whose, "press": [urlencode(each) for each in presses]}
        return self.client.post(url(self.shoe), line | more, **HTMX)

    @cached_property
    def whose(self) -> str:
        """The login and the table that the page names."""
        page = self.client.get(url(self.shoe)).content.decode()
        return re.findall(r'data-whose="([\d.]+)"', page)[0]

    def taps(self, *codes: str, seen: int = 0, begun: str = "") -> list[dict[str, Any]]:
        """Cards and decisions one after the other, as the page makes them without an answer."""
        hand = {"begun": begun} if begun else {"deal": self.deal.pk}
        return [
            self.submission_of("tap", seen=at, **hand, **({"tap": code} if ":" in code else {"card": code}))
            for at, code in enumerate(codes, start=seen)
        ]

    def submission_of(self, do: str, **fields: Any) -> dict[str, Any]:
        """One press with a key of its own."""
        return {"do": do, "key": new_key(), "shoe": self.shoe.pk, **fields}


@pytest.fixture
def tablet(shoe: Shoe) -> Tablet:
    """The tablet at this table."""
    return Tablet(logged_in("director"), shoe)


def said(deal: Deal) -> list[str]:
    deal.refresh_from_db()
    return [
        tap["op"].get("card") or f"{tap['op'].get('action', tap['op']['op'])}:{tap['op'].get('seat', '')}"
        for tap in deal.taps
    ]


def test_T17_what_waited_is_carried_out_in_its_order_and_counts_once(tablet: Tablet, shoe: Shoe) -> None:
    deal = opened(shoe, {1: 200, 2: 200})
    taps = tablet.taps(*CARDS)
    answer = tablet.send(*taps[:3])
    assert (answer.status_code, answer["Cutline-Saved"]) == (200, "3")
    # The answer was lost: all of it is sent again, and what was tapped since goes along.
    answer = tablet.send(*taps)
    assert (answer.status_code, answer["Cutline-Saved"]) == (200, "5")
    assert said(deal) == CARDS
    assert 'data-seen="5"' in answer.content.decode()


def test_taps_that_waited_for_another_login_are_not_carried_out(tablet: Tablet, shoe: Shoe) -> None:
    deal = opened(shoe, {1: 200, 2: 200})
    press = [urlencode(each) for each in tablet.taps("Ts")]
    answer = logged_in("floor").post(url(shoe), {"whose": tablet.whose, "press": press}, **HTMX)
    assert answer.status_code == 403
    assert "Cutline-Saved" not in answer, "a tablet that is told a number takes that many off its line"
    assert said(deal) == []


def test_T17_the_first_that_is_refused_takes_those_after_it_back(tablet: Tablet, shoe: Shoe) -> None:
    deal = opened(shoe, {1: 200, 2: 200})
    answer = tablet.send(*tablet.taps("Ts", "6h", "stand:1", "9c"))
    assert (answer.status_code, answer["Cutline-Saved"]) == (422, "2")
    assert said(deal) == ["Ts", "6h"]
    assert sentence(answer) and answer["Cutline-Refused"] == code(answer)
    assert "Cutline-Refused" not in tablet.send(*tablet.taps("9c", seen=2))


def test_a_tap_of_somebody_else_in_between_is_told_and_stops_the_line(tablet: Tablet, shoe: Shoe) -> None:
    deal = opened(shoe, {1: 200, 2: 200})
    taps = tablet.taps("Ts", "6h", "9c")
    tablet.send(taps[0])
    dealing.deal_tap(deal_id=deal.pk, seen=1, nonce="another", op={"op": "card", "card": "2c"})
    answer = tablet.send(*taps)
    assert (answer.status_code, answer["Cutline-Saved"]) == (409, "1")
    assert code(answer) == "stale"
    assert 'data-changed="card"' in answer.content.decode()
    assert said(deal) == ["Ts", "2c"]


def hand_begun(tablet: Tablet) -> list[dict[str, Any]]:
    """Bets and the first card in one tap, and the rest of the hand before any of it has an answer."""
    basis = str(shoe_basis(tablet.shoe.pk))
    bets = {"bet-1": 200, "bet-2": 200, "card": "Ts", "mode": "cards"}
    begin = tablet.submission_of("bets", basis=basis, **bets)
    rest = ["9h", "9c", "9d", "8c", "stand:1", "stand:2", "8d"]
    taps = tablet.taps(*rest, seen=1, begun=begin["key"])
    settle = tablet.submission_of("settle", basis=basis, begun=begin["key"], after=taps[-1]["key"])
    return [begin, *taps, settle]


def test_a_hand_is_begun_dealt_and_settled_before_its_first_answer(tablet: Tablet, shoe: Shoe) -> None:
    line = hand_begun(tablet)
    # The second time, whole: the first result, and no second hand.
    for _ in range(2):
        answer = tablet.send(*line)
        assert (answer.status_code, answer["Cutline-Saved"]) == (200, "9"), sentence(answer)
        deal = Deal.objects.get()
        assert said(deal) == ["Ts", "9h", "9c", "9d", "8c", "stand:1", "stand:2", "8d"]
        assert deal.status == Deal.Status.SETTLED
        assert [chips_at(shoe.round, box) for box in (1, 2)] == [5200, 5000]


def test_T17_a_hand_is_settled_as_its_last_tap_left_it_or_not_at_all(tablet: Tablet) -> None:
    *line, settle = hand_begun(tablet)
    tablet.send(*line)
    deal = Deal.objects.get()
    dealing.deal_undo(deal_id=deal.pk, seen=len(deal.taps), nonce="another")
    dealing.deal_tap(deal_id=deal.pk, seen=9, nonce="another 2", op={"op": "hole", "card": "Td"})
    answer = tablet.send(*line, settle)
    assert (answer.status_code, answer["Cutline-Saved"]) == (409, "8")
    deal.refresh_from_db()
    assert deal.status == Deal.Status.OPEN


@pytest.mark.parametrize("press", [new_key(), "a\x00", "\x00"])
def test_taps_of_a_hand_that_was_never_begun_are_refused(tablet: Tablet, press: str) -> None:
    answer = tablet.send(*tablet.taps("9h", seen=1, begun=press))
    assert (answer.status_code, answer["Cutline-Saved"]) == (404, "0")
    assert code(answer) == "no_such_deal"
    assert not Deal.objects.exists()


def test_whose_log_in_has_run_out_is_sent_to_it_and_back_to_the_table(tablet: Tablet, shoe: Shoe) -> None:
    tablet.client.logout()
    page = "http://testserver" + url(shoe)
    answer = tablet.client.post(url(shoe), {"press": "do=tap"}, HTTP_HX_CURRENT_URL=page, **HTMX)
    assert answer.status_code == 204
    assert answer["HX-Redirect"].endswith("?next=" + url(shoe).replace("/", "%2F"))
    elsewhere = tablet.client.post(url(shoe), {}, HTTP_HX_CURRENT_URL="https://elsewhere.test/x", **HTMX)
    assert "next" not in elsewhere["HX-Redirect"]


@pytest.mark.parametrize("after", [0, 2])
def test_what_is_saved_is_told_with_a_fault_as_well(
    tablet: Tablet, shoe: Shoe, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    deal = opened(shoe, {1: 200, 2: 200})
    tablet.client.raise_request_exception = False
    tap = dealing.deal_tap

    def fails(**given: Any) -> Any:
        if given.get("seen", after) >= after:
            raise RuntimeError("a fault of our own")
        return tap(**given)

    monkeypatch.setattr(dealing, "deal_tap", fails)
    taps = tablet.taps(*CARDS)
    answer = tablet.send(*taps)
    assert answer["Cutline-Saved"] == str(after)
    assert 'id="table"' not in answer.content.decode()
    assert said(deal) == CARDS[:after]
    # A page that fails after its presses takes none of them back.
    monkeypatch.setattr(dealing, "deal_tap", tap)
    monkeypatch.setattr("pages.dealer.views.table.screen", lambda *_given: fails())
    assert tablet.send(*taps)["Cutline-Saved"] == "5"
    assert said(deal) == CARDS


# What goes over the wire ---------------------------------------------------------------------------------

KB4 = 4_096
SEVEN = [
    *("Ts", "8s", "6h", "9c", "Jd", "5c", "Kc", "6d", "9d", "8d", "5h", "7s", "Qh", "7d", "8h", "stand:1"),
    *("split:2", "Th", "stand:2", "9h", "stand:2", "double:3", "9s", "2c", "stand:4", "stand:5", "Kh"),
    *("stand:7", "Tc", "5s"),
]


def kept(page: str) -> list[str]:
    return re.findall(r'id="([\w-]+)" hx-preserve', page)


def test_an_answer_to_a_tap_leaves_out_what_the_tablet_has_and_fits_into_4_kb(db: None) -> None:
    shoe = shoe_of(seated(7, boxes_per_table=7))
    Shoe.objects.update(button_box=1)
    opened(shoe, dict.fromkeys(range(1, 8), 200))
    tablet = Tablet(logged_in("director"), shoe)
    whole = tablet.client.get(url(shoe), **HTMX).content.decode()
    once = re.findall(r'id="([\w-]+)" data-once', whole)
    assert {"menu", "sending", "cloth", "cardpad"} < set(once)
    # The answer to the last of them, when the most cards lie on the felt.
    gzipped = {"whose": tablet.whose, "press": [urlencode(tap) for tap in tablet.taps(*SEVEN)]}
    gzipped |= {"once": " ".join(once)}
    answer = tablet.client.post(url(shoe), gzipped, headers={"accept-encoding": "gzip"}, **HTMX)
    assert (answer["Cutline-Saved"], answer["Content-Encoding"]) == (str(len(SEVEN)), "gzip")
    assert len(answer.content) <= KB4
    page = gzip.decompress(answer.content).decode()
    assert sorted(kept(page)) == sorted(once)
    assert "data-card=" not in page
    # A tablet that has another part, or none of them, gets them whole.
    undo = tablet.submission_of("undo", deal=tablet.deal.pk, seen=len(SEVEN))
    page = tablet.send(undo, once="menu").content.decode()
    assert kept(page) == ["menu"]
    assert len(re.findall("data-card=", page)) == 52


# -- Two tablets at one table ----------------------------------------------------------------------------


LINE = re.compile(r'<li data-changed="(\w+)" data-by="([^"]*)">')
NEWS = re.compile(r'data-news="([^"]+)" data-kind="(\w+)" data-by="([^"]*)"')


@pytest.fixture
def mia(db) -> User:
    """The floor, who taps at the same table on another tablet."""
    return person("floor")


@pytest.fixture
def begun(shoe, mia) -> Deal:
    """A hand of both boxes that she has begun: the king of spades for box 1, an eight for box 2."""
    made = opened(shoe, {1: 200, 2: 200}, actor=mia)
    for word in ("Ks", "8d"):
        tap(made, mia, word)
    return made


def tap(begun: Deal, by: User, word: str, screen: str = "hers") -> None:
    begun.refresh_from_db()
    seen, op = len(begun.taps), op_of(word)
    dealing.deal_tap(deal_id=begun.pk, seen=seen, nonce=new_key(), op=op, actor=by, screen=screen)


def looks(clerk: Clerk, begun: Deal | None, seen: int) -> tuple[str, str, str]:
    """What the line says once the page looks again by itself: (kind, whose, words)."""
    known = f"{begun.pk if begun else ''}:{seen}"
    page = clerk.client.get(url(clerk.shoe), {"since": "old", "hand": known}, **HTMX).content.decode()
    words, kind, by = (NEWS.findall(page) or [("", "", "")])[0]
    return kind, by, unescape(words)


def test_T17_the_same_login_on_another_tablet_is_told_and_the_own_taps_are_not(clerk, begun, mia):
    clerk.cards("6d")
    assert looks(clerk, begun, 2) == ("", "", "")
    tap(begun, clerk.client.user, "2h", screen="another")
    assert looks(clerk, begun, 3)[:2] == ("card", clerk.client.user.username)
    # A ruling is a tap as any other: it is news on another tablet only.
    clerk.cards("3c")
    said = {"wrong": "hole", "ruling": "play_on", "rank": "T", "suit": "d", "reason": "Floor: Ann"}
    assert clerk.in_hand("wrong", **said).status_code == 200
    assert looks(clerk, begun, 5) == ("", "", "")
    other = Clerk(logged_in("floor"), clerk.shoe)
    assert looks(other, begun, 5)[:2] == ("hole_turned", clerk.client.user.username)


def test_T17_a_page_that_looks_again_tells_the_hand_a_bet_and_its_end(clerk, begun, mia):
    kind, by, words = looks(clerk, None, 0)
    assert (kind, by) == ("card", mia.username)
    assert "2" in words
    change = Change(bets={1: 200, 2: 400})
    deal_amend(deal_id=begun.pk, seen=2, change=change, key=new_key(), actor=mia, screen="hers")
    kind, by, words = looks(clerk, begun, 2)
    assert (kind, by) == ("bet", mia.username)
    assert "400" in words
    dealing.deal_undo(deal_id=begun.pk, seen=3, nonce=new_key(), actor=mia, screen="hers")
    assert looks(clerk, begun, 3)[:2] == ("undo", mia.username)
    dealing.deal_void(deal_id=begun.pk, reason="the cards fell", key=new_key(), actor=mia)
    assert looks(clerk, begun, 4)[:2] == ("void", mia.username)


def test_T17_bets_typed_for_a_hand_that_another_has_begun_begin_no_second_one(clerk, begun, mia):
    refused = clerk.press("bets", bet_1=400, bet_2=600, card="8d")
    assert (refused.status_code, Deal.objects.count()) == (409, 1)
    lines = LINE.findall(refused.content.decode())
    assert lines == [("card", mia.username), ("card", mia.username)], "what was changed, and whose"


def test_a_page_says_on_how_many_other_tablets_it_is_open(clerk, shoe, mia):
    def tablets(client: Client, **more: Any) -> list[str]:
        return re.findall(r'data-tablets="(\d+)"', client.get(url(shoe), **more).content.decode())

    page = clerk.client.get(url(shoe)).content.decode()
    look = {"since": re.search(r"since=([^&]+)&", page)[1], "hand": ":0"}
    assert clerk.client.get(url(shoe), look, **HTMX).status_code == 204
    assert tablets(clerk.client) == []
    other = Client()
    other.force_login(mia)
    assert tablets(other) == ["1"]
    assert tablets(clerk.client, data=look, **HTMX) == ["1"]


@pytest.mark.parametrize(("seconds", "open_"), [(14, 1), (16, 0)])
def test_a_tablet_that_has_not_asked_for_15_s_is_gone(shoe, seconds, open_):
    tablets_besides(table_id=shoe.table_id, mark="other", asks=True)
    OpenTablet.objects.update(seen_at=Now() - timedelta(seconds=seconds))
    for _again in range(2):  # the own page is not counted
        assert tablets_besides(table_id=shoe.table_id, mark="own", asks=True) == open_
    tablets_besides(table_id=shoe.table_id, mark="other", asks=True)
    assert tablets_besides(table_id=shoe.table_id, mark="own", asks=False) == 1
