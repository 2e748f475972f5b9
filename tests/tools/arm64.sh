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
# shellcheck source=tests/tools/emulation.sh
. tests/tools/emulation.sh
suite=${1:-bookworm}
want_suite "$suite"
if [ $# -gt 0 ]; then shift; fi
want_root tests/tools/arm64.sh "$suite"
own_folder "${COMPANION_ARM64:-/var/tmp/companion-arm64}"
there=${COMPANION_ARM64:-/var/tmp/companion-arm64}/$suite

inside() {
    chroot "$there" /usr/bin/env -i QEMU_CPU="$QEMU_CPU" PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}

let_go() {
    take_network "$there"
    forget_arm64
}
trap let_go EXIT
trap 'exit 1' INT TERM

heading "Tools"
need debootstrap debootstrap
need qemu-aarch64-static qemu-user-static
run_arm64

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
