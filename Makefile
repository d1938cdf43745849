# The commands of Cutline. README.md begins with them.
PYTHON ?= python3
STEP = @"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null || { \
	echo "Cutline needs Python 3.11 or newer, and '$(PYTHON)' is none. Install one (python3.11 or later) or name it: make PYTHON=/path/to/python3.11 …"; \
	exit 1; }; exec "$(PYTHON)" config/launch/bootstrap.py

.PHONY: run dev setup test quick fmt messages check soak passwords pictures look lock
.DEFAULT_GOAL := run

run: ## Serve on http://localhost:8000 (PORT, HOST)
	$(STEP) run

dev: ## The same, and every file read again when it changes
	$(STEP) dev

setup: ## Make .venv and the database, nothing else
	$(STEP) setup

test: ## The tests of the gate (ARGS="-k cut -x" goes to pytest)
	$(STEP) test $(ARGS)

quick: ## Lints, types, and the tests of what has changed: a minute
	$(STEP) quick

fmt: ## One layout for all code
	$(STEP) fmt

messages: ## Read all sentences, bring their German up to date and compile it (ARGS="more.po")
	$(STEP) messages $(ARGS)

check: ## All that CI runs: the lints, 'make test', and the tests that need Chromium or Redis
	$(STEP) check

soak: ## The long tests, at most an hour (PART=hostile, SEED=7)
	$(STEP) soak PART=$(PART) SEED=$(SEED)

passwords: ## Set and print new passwords for the rehearsal's logins
	$(STEP) passwords

pictures: ## Draw docs/pictures anew from the pages of a rehearsal (needs Chromium)
	$(STEP) test tests/e2e/pictures.py

look: ## Draw every page, phone and desk, light and dark, into var/look (needs Chromium)
	$(STEP) test tests/e2e/look.py

lock: ## Pin requirements*.in anew (needs uv)
	uv pip compile --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url --upgrade requirements.in -o requirements.txt --quiet
	uv pip compile --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url -c requirements.txt requirements-prod.in -o requirements-prod.txt --quiet
	uv pip compile --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url -c requirements.txt requirements-dev.in -o requirements-dev.txt --quiet
