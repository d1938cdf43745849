"""The boxes of a deal: the bets on them, the accounts of their players, and their hands."""

from collections.abc import Mapping, Sequence

from games.blackjack.cards import VALUE

PLAYING, STOOD, BUST, SURRENDERED, NATURAL, PAID, EVEN_MONEY = range(7)
STATE_NAMES = ("playing", "stood", "bust", "surrendered", "natural", "paid", "even_money")


class Hand:
    """One hand of a box; ``hard`` is its total with every ace as 1, ``extra`` the chips of a double.

    ``bet`` and ``extra`` belong to the owner, ``stakes`` to the other players of a shared box; ``given_up``:
    the owner surrendered while others play on.
    """

    __slots__ = ("ace", "aces", "bet", "cards", "extra", "given_up", "hard", "split", "stakes", "state")

    def __init__(self, card: str, bet: int) -> None:
        self.cards = [card]
        self.hard = VALUE[card]
        self.ace = self.hard == 1
        self.bet = bet
        self.extra = 0
        self.state = PLAYING
        self.split = False
        self.aces = False
        self.given_up = False
        self.stakes: Sequence[Stake] = ()

    def add(self, card: str) -> None:
        """Put ``card`` on the hand; over 21 it is bust at once (A4)."""
        value = VALUE[card]
        self.cards.append(card)
        self.hard += value
        if value == 1:
            self.ace = True
        if self.hard > 21:
            self.state = BUST

    def part(self) -> "Hand":
        """Split the hand: keep the first card, and return a new hand with the second card and the same bet
        (A3)."""
        right = Hand(self.cards.pop(), self.bet)
        self.hard -= right.hard
        self.split = right.split = True
        self.aces = right.aces = right.ace
        return right

    @property
    def soft(self) -> bool:
        """Whether an ace counts as 11 (A2)."""
        return self.ace and self.hard <= 11

    @property
    def total(self) -> int:
        """The best total (A2)."""
        return self.hard + 10 if self.ace and self.hard <= 11 else self.hard


class Account:
    """The chips of one player on a box; ``put_up`` is the total put up in this deal (A6).

    ``back``: chips that the dealer has returned during the deal; the player may put them up again.
    """

    __slots__ = ("back", "bet", "even_money", "insurance", "line_chip", "put_up", "side_bets", "stack")

    def __init__(self, bet: int, stack: int | None) -> None:
        self.bet = bet
        self.stack = stack
        self.put_up = bet
        self.back = 0
        self.insurance = 0
        self.even_money = False
        self.side_bets: Mapping[str, int] = {}
        self.line_chip = 0

    @property
    def out(self) -> int:
        """The chips of the stack that are not in front of the player now (A6)."""
        return self.put_up - self.back

    def has(self, chips: int) -> bool:
        """Whether the stack, if it is known, still holds ``chips`` more (A6)."""
        return self.stack is None or self.put_up - self.back + chips <= self.stack


class Player(Account):
    """A player who shares a box with its owner (row 25)."""

    __slots__ = ("name",)

    def __init__(self, name: str, bet: int, stack: int | None) -> None:
        super().__init__(bet, stack)
        self.name = name


class Stake:
    """A player's bet on one hand of a shared box; ``out`` once it is surrendered."""

    __slots__ = ("bet", "extra", "out", "player")

    def __init__(self, player: Player) -> None:
        self.player = player
        self.bet = player.bet
        self.extra = 0
        self.out = False


class Box(Account):
    """A box in play, as its owner's account; ``players`` are the other players on it (row 25).

    ``name``: the owner's, if the box is shared. ``barred``: the box refused a card dealt in error and gets no
    other.
    """

    __slots__ = ("barred", "dealt", "hands", "joker", "name", "players", "seat")

    def __init__(self, seat: int, bet: int, stack: int | None) -> None:
        super().__init__(bet, stack)
        self.seat = seat
        self.name = ""
        self.players: Sequence[Player] = ()
        self.hands: list[Hand] = []
        self.dealt: tuple[str, ...] = ()
        self.joker = False
        self.barred = False

    @property
    def has_side_bets(self) -> bool:
        """Whether any player on the box has a side bet."""
        return bool(self.side_bets) or any(player.side_bets for player in self.players)
