"""The catalogue of commands: each kind that can be written says what it did.

A new kind of command, or of request, needs a line in ``SAID`` and a scene in which it is carried out.
"""

import re
from pathlib import Path

import pytest
from django.utils.translation import override

from pages.words.history import journal_lines, journal_of_kind
from tables.selectors.audit import audit
from tables.services import counts
from tests import commands_doc
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.floor import hand, seated, shoe_of, shoe_over
from tests.cast.scenes import SCENES, lines_by_kind
from tournament import catalogue
from tournament.models import ChipTransaction, Event, JournalEntry
from tournament.services.journal import command
from tournament.services.requests import _handlers, request_open

pytestmark = pytest.mark.django_db

OURS = {"test", "other", "shown"}
"""What the factories declare for what tests do by hand."""

# Kind → what its line must say, figures and objects, in the scenes below. Two spellings: `|` between.
SAID = {
    "house.change": r"^name Cutline → The House, language en → de · a second person has .+ · “the law”$",
    "house_day": r"^day limit \$250\.00 → \$300\.00 · asked for by boss · “the law”$",
    "player.identity": r"^person \d+$",
    "player.correct": r"^person \d+ · alias · a second person has been asked$",
    "player_correct": r"^person \d+ · year of birth, identity number · asked for by boss",
    "player_let_in": r"^person \d+ · asked for by boss · “of age after all”$",
    "players_apart": r"^person \d+ · person \d+ · asked for by boss · “twins”$",
    "staff.create": r"^newcomer · cashier, floor · a second person has been asked · “she starts tonight”$",
    "staff.password": r"^newcomer · a second person has been asked · “forgot it”$",
    "staff.link": r"^newcomer$",
    "staff.password_set": r"^newcomer$",
    "staff.password_own": r"^newcomer$",
    "staff.pin": r"^newcomer · set$|^newcomer · removed$",
    "staff.roles": r"^newcomer · before: cashier, floor · now: floor$",
    "login_new": r"^newcomer · cashier, floor · asked for by boss · “she starts tonight”$",
    "login_reset": r"^newcomer · asked for by boss · “forgot it”$",
    "login_roles": r"^newcomer · before: floor · now: dealer · asked for by boss · “short of dealers”$",
    "staff.role_passwords": r"director, ",
    "player.create": r"^person \d+$",
    "player.turned_away": r"^person \d+ · under age$",
    "event.create": r"^SCENE-1$",
    "event.settings": r"buy in \$100\.00 → \$120\.00.*named Other name",
    "event.start": r"^now: 2026-11-20 19:00 \(America/Denver\) · SCENE-1$",
    "announcement.post": r"^Dinner is served$",
    "announcement.withdraw": r"^Dinner is served$",
    "standings.publish": r"^delayed · minutes behind: 10 · “the stream”$|^hidden$|^live$",
    "hall.rotation": r"^standings, prizes$",
    "screen.add": r"^bar$",
    "screen.remove": r"^bar$",
    "screen.show": r"^bar · shows prizes$",
    "event.open": r"^rules [0-9a-f]{64} · 12 secrets fixed$",
    "event.setup_again": r"^draft$",
    "event.call_off": r"^buy-ins: 3 · \$300\.00 to give back · “the lights went out”$",
    "clock.start": r"^late registration · Doors · ends at \d\d:\d\d \(America/Denver\)$",
    "clock.pause": r"^10:00 left$",
    "clock.set": r"^0:45 left$",
    "clock.resume": r"^ends at \d\d:\d\d \(America/Denver\)$",
    "clock.stop": r"^$",
    "refund.hand_out": r"^E001 · \$100\.00$",
    "entry.buy_in": r"^E001 · \$100\.00$",
    "entry.withdraw": r"^E002 · \$100\.00 given back$",
    "entry.replace": r"^E\d{3} is out · E\d{3} moves up · “ill”$",
    "penalty.add": r"^E\d{3} · 400 chips · a second person has been asked · “late”$",
    "penalty.cancel": r"^E\d{3} · 400 chips · a second person has been asked · “he was not”$",
    "table.add": r"^table 2 · out of use: box 6, 7$",
    "table.change": r"^table 2 · in use yes → no, boxes out 6, 7 → none$",
    "tables.ensure": r"^tables: 1$",
    "clerk.bind": r"^dora · table 1$",
    "clerk.release": r"^dora · table 1$",
    "draw.lock": r"^draw 1 · 4 entries$",
    "draw.cards": r"^draw 1 · KH 4D 7S AC 2D$",
    "draw.confirm": r"^draw 1 · KH 4D 7S AC 2D$",
    "round.seat": r"^draw 1 · Round 1 · 4 seats$",
    "seat.no_show": r"^E\d{3} · table 1, box 4 · \$100\.00 given back · “her train”$",
    "seat.seen": r"^table 1 · box 1, 2 · seen$",
    "chips.due": r"^table 1 · box 1 −400$",
    "seat.fill": r"^E005 · table 1, box 4$",
    "stack.absent": r"^E\d{3} · absent · “telephone”$",
    "round.play": r"^Round 1$",
    "round.look": r"^Sudden death$",
    "deal.settle": r"^table 1, hand 2 · box 1 0, box 2 −400$",
    "deal.record": r"^table 1, hand 1 · box 1 \+200, box 2 −200$",
    "deal.void": r"^table 1, hand 3 · bets given back: box 1 600, box 2 200 · “misdeal”$",
    "deal.play_on": r"^table 1, hand 3 · the hole card Td was turned too early · “the floor, Ann”$",
    "deal.amend": r"^table 1, hand 3 · card 9s is now card 8s$",
    "deal.correct": r"^table 1, hand 1 · E\d{3} \+400 · “the wrong box”$|−400",
    "deal.correct_later": r"^table 1, hand 1 · E\d{3} −200, E\d{3} \+200 · “the camera”$",
    "deal.correct_lapse": r"^table 1, hand 1 · Hand 1 is reversed\.$",
    "deal.correct_drop": r"^table 1, hand 1 · taken back$",
    "deal.take_back": r"^table 1, hand 4 · E\d{3} (−200, E\d{3} \+200|\+200, E\d{3} −200)$",
    "shoe.end": r"^table 1 · 5 cards dealt · “fire drill”$",
    "shoe.last_hand": r"^table 1 · this hand is the last · “a short shoe”$",
    "shoe.reopen": r"^table 1 · “the wrong button”$",
    "shoe.next": r"^Play-off of round 1 · table 1 · shoe 2 · button at box [1-4]$",
    "shoe.seed": r"^table 1 · 0{64}$",
    "count.enter": r"^table 1 · counted again in the second count: box 2 5,000 · a difference$",
    "count.rule": r"^table 1 · box 1: counted 5,000 and 5,000, hands 5,200, asked for 5,600"
    r" · a second person has been asked · “found”$",
    "count.reopen": r"^table 1 · box 1 5,000, box 2 5,000; box 1 5,000, box 2 5,000 · “again”$",
    "round.close": r"^Round 1 · 2 advance$",
    "round.tie_rule": r"^Round 1 · E00\d, E00\d advance · “drawn lots”$",
    "round.cut_stands": r"^Round 1 · out: E00\d · through: E00\d · “they played on”$",
    "payouts.post": r"^version 1 · 1st \$250\.00, 2nd \$150\.00, 3rd \$100\.00$",
    "prize.pay": r"^E003 · 3rd · \$100\.00$",
    "request.open": r"^Take a payment back · E003 · \$100\.00 · “paid to the wrong person”$",
    "request.decide": r"^E001 · 1st · \$250\.00 · asked for by \w+ · “",
    # What a second person is asked, once it is done.
    "count_ruling": r"^table 1 · box 1: counted 5,000 and 5,000, hands 5,200, ruled 5,600"
    r" · asked for by the house · “found”$",
    "penalty_chips": r"^E\d{3} · 400 chips · asked for by the house · “late”$",
    "penalty_chips_back": r"^E\d{3} · 400 chips · asked for by the house · “he was not”$",
    "disqualify": r"^E\d{3} · asked for by \w+ · “marked cards”$",
    "call_off": r"^buy-ins: 5 · \$500\.00 to give back · asked for by \w+ · “counterfeit chips”$",
    "prize_pay": r"^E001 · 1st · \$250\.00 · asked for by \w+ · “",
    "payouts_supersede": r"^version 2 · 1st \$300\.00, 2nd \$200\.00 · asked for by \w+ · “a sponsor”$",
    "prize_take_back": r"^E003 · \$100\.00 · asked for by \w+ · “paid to the wrong person”$",
    "redraw": r"^draw 1 · replaced by draw 2 · asked for by \w+ · “left out”$",
    "correct_after_close": r"^table 1, hand 1 · E\d{3} −400 · asked for by \w+ · “the camera shows it”$",
}


def test_every_kind_has_its_expectation_here_and_every_request_its_handler():
    """Below each is carried out; a kind that is not declared is no command."""
    assert set(SAID) == set(catalogue.COMMANDS) - OURS | set(catalogue.REQUESTS)
    assert set(_handlers) == set(catalogue.REQUESTS)


def test_the_document_of_the_commands_is_what_the_catalogue_says():
    with override("en"):
        assert commands_doc.DOC.read_text() == commands_doc.document(OURS)


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("dealr.settle", {}, "'dealr.settle' is not in the catalogue"),
        ("disqualify", {"entry": 1, "chips": 400}, "'disqualify' has no argument 'chips'"),
        ("round.close", {}, "'round.close' lacks 'round'"),
        ("round.close", {"round": 1, "reason": "late"}, "'round.close' has no argument 'reason'"),
        ("round.close", {"round": "1"}, "takes id as 'round', not str"),
        ("round.close", {"round": True}, "takes id as 'round', not bool"),
        ("round.close", {"round": None}, "takes id as 'round', not NoneType"),
        ("stack.absent", {"stack": 1, "absent": 1, "reason": ""}, "takes yes or no as 'absent', not int"),
        ("count.enter", {"shoe": 1, "chips": {"1": "5000"}}, "takes chips by box as 'chips', not dict"),
        ("round.tie_rule", {"round": 1, "advance": [1], "reason": ""}, "takes list of texts as 'advance'"),
    ],
)
def test_a_kind_or_an_argument_that_is_not_declared_is_no_command_and_no_request(kind, body, said):
    event = EventFactory()
    before = event.journal.count()
    sent = {"kind": kind, "body": body, "event_id": event.pk, "key": new_key(), "actor": None}
    more = {"reason": "late"} if kind in catalogue.REQUESTS else {"act": lambda cmd: {}}
    carry_out = request_open if kind in catalogue.REQUESTS else command
    with pytest.raises((LookupError, TypeError), match=re.escape(said)):
        carry_out(**sent, **more)
    assert event.journal.count() == before and not event.requests.exists()


def test_T18_T26_in_every_scene_the_journal_says_what_was_done_and_whatever_moves_chips_is_declared():
    """All scenes are played once; then the lines of the journal, the chips and the audit are looked at."""
    for scene in SCENES:
        scene()
    lines = lines_by_kind()
    assert set(SAID) - set(lines) == set(), "no scene carries these out"
    wrong = {
        kind: (expected, sorted({detail for _, detail in lines[kind]})[:4])
        for kind, expected in SAID.items()
        if not any(re.search(expected, detail) for _, detail in lines[kind])
    }
    assert wrong == {}
    unnamed = {title for each in lines.values() for title, _ in each if "." in title or not title}
    assert unnamed == set()
    chips_declared()
    # What the journal comes to is what is there; not where a test has written rows as only tests do.
    for event in Event.objects.exclude(status=Event.Status.DRAFT).exclude(journal__kind__in=OURS):
        found = audit(event)
        assert (found.differences, found.stop) == ((), None), event


def said_of(event: Event, kind: str) -> list[tuple[str, str]]:
    found = journal_of_kind(JournalEntry.objects.filter(event=event).order_by("seq"), kind)
    return [(line.title, line.detail) for line in journal_lines(event, found)]


def test_T18_the_figures_of_a_first_count_are_hidden_until_the_second_is_in():
    shoe = shoe_of(seated(2))
    event = shoe.round.event
    hand(shoe, {1: 200, 2: 200}, b1="win", b2="push")
    shoe_over(shoe)

    def counted() -> str:
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_400, 2: 5_000}, key=new_key(), actor=UserFactory())
        return str(said_of(event, "count.enter"))

    assert "5,400" not in counted()
    # One count that is taken back stays hidden as well: the same chips are counted anew.
    counts.count_reopen(shoe_id=shoe.pk, reason="again", key=new_key(), actor=None)
    assert "5,400" not in str(said_of(event, "count.reopen")) + counted()
    assert "5,400" in counted()


def chips_declared() -> None:
    """Whatever has moved chips is declared in the catalogue; a ruling that does takes two persons (T26)."""
    declared = {**catalogue.COMMANDS, **catalogue.REQUESTS}
    moves = {kind for kind, each in declared.items() if each.chips is not catalogue.Chips.NONE}
    # Every posting has the time of its command.
    entries = (
        JournalEntry.objects.get(event=each.event_id, at=each.at) for each in ChipTransaction.objects.all()
    )
    moved = {e.body["noted"]["kind"] if e.kind == "request.decide" else e.kind for e in entries} - OURS
    assert moved - moves == set(), "moves chips, and the catalogue does not say so"
    rulings = {kind for kind, each in declared.items() if each.chips is catalogue.Chips.RULING}
    assert rulings <= set(catalogue.REQUESTS) and rulings <= moved
    assert {"count_ruling", "penalty_chips", "penalty_chips_back"} <= rulings
    # What asks for a ruling moves nothing by itself.
    assert moved & {"count.rule", "penalty.add", "penalty.cancel", "request.open"} == set()


def test_T18_T26_the_rules_say_of_every_kind_that_moves_chips_why_it_may():
    """docs/rules.md has a row for each, under the words that the journal says of it."""
    rules = Path("docs/rules.md").read_text()
    table = rules.split("### What moves chips")[1].split("\n#")[0]
    declared = [*catalogue.COMMANDS.values(), *catalogue.REQUESTS.values()]
    moves = [each for each in declared if each.chips is not catalogue.Chips.NONE]
    words = {str(getattr(each, "done", each.words)) for each in moves}
    rows = {line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")}
    assert {each for row in rows for each in row.split(" · ")} >= words
