#!/bin/sh
# The Debian package in the machine of an image: upgraded, two upgrades that fail, downgraded, removed, installed again, purged.
#
#   sudo tests/tools/image-package.sh [amd64|arm64] [IMAGE] [PACKAGE]
#
# For arm64 it is the only way to a running systemd here: the machine is emulated. package.sh does more, and quicker, for this
# computer's own kind. Without an image it makes one; its package lies beside it, unless another one is named. Wants a Debian-like host,
# root, and 12 GB in /var/tmp/companion-image. Half an hour.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
# shellcheck source=tests/tools/variants.sh
. tests/tools/variants.sh
kind=${1:-arm64}
want_root tests/tools/image-package.sh "$kind"
case $kind in
    amd64) need qemu-system-x86_64 qemu-system-x86 ;;
    arm64) need qemu-system-aarch64 qemu-system-arm ;;
    *) fail "Want amd64 or arm64, not '$kind'." ;;
esac
need minisign minisign
base=${COMPANION_IMAGE:-/var/tmp/companion-image}
own_folder "$base"
image=${2:-$(packaging/image/build "$kind")}
first=${3:-${image%.img}.deb}
[ -f "$first" ] || fail "There is no package '$first'."
version=$(dpkg-deb -f "$first" Version)
base=$base/test-package-$kind
rm -rf "$base"
mkdir -m 700 "$base"
trap 'rm -f "$base/card.img" "$base/packages.img"' EXIT
trap 'exit 1' INT TERM
python=python3
if [ -x .venv/bin/python ]; then python=.venv/bin/python; fi

heading "The packages"
packages=$base/packages
mkdir "$packages"
make_keys
variant 1 :
variant 2 :
variant_that_does_not_start 3
variant_with_a_spoilt_library 4
truncate -s $(($(du -sm "$packages" | cut -f1) + 100))M "$base/packages.img"
mke2fs -q -t ext4 -L packages -d "$packages" "$base/packages.img"
rm -rf "$packages"
"$python" tests/tools/image_package.py "$kind" "$image" "$base" "$version"
heading "All is well on $kind"
