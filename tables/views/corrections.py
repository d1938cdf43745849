from django.http import HttpRequest, HttpResponse
from django.urls import path


def _stub(request: HttpRequest, **kwargs) -> HttpResponse:
    return HttpResponse("")


urlpatterns = [path("staff/<slug:slug>/deals/", _stub, name="deals"), path("staff/<slug:slug>/deals/<int:pk>/correct/", _stub, name="correct")]
