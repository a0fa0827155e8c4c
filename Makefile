# Two commands to know: `make run` plays, `make test` checks. `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

NATIVE := CMakeLists.txt $(shell find src -name '*.cpp' -o -name '*.hpp')

.DEFAULT_GOAL := help

help: ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

setup: .venv/.run .venv/.test ## make .venv with everything that running and testing need

run: .venv/.run ## play a game in the terminal
	@$(BIN)/tegel play

test: .venv/.test lint ## run every check and every test
	$(BIN)/pytest

lint: .venv/.test ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/.bench ## measure speed
	$(BIN)/python bench/plies.py
	$(BIN)/python bench/puzzles.py

soak: .venv/.test ## run the long versions of the tests
	TEGEL_SOAK=1 $(BIN)/pytest

wheel: .venv/.test ## build the package into dist
	$(BIN)/python -m build --wheel

pictures: .venv/.run ## draw the pictures of the rule pages and the documentation
	$(BIN)/python docs/pictures.py

clean: ## remove what the commands above made
	rm -rf .venv dist build .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tegel needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv

.venv/.run: .venv/bin/python pyproject.toml constraints.txt $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.test: .venv/.run
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

.venv/.bench: .venv/.run
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

.PHONY: help setup run test lint bench soak wheel pictures clean
