# make run: the dashboard. make test: all tests, lint and types. Both set up everything they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test test-fast lint bench audit load latency gallery clean

run: $(VENV)/run.stamp
	$(BIN)/streamlit run dashboard/app.py

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
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.benchmark $(if $(BENCH),$(BENCH),-o data/benchmark.md)

# What is stopped goes on where it was. AUDIT="--quick" is a first look.
audit: $(VENV)/test.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.audit $(AUDIT)

# Crowds of users on a server of its own. LOAD="--users 8 --seconds 20" is a first look.
load: $(VENV)/test.stamp
	$(BIN)/python -m tests.load $(LOAD)

# What a user waits for in Chromium. LATENCY="FILE --pair PAIR" or LATENCY="--votes 5000000".
latency: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m tests.latency $(LATENCY)

gallery: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m tests.gallery

clean:
	rm -rf $(VENV)

$(VENV)/run.stamp: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit("Podium needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another one: make run PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
# Kernels are compiled now, not while the first user waits.
	$(BIN)/python -m analysis.kernels
	touch $@

$(VENV)/test.stamp: tests/requirements.txt $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@

$(VENV)/bench.stamp: tests/benchmark/requirements.txt $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/benchmark/requirements.txt
	touch $@
