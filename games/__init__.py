"""Games, each in its own folder, pure: they know cards, bets and chips, but no database."""
