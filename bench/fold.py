"""The speed of the fold: facts a second from objects, a night cold from its journal, and a correction in it.

    python bench/fold.py [--entrants 1000] [--hands 15] [--repeats 5] [--short]

The first figure needs no database: it is round 1 of the night, dealt at random. The second plays the night
through the services on a database of its own, by results, and then audits it from scratch. At last hand 2 of
some tables is corrected; a tail is one later hand at another table.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scratch import ROOT, scratch_database

sys.path.insert(0, str(ROOT))
from tournament.engine.facts import Began, Fact, Hand, Opened, Seated, Sold, boxes
from tournament.engine.fold import fold
from tournament.engine.plan import plan_of

BOXES = 7
FACTS_A_SECOND, COLD_SECONDS = 100_000, 0.5
NETS = (-400, -200, 0, 200, 400)
ONE = (1, "round", 1)
OTHER = {"win": "lose", "lose": "push", "push": "win"}


def night(entrants: int, hands: int) -> tuple[list[Fact], list[Fact]]:
    """Return the facts up to the first bet of round 1, and its hands, table by table."""
    chance = random.Random(7)
    codes = [f"E{number:03}" for number in range(1, entrants + 1)]
    seats = tuple((code, at // BOXES + 1, at % BOXES + 1) for at, code in enumerate(codes))
    tables = range(1, seats[-1][1] + 1)
    before: list[Fact] = [Opened(plan_of({})), *(Sold(code, 10_000, waits=False) for code in codes)]
    before += [Seated(ONE, seats, tuple((table, 1) for table in tables)), Began(ONE)]
    sitting = {table: [box for _code, at, box in seats if at == table] for table in tables}
    played: list[Fact] = []
    for number in range(1, hands + 1):
        for table in tables:
            nets = boxes({box: chance.choice(NETS) for box in sitting[table]})
            bets = boxes(dict.fromkeys(sitting[table], 200))
            button = sitting[table][(number - 1) % len(sitting[table])]
            played.append(Hand(ONE, table, 1, number, bets, nets, bets, boxes({}), (), button))
    return before, played


def timed(repeats: int, act: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> list[float]:
    """Return the seconds of each of some runs; ``before`` each run is not counted."""
    taken = []
    for _ in range(repeats):
        before()
        started = time.perf_counter()
        act()
        taken.append(time.perf_counter() - started)
    return taken


def from_objects(entrants: int, hands: int, repeats: int) -> None:
    """Fold the hands of round 1 from existing fact objects."""
    before, played = night(entrants, hands)
    start = fold(before)
    taken = timed(repeats, lambda: fold(played, start))
    rate = len(played) / min(taken)
    median = len(played) / statistics.median(taken)
    verdict = "reached" if rate >= FACTS_A_SECOND else "not reached"
    print(f"{len(played):,} hands of {entrants:,}: {rate:,.0f} facts a second best, {median:,.0f} median")
    print(f"{FACTS_A_SECOND:,} a second: {verdict}", flush=True)


def recorded(entrants: int, hands: int) -> tuple[Any, Any]:
    """Play the round through the services, by results; return its night and the round."""
    from tables.services.nights import night_buy_in, night_draw, night_open, shoes_in_play
    from tournament.models import Event
    from tournament.services import commits

    settings = {"public_input": False}
    made = night_open(name="Fold", code="FOLD", kind=Event.Kind.SIMULATION, luck="fold", settings=settings)
    night_buy_in(made, entrants)
    round_ = night_draw(made)
    chance = random.Random(7)
    with commits.once("tournament.recompute_standings"):
        for _number in range(hands):
            for shoe in shoes_in_play(round_):
                record(made, round_, shoe, chance)
    return made, round_


def record(made: Any, round_: Any, shoe: Any, chance: random.Random) -> None:
    """Record a hand of all players at a table, by results."""
    from tables.services.dealing import deal_record_results

    seats = round_.seats.filter(table=shoe.table_id).values_list("box", flat=True)
    outcomes = {box: {"hands": [{"result": chance.choice(tuple(OTHER))}]} for box in seats}
    bets = dict.fromkeys(outcomes, 200)
    deal_record_results(shoe_id=shoe.pk, bets=bets, outcomes=outcomes, key=made.key(), actor=None)


def facts_of(lines: Iterable[Any]) -> list[Any]:
    """Return the facts in the entries of a journal."""
    from tournament.engine.facts_json import fact_of_json

    return [fact_of_json(fact) for line in lines for fact in line.facts or ()]


def parts_of(event: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the parts of a cold fold: journal, facts, states; and the whole audit."""
    from tables.selectors.audit import audit
    from tables.selectors.audit_rows import journal_lines

    lines = list(journal_lines(event))
    facts = facts_of(lines)
    yield "journal", lambda: list(journal_lines(event))
    yield "facts", lambda: facts_of(lines)
    yield "states", lambda: fold(facts)
    yield "all three", lambda: fold(facts_of(journal_lines(event)))
    yield "audit", lambda: audit(event)


def put_right(made: Any, round_: Any, repeats: int) -> None:
    """Time the standing facts, cold and cached, the standings, and a whole correction of a hand early in the
    round."""
    from tables.models import Deal
    from tables.services.corrections import correction_preview, deal_correct
    from tables.services.nights import shoes_in_play
    from tournament.selectors import facts_standing as kept
    from tournament.selectors.standings import standings_body
    from tournament.services import commits

    chance, shoe = random.Random(8), shoes_in_play(round_)[-1]
    wrong = list(Deal.objects.filter(shoe__round=round_, number=2).exclude(shoe=shoe).order_by("pk"))

    def forget() -> None:
        kept.SHELF = kept.Shelf()

    def a_hand() -> None:
        record(made, round_, shoe, chance)

    def anew(deal: Deal) -> dict[str, Any]:
        was = {box: each["hands"][0]["result"] for box, each in deal.outcomes.items()}
        outcomes = {box: {"hands": [{"result": OTHER[result]}]} for box, result in was.items()}
        return {"deal_id": deal.pk, "outcomes": outcomes}

    def facts() -> None:
        kept.course_standing(made.event)

    def preview() -> None:
        assert correction_preview(**anew(wrong[0])).changed

    def correct() -> None:
        deal_correct(**anew(wrong.pop()), reason="bench", key=made.key(), actor=None)

    def standings() -> None:
        standings_body(made.event)

    def facts_and_hand() -> None:
        facts()
        a_hand()

    with commits.once("tournament.recompute_standings"):
        for name, act, before in (
            ("facts, cold", facts, forget),
            ("facts, kept", facts, lambda: None),
            ("facts, tail", facts, a_hand),
            ("standings", standings, a_hand),
            ("preview, cold", preview, forget),
            ("preview", preview, a_hand),
            ("command", correct, facts_and_hand),
            ("facts since", facts, correct),
        ):
            taken = timed(repeats, act, before)
            print(f"{name:13} {min(taken):.3f} s best, {statistics.median(taken):.3f} s median", flush=True)


def from_journal(entrants: int, hands: int, repeats: int) -> None:
    """Time round 1 of the night, cold from its journal, and a correction in it."""
    with scratch_database():
        started = time.perf_counter()
        made, round_ = recorded(entrants, hands)
        print(f"{entrants:,} entrants played in {time.perf_counter() - started:.0f} s")
        for name, act in parts_of(made.event):
            taken = timed(repeats, act)
            print(f"{name:9} {min(taken):.3f} s best, {statistics.median(taken):.3f} s median")
            if name == "all three":
                verdict = "reached" if min(taken) <= COLD_SECONDS else "not reached"
                print(f"{COLD_SECONDS} s: {verdict}", flush=True)
        put_right(made, round_, repeats)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entrants", type=int, default=1_000)
    parser.add_argument("--hands", type=int, default=15, help="hands at each table")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--short", action="store_true", help="21 entrants, two hands at each table")
    args = parser.parse_args()
    if args.short:
        args.entrants, args.hands, args.repeats = 21, 2, 1
    from_objects(args.entrants, args.hands, args.repeats)
    from_journal(args.entrants, args.hands, args.repeats)


if __name__ == "__main__":
    main()
