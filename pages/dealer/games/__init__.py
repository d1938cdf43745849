"""What of a table's page belongs to one game: its felt, its decisions, its results form (ADR 21)."""
