"""The floor: its tables and their counts."""
