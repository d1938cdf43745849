from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"

    def ready(self) -> None:
        from tournament import tasks  # noqa: F401 - the web process hands tasks over by name and must know them
        from tournament.services import entries, logins, payments, payouts, penalties  # noqa: F401 - what a second person confirms
