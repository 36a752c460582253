#!/usr/bin/env bash
# Measures larder beside DuckDB, pandas and the sqlite3 shell in one run on one
# machine, so that what counts is a ratio. Exits 1 when the results differ or a
# target is missed. What is missing on the machine (node, npm, pandas, sqlite3, GNU
# time) is skipped with a message.
#
#   THREADS=2 RUNS=5 WEEKS="18 520" testdata/bench/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/testdata/bench

export THREADS=${THREADS:-$(nproc)} # both sides get as many
export GOMAXPROCS=$THREADS
runs=${RUNS:-5}
weeks=${WEEKS:-18 520}
through=2026-11-20 now=2026-11-20T12:00:00Z last=2026-11-15 # a Friday, and the last closed week then

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
larder=$tmp/larder
table=$tmp/table
missed=0

has() { command -v "$1" >/dev/null; }
note() { printf 'bench: %s\n' "$*" >&2; }

# median FILE [KEY]: of numbers, one a line, or of KEY in lines of JSON.
median() {
  sed -n "s/^\(.*\"${2:-}\":\)\{0,1\}\([0-9][0-9.e+-]*\).*/\2/p" "$1" | sort -g |
    awk '{ v[NR] = $1 } END { if (!NR) exit 1; print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# line WHAT PEER LARDER [LIMIT]: one row of the table; larder may take LIMIT
# times as long as its peer.
line() {
  awk -v OFS='\t' -v what="$1" -v peer="$2" -v own="$3" -v limit="${4:-}" 'BEGIN {
    ok = limit == "" || own <= limit * peer
    print what, sprintf("%.4f", peer), sprintf("%.4f", own), sprintf("%.2f", own / peer),
      limit == "" ? "" : "<= " limit, limit == "" ? "" : ok ? "pass" : "FAIL"
    exit !ok }' >>"$table" || missed=1
}

# wall FILE COMMAND...: appends the seconds that the command took.
wall() {
  local file=$1 started=$EPOCHREALTIME
  shift
  "$@" >/dev/null 2>"$tmp/stderr" || { cat "$tmp/stderr" >&2; return 1; }
  awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }' >>"$file"
}

# peak FILE COMMAND...: appends the command's peak memory in kB.
peak() {
  local file=$1
  shift
  if [[ $gnutime ]]; then "$gnutime" -a -o "$file" -f %M "$@"; else "$@"; fi
}

gnutime=$(type -P time || true)
[[ $gnutime ]] && "$gnutime" --version 2>&1 | grep -q GNU || gnutime=
[[ $gnutime ]] || note 'GNU time is not installed: peak memory is not measured'

duckdb=
if has node && has npm; then
  # Not "npm ci": the lock file names only the platforms it was written for.
  if npm --prefix "$here" install --no-save --no-audit --no-fund --loglevel=error >"$tmp/npm" 2>&1; then
    duckdb=$(node "$here/duckdb.mjs" version)
  else
    cat "$tmp/npm" >&2
    note 'DuckDB could not be installed: the index is not compared'
  fi
else
  note 'node or npm is not installed: the index is not compared with DuckDB'
fi
pandas= python=
for python in python3 /usr/bin/python3; do # the second is the system's, whose packages the first may not see
  if pandas=$("$python" "$here/levels.py" version 2>/dev/null); then break; fi
done
[[ $pandas ]] || note 'pandas is not installed (python3-pandas): the index is not compared with it'
sqlite=
if has sqlite3; then
  sqlite=$(sqlite3 --version | cut -d' ' -f1)
else
  note 'the sqlite3 shell is not installed: the import is not compared'
fi

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n1 || true)
printf '%s, %s cores, %s threads; %s; DuckDB %s; pandas %s; sqlite3 %s; load %s\n' "${cpu:-unknown CPU}" "$(nproc)" "$THREADS" \
  "$(go env GOVERSION)" "${duckdb:-none}" "${pandas:-none}" "${sqlite:-none}" "$(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
go build -o "$larder" ./cmd/larder

compare_index() { # WEEKS
  local w=$1 d=$tmp/$1 i
  "$larder" check --db "$d/panel.db" --filtered >"$d/filtered.csv"
  node "$here/duckdb.mjs" prepare "$d/export" "$d/filtered.csv" "$d" "$last" >/dev/null
  "$larder" index --db "$d/panel.db" --now "$now" --format csv >"$d/larder.csv"
  printf '%s weeks: ' "$w"
  node "$here/duckdb.mjs" compare "$d" "$d/larder.csv"
  if [[ $pandas ]]; then "$python" "$here/levels.py" compare "$d" "$d/larder.csv"; fi
  # By turns, so that a busy machine disturbs both.
  for ((i = 0; i < runs; i++)); do
    node "$here/duckdb.mjs" levels "$d" >>"$d/duckdb"
    if [[ $pandas ]]; then "$python" "$here/levels.py" levels "$d" >>"$d/pandas"; fi
    index_once "$d"
  done
  local load compute own
  load=$(median "$d/duckdb" load_s) compute=$(median "$d/duckdb" compute_s) own=$(median "$d/index" compute_s)
  line "$w weeks: DuckDB, levels / whole table" "$compute" "$own" 0.1
  if [[ $pandas ]]; then line "$w weeks: pandas, levels / whole table" "$(median "$d/pandas" compute_s)" "$own"; fi
  line "$w weeks: DuckDB, CSV + levels / snapshot load" "$(awk "BEGIN { print $load + $compute }")" "$(median "$d/index" load_s)" 1
  if [[ $pandas ]]; then line "$w weeks: pandas, CSV load / snapshot load" "$(median "$d/pandas" load_s)" "$(median "$d/index" load_s)"; fi
}

index_once() { # DIR
  peak "$1/memory" "$larder" index --db "$1/panel.db" --now "$now" --level national --category overall --timing 2>>"$1/index" >/dev/null
}

compare_import() { # WEEKS
  local w=$1 d=$tmp/$1 i
  for ((i = 0; i < 3; i++)); do
    rm -f "$d/fresh.db"
    wall "$d/sqlite3" sqlite3 "$d/fresh.db" ".import --csv $d/export/observations.csv observations"
    rm -f "$d/fresh.db"
    wall "$d/import" peak "$d/import-memory" "$larder" import "$d/export" --db "$d/fresh.db"
  done
  rm -f "$d/fresh.db"
  line "$w weeks: sqlite3 .import / larder import" "$(median "$d/sqlite3")" "$(median "$d/import")" 4
}

# memory WHAT FILE: the largest of the peaks against 600 MB.
memory() {
  [[ -s $2 ]] || return 0
  awk -v OFS='\t' -v what="$1" '$1 > max { max = $1 } END {
    print what, "", sprintf("%.0f MB", max / 1000), "", "< 600 MB", max < 600e3 ? "pass" : "FAIL"
    exit max >= 600e3 }' "$2" >>"$table" || missed=1
}

printf 'what\tpeer s\tlarder s\tratio\ttarget\t\n' >"$table"
for w in $weeks; do
  d=$tmp/$w
  mkdir "$d"
  "$larder" demo --db "$d/panel.db" --weeks "$w" --stores 146 --through "$through" 2>/dev/null
  "$larder" export "$d/export" --db "$d/panel.db" 2>/dev/null
  if [[ $duckdb ]]; then compare_index "$w"; else index_once "$d"; fi
  memory "$w weeks: peak of larder index" "$d/memory"
  if [[ $sqlite ]]; then compare_import "$w"; fi
  memory "$w weeks: peak of larder import" "$d/import-memory"
  rm -rf "$d"
done
echo
awk -F'\t' '{ printf "%-46s %9s %9s %7s  %-9s %s\n", $1, $2, $3, $4, $5, $6 }' "$table"
echo
go test -run '^$' -bench . ./jevons
if ((missed)); then note 'a target was missed'; fi
exit "$missed"
