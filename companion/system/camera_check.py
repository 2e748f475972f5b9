"""The checks of ``companion doctor`` that need a camera or pins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.games.registry import demo_deck, demo_match, locale_folders, open_match, sticker_codes
from companion.public.findings import Finding, Level, in_words
from companion.public.i18n import Names, Translations
from companion.public.plugins import words
from companion.public.sources import shown_source
from companion.public.text import JSON, Text
from companion.storage.settings import read_settings
from companion.system.doctor import Check, examine, finding_json, usual_checks

if TYPE_CHECKING:  # OpenCV is loaded only where a camera is looked through
    from vision.process.supervisor import VisionProcess


def sight(eye: VisionProcess | None, *, cards: bool = False) -> list[dict[str, JSON]]:
    """How well the table can be seen, as far as it is public; empty before the first measurement.

    Args:
        cards: Also how often each sticker is read; not during a match, because it names cards.
    """
    health = None if eye is None else eye.health()
    if health is None:
        return []
    return [
        {"name": finding.name, "value": round(finding.value, 3), "good": finding.good, "about": finding.about}
        | {"advice": finding.advice}
        | ({"side": finding.side} if finding.side else {})
        for finding in health.findings
        if cards or finding.name != "reads"
    ]


def pictures(eye: VisionProcess | None, trouble: str | None = None) -> dict[str, JSON]:
    """About the camera's pictures, as far as it is public: ``size_px``, ``rate_hz`` and ``trouble``.

    ``trouble`` is why there are none. Each is ``None`` if unknown.

    Args:
        trouble: Why there are no pictures, if known already.
    """
    health = None if eye is None else eye.health()
    is_live = health is not None and health.rate_hz > 0
    return {
        "size_px": list(health.size_px) if health is not None and is_live else None,
        "rate_hz": health.rate_hz if health is not None and is_live else None,
        "trouble": trouble if trouble is not None or eye is None else eye.trouble(),
    }


LOOKING_S = 6.0
"""How long to look through a camera that gives pictures: finding and measuring the table takes some seconds."""

SIGHTS = ("tags", "focus", "light", "stickers")
"""The results of a look at the table, besides the camera."""

_LIGHT = {"exposure": "{:.0f}", "contrast": "{:.0f}", "glare": "{:.0%}", "noise": "{:.1f}", "flicker": "{:.1%}"}


def pins(try_out: Callable[[], tuple[str, ...]], *, busy: bool, library: str) -> Iterator[Finding]:
    """Test the pins: ``try_out`` switches everything on once and names what does not work.

    Args:
        try_out: ``hardware.self_test.run`` with its wiring and pins.
        busy: A companion runs and uses the pins.
        library: What drives the pins, in gpiozero's words; ``mock`` = none are used.
    """
    if library == "mock":
        yield Finding("pins", Level.INFO, in_words("pins.none"))
        return
    if busy:
        yield Finding("pins", Level.INFO, in_words("pins.busy"), in_words("pins.busy.do"))
        return
    wrong = try_out()
    for what in wrong:
        yield Finding("pins", Level.WARNING, in_words("pins.wrong", what=what), in_words("pins.wrong.do"))
    if not wrong:
        yield Finding("pins", Level.OK, in_words("pins.ok", library=library))


def lamps(left_out: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """The lamps of other packages that the settings name and that do not work.

    Args:
        left_out: Of each its key in ``[panel]`` and why, as ``hardware.lamps`` gives them.
    """
    for key, why in left_out:
        yield Finding("lamps", Level.WARNING, in_words("lamps.wrong", lamp=key, why=why), in_words("lamps.wrong.do"))


def in_english() -> Callable[[Text], str]:
    """The translation used by the command line."""
    language = Translations((*locale_folders(), *words()))
    return lambda text: language.say(text, "en", Names())


PATIENCE_S = 6.0
"""How long the doctor's page waits for the slowest check."""


def examination(folder: Path, running: Callable[[], JSON | None]) -> Callable[[], tuple[JSON, ...]]:
    """The checks of a running companion, for its host's page: ``{"name", "level", "what", "to_do"}``.

    ``what`` and ``to_do`` are ``Text``. The checks of one call run in parallel, never in the referee's thread; calls
    run one after the other.

    Args:
        running: This companion's health. It uses the camera and the pins, so both are only reported.
    """
    from hardware.pins import pin_library

    one = threading.Lock()

    def look() -> tuple[JSON, ...]:
        with one:
            health = running()
            more = (
                ("pins", lambda: pins(tuple, busy=True, library=pin_library())),
                ("lamps", lambda: lamps((health or {}).get("lamps", ()))),
                *camera_checks(None, folder, health),
            )
            findings = in_time(usual_checks(lambda: health, folder, more), PATIENCE_S)
            return tuple(finding_json(finding, lambda text: text) for finding in findings)

    return look


def in_time(checks: Sequence[tuple[str, Check]], seconds: float) -> list[Finding]:
    """All findings, in the order of the checks; a check that takes too long is reported and delays no other."""
    findings: dict[int, list[Finding]] = {}

    def work(place: int, check: tuple[str, Check]) -> None:
        findings[place] = list(examine([check]))

    workers = [threading.Thread(target=work, args=one, daemon=True) for one in enumerate(checks)]
    until = time.monotonic() + seconds
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(max(0.0, until - time.monotonic()))
    late = [[Finding(name, Level.WARNING, in_words("late"), in_words("late.do"))] for name, _ in checks]
    return [finding for place, missing in enumerate(late) for finding in findings.get(place, missing)]


def try_out_pins(folder: Path) -> tuple[str, ...]:
    """Switch everything on once; returns what does not work."""
    from hardware.off import wired
    from hardware.pins import pin_factory
    from hardware.self_test import run

    with closing(pin_factory()) as factory:
        return run(wired(folder / "settings.toml"), factory)


def try_out_lamps(folder: Path) -> tuple[tuple[str, str], ...]:
    """Open the lamps of other packages that the settings name; returns the key of each that does not work, and why."""
    from hardware.lamps import faults_of_lamps

    return faults_of_lamps(read_settings(folder).panel)


def camera_checks(source: str | None, folder: Path, running: JSON | None) -> tuple[tuple[str, Check], ...]:
    """Camera, tags, focus, light and stickers: from a running companion, or else by looking through the camera.

    Args:
        source: The camera given on the command line, if any.
        running: The health of the companion that runs here and uses the camera; ``None`` = none runs.
    """
    from hardware.pins import on_a_pi

    if isinstance(running, Mapping):
        return (("camera", partial(measured_finding, running)),)
    named = source or read_settings(folder).source or ("picamera" if on_a_pi() else None)
    if named is None:
        return (("camera", _no_camera),)
    return (("camera", lambda: _looked(named, folder)),)


def measured_finding(health: Mapping[str, Any]) -> Iterator[Finding]:
    """What the running companion sees; drawn pictures need no lamp, no focus and no larger stickers."""
    from vision.camera.trouble import Trouble

    if health.get("simulated"):
        yield Finding("camera", Level.OK, in_words("camera.drawn"))
        return
    source, state = str(health.get("source", "?")), health.get("camera", "none")
    if state == "camera":
        why = (health.get("pictures") or {}).get("trouble")
        said = f"camera.{why}" if why in {trouble.value for trouble in Trouble} else "camera.blind"
        yield Finding("camera", Level.TROUBLE, in_words(said, source=source), in_words(f"{said}.do"))
        yield from _unseen(in_words("unseen.pictures"))
        return
    if state == "none":
        yield Finding("camera", Level.INFO, in_words("camera.idle", source=source))
        yield from _unseen(in_words("unseen.looked"))
        return
    yield Finding("camera", Level.OK, in_words("camera.ok", source=source))
    yield from seen_finding(health.get("sight") or () if state == "ok" else ())


def seen_finding(sights: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """How well the table can be seen, as measured; one finding for each thing to do."""
    if not sights:
        yield Finding("tags", Level.TROUBLE, in_words("tags.none"), in_words("tags.none.do"))
        yield from _unseen(in_words("unseen.table"), SIGHTS[1:])
        return
    yield Finding("tags", Level.OK, in_words("tags.ok"))
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for finding in sights:
        by_name.setdefault(finding["name"], []).append(finding)
    for finding in by_name.get("sharpness", ()):
        what = in_words("focus.edges", value=f"{finding['value']:.1f}")
        if side := finding.get("side"):
            where = Text(f"referee.side.{side}")
            if finding["about"]:
                what = in_words("focus.place", zone=finding["about"], side=where)
            else:
                what = in_words("focus.side", value=f"{finding['value']:.1f}", side=where)
        yield _finding("focus", finding, what)
    bad = [finding for name in _LIGHT for finding in by_name.get(name, ()) if not finding["good"]]
    for finding in bad:
        what = in_words(f"light.{finding['name']}", value=_LIGHT[finding["name"]].format(finding["value"]))
        if finding["name"] == "glare" and finding["about"] and (side := finding.get("side")):
            what = in_words("light.mirrored", zone=finding["about"], side=Text(f"referee.side.{side}"))
            # Light is mirrored at the angle at which it comes.
            yield Finding("light", Level.WARNING, what, in_words("light.mirrored.do"))
            continue
        yield _finding("light", finding, what)
    if not bad:
        yield Finding("light", Level.OK, in_words("light.ok"))
    if "module_px" not in by_name:  # no sticker has been read
        yield Finding("light", Level.INFO, in_words("light.empty"), in_words("light.empty.do"))
    if sizes := by_name.get("module_px"):
        least = min(sizes, key=lambda finding: float(finding["value"]))
        zone, value = least["about"], f"{least['value']:.1f}"
        what = in_words("stickers.zone", value=value, zone=zone) if zone else in_words("stickers.size", value=value)
        yield _finding("stickers", least, what)
    for finding in by_name.get("reads", ()):
        if not finding["good"]:
            yield _finding(
                "stickers", finding, in_words("stickers.reads", token=finding["about"], share=f"{finding['value']:.0%}")
            )


def _finding(name: str, finding: Mapping[str, Any], what: Text) -> Finding:
    if finding["good"]:
        return Finding(name, Level.OK, what)
    return Finding(name, Level.WARNING, what, in_words(f"advice.{finding['advice']}"))


def _unseen(why: Text, names: Sequence[str] = SIGHTS) -> Iterator[Finding]:
    for name in names:
        yield Finding(name, Level.INFO, in_words("unseen", why=why))


def _no_camera() -> Iterator[Finding]:
    yield Finding("camera", Level.INFO, in_words("camera.none"), in_words("camera.none.do"))
    yield from _unseen(in_words("unseen.camera"))


def _looked(source: str, folder: Path) -> Iterator[Finding]:
    """Look at the table for some seconds and report how well it can be seen."""
    from vision.camera.picamera import missing_controls
    from vision.process.supervisor import OPENING_S, VisionProcess

    game = open_match(demo_match(), demo_deck()).game
    layout = read_settings(folder).layout or game.table.layout
    looks: list[str | None] = []
    ended: list[str | None] = []
    name = shown_source(source)
    kind, _, camera = source.partition(":")
    missing = missing_controls(camera) if kind == "picamera" else ()
    with VisionProcess(
        source,
        layout,
        sticker_codes(game),
        lambda look: looks.append(look.lost and look.lost.value),
        shapes=game.table.shapes,
        on_end=ended.append,
        live=False,  # one attempt is enough
    ) as eye:
        _wait(lambda: bool({*looks} - {"camera"} or ended), OPENING_S[0])  # a camera says itself why it gives nothing
        _wait(lambda: bool(eye.health() or ended), LOOKING_S)
        measured = sight(eye, cards=True)
        mirrored = not measured and "table" in looks and _is_mirrored(eye.snapshot(whole=True))
    if not measured and ended and ended[0]:
        yield Finding("camera", Level.TROUBLE, in_words("camera.refused", why=ended[0].removesuffix(".")))
        yield from _unseen(in_words("unseen.pictures"))
        return
    if not looks or set(looks) == {"camera"}:
        yield Finding("camera", Level.TROUBLE, in_words("camera.blind", source=name), in_words("camera.blind.do"))
        yield from _unseen(in_words("unseen.pictures"))
        return
    yield Finding("camera", Level.OK, in_words("camera.ok", source=name))
    if missing:
        what = in_words("camera.lacks", source=name, controls=", ".join(missing))
        yield Finding("camera", Level.INFO, what, in_words("camera.lacks.do"))
    if mirrored:
        yield Finding("tags", Level.TROUBLE, in_words("tags.mirrored"), in_words("tags.mirrored.do"))
        yield from _unseen(in_words("unseen.table"), SIGHTS[1:])
        return
    yield from seen_finding(measured)


def _is_mirrored(jpeg: bytes | None) -> bool:
    from vision.camera.packed import unpack
    from vision.codes.mirrored import shows_a_mirrored_table

    picture = unpack(jpeg) if jpeg else None
    return picture is not None and shows_a_mirrored_table(picture)


def _wait(done: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not done() and time.monotonic() < until:
        time.sleep(0.1)
