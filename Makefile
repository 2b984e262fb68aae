# Every command of this project. "make" alone lists them.

# The newest tag, or what README.md says where there is none, as in a clone
# without tags or an unpacked archive.
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null || \
	sed -n 's/^\*\*Version: \(.*\)\*\*.*/\1/p' README.md | head -n 1)
LDFLAGS := -X main.Version=$(VERSION)

# The version comes from above, and stamping fails where git distrusts the
# owner of the clone.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

# Tools are Go programs with versions of their own, kept out of our go.mod.
# The go command builds them once and keeps them in its cache.
TOOL := go tool -modfile=tools/go.mod

PLATFORMS := linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64.exe
BINARIES := $(foreach command,ui-mcp wsh,$(addprefix release/$(command)-,$(PLATFORMS)))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build install test e2e bench conformance generate goldens release inspect clean \
	check format vet staticcheck race generated typescript tidy vulnerabilities

help: ## list these commands
	@awk -F ': .*## ' '/^[a-z0-9]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build, and serve a demo app: prints the URL to open
	bin/ui-mcp serve --dir .demo/.claude/ui --demo contacts

build: ## bin/ui-mcp and bin/wsh
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

install: ## ui-mcp and wsh to where Go puts commands (GOBIN, or ~/go/bin)
	go install -trimpath -ldflags '$(LDFLAGS)' ./cmd/...

test: ## all tests; installs Chromium and other programs first where that is possible
	@tools/need chromium terminal xterm
	go test ./...

e2e: ## the tests with real processes and a real browser only
	@tools/need chromium
	go test ./e2e/...

bench: ## benchmarks; compare two saved runs as docs/performance.md says
	@tools/need terminal
	go test -run '^$$' -bench . -benchmem -count $(or $(COUNT),6) ./bench/...

conformance: ## the official MCP suite and clients; needs npm, which fetches them
	@tools/conformance

generate: ## web/dist from web/src
	go generate ./...

goldens: ## rewrite the golden files of tests; read the diff before you commit
	@tools/need chromium
	go test $$(tools/goldens) -update

release: ## release/: both commands for the five platforms, with checksums
	@rm -rf release
	@$(MAKE) --no-print-directory $(BINARIES) VERSION='$(VERSION)'
	@cd release && if command -v sha256sum >/dev/null; then sha256sum ui-mcp-* wsh-*; else shasum -a 256 ui-mcp-* wsh-*; fi > SHA256SUMS
	@cat release/SHA256SUMS

# COMMAND-GOOS-GOARCH
release/%: FORCE
	@mkdir -p release
	@echo "$@"
	@name=$(basename $*); command=$${name%-*-*}; platform=$${name#"$$command"-}; \
		CGO_ENABLED=0 GOOS=$${platform%-*} GOARCH=$${platform#*-} \
		go build -trimpath -ldflags '-s -w $(LDFLAGS)' -o $@ "./cmd/$$command"

.PHONY: FORCE
FORCE:

inspect: release ## the release is what it says: platforms, versions, the same bytes wherever it is built
	@tools/inspect release '$(VERSION)'

clean: ## remove what was built and the demo's directory
	rm -rf bin release .demo

check: format vet staticcheck typescript tidy race generated vulnerabilities ## all that must hold before a commit
	@echo "check: all is well"

format: ## gofmt has nothing to say
	@echo "gofmt"
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then \
		echo "not formatted (run gofmt -w):" >&2; echo "$$files" >&2; exit 1; fi

vet: ## go vet, for each system
	go vet ./...
	GOOS=darwin go vet ./...
	GOOS=windows go vet ./...

staticcheck:
	$(TOOL) staticcheck ./...

typescript: ## the TypeScript compiler has nothing to say
	$(TOOL) tsgo --noEmit -p web/tsconfig.json

tidy:
	go mod tidy -diff
	go -C tools mod tidy -diff

race: ## all tests, with the race detector
	@tools/need chromium gcc terminal xterm
	CGO_ENABLED=1 go test -race ./...

generated: ## what is generated is up to date
	@tools/need chromium
	@tools/fresh

vulnerabilities: ## no known vulnerability is reachable
	@tools/vulnerabilities
