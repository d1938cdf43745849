"""The services of the tournament: the only code that writes."""
