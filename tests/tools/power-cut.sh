#!/bin/sh
# A pulled plug at fifty moments of a match: what the phones were told is on the disk, whenever it was pulled.
#
#   sudo tests/tools/power-cut.sh [SECONDS]
#
# The companion runs on a disk of its own whose every write qemu logs, and phones play over HTTP for so many seconds (30).
# tests/tools/power_cut.py says how the disk is made anew and compared. Not a whole machine, but its file system (ext4) and
# everything above it. Wants a Debian-like host, root, FUSE, loop devices and 1 GB in /var/tmp/companion-power-cut
# (COMPANION_POWER_CUT names another folder); two minutes.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
want_root tests/tools/power-cut.sh
need qemu-storage-daemon qemu-system-common
[ -x .venv/bin/python ] || fail "The companion is not set up here: ./run --setup-only first."
there=${COMPANION_POWER_CUT:-/var/tmp/companion-power-cut}
own_folder "$there"
let_go() {
    for mounted in mounted cut; do
        if mountpoint -q "$there/$mounted"; then umount "$there/$mounted"; fi
    done
    rm -rf --one-file-system "$there"
}
trap let_go EXIT
trap 'exit 1' INT TERM
heading "Phones play while every write is logged"
PYTHONPATH=. .venv/bin/python tests/tools/power_cut.py "$there" "${1:-30}"
heading "All is well"
