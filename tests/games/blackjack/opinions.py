"""The engine beside the second opinion: what both must say of the same round, seed by seed."""

import json
from random import Random
from typing import Any

from games.blackjack.deal import (
    CardBurned,
    CardDrawn,
    CardExposed,
    Deal,
    Decision,
    HoleCard,
    InsuranceClosed,
    Legal,
    LookedUnder,
    NotDealt,
    Op,
    apply,
    deal_record,
    deal_replay,
    deal_start,
    legal,
    op_from_dict,
    op_to_dict,
    undo,
)
from games.blackjack.record import answer, rules_of, settle
from games.blackjack.taps import taps_of
from tests.games.blackjack.deals import refusal
from tests.games.blackjack.second_opinion import Round
from tests.games.blackjack.second_sheets import INSURING, is_21_in_two

CODES = {
    *("bad_record", "unknown_rules", "bad_limits", "bad_options", "decks_not_allowed", "bad_card"),
    *("impossible_card", "no_bets", "bad_seat", "bet_below_minimum", "bet_above_maximum"),
    *("bet_not_in_increment", "side_bet_not_offered", "side_bet_amount", "not_enough_chips"),
    *("insurance_not_offered", "insurance_amount", "insurance_closed", "even_money_not_offered"),
    *("out_of_turn", "unknown_action", "hit_not_allowed", "double_not_allowed", "double_amount"),
    *("split_not_allowed", "surrender_not_allowed", "decisions_missing", "decisions_left_over"),
    *("cards_missing", "cards_left_over", "players_not_allowed", "unknown_player"),
    *("irregularity_not_known", "irregularity_impossible"),
}
GOES_ON = {None, "cards_missing", "decisions_missing", "cards_left_over", "irregularity_impossible"}
"""What a record cut off after a legal decision may be told."""


def check_round(seed: int) -> None:
    """One round: the answer, what is allowed and what is not, and what becomes of it when it is spoilt."""
    played = Round(Random(seed)).play()
    record = played.record()
    want = played.answer()
    assert answer(record) == {"id": None, **want}, seed
    for at, word, allowed in played.tries:
        code = answer({**record, "decisions": [*record["decisions"][:at], word]}).get("error")
        assert (code in GOES_ON) == allowed, (seed, at, word, code)
        assert code is None or code in CODES
    check_conservation(played, want, seed)
    check_spoilt(json.loads(json.dumps(record)), Random(seed))


def check_conservation(played: Round, want: dict[str, Any], seed: int) -> None:
    """A4, A6: nobody loses more than was put up or had; the answer's parts add up to its nets."""
    for box in played.boxes:
        seat = str(box.seat)
        parts = sum(hand["net"] for hand in want["hands"][seat])
        parts += want.get("insurance", {}).get(seat, 0) + want.get("side_bets", {}).get(seat, 0)
        assert want["net"][seat] - parts in (0, box.owner.line), seed
        nets = [each["net"] for each in want.get("players", {}).get(seat, [{"net": want["net"][seat]}])]
        for who, net in zip(box.whos, nets, strict=True):
            assert -net <= who.up, seed
            assert who.stack is None or who.up - who.back <= who.stack, seed


# -- spoilt records ----------------------------------------------------------------------------------

WRONG: list[Any] = [
    *(None, True, 7, -5, 10**30, 2.5, "x", "JK", ""),
    *([], {}, [[]], {"1": 5}, ["Ah"], {"seat": 1}),
]


def check_spoilt(record: dict[str, Any], random: Random) -> None:
    """Whatever is changed in a record, it is settled or refused with a code, and the answer is JSON."""
    _spoil(record, random)
    got = answer(record)
    json.dumps(got)
    if "error" in got:
        assert got["error"] in CODES, record
        assert got["message"].endswith("."), record


def _spoil(value: Any, random: Random) -> None:
    """Change one thing somewhere in ``value``."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = random.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and random.random() < 0.7:
        _spoil(value[key], random)
        return
    match random.randrange(4):
        case 0:
            del value[key]
        case 1 if isinstance(value, list):
            value.insert(key, value[key])
        case 2 if isinstance(value, list):
            random.shuffle(value)
        case _:
            value[key] = random.choice(WRONG)


# -- the same at a table -----------------------------------------------------------------------------


class Live:
    """A round of the second opinion played at a table as it goes along, and compared at every decision."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.round = Round(Random(seed))
        self.round.watch = self.compare
        self.opening: Deal | None = None

    def check(self) -> None:
        """Play it, and compare what came of it."""
        self.round.play()
        want = self.round.answer()
        deal = self.deal(final=True)
        assert deal.needs.kind == "done", self.seed
        assert deal.answer == want, self.seed
        again = json.loads(json.dumps(deal_record(deal)))
        assert settle(again) == {"id": None, **want}, self.seed
        if not self.round.irregular and "players" not in again:
            tapped = [op for op in deal.ops if not (isinstance(op, Decision) and op.action == "hit")]
            assert taps_of(again) == [op_to_dict(op) for op in tapped], self.seed
        if not self._burned_under_the_hole_card():
            assert again["cards"] == self.round.cards, self.seed
        ops = [op_from_dict(json.loads(json.dumps(op_to_dict(op)))) for op in deal.ops]
        by_box = {name: getattr(deal, name) for name in ("side_bets", "line_chips", "players")}
        assert deal_replay(deal.rules, deal.bets, deal.stacks, ops, **by_box) == deal, self.seed
        assert apply(undo(deal), deal.ops[-1]) == deal, self.seed

    def _burned_under_the_hole_card(self) -> bool:
        """The hole card goes down unseen, so a card burned just before it is written just after it."""
        before = (self.round.hole_at or 0) - 1
        return any(each["kind"] == "face_up" and each["card"] == before for each in self.round.irregular)

    def start(self) -> Deal:
        if self.opening is None:
            written = self.round.record()
            by_box = {
                name: {int(seat): value for seat, value in written[name].items()} if name in written else None
                for name in ("bets", "stacks", "side_bets", "line_chips", "players")
            }
            bets, stacks = by_box.pop("bets"), by_box.pop("stacks")
            assert bets is not None
            self.opening = deal_start(rules_of(written), bets, stacks, **by_box)
        return self.opening

    def deal(self, *, final: bool) -> Deal:
        """The deal as far as the round has come."""
        made = self.start()
        round_ = self.round
        exposures = {e["card"]: e for e in round_.irregular if e["kind"] == "misdealt"}
        burned = {each["card"] for each in round_.irregular if each["kind"] == "face_up"}
        too_many = [each["card"] for each in round_.irregular if each["kind"] == "dealer_extra"]
        numbers = [n for n in range(1, len(round_.cards) + 1) if n != round_.hole_at and n not in too_many]
        decisions = list(round_.decisions)
        total = len(decisions)
        for each in round_.irregular:
            if each["kind"] == "not_dealt" and made.needs.kind != "done":
                made = apply(made, NotDealt(each["seat"]))
        while made.needs.kind != "done":
            op = self._op(made, numbers, burned, exposures, decisions, total - len(decisions), final)
            if op is None:
                return made
            made = apply(made, op)
        for number in too_many:
            made = apply(made, CardBurned(round_.cards[number - 1]))
        return made

    def _op(
        self,
        deal: Deal,
        numbers: list[int],
        burned: set[int],
        exposures: dict[int, dict[str, Any]],
        decisions: list[dict[str, Any]],
        made: int,
        final: bool,
    ) -> Op | None:
        round_ = self.round
        if deal.needs.kind == "look":
            return LookedUnder(is_21_in_two(round_.dealer))
        if deal.needs.kind == "card" and deal.needs.step == "dealer" and decisions:
            return op_of(decisions.pop(0))
        if deal.needs.kind == "card" and deal.needs.hole:
            assert round_.hole_at is not None
            return HoleCard(round_.cards[round_.hole_at - 1])
        if deal.needs.kind == "card":
            if not numbers:
                return None
            number = numbers.pop(0)
            return (CardBurned if number in burned else CardDrawn)(round_.cards[number - 1])
        if deal.needs.step == "insurance":
            if not (decisions and decisions[0]["action"] in INSURING):
                # What is decided in play was decided after insurance was closed for the moment.
                return InsuranceClosed() if final or decisions or round_.current is not None else None
        elif numbers and numbers[0] in exposures and made >= exposures[numbers[0]]["after"]:
            number = numbers.pop(0)
            return CardExposed(round_.cards[number - 1], tuple(exposures[number]["refused"]))
        return op_of(decisions.pop(0)) if decisions else None

    def compare(self) -> None:
        """At a decision: what the engine offers is what the second opinion allows, and nothing else."""
        if any(each["kind"] == "not_dealt" for each in self.round.irregular):
            return
        deal = self.deal(final=False)
        at_the_last = deal.needs.kind == "card" and deal.needs.step == "dealer"
        if not (deal.needs.kind == "decision" or at_the_last) or (
            self.round.current is None and deal.needs.step == "play"
        ):
            # Nobody has anything to take, so the engine closed the offer by itself.
            return
        offers = legal(deal)
        for word in self.words(offers):
            allowed = self.allowed(word)
            assert is_offered(word, offers, self.round) == allowed, (self.seed, word, offers)
            code = refusal(deal, op_of(word))
            assert (code is None) == allowed, (self.seed, word, code)
            assert code is None or code in (CODES | {"not_now"}), (self.seed, word)

    def allowed(self, word: dict[str, Any]) -> bool:
        if self.round.current is None:
            return word["action"] in INSURING and self.round.may_insure(word)
        return self.round.may(word)

    def words(self, offers: list[Legal]) -> list[dict[str, Any]]:
        """Every offer at its bounds and beyond them, and a few that come from nowhere."""
        words = [self.round._attempt() for _ in range(4)]
        if self.round.current is None:
            everyone = [
                (box, who, action) for box in self.round.boxes for who in box.whos for action in INSURING
            ]
            words += [self.round._insurance_word(*each) for each in everyone]
        else:
            words += [
                word
                for action in ("double", "split")
                for word in self.round._words(*self.round.current, action)
            ]
        for offer in offers:
            if offer.seat is None:
                continue
            word: dict[str, Any] = {"seat": offer.seat, "action": offer.action}
            word |= {"player": offer.player} if offer.player else {}
            if offer.min_chips is None or offer.action == "split":
                words.append(word)
                words += [word | {"with": {name: low}} for name, low, _ in offer.along]
                continue
            assert offer.max_chips is not None
            assert offer.step_chips is not None
            low, high, step = offer.min_chips, offer.max_chips, offer.step_chips
            words += [word | {"amount": chips} for chips in (low, high, low - step, high + step, low + 1)]
            for name, least, most in offer.along:
                words += [
                    word | {"amount": low, "with": {name: chips}} for chips in (least, most, most + step, 0)
                ]
        return words


def op_of(word: dict[str, Any]) -> Decision:
    along = tuple(word.get("with", {}).items())
    return Decision(word["seat"], word["action"], word.get("amount"), word.get("player"), along)


def is_offered(word: dict[str, Any], offers: list[Legal], round_: Round) -> bool:
    """Whether ``offers`` has this decision."""
    action, named = word["action"], word.get("player")
    box = next((box for box in round_.boxes if box.seat == word["seat"]), None)
    if box is None:
        return False
    if len(box.whos) == 1 and action not in INSURING:
        named = None
    if action in INSURING and len(box.whos) > 1 and named == box.owner.name:
        named = None
    if action not in INSURING and round_.current is not None and named == round_.current[1].who()[0]:
        named = None
    offer = next((o for o in offers if (o.seat, o.action, o.player) == (word["seat"], action, named)), None)
    if offer is None:
        return False
    along = {name: (least, most) for name, least, most in offer.along}
    if action in ("double", "split"):
        for name, chips in word.get("with", {}).items():
            least, most = along.get(name, (1, 0))
            if not least <= chips <= most or chips % round_.chip:
                return False
    if offer.min_chips is None or action == "split":
        return True
    assert offer.max_chips is not None
    assert offer.step_chips is not None
    chips = word.get("amount")
    if chips is None:
        # Without an amount a double is for the whole bet; an insurance always says its own.
        whole = round_.current is not None and round_.current[1].bets[round_.current[1].who()[0]][0]
        return action == "double" and offer.max_chips == whole
    fits = (chips - offer.min_chips) % offer.step_chips == 0
    return fits and offer.min_chips <= chips <= offer.max_chips
