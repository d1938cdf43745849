"""The project itself as an app: its Celery application and its system checks."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    name = "config"
    verbose_name = "Cutline"

    def ready(self) -> None:
        from config import celery, checks  # noqa: F401 - both register themselves
