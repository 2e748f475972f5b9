#!/bin/sh
# Installs, breaks, upgrades and uninstalls the service in a Debian of its own, as ./run --install does on a Pi.
#
#   sudo tests/tools/install.sh [bookworm|trixie]
#
# bookworm = Debian 12, trixie = Debian 13; of this computer's own kind, nothing is emulated. No systemd runs in there:
# tests/support/fake_systemctl.py starts the unit's own command as the unit's own user and waits for READY=1, as systemd would.
# Wants a Debian-like host, root, the internet and 3 GB in /var/tmp/companion-install (COMPANION_INSTALL names another
# folder). A quarter of an hour at most; further runs are shorter.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
suite=${1:-bookworm}
want_suite "$suite"
want_root tests/tools/install.sh "$suite"
own_folder "${COMPANION_INSTALL:-/var/tmp/companion-install}"
there=${COMPANION_INSTALL:-/var/tmp/companion-install}/$suite
port=${COMPANION_INSTALL_PORT:-18080}

inside() {
    chroot "$there" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LC_ALL=C.UTF-8 COMPANION_PI=0 "$@"
}

let_go() {
    inside systemctl stop companion.service >/dev/null 2>&1 || :
    take_network "$there"
}
trap let_go EXIT
trap 'exit 1' INT TERM

copy() { copy_project "$there/source" ./tests; }
install_it() { inside /source/run --install >"$there.said" 2>&1; }
said() { grep -q -- "$1" "$there.said" || { cat "$there.said" >&2; fail "It did not say: $1"; }; }
current() { basename "$(readlink "$there/opt/companion/current")"; }
serves() { inside python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/api/v1/health', timeout=20)"; }
matches() { inside /opt/companion/current/.venv/bin/companion matches --data /var/lib/companion; }
versions() { find "$there/opt/companion/versions" -mindepth 1 -maxdepth 1 | wc -l; }

heading "Debian $suite"
make_debian "$there" "$suite" --include=python3,python3-venv,procps
give_network "$there"
printf '#!/bin/sh\nexit 101\n' >"$there/usr/sbin/policy-rc.d" # packages start no services in here
chmod 755 "$there/usr/sbin/policy-rc.d"
mkdir -p "$there/run/systemd/system" "$there/usr/local/bin" # this is how the installer knows that systemd runs
install -m 755 tests/support/fake_systemctl.py "$there/usr/local/bin/systemctl"
rm -rf "$there/opt/companion" "$there/var/lib/companion" "$there/var/log/fake-systemctl"
printf 'COMPANION_ARGUMENTS=--port %s --speed 4\n' "$port" >"$there/etc/companion.env"
copy

heading "A first installation"
install_it || { cat "$there.said"; fail "It could not be installed."; }
first=$(current)
serves
inside ps -C companion -o user= | grep -q companion || fail "The service does not run as its own user."
inside test -L /etc/issue.d/companion.issue
inside test -L /etc/issue.d/companion-hotspot.issue
matches | grep . >/dev/null || fail "No match was begun."
grep -q "enable .*companion.service" "$there/var/log/fake-systemctl" || fail "The service is not enabled."
inside /opt/companion/current/.venv/bin/companion doctor --data /var/lib/companion || : # it may well have to complain
steps=$(find "$there/etc/systemd/system/companion.service.d" -name backoff.conf 2>/dev/null | wc -l)
inside systemctl --version | head -n 1
if [ "$suite" = trixie ]; then wanted=1; else wanted=0; fi
[ "$steps" = "$wanted" ] || fail "Waits that grow: $steps files, wanted $wanted with this systemd."

heading "An upgrade that cannot be set up"
sed -i 's/"waitress>=3,<4"/"waitress>=3000"/' "$there/source/pyproject.toml"
if install_it; then fail "It was installed."; fi
said "$first goes on"
if [ ! "$(current)" = "$first" ] || [ ! "$(versions)" = 1 ]; then fail "The old version is not as it was."; fi
serves

heading "An upgrade that is set up and does not start"
copy
sed -i 's/^def run_table(/def run_table(*_: object) -> int:\n    raise SystemExit("broken on purpose")\n\n\ndef unbroken_run_table(/' "$there/source/companion/cli/run.py"
if install_it; then fail "It was installed."; fi
said "$first is back"
if [ ! "$(current)" = "$first" ] || [ ! "$(versions)" = 1 ]; then fail "The old version is not back."; fi
serves
before=$(matches | wc -l)

heading "An upgrade that is well"
copy
sleep 1 # versions are named by the second
install_it || { cat "$there.said"; fail "It could not be upgraded."; }
if [ ! "$(current)" != "$first" ] || [ ! "$(versions)" = 2 ]; then fail "The new version does not run, or the old one was not kept."; fi
serves
[ "$(matches | wc -l)" -ge "$before" ] || fail "A match was lost."

heading "Uninstalled"
inside /source/run --uninstall
if serves 2>/dev/null; then fail "It still runs."; fi
[ ! -e "$there/opt/companion" ] || fail "/opt/companion is still there."
left=$(find "$there/etc/systemd/system" "$there/etc/avahi/services" "$there/etc/issue.d" -name '*companion*')
[ -z "$left" ] || fail "These are left: $left"
[ -s "$there/var/lib/companion/matches.sqlite" ] || fail "The matches are gone."
heading "All is well on $suite"
