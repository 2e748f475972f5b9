# shellcheck shell=sh
# Sourced by packaging/deb and packaging/deb-hub, from the project's folder: what both packages bring, as wheels.

python=${COMPANION_PYTHON:-python3}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH

# kind_of_machine KIND: the rest of what wheels for it are called.
kind_of_machine() {
    case $1 in
        amd64) echo x86_64 ;;
        arm64) echo aarch64 ;;
        *) fail "Want amd64 or arm64, not '$1'." ;;
    esac
}

# pythons LOCK...: the control file's words for the Pythons of these lock files, from the first to the last.
pythons() {
    first=${1%-pi}
    for last in "$@"; do :; done
    last=${last%-pi}
    echo "python3 (>= $first), python3 (<< 3.$((${last#3.} + 1)))"
}

# What the sourcing script makes: a folder for what is on its way.
work=${work-}

quiet() { "$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; fail "$1 failed: see above."; }; }

# wheel FOLDER: the project as a wheel; its path.
wheel() {
    "$python" -m venv "$work/tools"
    quiet "$work/tools/bin/python" -m pip wheel --disable-pip-version-check --no-deps -w "$1" .
    find "$1" -name 'companion_referee-*.whl'
}

# download LOCK-FILE KIND FOLDER: the libraries of a lock file, by their hashes.
download() {
    number=$(basename "$1" .txt | sed 's/^hub-//; s/-pi$//')
    lock_file=$1
    machine=$(kind_of_machine "$2")
    folder=$3
    set --
    for glibc in 17 26 27 28 31 34 36; do set -- "$@" --platform "manylinux_2_${glibc}_$machine"; done
    quiet "$work/tools/bin/python" -m pip download --disable-pip-version-check --no-deps --require-hashes \
        --only-binary=:all: --implementation cp --python-version "$number" --platform "manylinux2014_$machine" "$@" \
        -d "$folder" -r "$lock_file"
}

# debian_version WHEEL: its version as Debian sorts it: one with ~dev comes before the one without.
debian_version() { basename "$1" | cut -d- -f2 | sed 's/\.dev/~dev/'; }

# pack TREE KIND VERSION PYTHONS CONTROL FILE: makes the package of a tree whose scripts lie in it already.
pack() {
    tree=$1
    paper=$tree/usr/share/doc/$(sed -n 's/^Package: //p' "$5")
    mkdir -p "$paper"
    "$python" packaging/copyright.py "$(basename "$paper") $3" "$tree"/usr/lib/*/wheels >"$paper/copyright" ||
        fail "The package may not be passed on: see above."
    gzip -9 -n -c CHANGELOG.md >"$paper/CHANGELOG.md.gz"
    {
        printf '%s (%s) stable; urgency=medium\n\n  * See CHANGELOG.md.gz beside this file.\n\n' "$(basename "$paper")" "$3"
        printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' "$5")" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9 -n -c >"$paper/changelog.gz"
    # As Debian counts: whole kB of each file, and one for all else. du would count what the disk happens to need.
    size=$(find "$tree" -path "$tree/DEBIAN" -prune -o -type f -printf '%s\n' -o -printf '1\n' |
        awk '{ kb += int(($1 + 1023) / 1024) } END { print kb }')
    sed -e "s/@PYTHONS@/$4/" -e "s/@VERSION@/$3/" -e "s/@ARCHITECTURE@/$2/" -e "s/@SIZE@/$size/" "$5" >"$tree/DEBIAN/control"
    (cd "$tree" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$work/md5sums"
    mv "$work/md5sums" "$tree/DEBIAN/md5sums"
    find "$tree" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    # Wheels are packed already, and the rest is small; but Debian wants every package packed.
    dpkg-deb --root-owner-group -Zgzip -z1 --build "$tree" "$6" >/dev/null
    say "Made $(quoted "$6"), $(($(stat -c %s "$6") / 1000000)) MB"
    printf '%s\n' "$6"
}
