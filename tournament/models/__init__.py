"""The models: people, money, rounds, chips, prizes, and the journal of every command."""

from .chips import ChipAccount, ChipEntry, ChipTransaction
from .draws import Draw, DrawSecret
from .events import Entry, Event, House, Round, Stack, TieRuling
from .hall import Announcement, EventClock, HallRotation, HallScreen, StandingsKept, StandingsPublication
from .journal import HeadsKept, JournalEntry, JournalHead
from .money import HandOut, MoneyAccount, MoneyEntry, MoneyTransaction, PlayerDay
from .people import Penalty, Player, PlayerCheck, PlayerCorrection, PlayersApart
from .postings import Payment, PayoutStructure, Posting, Request, StandingsSnapshot, posting_name
from .staff import LoginChange, PasswordLink, Pin
