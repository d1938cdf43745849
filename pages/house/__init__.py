"""The house: its events, staff, requests, and log-in."""
