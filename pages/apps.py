from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Everything a person sees; it has no tables of its own."""

    name = "pages"
