"""``manage.py passwords``: new random passwords for the users named after the roles."""

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournament.services.logins import role_passwords


class Command(BaseCommand):
    help = "Give the user of every role a new random password and print `login ROLE USER PASSWORD`."

    def handle(self, *args: Any, **options: Any) -> None:
        passwords = role_passwords(create=settings.LOCAL, key=f"passwords:{secrets.token_hex(8)}", actor=None)
        if not passwords:
            raise CommandError(
                "Nobody here is named after a role, and with DATABASE_URL set nobody is made by itself."
                " Make a first person with `manage.py createsuperuser`."
            )
        for role, username, password in passwords:
            self.stdout.write(f"login {role} {username} {password}")
