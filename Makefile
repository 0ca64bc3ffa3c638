# Every target sets up what it needs: a virtual environment inside the checkout, rebuilt when pyproject.toml or
# constraints.txt changes. A fresh machine needs Python 3.11 with pip, and make.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready

# Where Python may keep no bytecode, each test worker would spend five seconds on rewriting asserts.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check compat next pythons oldest newest tools docs bench pictures soak release-check generate lock clean

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
	$(BIN)/python release/surface.py --check
	$(BIN)/python release/pictures.py --check
	$(BIN)/python benchmarks --check
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m pytest --quiet tests/test_typing.py

# make compat RELEASES="2.6.0 2.15.0" for some of the releases; all by default. These have the config modules alone.
# REAL="2.6.0 2.15.0" runs the whole suite on all of torch: 2 GB of disk and ten minutes for each.
compat: $(READY)
	$(BIN)/python $(if $(REAL),tests/run_real.py releases $(REAL),tests/run_compat.py $(RELEASES))

# What the next torch will do: the law tests on the newest real torch, with a catalogue that ends before it.
next: $(READY)
	$(BIN)/python tests/run_next.py

# The whole suite under every CPython that this machine has; PYTHONS="3.10 3.13t" for some of them.
pythons: $(READY)
	$(BIN)/python tests/run_real.py pythons $(PYTHONS)

# Settings and the command line with the oldest and the newest dependencies that pyproject.toml allows, but for torch.
oldest newest: $(READY)
	rm -rf .cache/$@
	$(BIN)/python -m pip install --quiet --upgrade --target .cache/$@ $$($(BIN)/python release/bounds.py $@)
	PYTHONPATH=$(CURDIR)/.cache/$@ $(BIN)/python -m pytest -n auto tests/settings tests/catalogue/flags tests/cli tests/test_settings.py \
		tests/test_states.py tests/test_examples.py

# Programs that start others, under `dynconf run`, the schema of SARIF, and pydantic-settings' own tests with dynconf's
# base: 300 MB, and six minutes.
tools: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[tools]'
	$(BIN)/python -m pytest tests/tools/run tests/tools/lint/test_tree.py tests/test_docs.py tests/settings/own_suite.py

# The site, in .cache/docs/index.html: no warning, no broken link, nothing loaded from elsewhere. Quiet in a pipe.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[docs]'
	rm -rf .cache/docs
	$(BIN)/python -m sphinx --jobs auto --fail-on-warning --keep-going --nitpicky $(if $(MAKE_TERMOUT),,--quiet) docs .cache/docs
	$(BIN)/python tests/site_links.py .cache/docs
	$(BIN)/python -m pytest --quiet tests/docs

# Prints tables, writes benchmarks/*.json and docs/images/*.svg, and updates the documents with figures: half an hour.
bench: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python benchmarks/often_set.py
	$(BIN)/python benchmarks

# The picture of a command in the README, and the figures of the last `make bench` in documents.
pictures: $(READY)
	$(BIN)/python release/pictures.py
	$(BIN)/python benchmarks --write

# Long random attacks, bounded in time; the tests run each of them in short.
soak: $(READY)
	$(BIN)/python soak/files.py
	$(BIN)/python soak/imports.py
	$(BIN)/python soak/live.py
	$(BIN)/python soak/ranks.py
	$(BIN)/python soak/recompile.py
	$(BIN)/python -m pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile search

# From a clean clone: everything that must hold before a release. ONLY="wheel sdist" or SKIP="bench soak" for some of it.
release-check: $(READY)
	$(BIN)/python release $(addprefix --only=,$(ONLY)) $(addprefix --skip=,$(SKIP))

# make generate TORCH=2.16.0 adds a release: it reads its wheel, writes all files, and prints what is left to do.
generate: $(READY)
	$(if $(TORCH),$(BIN)/python -m dynconf._codegen upstream $(TORCH))
	$(BIN)/python -m dynconf._codegen
	$(BIN)/python release/surface.py

# pip checks either no hash or those of everything, torch's local builds and this checkout included. So constraints.txt
# has none. With LOCKED=1, as in CI, what is installed comes from this file, which has them; only torch is added.
lock: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[release]'
	echo '# Made by `make lock` from constraints.txt, for CI: all that is installed there but for torch.' > .ci/requirements.txt
	$(BIN)/pip-compile --quiet --generate-hashes --extra dev --constraint constraints.txt --unsafe-package torch \
		--no-emit-index-url --no-emit-find-links --strip-extras --no-annotate --no-header --output-file - \
		pyproject.toml | sed '/^# The following packages/,$$d' >> .ci/requirements.txt

clean:
	rm -rf .venv .cache

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(if $(LOCKED),$(BIN)/python -m pip install --quiet --require-hashes --no-deps --requirement .ci/requirements.txt)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@
