"""The entry for a production web server: `gunicorn config.wsgi`."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - after the settings are chosen

if settings.HTTPS and not settings.SECRET_KEY_GIVEN:
    raise ImproperlyConfigured("SECRET_KEY is not set. Set it to 50 random characters or more.")
