import pytest
from django.test import Client


@pytest.mark.django_db
def test_readyz_answers_when_the_database_does(client: Client) -> None:
    assert client.get("/readyz").status_code == 200
