"""Creates .venv and continues in it: `python3 config/launch/bootstrap.py COMMAND`, with the Makefile's
commands.

Standard library only, and in syntax that an old Python understands, so that it can report that it is too old.
"""

import errno
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
VAR = os.path.join(ROOT, "var")
LOG = os.path.join(VAR, "setup.log")
MAKING = os.path.join(VAR, "setup.unfinished")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
SETS = {"run": ["requirements.txt"], "dev": ["requirements.txt", "requirements-dev.txt"]}

# Arguments of pytest that still run all tests; any other argument chooses some, or watches the run.
OF_ALL = ("-x", "-q", "-v", "-r", "--durations", "--junit", "--maxfail", "--tb")
# Each process of the tests has its own database with its connections, Chromium and Redis.
MOST_PROCESSES = 4


def main():
    find_python()
    os.environ.setdefault("CUTLINE_CHECK_BEGAN", str(time.time()))
    what, rest = sys.argv[1], sys.argv[2:]
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        set_up("run" if what in ("run", "dev", "passwords") else "dev")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(disk_sentence(error))
    os.chdir(ROOT)
    os.environ["PYTHONUNBUFFERED"] = "1"
    if what == "run":
        os.execv(VENV_PYTHON, [VENV_PYTHON, "-m", "config.launch.serve"])
    if what == "dev":
        os.execv(VENV_PYTHON, [VENV_PYTHON, "-m", "config.launch.dev"])
    if what == "fmt":
        ruff = os.path.join(VENV, "bin", "ruff")
        subprocess.call([ruff, "check", "--fix", "--quiet", "."])
        os.execv(ruff, [ruff, "format", "."])
    if what == "messages":
        os.execv(VENV_PYTHON, [VENV_PYTHON, "-m", "config.messages", *rest])
    if not os.environ.get("DATABASE_URL"):
        done = subprocess.call([VENV_PYTHON, "-m", "config.launch.prepare"])
        if done:
            sys.exit(done)
    if what == "test":
        # Plain HTTP, even if a DATABASE_URL says that this is a server.
        os.environ.setdefault("HTTPS", "0")
        # The same order of sets and dicts in every run.
        os.environ.setdefault("PYTHONHASHSEED", "0")
        os.execv(VENV_PYTHON, [VENV_PYTHON, "-m", "pytest", *side_by_side(rest), *rest])
    if what == "passwords":
        os.execv(VENV_PYTHON, [VENV_PYTHON, "manage.py", "passwords"])
    if what in ("check", "quick", "soak"):
        os.execv(VENV_PYTHON, [VENV_PYTHON, "-m", "config." + what, *rest])
    print("Set up. 'make run' starts Cutline, 'make test' runs the tests.")


def side_by_side(rest):
    """Return the arguments that make pytest run all tests on all cores. A few tests are quicker without."""
    cores = min(os.cpu_count() or 1, MOST_PROCESSES)
    if cores < 2 or not all(each.startswith(OF_ALL) for each in rest):
        return []
    # Each process runs its share in one go, and then takes over tests that another process has not started.
    return ["-n", str(cores), "--dist", "worksteal"]


def find_python():
    """Restart in a newer Python if this one is too old and there is one."""
    if sys.version_info[:2] >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        better = shutil.which("python3.%d" % minor)
        if better and runs(better):
            os.execv(better, [better, *sys.argv])
    sys.exit(
        "Cutline needs Python %d.%d or newer; %s is %s. Install one (python3.11 or later) "
        "or name it: make PYTHON=/path/to/python3.11 …" % (*OLDEST, sys.executable, sys.version.split()[0])
    )


def runs(python):
    """Whether this Python runs: the stand-in of a version manager may have nothing behind it."""
    ask = "import sys; sys.exit(sys.version_info[:2] < (%d, %d))" % OLDEST
    return subprocess.call([python, "-c", ask], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def set_up(which):
    """Install the requirements in .venv; usually there is nothing to do."""
    if is_ready(which):
        return
    if not os.path.isdir(VAR):
        os.mkdir(VAR)
    with open(os.path.join(VAR, "setup.lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up of this checkout is under way; waiting for it …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_ready(which):
            build(which)


def build(which):
    if os.path.lexists(VENV) and not is_whole():
        say("The .venv here is only half made, or of another place or Python; building it anew …")
        remove(VENV)
    with open(MAKING, "w") as file:
        file.write("The set-up writes here while it works on .venv.\n")
    with open(LOG, "w"):
        pass
    if not os.path.exists(VENV_PYTHON):
        say("Setting up .venv (once, the better part of a minute) …")
        run([sys.executable, "-m", "venv", VENV], why_no_venv)
    else:
        say("Bringing .venv up to date …")
    for name in SETS[which][-1:]:
        pip = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--no-input", "--progress-bar", "off"]
        run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", os.path.join(ROOT, name)], why_no_pip)
    for name in SETS[which]:
        with open(stamp_path(name), "w") as file:
            file.write(stamp(name))
    os.remove(MAKING)


def is_ready(which):
    return is_whole() and all(read(stamp_path(name)) == stamp(name) for name in SETS[which])


def stamp_path(name):
    return os.path.join(VENV, name + ".installed")


def stamp(name):
    """Return what .venv was made from: the requirements' content, the place, the Python."""
    with open(os.path.join(ROOT, name), "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return "%s\n%s\n%d.%d\n" % (digest, VENV, sys.version_info[0], sys.version_info[1])


def is_whole():
    """Whether .venv is usable: complete, made here, with this Python."""
    if os.path.exists(MAKING) or not os.access(VENV_PYTHON, os.X_OK):
        return False
    packages = os.path.join(VENV, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
    if not os.path.isdir(os.path.join(packages, "pip")) or not made_here():
        return False
    for info in os.listdir(packages):
        if info.endswith(".dist-info"):
            record = read(os.path.join(packages, info, "RECORD"))
            for top in re.findall(r"^([\w.-]+(?:/__init__)?\.py),", record, re.MULTILINE):
                if not os.path.exists(os.path.join(packages, top)):
                    return False
    return True


def made_here():
    """Whether our .venv was made here; a copied or moved one still points at its old place."""
    found = read(stamp_path(SETS["run"][0])).split("\n")
    return len(found) < 3 or found[1] == VENV


def run(command, why):
    """Run a step into the log; if it fails, exit with a sentence. The step never outlives this process."""
    env = {key: value for key, value in os.environ.items() if key not in FOREIGN}
    with open(LOG, "a") as log:
        step = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env
        )
        try:
            failed = step.wait()
        finally:
            if step.poll() is None:
                step.terminate()
                step.wait()
    if failed:
        sys.exit(why(read(LOG)))


# Settings of pip and Python that would install the packages elsewhere.
FOREIGN = {
    "PIP_USER",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_REQUIRE_VIRTUALENV",
    "PYTHONHOME",
    "PYTHONPATH",
}


def why_no_venv(text):
    if "ensurepip" in text or "No module named venv" in text:
        version = "%d.%d" % sys.version_info[:2]
        return (
            "This Python (%s) cannot make virtual environments: its module venv or ensurepip is missing. "
            "On Debian and Ubuntu: sudo apt install python%s-venv. Then start again."
            % (sys.executable, version)
        )
    return why_no_disk(text) or "The virtual environment could not be made (%s):\n%s" % (LOG, tail(text))


def why_no_pip(text):
    if why_no_disk(text):
        return why_no_disk(text)
    if "No matching distribution" in text:
        return (
            "One of the pinned packages has no build for this machine. Wanted: Linux (glibc 2.28 or newer) "
            "or macOS on x86-64 or arm64, Python 3.11 to 3.14. What pip said (%s):\n%s" % (LOG, tail(text))
        )
    if "HASHES" in text:
        return (
            "A downloaded package is not the one that was pinned; nothing of it was installed (%s):\n%s"
            % (
                LOG,
                tail(text),
            )
        )
    return (
        "The packages could not be installed; the first start needs the network. Mend that and start again. "
        "What pip said (%s):\n%s" % (LOG, tail(text))
    )


def why_no_disk(text):
    if "No space left on device" in text or "Errno 28" in text:
        return (
            "The disk is full. Cutline needs about 1 GB here: free some space in %s and start again." % ROOT
        )
    return ""


def disk_sentence(error):
    where = error.filename or ROOT
    if error.errno == errno.ENOSPC:
        return why_no_disk("Errno 28")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return (
            "%s cannot be written. Cutline keeps .venv and var/ in its own folder: use a copy you may write."
            % where
        )
    return "%s: %s" % (where, error.strerror)


def remove(path):
    if os.path.islink(path) or not os.path.isdir(path):
        os.remove(path)
    else:
        shutil.rmtree(path)


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def tail(text):
    return "\n".join(text.strip().split("\n")[-8:])


def say(text):
    print(text, flush=True)


if __name__ == "__main__":
    # Remove this file's folder from the path: config/celery.py is not the library of that name.
    sys.path[:] = [
        entry for entry in sys.path if os.path.abspath(entry or ".") != os.path.join(ROOT, "config")
    ]
    main()
