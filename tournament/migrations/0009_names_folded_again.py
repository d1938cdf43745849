from django.db import migrations

from tournament.engine.names import name_folded


def names_folded_again(apps, schema_editor):
    """The names on record as they are compared from now on: letters that look alike, hyphens, umlauts."""
    player = apps.get_model("tournament", "Player")
    for each in player.objects.iterator():
        folded = name_folded(each.given_name, each.family_name)
        if each.name_folded != folded:
            player.objects.filter(pk=each.pk).update(name_folded=folded)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0008_house_day_and_persons'),
    ]

    operations = [
        migrations.RunPython(names_folded_again, migrations.RunPython.noop),
    ]
