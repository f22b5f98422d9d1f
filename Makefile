# What people run. Each target is enough on its own; environments are made when they are missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(wildcard dlx/cpp/*/*.[ch]pp dlx/cpp/*/*/*.[ch]pp)
SOURCES := $(KERNEL) dlx/cpp/CMakeLists.txt pyproject.toml README.md \
    $(filter-out %.pyc %/__pycache__, $(wildcard dlx/*.py* dlx/*/*.py dlx/*/*/*.py dlx/drawing/page.* \
        sudoku/*.py* sudoku/*/* sudoku/*/*/*))
SIMD_TESTS := $(addprefix tests/dlx/test_,bits.py bits_multiplicities.py engines_agree.py heuristics.py parts.py rounds.py)
# Tests of modules that do without the kernel or only call it: the sanitizers would find nothing new.
PYTHON_TESTS := $(addprefix --ignore=tests/dlx/test_,$(addsuffix .py,ablation characters checkpoint_cli cli \
    cli_display cli_insights cluster constraint_formats damaged_input doctor \
    exchange executor_bridges executors frames graph_models hostile_journals journal_locks json_files knuth \
    logging models named_values notebooks pictures portfolio reduction_cli \
    sage sat schedule sheets stubs trace_page weighted_clauses))
# Tests side by side, on as many cores as there are; a worker that has no more takes some of another's.
PARALLEL := -n $(shell nproc 2>/dev/null || echo logical) --dist worksteal
WHEEL = $$(ls build/wheel/dlxkit-*.whl)
export DLX_REQUIRE_KERNEL := 1
# What has been compiled stays in build/, and in ccache where there is one.
export CMAKE_CXX_COMPILER_LAUNCHER ?= $(shell command -v ccache)
BUILD_IN = --config-settings=build-dir=build/

.PHONY: demo demo-cluster develop test test-quick coverage test-pythons fuzz test-simd test-browser lint types docs man schema bench bench-peers bench-native bench-ablation asan tsan packages cross format clean

demo: $(VENV)/installed  ## solve hard Sudokus, count pentomino tilings
	PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

demo-cluster: $(VENV)/installed  ## a long count; a worker is killed, then the program; it goes on
	$(BIN)/pip install --quiet "$(WHEEL)[cluster]"
	$(BIN)/python -P examples/demo_cluster.py

develop: $(VENV)-develop/installed  ## an editable install; again after a change to C++, which compiles that alone
	$(VENV)-develop/bin/cmake --build build/develop
	$(VENV)-develop/bin/cmake --install build/develop \
	    --prefix $$($(VENV)-develop/bin/python -P -c "import sysconfig as s; print(s.get_path('platlib'))")

test: $(VENV)/installed  ## the whole suite, against the installed wheel
	$(BIN)/pip install --quiet "$(WHEEL)[test]"
	$(BIN)/pytest $(PARALLEL)

test-quick: $(VENV)/installed  ## for daily work: every test that is not slow, with two of its parameter sets
	$(BIN)/pip install --quiet "$(WHEEL)[test]"
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -q --quick $(PARALLEL)

fuzz: $(VENV)/installed  ## damaged input to every reader, DLX_FUZZ files for each: about an hour
	$(BIN)/pip install --quiet "$(WHEEL)[test]"
	DLX_FUZZ=$${DLX_FUZZ:-20000} $(BIN)/pytest -q -m fuzz $(PARALLEL) -o faulthandler_timeout=3600

coverage: $(VENV)/dev  ## line and branch coverage of the whole suite, without the kernel
	$(BIN)/pip install --quiet "$(WHEEL)[test]"
	PYTHONPATH=tests/support $(BIN)/coverage run $(BIN)/pytest -q -p coverage_tracing $(PARALLEL)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --sort=cover

test-pythons:  ## on other Pythons, also without the GIL, which are installed where that can be; half an hour
	.ci/pythons

test-simd: $(VENV)/installed  ## those of `bits` on the instruction sets that `test` has left out
	$(BIN)/pip install --quiet "$(WHEEL)[test]"
	for level in $$($(BIN)/python -P -c "import dlx; print(*dlx.kernel_info().simd_levels[1:])"); do \
	    echo "DLX_SIMD=$$level"; \
	    DLX_SIMD=$$level HYPOTHESIS_PROFILE=few $(BIN)/pytest -q $(PARALLEL) \
	        -k "not python" -m "not slow" $(SIMD_TESTS) || exit 1; \
	done

test-browser: $(VENV)/installed  ## pages, in Debian's chromium (or CHROMIUM=...)
	$(BIN)/pip install --quiet "$(WHEEL)[test,browser,pictures]"
	$(BIN)/pytest -q -m browser
	$(BIN)/pytest -q tests/sudoku/test_pictures.py

lint: $(VENV)/dev  ## ruff, clang-format, which package may import which, plain words
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run --Werror $(KERNEL)
	PYTHONPATH=. $(BIN)/lint-imports --no-cache
	$(BIN)/python .ci/kernel_includes.py
	$(BIN)/python .ci/plain_words.py

types: $(VENV)/dev  ## mypy --strict and pyright, also on examples and docs; the kernel's stubs
	$(BIN)/mypy dlx sudoku benchmarks examples tests/typed
	$(BIN)/pyright --pythonpath $(BIN)/python examples/make_puzzles.py examples/demo_cluster.py tests/typed
	$(BIN)/python .ci/typed_pages.py build/pages
	$(BIN)/mypy --config-file= --follow-imports silent --allow-redefinition --no-strict-optional \
	    --ignore-missing-imports --disable-error-code import-untyped build/pages/*.py
	$(BIN)/pyright --pythonpath $(BIN)/python --project build/pages
	$(BIN)/stubtest dlx._kernel --allowlist .ci/stubtest-allowlist.txt

docs: $(VENV)/installed  ## the documentation site, in build/docs; a warning or a dead link is an error
	$(BIN)/pip install --quiet "$(WHEEL)[docs]"
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs

man: $(VENV)/installed  ## man pages of all commands, in build/man
	$(BIN)/python -P .ci/man_pages.py build/man

bench: $(VENV)/dev  ## benchmarks of this version
	$(BIN)/pytest benchmarks

bench-peers: $(VENV)/dev  ## against published packages; writes the table in benchmarks/results.md
	$(BIN)/python benchmarks/peers.py --heavy --into benchmarks/results.md
	$(BIN)/python benchmarks/diagram_peers.py --limit 20
	$(BIN)/python benchmarks/cost_peers.py --limit 20
	$(BIN)/python benchmarks/first_solutions.py --into benchmarks/results.md
	$(BIN)/python benchmarks/first_solutions.py --untuned 100 --seed 30 --into benchmarks/results.md
	$(BIN)/python benchmarks/counts.py --into benchmarks/results.md

bench-native: $(VENV)/dev  ## against the native programs in the folder NATIVES, alternately
	$(BIN)/python benchmarks/native.py $(or $(NATIVES),build/native) --into benchmarks/results.md

bench-ablation: $(VENV)/dev  ## what each layout, instruction set and helper table of the engine brings
	$(BIN)/python benchmarks/ablation.py --into benchmarks/results.md

asan: $(VENV)-asan  ## the kernel's tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(VENV)-asan/bin/pip install --quiet $(BUILD_IN)asan ".[test]" --config-settings=cmake.define.DLX_SANITIZE=address,undefined \
	    --config-settings=cmake.define.DLX_WERROR=ON
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0 HYPOTHESIS_PROFILE=sanitizer \
	    $(VENV)-asan/bin/pytest tests/dlx $(PYTHON_TESTS) -k "not python and not many_problems_against_classes" \
	    -m "not slow and not lengthy and not browser" $(PARALLEL) -o faulthandler_timeout=1800

tsan: $(VENV)-tsan  ## the tests of several threads under ThreadSanitizer
	$(VENV)-tsan/bin/pip install --quiet $(BUILD_IN)tsan ".[test]" --config-settings=cmake.define.DLX_SANITIZE=thread
	LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so)" HYPOTHESIS_PROFILE=few \
	    $(VENV)-tsan/bin/pytest -m "not slow" -k "not memory and not forked" -o faulthandler_timeout=1800 \
	    $(addprefix tests/dlx/test_,minimum_workers.py many.py threads.py workers.py)

packages:  ## the sdist and wheels of it, with and without a compiler: contents, installs, first calls
	.ci/packages

cross: | $(VENV)  ## the kernel's sources for Linux and macOS on ARM, and Windows, by Zig; some minutes
	$(BIN)/pip install --quiet ziglang nanobind
	$(BIN)/python .ci/cross_compile.py

schema: $(VENV)/dev  ## the rules in docs/sudoku.schema.json, from their classes
	PYTHONPATH=. $(BIN)/python .ci/rule_schema.py

format: $(VENV)/dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(KERNEL)

clean:
	rm -rf $(VENV) $(VENV)-develop $(VENV)-asan $(VENV)-tsan build dist

$(VENV) $(VENV)-develop $(VENV)-asan $(VENV)-tsan:
	$(PYTHON) -m venv $@

$(VENV)-develop/installed: | $(VENV)-develop
	$(VENV)-develop/bin/pip install --quiet cmake ninja nanobind "scikit-build-core>=0.11"
	$(VENV)-develop/bin/pip install --no-build-isolation $(BUILD_IN)develop \
	    --config-settings=cmake.define.CMAKE_UNITY_BUILD=OFF --editable ".[dev]"
	touch $@

# The wheel is built once, and what is tested is the wheel.
build/wheel/built: $(SOURCES) | $(VENV)
	rm -rf build/wheel
	@echo "Compiling the kernel: a minute on two cores, if nothing of it is there yet."
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir build/wheel $(BUILD_IN)kernel $(WHEELFLAGS) .
	touch $@

$(VENV)/installed: build/wheel/built
	$(BIN)/pip install --quiet "$(WHEEL)"
	$(BIN)/pip install --quiet --no-deps --force-reinstall "$(WHEEL)"
	touch $@

$(VENV)/dev: $(VENV)/installed
	$(BIN)/pip install --quiet "$(WHEEL)[dev]"
	touch $@
