"""The limit of a gaming day against one person who wants round it (T2), and who was turned away (T7)."""

import threading
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from django.db import IntegrityError

from tests.cast.at_desk import Somebody, done, staff
from tests.cast.at_desk import codes as codes_on
from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, as_command, new_key
from tournament.engine.names import name_folded
from tournament.models import House, MoneyEntry, MoneyTransaction, Player, PlayerCheck, PlayerDay, Request
from tournament.selectors import desk
from tournament.selectors.buying import players_at_desk
from tournament.selectors.desk import today
from tournament.services import entries, house, money, people
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def answered(asked, by=None, approve=True):
    by = by or UserFactory()
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=by)


def buy_in(player, event=None, cents=100_00):
    event = event or EventFactory(settings={"buy_in_cents": cents})
    return entries.entry_buy_in(
        event_id=event.pk, player_id=player.pk, identity_checked=True, key=new_key(), actor=None
    )


def turn_away(player, event, outcome="under_age"):
    return people.player_check_refuse(
        event_id=event.pk, player_id=player.pk, outcome=outcome, key=new_key(), actor=UserFactory()
    )


def sale_refused(code, player, event=None, status=None):
    """An entry is refused, and nothing is changed."""
    event = event or EventFactory(settings={"buy_in_cents": 100_00})
    with refused(code, status):
        buy_in(player, event)


def at(text):
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)


def values(**given):
    """The house as it is, with something else."""
    names = ["name", "currency", "language", "time_zone", "day_limit_cents"]
    names += ["day_turns_at_hour", "identity_required"]
    return {name: getattr(house.house_current(), name) for name in names} | given


def change(actor, reason="the law has changed", **given):
    return house.house_change(**values(**given), reason=reason, key=new_key(), actor=actor)


def test_T2_one_person_changes_nothing_that_the_limit_rests_on():
    for name, value in [
        *(("day_limit_cents", 500_00), ("time_zone", "Pacific/Kiritimati")),
        *(("day_turns_at_hour", 23), ("identity_required", False)),
    ]:
        director, before = UserFactory(), values()
        asked = change(director, **{name: value})
        with refused("own_request", 403):
            answered(asked, director)
        assert values() == before
        done_now = answered(asked)["done"]
        assert values() == before | {name: value}
        assert (done_now["before"], done_now["after"]) == ({name: before[name]}, {name: value})


def test_T2_a_change_needs_its_reason_and_what_has_changed_since_is_asked_for_anew():
    director = UserFactory()
    with refused("reason_missing"):
        change(director, reason=" ", day_limit_cents=1)
    made = change(director, reason="", name="Other", currency="eur")
    assert made == {"name": "Other", "currency": "EUR", "language": "en"}
    first, second = (change(director, day_limit_cents=cents) for cents in (300_00, 400_00))
    answered(first)
    with refused("changed_meanwhile", 409):
        answered(second)
    assert House.objects.get().day_limit_cents == 300_00


def test_T2_the_exceptions_say_before_and_after_and_who_and_the_auditor_reads_them():
    player = PlayerFactory(given_name="Rich", family_name="Roe")
    answered(change(UserFactory(username="dora"), day_limit_cents=500_00), UserFactory(username="max"))
    buy_in(player, cents=500_00)
    answered(change(UserFactory(), day_limit_cents=250_00))
    page = Somebody("auditor").get("/house/exceptions/").content.decode()
    for said in ("$250.00 → $500.00", "dora", "max", "Rich Roe"):
        assert said in page


def test_T2_no_clock_is_changed_once_somebody_has_bought_in_on_the_day():
    asked = change(UserFactory(), time_zone="Pacific/Kiritimati")
    buy_in(PlayerFactory(), cents=1)
    with refused("day_begun", 409):
        answered(asked)
    with refused("day_begun", 409):
        change(UserFactory(), day_turns_at_hour=23)
    change(UserFactory(), day_limit_cents=1)
    PlayerDay.objects.update(spent_cents=0)
    answered(asked)
    assert House.objects.get().time_zone == "Pacific/Kiritimati"


def test_T2_the_day_turns_by_the_clock_of_the_house():
    in_denver = House(time_zone="America/Denver", day_turns_at_hour=6)
    for moment, day in (("11-21 12:59", 20), ("11-21 13:00", 21), ("11-22 08:30", 21)):
        assert in_denver.day_of(at(moment)) == date(2026, 11, day)


def test_T2_the_house_s_zone_starts_as_the_machine_s(settings):
    settings.TIME_ZONE = "Europe/Vienna"
    assert house.house_current().time_zone == "Europe/Vienna"
    settings.TIME_ZONE = "UTC"
    assert house.house_current().time_zone == "Europe/Vienna"


def test_T2_without_an_identity_number_nothing_is_sold_but_in_a_rehearsal():
    player = PlayerFactory(identity_digest=None)
    sale_refused("identity_missing", player)
    assert buy_in(player, EventFactory(kind="rehearsal"))["code"] == "E001"
    people.player_identity(player_id=player.pk, identity_number="P 1", key=new_key(), actor=None)
    assert buy_in(player)["code"] == "E001"
    with refused("identity_set", 409):
        people.player_identity(player_id=player.pk, identity_number="P 2", key=new_key(), actor=None)
    other = PlayerFactory(identity_digest=None)
    with refused("identity_known"):
        people.player_identity(player_id=other.pk, identity_number="p-1", key=new_key(), actor=None)
    answered(change(UserFactory(), identity_required=False))
    assert buy_in(other)["code"] == "E001"


ANN = {"given_name": "Ann", "family_name": "Lee"}


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        ({}, {}, True),
        ({"birth_year": 1980}, {"birth_year": 1981}, True),
        ({"birth_year": 1980, "identity_digest": None}, {"birth_year": 1981}, True),
        ({}, {"family_name": "Leé", "given_name": "ANN"}, True),
        ({}, {"family_name": "Leeson"}, False),
        ({"simulated": True}, {}, False),
    ],
)
def test_T2_a_likely_duplicate_waits_for_a_second_person(one, two, alike):
    PlayerFactory(**{**ANN, **one})
    player = PlayerFactory(**{**ANN, **two})
    if alike:
        sale_refused("likely_duplicate", player, status=409)
    else:
        assert buy_in(player)["code"] == "E001"


@pytest.mark.parametrize("what", ["spent", "turned away"])
def test_T2_a_younger_record_counts_against_an_older_one_once_there_is_something_on_it(what):
    """A person who was turned away, or who has spent, is not somebody else under an older record."""
    one, two, day = PlayerFactory(**ANN), PlayerFactory(**ANN), today(house.house_current())
    if what == "spent":
        spent = PlayerDay(player=two, gaming_day=day, limit_cents=250_00, spent_cents=1)
        spent.save()
    else:
        turn_away(two, EventFactory())
    sale_refused("likely_duplicate", one, status=409)
    if what == "spent":
        PlayerDay.objects.filter(pk=spent.pk).update(gaming_day=day - timedelta(days=1))
        assert buy_in(one)["code"] == "E001"


def test_T2_two_sales_at_once_to_two_records_of_one_name_sell_one(transactional_db):
    """The older of two records is the one that sells, so no race lets both."""
    one, two = PlayerFactory(**ANN), PlayerFactory(**ANN)
    events_ = [EventFactory(settings={"buy_in_cents": 250_00}) for _ in range(2)]
    pairs = list(zip((one, two), events_, strict=True))
    answers = at_once(*(partial(buy_in, player, event) for player, event in pairs))
    assert codes(answers) == ["likely_duplicate"]


def waits_at_desk(event, player, director):
    """A second person is asked about this player: the desk says so, and has no form to ask again."""
    page = director.get(staff(event, "desk/"), player=str(player.pk))
    assert codes_on(page).count("already_asked") == 1 and "desk/ask/" not in page.content.decode()
    again = director.press(staff(event, "desk/ask/"), player=player.pk, reason="again")
    assert (again.status_code, codes_on(again).count("already_asked")) == (409, 1)


def test_T2_two_persons_tell_two_of_one_name_apart():
    one, two, event = PlayerFactory(**ANN), PlayerFactory(**ANN), EventFactory()
    director, manager = Somebody("director"), Somebody("manager")
    page = director.get(staff(event, "desk/"), player=str(two.pk)).content.decode()
    assert f'href="?player={one.pk}' in page, "the record to use is one tap away"
    about = {"event_id": event.pk, "player_id": two.pk, "reason": "x", "key": new_key()}
    with refused("not_yours_to_ask", 403):
        people.players_apart_request(**about, actor=UserFactory(roles=["cashier"]))
    done(director.press(staff(event, "desk/ask/"), player=two.pk, reason="both stood here"), "requests/")
    waits_at_desk(event, two, director)
    asked = Request.objects.get()
    sale_refused("likely_duplicate", two, event, status=409)
    done(manager.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    assert (buy_in(two, event)["code"], buy_in(one, event)["code"]) == ("E001", "E002")
    with refused("no_duplicate", 409):
        people.players_apart_request(**about, actor=UserFactory(roles=["director"]))
    # A third of the name is another question.
    sale_refused("likely_duplicate", PlayerFactory(**ANN), event, status=409)


@pytest.mark.parametrize("outcome", ["under_age", "excluded"])
def test_T7_who_was_turned_away_stays_turned_away_for_the_gaming_day(outcome):
    player, event = PlayerFactory(), EventFactory()
    turn_away(player, event, outcome)
    for each in (event, EventFactory()):
        sale_refused("turned_away", player, each, status=403)
    held = PlayerCheck.objects.get()
    yesterday = {"gaming_day": held.gaming_day - timedelta(days=1), "at": held.at - timedelta(days=1)}
    let_in = PlayerFactory()
    PlayerCheck.objects.create(player=let_in, event=event, outcome=outcome, **yesterday)
    assert buy_in(let_in, event)["code"] == "E001"


def test_T7_two_persons_let_somebody_in_after_all_and_it_can_be_taken_back():
    player, event, director = PlayerFactory(), EventFactory(), UserFactory()
    wanted = {"event_id": event.pk, "player_id": player.pk, "reason": "her passport says 1990"}
    with refused("not_turned_away", 409):
        people.player_let_in_request(**wanted, key=new_key(), actor=director)
    turn_away(player, EventFactory(kind="rehearsal"))
    assert buy_in(player)["code"] == "E001", "a rehearsal turns nobody away for real"
    turn_away(player, event)
    asked = people.player_let_in_request(**wanted, key=new_key(), actor=director)
    waits_at_desk(event, player, Somebody("director"))
    with refused("own_request", 403):
        answered(asked, director)
    sale_refused("turned_away", player, event, status=403)
    answered(asked)
    assert buy_in(player, event)["code"] == "E001"
    turn_away(player, event)
    sale_refused("turned_away", player, status=403)


def test_names_are_compared_without_capitals_accents_and_order():
    for one, two, alike in [
        (("José", "Núñez"), ("Jose", "Nunez"), True),
        (("Jürgen", "Groß"), ("jurgen", "GROSS"), True),
        (("Søren", "Łoś"), ("Soeren", "Los"), True),
        (("Ann Marie", "O'Neil"), ("ann", "marie oneil"), True),
        (("Ａｎｎ", "O\u00b4Brien"), ("Ann", "O\u2019Brien"), True),
        (("王", "芳"), ("芳", "王"), True),
        (("Anna\u2011Maria", "Lee"), ("Anna\u00a0Maria", "Lee"), True),
        (("МАRТА", "КОС"), ("Marta", "Koc"), True),
        (("ΝΙΚΟ", "Işık"), ("Niko", "Isik"), True),
        (("Ann", "Lee"), ("Anna", "Lee"), False),
        (("Jo", "Ann Lee"), ("Joann", "Lee"), False),
        (("Анна", "Ли"), ("Анна", "Ким"), False),
        (("王", "芳"), ("王", "方"), False),
    ]:
        assert (name_folded(*one) == name_folded(*two)) == alike, (one, two)
        assert name_folded(*one) != ""


def test_T2_an_identity_number_is_one_number_however_its_signs_are_typed():
    for typed in ["ab-1234 50", "\uff21\uff22\uff11\uff12\uff13\uff14\uff15\uff10", "\u0410\u0412123450"]:
        assert people.identity_digest(typed) == people.identity_digest("AB123450")
        assert people.identity_digest(typed) != people.identity_digest("AB123451")


def test_a_name_with_a_sign_that_is_not_seen_is_refused_everywhere():
    def player(**name):
        people.player_create(**{"given_name": "Ann", "family_name": "Lee", **name}, key=new_key(), actor=None)

    director = UserFactory()
    for sign in ("\u200b", "\ufeff", "\u202e", "\u2066", "\u00ad", "\u3164"):
        for act, field in (
            (player, "given_name"),
            (player, "alias"),
            (partial(change, director), "name"),
            (EventFactory, "name"),
        ):
            with refused("text_bad"):
                act(**{field: f"An{sign}n"})


def test_a_name_is_kept_in_the_one_form_in_which_it_is_compared():
    made = people.player_create(given_name="Ａnn", family_name="ﬁsher", key=new_key(), actor=None)
    player = Player.objects.get(pk=made["player"])
    assert (player.given_name, player.family_name) == ("Ann", "fisher")


def withdraw(entry_id):
    return entries.entry_withdraw(entry_id=entry_id, key=new_key(), actor=None)


def test_T2_limit_is_over_all_events_of_the_house_and_the_refusal_says_what_is_left():
    player = PlayerFactory()
    for cents in (100_00, 25_00):
        EntryFactory(player=player, event=EventFactory(settings={"buy_in_cents": cents}))
    big = EventFactory(settings={"buy_in_cents": 200_00})
    with refused("day_limit") as no:
        buy_in(player, big)
    assert "$125.00" in str(no.value)
    assert PlayerDay.objects.get().spent_cents == 125_00
    assert not big.entries.exists()


def test_T2_exactly_the_limit_may_be_spent():
    player = PlayerFactory()
    for left_cents in (125_00, 0):
        event = EventFactory(settings={"buy_in_cents": 125_00})
        (row,) = players_at_desk(event, [player])
        assert (row.left_cents, row.why_not) == (left_cents + 125_00, "")
        assert buy_in(player, event)["left_today_cents"] == left_cents
    cheap, free = (EventFactory(settings={"buy_in_cents": cents}) for cents in (1, 0))
    with refused("day_limit"):
        buy_in(player, cheap)
    buy_in(player, free)
    assert reconcile(free) == []


def test_T2_rehearsals_do_not_count():
    player = PlayerFactory()
    for kind in ("rehearsal", "simulation", "rehearsal"):
        sold = buy_in(player, EventFactory(kind=kind))
    assert sold["left_today_cents"] is None
    withdraw(sold["entry"])
    assert not PlayerDay.objects.exists()


def test_T2_refund_gives_the_spend_of_its_day_back(monkeypatch):
    player, friday = PlayerFactory(), date(2026, 11, 20)
    with monkeypatch.context() as on_friday:
        on_friday.setattr(House, "day_of", lambda house, at: friday)
        sold = buy_in(player, EventFactory())
    withdraw(sold["entry"])
    assert PlayerDay.objects.get(gaming_day=friday).spent_cents == 0
    refund = MoneyTransaction.objects.get(kind="refund")
    assert refund.gaming_day != friday
    assert refund.reverses.gaming_day == friday


def test_T2_row_of_the_day_holds_the_limit_that_was_approved():
    player = PlayerFactory()
    buy_in(player, EventFactory())
    House.objects.update(day_limit_cents=400_00)
    assert PlayerDay.objects.get().limit_cents == 250_00
    buy_in(player, EventFactory(settings={"buy_in_cents": 300_00}))
    assert PlayerDay.objects.get().limit_cents == 400_00
    House.objects.update(day_limit_cents=100_00)
    cheap = EventFactory(settings={"buy_in_cents": 50_00})
    with refused("day_limit"):
        buy_in(player, cheap)
    row = PlayerDay.objects.get()
    assert (row.spent_cents, row.limit_cents) == (400_00, 400_00)


def test_T7_refund_is_the_reversal_of_an_original_and_only_once():
    entry = EntryFactory(event=EventFactory(settings={"fee_cents": 10_00}))
    as_command(entry.event, lambda cmd: money.money_refund(cmd, entry=entry))
    legs = MoneyEntry.objects.filter(transaction__kind="refund").values_list("account", "amount_cents")
    assert dict(legs) == {"desk": -100_00, "pool": 90_00, "fee": 10_00}
    with refused("nothing_to_refund", 409):
        as_command(entry.event, lambda cmd: money.money_refund(cmd, entry=entry))


@pytest.mark.django_db(transaction=True)
def test_T2_eight_cashiers_at_once_cannot_break_the_day_limit():
    """They sell one person 125.00 each, in events of their own, at once; the limit is 250.00."""
    chosen = [EventFactory(settings={"buy_in_cents": 125_00}) for _ in range(8)]
    for _ in range(3):
        player = PlayerFactory()
        answers = at_once(*(partial(buy_in, player, event) for event in chosen))
        assert codes(answers) == ["day_limit"] * 6
        assert PlayerDay.objects.get(player=player).spent_cents == 250_00
        assert player.entries.count() == 2


@pytest.mark.django_db(transaction=True)
def test_T2_with_the_lock_off_the_database_refuses_what_breaks_the_limit(monkeypatch):
    """Both cashiers have looked at what is left before either of them writes."""
    both_looked, day_row = threading.Barrier(2), money._day_row

    def look(*args):
        row = day_row(*args)
        both_looked.wait(60)
        return row

    monkeypatch.setattr(money, "LOCK_THE_DAY", False)
    monkeypatch.setattr(money, "_day_row", look)
    # The row of the day is there beforehand: two who insert it would wait for each other as well.
    player, today = PlayerFactory(), desk.today(desk.house_read())
    PlayerDay.objects.create(player=player, gaming_day=today, spent_cents=25_00, limit_cents=250_00)
    chosen = [EventFactory(settings={"buy_in_cents": 200_00}) for _ in range(2)]
    answers = at_once(*(lambda event=event: buy_in(player, event) for event in chosen))
    (error,) = [each for each in answers if isinstance(each, Exception)]
    assert isinstance(error, IntegrityError) and "spend_within_the_day_limit" in str(error)
    assert PlayerDay.objects.get(player=player).spent_cents == 225_00
