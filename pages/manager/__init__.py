"""The manager: payout structures, payments, and shares of unclaimed prizes."""
