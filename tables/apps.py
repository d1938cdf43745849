from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from tables.answers import FloorAnswers
        from tournament.selectors.floor import floor_register

        floor_register(FloorAnswers())
