"""The roles of the staff, as groups (faults, Who may do what)."""

from django.db import migrations

ROLES = ("director", "manager", "cashier", "dealer", "floor", "auditor")


def roles_create(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects
    for role in ROLES:
        groups.get_or_create(name=role)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    # Groups may hold people by then: going back leaves them.
    operations = [migrations.RunPython(roles_create, migrations.RunPython.noop)]
