"""The screens in the hall: standings, seats, prizes, draws and ties, readable from afar."""
