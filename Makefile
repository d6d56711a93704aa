# What can be typed. Every target works alone: it installs, configures and builds what it needs.
BUILD := build/release
JOBS ?= $(shell nproc)
export CMAKE_CXX_COMPILER_LAUNCHER ?= $(shell command -v ccache)

.PHONY: setup build models demo test soak fuzz mutate bench lint format tidy asan tsan sanitize clean

## setup: install the Debian packages (and the browser tests' one npm package) that are missing
setup:
	@deploy/install-packages.sh --check >/dev/null || deploy/install-packages.sh

## build: the executable, at build/release/emptor
build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j$(JOBS) --target emptor

## models: install the models of deploy/models.tsv in EMPTOR_MODELS (var/models), where the tests look for them
models: build
	@for name in $$(grep -v '^#' deploy/models.tsv | cut -f1 | uniq); do \
	  $(BUILD)/emptor model get $$name --models "$${EMPTOR_MODELS:-var/models}" || exit; done

## demo: load the sample shop, serve it on 127.0.0.1:8080, ask a first question (DEMO_EXIT=1: leave then)
demo: build
	@deploy/demo.sh

## test: build and run every test
test: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j$(JOBS)
	@ctest --preset release -j$(JOBS) --timeout 300

## soak: the loops at their full counts (kill -9, flips, failing disks, damage, clients, streams), then every fuzz target
# The clients' and streams' loops last as long as they are told to; fuzz takes FUZZ_SECONDS for each of its targets.
soak: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j$(JOBS)
	@EMPTOR_SOAK=20 ctest --preset release -L 'integration|soak'
	@$(MAKE) --no-print-directory fuzz

## fuzz: every target of tests/fuzz under clang's libFuzzer with ASan and UBSan, FUZZ_SECONDS each
FUZZ_SECONDS ?= 60
fuzz: setup
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j$(JOBS)
	@tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

## mutate: change the pure parts in MUTATE_COUNT small ways, one at a time; lists what no test notices
# MUTATE_SEED draws others, MUTATE_FILES=retrieval/query,fusion chooses files; see tests/README.md.
# Its tests are compiled file by file, so that a change is tried on the tests of its file alone.
mutate: setup
	@cmake --preset release -B build/mutate -DEMPTOR_UNITY_TESTS=OFF >/dev/null
	@MUTATE_BUILD=build/mutate MUTATE_JOBS=$${MUTATE_JOBS:-$(JOBS)} python3 tests/mutation/mutate.py

## bench: micro-benchmarks, and first token, tokens per second, ingest and memory of the service
bench: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j$(JOBS)
	@tests/bench/run.sh $(BUILD)

## asan, tsan: the unit tests under AddressSanitizer + UBSan; what has threads under ThreadSanitizer
# FAISS runs on OpenMP, which ThreadSanitizer does not understand: what trains it is left out of tsan.
# Libraries that are not built with it (LevelDB, OpenBLAS) synchronise unseen: their own accesses are not looked at.
ASAN_CORE := services_auth_tests catalog_tests catalog_feed_tests engine_tests engine_structure_tests retrieval_tests services_http_tests services_shop_tests services_ingest_tests
TSAN_CORE := services_auth_tests engine_tests retrieval_tests services_http_tests services_http_load_tests services_shop_tests services_ingest_tests
TSAN_ALL  := $(TSAN_CORE) services_assistant_tests services_app_tests services_endpoint_generator_tests
# Suites of one thread and much arithmetic take minutes there and can show no race; ASan and the plain run have them.
TSAN_FILTER := -*Perplexity*:*KernelsTest*:*AttentionTest*:*Logits*:*okenizer*:*Jinja*:*ChatTemplate*:*Json*:*Gguf*:*afetensors*:*Quantiz*:*Converted*:*Hf*:*Hostile*:*Refused*:*Vectors*:*RandomModel*:*Bert*:*MiniLm*:*WithFaiss*
# Builds and runs test programs of a preset: $(call run_sanitized,PRESET,PROGRAMS)
run_sanitized = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j$(JOBS) --target $(2) && \
  for program in $(2); do $$(find build/$(1)/tests -type f -name $$program) || exit 1; done

asan: setup
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j$(JOBS)
	@ctest --preset asan -L unit --timeout 600

tsan: setup
	@export GTEST_FILTER='$(TSAN_FILTER)' TSAN_OPTIONS=ignore_noninstrumented_modules=1; $(call run_sanitized,tsan,$(TSAN_ALL))

## sanitize: the core (parsers, storage, engine, HTTP) under both, as CI does
sanitize: setup
	@$(call run_sanitized,asan,$(ASAN_CORE))
	@export GTEST_FILTER='$(TSAN_FILTER)' TSAN_OPTIONS=ignore_noninstrumented_modules=1; $(call run_sanitized,tsan,$(TSAN_CORE))

SOURCES = $(shell git ls-files '*.h' '*.cc')

# What cppcheck 2.10 gets wrong in C++20: template lambdas, back_inserter of fmt, signed shifts (defined since
# C++20); FAISS hands out its vectors as bytes; small structs of limits are copied on purpose.
NOT_FINDINGS = syntaxError invalidContainer shiftTooManyBitsSigned invalidPointerCast passedByValue \
  missingIncludeSystem unknownMacro

## lint: formatting and C++ checks
lint: setup
	@clang-format-14 --dry-run -Werror $(SOURCES)
	@cppcheck --enable=warning,performance,portability --inline-suppr --error-exitcode=1 --quiet \
	  --std=c++20 --language=c++ -I. $(NOT_FINDINGS:%=--suppress=%) -j$(JOBS) \
	  catalog engine retrieval services

## tidy: clang-tidy over the files that changed since BASE (default HEAD~1)
BASE ?= HEAD~1
tidy: setup
	@cmake --preset release >/dev/null
	@git diff --name-only --diff-filter=AM $(BASE) -- '*.cc' | xargs -r clang-tidy-14 -p $(BUILD) --quiet

## format: rewrite the sources in the project's layout
format: setup
	@clang-format-14 -i $(SOURCES)

clean:
	@rm -rf build
