"""The page 'Tonight': the next steps of an event, and who must do them (experience).

Every state has a sentence, a page and a role, so that nobody needs to know the state machine.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db.models import Case, IntegerField, Value, When
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.director.reads.floor_facts import FloorFacts, due_words, ruling_words
from pages.director.reads.steps import (
    Step,
    alternates_first,
    alternates_refunded,
    begin_page,
    corrections_later,
    nobody_plays,
    tied_for_money,
)
from pages.kit import said
from pages.words.entrants import entrants_words
from pages.words.naming import stage_named
from pages.words.prize_waits import payable_words, prize_waits, take_backs_words
from pages.words.prizes import unclaimed_words
from pages.words.requests import answering_words, who_counts_words
from tables.selectors.correction_requests import correction_requests, corrections_of
from tables.selectors.cut_review import CutReview, cut_before_play
from tables.selectors.draws import open_draw
from tables.selectors.next_hand import redraw_asked
from tables.selectors.rulings import Asked
from tournament.engine.next_steps import Do, NextStep
from tournament.engine.state import State
from tournament.figures import money, ordinal
from tournament.models import Draw, Event, PayoutStructure, Request, Round
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER
from tournament.selectors.desk import why_too_few
from tournament.selectors.entrants import entrants_of
from tournament.selectors.next_steps import steps_of
from tournament.selectors.open_requests import NOBODY_CAN, rulings_waiting, why_lapsed
from tournament.selectors.payouts import why_not_post
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import currency_of, payments_standing, prize_lines, prizes_at
from tournament.selectors.refunds import dues
from tournament.selectors.stages import main_rounds, stage_row

Kind, Status = Round.Kind, Round.Status


@dataclass(frozen=True)
class Stop:
    """One stop of the line that shows the event's progress: ``state`` is done, now or empty."""

    label: str
    state: str
    href: str


def event_of_tonight() -> Event | None:
    """Return the event most likely worked on now, None without one.

    Real events come before rehearsals; then running, finished and open ones; then the newest.
    """
    places = {Event.Status.RUNNING: 0, Event.Status.FINISHED: 1, Event.Status.OPEN: 2}
    order = Case(*(When(status=s, then=Value(n)) for s, n in places.items()), output_field=IntegerField())
    real = Case(
        When(kind=Event.Kind.TOURNAMENT, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    return Event.objects.filter(status__in=list(places)).order_by(real, order, "-id").first()


def whats_next(event: Event, facts: FloorFacts, state: State) -> list[Step]:
    """Return the open steps, the next one first; empty once everything is done.

    ``state``: the event's ``state_now``.
    """
    drawing = _draw_in_progress(event) if event.status in (Event.Status.OPEN, Event.Status.RUNNING) else []
    steps = drawing or [made for step in steps_of(event, state) for made in _steps(event, facts, step, state)]
    mentioned = {request for step in steps for request in step.tells}
    asked = [*_requests(event, mentioned), *corrections_later(event)]
    return [*steps[:1], *asked, *alternates_refunded(event), *steps[1:]]


def _steps(event: Event, facts: FloorFacts, step: NextStep, state: State) -> list[Step]:
    of_event = {
        Do.POST_RULES: _rules,
        Do.SELL: _desk,
        Do.POST_PAYOUTS: _payouts,
        Do.REFUND: _called_off,
    }
    of_prizes = {Do.SUPERSEDE: _supersede, Do.PAY: _finished}
    if step.do in of_event:
        return [of_event[step.do](event)]
    if step.do in of_prizes:
        return [of_prizes[step.do](event, state)]
    if step.do == Do.PLAY:
        return _in_play(stage_row(event, step.stage), facts)
    if step.do == Do.SEAT and step.stage[1] != Kind.PLAY_OFF:
        return _first_seats(event, step) if step.late_seated else [_between(event, step)]
    # The seats of a play-off are drawn on its round's page.
    stage = step.stage if step.do != Do.SEAT else (step.stage[0], str(Kind.ROUND), 1)
    return [_counted(stage_row(event, stage), step)]


def _rules(event: Event) -> Step:
    return Step(
        _("Choose the settings and post the rules"),
        _("Posting freezes the settings, prints them on the public rules page and opens the desk."),
        "setup/",
        _("Set up"),
        (DIRECTOR, MANAGER),
    )


def _requests(event: Event, mentioned: Collection[int]) -> list[Step]:
    """Return steps for open requests that no other step mentions (``mentioned``), and for lapsed ones."""
    asked = Request.objects.filter(event=event, status=Request.Status.OPEN).exclude(pk__in=mentioned)
    lapsed = [each for each in asked if why_lapsed(each)]
    found = []
    if len(asked) > len(lapsed):
        count = len(asked) - len(lapsed)
        # With the requests of other steps the list has more than this number.
        title = (
            ngettext(
                "%(n)s more request waits for a second person",
                "%(n)s more requests wait for a second person",
                count,
            )
            if mentioned
            else ngettext(
                "%(n)s request waits for a second person", "%(n)s requests wait for a second person", count
            )
        )
        detail = answering_words(event)
        found.append(_request_step(title % {"n": count}, detail))
    if lapsed:
        count = len(lapsed)
        title = ngettext("%(n)s request no longer holds", "%(n)s requests no longer hold", count)
        detail = _("The situation has changed since it was asked for, and %(nobody)s.") % {
            "nobody": _(NOBODY_CAN)
        }
        found.append(_request_step(title % {"n": count}, detail))
    return found


def _request_step(title: str, detail: str) -> Step:
    """Return a step that leads to the list of requests, which the floor may only read."""
    return Step(title, detail, "requests/", _("Look at it"), (DIRECTOR, MANAGER))


# -- Before play -----------------------------------------------------------------------------------------


def _desk(event: Event) -> Step:
    return Step(
        _("The desk is open") if entrants_of(event).entrants else _("The desk is open: sell the first entry"),
        _("At least %(n)s entrants are needed to play.") % {"n": event.min_entrants}
        if why_too_few(event)
        else _("It sells until the roster is locked."),
        "desk/",
        _("To the desk"),
        (CASHIER, DIRECTOR),
    )


def _first_seats(event: Event, due: NextStep) -> list[Step]:
    if why_too_few(event):
        return []
    title, waiting = _("Draw the seats of round 1"), rulings_waiting(event.pk)
    if waiting:
        return [_answer_first(title, waiting, _("The roster can be locked once it is confirmed or refused."))]
    detail = _("So far %(entrants)s. The desk sells until the roster is locked.")
    words = {"entrants": entrants_words(entrants_of(event))}
    return [Step(title, detail % words, "draw/", _("Draw round 1"), (DIRECTOR, FLOOR))]


def _draw_in_progress(event: Event) -> list[Step]:
    draw = open_draw(event)
    if draw is None:
        return []
    names = {"n": draw.number}
    if draw.status == Draw.Status.CONFIRMED:
        step = Step(
            _("Draw %(n)s: the seats are being drawn") % names,
            _("This takes a few seconds."),
            "draw/",
            _("Watch"),
        )
    elif draw.cards:
        step = Step(
            _("Draw %(n)s: a second person confirms the five cards") % names,
            _("Look at the cards on the table: %(cards)s.") % {"cards": draw.cards},
            "draw/",
            _("Confirm the cards"),
            (DIRECTOR, FLOOR),
        )
    else:
        step = Step(
            _("Draw %(n)s: have a player cut five cards") % names,
            _("The roster is locked. Type the five cards in the order in which they were turned."),
            "draw/",
            _("Type the cards"),
            (DIRECTOR, FLOOR),
        )
    return [step]


# -- In play -----------------------------------------------------------------------------------------------


def _in_play(round_: Round, facts: FloorFacts) -> list[Step]:
    to_rule = cut_before_play(round_)
    ruling = [_rule_first(to_rule, round_)] if to_rule else []
    due = _chips_due(facts)
    return [*ruling, *due, *_playing(round_, facts)]


def _rule_first(found: CutReview, round_: Round) -> Step:
    """Return the step to rule on a cut before the first hand: some remedies end with the first bet (T17,
    T25)."""
    names = {"cut": found.round.title, "next": stage_named(round_)}
    detail = _(
        "The recorded hands now give a different cut. Until the first bet of %(next)s a qualifier can be "
        "replaced. After it, two people can disqualify a player, or the director rules that the cut "
        "stands."
    )
    title = _("%(cut)s: rule on its cut before the first hand of %(next)s") % names
    return Step(title, detail % names, f"rounds/{found.round.pk}/", _("To the ruling"), (DIRECTOR,))


def _payouts(event: Event) -> Step:
    detail = _("Round 1 is closed. No further hand is dealt before it is posted.")
    why_not = why_not_post(event)
    return Step(
        _("Post the payout structure"),
        f"{detail} {said(why_not.message)}" if why_not else detail,
        "payouts/",
        _("To the payout structure"),
        (MANAGER,),
    )


def _between(event: Event, due: NextStep) -> Step:
    """Return the step of the next draw, with a warning if an open correction would change who advances.

    The draw seats the players who advance now, and a later correction does not move them (T17).
    """
    rounds, step = main_rounds(event), _seat_when_answered(event, due)
    if not rounds or not any(each.moves_cut for each in corrections_of(rounds[-1])):
        return step
    waits = _(
        "A correction that waits for a second person would change who advances. Have it confirmed or "
        "refused first."
    )
    return replace(step, detail=f"{step.detail} {waits}")


def _seat_when_answered(event: Event, due: NextStep) -> Step:
    """Return the step to answer a request that would remove a player before the roster is locked (T26)."""
    waiting = rulings_waiting(event.pk)
    if not waiting:
        return _seat(event, due)
    detail = _("The roster can be locked once it is confirmed or refused.")
    return _answer_first(_seat(event, due).title, waiting, detail)


def _seat(event: Event, due: NextStep) -> Step:
    players = ngettext("%(n)s player", "%(n)s players", len(due.entries)) % {"n": len(due.entries)}
    number, kind, _sequence = due.stage
    if kind == Kind.SUDDEN_DEATH:
        title = _("Tie for money: draw the sudden death")
        return Step(title, tied_for_money(event, due), "draw/", _("Draw sudden death"), (DIRECTOR, FLOOR))
    title = _("Draw the seats of round %(n)s") % {"n": number}
    detail = _("%(who)s advance.") % {"who": players}
    return Step(title, detail, "draw/", _("Draw round %(n)s") % {"n": number}, (DIRECTOR, FLOOR))


def _answer_first(what: str, waiting: Sequence[Request], detail: str) -> Step:
    """Return the step that a request must be answered before ``what`` (T18, T26)."""
    gone = sum(each.kind == DISQUALIFY for each in waiting)
    title = ngettext(
        "%(what)s: a ruling on chips waits for a second person",
        "%(what)s: %(n)s rulings on chips wait for a second person",
        len(waiting),
    )
    if gone == len(waiting):
        title = ngettext(
            "%(what)s: a disqualification waits for a second person",
            "%(what)s: %(n)s disqualifications wait for a second person",
            gone,
        )
    elif gone:
        title = _("%(what)s: %(n)s rulings on chips and disqualifications wait for a second person")
    words, tells = {"what": what, "n": len(waiting)}, frozenset(each.pk for each in waiting)
    return Step(title % words, detail, "requests/", _("Look at it"), (DIRECTOR, MANAGER), tells)


def _counted(round_: Round, step: NextStep) -> Step:
    page = f"rounds/{round_.pk}/"
    waiting = rulings_waiting(round_.event_id)
    if waiting:
        detail = _("The round can be closed, and a tie played off, once it is confirmed or refused.")
        return _answer_first(round_.title, waiting, detail)
    if round_.kind == Kind.SUDDEN_DEATH:
        return Step(
            _("Close the sudden death"),
            _("No tie for money is left."),
            page,
            _("Check and close"),
            (DIRECTOR,),
        )
    if round_.kind == Kind.PLAY_OFF:
        title, detail = _("Close the play-off"), _("The seats are decided.")
        return Step(title, detail, page, _("Check and close"), (DIRECTOR,))
    if step.do == Do.CLOSE:
        detail = _("Every table is counted. Check the ranking and the cut, then confirm.")
        if round_.cut_to is None:
            detail = _(
                "Every table is counted. Check the ranking, which gives every player a place, then confirm."
            )
        return Step(
            _("Close round %(n)s") % {"n": round_.number}, detail, page, _("Check and close"), (DIRECTOR,)
        )
    place = ordinal((round_.cut_to or 0) - step.seats + 1)
    figures = {"n": len(step.entries), "seats": step.seats}
    who = ngettext(
        "%(n)s players are tied for %(seats)s seat in the next round.",
        "%(n)s players are tied for %(seats)s seats in the next round.",
        step.seats,
    )
    if step.do == Do.SEAT:
        title, tail, action = _("Tie at %(place)s: play it off"), "draw/", _("Draw the play-off")
    else:
        title, tail, action = _("Tie at %(place)s: rule on it"), page, _("Rule on the tie")
    return Step(title % {"place": place}, who % figures, tail, action, (DIRECTOR,))


def _playing(round_: Round, facts: FloorFacts) -> list[Step]:
    rulings = [_ruling(round_, facts, *each) for each in facts.rulings.items()]
    counts = [_to_count(round_, facts)] if facts.to_count else []
    if facts.differ or rulings:
        return [*([_differ(round_, facts)] if facts.differ else []), *rulings, *counts]
    if absent := nobody_plays(round_):
        return absent
    if facts.next_shoe:
        named = _("%(table)s: the tie is still open") % {"table": tables_words(facts.next_shoe)}
        detail = _("The shoe is over. Shuffle, and go on with another shoe.")
        tail = f"tables/{facts.next_shoe[0]}/" if len(facts.next_shoe) == 1 else "tables/"
        return [Step(named, detail, tail, _("To the table"), (DEALER, FLOOR, DIRECTOR))]
    if counts:
        return counts
    subject = {"round": capfirst(stage_named(round_))}
    if not facts.begun and (asked := redraw_asked(round_)):
        title = _("%(round)s is seated: a redraw waits for a second person") % subject
        detail = _("No bet can be called until it is confirmed or refused.")
        return [Step(title, detail, "requests/", _("Look at it"), (DIRECTOR, MANAGER), frozenset({asked.pk}))]
    if not facts.begun:
        detail = _("Late entrants and alternates can be seated until the first bet is called.")
        if round_.number > 1 or round_.kind != Kind.ROUND:
            detail = _("Everybody has a seat. Deal the first hand.")
        if round_.number > 1 and round_.kind == Kind.ROUND:
            detail = _("Everybody has a seat. After the first bet no qualifier can be replaced.")
        title = _("%(round)s is seated: begin play") % subject
        begin = Step(title, detail, *begin_page(round_), (DEALER, FLOOR, DIRECTOR))
        return [*alternates_first(round_), begin]
    title = _("%(round)s is being played") % subject
    detail = _stakes(round_) or _rest(round_, (), facts.playing)
    played = Step(title, detail, "tables/", _("To the tables"), (DEALER, FLOOR, DIRECTOR))
    return [played]


def _chips_due(facts: FloorFacts) -> list[Step]:
    """Return steps for chips that were moved in the record but not yet on the felt (T17, T26)."""
    action, who = _("To the table"), (DEALER, FLOOR, DIRECTOR)
    return [
        Step(
            _("%(table)s: put the chips right") % {"table": tables_words([number])},
            due_words(due),
            f"tables/{number}/",
            action,
            who,
        )
        for number, due in facts.due.items()
    ]


def _to_count(round_: Round, facts: FloorFacts) -> Step:
    """Return the step for tables to count, for the roles that may count (T18)."""
    if set(facts.to_count) <= set(facts.counted_once):
        title = _("%(tables)s: the second count is due")
    else:
        title = ngettext("%(tables)s has to be counted", "%(tables)s have to be counted", len(facts.to_count))
    alone = not facts.differ and not facts.rulings
    rest = _rest(round_, (), facts.playing) if alone else ""
    detail = rest or who_counts_words(round_.event)
    tail = f"tables/{facts.to_count[0]}/count/" if len(facts.to_count) == 1 else "tables/"
    named = title % {"tables": tables_words(facts.to_count)}
    # A manager makes the second count and opens no other page of a table.
    second = (MANAGER,) if facts.to_count == facts.counted_once and len(facts.to_count) == 1 else ()
    return Step(named, detail, tail, _("Count the chips"), (FLOOR, DEALER, DIRECTOR, *second))


def _stakes(round_: Round) -> str:
    if round_.kind != Kind.PLAY_OFF:
        return ""
    words = ngettext("Played for %(n)s seat.", "Played for %(n)s seats.", round_.contested)
    return words % {"n": round_.contested}


def _differ(round_: Round, facts: FloorFacts) -> Step:
    first = facts.differ[0]
    words = {"table": first.table, "chips": f"{first.chips:,}", "box": first.box}
    if not first.box:
        title = _("Table %(table)s: the box in which the counts differed has left play") % words
    elif first.again:
        title = _("Table %(table)s: the two counts differ in box %(box)s") % words
    elif first.with_ledger:
        title = _("Table %(table)s: counts and recorded hands differ by %(chips)s in box %(box)s") % words
    else:
        title = _("Table %(table)s: the two counts differ by %(chips)s in box %(box)s") % words
    more = [each.table for each in facts.differ[1:]]
    detail = _rest(round_, more, facts.playing) or _("Count again, or rule on it with a reason.")
    action, tail = _("Rule on table %(table)s") % words, f"tables/{first.table}/count/"
    who: tuple[str, ...] = (DIRECTOR,)
    if first.again:
        action, who = _("To the count"), (FLOOR, DEALER, DIRECTOR)
    # The floor can have the table counted again, but not rule.
    return Step(title, detail, tail, action, who, look=_("Look at the counts"), look_tail=tail)


def _ruling(round_: Round, facts: FloorFacts, table: int, ruling: Asked) -> Step:
    """Return the step to confirm a ruling that moves chips, for another director or a manager (T18)."""
    title = _("Table %(table)s: a ruling waits for a second person") % {"table": table}
    rest = _rest(round_, (), facts.playing) if not facts.differ else ""
    detail = f"{ruling_words(ruling)} {rest}".strip()
    tells, look_tail = frozenset({ruling.request.pk}), f"tables/{table}/count/"
    look, who = _("Look at the counts"), (DIRECTOR, MANAGER)
    return Step(title, detail, "requests/", _("Look at it"), who, tells, look=look, look_tail=look_tail)


def _rest(round_: Round, differ: Sequence[int], playing: Sequence[int]) -> str:
    """Return what the other tables are doing; ``differ``: tables whose counts also differ."""
    parts = []
    if differ:
        words = ngettext("%(tables)s differs as well.", "%(tables)s differ as well.", len(differ))
        parts.append(words % {"tables": tables_words(differ)})
    if playing:
        words = ngettext("%(tables)s is still playing.", "%(tables)s are still playing.", len(playing))
        parts.append(words % {"tables": tables_words(playing)})
    return " ".join(parts)


def tables_words(numbers: Sequence[int]) -> str:
    """Return tables in words: ``Table 3``, ``Tables 3 and 6``, ``7 tables``."""
    if len(numbers) == 1:
        return _("Table %(n)s") % {"n": numbers[0]}
    if len(numbers) > 4:
        return _("%(n)s tables") % {"n": len(numbers)}
    first, last = ", ".join(map(str, numbers[:-1])), numbers[-1]
    return _("Tables %(first)s and %(last)s") % {"first": first, "last": last}


# -- After play -------------------------------------------------------------------------------------------


def _finished(event: Event, state: State) -> Step:
    lines = prize_lines(event, state)
    words = payable_words(lines, prize_waits(event, lines))
    # T17: the first payment ends corrections; if something is paid, none can be confirmed now.
    if correction_requests(event) and not payments_standing(event).exists():
        words += " " + _(
            "A correction waits for a second person. After the first payment no hand can be corrected, "
            "so have it confirmed or refused first."
        )
    words = f"{words} {take_backs_words(event)}".strip()
    return Step(
        _("Pay the prizes"),
        words,
        "pay/",
        _("To the payments"),
        (CASHIER, MANAGER),
    )


def _supersede(event: Event, state: State) -> Step:
    """Return the step to replace a structure that pays nobody still in the event (T26)."""
    found = unclaimed_words(prizes_at(event, state).unclaimed, currency_of(event))
    return Step(
        _("Replace the payout structure: it pays nobody who is still in the event"),
        " ".join(each.words for each in found),
        "payouts/",
        _("To the payouts"),
        (MANAGER,),
    )


def _called_off(event: Event) -> Step:
    """Return the step to hand out refunds (T8)."""
    owed, currency = dues(event), currency_of(event)
    words = ngettext(
        "%(n)s entry is still owed its buy-in: %(left)s of %(total)s.",
        "%(n)s entries are still owed their buy-ins: %(left)s of %(total)s.",
        owed.left,
    )
    figures = {"left": money(owed.left_cents, currency), "total": money(owed.total_cents, currency)}
    return Step(
        _("The event is called off: hand out the buy-ins"),
        words % {"n": owed.left, **figures},
        "refunds/",
        _("To the list"),
        (CASHIER, MANAGER),
    )


# -- Progress ---------------------------------------------------------------------------------------------


def stops(event: Event, state: State) -> list[Stop]:
    """Return the line from the posted rules to the last prize, with the event's current stop.

    ``state``: the event's ``state_now``.
    """
    rounds = {r.number: r for r in main_rounds(event)}
    posted = PayoutStructure.objects.filter(event=event).exists()
    locked = bool(rounds) or event.draws.exclude(status=Draw.Status.PLANNED).exists()
    rules = event.status != Event.Status.DRAFT and bool(event.rules_hash)
    # Do not name an open stop as if it were done.
    paid = event.status == Event.Status.PAID
    made = [
        (_("Rules posted") if rules else _("Rules"), rules, "setup/"),
        (_("Desk"), locked, "desk/"),
        (_("Draw"), bool(rounds), "draw/"),
        *_round_stops(event, rounds, posted, state),
        (_("Paid") if paid else _("Prizes"), paid, "pay/"),
    ]
    open_page = next((_round_page(r) for r in rounds.values() if r.status != Status.CLOSED), "")
    now = next(
        (i for i, (label, done, tail) in enumerate(made) if (tail == open_page if open_page else not done)),
        None,
    )
    if event.status == Event.Status.CALLED_OFF:
        now = None
    base = f"/staff/{event.slug}/"
    return [
        Stop(
            label,
            "now" if i == now else "done" if done else "",
            base + tail if tail and (done or i == now) else "",
        )
        for i, (label, done, tail) in enumerate(made)
    ]


def _round_stops(
    event: Event, rounds: dict[int, Round], posted: bool, state: State
) -> list[tuple[str, bool, str]]:
    """Return (label, done, page) of each planned round; payouts are posted after round 1 (F1, T31)."""
    last = event.format.last
    finished = event.status in (Event.Status.FINISHED, Event.Status.PAID)
    # T19: a decided tie for money still waits for the director to close it.
    running = event.status == Event.Status.RUNNING and last in rounds
    over = finished or (running and all(step.do == Do.POST_PAYOUTS for step in steps_of(event, state)))
    found = []
    # An event that ends early does not play its other rounds.
    for number in sorted(rounds) if finished else range(1, last + 1):
        round_ = rounds.get(number)
        closed = over if number == last else round_ is not None and round_.status == Status.CLOSED
        label = _("Final") if number == last else _("Round %(n)s") % {"n": number}
        found.append((label, closed, _round_page(round_) if round_ else ""))
    found.insert(1, (_("Payouts posted") if posted else _("Payouts"), posted, "payouts/"))
    return found


def _round_page(round_: Round) -> str:
    return f"rounds/{round_.pk}/"
