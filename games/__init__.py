"""Games, each in a folder of its own, pure: they know cards, bets and chips, and no database."""
