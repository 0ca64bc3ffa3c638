# Every target sets up what it needs: a virtual environment inside the checkout, rebuilt when pyproject.toml or
# constraints.txt changes. A fresh machine needs Python 3.11 with pip, and make.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready

# Where Python may keep no bytecode, each test worker would spend five seconds on rewriting asserts.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check compat pythons oldest tools docs screenshots bench soak generate clean

demo: $(READY)
	$(BIN)/python examples/quickstart.py
	TORCHDYNAMO_SUPPRESS_ERRORS=0 TORCHDYNAMO_RECOMPILE_LIMIT=64 $(BIN)/dynconf dump

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/test_typing.py

# The type checkers have their say on dynconf's own code, and on code that uses it.
check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m dynconf._codegen --check
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m pytest --quiet tests/test_typing.py

# make compat RELEASES="2.4.1 2.15.0" for some of the releases; all twelve by default. These have the config
# modules alone. REAL="2.4.1 2.15.0" runs the whole suite on all of torch: 2 GB of disk and ten minutes for each.
compat: $(READY)
	$(BIN)/python $(if $(REAL),tests/run_real.py releases $(REAL),tests/run_compat.py $(RELEASES))

# The whole suite under every CPython that this machine has; PYTHONS="3.10 3.13t" for some of them.
pythons: $(READY)
	$(BIN)/python tests/run_real.py pythons $(PYTHONS)

# The settings models under the oldest pydantic and pydantic-settings that are supported.
oldest: $(READY)
	$(BIN)/python -m pip install --quiet --upgrade --target .cache/oldest 'pydantic==2.7.*' 'pydantic-settings==2.7.*'
	PYTHONPATH=.cache/oldest $(BIN)/python -m pytest tests/settings tests/flags tests/test_settings.py tests/test_states.py \
		tests/test_examples.py

# Programs that start others, under `dynconf run`: 300 MB, and two minutes.
tools: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[tools]'
	$(BIN)/python -m pytest tests/run/test_tools.py tests/test_docs.py

# The site, in .cache/docs/index.html: no warning, no broken link, nothing that is loaded from elsewhere.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[docs]'
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --nitpicky --quiet docs .cache/docs
	$(BIN)/python tests/site_links.py .cache/docs
	$(BIN)/python -m pytest --quiet tests/test_site.py tests/docs

# The pictures of the site in docs/images, which the README shows; after `make docs`. They need chromium, as some of
# its tests do.
screenshots: $(READY)
	$(BIN)/python docs/screenshots.py

bench: $(READY)
	$(BIN)/python benchmarks/patch.py
	$(BIN)/python benchmarks/settings.py
	$(BIN)/python benchmarks/files.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/pytest_plugin.py
	$(BIN)/python benchmarks/audit.py

# Long random attacks, bounded in time; the tests run each of them in short.
soak: $(READY)
	$(BIN)/python soak/files.py
	$(BIN)/python soak/imports.py
	$(BIN)/python soak/live.py
	$(BIN)/python soak/ranks.py
	$(BIN)/python soak/recompile.py
	$(BIN)/python -m pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile search

generate: $(READY)
	$(BIN)/python -m dynconf._codegen

clean:
	rm -rf .venv .cache

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@
