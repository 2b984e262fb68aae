# Every command of this project. "make" alone lists them.

# The newest tag, or README.md's version where there is no tag, as in an unpacked archive.
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null || \
	sed -n 's/^\*\*Version: \(.*\)\*\*.*/\1/p' README.md | head -n 1)
LDFLAGS := -X main.Version=$(VERSION)

# The time of all files in packages: that of the commit.
SOURCE_DATE_EPOCH ?= $(shell git -c safe.directory='*' log -1 --format=%ct 2>/dev/null || echo 0)

# Everything is built as the releases are, without C and without the paths of this machine: so
# tests, checks, tools and releases share compiled packages. The version comes from above, and
# stamping fails where git distrusts the owner of the clone.
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -buildvcs=false -trimpath

# Tools are Go programs with versions of their own, kept out of our go.mod. The go command builds
# them once and caches them.
TOOL := go tool -modfile=tools/go.mod

# How many packages "make test" tests at a time, and how many tests of a package that allow it: more
# than there are processors, because tests also wait. Few packages with many tests each, since the
# longest package is alone at the end. With more of both, the processors are never idle, but a sixth
# of their time goes into switching between programs. "make vet" vets the tests, too.
PROCESSORS = $(shell getconf _NPROCESSORS_ONLN || echo 2)
PACKAGES = $(shell echo $$((1 + $(PROCESSORS))))
BESIDE = $(shell echo $$((2 * $(PROCESSORS))))

# The packages with the longest tests start first: those of the end would have a processor alone.
FIRST := ./internal/term ./internal/cli/wsh ./e2e ./web ./evals ./bundle ./internal/ui ./internal/ui/lua \
	./internal/term/vt ./internal/transport/httpterm ./attack ./internal/termask ./internal/transport/httppopup \
	./internal/term/pty ./internal/transport/wsterm

# Likewise with the race detector.
FIRST_RACED := ./internal/term ./internal/cli/wsh ./internal/ui ./internal/fleet ./internal/transport/remote ./internal/app

# Without symbols and debugging information, which no test reads, the test binaries link in 60 % of
# the time.
TEST_FLAGS := -vet off -ldflags=-s

# Some of them are enough for .ci/run.
PLATFORMS := linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64.exe
BINARIES := $(foreach command,ui-mcp wsh wsh-hub,$(addprefix release/$(command)-,$(PLATFORMS)))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build install test e2e wine load mutants attack soak fuzz fuzz-some firstminutes pictures bench bench-guard crowd growth eval clients clients-fast conformance esctest generate goldens release some-platforms inspect \
	clean check inspections format structure tidy vet staticcheck unreachable typescript generated vulnerabilities race packages

help: # list these commands
	@awk -F ': .*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages: ## print every package with its first sentence
	@go list -f '{{slice .ImportPath 7}}{{"\t"}}{{.Doc}}' ./cmd/... ./internal/... ./bundle ./skills ./web ./packaging/... ./examples/...

run: build ## build, and serve a demo app: prints the URL to open
	bin/ui-mcp serve --port 0 --mcp-port 0 --dir .demo/.claude/ui --demo contacts

build: ## bin/ui-mcp, bin/wsh and bin/wsh-hub
	@mkdir -p bin
	go build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

install: ## commands (GOBIN or ~/go/bin), manual pages, completions; PREFIX and DESTDIR
	@tools/install '$(LDFLAGS)'

test: ## tests of everything, without the longest; installs Chromium and other programs where it can
	@tools/need chromium headless terminal sshd xterm apphost axe
	@tools/test $(FIRST) ./... -- $(TEST_FLAGS) -p $(PACKAGES) -parallel $(BESIDE)

e2e: ## the long stories that "make test" leaves out
	@tools/need chromium headless terminal sshd apphost axe
	@tools/test $$(tools/e2e packages) -- $(TEST_FLAGS) -p $(PACKAGES) -parallel $(BESIDE) -run "$$(tools/e2e pattern)"

wine: ## tests of packages as Windows programs, under Wine 10 or newer
	@tools/wine $(TEST_FLAGS)

load: ## the tests that put a load on the program, with full counts
	@tools/need chromium terminal xterm
	UI_MCP_LOAD=1 go test -count 1 -timeout 60m $$(tools/loads)

# The packages, or files of packages, in which a rule is security or data.
MUTANTS := ./internal/secret ./internal/safetext ./internal/transport/site ./internal/transport/gate ./internal/transport/httpserve/script.go ./internal/discovery ./internal/events \
	./internal/popup ./internal/popup/core ./internal/terminals/grant.go ./internal/terminals/tokens.go ./internal/term/core \
	$(addprefix ./,$(filter-out %_test.go,$(wildcard internal/ui/variable/*.go)))

mutants: ## small changes of packages with rules of security, which tests must notice; takes minutes
	@go run ./internal/testkit/mutants $(MUTANTS)

# In a package's own directory, go test prints what the tests print.
attack: ## attacks on both commands, and which claims of docs/security.md held; Linux only
	@tools/need chromium headless terminal sshd apphost axe
	cd attack && UI_MCP_LOAD=1 go test -count 1 -timeout 60m

# SOAK_FLAGS="-scale 0.3" makes a smaller one: the flags of TestSoak say what there is.
soak: ## everything at once, with faults, for 10 minutes; SOAK=1h, SEED=N, RACE=1; Linux only
	@tools/need chromium headless terminal $(if $(RACE),gcc)
	@cd soak && $(if $(RACE),CGO_ENABLED=1) go test $(if $(RACE),-race) -count 1 -timeout 0 -v -run '^TestSoak$$' . \
		-soak $(or $(SOAK),$(if $(RACE),5m,10m)) -seed $(or $(SEED),0) $(SOAK_FLAGS)

fuzz: ## every fuzz target, for an hour in all; TIME=SECONDS
	@tools/fuzz all $(TIME)

fuzz-some: # two fuzz targets for 10 s each, other ones every day
	@tools/fuzz some $(TIME)

# ARCHIVES are archives of npm packages, to begin with their installation. In a package's own
# directory, go test prints what the test prints.
firstminutes: build ## times a newcomer's path to a running demo, and to an own app; ARCHIVES="A.tgz ..."
	@tools/need chromium headless
	@cd e2e && FIRSTMINUTES_COMMAND='$(CURDIR)/bin/ui-mcp' FIRSTMINUTES_PACKAGES='$(abspath $(ARCHIVES))' \
		go test $(TEST_FLAGS) -count 1 -v -run '^TestFirstMinutes$$'

pictures: ## takes the pictures in docs/screenshots again, the README's moving one too
	docs/screenshots/update

bench: ## benchmarks; compare two saved runs as docs/performance.md says
	@tools/need terminal apphost
	go test -run '^$$' -bench . -benchmem -count $(or $(COUNT),6) ./bench/...

bench-guard: ## whether the commit before was faster, or AGAINST=COMMIT, by ratios within one run; Linux only
	go test -count 1 -timeout 20m -v -run '^TestGuard$$' ./bench -guard -against '$(AGAINST)'

crowd: ## both commands with hundreds of users, and what is refused first; rewrites its table in docs/performance.md
	@tools/need chromium
	go test -count 1 -run '^$$' -bench '^BenchmarkCrowd$$' -benchtime 1x -timeout 30m ./bench -keep

growth: ## how costs grow; keeps the figures, and rewrites the plots and the table of docs/performance.md
	go test -count 1 -run '^$$' -bench '^BenchmarkGrowth$$' -benchtime 1x -timeout 60m ./bench -keep

# AGENT, WISHES and LIMIT get there by the environment.
eval: ## try AGENT="command" on wishes as people have them, or our solutions; docs/evals.md says how
	@tools/need chromium headless axe
	@cd evals && UI_MCP_EVAL=1 KEEP='$(abspath $(KEEP))' go test -count 1 -timeout 24h -run '^TestAgent$$'

conformance: ## the official MCP suite, and real clients; needs npm, which fetches them
	@tools/conformance
	@tools/clients

clients: ## real clients with a scripted model; needs npm, which fetches them; clients-fast: a minute of it
	@tools/clients

clients-fast: # their first story
	@tools/clients --fast

esctest: ## esctest2 against the emulator; ESCTEST=FOLDER says where a clone of it is; needs Python
	@test -f "$(ESCTEST)/esctest/esctest.py" || { \
		echo "give ESCTEST=FOLDER, a clone of https://github.com/ThomasDickey/esctest2" >&2; exit 2; }
	ESCTEST="$(abspath $(ESCTEST))" go test -count 1 -v -run '^TestEsctest$$' ./internal/term/vt

generate: ## web/dist from web/src
	go generate ./...

goldens: ## rewrite the golden files of tests; read the diff before you commit
	@tools/need chromium headless
	go test $$(tools/goldens) -update

some-platforms: # for which .ci/run makes a release
	@tools/platforms $(PLATFORMS)

release: ## release/: the three commands for the five platforms, their packages, and checksums
	@rm -rf release
	@$(MAKE) --no-print-directory $(BINARIES) VERSION='$(VERSION)'
	go run ./packaging/build -version '$(VERSION)' -date '$(SOURCE_DATE_EPOCH)' release
	@echo "release/SHA256SUMS has $$(wc -l <release/SHA256SUMS) files"

# COMMAND-GOOS-GOARCH
release/%: FORCE
	@mkdir -p release
	@echo "$@"
	@name=$(basename $*); command=$${name%-*-*}; platform=$${name#"$$command"-}; \
		GOOS=$${platform%-*} GOARCH=$${platform#*-} \
		go build -ldflags '-s -w $(LDFLAGS)' -o $@ "./cmd/$$command"

.PHONY: FORCE
FORCE:

inspect: release ## verify the release: platforms, versions, reproducible builds, packages, installations
	@tools/need inspector
	@tools/inspect release '$(VERSION)' $(PLATFORMS)
	@UI_MCP_RELEASE='$(abspath release)' UI_MCP_RELEASE_VERSION='$(VERSION)' SOURCE_DATE_EPOCH='$(SOURCE_DATE_EPOCH)' \
		tools/test ./packaging/build -- $(TEST_FLAGS) -count 1 -parallel $(BESIDE)

clean: ## remove build results and the demo's directory
	rm -rf bin release .demo

# These run the tests of "make e2e", too, beside the others and thus sooner than after them.
check race: export UI_MCP_E2E = 1

# The order is that in which the checks are quickest to fail.
check: inspections test race ## all that must hold before a commit
	@echo "check: all passed"

inspections: format structure tidy vet staticcheck unreachable typescript generated vulnerabilities ## what "check" finds without running the program

format: # gofmt finds nothing to change
	@echo "gofmt"
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then \
		echo "not formatted (run gofmt -w):" >&2; echo "$$files" >&2; exit 1; fi

# With the flags of "make test", each finds the result of the other in the go command's cache.
structure: # layers of packages, documents and prose
	tools/test . -- $(TEST_FLAGS) -parallel $(BESIDE)

tidy: # go.mod and go.sum are complete
	go mod tidy -diff
	go -C tools mod tidy -diff

vet: # go vet, for each system
	@tools/vet

staticcheck: # staticcheck finds nothing; nearly all that it allocates is kept until the end
	GOGC=400 $(TOOL) staticcheck ./...

unreachable: # each function is called, and not by tests only
	@tools/unreachable

typescript: # the TypeScript compiler finds nothing
	@tools/need typescript
	tools/tsc --noEmit -p web/tsconfig.json

generated: # web/dist is up to date
	@tools/fresh

vulnerabilities: # no known vulnerability is reachable
	@tools/vulnerabilities

# -short leaves out what says nothing about races: comparisons with other programs, and long tests
# in which nothing runs at the same time. "make vet" has vetted the packages. By default, each
# process that ends under the detector sleeps for a second, for races that happen until then; the
# tests end thousands of processes.
race: ## the tests of concurrent packages, with the race detector
	@tools/need chromium headless gcc terminal apphost
	@CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 tools/test $(FIRST_RACED) $$(tools/concurrent) -- $(TEST_FLAGS) -race -short -p $(PACKAGES) -parallel $(BESIDE)
