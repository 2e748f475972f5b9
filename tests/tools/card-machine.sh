#!/bin/sh
# First starts of a card with Raspberry Pi OS on a whole machine that is emulated (qemu): another kind of computer, with a
# kernel of its own, a FAT partition, and no network. tests/tools/raspberry-pi.sh tries more, on this computer's own kind.
#
#   sudo tests/tools/card-machine.sh [arm64|amd64] [ARCHIVE]
#
# A Debian 13 with cloud-init stands for Raspberry Pi OS; it starts by UEFI, which no Pi does. The archive is made here
# unless it is named. Its times say nothing about a Pi. Wants a Debian-like host, root, the internet and 8 GB in
# /var/tmp/companion-card-machine (COMPANION_CARD_MACHINE names another folder); an hour.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
. tests/tools/imager.sh
# shellcheck source=tests/tools/emulation.sh
. tests/tools/emulation.sh
kind=${1:-arm64}
case $kind in
    amd64) emulator=qemu-system-x86_64 from=qemu-system-x86 firmware=ovmf loader=systemd-bootx64.efi default=BOOTX64.EFI ;;
    arm64) emulator=qemu-system-aarch64 from=qemu-system-arm firmware=qemu-efi-aarch64 loader=systemd-bootaa64.efi default=BOOTAA64.EFI ;;
    *) fail "Want amd64 or arm64, not '$kind'." ;;
esac
want_root tests/tools/card-machine.sh "$kind"
base=${COMPANION_CARD_MACHINE:-/var/tmp/companion-card-machine}
own_folder "$base"
need "$emulator" "$from"
dpkg -s "$firmware" >/dev/null 2>&1 || fetch "$firmware" || fail "$firmware is missing: $why"
need mcopy mtools
need mkfs.vfat dosfstools
need sfdisk fdisk
python=python3
if [ -x .venv/bin/python ]; then python=.venv/bin/python; fi
work=$base/work
let_go() {
    forget_arm64
    rm -rf "$work"
}
trap let_go EXIT
trap 'exit 1' INT TERM

heading "Debian 13 for $kind with cloud-init, as on a card with Raspberry Pi OS Lite"
system=$base/$kind
maker=mmdebstrap
if [ "$kind" != "$(dpkg --print-architecture)" ]; then
    need qemu-aarch64-static qemu-user-static
    [ "$kind" = arm64 ] || fail "A card for amd64 is tried on amd64."
    run_arm64
fi
make_debian "$system" trixie --mode=root --architectures="$kind" \
    "--include=$of_the_system,dosfstools,e2fsprogs,initramfs-tools,kmod,linux-image-$kind,login,systemd-boot,systemd-boot-efi"
as_raspberry_pi_os "$system"
printf '%s\n' 'LABEL=rootfs / ext4 defaults,noatime 0 1' 'LABEL=bootfs /boot/firmware vfat defaults 0 2' >"$system/etc/fstab"
for service in cloud-init-main cloud-init-local; do
    mkdir -p "$system/etc/systemd/system/$service.service.d"
    printf '[Unit]\nRequiresMountsFor=/boot/firmware\n' >"$system/etc/systemd/system/$service.service.d/card.conf"
done

heading "The archive for the card"
archive=${2:-$(packaging/bundle "$kind" "$base")}
rm -rf "$work"
mkdir -p "$work/card/EFI/BOOT" "$work/card/loader/entries"
python3 -m zipfile -e "$archive" "$work/bundle"
kernel=$(basename "$(find "$system/boot" -name 'vmlinuz-*')" | cut -d- -f2-)
cp "$system/usr/lib/systemd/boot/efi/$loader" "$work/card/EFI/BOOT/$default"
cp "$system/boot/vmlinuz-$kernel" "$work/card/linux"
cp "$system/boot/initrd.img-$kernel" "$work/card/initrd"
printf 'timeout 0\n' >"$work/card/loader/loader.conf"
printf 'title Card\noptions root=LABEL=rootfs quiet\nlinux /linux\ninitrd /initrd\n' >"$work/card/loader/entries/card.conf"
as_the_imager_leaves "$work/card"
cp -R "$work/bundle/." "$work/card/"

# new_card FILE MB: a card that never started, whose system has so much room.
new_card() {
    truncate -s 640M "$work/first"
    mkfs.vfat -F 32 -n bootfs "$work/first" >/dev/null
    mcopy -s -i "$work/first" "$work/card"/* ::
    rm -f "$work/second"
    mke2fs -q -t ext4 -L rootfs -d "$system" "$work/second" "$2M"
    rm -f "$1"
    truncate -s $((2 + 640 + $2))M "$1"
    sfdisk --quiet "$1" <<TABLE
label: gpt
first-lba: 2048
start=1MiB, size=640MiB, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B
size=$2MiB, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4
TABLE
    dd if="$work/first" of="$1" bs=1M seek=1 conv=notrunc,sparse status=none
    dd if="$work/second" of="$1" bs=1M seek=641 conv=notrunc,sparse status=none
}
new_card "$work/card.img" 4000
new_card "$work/full.img" $(($(du -sm "$system" | cut -f1) + 900))
"$python" tests/tools/card_machine.py "$kind" "$work"
heading "All is well on $kind"
