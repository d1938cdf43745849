"""Every address of Cutline: the pages', and three for machines; repeated for each language (ADR 27)."""

from functools import cache

from django.urls import include, path

from config import views
from pages.urls import addresses

handler400 = "config.failures.bad_request"
handler403 = "config.failures.forbidden"
handler404 = "config.failures.not_found"
handler500 = "config.failures.server_error"

machines = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("sw.js", views.service_worker, name="service_worker"),
]
urlpatterns = [*machines, path("", include("pages.urls"))]


class AddressesIn:
    """The addresses while a page of one language is made: links to pages for players stay in that
    language."""

    handler400, handler403, handler404, handler500 = handler400, handler403, handler404, handler500

    def __init__(self, language: str) -> None:
        self.urlpatterns = [*machines, *addresses(language)]


addresses_in = cache(AddressesIn)
