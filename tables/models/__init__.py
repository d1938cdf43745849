"""The floor: tables, seats, shoes, deals and counts."""

from .floor import Clerk, Seat, Table, Tablet
from .shoes import CountSheet, Deal, Shoe
