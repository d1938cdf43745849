"""These tests start a database server as `make run` does."""

import pytest

from config.launch.embedded.places import THROWAWAY


@pytest.fixture(autouse=True, scope="module")
def as_make_run_does():
    """Ask for the durable server, not for the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(THROWAWAY)
        yield
