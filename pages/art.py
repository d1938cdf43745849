"""Drawings of the house: suits, cards, chips and icons as SVG text.

Everything here is a constant, or built from integers and checked card codes, so it may go into a page
unescaped.
"""

RANKS = "A23456789TJQK"
SUITS = "shdc"

# Each suit fills a 24 by 24 square; suits differ by shape first, then by colour.
SUIT_PATHS = {
    "s": (
        "M12 2c4 4.2 9 7.4 9 11.6 0 2.7-2 4.6-4.4 4.6-1.4 0-2.7-.6-3.5-1.7.2 2.3.9 4 2.4 5.5h-7c1.5-1.5"
        " 2.2-3.2 2.4-5.5-.8 1.1-2.1 1.7-3.5 1.7C5 18.2 3 16.3 3 13.6 3 9.4 8 6.2 12 2Z"
    ),
    "h": (
        "M12 21.5C7 16.9 2.3 13.2 2.3 8.5c0-3.1 2.3-5.3 5.1-5.3 1.9 0 3.6 1 4.6 2.8 1-1.8 2.7-2.8 "
        "4.6-2.8 2.8 0 5.1 2.2 5.1 5.3 0 4.7-4.7 8.4-9.7 13Z"
    ),
    "d": "M12 1.5c2 4 4.8 7.5 8 10.5-3.2 3-6 6.5-8 10.5-2-4-4.8-7.5-8-10.5 3.2-3 6-6.5 8-10.5Z",
    "c": (
        "M12 2a4.6 4.6 0 0 1 3.7 7.3 4.6 4.6 0 1 1-2.6 8.2c.2 1.9.9 3.3 2.4 4.5h-7c1.5-1.2 2.2-2.6 "
        "2.4-4.5a4.6 4.6 0 1 1-2.6-8.2A4.6 4.6 0 0 1 12 2Z"
    ),
}

JOKER = (
    '<rect class="card-paper" x=".5" y=".5" width="47" height="67" rx="5.5"/><text x="14" y="22" '
    'class="card-ten">JK</text><path d="M24 29l4.4 9.4 10.3 1.3-7.6 7 2 10.2L24 51.9l-9.1 5 2-10.2-7.6-7 '
    '10.3-1.3z"/>'
)
# The lattice on the back of a card, 48 by 68.
CARD_BACK = (
    '<rect class="card-paper" x=".5" y=".5" width="47" height="67" rx="5.5"/><rect '
    'class="card-rear" x="4" y="4" width="40" height="60" rx="3"/><path class="card-lattice" d="M4 '
    "14 14 4M4 24 24 4M4 34 34 4M4 44 44 4M4 54 44 14M4 64 44 24M14 64 44 34M24 64 44 44M34 64 44 "
    "54M34 4 44 14M24 4 44 24M14 4 44 34M4 4 44 44M4 14 44 54M4 24 44 64M4 34 34 64M4 44 24 64M4 54"
    ' 14 64"/>'
)

# Line icons on a 20 by 20 square, drawn with the text's colour.
ICONS = {
    "tonight": '<path d="M15.5 12.2A6.5 6.5 0 0 1 7.8 4.5a6 6 0 1 0 7.7 7.7Z"/>',
    "desk": '<path d="M5 2.5h10v15l-2-1.4-1.5 1.4-1.5-1.4-1.5 1.4L7 16.1l-2 1.4zM8 6.5h4M8 9.5h4"/>',
    "draw": (
        '<path d="M3 6h2.5c4 0 5 8 9 8H17M3 14h2.5c1.5 0 2.5-1 3.3-2.4M11.2 8.4C12 7 13 6 14.5 6H17M15 '
        '4l2 2-2 2M15 12l2 2-2 2"/>'
    ),
    "seating": (
        '<path d="M3.5 16v-3a6.5 6.5 0 0 1 13 0v3zM3 9.5h.01M6 5.5h.01M10 4h.01M14 5.5h.01M17 9.5h.01"/>'
    ),
    "tables": '<path d="M2.5 15v-2a7.5 7.5 0 0 1 15 0v2zM8 12h4"/>',
    "round": '<path d="M3 5h14M3 15h9M2 10h2M6 10h12"/>',
    "payouts": (
        '<path d="M6 3.5h8v4a4 4 0 0 1-8 0zM6 5H3.5c0 2.5 1 3.5 2.7 3.7M14 5h2.5c0 2.5-1 3.5-2.7 3.7M10'
        ' 11.5V14M7 16.5h6M8 16.5 8.5 14h3l.5 2.5"/>'
    ),
    "pay": (
        '<path d="M2.5 5.5h15v9h-15zM5.5 5.5a3 3 0 0 1-3 3M17.5 8.5a3 3 0 0 1-3-3M2.5 11.5a3 3 0 0 1 3 '
        '3M14.5 14.5a3 3 0 0 1 3-3"/><circle cx="10" cy="10" r="2"/>'
    ),
    "journal": (
        '<path d="M5 2.5h10.5v15H5a1.5 1.5 0 0 1-1.5-1.5V4A1.5 1.5 0 0 1 5 2.5ZM3.5 15A1.5 1.5 0 0 1 5 '
        '13.5h10.5M7 6.5h5M7 9.5h5"/>'
    ),
    "requests": (
        '<circle cx="7" cy="7" r="2.8"/><path d="M2 16.5c.3-3 2.3-4.8 5-4.8s4.7 1.8 5 4.8M13 4.5a2.8 '
        '2.8 0 0 1 0 5M14.5 12c2 .5 3.2 2.1 3.5 4.5"/>'
    ),
    "setup": (
        '<path d="M3 6h8M15 6h2M3 14h2M9 14h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/>'
    ),
    "events": '<path d="M3 4.5h14v12H3zM3 8.5h14M7 2.5v4M13 2.5v4"/>',
    "staff": '<circle cx="10" cy="6.5" r="3"/><path d="M4 17c.4-3.6 2.8-5.5 6-5.5s5.6 1.9 6 5.5"/>',
    "screen": '<path d="M2.5 4h15v9.5h-15zM7 17h6M10 13.5V17"/>',
    "phone": '<path d="M6 2.5h8v15H6zM9 15h2"/>',
    "print": '<path d="M6 7V3h8v4M6 14H3.5V7h13v7H14M6 12h8v5H6z"/>',
    "undo": '<path d="M7 4 3.5 7.5 7 11M4 7.5h7.5a4.5 4.5 0 0 1 0 9H8"/>',
    "check": '<path d="m4 10.5 4 4L16 6"/>',
    "warn": '<path d="M10 3 18 17H2zM10 8v4M10 14.5h.01"/>',
    "info": '<circle cx="10" cy="10" r="7.5"/><path d="M10 9v5M10 6.2h.01"/>',
    "clock": '<circle cx="10" cy="10" r="7.5"/><path d="M10 5.5V10l3 2"/>',
    "search": '<circle cx="9" cy="9" r="5.5"/><path d="m13 13 4.5 4.5"/>',
    "bell": '<path d="M3.5 14.5 5 12.5V9a5 5 0 0 1 10 0v3.5l1.5 2zM8.5 17h3"/>',
    "lock": '<path d="M4.5 9h11v8h-11zM6.5 9V6.5a3.5 3.5 0 0 1 7 0V9"/>',
    "menu": '<path d="M3 5.5h14M3 10h14M3 14.5h14"/>',
    "close": '<path d="m5 5 10 10M15 5 5 15"/>',
    "plus": '<path d="M10 4v12M4 10h12"/>',
    "out": '<path d="M8 3.5H3.5v13H8M8 10h9M13.5 6.5 17 10l-3.5 3.5"/>',
    "theme": '<circle cx="10" cy="10" r="7"/><path class="fill" d="M10 3a7 7 0 0 1 0 14z"/>',
    "offline": (
        '<path d="M3 3l14 14M5 9a8 8 0 0 1 2.5-1.4M2.5 6.5A12 12 0 0 1 5 5M10 4a12 12 0 0 1 7.5 2.5M12 '
        '7.8A8 8 0 0 1 15 9M7.5 12a4 4 0 0 1 4 0M10 15.5h.01"/>'
    ),
}


def suit_svg(suit: str) -> str:
    """Return the shape of one suit (`s`, `h`, `d` or `c`) as SVG; KeyError for another letter."""
    return (
        f'<svg class="suit suit-{suit}" viewBox="0 0 24 24" aria-hidden="true">'
        f'<path d="{SUIT_PATHS[suit]}"/></svg>'
    )


def _pips(suit: str, *, names: bool = False) -> str:
    """Return the two shapes on a card of a suit, small and large. ``names``: include their ids."""
    small, large = (f' id="pip-{suit}"', f' id="pip-{suit}-large"') if names else ("", "")
    return (
        f'<path{small} d="{SUIT_PATHS[suit]}" transform="translate(5.8 26) scale(.6)"/>'
        f'<path{large} d="{SUIT_PATHS[suit]}" transform="translate(19 38) scale(1.08)"/>'
    )


def felt_pips() -> str:
    """Return the shapes that all cards of a felt refer to, so that the answer to a tap need not repeat
    them."""
    return "".join(_pips(suit, names=True) for suit in SUITS)


def card_body(code: str, *, on_felt: bool = False) -> str:
    """Return the inside of a face-up card's SVG for a checked code such as `8h` or `Th`.

    ``on_felt``: the page has ``felt_pips``.
    """
    rank, suit = code[0], code[1]
    pips = f'<use href="#pip-{suit}"/><use href="#pip-{suit}-large"/>' if on_felt else _pips(suit)
    label = "10" if rank == "T" else rank
    ten = ' class="card-ten"' if rank == "T" else ""
    return (
        '<rect class="card-paper" x=".5" y=".5" width="47" height="67" rx="5.5"/>'
        f'<text x="13" y="22"{ten}>{label}</text>{pips}'
    )


def chip_svg(value: int) -> str:
    """Return one chip from above with its value in chips; the value decides the colour."""
    text = f"{value:,}" if value < 10_000 else f"{value // 1000}k"
    long = ' class="chip-long"' if len(text) > 3 else ""
    return (
        f'<svg class="chip chip-{value}" viewBox="0 0 64 64" aria-hidden="true">'
        '<circle class="chip-disc" cx="32" cy="32" r="30"/>'
        '<circle class="chip-edge" cx="32" cy="32" r="27"/>'
        '<circle class="chip-face" cx="32" cy="32" r="22.5"/>'
        f'<text x="32" y="38.5"{long}>{text}</text></svg>'
    )


def spark_svg(values: list[int]) -> str:
    """Draw a line through `values` (integers, oldest first); empty for fewer than two."""
    width, height = 64, 20
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    span = (high - low) or 1
    points = " ".join(
        f"{index * width // (len(values) - 1)},{height - 2 - (value - low) * (height - 4) // span}"
        for index, value in enumerate(values)
    )
    trend = "up" if values[-1] > values[0] else "down" if values[-1] < values[0] else "flat"
    return (
        f'<svg class="spark spark-{trend}" viewBox="0 0 {width} {height}" aria-hidden="true">'
        f'<polyline points="{points}"/></svg>'
    )
