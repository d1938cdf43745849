"""Tables with their seven boxes, the seats of entries, and the tables of dealers."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

BOXES = 7


class Table(models.Model):
    """A table of an event. A box, or the whole table, can be marked out of use (T4)."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField()
    in_use = models.BooleanField(default=True)
    boxes_out = ArrayField(models.PositiveSmallIntegerField(), default=list, blank=True)

    class Meta:
        ordering = ("event_id", "number")
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="table_once_per_event")]

    def __str__(self) -> str:
        return f"Table {self.number}"

    @property
    def boxes_in_use(self) -> list[int]:
        """The boxes that can be drawn, lowest first; none when the table is out of use."""
        return [box for box in range(1, BOXES + 1) if self.in_use and box not in self.boxes_out]


class Clerk(models.Model):
    """A dealer who records the hands of a table; of one table at a time (faults, Who may do what)."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="clerk")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="clerks")


class Tablet(models.Model):
    """A session that has a table's page open, and when that page last polled. Not journalled."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="tablets")
    mark = models.CharField(max_length=8)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "mark"], name="one_tablet_per_login")]


class Seat(models.Model):
    """An entry's box in a round. A seat that is given up is marked as vacated, never deleted (T6)."""

    round = models.ForeignKey("tournament.Round", on_delete=models.PROTECT, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    flight = models.PositiveSmallIntegerField(default=1)
    box = models.PositiveSmallIntegerField()
    entry = models.ForeignKey("tournament.Entry", on_delete=models.PROTECT, related_name="seats")
    vacated_at = models.DateTimeField(null=True, blank=True)
    # T6: when the player was seen at the box before the first bet; only used in round 1.
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("round_id", "flight", "table__number", "box")
        constraints = [
            models.UniqueConstraint(
                fields=["round", "flight", "table", "box"],
                condition=Q(vacated_at__isnull=True),
                name="one_entry_per_box",
            ),
            models.UniqueConstraint(
                fields=["round", "entry"], condition=Q(vacated_at__isnull=True), name="one_box_per_entry"
            ),
            models.CheckConstraint(condition=Q(box__gte=1, box__lte=BOXES), name="box_1_to_7"),
        ]
