#!/bin/bash
# What tests/tools/units.sh does inside its Debian; not for a computer that is in use.
set -eu
fail() {
    echo "FAILED: $*" >&2
    journalctl --no-pager -n 30 >&2 || :
    exit 1
}
has() { grep -q -- "$2" "$1" 2>/dev/null || fail "$1 does not say: $2"; }
as() { setpriv --reuid "$1" --regid "$2" --clear-groups "${@:3}"; }

echo "== The units are well"
systemd-analyze verify companion-{board,hotspot,wifi,door@}.service companion-board.path companion-door.socket

echo "== Port 80 outlives a storm"
systemctl start companion-door.socket
storm() {
    python3 - <<'STORM'
import socket, time
until_s, calls, held = time.monotonic() + 4, 0, []
while time.monotonic() < until_s:
    call = socket.socket()
    call.settimeout(2)
    call.bind((f"127.0.{calls % 3}.{calls % 200 + 2}", 0))
    try:
        call.connect(("127.0.0.1", 80))
    except OSError:
        call.close()
        continue
    calls += 1
    held.append(call)
    if len(held) > 300:
        held.pop(0).close()
print(f"{calls} connections in four seconds")
STORM
}
storm
systemctl is-active --quiet companion-door.socket || fail "port 80 is switched off"
for _ in $(seq 60); do
    if curl -si -m 5 http://127.0.0.1/join | grep -q '^Location: http://127.0.0.1:8080/join'; then break; fi
    sleep 1
done
curl -si -m 5 http://127.0.0.1/ | grep -q ' 302 ' || fail "port 80 says nothing after the storm"

echo "== The console's message"
install -d -o companion -g companion -m 750 /run/companion
echo "root's own" >/root/secret
chmod 600 /root/secret
message() {
    as companion companion python3 -c '
import sys
from pathlib import Path
from companion.system.console import hang
hang(Path("/run/companion/issue"), sys.argv[1])' "$1"
}
systemctl start companion-board.path
message "Host code: ABC DEF"
for _ in $(seq 300); do
    if [ -e /run/companion-board/issue ]; then break; fi
    sleep 0.2
done
has /run/companion-board/issue "Host code: ABC DEF"
for _ in $(seq 300); do # a start while it still goes on from before would start nothing
    if [ "$(systemctl show -p ActiveState --value companion-board.service)" = inactive ]; then break; fi
    sleep 0.2
done
for who in nobody companion; do
    if as $who nogroup cat /run/companion-board/issue 2>/dev/null; then fail "$who reads the console's message"; fi
done
if as nobody nogroup cat /run/companion/issue 2>/dev/null; then fail "nobody reads the companion's message"; fi
ln -sf /root/secret /run/companion/issue
if systemctl start companion-board.service 2>/dev/null; then fail "a link was followed"; fi
[ ! -e /run/companion-board/issue ] || fail "something is shown in a message's place"
rm /run/companion/issue
message "Host code: GHJ KLM"
systemctl start companion-board.service
has /run/companion-board/issue "Host code: GHJ KLM"
systemctl is-active --quiet companion-board.path || fail "the message is no longer looked after"

echo "== The hotspot"
install -d -o companion -g companion -m 700 /var/lib/companion
for name in hotspot hotspot.new; do as companion companion ln -s /root/secret /var/lib/companion/$name; done
named() { printf %s "$1" | as companion companion tee /run/companion/network >/dev/null; }
network() { nmcli -e no -g 802-11-wireless.ssid connection show companion-hotspot; }
named kitchen
systemctl start companion-hotspot.service || fail "the hotspot's service failed"
[ "$(network | sed 's/-[0-9a-f]\{4\}$//')" = companion-kitchen ] || fail "the Wi-Fi is called $(network)"
has /run/companion-hotspot/issue "Password: bcdfg7hjk2"
for who in nobody:nogroup:issue nobody:nogroup:wifi companion:companion:issue; do
    IFS=: read -r user group file <<<"$who"
    if as "$user" "$group" cat "/run/companion-hotspot/$file" 2>/dev/null; then fail "$user reads the password in $file"; fi
done
[ "$(as companion companion tail -n 1 /run/companion-hotspot/wifi)" = bcdfg7hjk2 ] || fail "the companion cannot draw the Wi-Fi's code"
if journalctl --no-pager | grep -q bcdfg7hjk2; then fail "the journal has the password"; fi
systemctl stop companion-hotspot.service
[ ! -e /run/companion-hotspot ] || fail "the password is shown without its Wi-Fi"
named back-room
systemctl start companion-hotspot.service || fail "the hotspot's service failed after another name"
[ "$(network | sed 's/-[0-9a-f]\{4\}$//')" = companion-back-room ] || fail "the Wi-Fi is still called $(network)"
has /run/companion-hotspot/issue "Wi-Fi: companion-back-room-"
has /run/companion-hotspot/issue "Password: bcdfg7hjk2"
systemctl stop companion-hotspot.service
as companion companion rm /run/companion/network
as companion companion ln -s /root/secret /run/companion/network
systemctl start companion-hotspot.service || fail "the hotspot's service failed where a link was planted"
has /run/companion-hotspot/issue "Wi-Fi: companion-back-room-"
systemctl stop companion-hotspot.service
[ "$(cat /root/secret)" = "root's own" ] || fail "root followed a link"
[ "$(stat -c %a-%U /root/secret)" = 600-root ] || fail "root followed a link"
