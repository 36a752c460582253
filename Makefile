# The targets that CI runs, and those that are too long for it.

GO ?= go
# The tools are requirements of a module of their own, so that a program that imports this one has none of them.
STATICCHECK = $$($(GO) -C $(CURDIR)/internal/tools tool -n staticcheck)
BROWSERS = httpapi/internal/browser

.PHONY: ci engines fmt vet staticcheck test portable browser browser-short race zoo cover fuzz golden survey bench growth torture torture-short release

ci: fmt vet staticcheck engines test portable browser-short race zoo torture-short

fmt:
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "not gofmt-ed:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) -C internal/tools vet ./...

staticcheck:
	$(STATICCHECK) ./...

test:
	$(GO) test ./...

# Engines that run SQL and readers of Parquet, for tests. Without npm they say
# that they were not run.
engines:
	@if command -v npm >/dev/null; then npm install --prefix testdata/engines --no-package-lock --ignore-scripts --prefer-offline --no-audit --no-fund; fi

# What runs on other processors: the index engine in Go alone, and where an int has 32 bits.
portable:
	GOARCH=arm64 CGO_ENABLED=0 $(GO) build ./jevons ./jevons/release
	GOARCH=386 CGO_ENABLED=0 $(GO) vet ./jevons ./jevons/internal/lanes
	@if GOARCH=386 CGO_ENABLED=0 $(GO) test -run '^$$' ./jevons/internal/lanes >/dev/null 2>&1; then \
		GOARCH=386 CGO_ENABLED=0 $(GO) test ./jevons ./jevons/internal/lanes; \
	else echo "this kernel runs no 32-bit programs: their tests were built and not run"; fi
	$(GO) test -tags purego ./jevons ./jevons/internal/lanes ./jevons/release

# The pages in Chromium, the feeds in readers, and /mcp in its conformance suite. npm gets
# axe-core, which looks for barriers, the readers, the suite, and the Node that it needs. Without
# npm or Chromium, what needs them is skipped. SHOTS=dir takes pictures.
browser: engines
	@if command -v npm >/dev/null; then npm ci --prefix $(BROWSERS)/testdata --ignore-scripts --prefer-offline --no-audit --no-fund; fi
	$(GO) -C $(BROWSERS) vet .
	cd $(BROWSERS) && $(STATICCHECK) .
	$(GO) -C $(BROWSERS) test . -count 1 $(BROWSER) $(if $(SHOTS),-screenshots $(abspath $(SHOTS)))

# The ways that most people go.
browser-short: BROWSER = -short
browser-short: browser

# Where goroutines share memory: the rows of the panel, the engine's weeks, the reader of snapshots,
# what a projection keeps for a day, and the server with its state and its swaps.
race:
	$(GO) test -race -short ./panel ./httpapi/state
	$(GO) test -race -short ./panel/sqlite -run 'Load|Contents'
	$(GO) test -race -short ./jevons -run 'OnSynthetic|WithOptions'
	$(GO) test -race -short ./compare -run Instants
	$(GO) test -race -short ./httpapi ./httpapi/limit -run 'Swap|Limit|Held|Hangs|Bucket|Room'

# Every fault of the zoo in both of its histories; go test plants those that end alike in one.
zoo:
	$(GO) test ./jevons/release -run Zoo -args -whole-zoo

cover:
	$(GO) test -coverpkg=./... -coverprofile=cover.out ./...
	$(GO) tool cover -func=cover.out | tail -1

# A minute for each fuzz target of every package.
fuzz:
	@for target in $$($(GO) list ./... | xargs -I{} sh -c '$(GO) test -list "^Fuzz" {} | grep "^Fuzz" | sed "s|^|{}:|"'); do \
		$(GO) test "$${target%%:*}" -run '^$$' -fuzz "^$${target##*:}$$" -fuzztime 60s || exit 1; done

# Writes the published values anew; review them as testdata/README.md says.
golden:
	$(GO) test ./cmd/larder -run Golden -update

# The leave-one-outs, standard errors and quantiles by R's survey package (Debian:
# r-cran-survey), anew. A test compares them with the published digits, to 1e-9.
survey:
	@if ! Rscript -e 'library(survey)' >/dev/null 2>&1; then echo "R or its survey package is not here: nothing was compared"; exit 0; fi; \
	dir=$$(mktemp -d) && trap 'rm -r "$$dir"' EXIT && \
	LARDER_SURVEY_INPUT=$$dir/input.csv $(GO) test ./jevons -run EqualsSurvey -count 1 >/dev/null; \
	Rscript testdata/survey/jackknife.R $$dir/input.csv >$$dir/jackknife.csv && \
	cp $$dir/jackknife.csv testdata/survey/jackknife.csv && \
	$(GO) test ./jevons -run EqualsSurvey -count 1 -v

# Beside DuckDB, pandas, the sqlite3 shell and nginx, in one run on one machine:
# five minutes.
bench:
	@failed=0; for part in run serve; do testdata/bench/$$part.sh || failed=1; done; exit $$failed

# How time and memory grow with weeks and stores: twenty minutes and 6 GB of disk.
growth:
	testdata/bench/growth.sh

# Faults injected into the real command. They need Linux; docs/faults.md lists the
# promises and the results. The long form takes some minutes.
TORTURE = $(GO) test -tags torture ./cmd/larder/internal/torture -count 1

torture:
	$(TORTURE) -v -timeout 40m

torture-short:
	$(GO) vet -tags torture ./cmd/larder/internal/torture
	$(STATICCHECK) -tags torture ./cmd/larder/internal/torture
	$(TORTURE) -short

# Archives, packages and images of the tag that is checked out, in dist/; SNAPSHOT=1 takes any commit. Needs Debian's
# gcc, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and gcc-mingw-w64-x86-64, and Docker for the images.
release:
	$(GO) run github.com/goreleaser/goreleaser/v2@v2.17.0 release --clean --skip=publish $(if $(SNAPSHOT),--snapshot)
