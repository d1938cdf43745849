"""The limit of a gaming day against one person who wants round it (T2), and who was turned away (T7)."""

import itertools
from datetime import date, timedelta
from functools import partial

import pytest

from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.buying import answered, at, buy_in, sale_refused, turn_away
from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tournament.engine.days import Clock, clock_changed, day_ends, day_of
from tournament.engine.names import name_folded
from tournament.models import House, JournalEntry, Player, PlayerDay, Request
from tournament.selectors.desk import today
from tournament.services import house, people

pytestmark = pytest.mark.django_db
VIENNA = {"time_zone": "Europe/Vienna", "turns_at_hour": 6}


def values(**given):
    """The house as it is, with something else."""
    now = house.house_current()
    names = ("name", "currency", "language", "time_zone", "day_limit_cents")
    names += ("day_turns_at_hour", "identity_required")
    return {name: getattr(now, name) for name in names} | given


def change(actor, reason="the law has changed", **given):
    return house.house_change(**values(**given), reason=reason, key=new_key(), actor=actor)


# -- Limit and clock are two persons' -----------------------------------------------------------------


@pytest.mark.parametrize(
    "wanted",
    [
        {"day_limit_cents": 500_00},
        {"time_zone": "Pacific/Kiritimati"},
        {"day_turns_at_hour": 23},
        {"identity_required": False},
    ],
)
def test_T2_one_person_changes_nothing_that_the_limit_rests_on(wanted):
    director, before = UserFactory(), values()
    asked = change(director, **wanted)
    assert values() == before
    with refused("own_request", 403):
        answered(asked, director)
    assert values() == before
    done_now = answered(asked)["done"]
    assert values() == before | wanted
    assert done_now["before"] == {name: before[name] for name in wanted}
    assert done_now["after"] == wanted


def test_T2_a_director_alone_cannot_raise_the_limit_sell_and_put_it_back():
    player = PlayerFactory()
    buy_in(player, cents=250_00)
    director = Somebody("director")
    fields = {**{name: str(each) for name, each in values().items()}, "identity_required": "on"}
    fields |= {"day_limit_cents": "500.00", "reason": "a good friend"}
    done(director.press("/house/settings/", **fields), "/house/requests/")
    sale_refused("day_limit", player)
    assert PlayerDay.objects.get().limit_cents == 250_00


def test_T2_a_change_needs_its_reason_and_name_and_currency_do_not():
    director = UserFactory()
    with refused("reason_missing"):
        change(director, reason=" ", day_limit_cents=1)
    assert change(director, reason="", name="Other", currency="eur") == {
        "name": "Other",
        "currency": "EUR",
        "language": "en",
    }


def test_T2_a_change_of_what_has_changed_since_is_asked_for_anew():
    director = UserFactory()
    first, second = (change(director, day_limit_cents=cents) for cents in (300_00, 400_00))
    answered(first)
    with refused("changed_meanwhile", 409):
        answered(second)
    assert House.objects.get().day_limit_cents == 300_00


def test_T2_the_exceptions_say_before_and_after_and_who_and_the_auditor_reads_them():
    director, manager = UserFactory(username="dora"), UserFactory(username="max")
    player = PlayerFactory(given_name="Rich", family_name="Roe")
    answered(change(director, day_limit_cents=500_00), manager)
    buy_in(player, cents=500_00)
    answered(change(director, day_limit_cents=250_00, reason="as it was"), manager)
    page = Somebody("auditor").get("/house/exceptions/").content.decode()
    for said in ("$250.00 → $500.00", "$500.00 → $250.00", "dora", "max", "Rich Roe"):
        assert said in page
    assert Somebody("cashier").get("/house/exceptions/").status_code == 403


# -- A clock that is moved ----------------------------------------------------------------------------


def test_T2_moving_the_clock_opens_no_second_day_for_what_was_spent():
    player = PlayerFactory()
    buy_in(player, cents=250_00)
    for zone, hour in (("Pacific/Kiritimati", 0), ("Pacific/Pago_Pago", 23), ("UTC", 6)):
        answered(change(UserFactory(), time_zone=zone, day_turns_at_hour=hour))
        sale_refused("day_limit", player)
    assert PlayerDay.objects.filter(spent_cents__gt=0).count() == 1


def test_T2_the_day_of_the_change_runs_to_its_own_end():
    before = Clock("UTC", 6)
    after = clock_changed(before, at("11-21 22:00"), **VIENNA)  # turns at 5:00 UTC
    assert after.held_day == date(2026, 11, 21)
    for moment, day in (
        ("11-21 22:00", 21),
        ("11-22 05:00", 21),
        ("11-22 05:59:59", 21),
        ("11-22 06:00", 22),
        ("11-23 04:59:59", 22),
        ("11-23 05:00", 23),
    ):
        assert day_of(at(moment), after) == date(2026, 11, day), moment


def test_T2_a_day_is_lengthened_where_the_next_would_be_shorter_than_twelve_hours():
    # By the new clock 22 November turns at 10:00 UTC, four hours after the old turn.
    after = clock_changed(Clock("UTC", 6), at("11-21 22:00"), time_zone="Pacific/Kiritimati", turns_at_hour=0)
    assert after.held_until == at("11-22 10:00")
    assert day_of(at("11-22 09:59"), after) == date(2026, 11, 21)
    assert day_of(at("11-22 10:00"), after) == date(2026, 11, 23)


@pytest.mark.parametrize(
    ("hour", "ends", "day"),
    [(7, "11-22 17:00", 23), (8, "11-22 06:00", 22), (9, "11-22 06:00", 22)],
)
def test_T2_twelve_hours_are_long_enough(hour, ends, day):
    # By the new clock it is 22 November at the old turn already, for 11, 12 and 13 hours more.
    moved = {"time_zone": "Pacific/Kiritimati", "turns_at_hour": hour}
    after = clock_changed(Clock("UTC", 6), at("11-21 22:00"), **moved)
    assert day_of(at(ends) - timedelta(microseconds=1), after) == date(2026, 11, 21)
    assert day_of(at(ends), after) == date(2026, 11, day)


ZONES = (
    "UTC",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "America/Denver",
    "Europe/Vienna",
    "Asia/Kathmandu",
)


def test_T2_no_gaming_day_is_shorter_than_half_a_day_or_goes_back_whatever_is_changed():
    for zone in ZONES:
        for hour in (0, 5, 6, 12, 18, 23):
            for again in ("America/Denver", "Pacific/Kiritimati"):
                clock = clock_changed(Clock("UTC", 6), at("11-21 22:00"), time_zone=zone, turns_at_hour=hour)
                clock = clock_changed(clock, at("11-21 23:00"), time_zone=again, turns_at_hour=hour)
                moments = [at("11-21 23:00") + timedelta(minutes=30 * n) for n in range(200)]
                days = [day_of(moment, clock) for moment in moments]
                assert days[0] == date(2026, 11, 21)
                assert days == sorted(days), (zone, hour, again)
                turns = [moments[n] for n in range(1, len(days)) if days[n] != days[n - 1]]
                assert all(b - a >= timedelta(hours=12) for a, b in itertools.pairwise(turns))


def test_T2_a_day_ends_when_the_next_begins():
    clock = Clock("America/Denver", 6)
    ends = day_ends(date(2026, 10, 31), clock)
    assert day_of(ends - timedelta(microseconds=1), clock) == date(2026, 10, 31)
    assert day_of(ends, clock) == date(2026, 11, 1)


def test_T2_the_house_s_zone_starts_as_the_machine_s(settings):
    settings.TIME_ZONE = "Europe/Vienna"
    assert house.house_current().time_zone == "Europe/Vienna"
    settings.TIME_ZONE = "UTC"
    assert house.house_current().time_zone == "Europe/Vienna"


# -- One person, one record ---------------------------------------------------------------------------


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


def test_T2_a_house_may_do_without_the_identity_number():
    answered(change(UserFactory(), identity_required=False))
    assert buy_in(PlayerFactory(identity_digest=None))["code"] == "E001"


def test_T2_the_desk_asks_for_the_number_of_who_has_none():
    event, cashier = EventFactory(), Somebody("cashier")
    fields = {"given_name": "Ann", "family_name": "Berg"}
    assert cashier.press(staff(event, "desk/player/"), **fields).status_code == 422
    assert not Player.objects.exists()
    player = PlayerFactory(identity_digest=None)
    sold = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on")
    refused_in_place(sold, code="identity_missing")
    done(cashier.press(staff(event, "desk/identity/"), player=player.pk, identity_number="Z 9"))
    done(cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on"))


ANN = {"given_name": "Ann", "family_name": "Lee"}


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        ({}, {}, True),
        ({"birth_year": 1980}, {}, True),
        ({"birth_year": 1980}, {"birth_year": 1980}, True),
        ({"birth_year": 1980}, {"birth_year": 1981}, True),
        ({"birth_year": 1980, "identity_digest": None}, {"birth_year": 1981}, True),
        (
            {"birth_year": 1980},
            {"birth_year": 1981, "given_name": "\u0410nn", "family_name": "Le\u0435"},
            True,
        ),
        ({}, {"family_name": "Leé", "given_name": "ANN"}, True),
        ({}, {"family_name": "Ann", "given_name": "Lee"}, True),
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


def test_T2_one_cashier_does_not_get_round_the_limit_with_a_number_and_a_year_of_birth():
    """The spend of a day, a second record with another number and another year, and its buy-in."""
    cashier, event = Somebody("cashier"), EventFactory(settings={"buy_in_cents": 250_00})
    for number, year in (("AB 1", "1980"), ("CD 2", "1981")):
        fields = {**ANN, "identity_number": number, "birth_year": year}
        done(cashier.press(staff(event, "desk/player/"), **fields))
    one, two = Player.objects.order_by("pk")
    done(cashier.press(staff(event, "desk/buy-in/"), player=one.pk, identity_checked="on"))
    sold = cashier.press(staff(event, "desk/buy-in/"), player=two.pk, identity_checked="on")
    refused_in_place(sold, code="likely_duplicate", status=409)
    sale_refused("day_limit", one)
    assert list(PlayerDay.objects.values_list("player", "spent_cents")) == [(one.pk, 250_00)]


@pytest.mark.parametrize("what", ["spent", "excluded", "turned away"])
def test_T2_a_younger_record_counts_against_an_older_one_once_there_is_something_on_it(what):
    """A person who was turned away, or who has spent, is not somebody else under an older record."""
    one, two = PlayerFactory(**ANN), PlayerFactory(**ANN)
    if what == "spent":
        day = PlayerDay.objects.create(
            player=two, gaming_day=today(house.house_current()), limit_cents=250_00, spent_cents=1
        )
    elif what == "excluded":
        people.player_exclude(player_id=two.pk, reason="the law", key=new_key(), actor=None)
    else:
        turn_away(two, EventFactory())
    sale_refused("likely_duplicate", one, status=409)
    if what == "spent":
        PlayerDay.objects.filter(pk=day.pk).update(gaming_day=day.gaming_day - timedelta(days=1))
        assert buy_in(one)["code"] == "E001"


def test_T2_two_sales_at_once_to_two_records_of_one_name_sell_one(transactional_db):
    """The older of two records is the one that sells, so no race lets both."""
    one, two = PlayerFactory(**ANN), PlayerFactory(**ANN)
    events_ = [EventFactory(settings={"buy_in_cents": 250_00}) for _ in range(2)]
    pairs = list(zip((one, two), events_, strict=True))
    answers = at_once(*(partial(buy_in, player, event) for player, event in pairs))
    assert codes(answers) == ["likely_duplicate"]


def test_T2_what_was_typed_of_a_person_is_not_typed_anew():
    """A year of birth is never changed, a number is put once, and neither opens what two persons answered."""
    one, two = PlayerFactory(**ANN), PlayerFactory(**ANN, identity_digest=None)
    event = EventFactory()
    asked = people.players_apart_request(
        event_id=event.pk, player_id=two.pk, reason="both here", key=new_key(), actor=UserFactory()
    )
    answered(asked)
    people.player_identity(player_id=two.pk, identity_number="Z 1", key=new_key(), actor=None)
    entry = JournalEntry.objects.get(kind="player.identity")
    assert entry.body["asked"] == {"player": two.pk, "identity": people.identity_digest("Z1")}
    with refused("identity_set", 409):
        people.player_identity(player_id=two.pk, identity_number="Z 2", key=new_key(), actor=None)
    assert buy_in(one, event)["code"] == "E001"
    assert buy_in(two, event)["code"] == "E002"


def test_T2_two_persons_tell_two_of_one_name_apart():
    one, two = PlayerFactory(**ANN), PlayerFactory(**ANN)
    event, director, manager = EventFactory(), Somebody("director"), Somebody("manager")
    page = director.get(staff(event, "desk/"), player=str(two.pk)).content.decode()
    assert f'href="?player={one.pk}' in page, "the record to use is one tap away"
    ask = {"player": two.pk, "reason": "both stood here"}
    done(director.press(staff(event, "desk/ask/"), **ask), "requests/")
    asked = Request.objects.get()
    with refused("own_request", 403):
        answered({"request": asked.pk}, director.user)
    sale_refused("likely_duplicate", two, event, status=409)
    done(manager.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    assert buy_in(two, event)["code"] == "E001"
    assert buy_in(one, event)["code"] == "E002"
    # A third of the name is another question.
    sale_refused("likely_duplicate", PlayerFactory(**ANN), event, status=409)


def test_T2_a_cashier_does_not_ask():
    PlayerFactory(**ANN)
    two, event = PlayerFactory(**ANN), EventFactory()
    assert Somebody("cashier").press(staff(event, "desk/ask/"), player=two.pk).status_code == 403
    with refused("not_yours_to_ask", 403):
        people.players_apart_request(
            event_id=event.pk,
            player_id=two.pk,
            reason="x",
            key=new_key(),
            actor=UserFactory(roles=["cashier"]),
        )


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("Ann", "Lee"), ("ANN", "lee")),
        (("José", "Núñez"), ("Jose", "Nunez")),
        (("Jürgen", "Groß"), ("jurgen", "GROSS")),
        (("Søren", "Łoś"), ("Soren", "Los")),
        (("Ann Marie", "O'Neil"), ("ann", "marie oneil")),
        (("Ａｎｎ", "Lee"), ("Ann", "Lee")),
        (("王", "芳"), ("芳", "王")),
        (("किशोर", "राव"), ("राव", "किशोर")),
        (("Anna-Maria", "Lee"), ("Anna Maria", "Lee")),
        (("Anna\u2011Maria", "Lee"), ("Anna\u00a0Maria", "Lee")),
        (("Sean", "O\u02bcBrien"), ("Sean", "O'Brien")),
        (("Sean", "O\u00b4Brien"), ("Sean", "O\u2019Brien")),
        (("Jürgen", "Müller"), ("JUERGEN", "MUELLER")),
        (("Sören", "Øst"), ("Soeren", "Oest")),
        (("Jos\u0430", "L\u0435\u0435"), ("Josa", "Lee")),
        (("МАRТА", "КОС"), ("Marta", "Koc")),
        (("ΝΙΚΟ", "Lee"), ("Niko", "Lee")),
        (("Ayşe", "Işık"), ("Ayse", "Isik")),
    ],
)
def test_names_are_compared_without_capitals_accents_and_order(one, two):
    assert name_folded(*one) == name_folded(*two) != ""


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("Ann", "Lee"), ("Ann", "Leeds")),
        (("Ann", "Lee"), ("Anna", "Lee")),
        (("Jo", "Ann Lee"), ("Joann", "Lee")),
        (("Анна", "Ли"), ("Анна", "Ким")),
        (("王", "芳"), ("王", "方")),
    ],
)
def test_names_of_others_stay_apart(one, two):
    assert name_folded(*one) != name_folded(*two)


@pytest.mark.parametrize(
    "typed",
    [
        "ab-1234 50",
        "\uff21\uff22\uff11\uff12\uff13\uff14\uff15\uff10",
        "ab\u0661\u0662\u0663\u0664\u0665\u0660",
        "\u0410\u0412123450",
        "\u0391\u0392123450",
        "ab12345\u2070",
    ],
)
def test_T2_an_identity_number_is_one_number_however_its_signs_are_typed(typed):
    assert people.identity_digest(typed) == people.identity_digest("AB123450")
    assert people.identity_digest(typed) != people.identity_digest("AB123451")


# -- Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u202e", "\u2066", "\u00ad", "\u3164"]
)
def test_a_name_with_a_sign_that_is_not_seen_is_refused_everywhere(sign):
    bad = f"An{sign}n"
    with refused("text_bad"):
        people.player_create(given_name=bad, family_name="Lee", key=new_key(), actor=None)
    with refused("text_bad"):
        people.player_create(given_name="Ann", family_name="Lee", alias=bad, key=new_key(), actor=None)
    with refused("text_bad"):
        change(UserFactory(), name=bad)
    with refused("text_bad"):
        EventFactory(name=bad)


def test_a_name_is_kept_in_the_one_form_in_which_it_is_compared():
    made = people.player_create(given_name="Ａnn", family_name="ﬁsher", key=new_key(), actor=None)
    player = Player.objects.get(pk=made["player"])
    assert (player.given_name, player.family_name) == ("Ann", "fisher")
