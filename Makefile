# make run: the dashboard. make test: all tests, lint and types. Both set up everything they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check

.PHONY: run test test-fast lint bench audit load latency gallery docs size clean

run: $(VENV)/run.stamp
	@echo "Podium runs at the address below. Ctrl+C stops it."
	@$(BIN)/streamlit run dashboard/app.py

test: $(VENV)/test.stamp lint
	tests/with_chromium $(BIN)/python -m pytest -n auto --dist worksteal

test-fast: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Speed beside peers, as data/benchmark.md has it. BENCH="--only agreement" is a part of it.
bench: $(VENV)/bench.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.tools.benchmark $(if $(BENCH),$(BENCH),-o data/benchmark.md)

# What is stopped goes on where it was. AUDIT="--quick" is a first look.
audit: $(VENV)/test.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.tools.audit $(AUDIT)

# Crowds of users on a server of its own. LOAD="--users 8 --seconds 20" is a first look.
load: $(VENV)/test.stamp
	$(BIN)/python -m tests.tools.load $(LOAD)

# What a user waits for in Chromium. LATENCY="FILE --pair PAIR" or LATENCY="--votes 5000000".
latency: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m tests.tools.latency $(LATENCY)

gallery: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m tests.tools.gallery

# Lines of code, docstrings, modules, repeated blocks. SIZE="--places" names them.
size: $(VENV)/run.stamp
	$(BIN)/python -m tests.tools.size $(SIZE)

# The documentation as a site in build/site; a broken link or a warning is an error.
docs: $(VENV)/docs.stamp
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV)

$(VENV)/run.stamp: requirements.txt pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit("Podium needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another one: make run PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Setting up Podium in $(VENV), once: about 2 minutes and 1 GB."
	@if test -e $(VENV) && ! $(BIN)/python -m pip --version > /dev/null 2>&1; then echo "$(VENV) is incomplete; it is made anew."; rm -rf $(VENV); fi
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@$(PIP) -r requirements.txt
	@$(PIP) --quiet --no-deps --editable .
	@echo "Compiling the numerical kernels (about 30 seconds), so that no page waits for them."
	@$(BIN)/python -m analysis.kernels
	@touch $@

$(VENV)/test.stamp: tests/requirements.txt $(VENV)/run.stamp
	@$(PIP) -r tests/requirements.txt
	@touch $@

$(VENV)/bench.stamp: tests/benchmark/requirements.txt $(VENV)/test.stamp
	@$(PIP) -r tests/benchmark/requirements.txt
	@touch $@

$(VENV)/docs.stamp: docs/requirements.txt $(VENV)/run.stamp
	@$(PIP) -r docs/requirements.txt
	@touch $@
