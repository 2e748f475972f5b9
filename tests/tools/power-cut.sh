#!/bin/sh
# A pulled plug at fifty moments of a match: what the phones were told is on the disk, whenever it was pulled.
#
#   sudo tests/tools/power-cut.sh [SECONDS [IMAGE]]
#
# The companion runs on a disk of its own whose every write qemu logs, and phones play over HTTP for so many seconds (30).
# tests/tools/power_cut.py says how the disk is made anew and compared. Not a whole machine, but its file system (ext4) and
# everything above it. Wants a Debian-like host, root, FUSE, loop devices and 1 GB in /var/tmp/companion-power-cut
# (COMPANION_POWER_CUT names another folder); two minutes.
#
# With an IMAGE for amd64 (packaging/image/build) it is a whole machine: the image's first start in qemu, on a card whose every
# write is logged. The phones are outside it, and it is started once more after its plug was pulled. Its processor is emulated,
# so give it 300 seconds and more. Wants mtools, qemu-system-x86, ovmf and 4 GB instead of FUSE; a quarter of an hour.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
want_root tests/tools/power-cut.sh
if [ $# -ge 2 ]; then
    need qemu-system-x86_64 qemu-system-x86
    need mcopy mtools
    [ -f /usr/share/OVMF/OVMF_CODE_4M.fd ] || fetch ovmf || fail "ovmf is missing: $why"
else
    need qemu-storage-daemon qemu-utils
fi
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
PYTHONPATH=. .venv/bin/python tests/tools/power_cut.py "$there" "${1:-30}" ${2+"$2"}
heading "All is well"
