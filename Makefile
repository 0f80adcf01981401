# `make` alone lists what can be made. Everything runs from .venv, which bootstrap.py sets up and keeps current.

PYTHON ?= python3
BIN := .venv/bin
# What ruff and mypy look at; folders that are not there yet are left out.
CODE := $(wildcard src tests tools bench examples bootstrap.py)
# More words for pytest, such as ARGS="-k wards -x".
ARGS ?=
# `make lock UPGRADE=--upgrade` takes newer versions; without it only what pyproject.toml asks for moves.
UPGRADE ?=
# The environment's own node: a system's may be too old.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header $(UPGRADE)

# Compiled modules are kept: without them each of the many processes that the tests start compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run play test check fix lock web-lock bench proof types screens clauses golden tables controls campaign nodes clean \
	python ready ready-all

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile

run: ready ## Set up and open a hall on this machine (ARGS="--port 8080" goes to dicehall serve).
	@$(BIN)/dicehall serve $(ARGS)

play: ready ## Set up and open the menu of games in this terminal.
	@$(BIN)/dicehall

test: ready-all ## Run the tests on two cores (ARGS="..." goes to pytest).
	$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

check: ready-all ## Check format, lint, types and the contracts between rooms, editing nothing.
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy --strict $(CODE)
	$(BIN)/lint-imports
	$(NPM) run --silent check

fix: ready-all ## Format the code and mend what ruff can mend.
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

lock: ready-all ## Write the lock files anew from pyproject.toml.
	$(COMPILE) --extra cluster --extra desktop --extra fast --extra nwn --extra postgres --extra page --extra test -o requirements-all.lock
	$(COMPILE) -c requirements-all.lock -o requirements.lock
	$(COMPILE) -c requirements-all.lock --extra page -o requirements-page.lock
	$(COMPILE) -c requirements-all.lock --extra bench -o requirements-bench.lock

web-lock: ready-all ## Write the page's lock file anew from web/package.json.
	@$(BIN)/python -m tools.web_lock

bench: python ## Run every benchmark in bench/ (installs what they compare with).
	@$(PYTHON) bootstrap.py --all --bench
	@set -e; for script in $(filter-out bench/_%,$(wildcard bench/*.py)); do echo "== $$script"; $(BIN)/python $$script; done

proof: ready-all ## Run the proofs that take too long for every day (up to an hour).
	DICEHALL_BROWSER=chromium $(BIN)/pytest -n 2 --dist worksteal -m proof $(ARGS)
	$(BIN)/python -m tools.campaign --kills 100 --fresh --dir $${TMPDIR:-/tmp}/dicehall-campaign-proof
	$(BIN)/python -m tools.campaign --part server --kills 20 --fresh --dir $${TMPDIR:-/tmp}/dicehall-server-campaign-proof
	$(BIN)/python -m tools.campaign --part mint --kills 20 --fresh --dir $${TMPDIR:-/tmp}/dicehall-mint-campaign-proof
	$(BIN)/python -m tools.campaign --part mana --kills 20 --fresh --dir $${TMPDIR:-/tmp}/dicehall-mana-campaign-proof
	$(BIN)/python -m tools.campaign --part nodes --kills 20 --fresh --dir $${TMPDIR:-/tmp}/dicehall-nodes-campaign-proof

types: ready-all ## Write the page's types of what the hall says anew.
	@$(BIN)/python -m tools.page_types

screens: ready-all ## Write a screenshot of every screen of the page, the window and the terminal to docs/screens (ARGS="--scene lobby --dark").
	@$(BIN)/python -m tools.screens $(ARGS)
	@$(BIN)/python -m tools.window_screens
	@$(BIN)/python -m tools.terminal_screens

clauses: ready-all ## List every rule clause with its tests, and fail if one has none.
	@$(BIN)/python -m tools.clauses

golden: ready-all ## Write the expected answers of the golden games anew (ARGS=wards for some); read the diff.
	@$(BIN)/python -m tools.golden $(ARGS)

tables: ready-all ## Solve the race games whose rules have changed and write the tables that ship (ARGS=--anew for all).
	@$(BIN)/python -m tools.solving $(ARGS)

controls: ready-all ## Break the code on purpose and see that the tests notice.
	@$(BIN)/python -m tools.controls $(ARGS)

campaign: ready-all ## Kill a host under load N times (N=500) and count faults; it goes on where it was stopped.
	@$(BIN)/python -m tools.campaign $(if $(N),--kills $(N)) $(if $(PART),--part $(PART)) $(ARGS)

nodes: ready-all ## Start a PostgreSQL, two nodes and a proxy in front of them, to try (ARGS="--nodes 3 --port 8080").
	@$(BIN)/python -m tools.nodes $(ARGS)

clean: ## Remove the environment, the caches and everything built.
	rm -rf web/node_modules src/dicehall/server/page
	rm -rf .venv __pycache__ build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "Dicehall needs Python 3.11 or newer, and there is no $(PYTHON)" \
		"here: install it (on Debian or Ubuntu: apt-get install python3 python3-venv) or say make PYTHON=..." >&2; exit 1; }

ready: python
	@$(PYTHON) bootstrap.py

ready-all: python
	@$(PYTHON) bootstrap.py --all
