"""What the files at the root promise."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
WHOLE, DEV, PROD = "requirements.txt", "requirements-dev.txt", "requirements-prod.txt"
TEST_TOOLS = {
    *("factory-boy", "faker", "pytest", "pytest-django", "iniconfig", "pluggy", "pygments", "colorama"),
}


def blocks(name):
    """A requirements file as one text for every package, by its name."""
    text = re.sub(r"^\s*#.*$", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    parts = [" ".join(block.split()) for block in re.split(r"\n(?=[a-z])", text) if block.strip()]
    return {part.split("==")[0]: part for part in parts}


@pytest.mark.parametrize("name", [WHOLE, DEV, PROD])
def test_every_package_is_pinned_with_hashes_and_no_index_is_written_down(name):
    assert len(blocks(name)) > 20
    for block in blocks(name).values():
        assert re.match(r"[\w.-]+==[\w.]+( ;[^\\]+)? \\ --hash=sha256:", block), block
    text = (ROOT / name).read_text()
    assert "://" not in text and "--index" not in text


def test_tests_run_on_the_very_packages_that_serve_and_a_server_has_no_tools_of_tests():
    pins = {name: {block.split()[0] for block in blocks(name).values()} for name in (WHOLE, DEV)}
    assert pins[WHOLE] <= pins[DEV]
    whole, prod = blocks(WHOLE), blocks(PROD)
    # Hash by hash: only the notes of who needs what may differ.
    assert prod.items() <= whole.items()
    assert set(whole) - set(prod) == TEST_TOOLS


def test_what_serves_imports_no_tool_of_the_tests():
    apps = ("config", "pages", "plan", "tables", "tournament", "games", "ground")
    code = [path for app in apps for path in (ROOT / app).rglob("*.py")]
    wanted = re.compile(r"^\s*(?:import|from) (?:pytest|factory|faker)\b", re.MULTILINE)
    assert [path.name for path in code if wanted.search(path.read_text())] == []


def test_every_command_and_every_variable_of_the_readme_exists():
    assert set(re.findall(r"manage\.py (\w+)", README)) <= set(get_commands())
    code = [(ROOT / "config" / name).read_text() for name in ("settings.py", "launch/serve.py")]
    names = set(re.findall(r'(?:env\.\w+|environ\.get)\(\s*"([A-Z_]+)"', "".join(code)))
    untold = {name for name in names if name not in README and not name.startswith("SECURE_")}
    assert untold <= {"CSRF_TRUSTED_ORIGINS", "CONN_MAX_AGE", "TEST_DATABASE_NAME"}
