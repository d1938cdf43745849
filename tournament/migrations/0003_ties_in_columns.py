"""What ties are played for, and the rulings on them, leave the JSON of their stage (T23, T33).

Back it goes too, but for the hands at the last look at a tie: where one is being played at two tables, each of
them has to play a hand before either can go on.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

KEPT = ("seq", "tied", "advance", "reason", "used", "lifted")


def columns_fill(apps, schema_editor):
    rounds, rulings = (apps.get_model("tournament", name).objects for name in ("Round", "TieRuling"))
    for stage in rounds.exclude(stakes={}):
        for each in stage.stakes.get("rulings", ()):
            rulings.create(round=stage, **{name: each[name] for name in KEPT})
        stage.contested = stage.stakes.get("contested", 0)
        stage.save(update_fields=["contested"])
        for kept, column in (("opened", "tied_from"), ("groups", "plays_from")):
            for group in stage.stakes.get(kept, ()):
                tied = stage.stacks.filter(entry__code__in=group["entries"])
                tied.update(**{column: group["places"][0]})
        absent = [code for look in stage.stakes.get("looks", ()) for code in look["absent"]]
        stage.stacks.filter(entry__code__in=absent).update(absent_at_look=True)


def stakes_fill(apps, schema_editor):
    prizes = apps.get_model("tournament", "PayoutStructure").objects.filter(status="live")
    prizes_cents = dict(prizes.values_list("event_id", "prizes_cents"))
    for stage in apps.get_model("tournament", "Round").objects.prefetch_related("rulings"):
        kept = [{name: getattr(each, name) for name in KEPT} for each in stage.rulings.all()]
        stage.stakes = {"rulings": kept} if kept else {}
        if stage.kind == "play_off":
            stage.stakes |= {"contested": stage.contested}
        if stage.kind == "sudden_death":
            pays = prizes_cents.get(stage.event_id, [])
            stage.stakes |= {
                "groups": groups_of(stage, "plays_from", pays),
                "opened": groups_of(stage, "tied_from", pays),
            }
        absent = stage.stacks.filter(absent_at_look=True).values_list("entry__code", flat=True)
        if stage.kind != "round":
            stage.stakes |= {"looks": [{"absent": sorted(absent)}]}
        stage.save(update_fields=["stakes"])


def groups_of(stage, column, pays):
    tied = {}
    for code, first in stage.stacks.exclude(**{column: None}).values_list("entry__code", column):
        tied.setdefault(first, []).append(code)
    return [
        {
            "places": [*range(first, first + len(codes))],
            "entries": sorted(codes),
            "prizes_cents": (pays + [0] * (first + len(codes)))[first - 1 : first - 1 + len(codes)],
        }
        for first, codes in sorted(tied.items())
    ]


class Migration(migrations.Migration):
    dependencies = [("tournament", "0002_roles")]

    operations = [
        migrations.CreateModel(
            name="TieRuling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveBigIntegerField()),
                (
                    "tied",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=8), size=None
                    ),
                ),
                (
                    "advance",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=8), size=None
                    ),
                ),
                ("reason", models.TextField()),
                ("used", models.BooleanField(default=False)),
                ("lifted", models.BooleanField(default=False)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="tournament.round",
                    ),
                ),
            ],
            options={
                "ordering": ("seq",),
                "constraints": [
                    models.UniqueConstraint(fields=("round", "seq"), name="one_ruling_per_journal_entry")
                ],
            },
        ),
        migrations.AddField("Round", "contested", models.PositiveIntegerField(default=0)),
        migrations.AddField("Stack", "tied_from", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField("Stack", "plays_from", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField("Stack", "absent_at_look", models.BooleanField(default=False)),
        migrations.RunPython(columns_fill, stakes_fill),
        # A table whose rows have just been written is not altered before their checks are done.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RemoveField("Round", "stakes"),
    ]
