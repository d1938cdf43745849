"""A toy game that only the tests play: bet, call a colour, one card decides. Here is all there is of it."""
