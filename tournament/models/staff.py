"""Staff logins: who created, reset or promoted one, and the link by which its owner sets a password."""

from django.conf import settings
from django.db import models

from .triggers import append_only, by_staff


class LoginChange(models.Model):
    """A change of a login: created, password reset, or role given; never edited.

    ``by`` requested it: for a day that person and this login do not count as two people (faults).
    ``first_two`` marks the second login of a new house, which nobody could confirm.
    """

    class What(models.TextChoices):
        MADE = "made", "made"
        PASSWORD = "password", "password set anew"
        ROLES = "roles", "role given"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=8, choices=What.choices)
    roles = models.JSONField(default=list)
    by = by_staff()
    confirmed_by = by_staff()
    first_two = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ("id",)
        triggers = append_only("login_change")


class PasswordLink(models.Model):
    """The one-time link by which the owner of a login sets its password; only its digest is stored.

    It is made after two people have agreed, for the person who requested it, who hands it over.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_by = by_staff()
    confirmed_by = by_staff()
    first_two = models.BooleanField(default=False)
    digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    replaced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(used_at__isnull=True, replaced_at__isnull=True),
                name="one_open_password_link_per_login",
            ),
        ]


class Pin(models.Model):
    """The PIN by which its owner signs at a tablet where another person is logged in; only its hash is
    stored.

    ``tries`` counts the PINs typed since the last correct PIN or password.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    hash = models.CharField(max_length=128)
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
