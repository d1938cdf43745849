"""The parts of the table's page that depend on the game: felt, decisions, results form (ADR 21)."""
