#!/usr/bin/env bash
# Measures larder's server on one machine in one run: pages beside nginx, the
# request log on and off, and comparisons beside the same bytes made before. What
# counts is a ratio. Exits 1 when a target is missed or a request fails. What is
# missing on the machine (wrk, nginx) is skipped with a message.
#
#   CONNECTIONS=16 ROUNDS=7 SECONDS_EACH=2 testdata/bench/serve.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/testdata/bench

connections=${CONNECTIONS:-16} rounds=${ROUNDS:-7} seconds=${SECONDS_EACH:-2}
weeks=20 through=2026-11-20 now=2026-11-20T12:00:00Z # some 300 rows of the index a week
free=127.0.0.1:0

tmp=$(mktemp -d)
pids=()
cleanup() {
  ((${#pids[@]} == 0)) || { kill "${pids[@]}" 2>/dev/null || true; wait "${pids[@]}" 2>/dev/null || true; }
  rm -rf "$tmp"
}
trap cleanup EXIT

has() { command -v "$1" >/dev/null || [[ -x /usr/sbin/$1 ]]; }
note() { printf 'bench: %s\n' "$*" >&2; }
for tool in wrk curl; do
  has "$tool" || { note "$tool is not installed: serving is not measured"; exit 0; }
done
PATH=$PATH:/usr/sbin

# The server with a route of prepared bytes, and without its request log, is this
# tree with files laid over it: there are no such switches in the product.
go build -o "$tmp/larder" ./cmd/larder
sed 's/^func (db \*DB) Append(.*{$/&\n\treturn nil/' httpapi/state/log.go >"$tmp/log.go"
if cmp -s httpapi/state/log.go "$tmp/log.go"; then
  note 'httpapi/state/log.go has no function DB.Append: mend testdata/bench/serve.sh'
  exit 1
fi
prepared="\"$PWD/httpapi/prepared.go\":\"$here/serve/prepared.go.txt\""
printf '{"Replace":{%s}}\n' "$prepared" >"$tmp/overlay.json"
printf '{"Replace":{%s,"%s":"%s"}}\n' "$prepared" "$PWD/httpapi/state/log.go" "$tmp/log.go" >"$tmp/unlogged.json"
go build -overlay "$tmp/overlay.json" -o "$tmp/bench" ./testdata/bench/serve
go build -overlay "$tmp/unlogged.json" -o "$tmp/unlogged" ./testdata/bench/serve

"$tmp/larder" demo --db "$tmp/panel.db" --weeks "$weeks" --stores 146 --through "$through" 2>/dev/null
for name in product bench unlogged; do # each server has a state of its own
  "$tmp/larder" keys create --state "$tmp/$name-state.db" --tier enterprise --name bench --per-minute 1000000000 --per-month none \
    --format json 2>/dev/null | sed -n 's/.*"key": *"\([^"]*\)".*/\1/p' >"$tmp/$name-key"
  [[ -s $tmp/$name-key ]] || { note 'no key could be made'; exit 1; }
done
key() { cat "$tmp/$1-key"; }

# start NAME COMMAND...: sets NAME to the address that a server says first, when it is ready.
start() {
  local name=$1 lines greeting
  exec {lines}< <(exec "${@:2}" 2>"$tmp/$name-log")
  pids+=($!)
  if ! read -r greeting <&"$lines" || ! [[ $greeting =~ http://([0-9.:]+) ]]; then
    note "$name does not serve"
    tail -n 5 "$tmp/$name-log" >&2
    exit 1
  fi
  printf -v "$name" %s "${BASH_REMATCH[1]}"
}
start product "$tmp/larder" serve --db "$tmp/panel.db" --state "$tmp/product-state.db" --addr $free --admin-addr $free \
  --public-per-minute 1000000000 --now "$now"
start bench "$tmp/bench" -db "$tmp/panel.db" -state "$tmp/bench-state.db" -addr $free -now "$now" -prepared "$tmp/comparison"
start unlogged "$tmp/unlogged" -db "$tmp/panel.db" -state "$tmp/unlogged-state.db" -addr $free -now "$now"

# fetch FILE URL [CURL OPTION...]: false if the answer is no 200.
fetch() { curl -sf -o "$1" "${@:3}" "$2"; }
index=/api/public/index prices=/api/v1/prices compare=/api/shopper/compare
mkdir "$tmp/www"
fetch "$tmp/www/index.json" "http://$product$index" -H "Authorization: Bearer $(key product)"
fetch "$tmp/www/prices.json" "http://$product$prices" -H "Authorization: Bearer $(key product)"
fetch "$tmp/one" "http://$product$index?limit=1" -H "Authorization: Bearer $(key product)"
rows() { grep -o "\"$2\":" "$1" | wc -l; }
if (($(rows "$tmp/www/index.json" index_value) != 5000)); then
  note 'the page of the index has not 5000 rows'
  exit 1
fi

with_nginx=
if has nginx; then
  mkdir "$tmp/temp"
  configure() {
    nginx=127.0.0.1:$1
    cat >"$tmp/nginx.conf" <<END
worker_processes auto;
pid $tmp/nginx.pid;
error_log $tmp/nginx-log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10;
  keepalive_requests 1000000000;
  default_type application/json;
  client_body_temp_path $tmp/temp/1;
  proxy_temp_path $tmp/temp/2;
  fastcgi_temp_path $tmp/temp/3;
  uwsgi_temp_path $tmp/temp/4;
  scgi_temp_path $tmp/temp/5;
  server { listen $nginx; root $tmp/www; }
}
END
  }
  chmod 755 "$tmp" "$tmp/www" # its workers run as somebody else
  chmod 644 "$tmp"/www/*
  for ((i = 1; i <= 20; i++)); do # it takes no free port by itself, and goes on in the background when it has one
    configure $((20000 + RANDOM % 12000))
    if nginx -c "$tmp/nginx.conf" -p "$tmp" 2>"$tmp/nginx-log"; then break; fi
  done
  fetch "$tmp/static" "http://$nginx/index.json"
  pids+=("$(cat "$tmp/nginx.pid")")
  cmp "$tmp/static" "$tmp/www/index.json"
  with_nginx=$(nginx -v 2>&1 | sed 's|.*/||')
else
  note 'nginx is not installed: pages are not compared with static files'
fi
list=$here/serve-list.json
fetch "$tmp/comparison" "http://$bench$compare" -H 'Content-Type: application/json' --data-binary "@$list" ||
  { note "$compare does not answer"; exit 1; }
for path in prepared bare; do
  fetch "$tmp/$path" "http://$bench/$path" -H 'Content-Type: application/json' --data-binary "@$list"
  cmp "$tmp/$path" "$tmp/comparison"
done

# hit NAME URL [KEY [LIST]]: a run of wrk; appends requests a second, p50 and p99
# in ms to the file NAME.
hit() {
  local name=$1 url=$2
  KEY=${3:-} LIST=${4:-} wrk -t 2 -c "$connections" -d "$seconds" -s "$here/serve.lua" "http://$url" >"$tmp/wrk" || { cat "$tmp/wrk" >&2; exit 1; }
  awk -v url="$url" '$1 == "result" {
    found = 1
    if ($4 > 0) { printf "bench: %d of %d requests of %s failed\n", $4, $2, url > "/dev/stderr"; exit 1 }
    print $2 / $3, $5, $6
  } END { exit !found }' "$tmp/wrk" >>"$tmp/$name.runs"
}
round() {
  hit index "$product$index" "$(key product)"
  if [[ $with_nginx ]]; then hit index-static "$nginx/index.json"; fi
  hit logged "$bench$index" "$(key bench)"
  hit unlogged "$unlogged$index" "$(key unlogged)"
  hit one-logged "$bench$index?limit=1" "$(key bench)"
  hit one-unlogged "$unlogged$index?limit=1" "$(key unlogged)"
  hit prices "$product$prices" "$(key product)"
  if [[ $with_nginx ]]; then hit prices-static "$nginx/prices.json"; fi
  hit compare "$bench$compare" '' "$list"
  hit prepared "$bench/prepared" '' "$list"
  hit bare "$bench/bare" '' "$list"
}
load() { cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown; }
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n1 || true)
printf '%s, %s cores; %s; nginx %s; load %s\n' "${cpu:-unknown CPU}" "$(nproc)" "$(go env GOVERSION)" "${with_nginx:-none}" "$(load)"
printf '%s rounds of %s s each, %s connections\n' "$rounds" "$seconds" "$connections"
seconds=1 round # to warm up
rm "$tmp"/*.runs
for ((i = 0; i < rounds; i++)); do round; done # by turns, so that a busy machine disturbs both

median() { sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
column() { cut -d' ' -f"$2" "$tmp/$1.runs" | median; } # NAME NUMBER
missed=0
# line WHAT NAME BESIDE [LEAST]: one row of the table. The ratio is the median of
# those of the rounds; it may not be below LEAST.
line() {
  [[ -s $tmp/$2.runs && -s $tmp/$3.runs ]] || return 0
  local ratio
  ratio=$(paste -d' ' "$tmp/$2.runs" "$tmp/$3.runs" | awk '{ print $1 / $4 }' | median)
  awk -v what="$1" -v own="$(column "$2" 1)" -v p50="$(column "$2" 2)" -v p99="$(column "$2" 3)" -v beside="$(column "$3" 1)" \
    -v beside50="$(column "$3" 2)" -v beside99="$(column "$3" 3)" -v ratio="$ratio" -v least="${4:-}" 'BEGIN {
    verdict = least == "" ? "" : ratio >= least ? "pass" : "FAIL"
    printf "%-46s %9.0f %8.2f %8.2f %9.0f %8.2f %8.2f %6.2f  %-7s %s\n", what, own, p50, p99, beside, beside50, beside99, ratio,
      least == "" ? "" : ">= " least, verdict
    exit verdict == "FAIL" }' || missed=1
}
kB() { awk -v n="$(wc -c <"$1")" 'BEGIN { printf "%.0f kB", n / 1000 }'; }
printf '\n%-46s %9s %8s %8s %9s %8s %8s %6s  %s\n' what larder/s 'p50 ms' 'p99 ms' beside/s 'p50 ms' 'p99 ms' ratio target
line "index, 5000 rows, $(kB "$tmp/www/index.json") / nginx" index index-static 0.25
line 'the same, request log on / off' logged unlogged 0.5
line 'index, one row, request log on / off' one-logged one-unlogged
line "prices, $(rows "$tmp/www/prices.json" observed_at) rows, $(kB "$tmp/www/prices.json") / nginx" prices prices-static
line "comparison, 20 items, $(kB "$tmp/comparison") / prepared" compare prepared
line 'the same / net/http alone' compare bare
echo
printf 'load %s\n' "$(load)"
if ((missed)); then note 'a target was missed'; fi
exit "$missed"
