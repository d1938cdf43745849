"""``manage.py first_start``: create the roles, users and rehearsal of a first start."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from tables.services.rehearsal import SLUG, rehearsal_make
from tournament.models import Event
from tournament.roles import ROLES
from tournament.services.logins import role_passwords


class Command(BaseCommand):
    help = "Make a login for every role and a rehearsal in progress, unless they exist; print the logins."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.LOCAL:
            raise CommandError("Only on one's own machine: with DATABASE_URL set nothing is made by itself.")
        if not User.objects.filter(username__in=ROLES).exists():
            key = f"first-start:{secrets.token_hex(8)}"
            for role, username, password in role_passwords(create=True, key=key, actor=None):
                self.stdout.write(f"login {role} {username} {password}")
        if not Event.objects.filter(slug=SLUG).exists():
            self.stdout.write("Preparing a rehearsal: 42 simulated players, round 2 at the tables.")
            rehearsal_make()
        self.stdout.flush()
