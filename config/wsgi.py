"""The entry for a production web server: `gunicorn config.wsgi`."""

import os
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
framework = get_wsgi_application()

from django.conf import settings  # noqa: E402 - after the settings are chosen

from config import periodic  # noqa: E402 - the same
from config.public_cache import PublicCache  # noqa: E402 - the same

pages = PublicCache(framework)

if settings.HTTPS and not settings.SECRET_KEY_GIVEN:
    raise ImproperlyConfigured("SECRET_KEY is not set. Set it to 50 random characters or more.")


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer every request; the first one of a process starts the sweep, whichever server runs it."""
    periodic.start()
    return pages(environ, start_response)
