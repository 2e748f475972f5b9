#!/bin/sh
# Lamp, buzzer and buttons on pins of a real kernel: a virtual machine with an emulated GPIO chip (PL061).
#
#   tests/tools/pins-vm.sh
#
# Debian 12 for arm64 is unpacked (nothing of it runs on this computer), packed into the
# memory of a virtual machine (qemu-system-aarch64 -M virt) and started there with tests/tools/pins_vm.py. That drives the
# panel through gpiozero and lgpio on /dev/gpiochip0 and reads the chip's own registers; the machine's power key is
# wired to the chip and is the finger on a button. Wants a Debian-like host, root, the internet and 1 GB in
# /var/tmp/companion-pins (COMPANION_PINS names another folder); four minutes on a busy computer.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
there=${COMPANION_PINS:-/var/tmp/companion-pins}
limit_s=${COMPANION_PINS_LIMIT_S:-900}
root=$there/root
debs=$root/var/cache/apt/archives
want_root tests/tools/pins-vm.sh
own_folder "$there"

unpack() {
    rm -rf "$there"
    mkdir -p "$there/wheels"
    debootstrap --arch=arm64 --variant=minbase --foreign --include=python3,linux-image-arm64 bookworm "$root" "$mirror" \
        >"$there/debootstrap.log" 2>&1 || fail "debootstrap failed, see $there/debootstrap.log"
    for deb in "$debs"/*.deb; do
        case "$deb" in
            */linux-image-[0-9]*) dpkg-deb --fsys-tarfile "$deb" | tar -xf - -C "$root" ./boot ;;
            *) dpkg-deb --extract "$deb" "$root" ;;
        esac
    done
    mv "$root"/boot/vmlinuz-* "$there/kernel"
    # Wheels of the machine inside, fetched from outside: Debian 12 has no lgpio, and an old gpiozero.
    python=python3
    if [ -x .venv/bin/python ]; then python=.venv/bin/python; fi
    "$python" -m pip download -qq --disable-pip-version-check --no-deps --dest "$there/wheels" --only-binary=:all: \
        --platform manylinux_2_34_aarch64 --python-version 311 'lgpio>=0.2.2' 'gpiozero>=2.0.1' 'colorzero>=2' ||
        fail "lgpio and gpiozero could not be fetched: pip says why above. ./run --setup-only first, where pip is missing."
    mkdir -p "$root/companion"
    for wheel in "$there"/wheels/*.whl; do "$python" -m zipfile -e "$wheel" "$root/companion"; done
    rm -rf "${root:?}/boot" "${root:?}/debootstrap" "$debs" "${root:?}"/usr/share/doc "${root:?}"/usr/share/man
    touch "$there/made"
}

heading "Tools"
need debootstrap debootstrap
need qemu-system-aarch64 qemu-system-arm
need cpio cpio
heading "Debian 12 for arm64, unpacked"
if [ ! -f "$there/made" ]; then unpack; fi
cp -R companion hardware tests/tools/pins_vm.py "$root/companion/"
cat >"$root/init" <<'INIT'
#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root PYTHONDONTWRITEBYTECODE=1
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
# Which Pi this is, for gpiozero and for us: a 3B+, whose pins are gpiochip0.
mkdir -p /run/companion
printf 'Revision\t: a020d3\n' >/run/cpuinfo
printf 'Raspberry Pi 3 Model B Plus, or what stands in for it' >/run/model
mount --bind /run/cpuinfo /proc/cpuinfo
mount --bind /run/model /sys/firmware/devicetree/base/model
cd /companion
uname -rm
LG_WD=/run/companion python3 pins_vm.py
echo "pins_vm.py ended: $?"
echo o >/proc/sysrq-trigger
sleep 60
INIT
chmod 755 "$root/init"
(cd "$root" && find . -xdev -not -name '*.pyc' | cpio --quiet -o -H newc) >"$there/memory.cpio"

heading "The virtual machine"
said=$there/said.log
fingers=$there/fingers
rm -f "$said" "$fingers"
: >"$said"
mkfifo "$fingers"
exec 3<>"$fingers"
timeout "$limit_s" qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -accel tcg -m 1536 -nic none -display none \
    -kernel "$there/kernel" -initrd "$there/memory.cpio" -append 'console=ttyAMA0 quiet panic=1 iomem=relaxed' \
    -no-reboot -serial "file:$said" -monitor stdio <&3 >"$there/monitor.log" 2>&1 &
machine=$!
trap 'kill $machine 2>/dev/null || :; rm -f "$fingers"' EXIT
trap 'exit 1' INT TERM
pressed=0
while kill -0 "$machine" 2>/dev/null; do
    # The machine asks for a finger on its power key; the chip sees the line rise and, a tenth of a second later, fall.
    asked=$(grep -c '^PRESS' "$said" || :)
    while [ "$pressed" -lt "$asked" ]; do
        printf 'system_powerdown\n' >&3
        pressed=$((pressed + 1))
    done
    sleep 0.2
done
cat "$said"
grep -q '^pins_vm.py ended: 0' "$said" || fail "The pins did not do what they should, or the machine did not start: see above and $there/monitor.log"
heading "All is well on lgpio"
