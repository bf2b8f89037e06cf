# Every target creates the virtual environment it needs. `make report` and `make test` are all a newcomer has to know.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Bytecode is written whatever the shell says: many short processes import the package here.
RUN := PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONDONTWRITEBYTECODE= PYTHONHASHSEED=0 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# What the build leaves here would hide from other packages how this one is installed.
install = $(PIP) --editable ".[$(1)]" && rm -rf *.egg-info
METADATA := settings.ini setup.py pyproject.toml constraints.txt

.PHONY: help report test ci quick project notebooks pytest bridges outputs page site pages package matrix bench bench-check fuzz lab docs book metric prepare clean

help:
	@echo "make report   install, score a real run, write report.html"
	@echo "make test     install, run the tests and every cell of every notebook"
	@echo "make ci       run everything that CI runs: test, notebooks by nbdev_test, pages, package, bridges, bench-check"
	@echo "make quick    run the tests that are fast, in a few minutes"
	@echo "make matrix   run these and some more under Python 3.11 to 3.14, and with the oldest packages allowed"
	@echo "make bench    measure every aim of speed, beside its aim, in five minutes; then make page NAME=how_fast WRITE=1"
	@echo "make bench-check  hold the published multiples against what runs here"
	@echo "make fuzz     give readers and verbs 100,000 made-up tables and logs, good and bad, and 10,000 whose truth is known"
	@echo "make lab      JupyterLab on nbs/, whose pages it trusts"
	@echo "make page     run one page and compare its outputs: make page NAME=passk"
	@echo "make docs     build the site, its slides and the course as PDF and EPUB (needs Quarto)"
	@echo "make book     the course as PDF and EPUB (needs Quarto, or pandoc and Typst)"
	@echo "make metric   start the page of a metric: make metric NAME=..."
	@echo "make prepare  export the notebooks, clean them, write README.md"
	@echo "make clean    remove what make made"

report: $(VENV)/.package
	$(BIN)/sampling-eval demo --html report.html

test: project pytest outputs

ci: test notebooks site bridges bench-check

# Side by side: each has work for one processor only.
site:
	@$(MAKE) --no-print-directory -j 2 package pages

project: $(VENV)/.dev
	@echo "== project: exports, clean notebooks, README, site and layers"
	$(RUN) python -m pytest -q -n 2 tests/test_project.py

# `outputs` runs the same cells, and looks at what they print as well; pages that draw or optimise
# run there as on another processor, here on this one.
notebooks: $(VENV)/.engines
	@echo "== notebooks: every cell as a test"
	$(RUN) nbdev_test --n_workers 2

# Files in the order of tests/conftest.py, the longest first.
SPREAD := -n 2 --dist loadfile --no-loadscope-reorder
# Tests that start an engine or a harness of somebody else.
ENGINES := bridges or dask or ibis or pyspark

pytest: $(VENV)/.engines
	@echo "== tests"
	$(RUN) python -m pytest -q -rs $(SPREAD) tests --ignore tests/test_project.py -k "not ($(ENGINES))"

bridges: $(VENV)/.engines
	@echo "== bridges: harnesses and engines themselves"
	$(RUN) python -m pytest -q -rs tests -k "$(ENGINES)"

# What takes longest is named in tests/conftest.py, by file.
quick: $(VENV)/.dev
	@echo "== quick: what is fast, in a few minutes"
	$(RUN) python -m pytest -q --quick $(SPREAD) tests -k "not ($(ENGINES))"

# `make matrix` leaves out replays, simulations and the tests of engines and type checkers.
SLOW := bands bayes bridges compare comparison explorers extrapolation frozen fuzz how_fast machines mutants planning \
	reading_engines reading_origins significance strata types within worst_case
FAST := $(SPREAD) tests $(SLOW:%=--ignore tests/test_%.py) \
	--deselect tests/test_cli.py::test_writes_files

# Tests of the project itself need its tools; what is left is run as users of every Python have it.
matrix:
	$(PYTHON) tools/matrix.py $(FAST) --ignore tests/test_project.py --ignore tests/test_contributing.py

outputs: $(VENV)/.engines
	@echo "== outputs: notebooks under a real kernel, stored outputs verified"
	$(RUN) python tools/nbrun.py --machines

# One page of any folder; with WRITE=1 its outputs are stored.
PAGE = $(wildcard nbs/$(NAME).ipynb nbs/*/$(NAME).ipynb)

page: $(VENV)/.dev
	@test -n "$(PAGE)" || { echo 'make page needs the name of a page: make page NAME=passk'; exit 1; }
	$(RUN) python tools/nbrun.py $(if $(WRITE),--write) $(PAGE)

pages: $(VENV)/.engines
	@echo "== pages: every notebook converted as the site does it"
	$(RUN) python tools/pages.py --jobs 1

package: $(VENV)/.dev
	@echo "== package: build, install into an empty environment, run it and the pages; import time"
	$(RUN) python tools/package.py

bench: $(VENV)/.dev
	$(RUN) python bench/how_fast.py --out sampling_eval/examples/how_fast.csv

bench-check: $(VENV)/.dev
	@echo "== bench-check: published speed against what runs"
	$(RUN) python bench/how_fast.py --check

fuzz: $(VENV)/.dev
	$(RUN) python tools/fuzz.py 100000
	$(RUN) python tools/fuzz_reading.py 10000

# What JupyterLab does not trust shows no script, and trust ends with every edit elsewhere. The project's
# own pages are safe to trust, and are signed anew at every start.
lab: $(VENV)/.lab
	$(RUN) jupyter trust nbs/*.ipynb nbs/*/*.ipynb >/dev/null
	$(RUN) jupyter lab --notebook-dir nbs

docs: $(VENV)/.engines
	@command -v quarto >/dev/null || { echo "make docs needs Quarto: install it from https://quarto.org/docs/get-started and run this again."; exit 1; }
	touch $(BIN)/nbdev_filter  # Quarto keeps filtered pages by the age of the filter, not of what it calls
	$(RUN) python tools/slides.py
	$(RUN) python tools/sheets.py
	$(RUN) quarto render

book: $(VENV)/.dev
	$(RUN) python tools/book.py

metric: $(VENV)/.lab
	@test -n "$(NAME)" || { echo 'make metric needs a name: make metric NAME=passk'; exit 1; }
	$(RUN) python tools/new_metric.py "$(NAME)"

prepare: $(VENV)/.dev
	$(RUN) nbdev_export
	$(RUN) nbdev_clean
	$(RUN) python tools/collapse.py
	$(RUN) python tools/docstrings.py
	$(RUN) python tools/stub.py
	$(RUN) python tools/metadata.py
	$(RUN) python tools/hero.py
	$(RUN) python tools/course.py
	$(RUN) python -m sampling_eval page --out nbs/site/page.html
	$(RUN) python tools/readme.py

clean:
	rm -rf $(VENV) _docs _proc build dist report.html *.egg-info .pytest_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.package: $(METADATA)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sampling_eval needs Python 3.11 or newer, got " + sys.version.split()[0] + "; run make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(call install,all)
	touch $@

# JupyterLab and nbdev only; the tests need more, and those of other engines and harnesses,
# which two pages run in, bring Spark along.
$(VENV)/.lab: $(VENV)/.package
	$(call install,lab)
	touch $@

# What builds the site is no part of the package; nbdev finds its index where it is installed.
$(VENV)/.dev: $(VENV)/.lab tools/pyproject.toml
	$(call install,dev)
	$(PIP) --editable tools && rm -rf tools/*.egg-info
	touch $@

$(VENV)/.engines: $(VENV)/.dev
	$(call install,engines)
	touch $@
