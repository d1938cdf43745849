"""The cashier's desk: persons, buy-ins, receipts, entries, refunds."""
