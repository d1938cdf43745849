"""The manager: payout structures and payments of prizes."""
