#!/usr/bin/env bash
# Tries what "make release" built: the Debian package in a fresh root made by debootstrap, the
# program alone in an empty root, as the Dockerfile has it, and the arm64 program under qemu. It
# needs root. OLD names an older package to upgrade from; without it, this one is given a lower
# version. BASE names a root that debootstrap made before, which is copied.
set -euo pipefail
dist=$(realpath "${DIST:-dist}")
say() { echo "install-test: $*"; }
fail() { say "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "not run: it needs root"
for tool in debootstrap dpkg-deb ip curl; do
    command -v $tool >/dev/null || fail "not run: $tool is not installed"
done
[ -f "$dist/SHA256SUMS" ] || fail "nothing in $dist: run make release first"
if [ "${1-}" != inside ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    if [ -n "${BASE-}" ]; then cp -a "$BASE" "$work/root"; else debootstrap --variant=minbase bookworm "$work/root" >"$work/log" || fail "$(tail -3 "$work/log")"; fi
    # In a network and a process tree of its own: no port is taken, and nothing is left running.
    WORK=$work unshare --net --mount --pid --fork --kill-child --mount-proc "$0" inside
    exit
fi
work=$WORK root=$WORK/root
ip link set lo up

(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
new=$(echo "$dist"/larder_*_amd64.deb)
mount -t proc proc "$root/proc"
old=${OLD-}
if [ -z "$old" ]; then
    dpkg-deb -R "$new" "$work/old"
    sed -i 's/^Version: .*/Version: 0~older/' "$work/old/DEBIAN/control"
    old=$work/old.deb
    dpkg-deb --build "$work/old" "$old" >/dev/null
fi

in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"; }
as_larder() { in_root runuser -u larder -- "$@"; }
package() { install -m 644 "$1" "$root/tmp/larder.deb" && in_root dpkg -i /tmp/larder.deb >"$work/log" 2>&1 || fail "dpkg -i $1: $(cat "$work/log")"; }
server=
# start runs the unit's command as the unit's user, with the unit's environment.
start() {
    local unit=$root/lib/systemd/system/larder.service
    [ "$(sed -n 's/^User=//p' "$unit")" = larder ] || fail "the unit's user is not larder"
    # Each of these becomes the next, so $! is the server.
    chroot --userspec=larder:larder "$root" env -i PATH=/usr/bin:/bin sh -c "umask 0077; set -a; . $(sed -n 's/^EnvironmentFile=//p' "$unit"); exec $(sed -n 's/^ExecStart=//p' "$unit")" >"$work/server" 2>&1 &
    server=$!
    curl -fs --retry 60 --retry-delay 1 --retry-connrefused -o /dev/null http://127.0.0.1:8080/readyz || fail "it does not start: $(cat "$work/server")"
    cmp "/proc/$server/exe" "$root/usr/bin/larder" || fail "the running server is not the installed program"
}
stop() { kill $server && wait $server || fail "it does not end well: $(cat "$work/server")"; }
# ask saves a page of the index, but for the moment of the answer, and prints how many requests of the month the key has left.
ask() {
    curl -fsS -D "$work/headers" -H "Authorization: Bearer $secret" 'http://127.0.0.1:8080/api/v1/index?level=national&category=overall' |
        sed 's/"generated_at":"[^"]*"//' >"$1"
    sed -n 's/^RateLimit:.*"month";r=\([0-9]*\).*/\1/ip' "$work/headers"
}

package "$old"
say "installed $(in_root dpkg-query -W larder): $(in_root larder version)"
as_larder larder export /tmp/prices --demo >/dev/null 2>&1
as_larder larder import /tmp/prices --db /var/lib/larder/larder.db >/dev/null 2>&1
secret=$(as_larder larder keys create --state /var/lib/larder/larder-state.db --tier standard --name Example 2>/dev/null | grep -o 'larder_live_[A-Za-z0-9_-]*' | head -1)
start
left=$(ask "$work/before")
grep -q '"index_value"' "$work/before" || fail "it serves no index: $(head -c 300 "$work/before")"
echo '# a line of the administrator' >>"$root/etc/larder/larder.conf"

package "$new" # with the old program running
say "upgraded to $(in_root dpkg-query -W larder): $(in_root larder version)"
stop
start
[ "$(ask "$work/after")" = $((left - 1)) ] || fail "of $left requests left, the upgrade and another one leave: $(cat "$work/headers")"
cmp "$work/before" "$work/after" || fail "the index is another one after the upgrade"
tail -1 "$root/etc/larder/larder.conf" | grep -q administrator || fail "the upgrade replaced /etc/larder/larder.conf"
stop
[ "$(in_root stat -c "%U %a" /var/lib/larder)" = "larder 750" ] || fail "others may enter /var/lib/larder"
in_root dpkg --purge larder >"$work/log" 2>&1 || fail "$(cat "$work/log")"
[ ! -e "$root/usr/bin/larder" ] && [ ! -e "$root/etc/larder/larder.conf" ] || fail "files stay after the purge"
[ -s "$root/var/lib/larder/larder-state.db" ] || fail "the purge removed the state"
say "the key, its count, the settings and the snapshot outlived the upgrade; the state outlived the purge"

# The Dockerfile's root has the program alone.
root=$work/scratch
install -D "$dist/larder-linux-amd64" "$root/larder"
install -d -o 65532 -g 65532 "$root/var/lib/larder"
mapfile -t settings < <(sed -n 's/^ENV //p' "$dist/Dockerfile" | tr ' ' '\n')
(cd "$root" && env -i "${settings[@]}" unshare --root="$root" --setuid 65532 --setgid 65532 --wd=/var/lib/larder /larder serve >"$work/server" 2>&1) &
curl -fs --retry 60 --retry-delay 1 --retry-connrefused -o /dev/null http://127.0.0.1:8080/ || fail "the program alone does not serve: $(cat "$work/server")"
say "in an empty root it serves the demo"

command -v qemu-aarch64-static >/dev/null && [ -f "$dist/larder-linux-arm64" ] || { say "not run: arm64 under qemu-user-static"; exit 0; }
for run in "$dist/larder-linux-amd64" "qemu-aarch64-static $dist/larder-linux-arm64"; do
    $run version
    $run demo --db "$work/demo.db" --through 2026-11-20 2>/dev/null
    $run index --db "$work/demo.db" --format csv 2>/dev/null | sha256sum
    rm "$work/demo.db"
done | sort | uniq -c | awk '{print} $1 != 2 {bad = 1} END {exit bad}' || fail "arm64 differs from amd64"
say "arm64 computes the same index, byte for byte"
