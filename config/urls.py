"""Every address of Cutline: the two apps', and two for machines."""

from django.urls import include, path

from config import views

handler500 = "config.middleware.server_error"

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("", include("tournament.urls")),
    path("", include("tables.urls")),
]
