#!/bin/sh
# Starts the system of an image in a container, at this computer's own speed: its page, its name, that a second start finds
# the match of the first, and what the demonstration writes to the card in so many minutes.
#
#   sudo tests/tools/image-writes.sh IMAGE [MINUTES]
#
# For an image of this computer's own kind, made by packaging/image/build; 10 minutes. Without its kernel and its first
# start from a card: tests/tools/image.sh has these. What is written is counted on the image's own file systems (ext4 on loop
# devices). Wants a Debian-like host, root and 2 GB in /var/tmp/companion-image.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
[ $# -ge 1 ] || fail "tests/tools/image-writes.sh IMAGE [MINUTES]"
want_root tests/tools/image-writes.sh "$1"
need systemd-nspawn systemd-container
base=${COMPANION_IMAGE:-/var/tmp/companion-image}
own_folder "$base"
card=$base/writes.img
there=$base/writes
minutes=${2:-10}
rm -rf --one-file-system "$there"
mkdir "$there"
let_go() {
    switch_off
    for folder in "$there/var/lib/companion" "$there"; do
        if mountpoint -q "$folder"; then umount "$folder"; fi
    done
    if [ -n "${system-}" ]; then losetup -d "$system"; fi
    if [ -n "${matches-}" ]; then losetup -d "$matches"; fi
    rm -f "$card"
    rmdir "$there"
}
start() {
    switch_on "$there" --private-network --bind "$there/var/lib/companion:/var/lib/companion"
    until_so 600 serves
}
serves() { ask http://127.0.0.1:8080/api/v1/health; }
ask() { inside /usr/bin/python3 -I -c "import urllib.request as u; print(u.urlopen('$1', timeout=20).read().decode())"; }
matches_there() { inside companion matches --data /var/lib/companion | cut -d' ' -f1; }
entries() { serves | sed 's/.*"entries": *\([0-9]*\).*/\1/'; }
sectors() {
    sync
    awk -v "one=${system#/dev/}" -v "other=${matches#/dev/}" '$3 == one { a = $10 } $3 == other { b = $10 } END { print a, b }' \
        /proc/diskstats
}
trap let_go EXIT
trap 'exit 1' INT TERM

heading "The image's file systems"
cp --sparse=always "$1" "$card"
lend() {
    sfdisk --json "$card" | python3 -c "
import json, sys
part = json.load(sys.stdin)['partitiontable']['partitions'][$1]
print('--offset', part['start'] * 512, '--sizelimit', part['size'] * 512)" | xargs losetup --find --show "$card"
}
system=$(lend 1)
matches=$(lend 2)
mount -o noatime "$system" "$there"
mount -o noatime "$matches" "$there/var/lib/companion"

heading "First start"
start
serves
name=$(inside cat /etc/hostname)
id=$(inside cat /etc/machine-id)
say "It is called $name"
[ "$name" = "companion-$( (echo "$id" && echo companion-hotspot) | sha256sum | cut -c 1-4)" ] || fail "It has no name of its own."
for unit in companion.service companion-door.socket companion-board.path companion-update.path NetworkManager.service; do
    inside systemctl -q is-active "$unit" || fail "$unit is not active."
done
ask http://127.0.0.1/ | grep -i companion >/dev/null || fail "Port 80 leads nowhere."
until_so 60 test -n "$(matches_there)"
match=$(matches_there | head -n 1)
for _ in 1 2; do # the first minutes after a start, and then
    heading "What is written in $minutes minutes of the demonstration"
    before=$(sectors)
    first=$(entries)
    sleep $((minutes * 60))
    after=$(sectors)
    printf '%s %s %s %s\n' "$before" "$after" "$(($(entries) - first))" "$minutes" | awk '{
        printf "%d entries; %.2f MB to the system, %.2f MB to the matches; %.0f MB in three hours\n",
            $5, ($3 - $1) * 512 / 1e6, ($4 - $2) * 512 / 1e6, ($3 - $1 + $4 - $2) * 512 / 1e6 / $6 * 180 }'
done

heading "Second start"
switch_off
start
matches_there | grep -qx "$match" || fail "The match $match is gone."
[ "$(inside cat /etc/machine-id) $(inside cat /etc/hostname)" = "$id $name" ] || fail "It has another name."
say "The match $match and the name $name are there"
heading "All is well"
