# The tasks of a checkout. Each does its own set-up and can be repeated; `make` alone lists them.

.DEFAULT_GOAL := help
.PHONY: help setup run demo bench test check format docs lock clean

# Words after the command that a target runs: make run ARGS="--port 9000", make test ARGS="-k revert".
ARGS ?=
# What set-up adds to the package itself: make setup WITH=rerank.
WITH ?=

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv, with .venv/bin/vade ready to use (WITH=rerank: and the second model)
	@scripts/setup $(WITH)

run: setup ## serve a library on http://127.0.0.1:8484
	@exec .venv/bin/vade serve $(ARGS)

demo: setup ## serve a small sample library in three languages
	@exec scripts/demo $(ARGS)

bench: ## measure it on this machine, beside its peers (ARGS=--quick: only see that it runs)
	@scripts/setup test
	@.venv/bin/python -m benchmarks $(ARGS)

test: check ## run every check and every test, on SQLite and PostgreSQL
	@scripts/test $(ARGS)

check: ## run the checks that need no tests: form, types, who imports whom
	@scripts/setup test
	@scripts/check

format: ## put every file into the house's form
	@scripts/setup test
	@scripts/format

docs: ## write the references that follow from the code
	@scripts/setup test
	@scripts/docs

lock: ## write the locks anew from pyproject.toml (ARGS=--upgrade: the newest versions allowed)
	@scripts/lock $(ARGS)

clean: ## remove everything that these tasks make
	@scripts/clean
