"""The Celery application. Without BROKER_URL tasks run at once, in the caller (settings)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("cutline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
