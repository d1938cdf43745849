"""Columns that nothing reads any more leave: chips at a close follow from the ledger (T20)."""

from django.db import migrations

PUT_OUT = ("issue", "carry", "return")


def closed_chips_fill(apps, schema_editor):
    stacks, legs = (apps.get_model("tournament", name).objects for name in ("Stack", "ChipEntry"))
    handed = {}
    found = legs.filter(transaction__kind__in=PUT_OUT, transaction__reversed_by=None).exclude(stack=None)
    for stack, chips in found.order_by("transaction").values_list("stack", "amount_chips"):
        handed[stack] = 0 if chips > 0 else handed.get(stack, 0) - chips
    for stack in stacks.exclude(outcome=""):
        # A player who was disqualified in the round has ended it with nothing (T26).
        gone = stack.state == "disqualified"
        stack.closed_chips = 0 if gone else stack.chips + handed.get(stack.pk, 0)
        stack.save(update_fields=["closed_chips"])


class Migration(migrations.Migration):
    dependencies = [("tournament", "0003_ties_in_columns")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, closed_chips_fill),
        migrations.RemoveField("Stack", "closed_chips"),
        migrations.RemoveField("Player", "excluded_at"),
        migrations.RemoveField("House", "held_day"),
        migrations.RemoveField("House", "held_until"),
    ]
