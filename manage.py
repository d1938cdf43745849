#!/usr/bin/env python
"""Cutline's commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] != ["runserver"]:
        os.environ.setdefault("DATABASE_TIME_LIMITS", "0")  # somebody is watching, and can end it
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed here. Run 'make setup' once, then '.venv/bin/python manage.py …'.")
    from django.core.exceptions import ImproperlyConfigured
    from django.db.utils import OperationalError

    from config.launch.embedded.places import EmbeddedError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        if not isinstance(error.__cause__, EmbeddedError):
            raise
        sys.exit(str(error))


if __name__ == "__main__":
    main()
