"""What the files at the root promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
REQUIREMENTS = ["requirements.txt", "requirements-dev.txt", "requirements-prod.txt"]
TEST_TOOLS = {
    "factory-boy",
    "faker",
    "pytest",
    "pytest-django",
    "iniconfig",
    "pluggy",
    "pygments",
    "colorama",
}


def blocks(name: str) -> list[str]:
    """A requirements file as one text for every package."""
    text = re.sub(r"^\s*#.*$", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    return [block.strip() for block in re.split(r"\n(?=[a-z])", text) if block.strip()]


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / name).read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_package_is_pinned_with_hashes(name: str) -> None:
    assert len(blocks(name)) > 20
    for block in blocks(name):
        assert re.match(r"[\w.-]+==[\w.]+( ;[^\\]+)? \\\n", block), block.splitlines()[0]
        assert "--hash=sha256:" in block


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_no_index_is_written_down(name: str) -> None:
    assert "://" not in (ROOT / name).read_text()
    assert "--index" not in (ROOT / name).read_text()


def test_the_tests_run_on_the_very_packages_that_serve() -> None:
    runtime, dev = pins(REQUIREMENTS[0]), pins(REQUIREMENTS[1])
    assert runtime.items() <= dev.items()


def test_a_production_set_has_the_very_same_packages_without_the_tests_tools() -> None:
    whole, prod = pins("requirements.txt"), pins("requirements-prod.txt")
    assert prod.items() <= whole.items()
    assert set(whole) - set(prod) == TEST_TOOLS
    # Hash by hash: only the notes of who needs what may differ.
    words = {name: {" ".join(block.split()) for block in blocks(name)} for name in REQUIREMENTS}
    assert words["requirements-prod.txt"] <= words["requirements.txt"]


def test_what_serves_imports_no_tool_of_the_tests() -> None:
    code = [
        path
        for app in ("config", "pages", "plan", "tables", "tournament", "games", "ground")
        for path in (ROOT / app).rglob("*.py")
    ]
    wanted = re.compile(r"^\s*(?:import|from) (?:pytest|factory|faker)\b", re.MULTILINE)
    assert [path.name for path in code if wanted.search(path.read_text())] == []


def test_the_stack_is_in_requirements() -> None:
    wanted = {"django", "django-htmx", "celery", "psycopg", "factory-boy", "pytest-django"}
    assert wanted <= set(pins("requirements.txt"))


def test_what_the_readme_tells_to_type_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+)", README)) <= targets
    assert set(re.findall(r"manage\.py (\w+)", README)) <= set(get_commands())


def test_the_readme_begins_with_the_two_commands() -> None:
    assert README.index("make run") < README.index("make test") < README.index("## Commands")


def test_every_variable_of_the_settings_is_in_the_readme() -> None:
    text = (ROOT / "config" / "settings.py").read_text() + (
        ROOT / "config" / "launch" / "serve.py"
    ).read_text()
    names = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', text)) | set(
        re.findall(r'environ\.get\("([A-Z_]+)"', text)
    )
    untold = {name for name in names if name not in README}
    assert untold <= {"CSRF_TRUSTED_ORIGINS", "CONN_MAX_AGE", "TEST_DATABASE_NAME"} | {
        name for name in names if name.startswith("SECURE_")
    }
