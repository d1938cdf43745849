"""What every floor stands on: refusals, canonical JSON, commitments and the stream of chance. Pure."""
