# The targets that CI runs, and those that are too long for it.

GO ?= go

.PHONY: ci fmt vet staticcheck test race cover fuzz golden bench kill

ci: fmt vet staticcheck test race

fmt:
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "not gofmt-ed:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) tool staticcheck ./...

test:
	$(GO) test ./...

# Where goroutines share memory: filling the panel, the engine's weeks, the
# parallel reader and writer of snapshots, what a projection keeps for a day, and
# the server with its state.
race:
	$(GO) test -race -short ./panel ./panel/csvdir ./panel/sqlite ./jevons ./compare ./httpapi/state ./httpapi/mcp
	$(GO) test -race -short ./cmd/larder -run 'Serve|MCP|Progress|Compare'
	$(GO) test -race -short ./httpapi -run 'Swap|Snapshot|Watch|Limit|Bucket|Serve|Kill|Session|Sign|Rotat|Concurrent|Shared|MCP|Panic|Metric'

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

# Beside DuckDB, the sqlite3 shell and nginx, in one run on one machine: five
# minutes.
bench:
	@failed=0; for part in run serve; do testdata/bench/$$part.sh || failed=1; done; exit $$failed

# A server killed 25 times under load: nothing that was answered is missing from
# its log. The tests do so three times.
kill:
	$(GO) test ./httpapi -run '^TestKilledServer$$' -count 1 -v -kill-rounds 25
