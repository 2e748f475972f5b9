"""The checks of ``companion doctor`` that need a camera or pins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from companion.catalog import accepted, demo_deck, open_match
from companion.doctor import Check, Finding, Level
from companion.settings import read_settings
from companion.staging import demo_match

LOOKS_S = 6.0
"""How long the camera is looked through; finding the table and measuring it takes some seconds."""

_TO_DO = {
    "clean-lens-or-focus": "wipe the lens; then let it focus on the table again by starting the companion anew",
    "more-light": "bring a lamp nearer, from the side",
    "less-light": "dim the lamp, or move it away",
    "move-lamp": "move the lamp to the side: it shines into the camera",
    "larger-stickers-or-nearer-camera": "hang the camera lower, or print larger stickers",
    "other-lamp-or-mains-frequency": "use another lamp: this one flickers",
    "clean-or-reprint-sticker": "clean that sticker, or print it again",
}


def try_out_pins(folder: Path) -> tuple[str, ...]:
    """Light and sound everything once; what is not as it should be."""
    from hardware.off import wired
    from hardware.pins import pin_factory
    from hardware.trial import try_out

    with closing(pin_factory()) as factory:
        return try_out(wired(folder / "settings.toml"), factory)


def camera_checks(source: str | None, folder: Path, *, busy: bool) -> tuple[tuple[str, Check], ...]:
    """Camera, tags, stickers and light, where a camera is named or this is a Pi that nobody uses now."""
    from hardware.pins import on_a_pi

    named = source or ("picamera" if on_a_pi() else None)
    if busy:
        return ()
    if named is None:
        return (("camera", _no_camera),)
    return (("camera", lambda: _looked(named, folder)),)


def _no_camera() -> Iterator[Finding]:
    yield Finding("camera", Level.INFO, "none is named: the simulated table would be used", "name one: --source usb:0")


def _looked(source: str, folder: Path) -> Iterator[Finding]:
    """Look at the table for some seconds and say how well it can be seen."""
    from vision.eye import Eye

    game = open_match(demo_match(), demo_deck()).game
    layout = read_settings(folder).layout or game.layout()
    seen: list[str | None] = []
    with Eye(source, layout, accepted(game), lambda look: seen.append(look.lost and look.lost.value)) as eye:
        _wait(lambda: eye.health() is not None, LOOKS_S)
        health = eye.health()
    if not seen:
        yield Finding("camera", Level.TROUBLE, f"{source} gives no pictures", "check its cable")
        return
    yield Finding("camera", Level.OK, f"{source} gives pictures")
    if health is None or not health.findings:
        yield Finding(
            "tags", Level.TROUBLE, "the four corner tags are not seen", "clear the table's corners, add light"
        )
        return
    for found in health.findings:
        about = f" ({found.about})" if found.about else ""
        level = Level.OK if found.good else Level.WARNING
        yield Finding(found.name, level, f"{found.value:.2f}{about}", _TO_DO.get(found.advice, found.advice))


def _wait(done: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not done() and time.monotonic() < until:
        time.sleep(0.1)
