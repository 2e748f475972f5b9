#!/bin/sh
# The camera programs as they are released, without a Pi: picamera2 from the package index and Debian 13's libcamera.
#
#   sudo tests/tools/camera.sh
#
# libcamera's virtual camera shows pictures of a drawn match, in a Debian of its own; tests/tools/camera/play.py runs there:
# the camera alone, companion doctor, scan, and a match by --source picamera, which must be the same as from a folder.
# tests/tools/camera/sitecustomize.py says what of picamera2 is replaced, and why. The same Debian then starts in a virtual
# machine (qemu-system-x86_64): there the pictures come through real dma heaps, and tests/tools/camera/usb.py has USB
# cameras of the kernel's, which are unplugged and plugged in again. Wants a Debian-like host for amd64, ./test's .venv,
# root, the internet, 6 GB of memory and 3 GB in /var/tmp/companion-camera (COMPANION_CAMERA names another folder).
# On two busy processors eighteen minutes the first time, then twelve.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
base=${COMPANION_CAMERA:-/var/tmp/companion-camera}
root=$base/trixie
maker=mmdebstrap
want_root tests/tools/camera.sh
own_folder "$base"

in_debian() {
    chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 PATH=/opt/companion/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        PYTHONPATH=/parts LIBCAMERA_LOG_LEVELS='*:FATAL' PYTHONDONTWRITEBYTECODE=1 "$@"
}
fetch_by_pip() { in_debian python -m pip install -q --disable-pip-version-check --root-user-action=ignore "$@"; }

heading "Tools"
[ "$(dpkg --print-architecture)" = amd64 ] || fail "The virtual machine is one for amd64."
need qemu-system-x86_64 qemu-system-x86
need mke2fs e2fsprogs
heading "Debian 13 with libcamera"
make_debian "$root" trixie "--include=python3,python3-venv,python3-dev,python3-libcamera,libarchive13t64,libcap-dev,gcc,libc6-dev,iproute2,kmod,udev,initramfs-tools,linux-image-amd64,$(zbar trixie),ca-certificates"
trap 'take_network "$root"' EXIT
trap 'exit 1' INT TERM
take_network "$root"
give_network "$root"

heading "picamera2 0.3.38 and the companion"
copy_project "$root/source" ./tests
if [ ! -f "$root/opt/companion/made" ]; then
    in_debian python3 -m venv --system-site-packages /opt/companion
    fetch_by_pip picamera2==0.3.38 || fail "picamera2 could not be fetched: pip says why above."
    touch "$root/opt/companion/made"
fi
fetch_by_pip --force-reinstall --no-deps /source
fetch_by_pip /source
in_debian python -c "from importlib.metadata import version; print('picamera2', version('picamera2'))"

heading "A drawn match"
rm -rf "$root/film" "$root/few" "$root/frames" "$root/parts"
PYTHONPATH=tests:. .venv/bin/python tests/tools/camera/film.py "$root/film"
mkdir -p "$root/few" "$root/usr/share/libcamera/pipeline/virtual"
cp "$root"/film/frames/005*.jpg "$root/few"
cp -R tests/tools/camera "$root/parts"
cp tests/tools/camera/virtual.yaml "$root/usr/share/libcamera/pipeline/virtual/"

heading "The companion through libcamera"
in_debian python /parts/play.py

heading "The same Debian in a virtual machine"
take_network "$root"
said=$base/said.log
rm -f "$base/disk" "$said"
mke2fs -q -t ext4 -d "$root" "$base/disk" 5G
# One processor: of two that are emulated, one may meet code that the other is changing, and the kernel stops.
timeout "${COMPANION_CAMERA_LIMIT_S:-1800}" qemu-system-x86_64 -accel tcg -cpu max -smp 1 -m 3072 -nic none \
    -display none -monitor none -serial "file:$said" -no-reboot -kernel "$root"/boot/vmlinuz-* \
    -initrd "$root"/boot/initrd.img-*-amd64 -drive "file=$base/disk,format=raw,if=virtio,cache=unsafe" \
    -append 'console=ttyS0 root=/dev/vda rw init=/parts/init quiet panic=1' >"$base/machine.log" 2>&1 || :
cat "$said"
rm -f "$base/disk"
for program in usb.py play.py; do
    grep -q "^$program ended: 0" "$said" || fail "$program did not end well, or the machine did not start: see above and $base/machine.log"
done
heading "All is well"
