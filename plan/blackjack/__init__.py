"""Blackjack for the plan, without a compiler: hands as states, strategies, the best strategy of a sheet."""
