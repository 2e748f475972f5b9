#!/bin/sh
# Makes the container of packaging/Containerfile from the project without its git, and opens its pages.
#
#   sudo tests/tools/container.sh
#
# buildah makes it, from a Debian 13 made here instead of one from a registry. It runs with its own user and a network of
# its own. Wants a Debian-like host, root, the internet and 3 GB in /var/tmp/companion-container (COMPANION_CONTAINER names
# another folder). Six minutes the first time, then three.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
want_root tests/tools/container.sh
base=${COMPANION_CONTAINER:-/var/tmp/companion-container}
own_folder "$base"
need buildah buildah
stated=$(sed -n 's/^version = "\([^"]*\)".*/\1/p' pyproject.toml)
where="--storage-driver vfs --root $base/store --runroot $base/run"
# shellcheck disable=SC2086 # four words
store() { command buildah $where "$@"; }

heading "Debian 13"
maker=mmdebstrap
make_debian "$base/trixie" trixie --include=ca-certificates
rm -rf "$base/store" "$base/run"
from=$(store from scratch)
store add -q "$from" "$base/trixie" / >/dev/null
store commit -q "$from" localhost/trixie >/dev/null
store rm "$from" >/dev/null

heading "The container"
copy_project "$base/source"
store bud -q --isolation chroot --build-arg BASE=localhost/trixie --volume /etc/ssl/certs:/etc/ssl/certs:ro \
    -t companion -f "$base/source/packaging/Containerfile" "$base/source" >"$base/said" 2>&1 || { tail -n 30 "$base/said" >&2; fail "It could not be made."; }
inside=$(store from localhost/companion)

cat >"$base/ask.py" <<'ASK'
import json, ssl, subprocess, sys, time, urllib.request
address, *command = sys.argv[1:]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.Popen(command, stdout=subprocess.DEVNULL)
until = time.monotonic() + 60
while True:
    try:
        with urllib.request.urlopen(address, timeout=20, context=ssl._create_unverified_context()) as answer:
            print(json.load(answer)["version"])
            break
    except OSError:
        if time.monotonic() > until:
            raise
        time.sleep(0.5)
ASK
# says ADDRESS WORD...: the version that the address tells when the container runs with these words after its name.
says() {
    address=$1
    shift
    # shellcheck disable=SC2086
    unshare --net --pid --fork --mount-proc --kill-child /usr/bin/python3 -I "$base/ask.py" "$address" \
        buildah $where run --isolation chroot --user companion "$inside" -- \
        /opt/companion/.venv/bin/companion run --data /var/lib/companion "$@"
}
want() { [ "$2" = "$stated" ] || fail "$1 says version $2, not $stated."; }

heading "Its command and its page"
want "The command" "$(store run --isolation chroot "$inside" -- /opt/companion/.venv/bin/companion --version | sed 's/^companion //')"
want "The page" "$(says http://127.0.0.1:8080/api/v1/health)"

heading "HTTPS, for a phone as the camera"
want "The page over HTTPS" "$(says https://127.0.0.1:8443/api/v1/health --source phone)"
rm -rf "$base/store" "$base/run" "$base/source"
heading "All is well"
