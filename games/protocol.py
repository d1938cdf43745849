"""What a game is to the tournament and to its tables: one protocol, the same for all (ADR 21).

A game is a folder here and an object of ``Game``. Those above know rules, hands and records only by what this
module says of them. Amounts are whole chips; chance is an argument. A hand record and an answer are JSON:

* a record has ``rules`` (the sheet), ``bets``, and where they are known ``stacks``, ``cards`` in the order in
  which they left the shoe, ``decisions`` (``{"seat", "action"}``, with an ``amount`` where it takes chips),
  and ``line_chips`` where a game lets chips lie over to a box's next hand;
* an answer has ``net``: box → what its stack changes by; where the game has them ``hands``, ``dealer``,
  ``insurance`` and ``line_chip``, box → the chips that now lie over;
* an operation, one tap at the table, is ``{"op": "card", "card": "8h"}``, a decision
  ``{"op": "decision", "seat": 1, "action": "hit"}``, or one of the game's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from games.bets import Wrong
from games.said import Row, Said, Several
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
        """All settings as JSON values, for an event to snapshot and hash.

        ``game`` is among them, but for the first one's, whose snapshots are older than a second game.
        """
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a director may choose. ``row``: of the house-rule table; ``default``: the sheet's own.

    ``sentences`` says for each of ``values``, in the same order, what then holds at the table. A value that
    is the default is left out of a record, and must be where it is None (no limit).
    """

    name: str
    row: int
    values: tuple[object, ...]
    default: object
    question: str
    sentences: tuple[str, ...]

    def sentence(self, value: object) -> str:
        """What holds at the table with ``value``."""
        return self.sentences[self.values.index(value)]


# -- A hand on the table ---------------------------------------------------------------------------------


class Need(Protocol):
    """What a hand waits for. ``kind``: "card", "decision", "done", or one of the game's own.

    ``behind``: how many hands the box has after the one that plays, where it has split."""

    @property
    def kind(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def behind(self) -> int: ...


class Hand(Protocol):
    """A hand so far. ``cards``: those known to have left the shoe, in their order."""

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
class HandTold:
    """One hand of a box: its cards (none where results were entered), its result in a word, its net chips.

    ``less_chips``: the chips that it was doubled for where they are fewer than the bet, else 0.
    """

    cards: tuple[str, ...]
    word: str
    net_chips: int | None
    less_chips: int = 0


# -- What the plain page shows ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can come of a box, as the plain results form offers it: ``key`` taps it."""

    value: str
    words: str
    key: str
    outcome: Json


@dataclass(frozen=True, slots=True)
class BoxShown:
    """A box in a hand: the cards before it, a word, and once it is settled its net chips."""

    cards: tuple[str, ...] = ()
    word: Said | str = ""
    net_chips: int | None = None


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand as it lies there: what is wanted next or came of it, the boxes, the cards in the middle."""

    said: Said | str
    boxes: Mapping[int, BoxShown]
    middle: tuple[str, ...] = ()


# -- Bots ------------------------------------------------------------------------------------------------


class Cards(Protocol):
    """A simulated shoe; ``cut`` cards lie before the cut card."""

    @property
    def cut(self) -> int: ...
    def cut_is_out(self, dealt: int) -> bool:
        """Whether the cut card has come out once ``dealt`` cards (those burned among them) are gone."""
        ...


@dataclass(frozen=True, slots=True)
class BetSight:
    """What a player sees before betting. ``target_chips``: the stack at the rank that has to be reached over
    the whole field; ``rival_chips``: the nearest rival's stack; ``rival_bet_chips``: the rival's bet if it
    lies already; ``hands_left``: this one included, None if nobody knows."""

    stack_chips: int
    target_chips: int
    rival_chips: int
    rival_bet_chips: int | None = None
    hands_left: int | None = None


# -- The game --------------------------------------------------------------------------------------------

R = TypeVar("R", bound=Rules)
H = TypeVar("H", bound=Hand)


class Game(Protocol[R, H]):
    """One game. What refuses raises ``Refused`` with a code and a sentence, and changes nothing."""

    @property
    def name(self) -> str:
        """What the snapshot of an event's rules calls it."""
        ...

    @property
    def sheets(self) -> Mapping[str, R]:
        """Its sheets of rules by name; a sheet's name is of one game only."""
        ...

    @property
    def burned_cards(self) -> int:
        """Cards that leave a shoe before its first hand (T11)."""
        ...

    @property
    def actions(self) -> Mapping[str, str]:
        """Its decisions as a record writes them → as a button says them."""
        ...

    @property
    def cards_a_box(self) -> float:
        """What a box, and the dealer, cost in cards a hand, roughly: how many hands a shoe still holds."""
        ...

    # Rules and options

    def rules_make(
        self, sheet: object, *, decks: object = None, limits: object = None, options: object = None
    ) -> R:
        """A sheet with an event's decks, limits and options; None leaves the sheet's own (T10, T12, T16)."""
        ...

    def rules_limited(self, of: R, limits: Mapping[str, int]) -> R:
        """The same rules with other bet limits, which ``limits_wrong`` has found right (F5)."""
        ...

    def rules_frozen(self, snapshot: Mapping[str, Any]) -> R | None:
        """The rules that ``to_dict`` wrote, also in an older version; None where these are none."""
        ...

    def rules_record(self, rules: R) -> Json:
        """The fields of a hand record that say these rules."""
        ...

    def rules_of(self, record: Mapping[str, Any]) -> R:
        """The rules that the fields of a record say."""
        ...

    def options(self, sheet: R) -> Sequence[Option]:
        """What a director may choose otherwise than the sheet, in the order of the rows (T16)."""
        ...

    def options_differing(self, sheet: R, chosen: Mapping[str, object]) -> dict[str, object]:
        """What of ``chosen`` (option → value) is not the sheet's own."""
        ...

    def limits_wrong(self, limits: Mapping[str, int], of: R | None, most_chips: int) -> list[Wrong]:
        """What is wrong with a table's limits: one entry a limit, none where they can be played (A7, T12).

        ``of``: the sheet with the event's options, whatever its limits; None where there are no such rules.
        """
        ...

    # Words

    @property
    def rows(self) -> Sequence[Row]:
        """The rows of its table of house rules."""
        ...

    def posted(self, rules: R) -> Sequence[Said]:
        """Every rule of the hand in the order of play, but decks and bets, which are of the event."""
        ...

    def decks_and_bets(self, rules: R) -> Sequence[Said]:
        """The rows of decks and bets, as the set-up shows them beside the others."""
        ...

    def shoe_said(self, rules: R) -> Said:
        """How long a shoe is played, and what is burned before (T11)."""
        ...

    def glance(self, rules: R) -> Said | Several:
        """What tells a sheet apart from the others."""
        ...

    def silent(self, sheet: str) -> Mapping[int, str]:
        """Rows on which a sheet is silent ("D"), or says only part ("S, D")."""
        ...

    # A hand card by card: verify, legal, apply

    def hand_start(self, rules: R, bets: ByBox, stacks: ByBox, *, line_chips: ByBox | None = None) -> H:
        """A hand with the bets down and no card out, or why these bets cannot be made (T12, A6)."""
        ...

    def hand_replay(
        self, rules: R, bets: ByBox, stacks: ByBox, ops: Iterable[Json], *, line_chips: ByBox | None = None
    ) -> H:
        """The hand after all of ``ops``, from the start; the first one that cannot be is refused."""
        ...

    def legal(self, hand: H) -> Sequence[Legal]:
        """Every decision that would be accepted now; empty while something else is needed."""
        ...

    def op_checked(self, op: Mapping[str, Any]) -> Json:
        """An operation as it is kept. Raises Refused ``bad_operation`` for anything else."""
        ...

    @property
    def ruled_ops(self) -> Collection[str]:
        """What went wrong and is played on by a ruling, by the name of its operation: never a plain tap."""
        ...

    def op_meant(self, hand: H, op: Json) -> Sequence[Json]:
        """The operations that one tap is at this point: itself, or with it the decision that it says."""
        ...

    def op_words(self, op: Mapping[str, Any]) -> str:
        """What happened, as a sentence says it."""
        ...

    def hand_record(self, hand: H) -> Json:
        """The record of a finished hand. Raises Refused ``deal_not_done`` before that."""
        ...

    # Settling

    def settle(self, record: object) -> Json:
        """The answer to a hand record, checked and replayed."""
        ...

    def settle_put_up(self, record: object) -> tuple[Json, Mapping[str, int]]:
        """The same answer, and box → all that it has put up: what its stack had to cover (chips)."""
        ...

    def answer(self, record: object) -> Json:
        """The same, or ``id``, ``error`` and ``message``; never raises."""
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
        """The answer to a hand of which only the outcomes are known, box by box, where they are possible."""
        ...

    def net_bounds(self, rules: R, bet_chips: int, stack_chips: int | None = None) -> tuple[int, int]:
        """The least and the most that a box can win in one hand with this bet: (below 0, above 0).

        Both grow with the bet, and the most with the stack.
        """
        ...

    # Records, read

    def hands_told(
        self, bet_chips: int, box: str, answer: Mapping[str, Any], outcome: Mapping[str, Any] | None
    ) -> Sequence[HandTold]:
        """The hands of a box as its record says them; ``outcome`` where results were entered."""
        ...

    def outcomes_of(
        self, bets: Mapping[str, int], record: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> dict[str, Json]:
        """The outcomes, box by box, of a hand that was entered card by card."""
        ...

    # The shoe

    def cards_check(self, rules: R, out: Mapping[str, int], cards: Sequence[str], decks: int) -> None:
        """Refuse ``cards`` that cannot come from a shoe that ``out`` (card → how often) has left (T10)."""
        ...

    def why_not_over(self, rules: R, out: int, boxes: Collection[int], decks: int) -> Refused | None:
        """Why a shoe cannot end without a reason (T11): ``out`` cards are known to have left it, and in each
        hand whose cards nobody knows so many ``boxes`` bet."""
        ...

    def hands_most(self, rules: R, out: int, hands: int, decks: int) -> int:
        """How many hands a shoe can still hold at most: ``out`` cards are known to have left it, ``hands``
        hands have been settled, wherever the cut card lies (T11)."""
        ...

    def shoe_make(self, rules: R, seed: bytes, decks: int) -> Cards:
        """The shoe that a seed shuffles."""
        ...

    # Bots

    def player_make(self, stream: Stream) -> Any:
        """The character of a simulated player, drawn once."""
        ...

    def bet(self, rules: R, player: Any, sight: BetSight, stream: Stream) -> int:
        """What a simulated player bets, 0 where the stack does not cover the minimum (T13)."""
        ...

    def play_out(
        self, rules: R, bets: ByBox, stacks: ByBox, cards: Any, players: Mapping[int, Any], *, dealt: int
    ) -> Json:
        """The record of a hand dealt from ``cards``, of which ``dealt`` are gone, by ``players``."""
        ...


class PlainGame(Game[R, H], Protocol[R, H]):
    """A game without pages of its own: what the plain table's page needs to know of it besides.

    On that page a decision takes no chips, and one outcome says all that came of a box.
    """

    def shown(self, hand: H) -> HandShown:
        """A hand as it lies there."""
        ...

    def choices(self, rules: R) -> Sequence[Choice]:
        """What can come of a box."""
        ...


AnyGame = Game[Any, Any]
