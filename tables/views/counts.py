from django.http import HttpRequest, HttpResponse
from django.urls import path


def _stub(request: HttpRequest, **kwargs) -> HttpResponse:
    return HttpResponse("")


urlpatterns = [path("staff/<slug:slug>/tables/<int:number>/count/", _stub, name="count")]
