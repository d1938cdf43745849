"""Every address of Cutline: the pages', and three for machines."""

from django.urls import include, path

from config import views

handler400 = "config.failures.bad_request"
handler403 = "config.failures.forbidden"
handler404 = "config.failures.not_found"
handler500 = "config.failures.server_error"

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("sw.js", views.service_worker, name="service_worker"),
    path("", include("pages.urls")),
]
