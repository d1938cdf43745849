"""The house: its events, staff, second persons, logging in."""
