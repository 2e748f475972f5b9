"""The Debian package in the machine of an image, under its own systemd.

Called by ``tests/tools/image-package.sh KIND IMAGE FOLDER VERSION``, which has made the packages ``1`` to ``4``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from image import heading, health, make_card, matches, require, say, tell_start
from image_machine import Machine, Trouble

PATIENCE_S = 4800.0
"""An emulated processor takes minutes to set a version up."""
LEFT = (
    "find /opt /etc /var/lib /usr/lib/companion /usr/lib/systemd /run/systemd/system -name '*companion*'"
    " ! -path '/var/lib/dpkg/*' ! -path '/etc/systemd/system/*.target.wants/companion-name*'"
    " ! -name 'companion-name*' ! -name 'companion-card*' ! -name companion-image"
    " ! -name companion.service.d ! -path '*/journald.conf.d/companion.conf' 2>/dev/null || :"
)
"""What the package may have left; the others are the image's own (packaging/image/root)."""


class Box:
    """The machine, and what is done to the package in it."""

    def __init__(self, machine: Machine, version: str) -> None:
        self.machine, self.version = machine, version

    def dpkg(self, *words: str) -> tuple[bool, str]:
        """Whether it ended well, and the end of what it told."""
        line = f"dpkg {' '.join(words)} >/run/dpkg.log 2>&1; echo $?; tail -c 3000 /run/dpkg.log"
        status, _, text = self.machine.shell(line, PATIENCE_S).partition("\n")
        return status == "0", text

    def install(self, number: int) -> tuple[bool, str]:
        return self.dpkg("-i", f"/mnt/{number}.deb")

    def require_runs(self, version: str, match: str) -> None:
        """This version runs, answers, and has the match."""
        self.machine.until(PATIENCE_S, "the page answers", lambda: health(self.machine))
        current = self.machine.shell("readlink /opt/companion/current")
        require(current.startswith(f"versions/{version}-"), f"{current} runs, not {version}.")
        require(match in matches(self.machine), f"The match {match} is gone.")
        say(f"Version {version} runs, and has the match {match}")

    def require_refused(self, number: int, words: str, match: str) -> None:
        """This package is not installed, dpkg says these words, and the second version goes on."""
        well, text = self.install(number)
        require(not well, "It was installed.")
        require(words in text, f"It says: {text}")
        self.require_runs(f"{self.version}+2", match)


def main(kind: str, image: Path, folder: Path, version: str) -> None:
    card = folder / "card.img"
    make_card(image, card)
    drives = [
        *("-drive", f"if=none,id=card,format=raw,file={card},cache=writeback,discard=unmap"),
        *("-drive", f"if=none,id=packages,format=raw,file={folder / 'packages.img'},readonly=on"),
        *("-device", "virtio-blk-pci,drive=packages"),
    ]
    with Machine(kind, drives, folder) as machine:
        box = Box(machine, version)
        machine.until(PATIENCE_S, "the page answers", lambda: health(machine))
        tell_start(machine)
        machine.until(PATIENCE_S, "a match is there", lambda: matches(machine))
        match = matches(machine)[0]
        machine.shell("mount -o ro /dev/disk/by-label/packages /mnt")
        require(machine.shell("ls /mnt/2.deb") == "/mnt/2.deb", "The packages are not there.")

        heading("An upgrade")
        well, text = box.install(2)
        require(well, f"It could not be upgraded: {text}")
        box.require_runs(f"{version}+2", match)
        require(machine.shell("ls /opt/companion/versions | wc -l") == "2", "The version before was not kept.")
        machine.shell("test -s /var/lib/companion/before-upgrade.sqlite")

        heading("An upgrade that does not start")
        box.require_refused(3, "is back, with its matches", match)

        heading("An upgrade with a spoilt library")
        box.require_refused(4, "goes on", match)

        heading("A downgrade")
        well, text = box.install(1)
        require(well, f"It could not be downgraded: {text}")
        box.require_runs(version, match)

        heading("Removed: the matches stay")
        well, text = box.dpkg("-r", "companion")
        require(well, f"It could not be removed: {text}")
        require(health(machine) is None, "It still runs.")
        machine.shell("test ! -e /opt/companion && test -s /var/lib/companion/matches.sqlite")
        well, text = box.install(1)
        require(well, f"It could not be installed again: {text}")
        box.require_runs(version, match)

        heading("Purged: nothing stays")
        well, text = box.dpkg("-P", "companion")
        require(well, f"It could not be purged: {text}")
        # The partition of the matches stays, empty.
        left = [path for path in machine.shell(LEFT).splitlines() if path != "/var/lib/companion"]
        require(not left, f"These are left: {left}")
        require(machine.shell("ls -A /var/lib/companion") == "", "The matches are left.")
        say("Nothing of it is left")
        machine.press_power_key(PATIENCE_S)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
    except Trouble as trouble:
        sys.exit(f"{trouble}")
