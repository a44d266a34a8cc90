# Two commands set everything up: `make demo` and `make test`. Nothing is written outside this folder,
# save what apt-get brings where root runs it: Java and PostgreSQL for `make test`, Chromium and
# LibreOffice for `make more`, and Python's venv if it is missing.
PYTHON ?= python3

BIN := .venv/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-all more lint unit bench clean java chromium office old postgres

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.core ## set up, convert samples/orders, say what happened and where to look
	@cd samples/orders && ../../$(BIN)/ruleferry convert
	@echo
	@echo 'Where to look:'
	@echo '  samples/orders/suites/orders.json                   the suite that was read'
	@echo '  samples/orders/dictionary.xlsx                      the data dictionary that was read'
	@echo '  samples/orders/checks/nightly.sql                   the SQL checks that were read'
	@echo '  samples/orders/expectations/orders_expectations.py  its rules, ready for a pipeline'
	@echo '  samples/orders/expectations/gap_report.html         what a person must decide'
	@echo '  samples/orders/expectations/ledger.json             what became of every rule, and why'

test: java old postgres lint unit ## set up what the tests need and run them (with the linters)

test-all: test more ## also what needs more: a browser, an office suite, servers

lint: .venv/.dev ## ruff, mypy and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: .venv/.dev
	$(BIN)/pytest -n 2 --dist loadgroup

# pytest ends with 5 where no test is marked so.
more: chromium office .venv/.dev
	@$(BIN)/pytest --collect-only -qq -m more >/dev/null || found=$$?; \
	if [ "$${found:-0}" = 5 ]; then echo 'No test needs more than `make test`.'; \
	else $(BIN)/pytest -m more; fi

bench: .venv/.dev ## measure CPU time against a floor in the same run
	$(BIN)/python tests/bench/bench.py

clean: ## remove both environments, caches and what was built
	rm -rf .venv .venv-0.18 build dist *.egg-info spark-warehouse metastore_db derby.log
	rm -rf .hypothesis .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

java:
	@sh .ci/java

office:
	@sh .ci/office

postgres:
	@sh .ci/postgres

chromium:
	@sh .ci/chromium

# Great Expectations 0.18.22 in an environment of its own, beside which the tests hold what 0.x meant.
old:
	@if python=$$(sh .ci/old_python $(PYTHON)); then \
	$(MAKE) --no-print-directory .venv-0.18/.ready OLD_PYTHON="$$python"; \
	else test "$$CI" != true; fi

# Stamps: a step runs again when pyproject.toml changes. Groups (`dev`) need pip 25.1.
.venv/.core: pyproject.toml .venv/.pip
	@echo 'Installing ruleferry into .venv (about a minute) ...'
	@$(BIN)/python -m pip install -qq --editable .
	@touch $@

.venv/.dev: pyproject.toml .venv/.pip
	@echo 'Installing ruleferry, Spark and the test tools into .venv (some minutes) ...'
	@$(BIN)/python -m pip install -qq --editable '.[spark]' --group dev
	@touch $@ .venv/.core

.venv-0.18/.ready: tests/gx_0_18/requirements.txt
	@echo 'Installing Great Expectations 0.18.22 into .venv-0.18 (some minutes) ...'
	@$(OLD_PYTHON) -m venv --clear .venv-0.18
	@.venv-0.18/bin/python -m pip install -qq --upgrade pip
	@.venv-0.18/bin/python -m pip install -qq --requirement $<
	@touch $@

.venv/.pip: .ci/python
	@sh .ci/python $(PYTHON)
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --upgrade 'pip>=25.1'
	@touch $@
