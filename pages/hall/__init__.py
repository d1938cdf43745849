"""The screens in the hall: standings in pages, seats, prizes, draws and ties, to be read from afar."""
