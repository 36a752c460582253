#!/usr/bin/env bash
# Builds a release from a commit, by default HEAD, into a folder: static programs for Linux and
# Windows, a list of what is in each, a Debian package and a container image of those for Linux, a
# Dockerfile, and their SHA-256 sums. Files that are not committed play no part. The same commit,
# Go and C compilers give the same bytes.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

commit=${TAG:-HEAD}
dist=$(realpath -m "${DIST:-dist}")
declare -A compiler=([amd64]=${CC_AMD64:-x86_64-linux-gnu-gcc} [arm64]=${CC_ARM64:-aarch64-linux-gnu-gcc} [windows]=${CC_WINDOWS:-x86_64-w64-mingw32-gcc})
declare -A install=([amd64]=gcc [arm64]="gcc-aarch64-linux-gnu and libc6-dev-arm64-cross" [windows]=gcc-mingw-w64-x86-64)
programs=${ARCHES:-amd64 arm64 windows} # the last for amd64
arches=${programs/windows/}
for arch in $programs; do
    command -v "${compiler[$arch]}" >/dev/null || {
        echo "no ${compiler[$arch]}: install Debian's ${install[$arch]}, or name another compiler in CC_${arch^^}, or leave $arch out of ARCHES" >&2
        exit 1
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git rev-parse -q --verify "$commit^{commit}" >"$work/commit" || { echo "there is no commit $commit" >&2; exit 1; }
git clone -q --no-checkout "$(git rev-parse --show-toplevel)" "$work/source"
cd "$work/source"
git checkout -q --detach "$(cat "$work/commit")"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# v1.2.3 is 1.2.3, four commits later 1.2.3+4.gabcdef; before the first tag, 0~ and the commit's time.
version=$(git describe --tags --match 'v[0-9]*' 2>/dev/null | sed 's/^v//; s/-\([0-9]*-g\)/+\1/; s/-g/.g/; s/-/~/g') || true
[ -n "$version" ] || version=0~$(git log -1 --format=%cd --date=format:%Y%m%d%H%M%S).g$(git rev-parse --short=12 HEAD)

rm -rf "$dist"
mkdir -p "$dist"
export CGO_ENABLED=1 GOFLAGS=-trimpath GOWORK=off GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT=
unset CGO_CFLAGS CGO_CPPFLAGS CGO_LDFLAGS
go build -o "$work/packaging" ./cmd/larder/packaging
sqlite=$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"$/\1/p' "$(go list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3)/sqlite3-binding.h")
for arch in $programs; do
    program=$dist/larder-linux-$arch os=linux
    [ "$arch" != windows ] || program=$dist/larder-windows-amd64.exe os=windows
    GOOS=$os GOARCH=${arch/windows/amd64} CC=${compiler[$arch]} go build -buildvcs=true -tags netgo,osusergo,sqlite_omit_load_extension \
        -ldflags '-s -w -linkmode external -extldflags -static' -o "$program" ./cmd/larder
    if readelf --program-headers "$program" 2>/dev/null | grep -q INTERP; then
        echo "$program is not static" >&2
        exit 1
    fi
    libc=$(if [ $os = linux ]; then echo "__GLIBC__ __GLIBC_MINOR__" | "${compiler[$arch]}" -E -P -include features.h - | sed -n 's/^\([0-9]*\) \([0-9]*\)$/glibc@\1.\2/p'
        else echo "__MINGW64_VERSION_MAJOR __MINGW64_VERSION_MINOR" | "${compiler[$arch]}" -E -P -include _mingw.h - | sed -n 's/^\([0-9]*\) \([0-9]*\)$/mingw-w64@\1.\2/p'; fi)
    "$work/packaging" sbom "$program" "pkg:generic/sqlite@$sqlite" "pkg:generic/$libc" >"${program%.exe}.cdx.json"
    [ $os = windows ] || "$work/packaging" image "$program" cmd/larder/packaging/Dockerfile "${version//[^0-9A-Za-z.]/-}" >"$program.oci.tar"
done

# The licences of Go, of the modules inside and of mingw-w64 ask that their text goes with the program.
{
    cat LICENSE
    echo "The programs also hold parts of the GNU C Library (LGPL 2.1 or later) or of mingw-w64, linked by \"make release\", and these modules:"
    for os in linux windows; do
        GOOS=$os go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/larder
    done | sort -u |
        while read -r module at folder; do
            printf '\n--- %s %s\n\n' "$module" "$at"
            find "$folder" -maxdepth 1 -type f \( -iname 'LICEN[SC]E*' -o -iname 'COPYING*' -o -iname 'NOTICE*' \) | sort | xargs -r cat
        done
    printf '\n--- Go\n\n'
    cat "$(go env GOROOT)/LICENSE"
    mingw=/usr/share/doc/mingw-w64-x86-64-dev/copyright
    if [ -f $mingw ]; then printf '\n--- mingw-w64\n\n'; cat $mingw; fi
} >"$dist/LICENSES"
cp cmd/larder/packaging/Dockerfile "$dist"

# The manual pages are written by the program that runs here.
"$dist/larder-linux-$(go env GOHOSTARCH)" man "$work/man1" --now "$(date -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)"
gzip -9n "$work"/man1/*

for arch in $arches; do
    root=$work/$arch
    install -D "$dist/larder-linux-$arch" "$root/usr/bin/larder"
    install -D -m 644 cmd/larder/packaging/larder.service "$root/lib/systemd/system/larder.service"
    install -D -m 644 cmd/larder/packaging/larder.conf "$root/etc/larder/larder.conf"
    install -D -m 644 "$dist/LICENSES" "$root/usr/share/doc/larder/copyright"
    install -D -m 644 -t "$root/usr/share/man/man1" "$work"/man1/*
    install -d "$root/DEBIAN"
    echo /etc/larder/larder.conf >"$root/DEBIAN/conffiles"
    install cmd/larder/packaging/debian/{postinst,prerm,postrm} "$root/DEBIAN"
    sed "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$(du -sk --apparent-size "$root" | cut -f1)/" cmd/larder/packaging/debian/control >"$root/DEBIAN/control"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z3 --threads-max=1 --build "$root" "$dist/larder_${version}_$arch.deb" >/dev/null
done
cd "$dist"
sha256sum -- * >"$work/sums"
mv "$work/sums" SHA256SUMS
cat SHA256SUMS
