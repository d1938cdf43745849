"""`make quick`: which tests belong to a change."""

from __future__ import annotations

from config.quick import chosen_for, imported, module_of


def test_a_module_is_tested_by_those_that_import_it_and_a_test_by_itself() -> None:
    found = chosen_for(["config/quick.py", "README.md"])
    assert found == ["tests/config/test_quick.py"]
    assert chosen_for(["tests/config/test_quick.py"]) == found


def test_what_is_taken_from_a_package_counts_as_imported(tmp_path) -> None:
    path = tmp_path / "test_it.py"
    path.write_text("import ground.canonical\nfrom games.blackjack import shoe\n")
    assert imported(path) == {"ground.canonical", "games.blackjack", "games.blackjack.shoe"}


def test_long_and_browser_tests_are_left_to_make_test() -> None:
    assert chosen_for(["tests/e2e/test_night.py", "tests/long/test_kills_long.py"]) == []


def test_a_template_asks_for_what_looks_at_all_templates() -> None:
    assert chosen_for(["templates/staff.html"]) == ["tests/test_tidy.py"]


def test_the_name_of_a_package_is_its_folder() -> None:
    assert module_of("games/blackjack/__init__.py") == "games.blackjack"
