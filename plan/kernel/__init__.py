"""Blackjack compiled to tables and played by numba: whole shoes, many million hands a second.

The plain engine in ``games/blackjack`` stays the authority; the kernel's rounds can be written down as hand
records, and both engines settle them alike (``trace``).
"""
