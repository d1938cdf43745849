from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from tables import tasks  # noqa: F401 - the web process hands tasks over by name and must know them
        from tables.answers import FloorAnswers
        from tables.services import corrections, counts, disqualified, draws, leaving  # noqa: F401 - importing them registers their handlers
        from tournament.selectors.floor import floor_register

        floor_register(FloorAnswers())
