from django.db import migrations

from tournament.engine.days import gaming_day
from tournament.sql import unguarded


def days_of_checks(apps, schema_editor):
    """The gaming day of each check from before it was kept, by the clock of the house.

    Without it somebody who was turned away in the hours before the upgrade could buy in after it: a check
    holds for its day. Filled in once, where there was nothing; the checks themselves stay as they are.
    """
    house = apps.get_model("tournament", "House").objects.order_by("pk").first()
    checks = apps.get_model("tournament", "PlayerCheck").objects.filter(gaming_day__isnull=True)
    if house is None:
        house = apps.get_model("tournament", "House")()
    with unguarded("tournament.PlayerCheck:player_check_no_edit"):
        for each in list(checks):
            day = gaming_day(each.at, house.time_zone, house.day_turns_at_hour)
            checks.filter(pk=each.pk).update(gaming_day=day)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0010_payments_in_parts'),
    ]

    operations = [
        migrations.RunPython(days_of_checks, migrations.RunPython.noop),
    ]
