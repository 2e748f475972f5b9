#!/bin/sh
# Starts the image that packaging/image/build makes in a virtual machine: its page, its units, its partitions, its name, what
# stands on its screen, what it writes to its card, that a second start finds the match of the first, the Wi-Fi of its
# own (on a radio of mac80211_hwsim), and the system that stays as it is.
#
#   sudo tests/tools/image.sh [amd64|arm64] [IMAGE]
#
# Without an image it makes one. The machine is emulated (qemu), so its times say nothing about a Pi.
# COMPANION_MINUTES is for how long what is written is counted (10). Wants a
# Debian-like host, root, the internet and 12 GB in /var/tmp/companion-image; twenty minutes for amd64, an hour for arm64.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
kind=${1:-amd64}
case $kind in
    amd64) need qemu-system-x86_64 qemu-system-x86 && { [ -f /usr/share/OVMF/OVMF_CODE_4M.fd ] || fetch ovmf || fail "ovmf is missing: $why"; } ;;
    arm64) need qemu-system-aarch64 qemu-system-arm && { [ -f /usr/share/AAVMF/AAVMF_CODE.fd ] || fetch qemu-efi-aarch64 || fail "qemu-efi-aarch64 is missing: $why"; } ;;
    *) fail "Want amd64 or arm64, not '$kind'." ;;
esac
want_root tests/tools/image.sh "$kind"
need mcopy mtools
base=${COMPANION_IMAGE:-/var/tmp/companion-image}
own_folder "$base"
python=python3
if [ -x .venv/bin/python ]; then python=.venv/bin/python; fi
heading "The image"
image=${2:-$(packaging/image/build "$kind")}
there=$base/test-$kind
rm -rf "$there"
mkdir -m 700 "$there"
trap 'rm -f "$there/card.img"' EXIT
trap 'exit 1' INT TERM
"$python" tests/tools/image.py "$kind" "$image" "$there" "${COMPANION_MINUTES:-10}"
heading "All is well on $kind"
