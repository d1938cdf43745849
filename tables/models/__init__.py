"""The floor: tables, seats, shoes, deals and counts."""

from .floor import Clerk, Seat, Table
from .play import CountSheet, Deal, Shoe

__all__ = ["Clerk", "CountSheet", "Deal", "Seat", "Shoe", "Table"]
