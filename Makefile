# The one runner. PYTHON names the interpreter that the virtual environment is made with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SMOKE := .venv-smoke-$(notdir $(PYTHON))

.PHONY: help play test check bench smoke catalogues clean
.DELETE_ON_ERROR:
.NOTPARALLEL:

help:
	@echo "make play    play in the browser: installs into $(VENV), starts the server, opens the page"
	@echo "make test    every test, the ones in a real browser included"
	@echo "make check   ruff and mypy, then every test"
	@echo "make bench   the benchmarks"
	@echo "make smoke PYTHON=python3.12   a quick run on another Python"
	@echo "make catalogues   extract what is said into the catalogues of all languages"
	@echo "make clean   remove the virtual environments and caches"

play: $(VENV)/.play
	$(BIN)/yourtrumps play

test: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m pytest

check: $(VENV)/.check $(VENV)/.test $(VENV)/.browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

bench: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m pytest benchmarks --timeout=0 -s

smoke: $(SMOKE)/.test $(SMOKE)/.browser
	$(SMOKE)/bin/python -m pytest -m "smoke or not (browser or notebook or slow)"

catalogues: $(VENV)/.play
	$(BIN)/python scripts/catalogues.py

clean:
	rm -rf .venv .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks screenshots build dist

# Stamps: what is installed is installed again only after pyproject.toml has changed.
INSTALL = $*/bin/python -m pip install --disable-pip-version-check --quiet -e
%/.play: pyproject.toml %/.made
	$(INSTALL) .
	@touch $@

%/.test: pyproject.toml scripts/bring_redis %/.made
	$(INSTALL) ".[test,notebook]"
	@sh scripts/bring_redis
	@touch $@

%/.check: pyproject.toml %/.made
	$(INSTALL) ".[dev]"
	@touch $@

.PRECIOUS: %/.made
%/.made:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' || { \
	  echo "expected Python 3.11, 3.12 or 3.13, got $$($(PYTHON) --version 2>&1): run make with PYTHON=python3.12, say" >&2; exit 1; }
	@$(PYTHON) -m venv $* || { echo "expected $(PYTHON) to make a virtual environment; on Debian install python3-venv" >&2; exit 1; }
	@touch $@

%/.browser: scripts/bring_chromium | %/.test
	sh scripts/bring_chromium $*/bin/python
	@touch $@
