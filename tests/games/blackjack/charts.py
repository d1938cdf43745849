"""Basic strategy as it is published for many decks: the bots play by it, planning works it out by itself."""

UPS = ["2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Ah"]
HANDS = {
    **{f"hard {n}": f"{max(2, n - 10)}s {min(n - 2, 10)}d".replace("10", "T") for n in range(8, 18)},
    **{f"soft {n + 11}": f"As {n}d" for n in range(2, 10)},
    **{f"pair {n}": f"{n}s {n}d".replace("10", "T") for n in range(2, 11)},
    "pair A": "As Ad",
}
# The published charts for many decks: dealer hits soft 17 and looks; stands and does not look, with and
# without doubles after splits.
CHARTS = """
         wonder     eca        ggpoker
hard 8   HHHHHHHHHH HHHHHHHHHH HHHHHHHHHH
hard 9   HDDDDHHHHH HDDDDHHHHH HDDDDHHHHH
hard 10  DDDDDDDDHH DDDDDDDDHH DDDDDDDDHH
hard 11  DDDDDDDDDD DDDDDDDDHH DDDDDDDDHH
hard 12  HHSSSHHHHH HHSSSHHHHH HHSSSHHHHH
hard 13  SSSSSHHHHH SSSSSHHHHH SSSSSHHHHH
hard 14  SSSSSHHHHH SSSSSHHHRH SSSSSHHHRH
hard 15  SSSSSHHHRR SSSSSHHHRH SSSSSHHHRH
hard 16  SSSSSHHRRR SSSSSHHRRR SSSSSHHRRR
hard 17  SSSSSSSSSR SSSSSSSSSS SSSSSSSSSS
soft 13  HHHDDHHHHH HHHDDHHHHH HHHDDHHHHH
soft 14  HHHDDHHHHH HHHDDHHHHH HHHDDHHHHH
soft 15  HHDDDHHHHH HHDDDHHHHH HHDDDHHHHH
soft 16  HHDDDHHHHH HHDDDHHHHH HHDDDHHHHH
soft 17  HDDDDHHHHH HDDDDHHHHH HDDDDHHHHH
soft 18  DDDDDSSHHH SDDDDSSHHH SDDDDSSHHH
soft 19  SSSSDSSSSS SSSSSSSSSS SSSSSSSSSS
soft 20  SSSSSSSSSS SSSSSSSSSS SSSSSSSSSS
pair 2   PPPPPPHHHH PPPPPPHHHH HHPPPPHHHH
pair 3   PPPPPPHHHH PPPPPPHHHH HHPPPPHHHH
pair 4   HHHPPHHHHH HHHPPHHHHH HHHHHHHHHH
pair 5   DDDDDDDDHH DDDDDDDDHH DDDDDDDDHH
pair 6   PPPPPHHHHH PPPPPHHHHH HPPPPHHHHH
pair 7   PPPPPPHHHH PPPPPPHHRH PPPPPPHHRH
pair 8   PPPPPPPPPR PPPPPPPPRR PPPPPPPPRP
pair 9   PPPPPSPPSS PPPPPSPPSS PPPPPSPPSS
pair 10  SSSSSSSSSS SSSSSSSSSS SSSSSSSSSS
pair A   PPPPPPPPPP PPPPPPPPPH PPPPPPPPPP
"""


def published(sheet: str) -> dict[str, str]:
    """Hand → one letter for each of the dealer's cards, 2 … ten, ace."""
    heads, *lines = CHARTS.strip("\n").splitlines()
    return {line[:8].strip(): line[9:].split()[heads.split().index(sheet)] for line in lines}
