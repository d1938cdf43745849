from django.db import migrations, models


class Migration(migrations.Migration):
    """A start keeps the zone by which it was set: so far that of the house."""

    dependencies = [
        ("tournament", "0012_prize_sharing"),
    ]

    operations = [
        migrations.AlterField(
            model_name="posting",
            name="kind",
            field=models.CharField(
                choices=[
                    ("rules", "rules"),
                    ("payouts", "payout structure"),
                    ("draw", "draw"),
                    ("result", "result"),
                    ("called_off", "called off"),
                    ("sharing", "sharing of a prize"),
                    ("start", "start"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="starts_zone",
            field=models.CharField(default="UTC", max_length=64),
        ),
        migrations.RunSQL(
            "UPDATE tournament_event SET starts_zone = h.time_zone FROM tournament_house h WHERE h.id = 1",
            migrations.RunSQL.noop,
        ),
    ]
