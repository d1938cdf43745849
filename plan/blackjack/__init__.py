"""What the plan knows of blackjack without a compiler: hands as states, plays, the best play of a sheet."""
