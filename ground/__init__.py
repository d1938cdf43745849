"""The ground floor of the tower: refusals, canonical JSON, commitments and the stream of chance. Pure."""
