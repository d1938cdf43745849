from django.db import migrations


def forget_the_earlier_form(apps, schema_editor):
    """Delete what holds sentences: each snapshot is made anew within seconds, a delay begins anew."""
    apps.get_model("tournament", "StandingsKept").objects.all().delete()
    apps.get_model("tournament", "StandingsSnapshot").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0020_standings_publication"),
    ]

    operations = [
        migrations.RunPython(forget_the_earlier_form, migrations.RunPython.noop),
        migrations.RemoveField(model_name="standingssnapshot", name="html"),
    ]
