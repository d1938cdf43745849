"""Events: set up, posted, called off (T2, T8, T24)."""

import secrets as random_source
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import slugify

from ground import chance
from ground.refused import Conflict, Refused, refuse
from ground.typed import name_clean
from tournament.engine import settings as event_settings
from tournament.engine.days import start_of
from tournament.engine.facts import CalledOff, Opened, SetUpAgain
from tournament.engine.plan import plan_of
from tournament.engine.settings import EventSettings, Problem
from tournament.models import Draw, DrawSecret, Entry, Event, MoneyTransaction, Posting, Request, Stack
from tournament.selectors.desk import round_begun
from tournament.selectors.open_requests import why_asked_already
from tournament.selectors.prizes import CALL_OFF, payments_standing

from .arguments import event_of, find, reason_clean
from .chips import chips_return
from .entries import facts_apply
from .house import house_current
from .journal import Command, Json, chain_open, command
from .money import money_due
from .requests import handler, request_add
from .rounds import posting_make
from .status import status_move

CODE_LONGEST = 32


class SettingsRefused(Refused):
    """Settings that cannot be posted; ``problems``: field, code and sentence of each mistake."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems[0][1], " ".join(sentence for _, _, sentence in problems))
        self.problems = problems


def event_create(
    *,
    name: str,
    code: str = "",
    kind: str = Event.Kind.TOURNAMENT,
    settings: Mapping[str, Any] | None = None,
    starts_at: datetime | None = None,
    starts_zone: str = "",
    slug: str = "",
    like: int | None = None,
    key: str,
    actor: User | None,
) -> Json:
    """Set up an event. Result: ``{"event": id, "code": …, "slug": …}``.

    ``like``: the id of an event whose settings are copied before ``settings`` are put in; the rules of the
    hand are frozen again when the event is posted. ``starts_at``: a local time by the clock of
    ``starts_zone``.

    ``code``: the posted code, which never changes and by which draws are verified: letters, digits and
    dashes. Without it, the name and the day of the start (or the gaming day) make one. ``settings``: those
    that differ from the defaults (engine.settings). ``slug`` is random unless a rehearsal names its own.
    Refuses ``no_such_event`` (404), ``name_missing``, ``code_bad``, ``code_taken``, ``kind_unknown``, what
    ``start_of`` refuses, and settings with ``SettingsRefused``.
    """
    title = name_clean(name, "The name of the event", longest=80, missing="name_missing")
    start = start_of(starts_at, starts_zone) if starts_at else None
    if kind not in Event.Kind.values:
        raise Refused("kind_unknown", "An event is a %(values)s.", values=", a ".join(Event.Kind.values))
    posted_code = _code_clean(code)
    model = None if like is None else find(Event, like, "event")
    begins = {**event_settings.to_dict(model.settings), "house_rules": {}} if model else {}
    chosen, _brought = event_settings.changed(begins, dict(settings or {}))

    def act(cmd: Command) -> Json:
        event = Event(name=title, kind=kind, created_at=cmd.at)
        if start:
            event.start = start
        event.code = _code_free(posted_code, kind) if posted_code else _code_made(event, cmd)
        event.slug = slug or _slug_made(title)
        _settings_put(event, chosen)
        event.save(force_insert=True)
        chain_open(event)
        return {"event": event.pk, "code": event.code, "slug": event.slug}

    body = {
        "name": title,
        "code": posted_code,
        "kind": kind,
        "settings": chosen,
        **(start.to_dict() if start else {"starts_at": None}),
        **({"like": model.code} if model else {}),
    }
    return command(kind="event.create", key=key, actor=actor, body=body, act=act)


def event_settings_change(
    *, event_id: int, settings: Mapping[str, Any], name: str = "", key: str, actor: User | None
) -> Json:
    """Change settings of an event that is still being set up; other settings stay.

    Another sheet brings its own decks, bets, stacks and options (engine.settings.changed). Result:
    ``{"settings": the snapshot, "taken": the settings that the sheet brought}``.

    ``name`` renames the event; its code stays. Refuses ``rules_frozen`` (409) once the rules are posted, and
    invalid settings with ``SettingsRefused``.
    """
    title = name_clean(name, "The name of the event", longest=80)
    chosen = dict(settings)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        settings_check(event)
        event.name = title or event.name
        before = event.settings_json
        after, taken = event_settings.changed(before, chosen)
        _settings_put(event, after)
        cmd.note(
            before={
                name: before.get(name)
                for name in {**before, **event.settings_json}
                if before.get(name) != event.settings_json.get(name)
            }
        )
        event.save()
        return {"settings": event.settings_json, "taken": taken}

    body = {"settings": chosen, "name": title}
    return command(kind="event.settings", key=key, actor=actor, event_id=event_id, body=body, act=act)


def event_start_change(
    *,
    event_id: int,
    starts_at: datetime | None,
    starts_zone: str = "",
    key: str,
    actor: User | None,
) -> Json:
    """Set, move or clear the start of an event, until the first bet of round 1 is called (T6).

    ``starts_at``: a local time as in ``event_create``, None to clear the start. For a public event the change
    is posted; its code stays. Result: ``{"start": …, "code": …}``, ``start`` empty if it was cleared, and
    ``posting`` if there is one. Refuses what ``start_of`` and ``start_check`` refuse, and ``start_unchanged``
    (409).
    """
    start = start_of(starts_at, starts_zone) if starts_at else None

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        start_check(event)
        before = event.start
        if before == start:
            raise Conflict("start_unchanged", "The event already has this start.")
        if before:
            cmd.note(before=str(before))
        event.start = start
        event.save()
        result = {"start": str(start) if start else "", "code": event.code}
        if event.status == Event.Status.DRAFT:
            return result
        body = {**asked, "before": before.to_dict() if before else None}
        return {**result, "posting": _post(cmd, kind=Posting.Kind.START, body=body).pk}

    asked: Json = start.to_dict() if start else {"starts_at": None}
    return command(kind="event.start", key=key, actor=actor, event_id=event_id, body=asked, act=act)


def start_check(event: Event) -> None:
    """Refuse ``start_over`` (409) if the start can no longer be changed."""
    before_the_end = (Event.Status.DRAFT, Event.Status.OPEN, Event.Status.RUNNING)
    if event.status not in before_the_end or round_begun(event):
        raise Conflict(
            "start_over", "Play has begun or the event is over; the start can no longer be changed."
        )


def settings_check(event: Event) -> None:
    """Refuse ``rules_frozen`` (409) if the settings are posted."""
    if event.status != Event.Status.DRAFT:
        raise Conflict("rules_frozen", "The rules are posted; the settings can no longer be changed.")


def event_open(*, event_id: int, secrets: list[bytes] | None = None, key: str, actor: User | None) -> Json:
    """Post the rules and open the desk: settings are frozen and hashed, draws committed to (verifiable-draw).

    The house rules of the sheet are copied into the settings. ``secrets`` (32 bytes each) are only given by
    simulations; otherwise they are drawn here. They never reach the journal. Result: ``{"rules_hash": …,
    "posting": id, "commitments": […]}``. Refuses settings that cannot be posted.
    """
    given = [chance.commitment(secret) for secret in secrets or []]

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        frozen = _settings_frozen(event)
        commitments = _draws_commit(event, secrets)
        # The rules of the event must follow from the journal alone (audit).
        cmd.note(settings=frozen)
        cmd.write(Opened(plan_of(frozen)))
        status_move(
            event, Event.Status.OPEN, **_columns(frozen), rules_hash=event_settings.settings_hash(frozen)
        )
        posting = _rules_post(cmd, event, commitments)
        return {"rules_hash": event.rules_hash, "posting": posting.pk, "commitments": commitments}

    return command(
        kind="event.open", key=key, actor=actor, event_id=event_id, body={"commitments": given}, act=act
    )


def event_setup_again(*, event_id: int, key: str, actor: User | None) -> Json:
    """Close the desk and go back to the set-up, as long as no entry was ever sold.

    The posted rules stay public; opening the desk again posts new ones beside them, with the same
    commitments. Result: ``{"status": "draft"}``. Refuses ``entries_sold`` (409).
    """

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        if event.entries.exists():
            raise Conflict("entries_sold", "An entry has been sold, so the rules stand as posted.")
        # House rules that were frozen at the posting are frozen again at the next one.
        draft = {**event.settings_json, "house_rules": {}}
        status_move(event, Event.Status.DRAFT, rules_hash="", settings_json=draft)
        cmd.write(SetUpAgain())
        return {"status": event.status}

    return command(kind="event.setup_again", key=key, actor=actor, event_id=event_id, body={}, act=act)


def event_call_off(*, event_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Call the event off: every buy-in becomes due, every chip is handed in, in one command (T8, T24).

    The status ``called_off`` stops everything; rounds stay as they are. Buy-ins are refunded one entry at a
    time (``refund_hand_out``). Result: ``{"refunds": number due, "refunded_cents": …, "posting": id}``. Once
    every place is decided a second person must confirm; result: ``{"request": id, …}``. Refuses
    ``hand_open`` (409) while a hand is open, ``already_paid`` (409) after the first payment, and
    ``reason_missing``.
    """
    why = reason_clean(reason)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        if event.status != Event.Status.FINISHED:
            return _call_off(cmd, why)
        call_off_check(event)
        return request_add(cmd, kind=CALL_OFF, body={}, reason=why)

    return command(
        kind="event.call_off", key=key, actor=actor, event_id=event_id, body={"reason": why}, act=act
    )


def call_off_request_check(event: Event) -> None:
    """Refuse as ``call_off_check``, and ``already_asked`` (409) while a request for it is open."""
    call_off_check(event)
    refuse(why_asked_already(event.pk, CALL_OFF))


def _asked(request: Request) -> None:
    assert request.event is not None, "only an event is called off"
    call_off_check(request.event)


@handler(CALL_OFF, check=_asked)
def _call_off_confirmed(cmd: Command, request: Request) -> Json:
    """Call the event off after a second person confirmed; places are decided and nobody is paid."""
    return _call_off(cmd, request.reason)


def _call_off(cmd: Command, why: str) -> Json:
    event = event_of(cmd)
    call_off_check(event)
    facts_apply(cmd, CalledOff())
    status_move(event, Event.Status.CALLED_OFF)
    due_cents = [money_due(cmd, entry=entry) for entry in _entries_to_refund(event)]
    stacks = Stack.objects.filter(round__event=event, chips__gt=0).select_related("entry")
    chips_return(cmd, stacks=list(stacks), source="called_off")
    result = {"refunds": len(due_cents), "refunded_cents": sum(due_cents)}
    posting = _post(cmd, kind=Posting.Kind.CALLED_OFF, body={"reason": why, **result})
    return {**result, "posting": posting.pk}


def call_off_check(event: Event) -> None:
    """Refuse ``already_paid`` or ``move_not_allowed`` (409) if the event can no longer be called off."""
    if payments_standing(event).exists():
        raise Conflict(
            "already_paid",
            "A prize has been paid. The event can be called off once two people have taken back each "
            "payment.",
        )
    if event.status == Event.Status.CALLED_OFF:
        raise Conflict("move_not_allowed", "The event is called off already.")


def _post(cmd: Command, *, kind: str, body: Mapping[str, Any]) -> Posting:
    """Post a notice under the next number of its kind (T31)."""
    event = event_of(cmd)
    number = Posting.objects.filter(event=event, kind=kind).count() + 1
    return posting_make(cmd, kind=kind, number=number, body={"event": event.code, **body})


def _entries_to_refund(event: Event) -> list[Entry]:
    # Ordered by player: two events called off at once lock the days of the same people in the same order.
    paid = Entry.objects.filter(
        event=event,
        money_transactions__kind=MoneyTransaction.Kind.BUY_IN,
        money_transactions__reversed_by__isnull=True,
    )
    return list(paid.select_related("player").order_by("player_id", "number"))


def _code_clean(code: str) -> str:
    cleaned = code.strip().upper()
    if len(cleaned) > CODE_LONGEST or not all(
        sign.isascii() and (sign.isalnum() or sign == "-") for sign in cleaned
    ):
        raise Refused(
            "code_bad",
            "The code is at most %(code_longest)s letters, digits and dashes, like FRIDAY-1121.",
            code_longest=CODE_LONGEST,
        )
    return cleaned


def _code_free(code: str, kind: str) -> str:
    taken = Event.objects.filter(code=code).exclude(kind=Event.Kind.SIMULATION)
    if kind != Event.Kind.SIMULATION and taken.exists():
        raise Refused(
            "code_taken",
            "There is an event %(what)s already. Choose another code; it is never used again.",
            what=code,
        )
    return code


def _code_made(event: Event, cmd: Command) -> str:
    """Return a code from the name and the local day of the start, or the gaming day if no start is set."""
    day = f"{event.start.local if event.start else house_current().day_of(cmd.at):%Y%m%d}"
    stem = f"{slugify(event.name).upper().strip('-_')[:18] or 'EVENT'}-{day}"
    others = Event.objects.filter(code__startswith=stem).exclude(pk=event.pk)
    taken = set(others.values_list("code", flat=True))
    more = (f"{stem}-{number}" for number in range(2, 10_000))
    return stem if stem not in taken else next(code for code in more if code not in taken)


def _slug_made(name: str) -> str:
    # The random part keeps addresses from being guessed (threats).
    stem = slugify(name)[:24].strip("-_")
    return f"{stem}-{random_source.token_hex(4)}".strip("-")


def _settings_put(event: Event, chosen: Mapping[str, Any]) -> None:
    """Check the settings and write them, and the columns that mirror them, to the event."""
    wanted = event_settings.from_dict(chosen)
    _settings_check(event, wanted)
    kept = replace(wanted, options=event_settings.options_differing(wanted))
    for column, value in _columns(event_settings.to_dict(kept)).items():
        setattr(event, column, value)


def _settings_check(event: Event, wanted: EventSettings) -> None:
    # T2: rehearsals do not count towards the day limit, so it cannot stand in their way.
    limit_cents = None if event.is_rehearsal else house_current().day_limit_cents
    problems = event_settings.validate(wanted, limit_cents)
    if problems:
        raise SettingsRefused(problems)


def _columns(snapshot: Mapping[str, Any]) -> Json:
    posted = ("buy_in_cents", "fee_cents", "guarantee_cents", "starting_chips", "min_entrants")
    return {"settings_json": dict(snapshot), **{name: snapshot[name] for name in posted}}


def _settings_frozen(event: Event) -> Json:
    """Return the settings to post, with today's house rules of the sheet (T16)."""
    wanted = event.settings
    _settings_check(event, wanted)
    # Computed again: rules frozen at an earlier opening may belong to other settings.
    rules = event_settings.hand_rules(replace(wanted, house_rules={}))
    return {**event_settings.to_dict(wanted), "house_rules": rules.to_dict()}


def _draws_commit(event: Event, given: list[bytes] | None) -> list[str]:
    """Commit to one secret per planned draw; commitments of an earlier opening stay, missing ones are
    added."""
    there = event.draws.count()
    secrets = [] if there else given or []
    if not secrets:
        missing = event.format.planned_draws - there
        secrets = [random_source.token_bytes(chance.SECRET_BYTES) for _ in range(missing)]
    draws = Draw.objects.bulk_create(
        Draw(event=event, number=number, commitment=chance.commitment(secret))
        for number, secret in enumerate(secrets, start=there + 1)
    )
    DrawSecret.objects.bulk_create(
        DrawSecret(draw=draw, secret=secret) for draw, secret in zip(draws, secrets, strict=True)
    )
    return list(event.draws.order_by("number").values_list("commitment", flat=True))


def _rules_post(cmd: Command, event: Event, commitments: list[str]) -> Posting:
    body = {
        "name": event.name,
        "settings": event.settings_json,
        "rules_hash": event.rules_hash,
        "commitments": commitments,
    }
    return _post(cmd, kind=Posting.Kind.RULES, body=body)
