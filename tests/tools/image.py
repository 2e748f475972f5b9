"""What an image does when it is started: on a fresh card, again, without a network, and in the Wi-Fi of the house, and
with a system that stays as it is.

Called by ``tests/tools/image.sh KIND IMAGE FOLDER MINUTES``.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from image_machine import Machine, Trouble

EVENING_H = 3.0
CARD_MIB = 8192
EFI_AT = "@@1M"
"""Where the partition lies from which it starts, as mtools want it."""

PARTITIONS = {"vda1": "start", "vda2": "system", "vda3": "matches"}

UNITS = (
    *("companion.service", "companion-door.socket", "companion-board.path", "companion-update.path"),
    *("companion-name.service", "companion-card.service", "NetworkManager.service", "avahi-daemon.service"),
    *("companion-home-wifi.path", "companion-hotspot.service", "var-lib-companion.mount"),
)
ONCE = "companion-name.service"
"""Has ended by the time somebody looks."""

RADIO_OF_THE_HOUSE = "wlan1"
"""The second radio is the router's: NetworkManager keeps its hands off it till the house has a Wi-Fi."""
LAYING_OUT = "cat /proc/[0-9]*/comm 2>/dev/null | grep -x ext4lazyinit"
SMALL = 800, 480
"""A display as people screw it to a box."""
HOUSE, PASSWORD = "Grandma's house", "rather long; \\ odd"
MOVES = """\
import json, re, sys, time, urllib.request
code = re.search(r"Host code: (.+)", open("/run/companion/issue").read())[1].replace(" ", "")
def ask(path, body=None):
    headers = {"Authorization": f"Bearer {code}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("http://127.0.0.1:8080/api/v1" + path, data, headers)
    return json.load(urllib.request.urlopen(request, timeout=120))
print(json.dumps(ask("/wifi", json.loads(sys.argv[1]) if len(sys.argv) > 1 else None)))
"""
"""What a phone of the host's does."""

SHOWN = """\
import urllib.error, urllib.request
for where, host in (("10.42.0.1", "10.42.0.1:8080"), ("127.0.0.1", "localhost:8080"), ("127.0.0.1", "companion.local")):
    asked = urllib.request.Request(f"http://{where}:8080/qr/wifi.svg", headers={"Host": host})
    try:
        print(urllib.request.urlopen(asked, timeout=120).status)
    except urllib.error.HTTPError as refused:
        print(refused.code)
"""
"""Whom the television page shows the box's own Wi-Fi: who is in it, and nobody who comes by way of this computer."""

RADIO = """\
[Unit]
Description=A Wi-Fi that is only thought of
DefaultDependencies=no
After=systemd-modules-load.service
Before=sysinit.target
[Service]
Type=oneshot
ExecStart=/sbin/modprobe mac80211_hwsim radios=2
"""


def heading(text: str) -> None:
    print(f"\n== {text}", flush=True)


def say(text: str) -> None:
    print(text, flush=True)


def require(holds: object, why: str) -> None:
    if not holds:
        raise Trouble(why)


def make_card(image: Path, card: Path) -> None:
    """The image as if it were flashed onto a larger card."""
    subprocess.run(["cp", "--sparse=always", image, card], check=True)
    subprocess.run(["truncate", "-s", f"{CARD_MIB}M", card], check=True)


def health(box: Machine) -> dict[str, object] | None:
    heard = box.ask("/api/v1/health", patience_s=10)
    return None if heard is None else dict(json.loads(heard))


def matches(box: Machine) -> list[str]:
    """The stored matches, by their ids."""
    heard = json.loads(box.ask("/api/v1/matches") or b"[]")
    return [one["id"] for one in (heard["matches"] if isinstance(heard, dict) else heard)]


def written(box: Machine) -> dict[str, int]:
    """Bytes written to each partition since it was switched on, as the machine's kernel counts them."""
    lines = box.shell("awk '$3 ~ /^vda[123]$/ {print $3, $10}' /proc/diskstats").splitlines()
    return {PARTITIONS[name]: int(sectors) * 512 for name, sectors in (line.split() for line in lines)}


def read_codes(picture: Path) -> list[str]:
    """What the QR codes in a picture say."""
    import cv2
    import zxingcpp

    seen = cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
    if seen is None:
        return []
    return sorted({one.text for one in zxingcpp.read_barcodes(cv2.resize(seen, None, fx=2, fy=2))})


def await_codes(box: Machine, file: Path, seconds: float, wanted: int) -> list[str]:
    """The codes on the screen, as soon as there are so many."""

    def seen() -> list[str]:
        box.picture(file)
        found = read_codes(file)
        return found if len(found) >= wanted else []

    return list(box.until(seconds, f"{wanted} codes on the screen (see {file})", seen))


def tell_start(box: Machine) -> None:
    on_s, worked_s = box.on_s, box.worked_s
    clock = box.until(1200, "the shell answers", lambda: box.shell("cut -d' ' -f1 /proc/uptime", 600))
    say(
        f"The page answered {on_s:.0f} s after it was switched on, by the machine's clock {clock} s after its kernel "
        f"started; this computer's processor had worked {worked_s:.0f} s on it"
    )


def look_around(box: Machine, version: str, screen: Path, wait_s: float) -> tuple[list[str], str]:
    """The first start: that all is as it should be; answers the box's id and names, and its four digits."""
    state = box.until(wait_s, "the page answers", lambda: health(box))
    tell_start(box)
    require(state["version"] == version, f"It is version {state['version']}, not {version}.")
    require(b"<title>" in (box.ask("/") or b""), "There is no page.")
    require(box.leads() == "http://127.0.0.1:8080/", "Port 80 does not lead there.")
    say(f"It shows version {version}, source {state['source']}; port 80 leads there")

    def started() -> bool:
        return box.shell("systemctl is-system-running || :") in ("running", "degraded")

    box.until(wait_s, "the system is started", started)
    failed = box.shell("systemctl --failed --no-legend --plain")
    require(not failed, f"These failed: {failed}")
    for unit in UNITS:
        now = box.shell(f"systemctl show -P ActiveState {unit}; systemctl show -P Result {unit}").split()
        wanted = ["inactive" if unit == ONCE else "active", "success"]
        require(now == wanted, f"{unit} is {' '.join(now)}.")
    say(f"Started, and nothing failed: {', '.join(UNITS)}")
    say(box.shell("systemd-analyze | head -n 1"))

    mounted = box.shell("findmnt -n -o SOURCE,FSTYPE,OPTIONS /var/lib/companion")
    size_mib = int(box.shell("df -m --output=size /var/lib/companion | tail -n 1"))
    require(mounted.startswith("/dev/vda3 ext4 rw"), f"The matches have no partition of their own: {mounted}")
    require(size_mib > (CARD_MIB - 4700) * 0.9, f"It did not grow: {size_mib} MiB of a card of {CARD_MIB}")
    require(box.shell("stat -c %U:%a /var/lib/companion") == "companion:700", "The matches' folder is open.")
    say(f"The matches' partition has grown to {size_mib} MiB: {mounted}")
    say(f"The system's: {box.shell('df -m --output=used,size / | tail -n 1').strip()} MiB used, of")

    names = box.shell("cat /etc/machine-id; cat /etc/hostname; hostname").split()
    digits = box.shell("(cat /etc/machine-id && echo companion-hotspot) | sha256sum | cut -c 1-4")
    require(names[1] == names[2] == f"companion-{digits}", f"It has no name of its own: {names}")
    require(box.shell("test -x /usr/sbin/sshd && echo ssh || :") == "", "It lets people in by ssh.")
    require(box.shell("passwd -S root").split()[1] == "L", "Root can log in.")
    used, whole = box.shell("free -m | awk '/^Mem/ {print $3, $2}'").split()
    say(f"It is called {names[1]}; {used} of {whole} MiB of memory are used")

    address = box.shell("ip -4 -o addr show scope global | awk '{print $4}'").split("/")[0]
    codes = await_codes(box, screen, wait_s, 1)
    require(codes == [f"http://{address}:8080"], f"The screen shows {codes}")
    say(f"The screen shows the code for {codes[0]}")
    return names, digits


def count_writes(box: Machine, minutes: float) -> dict[str, int]:
    """What is written while the demonstration goes on; answers bytes by partition."""

    def now() -> tuple[float, int, int, dict[str, int]]:
        state = health(box)
        if state is None:
            raise Trouble("The page no longer answers.")
        machine_s = float(box.shell("sync; cut -d' ' -f1 /proc/uptime"))
        return machine_s, int(str(state["entries"])), box.written_bytes(), written(box)

    # For a moment after a start the last match is not read yet.
    box.until(600, "the match goes on", lambda: (health(box) or {}).get("entries"))
    before_s, before_entries, before_bytes, before = now()
    time.sleep(minutes * 60)
    after_s, entries, whole, after = now()
    gained = {name: after[name] - before[name] for name in after}
    took_min = (after_s - before_s) / 60
    require(entries > before_entries, f"Nobody has played for {took_min:.1f} minutes.")
    evening_mb = sum(gained.values()) / took_min * 60 * EVENING_H / 1e6
    say(f"In {took_min:.1f} minutes of the machine's clock {entries - before_entries} entries and {gained} bytes")
    say(f"That is {evening_mb:.0f} MB in {EVENING_H:g} hours")
    say(f"qemu counts {whole - before_bytes} bytes, and {whole} since it was switched on")
    return gained


def mtools(*words: str, text: str | None = None) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True, input=text).stdout


def open_the_house(box: Machine) -> None:
    """The router of the house: an access point on the second radio, with addresses to give."""
    box.shell(
        "nmcli connection show house >/dev/null 2>&1 || "
        f"nmcli connection add type wifi con-name house ifname {RADIO_OF_THE_HOUSE} autoconnect no"
        f" ssid {shlex.quote(HOUSE)} mode ap 802-11-wireless.band bg wifi-sec.key-mgmt wpa-psk"
        f" wifi-sec.psk {shlex.quote(PASSWORD)} ipv4.method shared ipv4.addresses 10.77.0.1/24",
        600,
    )
    box.shell("nmcli --wait 60 connection up house", 600)


def ssid(box: Machine) -> str:
    """The name of the Wi-Fi that the box's radio is in, and whether it is a guest there (``managed``) or makes it.

    A guest has the name in its link, and who makes one in what it is.
    """
    wanted = "sed -n 's/^\\s*\\(SSID:\\|ssid\\|type\\) //p'"
    return " ".join(box.shell(f"(iw dev wlan0 link; iw dev wlan0 info) | {wanted}").splitlines())


def join_the_house(box: Machine, wait_s: float) -> None:
    """What the host does: a wrong password, after which all is as before, then the right one."""
    own = ssid(box)
    open_the_house(box)
    box.shell(f"cat >/root/moves.py <<'END'\n{MOVES}END")

    def phone(**body: str) -> Any:
        more = shlex.quote(json.dumps(body)) if body else ""
        return json.loads(box.shell(f"python3 -I /root/moves.py {more}", 600))

    def ended() -> Any:
        state = phone()
        return state if state["state"] == "idle" else None

    before = phone()
    require(before["own"] and before["now"] is None, f"The page says {before}")
    phone(name=HOUSE, password="not this one")  # pragma: allowlist secret
    after = box.until(wait_s, "the page says what came of it", ended)
    require("could not join" in after["last"] and after["own"], f"The page says {after}")
    box.until(wait_s, "its own Wi-Fi is back", lambda: ssid(box) == own)
    require("companion-home" not in box.shell("nmcli -t -f NAME connection"), "The wrong password was kept.")
    say(f"After a wrong password: {after['last']}")
    phone(name=HOUSE, password=PASSWORD)
    after = box.until(wait_s, "the page says what came of it", ended)
    require(after["now"] == HOUSE and not after["own"], f"The page says {after}")
    require(ssid(box) == f"{HOUSE} managed", f"Its radio is in {ssid(box)}")
    address = box.shell("ip -4 -o addr show dev wlan0 | awk '{print $4}'").split("/")[0]
    require(address.startswith("10.77.0."), f"Its address is {address}")
    mode = box.shell("stat -c %a:%U /etc/NetworkManager/system-connections/companion-home-*")
    require(mode == "600:root", f"Its password can be read: {mode}")
    journal = box.shell(f"journalctl -b --no-pager | grep -cF {shlex.quote(PASSWORD)} || :")
    require(journal == "0", "Its password stands in the journal.")
    require(box.shell("ls /var/lib/companion/home-wifi 2>/dev/null || :") == "", "The order still lies there.")
    require(box.shell("ls /run/companion-hotspot 2>/dev/null || :") == "", "The screen shows a Wi-Fi that is gone.")
    say(f"{after['last']} Its address is {address}; {after['address']}")


def choose_overlay(card: Path) -> None:
    """What docs/image.md asks for: a word more in one line of the partition that every computer can read."""
    (entry,) = mtools("mdir", "-b", "-i", f"{card}{EFI_AT}", "::loader/entries").split()
    lines = mtools("mtype", "-i", f"{card}{EFI_AT}", entry).splitlines()
    more = [line + " overlayroot=tmpfs:recurse=0" if line.startswith("options ") else line for line in lines]
    require(more != lines, f"{entry} has no line of options.")
    mtools("mcopy", "-o", "-i", f"{card}{EFI_AT}", "-", entry, text="\n".join(more) + "\n")


def main(kind: str, image: Path, folder: Path, minutes: float) -> None:
    manifest = image.with_suffix(".manifest").read_text("utf-8")
    version = next(line.split()[1] for line in manifest.splitlines() if line.startswith("python:companion-referee "))
    # An emulated processor takes minutes, more so where other work lies on this computer.
    wait_s = 2400 if kind == "amd64" else 4800
    card = folder / "card.img"
    make_card(image, card)
    file = image.stat()
    say(f"Image: {file.st_size / 1e6:.0f} MB, of which {file.st_blocks * 512 / 1e6:.0f} MB are not empty")
    drive = ["-drive", f"if=none,id=card,format=raw,file={card},cache=writeback,discard=unmap"]

    heading("First start")
    with Machine(kind, drive, folder) as box:
        names, digits = look_around(box, version, folder / "screen.png", wait_s)
        heading(f"What is written in {minutes:g} minutes of the demonstration")
        box.until(wait_s, "a match is there", lambda: matches(box))
        match = matches(box)[0]
        # Once in its life the kernel lays out what the partition has gained, some minutes long.
        box.until(wait_s, "the partition is laid out", lambda: box.shell(f"{LAYING_OUT} || :") == "")
        say(f"qemu counts {box.written_bytes()} bytes written for this first start")
        count_writes(box, minutes)
        say(f"Off {box.press_power_key(wait_s):.0f} s after its power key was pressed")

    heading("Second start")
    with Machine(kind, drive, folder) as box:
        box.until(wait_s, "the page answers", lambda: health(box))
        tell_start(box)
        require(match in matches(box), f"The match {match} is gone: {matches(box)}")
        again = box.shell("cat /etc/machine-id; cat /etc/hostname; hostname").split()
        require(again == names, f"It was {names} and is {again}.")
        say(f"The match {match} and the name {again[1]} are there")
        box.press_power_key(wait_s)

    heading("Without a cable, in reach of no Wi-Fi")
    with Machine(kind, drive, folder, cable=False, screen=SMALL, units={"radio": RADIO}) as box:
        codes = await_codes(box, folder / "screen-wifi.png", wait_s, 2)
        ours = f"WIFI:T:WPA;S:companion-{digits};P:"
        require(any(code.startswith(ours) for code in codes), f"The screen shows {codes}")
        require("http://10.42.0.1:8080" in codes, f"The screen shows {codes}")
        say("A screen of {} by {} shows the codes of {}…".format(*SMALL, ours))
        say(f"and of http://10.42.0.1:8080 after {box.on_s:.0f} s")
        shown = box.shell(f"python3 -I - <<'END'\n{SHOWN}END", 600).split()
        require(shown == ["200", "404", "404"], f"The television's code of it is answered with {shown}.")
        say("The television page shows its code to who is in it")
        say(" ".join(box.shell("iw dev wlan0 info | grep -E 'ssid|type'").split()))
        heading("Into the Wi-Fi of the house, from the host's page")
        join_the_house(box, wait_s)
        box.press_power_key(wait_s)
    heading("It finds the Wi-Fi of the house by itself")
    with Machine(kind, drive, folder, cable=False, units={"radio": RADIO}) as box:
        box.until(
            wait_s, "NetworkManager runs", lambda: box.shell("nmcli -t -f RUNNING general || :", 600) == "running"
        )
        open_the_house(box)
        box.until(wait_s, "it is in the Wi-Fi", lambda: ssid(box) == f"{HOUSE} managed")
        say(f"In '{HOUSE}' {box.shell('cut -d. -f1 /proc/uptime')} s after its kernel started")
        box.press_power_key(wait_s)

    heading("With a system that stays as it is")
    choose_overlay(card)
    with Machine(kind, drive, folder) as box:
        box.until(wait_s, "the page answers", lambda: health(box))
        over = box.shell("findmnt -n -o FSTYPE,OPTIONS /")
        require(over.startswith("overlay rw,"), f"The system is no overlay that can be written to: {over}")
        failed = box.shell("systemctl --failed --no-legend --plain")
        require(not failed, f"These failed: {failed}")
        mounted = box.shell("findmnt -n -o SOURCE,FSTYPE,OPTIONS /var/lib/companion")
        require(mounted.startswith("/dev/vda3 ext4 rw"), f"The matches are not on the card: {mounted}")
        box.shell("echo gone >/etc/planted; sync")
        gained = count_writes(box, minutes)
        require(gained["system"] == 0, "Something was written to the system's partition.")
        require(box.shell("cat /etc/machine-id; cat /etc/hostname; hostname").split() == names, "It has another name.")
        kept = matches(box)
        require(match in kept, f"The match {match} is gone: {kept}")
        box.press_power_key(wait_s)
    with Machine(kind, drive, folder) as box:
        box.until(wait_s, "the page answers", lambda: health(box))
        require(set(kept) <= set(matches(box)), f"Of {kept} only {matches(box)} are there.")
        require(box.shell("ls /etc/planted || :") != "/etc/planted", "What was written to the system stayed.")
        say("The matches stay, and what was written to the system is gone")
        box.press_power_key(wait_s)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4]))
    except Trouble as trouble:
        sys.exit(f"{trouble}")
