#!/usr/bin/env bash
# Measures how importing, loading, computing and serving grow with the panel: in
# weeks, and in stores. Prints a table. A time is that of the fastest run: it is compared
# with times of another minute, and a busy machine only ever adds. Panels are made one after the
# other and removed again; the largest needs 6 GB of disk and 4 GB of memory for some minutes. It
# needs GNU time and curl.
#
#   RUNS=3 SIZES="18x146 520x146" testdata/bench/growth.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/testdata/bench

export GOMAXPROCS=${THREADS:-$(nproc)}
runs=${RUNS:-3}
sizes=${SIZES:-18x146 52x146 520x146 2600x146 18x1460 18x14600} # weeks x stores
through=2026-11-20 now=2026-11-20T12:00:00Z

tmp=$(mktemp -d)
server=
cleanup() {
  [[ ! $server ]] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
  rm -rf "$tmp"
}
trap cleanup EXIT
larder=$tmp/larder
table=$tmp/table

note() { printf 'growth: %s\n' "$*" >&2; }
gnutime=$(type -P time || true)
[[ $gnutime ]] && "$gnutime" --version 2>&1 | grep -q GNU || { note 'GNU time is not installed'; exit 1; }
type -P curl >/dev/null || { note 'curl is not installed'; exit 1; }

least() { sort -g | sed -n 1p; }
member() { sed -n 's/.*"'"$1"'":\([0-9.e+-]*\).*/\1/p' "$2"; } # NAME FILE: of lines of JSON
seconds() { cut -d' ' -f1 "$1" | least; }
megabytes() { cut -d' ' -f2 "$1" | sort -g | awk 'END { print $1 / 1000 }'; }
processor() { awk '{ print $3 + $4 }' "$1" | least; }
# timed FILE COMMAND...: appends seconds, peak memory in kB and seconds of processors.
timed() { "$gnutime" -a -o "$1" -f '%e %M %U %S' "${@:2}"; }

# serve DB FILE: appends seconds until ready, those of the first page of the index,
# of prices and the first comparison, and peak memory in kB.
serve() {
  local db=$1 dir=$tmp/serve started ready key page addr lines greeting
  rm -rf "$dir"
  mkdir "$dir"
  key=$("$larder" keys create --state "$dir/state.db" --tier enterprise --name bench --per-month none --format json 2>/dev/null |
    sed -n 's/.*"key": *"\([^"]*\)".*/\1/p')
  started=$EPOCHREALTIME
  exec {lines}< <(exec "$larder" serve --db "$db" --state "$dir/state.db" --addr 127.0.0.1:0 --admin-addr 127.0.0.1:0 --now "$now" 2>"$dir/log")
  server=$!
  read -r greeting <&"$lines" || { cat "$dir/log" >&2; exit 1; } # it is said when the snapshot is loaded
  [[ $greeting =~ http://([0-9.:]+) ]]
  addr=${BASH_REMATCH[1]}
  ready=$(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
  for page in /api/public/index /api/v1/prices /api/shopper/compare; do
    local list=()
    [[ $page != */compare ]] || list=(-H 'Content-Type: application/json' --data-binary "@$here/serve-list.json")
    ready+=" $(curl -sf -o /dev/null -w '%{time_total}' -H "Authorization: Bearer $key" "${list[@]}" "http://$addr$page")"
  done
  echo "$ready $(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$server/status")" >>"$2"
  kill "$server"
  wait "$server" || true
  server=
  exec {lines}<&-
}

measure() { # WEEKS STORES
  local d=$tmp/panel i
  mkdir "$d"
  timed "$d/demo" "$larder" demo --db "$d/panel.db" --weeks "$1" --stores "$2" --through "$through" 2>/dev/null
  "$larder" export "$d/export" --db "$d/panel.db" 2>/dev/null
  for ((i = 0; i < (runs + 1) / 2; i++)); do # the longest of all
    rm -f "$d/panel.db"
    timed "$d/import" "$larder" import "$d/export" --db "$d/panel.db" 2>/dev/null
  done
  rm -rf "$d/export"
  for ((i = 0; i < runs; i++)); do
    timed "$d/index" "$larder" index --db "$d/panel.db" --now "$now" --level national --category overall --timing 2>>"$d/timing" >/dev/null
    serve "$d/panel.db" "$d/serve"
  done
  printf '%s\t' "$1" "$2" "$(member observations "$d/timing" | head -n1)" "$(member rows "$d/timing" | head -n1)" \
    "$(wc -c <"$d/panel.db" | awk '{ print $1 / 1e6 }')" "$(seconds "$d/import")" "$(megabytes "$d/import")" \
    "$(member load_s "$d/timing" | least)" "$(member compute_s "$d/timing" | least)" "$(megabytes "$d/index")" \
    "$(seconds "$d/serve")" >>"$table"
  for i in 2 3 4; do printf '%s\t' "$(cut -d' ' -f$i "$d/serve" | least)"; done >>"$table"
  cut -d' ' -f5 "$d/serve" | sort -g | awk 'END { printf "%s\t", $1 / 1000 }' >>"$table"
  printf '%s\t%s\t%s\n' "$(seconds "$d/demo")" "$(processor "$d/import")" "$(processor "$d/index")" >>"$table"
  rm -rf "$d"
}

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n1 || true)
printf '%s, %s cores, %s; %s; load %s\n' "${cpu:-unknown CPU}" "$(nproc)" "$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)" \
  "$(go env GOVERSION)" "$(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
go build -o "$larder" ./cmd/larder
for size in $sizes; do
  note "$size"
  measure "${size%x*}" "${size#*x}"
done

awk -F'\t' 'BEGIN {
  printf "\n%6s %6s %11s %8s %7s | %8s %6s | %7s %8s %6s | %7s %7s %7s %8s %6s | %7s\n", "weeks", "stores", "prices", "index", "file MB",
    "import s", "MB", "load s", "compute s", "MB", "ready s", "index s", "price s", "compare s", "MB", "demo s"
} {
  printf "%6d %6d %11d %8d %7.0f | %8.2f %6.0f | %7.3f %8.4f %6.0f | %7.2f %7.3f %7.3f %8.4f %6.0f | %7.1f\n",
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
}' "$table"
awk -F'\t' 'BEGIN {
  printf "\nFor a million prices (cpu: seconds of processors, of import and of load and compute):\n"
  printf "%6s %6s | %8s %6s %6s | %7s %8s %6s %6s | %7s %6s\n", "weeks", "stores", "import s", "cpu", "MB", "load s", "compute s", "cpu", "MB", "ready s", "MB"
} {
  m = $3 / 1e6
  printf "%6d %6d | %8.2f %6.2f %6.0f | %7.3f %8.4f %6.3f %6.0f | %7.2f %6.0f\n",
    $1, $2, $6 / m, $17 / m, $7 / m, $8 / m, $9 / m, $18 / m, $10 / m, $11 / m, $15 / m
}' "$table"
