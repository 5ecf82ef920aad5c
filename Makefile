# make run: the dashboard. make test: all tests, lint and types. Both set up everything they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check

UV := uv==0.13.8
# What is installed is what the locks name, to the byte. LOCKED=no takes the pins alone.
LOCKED ?= yes

# Install a file of requirements from the lock next to it. Where the platform lacks a wheel of the
# lock the pins are taken without hashes; a file whose hash differs is never installed. The last
# line adds a pin that a lock does not have yet.
define install
	@if test "$(LOCKED)" = no; then $(PIP) -r $(1).txt; else \
	    mkdir -p $(VENV)/log; \
	    { $(PIP) --require-hashes -r $(1).lock 2>&1 || touch $(VENV)/log/failed; } | tee $(VENV)/log/install; \
	    if test -e $(VENV)/log/failed; then \
	        rm $(VENV)/log/failed; \
	        if grep -q "DO NOT MATCH THE HASHES" $(VENV)/log/install; then \
	            echo "A package differs from the one that $(1).lock names. Nothing is installed. LOCKED=no takes it all the same."; exit 1; fi; \
	        echo "The locked packages do not fit this platform or index. The pinned versions are installed without hashes."; \
	        $(PIP) -r $(1).txt; \
	    else $(PIP) --quiet -r $(1).txt; fi; fi
endef

.PHONY: run test test-fast lint bench audit load soak latency gallery docs size mutants lock clean

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

# A day in production, in SOAK="--minutes 30": memory, log and refusals at its end.
soak: $(VENV)/test.stamp
	$(BIN)/python -m tests.tools.soak $(SOAK)

# What a user waits for in Chromium. LATENCY="FILE --pair PAIR" or LATENCY="--votes 5000000".
latency: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m tests.tools.latency $(LATENCY)

gallery: $(VENV)/test.stamp
	tests/with_chromium $(BIN)/python -m tests.tools.gallery

# Lines of code, docstrings, modules, repeated blocks. SIZE="--places" names them.
size: $(VENV)/run.stamp
	$(BIN)/python -m tests.tools.size $(SIZE)

# Whether the tests notice mistakes; goes on where it was. MUTANTS="--number 500 --seed 1" is more.
mutants: $(VENV)/test.stamp
	$(BIN)/python -m tests.tools.mutants $(MUTANTS)

# The documentation as a site in build/site; a broken link or a warning is an error.
docs: $(VENV)/docs.stamp
	$(BIN)/mkdocs build --strict

# All packages with the hashes of their files, for every platform; and what they are, with licenses.
lock: $(VENV)/test.stamp
	@$(PIP) --quiet $(UV)
	$(BIN)/uv pip compile $(LOCK_AS) requirements.txt -o requirements.lock
	$(BIN)/uv pip compile $(LOCK_AS) -c requirements.lock tests/requirements.txt -o tests/requirements.lock
	$(BIN)/uv pip compile $(LOCK_AS) -c requirements.lock docs/requirements.txt -o docs/requirements.lock
	$(BIN)/python -m tests.tools.bill_of_materials

LOCK_AS := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --quiet

clean:
	rm -rf $(VENV)

$(VENV)/run.stamp: requirements.txt requirements.lock pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit("Podium needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another one: make run PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Setting up Podium in $(VENV), once: about 2 minutes and 1 GB."
	@if test -e $(VENV) && ! $(BIN)/python -m pip --version > /dev/null 2>&1; then echo "$(VENV) is incomplete; it is made anew."; rm -rf $(VENV); fi
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	$(call install,requirements)
	@$(PIP) --quiet --no-deps --editable .
	@echo "Compiling the numerical kernels (about 30 seconds), so that no page waits for them."
	@$(BIN)/python -m analysis.kernels
	@touch $@

$(VENV)/test.stamp: tests/requirements.txt tests/requirements.lock $(VENV)/run.stamp
	$(call install,tests/requirements)
	@touch $@

$(VENV)/bench.stamp: tests/benchmark/requirements.txt $(VENV)/test.stamp
	@$(PIP) -r tests/benchmark/requirements.txt
	@touch $@

$(VENV)/docs.stamp: docs/requirements.txt docs/requirements.lock $(VENV)/run.stamp
	$(call install,docs/requirements)
	@touch $@
