from django.http import HttpRequest, HttpResponse
from django.urls import path


def _stub(request: HttpRequest, **kwargs) -> HttpResponse:
    return HttpResponse("")


urlpatterns = [path("staff/<slug:slug>/rounds/<int:pk>/", _stub, name="round")]
