"""The project itself as an app: its Celery application, its system checks, its prepared statements."""

from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created

PLANS = 300
"""The number of prepared statements per connection: about as many as the pages of a night send."""


class ProjectConfig(AppConfig):
    name = "config"
    verbose_name = "Cutline"

    def ready(self) -> None:
        from config import celery, checks  # noqa: F401 - both register themselves

        connection_created.connect(keep_plans)


def keep_plans(connection: Any, **_sent: Any) -> None:
    """Raise the limit: with more than 100 statements, psycopg's own limit, each new one would drop
    another."""
    connection.connection.prepared_max = PLANS
