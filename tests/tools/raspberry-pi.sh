#!/bin/sh
# First starts of a card with Raspberry Pi OS onto which the folder of packaging/bundle was copied, without a Pi.
#
#   sudo tests/tools/raspberry-pi.sh [ARCHIVE]
#
# A Debian 13 with cloud-init stands for Raspberry Pi OS, with the files that Raspberry Pi Imager 2 writes for it. It starts
# in a container of systemd-nspawn without a network, each time on a disk of its own. Power is cut as for a real plug: from
# that moment the disk takes nothing more. The archive is made here, for this computer's kind, unless it is named. Not tried
# this way: a FAT partition, Raspberry Pi's own packages and kernel, another kind of computer. Wants a Debian-like host,
# root, the internet and 3 GB in /var/tmp/companion-raspberry-pi (COMPANION_RASPBERRY_PI names another folder). Six minutes
# the first time, then less than four with an archive at hand.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
. tests/tools/imager.sh
want_root tests/tools/raspberry-pi.sh
base=${COMPANION_RASPBERRY_PI:-/var/tmp/companion-raspberry-pi}
own_folder "$base"
need systemd-nspawn systemd-container
need mke2fs e2fsprogs
need dpkg-scanpackages dpkg-dev
kind=$(dpkg --print-architecture)
there=$base/root
card=$base/card

heading "Debian 13 with cloud-init, as on a card with Raspberry Pi OS Lite"
maker=mmdebstrap
make_debian "$base/trixie" trixie "--include=$of_the_system"
: >"$base/trixie/etc/fstab"
as_raspberry_pi_os "$base/trixie"

heading "The archive for the card"
archive=${1:-$(packaging/bundle "$kind" "$base")}
rm -rf "$base/bundle"
python3 -m zipfile -e "$archive" "$base/bundle"

trap 'switch_off; take_disk' EXIT
trap 'exit 1' INT TERM
take_disk() { if mountpoint -q "$there"; then umount -l "$there"; fi; }

# new_disk MB: a system that never started, on a disk of this size, and a card as the Imager and the family leave it.
new_disk() {
    take_disk
    rm -rf "$base/disk" "$card"
    mke2fs -q -F -t ext4 -d "$base/trixie" "$base/disk" "$1M" >/dev/null
    mkdir -p "$there"
    mount -o loop "$base/disk" "$there"
    mkdir -p "$card"
    as_the_imager_leaves "$card"
    cp -R "$base/bundle/." "$card/"
}
start() { switch_on "$there" --private-network --bind="$card:/boot/firmware"; }
# pull_the_plug: the disk takes nothing from this moment (ext4's ioctl for it), and all programs are gone.
pull_the_plug() {
    python3 - "$there" "$(leader)" <<'PLUG'
import fcntl, os, signal, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))
os.kill(int(sys.argv[2]), signal.SIGKILL)
PLUG
    wait "$outside" 2>/dev/null || :
    take_disk
    mount -o loop "$base/disk" "$there"
}
happened() { grep -q "$1" "$card/companion/what-happened.txt"; }
await() {
    if (until_so "$1" happened "$2") 2>/dev/null; then return; fi
    cat "$card"/companion/what-*.txt "$there.said" >&2 || :
    inside journalctl -u companion-first-start --no-pager -n 40 >&2 || :
    fail "The card never said: $2"
}
page() { inside /usr/bin/python3 -I -c "import urllib.request as u; u.urlopen('http://127.0.0.1/', timeout=20)"; }
ended() { ! inside test -e /etc/systemd/system/companion-first-start.service; }
one_sentence() { [ "$(wc -l <"$card/companion/what-happened.txt")" = 1 ] || fail "That is not one sentence."; cat "$card/companion/what-happened.txt"; }

heading "A first start without a network"
new_disk 4000
sed -i 's/^manage_etc_hosts/hostname: kitchen\n&/' "$card/user-data"
cp "$card/user-data" "$base/user-data"
switched_on=$(date +%s)
start
until_so 300 page
echo "From the plug to the first page: $(($(date +%s) - switched_on)) s"
await 60 'open http://kitchen.local'
until_so 30 ended
one_sentence
until_so 120 inside test -e /root/the-imager-was-here
inside id anna >/dev/null || fail "The Imager's user is not there."
inside systemctl -q is-enabled ssh || fail "The Imager's ssh is not on."
cmp "$card/user-data" "$base/user-data" || fail "The Imager's file was changed."

heading "Started again, it does nothing more"
switch_off
before=$(stat -c %Y "$card/companion/what-happened.txt")
start
until_so 120 page
ended || fail "The first start's service is there again."
[ "$(stat -c %Y "$card/companion/what-happened.txt")" = "$before" ] || fail "The card was written again."
switch_off

heading "The plug is pulled while packages are unpacked, while the companion is set up, and when all is done"
new_disk 4000
start
unpacking() { grep -qs '^Status: install ok unpacked' "$there/var/lib/dpkg/status"; }
setting_up() { ls "$there"/opt/companion/versions/*/.venv/bin/python; }
until_so 300 unpacking
pull_the_plug
start
until_so 300 setting_up
pull_the_plug
start
await 300 'open http://companion.local'
pull_the_plug
start
until_so 120 page
audit=$(inside dpkg --audit)
[ -z "$audit" ] || fail "dpkg is not content: $audit"
inside id anna >/dev/null || fail "The Imager's user is not there."
switch_off

heading "A folder for another kind of computer, then one without a package, then the right one"
new_disk 4000
rm -rf "$base/apart"
mkdir "$base/apart"
mv "$card"/companion/companion_*.deb "$base/apart/"
: >"$card/companion/companion_0_riscv64.deb"
start
await 120 'another kind of computer (riscv64'
one_sentence
switch_off
rm "$card/companion/companion_0_riscv64.deb"
start
await 120 'no package in it'
one_sentence
switch_off
mv "$base"/apart/* "$card/companion/"
start
await 300 'open http://companion.local'
switch_off

heading "A card that is too full, then one that becomes full"
new_disk 1500
start
await 120 'The card is too full'
one_sentence
switch_off
new_disk 2600
start
await 120 'is being installed'
until_so 300 unpacking
fallocate -l "$(($(df -Pk "$there" | awk 'NR == 2 { print $4 }') - 1000))K" "$there/ballast"
await 300 'The card is full'
one_sentence
switch_off
rm "$there/ballast"
start
await 300 'open http://companion.local'
until_so 60 page
switch_off

heading "The programs of the Pi's own camera: without the internet, then with two that stand for them"
new_disk 4000
mkdir -p "$there/etc/systemd/system.conf.d" "$there/srv/archive"
printf '[Manager]\nDefaultEnvironment=COMPANION_PI=1\n' >"$there/etc/systemd/system.conf.d/pi.conf"
start
await 300 'programs of the Pi.s camera are missing'
one_sentence
until_so 60 page
switch_off
for package in python3-picamera2 python3-lgpio; do
    rm -rf "$base/stand-in"
    mkdir -p "$base/stand-in/DEBIAN"
    printf 'Package: %s\nVersion: 0\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: stands in\n' "$package" \
        >"$base/stand-in/DEBIAN/control"
    dpkg-deb --build "$base/stand-in" "$there/srv/archive/$package.deb" >/dev/null
done
(cd "$there/srv/archive" && dpkg-scanpackages . >Packages 2>/dev/null)
rm -f "$there"/etc/apt/sources.list.d/* "$there/etc/apt/sources.list"
echo 'deb [trusted=yes] file:/srv/archive ./' >"$there/etc/apt/sources.list"
start
await 300 'open http://companion.local'
one_sentence
inside dpkg -s python3-picamera2 python3-lgpio >/dev/null || fail "The programs of the camera are not there."
until_so 60 page
until_so 30 ended
switch_off
heading "All is well"
