"""An event is made, set up and opened; when it starts, by the clock of its zone (T2, T4, T6, T16, F1)."""

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from ground.canonical import canonical_json
from tests.cast import floor as cast
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, new_key
from tests.cast.html import read
from tournament.engine.days import STARTS_BEFORE, STARTS_FROM, Start, start_of, zone_of
from tournament.engine.settings import settings_hash
from tournament.models import Draw, DrawSecret, Event, House, JournalEntry, Posting
from tournament.services import events
from tournament.services.events import event_create, event_open, event_start_change
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def create(**given):
    made = events.event_create(**{"name": "Friday Night", **given}, key=new_key(), actor=None)
    return Event.objects.get(pk=made["event"])


def test_event_gets_a_code_of_its_name_and_day_and_a_random_address():
    one, two = create(), create()
    assert one.code.startswith("FRIDAY-NIGHT-20")
    assert two.code == f"{one.code}-2"
    assert one.slug != two.slug
    assert one.slug.startswith("friday-night-")
    assert one.journal_head.seq == 0
    assert create(code="ev-1").code == "EV-1"
    with refused("code_taken"):
        create(code="EV-1")
    assert {create(code="SIM-7", kind="simulation").code for _ in range(2)} == {"SIM-7"}


def test_F1_an_event_begins_with_the_settings_of_another_and_its_rules_are_frozen_anew():
    plan = [{"stack": "reset", "advance": {"top": 9}}, {"stack": "carried", "advance": None}]
    model = EventFactory(settings={"plan": plan, "decks": 8, "buy_in_cents": 75_00})
    assert model.settings.house_rules
    made = create(like=model.pk, settings={"fee_cents": 5_00})
    assert made.status == Event.Status.DRAFT and made.settings.house_rules == {}
    assert made.settings == replace(model.settings, house_rules={}, fee_cents=5_00)
    entry = JournalEntry.objects.get(kind="event.create", result__event=made.pk)
    assert entry.body["asked"]["like"] == model.code


@pytest.mark.parametrize(("rounds", "draws"), [(3, 12), (4, 15), (12, 39)])
def test_F1_T21_a_longer_plan_posted_again_has_a_secret_for_every_draw_and_the_old_ones_stand(rounds, draws):
    event = EventFactory()
    before = list(event.draws.order_by("number").values_list("number", "commitment"))
    events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)
    plan = [{"stack": "reset" if n == 1 else "carried", "advance": {"top": 9}} for n in range(1, rounds)]
    plan.append({"stack": "carried", "advance": None})
    events.event_settings_change(event_id=event.pk, settings={"plan": plan}, key=new_key(), actor=None)
    posted = events.event_open(event_id=event.pk, key=new_key(), actor=None)
    now = list(event.draws.order_by("number").values_list("number", "commitment"))
    assert now[:12] == before and [number for number, _ in now] == list(range(1, draws + 1))
    assert posted["commitments"] == [commitment for _, commitment in now]
    assert DrawSecret.objects.filter(draw__event=event).count() == draws
    assert list(event.postings.values_list("kind", "number")) == [("rules", 1), ("rules", 2)]
    EntryFactory(event=event)
    with refused("entries_sold", 409):
        events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)


def test_T2_event_that_cannot_be_is_refused():
    for given, code in [
        ({"name": " "}, "name_missing"),
        ({"name": "w" * 81}, "text_too_long"),
        ({"code": "a b"}, "code_bad"),
        ({"code": "É1"}, "code_bad"),
        ({"code": "A" * 33}, "code_bad"),
        ({"kind": "cash game"}, "kind_unknown"),
        ({"settings": {"decks": 7}}, "not_a_choice"),
        ({"settings": {"jackpot": 1}}, "settings_unknown"),
        ({"settings": {"buy_in_cents": 250_01}}, "over_day_limit"),
        ({"like": 987_654}, "no_such_event"),
    ]:
        with refused(code):
            create(**given)
    # A rehearsal may cost more than the limit of a day.
    assert create(kind="rehearsal", settings={"buy_in_cents": 900_00}).buy_in_cents == 900_00


def test_settings_are_changed_until_the_rules_are_posted():
    event = create(settings={"decks": 8})
    change = {"event_id": event.pk, "actor": None}
    events.event_settings_change(**change, settings={"starting_chips": 6_000}, name="Gala", key=new_key())
    event.refresh_from_db()
    assert (event.settings.decks, event.starting_chips, event.name) == (8, 6_000, "Gala")
    with pytest.raises(events.SettingsRefused) as caught:
        events.event_settings_change(
            **change, settings={"starting_chips": 0, "bet_step_chips": 100}, key=new_key()
        )
    assert {field for field, _, _ in caught.value.problems} >= {"starting_chips", "bet_step_chips"}
    events.event_open(**change, key=new_key())
    with refused("rules_frozen", 409):
        events.event_settings_change(**change, settings={"decks": 6}, key=new_key())
    with refused("move_not_allowed", 409):
        events.event_open(**change, key=new_key())
    with refused("no_such_event", 404):
        events.event_open(event_id=999_999, key=new_key(), actor=None)


def test_T16_posted_rules_hold_settings_and_house_rules_with_their_hash():
    event = EventFactory(settings={"decks": 8})
    posting = Posting.objects.get(event=event)
    assert (posting.kind, posting.number, posting.body["event"]) == ("rules", 1, event.code)
    assert posting.body["settings"] == event.settings_json
    assert event.settings.house_rules["decks"] == 8
    assert event.settings.house_rules["soft17"] == "hit"
    assert event.rules_hash == posting.body["rules_hash"] == settings_hash(event.settings_json)
    assert posting.hash == hashlib.sha256(canonical_json(posting.body).encode()).hexdigest()


def test_T4_a_secret_for_every_planned_draw_is_committed_to_and_none_is_in_the_journal():
    event = EventFactory()
    draws = list(Draw.objects.filter(event=event).order_by("number"))
    assert [draw.number for draw in draws] == list(range(1, 13))
    secrets = [bytes(DrawSecret.objects.get(draw=draw).secret) for draw in draws]
    assert len(set(secrets)) == 12
    assert [draw.commitment for draw in draws] == [hashlib.sha256(each).hexdigest() for each in secrets]
    assert Posting.objects.get(event=event).body["commitments"] == [draw.commitment for draw in draws]
    journal = canonical_json([[e.body, e.result] for e in JournalEntry.objects.filter(event=event)])
    assert not [each for each in secrets if each.hex() in journal]


DENVER, VIENNA = "America/Denver", "Europe/Vienna"
FRIDAY = {"name": "Friday", "kind": "tournament"}
SKIPPED, TWICE = datetime(2026, 3, 8, 2, 30), datetime(2026, 11, 1, 1, 30)
"""In Denver, where the clocks go forward at 2:00 of the one day and back at 2:00 of the other."""


def test_an_event_starts_in_a_year_that_every_clock_can_say():
    for year, day, taken in (
        *((1, 1, False), (1999, 364, False), (2000, 2, True), (2199, 364, True)),
        *((2200, 2, False), (9999, 365, False)),
    ):
        typed = datetime(year, 1, 1, 12) + timedelta(days=day - 1)
        for zone in (DENVER, "Pacific/Kiritimati"):
            if taken:
                assert start_of(typed, zone).local.replace(tzinfo=None) == typed
            else:
                with refused("start_out_of_range"):
                    start_of(typed, zone)


def test_the_database_holds_the_bound_of_a_start():
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(starts_at=STARTS_FROM)
    for at in [STARTS_FROM - timedelta(microseconds=1), STARTS_BEFORE]:
        with pytest.raises(IntegrityError, match="event_starts_within_reason"), transaction.atomic():
            Event.objects.filter(pk=event.pk).update(starts_at=at)


def made(at=None, zone=DENVER, **given):
    """An event that starts at a local time; in Denver unless it is said."""
    created = event_create(
        **{"name": "Friday", **given}, starts_at=at, starts_zone=zone, key=new_key(), actor=None
    )
    return Event.objects.get(pk=created["event"])


def moved(event, at, zone=DENVER):
    """Move the start; the event as it is then."""
    event_start_change(event_id=event.pk, starts_at=at, starts_zone=zone, key=new_key(), actor=None)
    return Event.objects.get(pk=event.pk)


def opened(event):
    event_open(event_id=event.pk, key=new_key(), actor=None)
    event.refresh_from_db()
    return event


def house_in(zone):
    House.objects.update_or_create(pk=1, defaults={"time_zone": zone})


EVENING, LATER = datetime(2026, 11, 20, 19), datetime(2026, 11, 20, 20, 30)
PUBLIC = ("/e/{}/", "/e/{}/rules/", "/e/{}/rules/poster/")


@pytest.mark.parametrize(("change", "code"), [(SKIPPED, "start_no_such_hour"), (TWICE, "start_twice")])
def test_T6_a_time_that_the_clock_change_skips_or_has_twice_is_refused(change, code):
    manager, hour = Somebody("manager"), [change + timedelta(minutes=each) for each in (-31, -30, 29, 30)]
    for zone, taken in ((DENVER, (hour[0], hour[-1])), (VIENNA, hour)):
        for local in taken:
            assert start_of(local, zone).local.replace(tzinfo=None) == local
    house_in(DENVER)
    for local in hour[1:-1]:
        with refused(code):
            start_of(local, DENVER)
        typed = {**FRIDAY, "starts_at": local.isoformat(), "starts_zone": DENVER}
        refused_in_place(manager.press("/house/events/new/", **typed), code=code)
    assert not Event.objects.exists()


def test_T6_an_hour_that_comes_twice_is_shown_with_its_offset():
    for offset in ("-06:00", "-07:00"):
        found = Start(datetime.fromisoformat(f"2026-11-01T01:30:00{offset}"), DENVER)
        assert f"UTC{offset}" in str(found)
        assert Start.read(found.to_dict()) == found
    assert str(start_of(EVENING, DENVER)) == SEVEN


SEVEN, HALF_PAST_EIGHT = "2026-11-20 19:00 (America/Denver)", "2026-11-20 20:30 (America/Denver)"
POSTED = {"starts_at": "2026-11-20T19:00:00-07:00", "starts_zone": DENVER}


def test_T6_a_moved_start_is_in_the_journal_and_is_shown_in_public_with_the_one_before():
    event, director = opened(made(EVENING)), Somebody("director")
    house_in("Europe/Vienna")  # another zone of the house moves no start
    receipt = staff(event, f"entries/{EntryFactory(event=event).code}/receipt/")
    for path in (*PUBLIC, receipt):
        assert starts_on(director, path.format(event.slug)) == (SEVEN, False)
    done(director.press(staff(event, "start/"), starts_at=LATER.isoformat(), starts_zone=DENVER), "setup/")
    for path in PUBLIC:
        assert starts_on(director, path.format(event.slug)) == (HALF_PAST_EIGHT, True)
    assert starts_on(director, receipt)[0] == HALF_PAST_EIGHT
    written = JournalEntry.objects.get(event=event, kind="event.start")
    assert (written.actor, written.body["noted"]["before"]) == (director.user, SEVEN)
    posting = Posting.objects.get(event=event, kind=Posting.Kind.START).body
    moved_to = {"event": event.code, "starts_at": "2026-11-20T20:30:00-07:00", "starts_zone": DENVER}
    assert posting == {**moved_to, "before": POSTED}


def test_T6_a_start_can_be_cleared_which_is_in_the_journal_and_shown_in_public():
    event, director = opened(made(EVENING)), Somebody("director")
    done(director.press(staff(event, "start/"), clear="1"), "setup/")
    event.refresh_from_db()
    assert event.start is None
    for path in PUBLIC:
        assert starts_on(director, path.format(event.slug)) == ("", True)
    written = JournalEntry.objects.get(event=event, kind="event.start").body
    assert (written["asked"], written["noted"]["before"]) == ({"starts_at": None}, SEVEN)
    posting = Posting.objects.get(event=event, kind=Posting.Kind.START).body
    assert posting == {"event": event.code, "starts_at": None, "before": POSTED}
    assert 'name="clear"' not in director.get(staff(event, "start/")).content.decode()
    with refused("start_unchanged"):
        moved(event, None, "")
    moved(event, LATER)
    assert starts_on(director, f"/e/{event.slug}/") == (HALF_PAST_EIGHT, False)


def starts_on(somebody, path):
    """The start that a page shows, and whether it says what it was before."""
    page = read(somebody.get(path).content.decode())
    (start,) = [node.attrs["data-start"] for node in page.walk() if "data-start" in node.attrs]
    return start, any("data-start-before" in node.attrs for node in page.walk())


def test_T6_a_start_changes_until_the_first_bet_of_round_1_is_called():
    round_ = cast.seated(3)
    event = moved(round_.event, EVENING)
    assert event.start == start_of(EVENING, DENVER)
    with refused("start_unchanged", 409):
        moved(event, EVENING)
    standings_recompute(event_id=event.pk)
    assert starts_on(Somebody("director"), f"/e/{event.slug}/")[0]
    cast.hand(cast.shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="win", b2="win", b3="win")
    standings_recompute(event_id=event.pk)
    assert "data-start" not in Somebody("director").get(f"/e/{event.slug}/").content.decode()
    for at in (LATER, None):
        with refused("start_over", 409):
            moved(event, at)
    page = Somebody("director").get(staff(event, "start/")).content.decode()
    assert 'name="starts_at"' not in page


def test_T6_the_code_is_of_the_day_of_the_start_and_stays():
    with refused("time_zone_unknown"):
        made(EVENING, "Mars/Olympus")
    assert zone_of("Mars/Olympus").key == "UTC", "a zone that this machine knows no more takes no page down"
    assert made(datetime(2026, 11, 21, 0, 30), "Pacific/Kiritimati").code == "FRIDAY-20261121"
    event = made(EVENING)
    event = opened(moved(event, EVENING + timedelta(days=1)))
    assert not Posting.objects.filter(event=event, kind=Posting.Kind.START).exists()
    assert event.code == "FRIDAY-20261120"
