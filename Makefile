# Needs Python 3.11+, make and git; everything else is installed into .venv with the versions of constraints.txt.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help verify lock test quick test-long judge-long forge fuzz mutants unsound busy benchmark reports roles systems rocq rocq-lock rocq-questions rocq-programs rocq-forge test-docs check format pages docs dist audit-envs clean new-enough

VENV := .venv
RUN := $(VENV)/bin/python
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
BENCHMARK := .benchmark
WORKERS ?= 2
SEED ?= 0
BASE ?= HEAD
TURN ?= $(shell expr $$(date +%s) / 86400)
FUZZED ?= fuzzed.$(SEED).jsonl
REACHED ?= reached.jsonl
MUTANTS ?= mutants

# Without bytecode that is kept, each of the many programs that tests start would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

# PYTHON chooses the interpreter; without it, the first of these that is new enough.
NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
ifeq ($(PYTHON),)
PYTHON := $(or $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	if $$p $(NEW_ENOUGH) 2>/dev/null; then echo $$p; break; fi; done),python3)
endif
FOUND := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)

# An environment made by another interpreter, or in another folder (a copied checkout), is made anew.
MADE_FOR := $(FOUND) $(CURDIR)
ifneq ($(shell cat $(VENV)/.made-for 2>/dev/null),$(MADE_FOR))
.PHONY: $(VENV)/.made-for
endif

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

verify: $(VENV)/.installed ## prove or refute every claim and print the verdicts
	@$(RUN) scripts/made_once.py certificates --anew
	@$(RUN) scripts/certificates_lock.py proofs/certificates.lock

lock: $(VENV)/.installed ## write down what the certificates say, where a change of that is meant
	@$(RUN) scripts/made_once.py certificates
	@$(RUN) scripts/certificates_lock.py proofs/certificates.lock --write

test: $(VENV)/.installed-test ## the suite, of its dear tests those of the day; a part of it under python -O, too
	@$(RUN) scripts/made_once.py pages
	@# Coverage slows every test down, so it is measured on the tests that are about the kernel.
	PYTHONOPTIMIZE= $(RUN) -m pytest -q -n $(WORKERS) tests/kernel --cov
	@# Dear tests take turns: each is run on one day of the week, and by test-long; TURN=0 to TURN=6 are the seven.
	PYTHONOPTIMIZE= $(RUN) -m pytest -q -n $(WORKERS) --ignore tests/kernel --turn $(TURN)
	@# The variable takes -O on to the worker processes, which the option alone does not.
	@# -O drops asserts and nothing else, and tests see to it that none stands outside the tests: one file in eight is
	@# run again, on every twelfth of its sets of parameters; all are by test-long, which also draws the pages again.
	PYTHONOPTIMIZE=1 $(RUN) -O -m pytest -q -n $(WORKERS) -m "not long and not once" --every 12 --ignore tests/report

quick: $(VENV)/.installed-test ## the tests nearest to what differs from BASE, the last commit unless said
	@$(RUN) -m tests.nearest "$(BASE)" -q -n $(WORKERS) -m "not long and not once"

test-long: $(VENV)/.installed-test ## what takes minutes or needs the package index: every instance, and all under -O
	EVERY_INSTANCE=yes $(RUN) -m pytest -m long
	$(RUN) -m pytest -q -n $(WORKERS) --ignore tests/kernel
	EVERY_INSTANCE=yes $(RUN) -m pytest -q -n $(WORKERS) tests/exactness
	EVERY_INSTANCE=yes PYTHONOPTIMIZE=1 $(RUN) -O -m pytest -q -n $(WORKERS) -m "not long and not once"

judge-long: $(VENV)/.installed-test ## the second judge on 10,000 pairs for each claim of library and corpora
	$(RUN) -m pytest -q -n $(WORKERS) -m long tests/second_judge

forge: $(VENV)/.installed-test ## 20,000 forged certificates of every format, none of which may show what is false
	$(RUN) -m tests.forging.campaign 20000
	$(RUN) -m tests.forging.texts 5000 $(SEED)
	$(RUN) -m tests.forging.accounts 2000 $(SEED)
	$(RUN) -m tests.forging.rounds 2000 $(SEED)

busy: $(VENV)/.installed-test ## 40 questions, alone and beside 8 busy processes: every answer must be the same
	$(RUN) -m benchmarks.busy

benchmark: $(BENCHMARK)/.installed ## public calls timed beside OpenDP, numpy, dp_accounting and prv_accountant: ten minutes
	$(BENCHMARK)/bin/python -m benchmarks.samplers
	$(BENCHMARK)/bin/python -m benchmarks.accounting

reports: $(VENV)/.installed ## a million reports of each local randomiser: seconds, an estimate, its certified error
	$(RUN) -m benchmarks.reports

roles: $(VENV)/.installed ## lines, files and nodes of the sources by role; AT=COMMIT for those of a commit
	@$(RUN) scripts/roles.py $(or $(AT),now)

systems: $(VENV)/.installed ## every system that the documents name: command, verdict, seconds; minutes
	$(RUN) -m benchmarks.systems

rocq: $(VENV)/.installed ## the library for Rocq and every exported claim, checked by coqc where it is at hand
	@$(RUN) scripts/made_once.py certificates
	@$(RUN) scripts/rocq.py check

rocq-questions: $(VENV)/.installed ## 60 questions about queries, drawn by SEED or the published seed, proved, exported and checked by coqc
	@$(RUN) scripts/rocq_questions.py check $(if $(filter-out 0,$(SEED)),--seed $(SEED))

rocq-programs: $(VENV)/.installed ## 60 programs, drawn by SEED or the published seed, proved, exported and checked by coqc
	@$(RUN) scripts/rocq_programs.py check $(if $(filter-out 0,$(SEED)),--seed $(SEED))

rocq-lock: $(VENV)/.installed ## the same, and write down what was checked, where a change of that is meant
	@$(RUN) scripts/made_once.py certificates
	@$(RUN) scripts/rocq.py lock

rocq-forge: $(VENV)/.installed-test ## 1,000 forged theorems: export or coqc refuse what is false; ten minutes
	@$(RUN) scripts/made_once.py certificates
	@$(RUN) -m tests.rocq.campaign 1000 $(SEED)

fuzz: $(VENV)/.installed-test ## random modules, queries and claims against CPython: 100,000 programs, 5,000 queries
	@# What FUZZED holds already is not done again: an interrupted night goes on where it stopped.
	$(RUN) -m tests.fuzzing --programs 100000 --queries 5000 --seed $(SEED) --workers $(WORKERS) --out $(FUZZED)

mutants: $(VENV)/.installed-test ## at night: 1,500 errors in checkers, readers, samplers and numerics, each to be noticed
	@# What died in an earlier night, in a file that is as it was, is not tried again: MUTANTS keeps it.
	$(RUN) -m tests.mutation --kept $(MUTANTS) --again

unsound: $(VENV)/.installed-test ## a night's work: 40 checks are taken away; fuzzer and second judge alone must see it
	@# What REACHED holds already is not recorded again: an interrupted night goes on where it stopped.
	$(RUN) -m tests.mutation.unsound --workers $(WORKERS) --kept $(REACHED)

test-docs: $(VENV)/.installed-test ## what the pages, --help and CONTRIBUTING show, and the site as a browser gets it
	$(RUN) -m pytest -q -n $(WORKERS) -m long tests/meta/test_pages.py tests/meta/test_contributing.py \
		tests/docs_site tests/cli/test_start.py

check: $(VENV)/.installed-test ## ruff, mypy and the import rules, without the tests
	$(RUN) -m pytest -q tests/meta/test_tools.py

format: $(VENV)/.installed-test ## rewrite the sources in the one format
	$(RUN) -m ruff check --fix-only .
	$(RUN) -m ruff format .

pages: $(VENV)/.installed-test ## make every page and picture, and renew the types and the example pages in git
	$(RUN) scripts/public_types.py refdp/__init__.pyi
	@$(RUN) scripts/made_once.py pages --anew --examples

docs: $(VENV)/.installed-docs ## the site of the documentation, in site/; a link that leads nowhere stops it
	@$(RUN) scripts/made_once.py pages
	@# The variable stills a notice of the theme about its successor.
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --quiet --strict
	@echo "open site/index.html"

dist: $(VENV)/.installed ## the source distribution and the wheel, the same bytes everywhere, and their SHA-256
	@$(RUN) scripts/make_dist.py dist

audit-envs: | new-enough ## environments with the pinned releases that audits judge, in .audit-envs
	$(PYTHON) scripts/make_audit_envs.py .audit-envs

clean: ## remove what make made
	-@$(PYTHON) scripts/made_once.py certificates pages --remove
	rm -rf $(VENV) $(BENCHMARK) build .audit-envs dist site .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

new-enough:
	@$(PYTHON) $(NEW_ENOUGH) 2>/dev/null || \
	  { echo "refdp needs Python 3.11 or newer, got $(or $(FOUND),none) from $(PYTHON); set PYTHON to one." >&2; exit 1; }

$(VENV)/.made-for: | new-enough
	@$(PYTHON) scripts/make_venv.py $(VENV)
	@echo '$(MADE_FOR)' > $@

# The proofs are a package of refdp through this link, which git makes; a source distribution comes without it, and git
# where core.symlinks is false leaves a file in its place.
refdp/proofs/__init__.py:
	@rm -f refdp/proofs && ln -s ../proofs refdp/proofs || \
	  { echo "refdp/proofs must be a link to ../proofs, and no link can be made here." >&2; exit 1; }

# Without build isolation, so that the build tool too is the one of constraints.txt.
$(VENV)/.installed: $(VENV)/.made-for pyproject.toml constraints.txt | refdp/proofs/__init__.py
	$(INSTALL) hatchling
	$(INSTALL) --no-build-isolation --editable '.[audit,bulk,check,report]'
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(INSTALL) --no-build-isolation --editable '.[test]'
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(INSTALL) --no-build-isolation --editable '.[docs]'
	@touch $@

# The peers of benchmarks stay out of the environment that everything else is run in.
$(BENCHMARK)/.installed: benchmarks/peers.txt pyproject.toml constraints.txt | new-enough refdp/proofs/__init__.py
	@$(PYTHON) scripts/make_venv.py $(BENCHMARK)
	$(subst $(VENV),$(BENCHMARK),$(INSTALL)) hatchling
	$(subst $(VENV),$(BENCHMARK),$(INSTALL)) --no-build-isolation --editable '.[bulk]'
	$(subst $(VENV),$(BENCHMARK),$(INSTALL)) --no-deps --requirement benchmarks/peers.txt
	@touch $@
