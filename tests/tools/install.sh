#!/bin/sh
# Installs, breaks, upgrades and uninstalls the service as ./run --install does, under a real systemd.
#
#   sudo tests/tools/install.sh [bookworm|trixie]
#
# bookworm = Debian 12, trixie = Debian 13; of this computer's own kind, in a container of systemd-nspawn. It shares this
# computer's network, because libraries are fetched: the service takes port 18080 (COMPANION_INSTALL_PORT names another
# one), and neither NetworkManager nor avahi runs in there; tests/tools/package.sh has both. Wants a Debian-like host, root, the
# internet and 3 GB in /var/tmp/companion-install (COMPANION_INSTALL names another folder). Ten minutes.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
suite=${1:-bookworm}
want_suite "$suite"
want_root tests/tools/install.sh "$suite"
own_folder "${COMPANION_INSTALL:-/var/tmp/companion-install}"
there=${COMPANION_INSTALL:-/var/tmp/companion-install}/$suite
port=${COMPANION_INSTALL_PORT:-18080}
need systemd-nspawn systemd-container

copy() { copy_project "$there/source" ./tests; }
install_it() { inside env COMPANION_NO_APT=1 /source/run --install >"$there.out" 2>&1; }
said() { grep -q -- "$1" "$there.out" || { cat "$there.out" >&2; fail "It did not say: $1"; }; }
current() { basename "$(readlink "$there/opt/companion/current")"; }
serves() { inside python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/api/v1/health', timeout=20)"; }
matches() { inside companion matches --data /var/lib/companion; }
versions() { find "$there/opt/companion/versions" -mindepth 1 -maxdepth 1 | wc -l; }

heading "Debian $suite"
make_debian "$there" "$suite" \
    "--include=systemd,systemd-sysv,libpam-systemd,dbus,polkitd,python3,python3-venv,procps,$(zbar "$suite"),ca-certificates"
if [ -e "$there/var/lib/dpkg/info/companion.list" ]; then fail "$there has a companion already: take the folder away."; fi
cp /etc/ssl/certs/ca-certificates.crt "$there/etc/ssl/certs/ca-certificates.crt"
rm -rf "$there/opt/companion" "$there/var/lib/companion"
printf 'COMPANION_ARGUMENTS=--port %s --speed 4\n' "$port" >"$there/etc/companion.env"
copy
switch_on "$there" --resolv-conf=copy-host
trap switch_off EXIT
trap 'exit 1' INT TERM
until_so 120 booted
inside systemctl --version | head -n 1

heading "A first installation"
install_it || { cat "$there.out"; inside journalctl -u companion -n 30 --no-pager; fail "It could not be installed."; }
first=$(current)
serves
grep -q -- "--port $port" "$there/etc/companion.env" || fail "The settings are not kept."
inside ps -C companion -o user= | grep -q companion || fail "The service does not run as its own user."
until_so 60 test -n "$(matches)"
for unit in companion.service companion-board.path companion-update.path; do
    inside systemctl -q is-enabled "$unit" || fail "$unit is not enabled."
done
left=$(find "$there/source" -newer "$there.out" \( -name '*.egg-info' -o -name build -o -name .venv \))
[ -z "$left" ] || fail "Building left these in the project's folder: $left"

heading "An upgrade that cannot be made"
sed -i 's/^flask==.*/flask==3000.0 \\/' "$there"/source/packaging/locks/3.*.txt
if install_it; then fail "It was installed."; fi
said "Nothing has changed"
if [ ! "$(current)" = "$first" ] || [ ! "$(versions)" = 1 ]; then fail "The old version is not as it was."; fi
serves

heading "An upgrade that is made and does not start"
copy
sed -i 's/^def run_table(/def run_table(*_: object) -> None:\n    raise SystemExit("broken on purpose")\n\n\ndef unbroken_run_table(/' "$there/source/companion/app/running.py"
if install_it; then fail "It was installed."; fi
said "is back, with its matches"
if [ ! "$(current)" = "$first" ] || [ ! "$(versions)" = 1 ]; then fail "The old version is not back."; fi
serves
before=$(matches | wc -l)

heading "An upgrade that is well"
copy
sleep 1 # versions are named by the second
install_it || { cat "$there.out"; fail "It could not be upgraded."; }
if [ ! "$(current)" != "$first" ] || [ ! "$(versions)" = 2 ]; then fail "The new version does not run, or the old one was not kept."; fi
serves
[ "$(matches | wc -l)" -ge "$before" ] || fail "A match was lost."

heading "Uninstalled"
inside /source/run --uninstall
if serves 2>/dev/null; then fail "It still runs."; fi
[ ! -e "$there/opt/companion" ] || fail "/opt/companion is still there."
left=$(find "$there/etc/systemd/system" "$there/usr/lib/systemd/system" -name '*companion*' -not -type l)
[ -z "$left" ] || fail "These are left: $left"
[ -s "$there/var/lib/companion/matches.sqlite" ] || fail "The matches are gone."
if inside /source/run --uninstall >"$there.out" 2>&1; then fail "It was uninstalled twice."; fi
said "is not installed"
inside dpkg --purge companion
heading "All is well on $suite"
