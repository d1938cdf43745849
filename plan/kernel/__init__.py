"""Blackjack compiled to tables and played by numba: whole shoes, many million hands a second.

The plain engine in ``games/blackjack`` stays the authority; what the kernel plays can be written down as hand
records, and both settle them alike (``trace``).
"""
