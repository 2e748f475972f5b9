#!/bin/sh
# Installs the project in a Debian for arm64 the way its README says, and runs the marked part of the suite there.
#
#   sudo tests/tools/arm64.sh [bookworm|trixie] [PYTEST ARGUMENTS]
#
# bookworm = Debian 12 with Python 3.11, trixie = Debian 13 with Python 3.13, as on Raspberry Pi OS. The userland is
# emulated (qemu-user): what passes here installs and computes on a Pi, but times say nothing about one. Wants a
# Debian-like host, the internet and 2 GB in /var/tmp/companion-arm64 (COMPANION_ARM64 names another folder; outside
# of the project, whose tools would walk through the whole Debian and its /proc). Further runs are shorter.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
suite=${1:-bookworm}
want_suite "$suite"
if [ $# -gt 0 ]; then shift; fi
want_root tests/tools/arm64.sh "$suite"
own_folder "${COMPANION_ARM64:-/var/tmp/companion-arm64}"
there=${COMPANION_ARM64:-/var/tmp/companion-arm64}/$suite

# The processor of a Pi 4. The one that qemu makes up by itself has vector instructions that no Pi has (SVE), and with
# them NumPy's matrix products came out wrong.
inside() {
    chroot "$there" /usr/bin/env -i QEMU_CPU=cortex-a72 PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}

let_go() {
    take_network "$there"
    # Only what this script registered is taken back.
    if [ -n "${registered-}" ]; then echo -1 >/proc/sys/fs/binfmt_misc/qemu-aarch64; fi
}
trap let_go EXIT
trap 'exit 1' INT TERM

heading "Tools"
need debootstrap debootstrap
need qemu-aarch64-static qemu-user-static
if [ "$(uname -m)" != aarch64 ] && [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    # The kernel is told to run arm64 programs through qemu; F keeps qemu open, so that the chroot need not hold it.
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":qemu-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" >/proc/sys/fs/binfmt_misc/register
    registered=yes
fi

heading "Debian $suite for arm64"
make_debian "$there" "$suite" --arch=arm64 --include=python3,python3-venv
give_network "$there" # with this computer's certificates: making Debian's own anew takes ten minutes of emulation
inside /bin/sh -c 'uname -m; python3 --version'

heading "The project, as its README says: ./run --setup-only"
copy_project "$there/companion"
inside /bin/sh -c 'cd /companion && ./run --setup-only'
inside /companion/.venv/bin/python -c 'import cv2, numpy, zxingcpp; print("OpenCV", cv2.__version__, "NumPy", numpy.__version__)'

heading "The marked part of the suite"
inside /companion/.venv/bin/python -m pip install -qq --disable-pip-version-check pytest pytest-timeout pytest-xdist hypothesis chess
# Only files with the mark: the others want libraries that are not here, and reading them takes minutes.
marked=$(grep -rl 'mark\.core' tests --include='test_*.py')
# shellcheck disable=SC2086 # our own names, without spaces
inside /bin/sh -c 'cd /companion && .venv/bin/python -m pytest -q --timeout=3600 --durations=10 -m "core and not long" "$@"' \
    pytest $marked "$@"
heading "All is well on $suite arm64"
