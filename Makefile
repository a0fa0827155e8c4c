# Two commands to know: `make run` plays, `make test` checks. `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# One seed for all that a command tests, in whatever order and however many processes.
export TEGEL_SEED := $(or $(TEGEL_SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))
# Tests start hundreds of programs, which need not be compiled every time.
unexport PYTHONDONTWRITEBYTECODE

# Two processes more than there are processors: many tests wait for a server or a browser.
PARALLEL := --numprocesses $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 2)') --dist worksteal

NPM := cd web && PATH="$$PATH:$(CURDIR)/$(BIN)" npm
TYPES := web/src/base/wire.ts
CPP := $(shell find src tests/native -name '*.cpp' -o -name '*.hpp')
NATIVE := CMakeLists.txt $(filter src/%,$(CPP))

.DEFAULT_GOAL := help

help: ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

setup: .venv/.run .venv/.test ## make .venv with everything that running and testing need

run: .venv/.run .venv/.page ## start the games on http://localhost:8000; ARGS=--no-browser
	@$(BIN)/tegel serve $(ARGS)

play: .venv/.run ## play a game in the terminal
	@$(BIN)/tegel play

test: export TEGEL_SLOW := 3
test: .venv/.test .venv/.tools .venv/.page .venv/.servers .venv/.browser lint ## run every check, the quick tests and a third of the others
	$(BIN)/pytest $(PARALLEL) -m 'not alone'
	$(BIN)/pytest -m alone

check: .venv/.test lint ## check style and types, run the quick tests
	$(BIN)/pytest $(PARALLEL) -m 'not slow and not alone' --durations 5 --durations-min 2

lint: .venv/.test .venv/.tools $(TYPES) .venv/.page ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(NPM) run check --silent -- --output human
	$(NPM) run test --silent

bench: .venv/.bench ## measure speed
	$(BIN)/python bench/plies.py
	$(BIN)/python bench/puzzles.py
	$(BIN)/python bench/kernel.py

soak: .venv/.test .venv/.tools .venv/.page .venv/.servers .venv/.browser ## run the long versions of the tests
	TEGEL_SOAK=1 $(BIN)/pytest $(PARALLEL) -m 'not alone'
	TEGEL_SOAK=1 $(BIN)/pytest -m alone

heavy: .venv/.test .venv/.heavy .venv/.browser ## run the tests that need PyTorch or Jupyter
	$(BIN)/pytest tests/heavy
	TEGEL_SOAK=1 $(BIN)/pytest tests/test_env.py tests/test_openspiel.py

# The native modules once more, apart from those in use, with asserts and sanitizers: one build for
# memory and what is undefined, one for races between threads. -S keeps Python from finding the
# others first; what a sanitizer reports is not captured. Python itself leaks at exit, so leaks are
# not counted, and older ThreadSanitizers want addresses that are not random.
sanitize: sanitize-address sanitize-thread ## test the native parts with asserts and sanitizers on

sanitize-address: SANITIZED := tests/test_kernel.py tests/test_exact.py tests/test_native.py \
	tests/test_garbage.py tests/test_forma_bridges.py tests/test_puzzle_cover.py \
	tests/test_nets_search.py tests/test_nets_selfplay.py tests/test_batch.py tests/test_threads.py
sanitize-address: RUNTIME := libasan.so
sanitize-thread: SANITIZED := tests/test_threads.py tests/test_batch.py tests/test_nets_selfplay.py
sanitize-thread: RUNTIME := libtsan.so

sanitize-%: .venv/.test
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target build/sanitize/$*/site \
		--config-settings=build-dir=build/sanitize/$*/cmake \
		--config-settings=cmake.define.TEGEL_SANITIZE=$* .
	CXX=$${CXX:-c++}; site=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	LD_PRELOAD="$$($$CXX -print-file-name=$(RUNTIME)) $$($$CXX -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/sanitize/$*/site:$$site \
	$$(setarch -R true 2>/dev/null && echo setarch -R) \
	$(BIN)/python -S -m pytest --capture=sys $(SANITIZED)

wheel: .venv/.test .venv/.page ## build the package into dist
	$(BIN)/python -m build --wheel

pictures: .venv/.run ## draw the pictures of the rule pages and the documentation
	$(BIN)/python docs/pictures.py

# What a server consists of, as CycloneDX: its packages from an environment of their own, and those
# of which the page is built. npm wants a version, which stands in pyproject.toml alone.
sbom: .venv/.release .venv/.npm ## write the bill of materials into dist
	rm -rf build/sbom && $(PYTHON) -m venv build/sbom && mkdir -p dist build/sbom/tegel-page
	build/sbom/bin/python -m pip install --quiet --require-hashes -r locks/run.txt
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file dist/tegel.cdx.json build/sbom
	version=$$($(BIN)/tegel --version) && for file in package.json package-lock.json; do \
		sed "s/\"name\": \"tegel-web\",/& \"version\": \"$${version#tegel }\",/" web/$$file \
		> build/sbom/tegel-page/$$file; done
	cd build/sbom/tegel-page && PATH="$$PATH:$(CURDIR)/$(BIN)" npm sbom --package-lock-only --silent \
		--sbom-format cyclonedx > ../../../dist/tegel-page.cdx.json

# Its pages are gathered into build/docs; `tegel serve` shows what is built, on /docs/.
docs: .venv/.docs ## build the documentation site
	$(BIN)/python docs/site_pages.py build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "src/tegel/server/docs/index.html"

screenshots: .venv/.test .venv/.page .venv/.browser ## take pictures of every page, draw the icons
	$(BIN)/python docs/screenshots.py

locks: .venv/.release ## write the locks anew from constraints.txt and pyproject.toml
	$(BIN)/python locks/lock.py

clean: ## remove what the commands above made
	rm -rf .venv dist build src/tegel/server/docs .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tegel needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv

# What builds the package stays in .venv, so that only what changed is compiled again. What it needs
# comes first: some of that is built too, by tools of its own.
.venv/.run: .venv/bin/python pyproject.toml locks/build.txt locks/source.txt locks/run.txt $(NATIVE)
	$(call locked,build)
	$(call locked,source) --no-deps --no-build-isolation
	$(call locked,run)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation \
		--no-deps --editable .
	@touch $@

# Without $(TYPES): types leave no trace in what is built.
.venv/.page: .venv/.npm $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/tools/*' \
	-not -path 'web/test/*' -not -path $(TYPES) 2>/dev/null)
	$(NPM) run build --silent -- --logLevel warn
	@touch $@

# By the system's npm or, where there is none, by the one that PyPI carries.
.venv/.npm: .venv/.run web/package.json web/package-lock.json
	@command -v npm >/dev/null || $(call locked,node)
	$(NPM) install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

# What checks and tests the page, but does not build it.
.venv/.tools: .venv/.npm web/tools/package.json web/tools/package-lock.json
	$(NPM) install --prefix tools --no-save --no-audit --no-fund --loglevel=error
	@touch $@

# The page's types of what goes over the wire, as far as it imports them, from the server's own
# description.
$(TYPES): $(shell find src/tegel/place/wire src/tegel/server/web src/tegel/room -name '*.py') \
		$(shell grep -rl "/wire'" web/src web/test 2>/dev/null) web/tools/used.js | .venv/.tools
	$(BIN)/python -m tegel.server.web.schema > .venv/openapi.json
	($(NPM) run types --silent) < .venv/openapi.json > .venv/wire.ts
	@mv .venv/wire.ts $@

.venv/.test .venv/.docs .venv/.bench .venv/.release: .venv/.%: .venv/.run locks/%.txt
	$(call locked,$*)
	@touch $@

# PyTorch is not locked: which build of it fits depends on the machine.
.venv/.heavy: .venv/.run locks/notebook.txt
	$(call locked,notebook)
	$(BIN)/python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb')); \
	print(*project['project']['optional-dependencies']['heavy'], sep='\n')" \
	| $(BIN)/python -m pip install --quiet -r /dev/stdin
	@touch $@

# The tests of many workers start a PostgreSQL and a Redis or Valkey of their own. Without
# them those tests are left out, but not where CI is set.
.venv/.servers: .venv/bin/python
	@if ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null; \
	then :; else $(call apt,postgresql); fi
	@if command -v valkey-server >/dev/null || command -v redis-server >/dev/null; \
	then :; else $(call apt,redis-server); fi
	@touch $@

# The tests of the page play in a real browser.
.venv/.browser: .venv/bin/python
	@command -v chromium-headless-shell >/dev/null || { $(call apt,chromium-headless-shell); }
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null; \
	then :; else $(call apt,chromium); fi
	@touch $@

# Packages as a lock names them: pip refuses a file whose hash is not there.
locked = $(BIN)/python -m pip install --quiet --require-hashes -r locks/$(1).txt

# Debian's own services need not run: the tests start theirs on free ports.
apt = command -v apt-get >/dev/null || exit 0; echo "installing $(1)"; \
	SUDO=$$([ "$$(id -u)" = 0 ] || echo "sudo -n"); \
	{ $$SUDO apt-get -qq update && $$SUDO env DEBIAN_FRONTEND=noninteractive \
	apt-get -qq install --no-install-recommends $(1) >/dev/null; } || echo "$(1) was not installed"

.PHONY: help setup run play test check lint bench soak heavy sanitize wheel sbom docs pictures screenshots \
	locks clean
