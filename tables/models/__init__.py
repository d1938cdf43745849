"""The floor: tables, seats, shoes, deals and counts."""

from tables.models.shoes import (
    CountSheet,
    Deal,
    Shoe,
)

from .floor import Clerk, Seat, Table, Tablet

__all__ = ["Clerk", "CountSheet", "Deal", "Seat", "Shoe", "Table", "Tablet"]
