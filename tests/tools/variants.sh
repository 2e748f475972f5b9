# shellcheck shell=sh
# Sourced by package.sh: the same package in variants, newer ones and broken ones.
#
# first = the package, version = its own, base = a folder to work in, packages = where the variants go.
# shellcheck disable=SC2154 # they are set by whoever sources this

# make_keys: ours, whose updates the variants take, and a stranger's.
make_keys() {
    rm -rf "$base/keys"
    mkdir "$base/keys"
    for who in ours theirs; do minisign -G -W -p "$base/keys/$who.pub" -s "$base/keys/$who" >/dev/null; done
}

# variant N SCRIPT: the same package with a key for updates, and from the second on with a higher version, changed in its
# unpacked tree by a script.
variant() {
    rm -rf "$base/tree"
    dpkg-deb -R "$first" "$base/tree"
    install -D -m 644 "$base/keys/ours.pub" "$base/tree/usr/share/companion/update.pub"
    if [ "$1" != 1 ]; then
        printf '%s\n' "$version+$1" >"$base/tree/usr/lib/companion/version"
        sed -i "s/^Version: .*/Version: $version+$1/" "$base/tree/DEBIAN/control"
    fi
    (cd "$base/tree/usr/lib/companion" && eval "$2")
    dpkg-deb --root-owner-group -Znone --build "$base/tree" "$packages/$1.deb" >/dev/null
    rm -rf "$base/tree"
}

# change_module PATH OLD NEW: in the package's own wheel, whose hash is written anew.
change_module() {
    python3 - "$@" <<'CHANGE'
import hashlib, pathlib, sys, zipfile
path, old, new = sys.argv[1:]
(wheel,) = pathlib.Path("wheels").glob("companion_referee-*.whl")
with zipfile.ZipFile(wheel) as whole:
    members = {name: whole.read(name) for name in whole.namelist()}
assert old.encode() in members[path], f"{path} has no {old}"
members[path] = members[path].replace(old.encode(), new.encode(), 1)
with zipfile.ZipFile(wheel, "w") as broken:
    for name, content in members.items():
        broken.writestr(name, content)
own = pathlib.Path("locks/own.txt")
own.write_text(own.read_text().split("sha256:")[0] + "sha256:" + hashlib.sha256(wheel.read_bytes()).hexdigest() + "\n")
CHANGE
}

variant_that_does_not_start() {
    variant "$1" 'change_module companion/app/running.py "def run_table(" "def run_table(*_: object) -> None:
    raise SystemExit(chr(33))


def whole("'
}

variant_with_a_spoilt_library() {
    # shellcheck disable=SC2016 # for the script that is run there
    variant "$1" 'printf spoilt >>"$(ls wheels/flask-*.whl)"'
}

# It starts, and says of itself that it is not well.
variant_that_is_not_well() {
    # shellcheck disable=SC2016 # for the script that is run there
    variant "$1" 'change_module companion/service/table_setup.py "\"ok\": lost is None" "\"ok\": False and lost is None"'
}
