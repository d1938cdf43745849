"""One command: one key, one transaction, one journal entry, one chain (Standing orders; faults)."""

import hashlib

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from ground.canonical import canonical_json
from ground.refused import Refused
from tests.cast.calls import at_once, codes, refused
from tests.cast.edits import unguarded
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tournament.models import Event, JournalEntry, JournalHead, PlayerDay
from tournament.selectors.chain import chain_verify, entry_row
from tournament.selectors.refunds import dues
from tournament.services import entries, events
from tournament.services.journal import command

pytestmark = pytest.mark.django_db


def do(event=None, *, key=None, body=None, act=None, actor=None, kind="test"):
    given = {"kind": kind, "key": new_key() if key is None else key, "actor": actor, "body": body or {}}
    act = act or (lambda cmd: {"seq": cmd.seq})
    return command(**given, event_id=event.pk if event else None, act=act)


def test_same_key_and_content_gives_the_first_result_and_changes_nothing():
    event = EventFactory()
    first = do(event, key="tap", body={"n": 1})
    assert do(event, key="tap", body={"n": 1}, act=lambda cmd: {"seq": "never"}) == first
    assert event.journal.filter(key="tap").count() == 1


def test_same_key_with_other_content_is_refused():
    event = EventFactory()
    first = {"event": event, "key": "tap", "body": {"n": 1}}
    do(**first)
    others = ({"body": {"n": 2}}, {"kind": "other"}, {"actor": UserFactory()}, {"event": EventFactory()})
    for other in others:
        with refused("key_reused"):
            do(**{**first, **other})
    for key in ("", "k" * 81):
        with refused("no_key"):
            do(event, key=key)


def test_refused_command_leaves_no_entry_and_no_change():
    event = EventFactory()

    def change_and_refuse(cmd):
        Event.objects.filter(pk=event.pk).update(name="changed")
        raise Refused("no", "No.")

    with refused("no"):
        do(event, key="tap", act=change_and_refuse)
    event.refresh_from_db()
    assert event.name != "changed"
    assert do(event, key="tap") == {"seq": event.journal.get(key="tap").seq}


def test_entries_are_chained_each_event_for_itself_and_anybody_can_check_the_hash():
    event, other = EventFactory(), EventFactory()
    do(event)
    one, two = event.journal.order_by("seq")
    assert (one.seq, one.prev_hash) == (1, "0" * 64)
    assert (two.seq, two.prev_hash) == (2, one.hash)
    assert two.hash == hashlib.sha256((one.hash + canonical_json(entry_row(two))).encode()).hexdigest()
    head = JournalHead.objects.get(event=event)
    assert (head.seq, head.hash) == (2, two.hash)
    assert [chain_verify(each).entries for each in (event, other, None)] == [2, 1, 2]


def verify(name, capsys):
    """What ``verify_journal`` prints, and its exit status."""
    try:
        call_command("verify_journal", name)
    except SystemExit as stopped:
        return capsys.readouterr().out.strip(), stopped.code
    return capsys.readouterr().out.strip(), 0


def test_verify_journal_prints_the_head(capsys):
    for _ in range(2):  # of simulations that share a code, the latest
        event = EventFactory(kind="simulation", code="SIM-7")
    do(event)
    head = JournalHead.objects.get(event=event).hash
    assert verify(event.slug, capsys) == (f"ok 2 {head}", 0)
    assert verify("SIM-7", capsys) == (f"ok 2 {head}", 0)
    assert verify("house", capsys)[0].startswith("ok 2 ")
    with pytest.raises(CommandError) as caught:
        call_command("verify_journal", "nope")
    assert caught.value.returncode == 2


def test_verify_journal_finds_the_place_of_an_edit(capsys):
    event = EventFactory()
    for _ in range(3):
        do(event)
    for edit, seq in [
        (lambda rows: rows.filter(seq=2).update(result={"seq": 9}), 2),
        (lambda rows: rows.filter(seq=2).update(actor=UserFactory()), 2),
        (lambda rows: rows.filter(seq=2).update(prev_hash="f" * 64), 2),
        (lambda rows: rows.filter(seq=2).delete(), 2),
        (lambda rows: rows.filter(seq=4).delete(), 4),
    ]:
        with transaction.atomic():
            with unguarded():
                edit(JournalEntry.objects.filter(event=event))
            said, status = verify(event.slug, capsys)
            transaction.set_rollback(True)
        assert (said.startswith(f"broken at {seq}: "), status) == (True, 1)


def buy_in(event, player, key):
    return entries.entry_buy_in(
        event_id=event.pk, player_id=player.pk, identity_checked=True, key=key, actor=None
    )


@pytest.mark.django_db(transaction=True)
def test_same_key_at_once_is_one_command():
    event, player, key = EventFactory(), PlayerFactory(), new_key()
    answers = at_once(*[lambda: buy_in(event, player, key)] * 8)
    assert codes(answers) == []
    assert all(answer == answers[0] for answer in answers)
    assert event.entries.count() == 1
    assert PlayerDay.objects.get(player=player).spent_cents == 100_00


@pytest.mark.django_db(transaction=True)
def test_commands_of_an_event_at_once_stand_in_one_order():
    event = EventFactory()
    players = PlayerFactory.create_batch(8)
    answers = at_once(*(lambda player=player: buy_in(event, player, new_key()) for player in players))
    assert codes(answers) == []
    assert sorted(answer["code"] for answer in answers) == [f"E{n:03}" for n in range(1, 9)]
    times = list(event.journal.order_by("seq").values_list("at", flat=True))
    assert times == sorted(times)
    assert chain_verify(event).broken_at is None


@pytest.mark.django_db(transaction=True)
def test_command_sees_the_event_as_it_is_once_its_turn_has_come():
    event, player = EventFactory(), PlayerFactory()
    answers = at_once(
        lambda: events.event_call_off(event_id=event.pk, reason="rain", key=new_key(), actor=None),
        lambda: buy_in(event, player, new_key()),
    )
    assert codes(answers) in ([], ["desk_closed"])
    # Whoever was faster: what was bought in before is due, and nothing is spent.
    event.refresh_from_db()
    assert dues(event).left == event.entries.count() == 1 - len(codes(answers))
    assert not PlayerDay.objects.filter(spent_cents__gt=0).exists()
