#!/bin/sh
# Installs, reboots, upgrades, breaks, downgrades, updates from the page, removes and purges the Debian package under a
# real systemd.
#
#   sudo tests/tools/package.sh [bookworm|trixie] [PACKAGE [HUB-PACKAGE]]
#
# bookworm = Debian 12, trixie = Debian 13; of this computer's own kind, in a container of systemd-nspawn with a network
# of its own. The packages are made here unless they are named. Wants a Debian-like host, root, the internet and 3 GB in
# /var/tmp/companion-package (COMPANION_PACKAGE names another folder). Ten minutes the first time.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
# shellcheck source=tests/tools/variants.sh
. tests/tools/variants.sh
suite=${1:-bookworm}
want_suite "$suite"
want_root tests/tools/package.sh "$suite"
own_folder "${COMPANION_PACKAGE:-/var/tmp/companion-package}"
base=${COMPANION_PACKAGE:-/var/tmp/companion-package}
there=$base/$suite
need systemd-nspawn systemd-container
need minisign minisign
need lintian lintian

heading "Debian $suite"
make_debian "$there" "$suite" "--include=systemd,systemd-sysv,libpam-systemd,dbus,network-manager,avahi-daemon,polkitd,iw,iproute2,python3,python3-venv,procps,$(zbar "$suite"),minisign,caddy"
rm -rf "$there/opt/companion" "$there/var/lib/companion"
echo companion-package >"$there/etc/hostname"
packages=$there/root/packages
rm -rf "$packages"
mkdir -p "$packages"

heading "The packages"
first=${2:-$(packaging/deb "$(dpkg --print-architecture)" "$base")}
of_the_hub=${3:-$(packaging/deb-hub "$(dpkg --print-architecture)" "$base")}
lintian --allow-root --fail-on error "$first" "$of_the_hub" || fail "lintian finds errors in the packages: see above."
version=$(dpkg-deb -f "$first" Version)
make_keys
variant 1 :
variant 2 :
variant_that_does_not_start 3
variant_with_a_spoilt_library 4
variant 5 :
variant_that_is_not_well 6
variant 7 :
for which in 5 6; do packaging/sign "$packages/$which.deb" "$base/keys/ours"; done
packaging/sign "$packages/7.deb" "$base/keys/theirs"
# As the host's page sends one: in pieces, to the running companion, with the host's code.
cat >"$there/root/send.py" <<'SEND'
import json, sqlite3, sys, time, urllib.request
from pathlib import Path
log = sqlite3.connect("file:/var/lib/companion/matches.sqlite?mode=ro", uri=True)
((host,),) = log.execute("SELECT value FROM setting WHERE name = 'host'")
def ask(path, body=None):
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {json.loads(host)[0]}", "Content-Type": kind}
    request = urllib.request.Request(f"http://127.0.0.1:8080/api/v1/update{path}", data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)
file = Path(sys.argv[1]).read_bytes()
state = ask("", {"do": "begin", "bytes": len(file), "name": "new.update"})
while state["state"] == "coming":
    at = state["received"]
    state = ask(f"/{at}", file[at : at + 4_000_000])
while state["state"] == "checking":
    time.sleep(1)
    state = ask("")
print(state["state"], state["why"] or "", state["version"])
if state["state"] == "ready":
    ask("", {"do": "take"})
SEND

heading "A systemd of its own"
switch_on "$there" --private-network
trap switch_off EXIT
trap 'exit 1' INT TERM
until_so 120 booted
inside systemctl --version | head -n 1

install_it() { inside env DEBIAN_FRONTEND=noninteractive dpkg -i "/root/packages/$1.deb" >"$there.dpkg" 2>&1; }
said() { grep -q -- "$1" "$there.dpkg" || { cat "$there.dpkg" >&2; fail "It did not say: $1"; }; }
current() { inside readlink /opt/companion/current | sed 's,versions/,,; s/-[0-9]*$//'; }
versions() { inside ls /opt/companion/versions | wc -l; }
ask() { inside /usr/bin/python3 -I -c "import urllib.request as u; print(u.urlopen('$1', timeout=20).read().decode())"; }
serves() { ask http://127.0.0.1:8080/api/v1/health; }
matches() { inside companion matches --data /var/lib/companion | cut -d' ' -f1; }
runs() {
    if [ "$(current)" != "$1" ] || ! serves >/dev/null; then
        cat "$there.dpkg" >&2
        fail "Version $1 does not run, but $(current)."
    fi
}

heading "A first installation, without a network"
install_it 1 || { cat "$there.dpkg"; inside journalctl -u companion -n 30 --no-pager; fail "It could not be installed."; }
runs "$version"
inside ps -C companion -o user= | grep -q companion || fail "The service does not run as its own user."
ask http://127.0.0.1/ | grep -i companion >/dev/null || fail "Port 80 leads nowhere."
for unit in companion.service companion-door.socket companion-board.path; do
    inside systemctl -q is-active "$unit" || fail "$unit is not active."
    inside systemctl -q is-enabled "$unit" || fail "$unit is not enabled."
done
inside runuser -u companion -- busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager \
    CanPowerOff | grep -q '"yes"' || fail "The host could not switch it off."
inside test -s /usr/share/bash-completion/completions/companion
inside test -s /usr/share/man/man1/companion.1.gz || fail "There is no manual page."
stated=$(sed -n 's/^version = "\([^"]*\)".*/\1/p' pyproject.toml)
[ "$(inside companion --version)" = "companion $stated" ] || fail "The command does not say version $stated."
serves | grep -qF "\"version\":\"$stated\"" || fail "The page does not say version $stated."
until_so 60 test -n "$(matches)"
match=$(matches | head -n 1)

heading "HTTPS of its own, and no other Caddy"
secure() { inside /usr/bin/python3 -I -c "import ssl, urllib.request as u; u.urlopen('https://127.0.0.1:$1/api/v1/health', timeout=20, context=ssl._create_unverified_context())"; }
until_so 60 secure 8443
if inside systemctl -q is-active caddy.service; then fail "Debian's own Caddy runs too."; fi

heading "A hub beside it"
cp "$of_the_hub" "$packages/hub.deb"
install_it hub || { cat "$there.dpkg"; fail "The hub could not be installed."; }
until_so 60 ask http://127.0.0.1:8090/wall
inside systemctl -q is-enabled companion-hub.service || fail "The hub would not start with the machine."
inside pgrep -u companion-hub python >/dev/null || fail "The hub does not run as its own user."

heading "A second table on the same computer"
inside systemctl enable -q --now companion@8081
second_serves() { ask http://127.0.0.1:8081/api/v1/health; }
second_process() { inside systemctl show -P MainPID companion@8081; }
until_so 60 second_serves
until_so 60 secure 8444

heading "The watchdog is fed"
fed() { inside systemctl show -p WatchdogTimestampMonotonic --value companion; }
before=$(fed)
more() { [ "$(fed)" -gt "$before" ]; }
until_so 60 more

heading "A restart of the machine goes on with the match"
inside systemctl poweroff || :
until_so 60 off
switch_on "$there" --private-network
until_so 120 booted
until_so 120 serves
matches | grep -qx "$match" || fail "The match $match is gone."
inside companion matches --data /var/lib/companion | grep "$match" | grep -q unfinished || [ "$(matches | wc -l)" -gt 1 ] || fail "The match does not go on."

heading "An upgrade"
until_so 60 second_serves
older=$(second_process)
install_it 2 || { cat "$there.dpkg"; fail "It could not be upgraded."; }
runs "$version+2"
[ "$(versions)" = 2 ] || fail "The version before was not kept."
matches | grep -qx "$match" || fail "The match $match is gone."
until_so 60 second_serves
[ "$(second_process)" != "$older" ] || fail "The second table goes on with the old version."
for folder in companion companion-8081; do
    inside test -s "/var/lib/$folder/before-upgrade.sqlite" || fail "The matches in $folder were not copied before."
done

heading "The hub outlives an upgrade of the table, until it is purged"
until_so 60 ask http://127.0.0.1:8090/wall
inside apt-get check >"$there.dpkg" 2>&1 || { cat "$there.dpkg"; fail "The packages do not fit each other any more."; }
inside dpkg --purge companion-hub >"$there.dpkg" 2>&1 || { cat "$there.dpkg"; fail "The hub could not be purged."; }
for left in /opt/companion-hub /var/lib/companion-hub /usr/lib/companion-hub; do
    if inside test -e "$left"; then fail "The hub left $left."; fi
done

heading "An upgrade that does not start"
if install_it 3; then fail "It was installed."; fi
said "is back, with its matches"
runs "$version+2"
matches | grep -qx "$match" || fail "The match $match is gone."

heading "An upgrade with a spoilt library"
if install_it 4; then fail "It was installed."; fi
said "goes on"
runs "$version+2"

heading "A downgrade"
install_it 1 || { cat "$there.dpkg"; fail "It could not be downgraded."; }
runs "$version"
matches | grep -qx "$match" || fail "The match $match is gone."

heading "An update from the host's page"
send() { inside /usr/bin/python3 -I /root/send.py "/root/packages/$1.update"; }
update_says() { inside cat /run/companion-update/status 2>/dev/null | grep -qx "$1"; }
await_update() {
    left=600
    until update_says "$1"; do
        left=$((left - 1))
        if [ "$left" = 0 ]; then
            inside cat /run/companion-update/status || :
            inside journalctl -u companion-update -u companion-install -n 60 --no-pager
            fail "The update did not end with: $1"
        fi
        sleep 1
    done
}
inside systemctl -q is-active companion-update.path || fail "companion-update.path is not active."
[ "$(send 5)" = "ready  $version+5" ] || fail "The page does not take the update: $(send 5)"
await_update "done $version+5"
runs "$version+5"
matches | grep -qx "$match" || fail "The match $match is gone."

heading "An update that is not well within a minute"
send 6
await_update "failed $version+6"
runs "$version+5"
matches | grep -qx "$match" || fail "The match $match is gone."

heading "Updates that are not for this box"
send 7 | grep -q "refused .*not signed" || fail "A stranger's update was taken."
send 5 | grep -q "refused .*not newer" || fail "An older update was taken."
# A companion that somebody has taken over asks nobody.
inside sh -c 'cp /root/packages/7.deb /tmp/package.deb; cp /root/packages/7.deb.minisig /tmp/package.deb.minisig; chmod 644 /tmp/package.deb*'
inside runuser -u companion -- sh -c 'cd /var/lib/companion && rm -rf update && mkdir update && cp /tmp/package.deb* update/ && : >update/ready'
await_update "refused signature"
runs "$version+5"
inside runuser -u companion -- sh -c 'cd /var/lib/companion && rm -f update/package.deb && ln -s /root/packages/6.deb update/package.deb && : >update/ready'
await_update "refused unread"
runs "$version+5"

heading "Removed: the matches stay"
inside dpkg -r companion >"$there.dpkg" 2>&1 || { cat "$there.dpkg"; fail "It could not be removed."; }
if serves >/dev/null 2>&1; then fail "It still runs."; fi
inside test ! -e /opt/companion || fail "/opt/companion is still there."
inside test -s /var/lib/companion/matches.sqlite || fail "The matches are gone."
install_it 5 || { cat "$there.dpkg"; fail "It could not be installed again."; }
matches | grep -qx "$match" || fail "The match $match is gone."

heading "Purged: nothing stays"
inside dpkg -P companion >"$there.dpkg" 2>&1 || { cat "$there.dpkg"; fail "It could not be purged."; }
left=$(inside find /opt /etc /var/lib /usr/lib/companion /usr/lib/systemd /run/systemd/system -name '*companion*' ! -path '/var/lib/dpkg/*' ! -name companion-package 2>/dev/null || :)
[ -z "$left" ] || fail "These are left: $left"
heading "All is well on $suite"
