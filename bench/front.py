"""nginx with `deploy/nginx.conf` in a folder of its own: only folders and ports are changed."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

CONF = Path(__file__).resolve().parent.parent / "deploy" / "nginx.conf"
HOUSE = "cutline.example"
MAIN = """\
daemon off;
worker_processes 1;
pid {0}/pid;
error_log {0}/error.log;
{1}
events {{}}
http {{
{2}
}}
"""
TEMPS = "".join(
    f"{name}_temp_path {{0}}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
)
LAST = "    location / {\n"


def nginx_find() -> str | None:
    """Return the path of nginx; Debian installs it where only root looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Front:
    """A running nginx before the port of the pages; ``more`` is added to the server of the house."""

    def __init__(self, program: str, folder: Path, upstream: int, more: str = "") -> None:
        self.folder, self.plain, self.secure = folder, free_port(), free_port()
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj"]
        files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
        subprocess.run([*made, f"/CN={HOUSE}", *files], check=True, capture_output=True)
        text = CONF.read_text()
        for ours, here in (
            ("listen 80", f"listen 127.0.0.1:{self.plain}"),
            ("listen 443", f"listen 127.0.0.1:{self.secure}"),
            ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
            ("/etc/ssl/cutline", str(folder)),
            ("/var/lib/nginx/cutline", f"{folder}/cache"),
            ("/var/log/nginx", str(folder)),
            (LAST, f"{more}{LAST}"),
        ):
            assert ours in text, ours
            text = text.replace(ours, here)
        main = folder / "nginx.conf"
        main.write_text(
            MAIN.format(folder, "user root;" if folder.owner() == "root" else "", TEMPS.format(folder) + text)
        )
        command = [program, "-p", str(folder), "-c", str(main)]
        tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
        with (folder / "out").open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out)

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        self.process.terminate()
        self.process.wait(60)
