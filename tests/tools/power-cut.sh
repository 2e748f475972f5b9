#!/bin/sh
# A pulled plug at fifty moments of a match: what the phones were told is on the card, whenever it was pulled.
#
#   sudo tests/tools/power-cut.sh [IMAGE]
#
# The image for amd64 that packaging/image/build makes (here, unless one is named) starts in a virtual machine whose every
# write to its card qemu logs (blklogwrites). Phones play over HTTP from outside and note how long the log was at each
# answer. tests/tools/power_cut.py says how the card is made anew and compared. COMPANION_MINUTES is for how long they play
# (5). Wants a Debian-like host, root, loop devices, the internet and 15 GB in /var/tmp/companion-image; half an hour.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
want_root tests/tools/power-cut.sh
need qemu-system-x86_64 qemu-system-x86
[ -f /usr/share/OVMF/OVMF_CODE_4M.fd ] || fetch ovmf || fail "ovmf is missing: $why"
need mcopy mtools
[ -x .venv/bin/python ] || fail "The companion is needed to read the matches: ./run --setup-only first."
base=${COMPANION_IMAGE:-/var/tmp/companion-image}
own_folder "$base"
heading "The image"
image=${1:-$(packaging/image/build amd64)}
there=$base/power-cut
rm -rf "$there"
mkdir -m 700 "$there"
let_go() {
    if mountpoint -q "$there/mounted"; then umount "$there/mounted"; fi
    rm -f "$there"/*.img "$there/writes.log"
}
trap let_go EXIT
trap 'exit 1' INT TERM
PYTHONPATH=. .venv/bin/python tests/tools/power_cut.py "$image" "$there" "${COMPANION_MINUTES:-5}"
heading "All is well"
