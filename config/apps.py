"""The project itself as an app: its Celery application, its system checks, its connections' plans."""

from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created

PLANS = 300
"""How many statements a connection keeps planned: about as many as the pages of a night send."""


class ProjectConfig(AppConfig):
    name = "config"
    verbose_name = "Cutline"

    def ready(self) -> None:
        from config import celery, checks  # noqa: F401 - both register themselves

        connection_created.connect(keep_plans)


def keep_plans(connection: Any, **_sent: Any) -> None:
    """Past 100, psycopg's own limit, it would forget one for each that it keeps."""
    connection.connection.prepared_max = PLANS
