"""The protocol of a game, for the tournament and its tables, the same for all games (ADR 21).

A game is a folder here and an object of ``Game``. Code above knows rules, hands and records only through this
module. Amounts are whole chips; chance is an argument. A hand record and an answer are JSON:

* a record has ``rules`` (the sheet), ``bets``, and if they are known ``stacks``, ``cards`` in the order in
  which they left the shoe, ``decisions`` (``{"seat", "action"}``, with an ``amount`` if it takes chips),
  and ``line_chips`` if a game lets chips lie over to a box's next hand;
* an answer has ``net``: box → the change of its stack; if the game has them ``hands``, ``dealer``,
  ``insurance`` and ``line_chip``, box → the chips that now lie over;
* an operation, one tap at the table, is ``{"op": "card", "card": "8h"}``, a decision
  ``{"op": "decision", "seat": 1, "action": "hit"}``, or one of the game's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from games.bets import Wrong
from games.rule_text import Row, RuleText, Several
from ground.chance import Stream
from ground.refused import Refused

Json = dict[str, Any]
ByBox = Mapping[int, int]
"""Box → chips."""


# -- Rules -----------------------------------------------------------------------------------------------


class Rules(Protocol):
    """The rules of the hand at one table, frozen. ``game`` is the game's name, ``name`` the sheet's.

    ``line_chip``: whether chips may lie on a box's line from one of its hands to the next.
    """

    @property
    def game(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def decks(self) -> int: ...
    @property
    def decks_allowed(self) -> tuple[int, ...]: ...
    @property
    def min_chips(self) -> int: ...
    @property
    def max_chips(self) -> int: ...
    @property
    def step_chips(self) -> int: ...
    @property
    def chip_chips(self) -> int: ...
    @property
    def limits(self) -> dict[str, int]: ...
    @property
    def line_chip(self) -> bool: ...

    def to_dict(self) -> Json:
        """Return all settings as JSON values, for an event to store and hash.

        ``game`` is among them, except for the first game, whose snapshots are older than the second game.
        """
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a director. ``row``: of the house-rule table; ``default``: the value of the sheet.

    ``sentences``: the rule at the table for each of ``values``, in the same order. The default is left out of
    a record, and must be if it is None (no limit).
    """

    name: str
    row: int
    values: tuple[object, ...]
    default: object
    question: str
    sentences: tuple[str, ...]

    def sentence(self, value: object) -> str:
        """Return the rule at the table with ``value``."""
        return self.sentences[self.values.index(value)]


# -- A hand on the table ---------------------------------------------------------------------------------


class Need(Protocol):
    """The next input of a hand. ``kind``: "card", "decision", "done", or one of the game's own.

    ``behind``: how many hands the box has after the one that plays, if it has split.
    """

    @property
    def kind(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def behind(self) -> int: ...


class Hand(Protocol):
    """A hand so far, which never changes: requests share it. ``cards``: the cards known to have left the
    shoe, in order."""

    @property
    def needs(self) -> Need: ...
    @property
    def cards(self) -> tuple[str, ...]: ...


class Legal(Protocol):
    """One legal decision: for chips, any multiple of ``step_chips`` from ``min_chips`` to ``max_chips``."""

    @property
    def seat(self) -> int | None: ...
    @property
    def action(self) -> str: ...
    @property
    def min_chips(self) -> int | None: ...
    @property
    def max_chips(self) -> int | None: ...
    @property
    def step_chips(self) -> int | None: ...


@dataclass(frozen=True)
class HandSummary:
    """One hand of a box: its cards (none if results were entered), its result in a word, its net chips.

    ``less_chips``: the chips of a double for less than the bet, else 0.
    """

    cards: tuple[str, ...]
    word: str
    net_chips: int | None
    less_chips: int = 0


# -- The plain page --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One outcome of a box in the plain results form: ``key`` taps it."""

    value: str
    words: str
    key: str
    outcome: Json


@dataclass(frozen=True, slots=True)
class BoxShown:
    """A box in a hand: its cards, a word, and after the settlement its net chips."""

    cards: tuple[str, ...] = ()
    word: RuleText | str = ""
    net_chips: int | None = None


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand on the table: the next need or the result, the boxes, the cards in the middle."""

    text: RuleText | str
    boxes: Mapping[int, BoxShown]
    middle: tuple[str, ...] = ()


# -- Bots ------------------------------------------------------------------------------------------------


class Cards(Protocol):
    """A simulated shoe; ``cut`` cards lie before the cut card."""

    @property
    def cut(self) -> int: ...
    def cut_is_out(self, dealt: int) -> bool:
        """Whether the cut card is out once ``dealt`` cards, including burned ones, are gone."""
        ...


@dataclass(frozen=True, slots=True)
class BetSight:
    """What a player sees before betting. ``target_chips``: the stack at the rank that must be reached in the
    whole field; ``rival_chips``: the nearest rival's stack; ``rival_bet_chips``: the rival's bet if it is
    made already; ``hands_left``: including this one, None if unknown."""

    stack_chips: int
    target_chips: int
    rival_chips: int
    rival_bet_chips: int | None = None
    hands_left: int | None = None


# -- The game --------------------------------------------------------------------------------------------

R = TypeVar("R", bound=Rules)
H = TypeVar("H", bound=Hand)


class Game(Protocol[R, H]):
    """One game. Methods that refuse raise ``Refused`` with a code and a sentence, and change nothing."""

    @property
    def name(self) -> str:
        """The name of the game in the snapshot of an event's rules."""
        ...

    @property
    def sheets(self) -> Mapping[str, R]:
        """Its rule sheets by name; the names are unique across games."""
        ...

    @property
    def burned_cards(self) -> int:
        """The number of cards that leave a shoe before its first hand (T11)."""
        ...

    @property
    def actions(self) -> Mapping[str, str]:
        """Its decisions in a record → their labels on buttons."""
        ...

    @property
    def cards_a_box(self) -> float:
        """About how many cards a box, or the dealer, takes per hand; used to estimate the hands left in a
        shoe."""
        ...

    # Rules and options

    def rules_make(
        self, sheet: object, *, decks: object = None, limits: object = None, options: object = None
    ) -> R:
        """Return a sheet with an event's decks, limits and options; None keeps those of the sheet (T10, T12,
        T16)."""
        ...

    def rules_limited(self, of: R, limits: Mapping[str, int]) -> R:
        """Return the rules with other bet limits, which ``limits_wrong`` has accepted (F5)."""
        ...

    def rules_frozen(self, snapshot: Mapping[str, Any]) -> R | None:
        """Return the rules that ``to_dict`` wrote, including older versions; None if there are none."""
        ...

    def rules_record(self, rules: R) -> Json:
        """Return the fields of a hand record for these rules."""
        ...

    def rules_of(self, record: Mapping[str, Any]) -> R:
        """Return the rules in the fields of a record."""
        ...

    def options(self, sheet: R) -> Sequence[Option]:
        """Return the options of a director on a sheet, in the order of the rows (T16)."""
        ...

    def options_differing(self, sheet: R, chosen: Mapping[str, object]) -> dict[str, object]:
        """Return the options in ``chosen`` (option → value) that differ from the sheet."""
        ...

    def limits_wrong(self, limits: Mapping[str, int], of: R | None, most_chips: int) -> list[Wrong]:
        """Return the mistakes in a table's limits: one per limit, none if they can be played (A7, T12).

        ``of``: the sheet with the event's options, whatever its limits; None if there are no such rules.
        """
        ...

    # Words

    @property
    def rows(self) -> Sequence[Row]:
        """The rows of its table of house rules."""
        ...

    def posted(self, rules: R) -> Sequence[RuleText]:
        """Return every rule of the hand in the order of play, except decks and bets, which belong to the
        event."""
        ...

    def decks_and_bets(self, rules: R) -> Sequence[RuleText]:
        """Return the rows of decks and bets, as the set-up shows them beside the others."""
        ...

    def shoe_rule(self, rules: R) -> RuleText:
        """Return the rule on the length of a shoe and the burned cards (T11)."""
        ...

    def glance(self, rules: R) -> RuleText | Several:
        """Return the rules that distinguish a sheet from the others."""
        ...

    def silent(self, sheet: str) -> Mapping[int, str]:
        """Return the rows on which a sheet is silent ("D"), or incomplete ("S, D")."""
        ...

    # A hand card by card: verify, legal, apply

    def hand_start(self, rules: R, bets: ByBox, stacks: ByBox, *, line_chips: ByBox | None = None) -> H:
        """Return a hand with the bets down and no card out, or refuse the bets (T12, A6)."""
        ...

    def hand_replay(
        self, rules: R, bets: ByBox, stacks: ByBox, ops: Iterable[Json], *, line_chips: ByBox | None = None
    ) -> H:
        """Return the hand after all of ``ops``, from the start; the first impossible one is refused."""
        ...

    def legal(self, hand: H) -> Sequence[Legal]:
        """Return every decision that would be accepted now; empty while another input is needed."""
        ...

    def op_checked(self, op: Mapping[str, Any]) -> Json:
        """Return an operation in the form that is stored. Raises Refused ``bad_operation`` for anything
        else."""
        ...

    @property
    def ruled_ops(self) -> Collection[str]:
        """The operations for irregularities that are played on by a ruling: never a plain tap."""
        ...

    def op_meant(self, hand: H, op: Json) -> Sequence[Json]:
        """Return the operations that a tap means now: itself, or with it the decision that it implies."""
        ...

    def op_words(self, op: Mapping[str, Any]) -> str:
        """Return a phrase for an operation."""
        ...

    def hand_record(self, hand: H) -> Json:
        """Return the record of a finished hand. Raises Refused ``deal_not_done`` before that."""
        ...

    # Settling

    def settle(self, record: object) -> Json:
        """Return the answer to a hand record, checked and replayed."""
        ...

    def settle_put_up(self, record: object) -> tuple[Json, Mapping[str, int]]:
        """Return the answer, and box → the chips put up, which its stack had to cover."""
        ...

    def answer(self, record: object) -> Json:
        """Return the answer, or ``id``, ``error`` and ``message``; never raises."""
        ...

    def results_settle(
        self,
        rules: R,
        bets: ByBox,
        stacks: ByBox | None,
        outcomes: Mapping[int, Mapping[str, Any]],
        *,
        line_chips: ByBox | None = None,
    ) -> Json:
        """Return the answer to a hand with known outcomes only, box by box, if they are possible."""
        ...

    def net_bounds(self, rules: R, bet_chips: int, stack_chips: int | None = None) -> tuple[int, int]:
        """Return the least and the most that a box can win in one hand with this bet: (below 0, above 0).

        Both grow with the bet, and the most with the stack.
        """
        ...

    # Records, read

    def hand_summaries(
        self, bet_chips: int, box: str, answer: Mapping[str, Any], outcome: Mapping[str, Any] | None
    ) -> Sequence[HandSummary]:
        """Return the hands of a box in its record; ``outcome`` if results were entered."""
        ...

    def outcomes_of(
        self, bets: Mapping[str, int], record: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> dict[str, Json]:
        """Return the outcomes, box by box, of a hand that was entered card by card."""
        ...

    # The shoe

    def cards_check(self, rules: R, out: Mapping[str, int], cards: Sequence[str], decks: int) -> None:
        """Refuse ``cards`` that cannot come from a shoe that ``out`` (card → how often) has left (T10)."""
        ...

    def why_not_over(self, rules: R, out: int, boxes: Collection[int], decks: int) -> Refused | None:
        """Return why a shoe cannot end without a reason (T11): ``out`` cards are known to have left it, and
        ``boxes`` has the number of bets in each hand with unknown cards."""
        ...

    def hands_most(self, rules: R, out: int, hands: int, decks: int) -> int:
        """Return an upper bound of the hands left in a shoe, wherever the cut card lies: ``out`` cards are
        known to have left it, ``hands`` hands have been settled (T11)."""
        ...

    def shoe_make(self, rules: R, seed: bytes, decks: int) -> Cards:
        """Return the shoe shuffled by a seed."""
        ...

    # Bots

    def player_make(self, stream: Stream) -> Any:
        """Return the random habits of a simulated player."""
        ...

    def bet(self, rules: R, player: Any, sight: BetSight, stream: Stream) -> int:
        """Return the bet of a simulated player, 0 if the stack does not cover the minimum (T13)."""
        ...

    def play_out(
        self, rules: R, bets: ByBox, stacks: ByBox, cards: Any, players: Mapping[int, Any], *, dealt: int
    ) -> Json:
        """Return the record of a hand that ``players`` play from ``cards``, of which ``dealt`` are gone."""
        ...


class PlainGame(Game[R, H], Protocol[R, H]):
    """A game without pages of its own: the additional methods for the plain table page.

    On that page a decision takes no chips, and one outcome describes the whole result of a box.
    """

    def shown(self, hand: H) -> HandShown:
        """Return a hand for display."""
        ...

    def choices(self, rules: R) -> Sequence[Choice]:
        """Return the possible outcomes of a box."""
        ...


AnyGame = Game[Any, Any]
