"""Bring the database up to date: before serving, and after a set-up (`python -m config.launch.prepare`)."""

from __future__ import annotations

import os
import sys

MIGRATION_LOCK = 0x6375746C  # any number, the same for all who migrate


def migrate_if_needed() -> None:
    """Apply missing migrations. If several processes come at once, one does the work."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from config.checks import database_is_of_this_line

    with connection.cursor() as cursor:
        # A migration takes its time, and waits for another process that migrates already.
        cursor.execute("SET lock_timeout = 0; SET statement_timeout = 0")
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        try:
            no = database_is_of_this_line(None, databases=["default"])
            if no:
                sys.exit(no[0].msg)
            executor = MigrationExecutor(connection)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                call_command("migrate", verbosity=0, interactive=False)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def main() -> None:
    """Set up Django and migrate; errors are reported in a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.db import OperationalError, connection

    try:
        django.setup()
        migrate_if_needed()
        connection.close()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(f"The database cannot be used: {str(error).strip()}")


if __name__ == "__main__":
    main()
