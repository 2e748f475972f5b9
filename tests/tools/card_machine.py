"""What a card with the companion's folder does in an emulated machine: first start, again, wrong folder, and full.

Called by ``tests/tools/card-machine.sh`` with the kind of computer and the folder in which both cards lie.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import zxingcpp
from virtual_machine import Machine, Trouble

FIRST = "@@1M"
"""Where the card's first partition lies, as mtools want it."""
SAID = "companion/what-happened.txt"
PAGE = "/usr/bin/python3 -I -c \"import urllib.request as u; u.urlopen('http://127.0.0.1/', timeout=60)\""
WAIT_S = 3600
"""An emulated processor takes many minutes, more so where other work lies on this computer."""


def heading(text: str) -> None:
    print(f"\n== {text}", flush=True)


def say(text: str) -> None:
    print(text, flush=True)


def require(holds: object, why: str) -> None:
    if not holds:
        raise Trouble(why)


def await_code(box: Machine, file: Path) -> str:
    """What the QR code on the screen says, as soon as there is one."""

    def seen() -> list[str]:
        box.picture(file)
        screen = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        if screen is None:
            return []
        return [one.text for one in zxingcpp.read_barcodes(cv2.resize(screen, None, fx=2, fy=2))]

    (code,) = box.until(WAIT_S, f"a code on the screen (see {file})", seen)
    return str(code)


def on_the_card(card: Path, name: str) -> bytes:
    """A file of the first partition, as any computer reads it."""
    return subprocess.run(["mtype", "-i", f"{card}{FIRST}", f"::{name}"], check=True, capture_output=True).stdout


def so(box: Machine, line: str) -> bool:
    return box.shell(f"{{ {line}; }} >/dev/null 2>&1 && echo so || :", 600) == "so"


def clock(box: Machine) -> str:
    own = box.shell("cut -d. -f1 /proc/uptime", 600)
    return f"{own} s after its kernel started by its own clock, {box.on_s:.0f} s by this computer's"


def await_sentence(box: Machine, words: str) -> None:
    line = f"grep -q '{words}' /boot/firmware/{SAID}"
    try:
        box.until(WAIT_S, f"the card says: {words}", lambda: so(box, line))
    except Trouble:
        say(box.shell(f"cat /boot/firmware/{SAID}; journalctl -u companion-first-start --no-pager -n 40 || :", 600))
        raise
    said = box.shell(f"cat /boot/firmware/{SAID}", 600)
    require(said.count("\n") == 0, f"That is not one sentence: {said}")
    say(said)


def main(kind: str, folder: Path) -> None:
    def drive(card: Path) -> list[str]:
        return ["-drive", f"if=none,id=card,format=raw,file={card},cache=writeback,discard=unmap"]

    card = folder / "card.img"
    before = on_the_card(card, "user-data")
    heading("A first start without a network")
    with Machine(kind, drive(card), folder, cable=False) as box:
        box.until(WAIT_S, "a shell answers", lambda: so(box, "true"))
        require(box.shell("dpkg --print-architecture", 600) == kind, "It is another kind of computer.")
        box.until(WAIT_S, "the companion is being installed", lambda: so(box, f"test -e /boot/firmware/{SAID}"))
        say(f"It says what it does {clock(box)}")
        box.picture(folder.parent / "screen-installing.png")
        box.until(WAIT_S, "the page answers", lambda: so(box, PAGE))
        say(f"The first page {clock(box)}")
        await_sentence(box, "open http://companion.local")
        box.until(WAIT_S, "the Imager's commands ran", lambda: so(box, "test -e /root/the-imager-was-here"))
        require(so(box, "id anna"), "The Imager's user is not there.")
        require(so(box, "systemctl -q is-enabled ssh"), "The Imager's ssh is not on.")
        box.until(
            WAIT_S,
            "its service is gone",
            lambda: so(box, "! test -e /etc/systemd/system/companion-first-start.service"),
        )
        version = box.shell("companion --version; dpkg-query -W -f '${Version}' companion", 600).split()
        say(f"Version {' '.join(version)} on {box.shell('uname -m -r', 600)}")
        box.press_power_key(WAIT_S)
    require(on_the_card(card, "user-data") == before, "The Imager's file was changed.")

    heading("Started again, on a cable: the page from outside")
    said = on_the_card(card, SAID)
    with Machine(kind, drive(card), folder) as box:
        box.until(WAIT_S, "the page answers", lambda: box.ask("/"))
        require(b"<title>" in (box.ask("/") or b""), "There is no page.")
        require(box.leads() is not None, "Nothing answers at port 80.")
        say(f"The page from outside {clock(box)}; port 80 leads to {box.leads()}")
        address = box.shell("ip -4 -o addr show scope global | awk '{print $4}'", 600).split("/")[0]
        code = await_code(box, folder.parent / "screen-page.png")
        require(code == f"http://{address}:8080", f"The screen shows {code}")
        say(f"The screen shows the code for {code}")
        box.press_power_key(WAIT_S)
    require(on_the_card(card, SAID) == said, "The card was written again.")

    card = folder / "full.img"
    heading("A folder for another kind of computer")
    (package,) = (folder / "bundle" / "companion").glob("companion_*.deb")
    other = package.name.replace(kind, "riscv64")
    subprocess.run(["mren", "-i", f"{card}{FIRST}", f"::companion/{package.name}", f"::companion/{other}"], check=True)
    with Machine(kind, drive(card), folder, cable=False) as box:
        await_sentence(box, "another kind of computer (riscv64")
        box.press_power_key(WAIT_S)
    heading("The right folder, and too little room")
    subprocess.run(["mren", "-i", f"{card}{FIRST}", f"::companion/{other}", f"::companion/{package.name}"], check=True)
    with Machine(kind, drive(card), folder, cable=False) as box:
        await_sentence(box, "The card is too full")
        box.press_power_key(WAIT_S)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except Trouble as trouble:
        sys.exit(f"{trouble}")
