"""Bring the database up to date: before serving, and after a set-up (`python -m config.launch.prepare`)."""

from __future__ import annotations

import os
import sys

MIGRATION_LOCK = 0x6375746C  # any number, the same for all who migrate
OF_0_1 = ("tournament", "0003_plan_the_sum_once")
"""A migration that only a database of Cutline 0.1 has; migrations began anew after it."""


def migrate_if_needed() -> None:
    """Apply migrations that are missing. Of several that come at once one does the work."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    with connection.cursor() as cursor:
        # A migration takes as long as it takes, and waits for whoever migrates already.
        cursor.execute("SET lock_timeout = 0; SET statement_timeout = 0")
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        try:
            executor = MigrationExecutor(connection)
            if OF_0_1 in executor.loader.applied_migrations:
                sys.exit("This database is one of Cutline 0.1, whose events do not play on. Begin a new one.")
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                call_command("migrate", verbosity=0, interactive=False)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def main() -> None:
    """Set Django up and migrate; what can go wrong is said in a sentence."""
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
