# `make app` opens the dashboard, `make test` runs every test, `make help` lists the rest.
#
#   PYTHON=python3.12                                    the Python (3.11 or newer) that makes .venv
#   TORCH_INDEX=https://…                                 torch from this index; else its CPU build where there is no NVIDIA GPU
#   PORT=8501                                            where the dashboard listens
PYTHON ?= python3
TORCH_INDEX ?=
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
AUDIT := .venv-audit

.DEFAULT_GOAL := help
.PHONY: help install app test docs bench peers gpu bundled surveys wheel \
  lock audit image image-test clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*##/  make \1 -/p' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "AttnViz needs Python 3.11 or newer. Run: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python could not make a virtual environment. On Debian or Ubuntu run: sudo apt-get install python3-venv" >&2; exit 1; }

# Stamps: a second run starts at once; a change of the pinned files installs again.
$(VENV)/.requirements: requirements.txt scripts/install.sh | $(BIN)/python
	sh scripts/install.sh $(BIN)/python requirements $(TORCH_INDEX)
	@touch $@

$(VENV)/.package: pyproject.toml setup.py $(VENV)/.requirements
	sh scripts/install.sh $(BIN)/python package editable
	@touch $@

# Two models, by the index that pip is configured with; where it has none, a line says so and the rest goes on.
$(VENV)/.model: $(VENV)/.package
	@if sh scripts/install.sh $(BIN)/python model; then touch $@; fi

$(VENV)/.dev: requirements-dev.txt $(VENV)/.requirements
	sh scripts/install.sh $(BIN)/python dev
	@touch $@

# What checks the JavaScript. npm writes this file itself, so an installed folder needs no network.
node_modules/.package-lock.json: package.json package-lock.json
	@if ! command -v npm >/dev/null; then echo "npm is missing: the JavaScript is neither linted nor type-checked." >&2; \
	elif npm ci --no-audit --no-fund --prefer-offline --fetch-retries=1; then touch $@; \
	else echo "npm could not install: the JavaScript is neither linted nor type-checked." >&2; fi

install: $(VENV)/.package $(VENV)/.model  ## install into .venv, fetch the language model, and stop

app: $(VENV)/.package $(VENV)/.model  ## install what is missing and open the dashboard
	$(BIN)/streamlit run app/main.py --server.port $(PORT)

test: $(VENV)/.package $(VENV)/.model $(VENV)/.dev node_modules/.package-lock.json  ## install what the tests need and run them all
	@sh scripts/test_tools.sh
	$(BIN)/python scripts/run_tests.py $(TIERS)

docs: $(VENV)/.package $(VENV)/.dev  ## write the documentation as a site into site/, its notebooks run; needs no network
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench: $(VENV)/.package $(VENV)/.dev  ## measure the claims of the README; prints, never fails on time
	@sh scripts/test_tools.sh
	$(BIN)/python -m benchmarks

$(PEERS)/.peers: requirements-peers.txt scripts/make_peers.sh $(VENV)/.package $(VENV)/.dev
	sh scripts/make_peers.sh $(BIN)/python $(PEERS)
	@touch $@

peers: $(PEERS)/.peers  ## measure BertViz, CircuitsVis, TransformerLens, nnsight and inseq beside ours and write docs/peers.md
	$(PEERS)/bin/python scripts/make_peers_page.py

gpu: $(VENV)/.package $(VENV)/.dev  ## run what needs a GPU on this machine's and write docs/gpu.md; refuses where there is none
	$(BIN)/python scripts/make_gpu_page.py

bundled: $(VENV)/.package  ## train again the small models that are shipped (minutes); TASKS="reverse" for some
	$(BIN)/python scripts/make_bundled.py $(TASKS)

surveys: $(VENV)/.package $(VENV)/.model  ## measure again the heads of the bundled models over their sentences (minutes)
	$(BIN)/python scripts/make_surveys.py

wheel: $(VENV)/.package  ## build dist/attnviz-*.whl
	$(BIN)/python -m pip wheel --no-deps --no-build-isolation -w dist .

$(AUDIT)/.audit: requirements-audit.txt | $(BIN)/python
	$(PYTHON) -m venv $(AUDIT)
	sh scripts/install.sh $(AUDIT)/bin/python audit
	@touch $@

lock: $(AUDIT)/.audit  ## write requirements.lock again, with a hash for each file; TORCH_INDEX names the CPU build's index
	sh scripts/make_lock.sh $(AUDIT)/bin/pip-compile $(TORCH_INDEX)

audit: $(AUDIT)/.audit $(VENV)/.package  ## known holes in the locked versions, and licences; fails where either cannot be told
	$(AUDIT)/bin/pip-licenses --python $(BIN)/python --partial-match --fail-on "GPL;UNKNOWN" --summary \
	  --ignore-packages axe-playwright-python
	sed 's/+cpu / /' requirements.lock > $(AUDIT)/lock.txt
	@$(AUDIT)/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r $(AUDIT)/lock.txt \
	  2>$(AUDIT)/said; code=$$?; cat $(AUDIT)/said >&2; [ $$code = 0 ] || grep -q "^Found" $(AUDIT)/said || \
	  echo "The licences passed. The $$(grep -c == requirements.lock) locked versions were NOT checked for known holes:" \
	  "PyPI's list could not be read. Run it again where PyPI is reached." >&2; exit $$code

image:  ## build the image attnviz:cpu, with docker, podman or buildah
	sh scripts/make_image.sh

image-test: $(VENV)/.package $(VENV)/.dev  ## start the image read-only and unprivileged with 3 GB, open pages, kill it, start it again
	sh scripts/test_image.sh $(BIN)/python

clean:  ## remove what the commands above made, .venv included
	rm -rf $(VENV) $(PEERS) $(AUDIT) node_modules build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
