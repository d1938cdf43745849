"""`make dev`: the pages on this machine, reloaded whenever a file changes; with DEBUG unless it is off."""

from __future__ import annotations

import os

from config.launch import serve

os.environ.setdefault("DEBUG", "1")


def main() -> None:
    """Bring the database up to date once, then serve; the reloader starts this module again at each
    change."""
    host, port = serve.read_address()
    if os.environ.get("RUN_MAIN") != "true":
        serve.prepare()
        print(
            f"Cutline is at http://{serve.shown(host)}:{port}, and reads files again when they change.",
            flush=True,
        )
    else:
        import django

        django.setup()
    from django.core.management import call_command

    call_command("runserver", f"{host}:{port}", verbosity=0, skip_checks=True)


if __name__ == "__main__":
    main()
