"""Django's PostgreSQL backend on the embedded server, which starts with the first connection.

Nothing starts at import, so settings stay cheap and a command that needs no database has none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.client import DatabaseClient as PostgresClient
from django.db.utils import OperationalError

from config.launch.embedded import EmbeddedError, Server, ensure


def server() -> Server:
    """Return the running server; its failure is the error that Django expects of an unreachable database."""
    try:
        return ensure()
    except EmbeddedError as error:
        raise OperationalError(str(error)) from error


class DatabaseClient(PostgresClient):
    """``manage.py dbshell`` with the psql of the embedded server."""

    def runshell(self, parameters: Iterable[str]) -> None:
        found = server()
        self.connection.settings_dict["HOST"] = str(found.socket_dir)
        os.environ["PATH"] = f"{found.bin_dir}{os.pathsep}{os.environ.get('PATH', '')}"
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    """Asks for the server whenever it opens a connection."""

    client_class = DatabaseClient

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        return super().get_new_connection({**conn_params, "host": str(server().socket_dir)})
