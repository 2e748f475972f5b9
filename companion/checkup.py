"""The checks of ``companion doctor`` that need a camera or pins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from companion.appliance import sight
from companion.catalog import accepted, demo_deck, open_match
from companion.doctor import Check, Finding, Level
from companion.game import JSON
from companion.settings import read_settings
from companion.staging import demo_match

LOOKS_S = 6.0
"""How long the camera is looked through; finding the table and measuring it takes some seconds."""

SIGHTS = ("tags", "focus", "light", "stickers")
"""What a look at the table tells, beside the camera."""

_TO_DO = {
    "clean-lens-or-focus": "wipe the lens; then let it focus on the table again by starting the companion anew",
    "more-light": "bring a lamp nearer, from the side",
    "less-light": "dim the lamp, or move it away",
    "move-lamp": "move the lamp to the side: it shines into the camera",
    "lower-camera-or-larger-stickers": "hang the camera lower, or print larger stickers",
    "other-lamp-or-mains-frequency": "use another lamp: this one flickers",
    "clean-or-reprint-sticker": "clean that sticker, or print it again",
}
_LIGHT = {
    "exposure": "white paper is {:.0f} of 255 bright",
    "contrast": "paper and ink differ by {:.0f} of 255",
    "glare": "{:.1%} of the table is dazzling white",
    "noise": "the picture is grainy ({:.1f} of 255)",
    "flicker": "brightness changes by {:.1%} from row to row",
}


def pins(try_out: Callable[[], tuple[str, ...]], *, busy: bool, here: bool) -> Iterator[Finding]:
    """Blink and listen: ``try_out`` lights and sounds everything once and names what is not as it should be.

    Args:
        try_out: ``hardware.trial.try_out`` with its wiring and pins.
        busy: A companion runs and holds the pins.
        here: This computer has pins.
    """
    if not here:
        yield Finding("pins", Level.INFO, "this computer has none: no lamp, no buzzer, no buttons")
        return
    if busy:
        yield Finding("pins", Level.INFO, "the running companion holds them", "stop it to try them")
        return
    wrong = try_out()
    for what in wrong:
        yield Finding("pins", Level.WARNING, what, "check that wire against the [panel] table of settings.toml")
    if not wrong:
        yield Finding("pins", Level.OK, "tried: red, green, blue, one note; no button is stuck")


def try_out_pins(folder: Path) -> tuple[str, ...]:
    """Light and sound everything once; what is not as it should be."""
    from hardware.off import wired
    from hardware.pins import pin_factory
    from hardware.trial import try_out

    with closing(pin_factory()) as factory:
        return try_out(wired(folder / "settings.toml"), factory)


def camera_checks(source: str | None, folder: Path, running: JSON | None) -> tuple[tuple[str, Check], ...]:
    """Camera, tags, focus, light and stickers: what a running companion sees, or else a look of our own.

    Args:
        source: The camera that was named, if any.
        running: The health of the companion that runs here and holds the camera; ``None`` = none runs.
    """
    from hardware.pins import on_a_pi

    if isinstance(running, Mapping):
        return (("camera", partial(told, running)),)
    named = source or ("picamera" if on_a_pi() else None)
    if named is None:
        return (("camera", _no_camera),)
    return (("camera", lambda: _looked(named, folder)),)


def told(health: Mapping[str, Any]) -> Iterator[Finding]:
    """What the running companion sees."""
    source, state = health.get("source", "the camera"), health.get("camera", "none")
    if state == "camera":
        yield Finding("camera", Level.TROUBLE, f"{source} gives no pictures", "check its cable")
        yield from _unseen("no pictures")
        return
    if state == "none":
        yield Finding("camera", Level.INFO, f"{source} has not been looked through yet")
        yield from _unseen("nobody has looked yet")
        return
    yield Finding("camera", Level.OK, f"{source} gives pictures")
    yield from seen(health.get("sight") or () if state == "ok" else ())


def seen(sights: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """How well the table can be seen, from what the eye has measured; one finding for each thing to do."""
    if not sights:
        yield Finding(
            "tags", Level.TROUBLE, "the four corner tags are not seen", "clear the table's corners, add light"
        )
        yield from _unseen("the table was not found", SIGHTS[1:])
        return
    yield Finding("tags", Level.OK, "the four corner tags are seen")
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for found in sights:
        by_name.setdefault(found["name"], []).append(found)
    for found in by_name.get("sharpness", ()):
        yield _finding("focus", found, f"edges are {found['value']:.1f} pixels wide")
    bad = [found for name in _LIGHT for found in by_name.get(name, ()) if not found["good"]]
    for found in bad:
        yield _finding("light", found, _LIGHT[found["name"]].format(found["value"]))
    if not bad:
        yield Finding("light", Level.OK, "bright enough, even and steady")
    if sizes := by_name.get("module_px"):
        least = min(sizes, key=lambda found: float(found["value"]))
        where = f" in the zone {least['about']}" if least["about"] else ""
        yield _finding("stickers", least, f"a square of their codes is {least['value']:.1f} pixels wide{where}")
    for found in by_name.get("reads", ()):
        if not found["good"]:
            yield _finding("stickers", found, f"{found['about']} is read in {found['value']:.0%} of the looks")


def _finding(name: str, found: Mapping[str, Any], what: str) -> Finding:
    if found["good"]:
        return Finding(name, Level.OK, what)
    return Finding(name, Level.WARNING, what, _TO_DO.get(found["advice"], found["advice"]))


def _unseen(why: str, names: Sequence[str] = SIGHTS) -> Iterator[Finding]:
    for name in names:
        yield Finding(name, Level.INFO, f"cannot be told: {why}")


def _no_camera() -> Iterator[Finding]:
    yield Finding("camera", Level.INFO, "none is named: the simulated table would be used", "name one: --source usb:0")
    yield from _unseen("no camera")


def _looked(source: str, folder: Path) -> Iterator[Finding]:
    """Look at the table for some seconds and say how well it can be seen."""
    from vision.eye import Eye

    game = open_match(demo_match(), demo_deck()).game
    layout = read_settings(folder).layout or game.layout()
    looks: list[str | None] = []
    with Eye(source, layout, accepted(game), lambda look: looks.append(look.lost and look.lost.value)) as eye:
        _wait(lambda: eye.health() is not None, LOOKS_S)
        measured = sight(eye, cards=True)
    if not looks or set(looks) == {"camera"}:
        yield Finding("camera", Level.TROUBLE, f"{source} gives no pictures", "check its cable")
        yield from _unseen("no pictures")
        return
    yield Finding("camera", Level.OK, f"{source} gives pictures")
    yield from seen(measured)


def _wait(done: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not done() and time.monotonic() < until:
        time.sleep(0.1)
