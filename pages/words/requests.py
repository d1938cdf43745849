"""Requests to a second person, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ground.typed import plain_number
from pages.words.journal import changes_words, ruled_words
from pages.words.naming import entries_named, entry_named, stage_named
from pages.words.prizes import ties_words
from pages.words.standings import state_word
from tables.models import Shoe
from tables.selectors.rulings import counted_anew
from tables.selectors.whereabouts import sat_at_shoes, shoes_shown, tables_of_shoes
from tournament.engine.payouts import FIXED, percent
from tournament.engine.standing import Side
from tournament.figures import chips, money, ordinal, signed
from tournament.models import Draw, Entry, Event, Penalty, Player, PlayerCorrection, Request, Round
from tournament.selectors.desk import house_read
from tournament.selectors.open_requests import CORRECT, COUNT_RULING, why_lapsed
from tournament.selectors.payouts import ties_changed
from tournament.selectors.penalties import IF_DISQUALIFIED, PENALTY, PENALTY_BACK, stack_now
from tournament.selectors.prizes import currency_of, payouts_check, structure_from_dict


@dataclass(frozen=True)
class Words:
    """A request in words: its title, its effect, and the page that shows more (``tail``).

    ``seen_first``: its effect depends on the present state, so it is confirmed on that page. ``evidence``:
    the facts it was based on, shown also after the answer; ``tail`` then still shows them.
    """

    title: str
    effect: str
    tail: str = ""
    seen_first: bool = False
    evidence: str = ""


@dataclass(frozen=True)
class _Facts:
    currency: str
    entries: Mapping[int, Entry]
    draws: Mapping[int, Draw]
    users: Mapping[int, str]
    players: Mapping[int, str]
    tables: Mapping[int, int]
    rounds: Mapping[int, str]
    penalties: Mapping[int, Penalty]
    corrections: Mapping[int, PlayerCorrection]
    shown: Collection[int]
    counted_anew: Collection[int]
    named: Mapping[str, str]
    sat: Mapping[int, Mapping[int, str]]


def request_words(event: Event | None, asked: Iterable[Request]) -> dict[int, Words]:
    """Return the words of requests of an event, or of the house, by id.

    Thirteen queries in all, and up to two more for each open disqualification or penalty.
    """
    asked = list(asked)
    shoes = _ids(asked, "shoe")
    entries = Entry.objects.filter(event=event, pk__in=_ids(asked, "entry")).select_related("player")
    draws = Draw.objects.filter(event=event, pk__in=_ids(asked, "draw"))
    users = User.objects.filter(pk__in=_ids(asked, "user")).values_list("pk", "username")
    facts = _Facts(
        currency_of(event) if event else house_read().currency,
        {entry.pk: entry for entry in entries},
        {draw.pk: draw for draw in draws},
        dict(users),
        _players(asked),
        tables_of_shoes(shoes),
        {each.pk: stage_named(each) for each in Round.objects.filter(pk__in=_ids(asked, "round"))},
        Penalty.objects.select_related("round").in_bulk(_ids(asked, "penalty")),
        _player_corrections(asked),
        shoes_shown(shoes) if shoes else (),
        counted_anew(shoes) if shoes else (),
        entries_named(event, (code for each in asked for code in _codes(each.body))),
        _sat(asked),
    )
    return {each.pk: _WORDS.get(each.kind, _other)(each, facts) for each in asked}


def _players(asked: Iterable[Request]) -> dict[int, str]:
    """Return persons as the confirming person needs them: name, year of birth, number of the record."""
    asked = list(asked)
    wanted = _ids(asked, "player").union(*(each.body.get("others", []) for each in asked))
    return {
        player.pk: f"{player.full_name}{f' ({player.birth_year})' if player.birth_year else ''}, #{player.pk}"
        for player in Player.objects.filter(pk__in=wanted)
    }


def _player_corrections(asked: Iterable[Request]) -> dict[int, PlayerCorrection]:
    """Map request ids to the correction of a person's record."""
    requests = [each.pk for each in asked if each.kind == CORRECT]
    return PlayerCorrection.objects.in_bulk(requests, field_name="request_id")


def _codes(body: Mapping[str, Any]) -> set[str]:
    """Return the codes of the entries that a correction is about."""
    differs = body.get("differs") or {}
    effects = [each["entry"] for name in ("seen", "ruled") for each in body.get(name) or ()]
    return {*effects, *codes_differing(differs)}


def codes_differing(differs: Mapping[str, Any]) -> set[str]:
    """Return the codes of the entries that ``cut_differs_words`` names."""
    return {code for name in _SIDES for code in differs.get(name, ())}


def _sat(asked: Iterable[Request]) -> dict[int, dict[int, str]]:
    """Map request ids to the players by box at the time of a requested ruling on the count (T18)."""
    rulings = [each for each in asked if each.kind == COUNT_RULING]
    shoes = Shoe.objects.in_bulk({each.body["shoe"] for each in rulings})
    sat = sat_at_shoes((shoes[each.body["shoe"]], each.requested_at) for each in rulings)
    return {
        each.pk: {box: entry_named(entry) for box, entry in sat[each.body["shoe"], each.requested_at].items()}
        for each in rulings
    }


def _ids(asked: Iterable[Request], name: str) -> set[int]:
    numbers = (plain_number(str(each.body.get(name, ""))) for each in asked)
    return {number for number in numbers if number is not None}


def _who(body: Mapping[str, Any], facts: _Facts) -> tuple[str, str]:
    entry = facts.entries.get(int(body.get("entry", 0)))
    return (f"{entry.code}, {entry.player.full_name}", entry.code) if entry else (_("an entry"), "")


def _disqualify(asked: Request, facts: _Facts) -> Words:
    who, _code = _who(asked.body, facts)
    entry = facts.entries.get(int(asked.body.get("entry", 0)))
    waits = entry is not None and asked.status == Request.Status.OPEN
    effect = _(IF_DISQUALIFIED) if waits else ""
    title = _("Disqualify %(who)s") % {"who": who}
    return Words(title, effect, f"requests/{asked.pk}/disqualification/", seen_first=True)


def _pay(asked: Request, facts: _Facts) -> Words:
    who, code = _who(asked.body, facts)
    amount = money(asked.body.get("amount_cents"), facts.currency)
    title = _("Pay %(amount)s to %(who)s") % {"amount": amount, "who": who}
    return Words(title, _("The prize is paid at once, and only once."), f"entries/{code}/" if code else "")


def _take_back(asked: Request, facts: _Facts) -> Words:
    who, code = _who(asked.body, facts)
    amount = money(asked.body.get("amount_cents"), facts.currency)
    title = _("Take back the payment of %(amount)s to %(who)s") % {"amount": amount, "who": who}
    effect = _("The books then show the money in the drawer. Make sure that it is there.")
    effect += " " + _("The payment stays on record, and the prize can be paid again.")
    return Words(title, effect, f"pay/{code}/receipt/" if code else "")


def _supersede(asked: Request, facts: _Facts) -> Words:
    structure = structure_from_dict(asked.body["structure"])
    written = [
        [money(each, facts.currency) for each in amounts]
        if structure.kind == FIXED or amounts is structure.fixed
        else [percent(each) for each in amounts]
        for amounts in structure.lists
    ]
    said = [
        f"{ordinal(place)} {' + '.join(each)}"
        for place, each in enumerate(zip(*written, strict=True), start=1)
    ]
    title = _("Replace the payout structure by one that pays %(n)s places") % {"n": len(said)}
    effect = " · ".join([*said, *_ties_words(asked)])
    return Words(title, effect, "payouts/", evidence=" · ".join(said))


def _ties_words(asked: Request) -> list[str]:
    """Return what an open request would do to tied players (T33)."""
    if asked.event is None or asked.status != Request.Status.OPEN:
        return []
    rows = payouts_check(asked.event, asked.body["structure"]).rows
    return ties_words(ties_changed(asked.event, [row.prize_cents for row in rows]))


def _call_off(asked: Request, facts: _Facts) -> Words:
    effect = _("No prize is paid, and every buy-in is due to the player until it is handed out.")
    return Words(_("Call off the event"), effect, "call-off/")


def _redraw(asked: Request, facts: _Facts) -> Words:
    draw = facts.draws.get(int(asked.body.get("draw", 0)))
    title = _("Draw again instead of draw %(n)s") % {"n": draw.number if draw else "?"}
    effect = _(
        "The next secret is used, whose fingerprint was posted with the rules. "
        "The old draw stays public with the reason."
    )
    return Words(title, effect, "draw/")


def _correction(asked: Request, facts: _Facts) -> Words:
    """Return the corrected hand and the changes: the cut first, then stacks, prizes and ranks (T17).

    A correction can move the ranks of half the field; the page of the request shows each.
    """
    seen, hand = asked.body["seen"], asked.body["hand"]
    across_first = sorted(seen, key=lambda each: each["cut"][0] == each["cut"][1])
    moved = [(each["entry"], _moved(each, facts.currency, ranks=False)) for each in across_first]
    said = cut_differs_words(asked.body["differs"] or {}, facts.named)
    said += [f"{facts.named.get(code, code)}: {what}" for code, what in moved if what]
    # Earlier releases also named stacks that the ruling had not moved.
    said += [ruling_kept_words(each, facts.named) for each in asked.body["ruled"] if each["moved"]]
    ranks = sum(len(set(_ranks(each))) > 1 for each in seen)
    if ranks:
        words = ngettext("The rank of %(n)s player changes.", "The rank of %(n)s players changes.", ranks)
        said.append(words % {"n": ranks})
    effect = " · ".join(said)
    nothing = _("No stack, rank, cut or prize changes; only the record of the hand does.")
    title = _("%(round)s, table %(table)s: correct hand %(number)s of the closed round")
    if asked.body["void"]:
        title = _("%(round)s, table %(table)s: make hand %(number)s void, of the closed round")
    return Words(title % hand, effect or nothing, f"requests/{asked.pk}/correction/", seen_first=True)


def correction_words(asked: Request, code: str) -> str:
    """Return the changes of one entry by a correction as its asker saw them, and its side of the cut
    (T17)."""
    seen = [each for each in asked.body["seen"] if each["entry"] == code]
    said = [f"{code} {_moved(each, currency_of(asked.event) if asked.event else '')}" for each in seen]
    return _("Seen when it was asked for: %(said)s") % {
        "said": " · ".join([*said, *_cut_of_entry(asked.body, code)])
    }


def rank_and_cut_words(effects: Mapping[str, Any], code: str, currency: str) -> str:
    """Return the stored changes of one entry by a correction, without its stack; may be empty.

    ``effects``: ``seen`` and ``differs``, from the request or from the journal entry of its confirmation.
    """
    seen = [each for each in effects.get("seen", ()) if each["entry"] == code]
    moved = [_moved(each, currency, stack=False) for each in seen]
    return " · ".join(each for each in [*moved, *_cut_of_entry(effects, code)] if each)


def _cut_of_entry(effects: Mapping[str, Any], code: str) -> list[str]:
    differs = effects.get("differs") or {}
    return cut_differs_words({name: [code] for name in _SIDES if code in differs.get(name, ())}, {})


_SIDES = ("missed", "extra", "tied")


def _moved(seen: Mapping[str, Any], currency: str, *, stack: bool = True, ranks: bool = True) -> str:
    """Return the changes of one entry of a preview: ``stack 300 → 700, rank 8 → 1, Out → Advances``."""
    said = [
        _arrow(seen["chips"], chips, _("stack")) if stack else "",
        _arrow(_ranks(seen), str, _("rank")) if ranks else "",
        _arrow(seen["cut"], _side, ""),
        _arrow(seen["prize_cents"], lambda cents: _prize(cents, currency), _("prize as it stands")),
    ]
    return ", ".join(each for each in said if each)


def ruling_kept_words(ruled: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """Return what a ruling on the count has moved and a correction after the close keeps (T18).

    ``named``: code → name.
    """
    names = {"code": named.get(ruled["entry"], ruled["entry"]), "moved": signed(ruled["moved"])}
    words = _(
        "A ruling on the count has moved the stack of %(code)s by %(moved)s. The correction keeps that."
    )
    return words % names


def answering_words(event: Event | None) -> str:
    """Return who can answer a request (faults): in a rehearsal also its asker."""
    if event is not None and event.is_rehearsal:
        return _("In a rehearsal one person may confirm what they asked for; the journal says so.")
    return _("Nobody can confirm their own request.")


def cut_differs_words(
    differs: Mapping[str, Any], named: Mapping[str, str], *, now: bool = False
) -> list[str]:
    """Return which entries should or should not have advanced (T17): one sentence in a list, or none.

    ``now``: by the present record; else after the correction that the sentence belongs to. ``named``: code →
    name; other codes stand alone, as on the page of their own entry.
    """
    said = {
        "missed": _("%(codes)s should have advanced and did not"),
        "extra": _("%(codes)s should not have advanced, and did"),
        "tied": _("%(codes)s are tied at the cut, and the tie was not played off"),
    }
    about = {name: ", ".join(named.get(each, each) for each in differs.get(name, ())) for name in said}
    found = [said[name] % {"codes": about[name]} for name in said if about[name]]
    whole = _("By the present records, %(who)s.") if now else _("After the correction, %(who)s.")
    return [whole % {"who": "; ".join(found)}] if found else []


def _arrow(pair: Sequence[Any], words: Callable[[Any], str], what: str) -> str:
    before, after = pair
    return f"{what} {words(before)} → {words(after)}".strip() if before != after else ""


def _ranks(seen: Mapping[str, Any]) -> list[str]:
    """Return the rank in a preview before and after, with a sign if it is shared."""
    tied = seen.get("tied", (False, False))
    return [f"{'=' if level else ''}{rank or '–'}" for rank, level in zip(seen["rank"], tied, strict=True)]


def _prize(cents: int | None, currency: str) -> str:
    """Return the prize in a preview; a player who plays on has none yet."""
    return money(cents, currency) if cents is not None else _("plays on")


def _side(side: str) -> str:
    """Return the side of a cut or of a tie, in words."""
    plays_on, decided = _("Plays on"), _("Decided")
    tie = {Side.PLAYING: plays_on, Side.RANKED: decided, "": "–"}
    # Older journals have other words for a tie.
    tie |= {"in": _("Advances"), "open": plays_on, "placed": decided}
    return str(tie[side] if side in tie else state_word(side) or "–")


def _count_ruling(asked: Request, facts: _Facts) -> Words:
    """Return a ruling by box: both counts, the chips by the hands, the ruling, and the moved chips (T18)."""
    body, table = asked.body, facts.tables.get(asked.body["shoe"], "?")
    names = {"table": table, "round": capfirst(facts.rounds.get(body["round"], "?"))}
    title = _("%(round)s, table %(table)s: rule on the count") % names
    # The page of the count shows only the last shoe at a table.
    tail = f"tables/{table}/count/" if body["shoe"] in facts.shown else ""
    if body["shoe"] in facts.counted_anew:
        # A person who has to count now must not see the counts that were taken back.
        later = _("Its figures are shown once the table is counted again.")
        return Words(title, later, tail, evidence=later)
    disputed = [box for box in sorted(body["chips"], key=int) if _disputed(box, body)]
    approved = asked.status == Request.Status.APPROVED
    # A refused or lapsed ruling moves no stack.
    moves = approved or (asked.status == Request.Status.OPEN and why_lapsed(asked) is None)
    sat = facts.sat.get(asked.pk, {})
    said = " · ".join(
        capfirst(_ruled(box, body, sat.get(int(box), ""), not approved, moves)) for box in disputed
    )
    return Words(title, said, tail, evidence=said)


def _disputed(box: str, body: Mapping[str, Any]) -> bool:
    counted = [sheet.get(box) for sheet in body["counts"]]
    return box in body["moved"] or len({*counted, body["hands"].get(box, counted[0])}) > 1


def _ruled(box: str, body: Mapping[str, Any], who: str, only_asked: bool, moving: bool) -> str:
    counted = [sheet[box] for sheet in body["counts"]]
    said = ruled_words(box, counted, body["hands"].get(box), body["chips"][box], who=who, asked=only_asked)
    moves = _("stack %(before)s → %(after)s")
    figures = {"before": chips(body["before"][box]), "after": chips(body["chips"][box])}
    return f"{said}, {moves % figures}" if moving and box in body["moved"] else said


def _penalty_chips(asked: Request, facts: _Facts) -> Words:
    who, code = _who(asked.body, facts)
    title = _("Take %(chips)s chips from %(who)s") % {"chips": chips(asked.body["chips"]), "who": who}
    round_ = facts.rounds.get(asked.body["round"], "?")
    effect = _("A penalty: the chips go from the stack of %(round)s to the bank of the table.") % {
        "round": round_
    }
    effect += _stack_words(asked, facts, -asked.body["chips"])
    evidence = _("Chips of the stack of %(round)s.") % {"round": round_}
    return Words(title, effect, f"entries/{code}/" if code else "", evidence=evidence)


def _stack_words(asked: Request, facts: _Facts, by_chips: int) -> str:
    """Return the stack before and after while the request applies; hands settled meanwhile move both."""
    entry = facts.entries.get(asked.body["entry"])
    stack = stack_now(entry) if entry and asked.status == Request.Status.OPEN else None
    if stack is None or why_lapsed(asked) is not None:
        return ""
    figures = {"before": chips(stack.chips), "after": chips(stack.chips + by_chips)}
    return " " + _("The present stack: %(before)s → %(after)s.") % figures


def _penalty_back(asked: Request, facts: _Facts) -> Words:
    (who, code), given = _who(asked.body, facts), facts.penalties.get(asked.body["penalty"])
    names = {"chips": chips(given.chips) if given else "?", "who": who}
    effect = _("The penalty “%(why)s” is cancelled.") % {"why": given.reason if given else "?"}
    effect += _stack_words(asked, facts, given.chips if given else 0)
    about = {
        "why": given.reason if given else "?",
        "round": stage_named(given.round) if given and given.round else "?",
    }
    evidence = _("The penalty “%(why)s” of %(round)s.") % about
    title = _("Give %(chips)s chips back to %(who)s") % names
    return Words(title, effect, f"entries/{code}/" if code else "", evidence=evidence)


def _login_new(asked: Request, facts: _Facts) -> Words:
    names = {"name": asked.body["username"], "roles": ", ".join(asked.body["roles"])}
    title = _("A login for %(name)s: %(roles)s") % names
    effect = _("The person who asked then hands over a link with which %(name)s sets a password.")
    return Words(title, effect % names)


def _login_reset(asked: Request, facts: _Facts) -> Words:
    names = {"name": facts.users.get(asked.body["user"], "?")}
    effect = _(
        "The old password stops working at once. The person who asked then hands over a link that works once."
    )
    return Words(_("A new password for %(name)s") % names, effect)


def _login_roles(asked: Request, facts: _Facts) -> Words:
    body, name = asked.body, facts.users.get(asked.body["user"], "?")
    if not body["active"]:
        return Words(_("%(name)s no longer works here") % {"name": name}, _("The login is closed at once."))
    roles = [", ".join(body[when]) or _("none") for when in ("before", "roles")]
    said = _("The roles of %(name)s") if body["active_before"] else _("%(name)s works here again")
    effect = _("From %(before)s to %(after)s.") % {"before": roles[0], "after": roles[1]}
    return Words(said % {"name": name}, effect)


def _house_day(asked: Request, facts: _Facts) -> Words:
    title = _("The rules of the day limit")
    return Words(title, changes_words(asked.body["before"], asked.body["after"], facts.currency))


def _let_in(asked: Request, facts: _Facts) -> Words:
    who = facts.players.get(asked.body["player"], "?")
    effect = _("Turned away today; may buy in after all. The desk checks the person again.")
    return Words(_("Let %(who)s in") % {"who": who}, effect, f"desk/?player={asked.body['player']}")


def _player_correct(asked: Request, facts: _Facts) -> Words:
    title = _("Correct the record of %(who)s") % {"who": facts.players.get(asked.body["player"], "?")}
    effect = " · ".join(player_changes_words(facts.corrections[asked.pk]))
    return Words(title, effect, evidence=effect)


def player_changes_words(correction: PlayerCorrection) -> list[str]:
    """Return the changes of a person's record by field; the identity number itself is never shown."""
    labels = {
        "given_name": _("Given name"),
        "family_name": _("Family name"),
        "alias": _("Alias"),
        "birth_year": _("Year of birth"),
    }
    said = [
        f"{labels[field]}: {correction.before[field] or _('none')} → {after or _('none')}"
        for field, after in correction.after.items()
        if field in labels
    ]
    if "identity_digest" in correction.after:
        had_one = correction.before["identity_digest"]
        said.append(_("Identity number: another number") if had_one else _("Identity number: a first number"))
    return said


def _apart(asked: Request, facts: _Facts) -> Words:
    who = facts.players.get(asked.body["player"], "?")
    others = ", ".join(facts.players.get(each, "?") for each in asked.body["others"])
    effect = _(
        "Not the same person as %(others)s. Each of them may then spend a whole day limit. Years of "
        "birth and identity numbers are shown as typed at the desk: check the person's document."
    ) % {"others": others}
    return Words(_("%(who)s is a separate person") % {"who": who}, effect)


def _other(asked: Request, facts: _Facts) -> Words:
    return Words(asked.kind.replace("_", " ").capitalize(), "")


_WORDS = {
    "disqualify": _disqualify,
    "prize_pay": _pay,
    "prize_take_back": _take_back,
    "payouts_supersede": _supersede,
    "redraw": _redraw,
    COUNT_RULING: _count_ruling,
    PENALTY: _penalty_chips,
    PENALTY_BACK: _penalty_back,
    "call_off": _call_off,
    "correct_after_close": _correction,
    "house_day": _house_day,
    "player_let_in": _let_in,
    CORRECT: _player_correct,
    "players_apart": _apart,
    "login_new": _login_new,
    "login_reset": _login_reset,
    "login_roles": _login_roles,
}


def who_counts_words(event: Event) -> str:
    """Return who counts the chips of a table (T18); a rehearsal does not need two persons."""
    if event.is_rehearsal:
        return _("In a rehearsal one person may enter both counts.")
    return _("Two people count every box; neither sees the other's figures.")
