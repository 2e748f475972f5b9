#!/bin/sh
# Port 80, the consoles' message and the hotspot's service under a real systemd, in a Debian of its own.
#
#   sudo tests/tools/units.sh [bookworm|trixie]
#
# bookworm = Debian 12, trixie = Debian 13; of this computer's own kind, in namespaces of its own: it has its own
# processes, network and host name, and sees none of ours. NetworkManager is real; there is no Wi-Fi, so the one order
# that needs a radio is answered by a stand-in. Wants a Debian-like host, root, the internet and 1 GB in
# /var/tmp/companion-units (COMPANION_UNITS names another folder); five minutes the first time, then one.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
suite=${1:-bookworm}
want_suite "$suite"
want_root tests/tools/units.sh "$suite"
own_folder "${COMPANION_UNITS:-/var/tmp/companion-units}"
there=${COMPANION_UNITS:-/var/tmp/companion-units}/$suite
group=/sys/fs/cgroup
[ -d $group/unified ] && group=$group/unified
group=$group/companion-units-$$

heading "Debian $suite"
make_debian "$there" "$suite" \
    --include=systemd,systemd-sysv,libpam-systemd,dbus,network-manager,polkitd,iw,iproute2,python3,curl,util-linux
chroot "$there" id companion >/dev/null 2>&1 ||
    chroot "$there" useradd --system --user-group --home-dir /var/lib/companion --no-create-home companion
code=$there/opt/companion/current
rm -rf "$there/opt/companion" "$there/var/lib/companion" "$there/etc/NetworkManager/system-connections/companion-hotspot"*
mkdir -p "$code/.venv/bin" "$there/etc/issue.d" "$there/old"
cp -R companion systemd "$code/"
ln -s /usr/bin/python3 "$code/.venv/bin/python"
echo /opt/companion/current >"$there/usr/lib/python3/dist-packages/companion.pth"
cp systemd/companion-* "$there/etc/systemd/system/"
rm -f "$there/etc/systemd/system/companion-backoff.conf"
ln -sfn /run/companion-board/issue "$there/etc/issue.d/companion.issue"
ln -sfn /run/companion-hotspot/issue "$there/etc/issue.d/companion-hotspot.issue"
sed -i 's/^\[Service\]/&\nEnvironment=COMPANION_HOTSPOT_WAIT_S=1/' "$there/etc/systemd/system/companion-hotspot.service"
cat >"$there/usr/local/bin/nmcli" <<'NMCLI'
#!/bin/sh
real=/usr/bin/nmcli
case "$*" in
    *"device status") $real "$@" && case "$*" in *STATE*) echo wifi:disconnected ;; *) echo wifi ;; esac ;;
    *"device wifi hotspot"*)
        # A profile that is there is taken as it is, password and all.
        $real connection show companion-hotspot >/dev/null 2>&1 ||
            $real connection add type wifi con-name companion-hotspot ssid "$9" mode ap \
                wifi-sec.key-mgmt wpa-psk wifi-sec.psk bcdfg7hjk2
        ;;
    *) exec $real "$@" ;;
esac
NMCLI
chmod 755 "$there/usr/local/bin/nmcli"
cp tests/tools/units_inside.sh "$there/root/units.sh"

heading "A systemd of its own"
mkdir "$group"
sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$group" \
    unshare --mount --propagation private --pid --fork --kill-child --uts --ipc --net --cgroup sh -c '
        there=$1
        mount --bind "$there" "$there"
        mount -t proc proc "$there/proc"
        mount -t sysfs -o ro sysfs "$there/sys"
        mount -t cgroup2 cgroup2 "$there/sys/fs/cgroup"
        for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$there/$folder"; done
        for name in null zero full random urandom tty; do
            : >"$there/dev/$name"
            mount --bind "/dev/$name" "$there/dev/$name"
        done
        mkdir "$there/dev/pts" "$there/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$there/dev/pts"
        ln -s pts/ptmx "$there/dev/ptmx"
        cd "$there"
        pivot_root . old
        umount -l /old
        exec env -i container=companion-units PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb /lib/systemd/systemd
    ' sh "$there" </dev/null >"$there.said" 2>&1 &
outside=$!
let_go() {
    kill -9 "$outside" 2>/dev/null || : # its systemd and all below die with it
    wait "$outside" 2>/dev/null || :
    for _ in 1 2 3 4 5 6 7 8 9 10; do # the last of them may still be going
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break
        sleep 0.5
    done
}
trap let_go EXIT
trap 'exit 1' INT TERM
sleep 2
first=$(pgrep -P "$outside" | head -n 1)
[ -n "$first" ] || { cat "$there.said" >&2; fail "No systemd could be started here: see above."; }
inside() {
    nsenter -t "$first" -m -p -u -i -n -C env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=linux "$@"
}
inside timeout 60 systemctl is-system-running --wait || : # "degraded" where there is no console
inside systemctl --version | head -n 1
inside bash /root/units.sh
heading "All is well on $suite"
