"""The floor: its tables, and their chips counted."""
