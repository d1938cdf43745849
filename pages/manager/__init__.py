"""The manager: payout structures, prizes paid and shared."""
