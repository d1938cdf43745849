"""What the pages and services of the floor read; nothing here writes."""

from tables.selectors.deals import (
    DealView,
    deal_play,
    deal_view,
    hands,
    ops_of,
)

from .counts import CountView, boxes_to_count, count_view, live_sheets
from .draws import DrawView, draw_view, draws_public, draws_waiting, open_draw
from .floor import (
    BoxRow,
    TableView,
    house_rules,
    seat_of,
    stacks_by_box,
    table_get,
    table_view,
)

__all__ = [
    "BoxRow",
    "CountView",
    "DealView",
    "DrawView",
    "TableView",
    "boxes_to_count",
    "count_view",
    "deal_play",
    "deal_view",
    "draw_view",
    "draws_public",
    "draws_waiting",
    "hands",
    "house_rules",
    "live_sheets",
    "open_draw",
    "ops_of",
    "seat_of",
    "stacks_by_box",
    "table_get",
    "table_view",
]
