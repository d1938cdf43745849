"""What ties are played for, and the rulings on them, leave the JSON of their stage (T23, T33)."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

KEPT = ("seq", "tied", "advance", "reason", "used", "lifted")


def columns_fill(apps, schema_editor):
    rounds, rulings = (apps.get_model("tournament", name).objects for name in ("Round", "TieRuling"))
    for stage in rounds.exclude(stakes={}):
        for each in stage.stakes.get("rulings", ()):
            rulings.create(round=stage, **{name: each[name] for name in KEPT})


def stakes_fill(apps, schema_editor):
    for stage in apps.get_model("tournament", "Round").objects.prefetch_related("rulings"):
        kept = [{name: getattr(each, name) for name in KEPT} for each in stage.rulings.all()]
        stage.stakes = {**stage.stakes, **({"rulings": kept} if kept else {})}
        stage.save(update_fields=["stakes"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0002_roles'),
    ]

    operations = [
        migrations.CreateModel(
            name='TieRuling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveBigIntegerField()),
                ('tied', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=8), size=None)),
                ('advance', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=8), size=None)),
                ('reason', models.TextField()),
                ('used', models.BooleanField(default=False)),
                ('lifted', models.BooleanField(default=False)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='tournament.round')),
            ],
            options={
                'ordering': ('seq',),
                'constraints': [models.UniqueConstraint(fields=('round', 'seq'), name='one_ruling_per_journal_entry')],
            },
        ),
        migrations.RunPython(columns_fill, stakes_fill),
    ]
