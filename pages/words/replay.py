"""A replayed hand in words: its steps, and the reason and clause of each result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.blackjack.boxes import BUST, EVEN_MONEY, NATURAL, PAID, SURRENDERED, Box, Hand
from games.blackjack.play import Play
from games.blackjack.rules import HouseRules
from games.blackjack.settlement import dealer_score
from games.protocol import HandSummary
from pages.replay import BoxPicture, HandPicture, Replay, Step
from tournament.figures import chips, signed

# -- Steps ------------------------------------------------------------------------------------------------


def step_title(step: Step) -> str:
    """Return the step in a few words: ``Box 3 doubles for 400``."""
    words = {
        "bets": _("The bets are placed"),
        "hole": _("The dealer takes a card face down"),
        "turned": _("The dealer turns the hidden card over"),
        "burned": _("A card is burned"),
        "refused": _("A card dealt in error is refused"),
        "settled": _("The hand is settled"),
    }
    match step.kind:
        case "looked":
            return _("The dealer checks: blackjack") if step.natural else _("The dealer checks: no blackjack")
        case "card":
            return (
                _("The dealer takes a card")
                if step.box is None
                else _box_words(step, _("%(who)s gets a card"))
            )
        case "decision":
            return _decided(step)
    return words[step.kind]


def _decided(step: Step) -> str:
    words = {
        "insurance": _("%(who)s insures for %(chips)s"),
        "even_money": _("%(who)s takes even money"),
        "stand": _("%(who)s stands"),
        "hit": _("%(who)s hits"),
        "double": _("%(who)s doubles"),
        "split": _("%(who)s splits"),
        "surrender": _("%(who)s surrenders"),
    }[step.action]
    if step.action == "double" and step.amount_chips is not None:
        words = _("%(who)s doubles for %(chips)s")
    return _box_words(step, words)


def _box_words(step: Step, words: str) -> str:
    who = _("Box %(n)s (%(name)s)") if step.player else _("Box %(n)s")
    named = who % {"n": step.box, "name": step.player}
    return words % {"who": named, "chips": chips(step.amount_chips or 0)}


def step_note(step: Step) -> str:
    """Return the note beside a step: a card dealt in error, a joker, which hand of a split."""
    notes = {
        "face_up": _("It lay face up in the shoe."),
        "misdealt": _("It was dealt in error and is used as the next card."),
        "extra": _("It was one card too many and is used as the next card."),
        "dealer_extra": _("It was dealt to the dealer's hand, which was already complete."),
        "hole_turned": _("It was turned too early and stays face up."),
    }
    said = [notes[step.mishap]] if step.mishap else []
    if "JK" in step.cards:
        said.append(_("The joker is put beside the box, and the next card takes its place."))
    box = next((each for each in step.boxes if each.box == step.box), None)
    if box is not None and len(box.hands) > 1 and step.hand is not None:
        said.append(pgettext("cards", "Hand %(n)s of %(all)s.") % {"n": step.hand + 1, "all": len(box.hands)})
    return " ".join(said)


# -- Settlement -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Why:
    """The reason of a result: codes of sentences, their figures, and the clause for the staff.

    The clause is a row of the house rules, or A1 to A8.
    """

    codes: tuple[str, ...]
    clause: str
    figures: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ResultLine:
    """One part of a box's result. ``kind``: hand, insurance, side_bets or line_chip.

    ``what``: the kind in words; ``why``: the sentences of its ``codes``.
    """

    box: int
    kind: str
    what: str
    cards: tuple[str, ...]
    total: int | None
    codes: tuple[str, ...]
    why: str
    clause: str
    net_chips: int


@dataclass(frozen=True)
class BoxTotal:
    """The result of a box in chips, and its parts."""

    box: int
    net_chips: int
    lines: tuple[ResultLine, ...]
    notes: tuple[str, ...]
    others: tuple[tuple[str, int], ...]


def settlement(replay: Replay) -> list[BoxTotal]:
    """Return the results by box and hand, with the clauses that decided them."""
    return [_box_total(replay, int(box)) for box in replay.answer["net"]]


def _box_total(replay: Replay, number: int) -> BoxTotal:
    answer, play = replay.answer, replay.play
    box = next((each for each in play.boxes if each.seat == number), None) if play else None
    lines = tuple(_lines(replay, play, box)) if play is not None and box is not None else ()
    on_line = answer.get("line_chip", {}).get(str(number))
    notes = []
    if box is None:
        notes.append(_("The box got no cards: its bet is returned."))
    if on_line:
        notes.append(_("%(chips)s in chips stay on the line for the next hand.") % {"chips": chips(on_line)})
    others = [(each["name"], each["net"]) for each in answer.get("players", {}).get(str(number), ())]
    return BoxTotal(number, answer["net"][str(number)], lines, tuple(notes), tuple(others))


def _lines(replay: Replay, play: Play, box: Box) -> Iterator[ResultLine]:
    """Yield the results of hands, insurance, side bets and line chip; together they are the net of the
    box."""
    answer, seat = replay.answer, str(box.seat)
    score = dealer_score(play)
    found = answer["hands"][seat]
    for at, (hand, settled) in enumerate(zip(box.hands, found, strict=True)):
        several = pgettext("cards", "Hand %(n)s") % {"n": at + 1}
        what = several if len(found) > 1 else pgettext("cards", "Hand")
        why = hand_why(play, box, hand, score, left=at == 0)
        yield _line(box, "hand", why, settled["net"], what=what, cards=settled["cards"], total=hand.total)
    insured = answer.get("insurance", {}).get(seat)
    if insured is not None:
        code = "insurance_won" if insured > 0 else "insurance_lost"
        yield _line(box, "insurance", Why((code,), "A4"), insured, what=_("Insurance"))
    side_bets = answer.get("side_bets", {}).get(seat)
    if side_bets is not None:
        yield _line(box, "side_bets", Why(("side_bets",), "24"), side_bets, what=_("Side bets"))
    if box.line_chip:
        hands_net, beside_net = sum(each["net"] for each in found), int(insured or 0) + int(side_bets or 0)
        yield _line_chip(replay, box, hands_net, beside_net)


def _line(
    box: Box,
    kind: str,
    why: Why,
    net_chips: int,
    *,
    what: str,
    cards: Sequence[str] = (),
    total: int | None = None,
) -> ResultLine:
    return ResultLine(
        box.seat, kind, what, tuple(cards), total, why.codes, why_words(why), why.clause, net_chips
    )


def _line_chip(replay: Replay, box: Box, hands_net: int, beside_net: int) -> ResultLine:
    """Return the result of the chip on the line: the rest of the box's net."""
    won = replay.answer["net"][str(box.seat)] - hands_net - beside_net
    code = "line_to_house"
    if won:
        code = "line_to_player"
    elif str(box.seat) in replay.answer.get("line_chip", {}) and hands_net == 0:
        code = "line_stays"
    return _line(box, "line_chip", Why((code,), "23"), won, what=_("Chip on the line"))


def why_words(why: Why) -> str:
    """Return the sentences of a reason in the language of the page."""
    words = {
        "over_21": _("Over 21: the bet is lost."),
        "natural_at_once": _("Blackjack, paid at once at %(won)s:%(bet)s."),
        "natural_push": _("Blackjack against blackjack is a push."),
        "natural_late": _("Blackjack, paid at %(won)s:%(bet)s after the dealer's hand."),
        "even_money": _("Even money: blackjack against the dealer's ace, paid 1:1."),
        "surrendered": _("Surrendered: half of the bet is lost."),
        "half_for_house": _("The half chip is rounded in favour of the house."),
        "half_for_player": _("The half chip is rounded in favour of the player."),
        "dealer_natural": _("The dealer's blackjack beats every other hand."),
        "late_original_only": _(
            "The dealer turned over blackjack after play: only the original bet is lost."
        ),
        "late_original": _("The dealer turned over blackjack after play: the original bet is lost."),
        "late_all": _("The dealer turned over blackjack after play: every bet is lost."),
        "dealer_over_21": _("The dealer is over 21: %(mine)s wins."),
        "push": _("%(mine)s against %(dealers)s is a push."),
        "won": _("%(mine)s beats %(dealers)s."),
        "lost": _("%(mine)s loses to %(dealers)s."),
        "insurance_won": _("The dealer has blackjack: insurance pays 2:1."),
        "insurance_lost": _("The dealer has no blackjack: insurance is lost."),
        "side_bets": _("Twins and Crazy Twins together."),
        "line_to_player": _("The chip on the line goes to the player."),
        "line_stays": _("A push: the chip stays on the line."),
        "line_to_house": _("The chip on the line goes to the house."),
    }
    return " ".join(words[code] % why.figures for code in why.codes)


def hand_why(play: Play, box: Box, hand: Hand, score: int, *, left: bool) -> Why:
    """Return the reason of the result of an owner's hand."""
    rules = play.rules
    pays = {"won": rules.natural_pays[0], "bet": rules.natural_pays[1]}
    state = SURRENDERED if hand.given_up else EVEN_MONEY if box.even_money else hand.state
    if state == BUST:
        return Why(("over_21",), "A4")
    if state == PAID:
        return _natural_why(rules, hand.bet, Why(("natural_at_once",), "6, 7", pays))
    if state == NATURAL:
        if play.dealer_natural:
            return Why(("natural_push",), "A4")
        return _natural_why(rules, hand.bet, Why(("natural_late",), "6, 7", pays))
    if state == EVEN_MONEY:
        return Why(("even_money",), "11")
    if state == SURRENDERED:
        rounded = rules.surrender_loss(hand.bet) * 2 != hand.bet
        why = Why(("surrendered",), "20")
        return _rounded(rules, why) if rounded else why
    return _against_dealer(play, hand, score, left)


def _natural_why(rules: HouseRules, bet_chips: int, why: Why) -> Why:
    """Add the rounding rule if a natural's pay was rounded; with line chips (row 23) it never is."""
    over, under = rules.natural_pays
    if rules.line_chip or rules.natural_pay(bet_chips) * under == bet_chips * over:
        return why
    return _rounded(rules, why)


def _rounded(rules: HouseRules, why: Why) -> Why:
    """Return the reason with the rounding rule added: half a chip goes to the house or the player (row 23,
    A7)."""
    code = "half_for_house" if rules.halves == "house" else "half_for_player"
    return replace(why, codes=(*why.codes, code), clause=f"{why.clause}, 23")


def _against_dealer(play: Play, hand: Hand, score: int, left: bool) -> Why:
    if play.dealer_natural:
        if play.looked:
            return Why(("dealer_natural",), "A4")
        if play.rules.late_natural == "original":
            return Why(("late_original_only" if not left or hand.extra else "late_original",), "22")
        return Why(("late_all",), "22")
    code = "push" if hand.total == score else "won" if hand.total > score else "lost"
    if score == 0:
        code = "dealer_over_21"
    return Why((code,), "A4", {"mine": hand.total, "dealers": score})


def outcome_words(summary: HandSummary) -> str:
    """Return the outcome of a hand entered by its result, in words; other games' words stay as they are."""
    words = {
        "win": _("Won"),
        "win doubled": _("Doubled and won"),
        "lose": _("Lost"),
        "lose doubled": _("Doubled and lost"),
        "push": _("Push"),
        "push doubled": _("Doubled, push"),
        "natural": _("Blackjack"),
        "even money": _("Even money"),
        "surrender": _("Surrendered"),
        "not dealt": _("No cards"),
    }
    for_less = {
        "win doubled": _("Doubled for %(chips)s and won"),
        "lose doubled": _("Doubled for %(chips)s and lost"),
        "push doubled": _("Doubled for %(chips)s, push"),
    }
    if summary.less_chips:
        return for_less[summary.word] % {"chips": chips(summary.less_chips)}
    return words.get(summary.word, summary.word)


# -- The felt -----------------------------------------------------------------------------------------------


def hand_shown(hand: HandPicture, *, active: bool) -> dict[str, Any]:
    """Return a hand for the felt: cards, total (soft while it can change), and state."""
    words = {"bust": _("bust"), "surrendered": _("surrendered")}
    soft = _("soft %(n)s") % {"n": hand.total} if hand.soft and hand.state in ("waiting", "playing") else ""
    return {
        "cards": hand.cards,
        "total": soft or hand.total,
        "label": words.get(hand.state, ""),
        "active": active,
    }


def box_label(picture: BoxPicture, total: BoxTotal | None) -> tuple[str, str]:
    """Return the pill of a box: its result, or its state."""
    if picture.not_dealt:
        return _("No cards"), ""
    if total is not None:
        net = total.net_chips
        # A lost hand with won insurance also nets 0, but is no push.
        label = signed(net) if net or any(line.net_chips for line in total.lines) else _("Push")
        return label, "gain" if net > 0 else "loss" if net < 0 else ""
    if len(picture.hands) == 1:
        words = {
            "stood": (_("Stands"), ""),
            "bust": (_("Bust"), "loss"),
            "surrendered": (_("Surrendered"), ""),
            "natural": (_("Blackjack"), "brass"),
            "paid": (_("Blackjack, paid"), "brass"),
            "even_money": (_("Even money"), "brass"),
        }
        if picture.hands[0].state in words:
            return words[picture.hands[0].state]
    if picture.insurance_chips:
        return _("Insured for %(chips)s") % {"chips": chips(picture.insurance_chips)}, ""
    return "", ""
