"""How well the table can be seen, with one piece of advice for each fault."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.public.layout import Layout
from companion.public.print_sizes import LEAST_MODULE_PX, STICKER_MODULES
from companion.public.table import Point, Token, Zone, side_of
from vision.camera.frame import Frame, Gray
from vision.geometry.homography import Geometry
from vision.geometry.quads import Points
from vision.messages import Measurement, ViewQuality
from vision.motion.tiles import median
from vision.tracking.track import Track

STICKER_FROM_CORNER_MM = 25.0
"""A sticker's centre is never nearer to the corner of a zone; its card would leave the zone."""

LARGEST_MODULE_MM = 30 / STICKER_MODULES
"""Of the largest usual stickers; a picture too blurred for them is too blurred."""

TAG_CELLS = 48
"""The number of cells across a tag's black square in which it is sampled."""

UNKNOWN_EDGE_PX = 9.0
"""The width of edges where every tag is covered."""

PAPER_DN = (85.0, 245.0)
"""Darker than this a picture is read less well, brighter its stickers are burnt out. Between 85 and 110 as many codes
were read as above (seven path-traced tables at seven exposures, with the noise of a small sensor), and fewer lay in the
mirror of a lamp.
"""
CONTRAST_DN = 60.0
GLARE_SHARE = 0.3
"""Of a sticker's width, that a lamp's mirror image may take where things lie. A burnt-out sticker has no square of a
quarter of its width that is all white, and that is how wide the least mirror image is."""
LEAST_GLARE = 0.25
GLARE_DN = 250
NOISE_DN = 9.0
FLICKER_SHARE = 0.02
READ_SHARE = 0.7
LEAST_TRIES = 10


@dataclass(frozen=True, slots=True)
class BlurredPlace:
    """A place seen through a smudge on the lens.

    Attributes:
        edge_px: The width of an edge there.
    """

    zone: Zone
    at_mm: Point
    edge_px: float


def measure_view(
    frame: Frame,
    geometry: Geometry,
    layout: Layout,
    tracks: Mapping[Token, Track],
    module_mm: float | None,
    reads: Mapping[Token, tuple[int, int]],
    bands: float = 0.0,
    blurred: Sequence[BlurredPlace] = (),
) -> ViewQuality:
    """Measure a frame in which the table was found.

    Args:
        module_mm: The width of a module of the stickers used; ``None`` until one has been read: then it is unknown
            whether they are large enough.
        reads: By token, the number of successful and of all attempts while it lay in plain view.
        bands: The relative difference in the brightness of rows between frames.
        blurred: Blurred places, even if the tags are sharp.
    """
    worst = [(name, _least_px_per_mm(geometry, places)) for name, places in _places(layout, geometry)]
    findings = [_size(name, px_per_mm * module_mm) for name, px_per_mm in worst] if module_mm else []
    zone, px_per_mm = min(worst, key=lambda place: place[1])
    findings.append(Measurement("px_per_mm", px_per_mm, True, zone))
    white, black, edges_px = _tags(frame.gray, geometry)
    edge_px = statistics.median(edges_px.values()) if edges_px else UNKNOWN_EDGE_PX
    is_sharp = edge_px <= _widest_edge_px(px_per_mm * (module_mm or LARGEST_MODULE_MM))
    findings.append(Measurement("sharpness", edge_px, is_sharp, advice="clean-lens-or-focus"))
    if is_sharp:
        findings += _soft_corners(edges_px, geometry, module_mm or LARGEST_MODULE_MM)
    findings += _smudges(blurred, layout)
    findings.append(Measurement("exposure", white, PAPER_DN[0] <= white <= PAPER_DN[1], advice=_light(white)))
    findings.append(Measurement("contrast", white - black, white - black >= CONTRAST_DN, advice="more-light"))
    findings += _glare(frame.gray, geometry, layout, STICKER_MODULES * (module_mm or LARGEST_MODULE_MM))
    noise = _noise(frame.gray, geometry)
    findings.append(Measurement("noise", noise, noise <= NOISE_DN, advice="more-light"))
    findings.append(Measurement("flicker", bands, bands <= FLICKER_SHARE, advice="other-lamp-or-mains-frequency"))
    for token in sorted(set(reads) & set(tracks)):
        hits, tries = reads[token]
        if tries >= LEAST_TRIES:
            findings.append(
                Measurement("reads", hits / tries, hits / tries >= READ_SHARE, str(token), "clean-or-reprint-sticker")
            )
    return ViewQuality(tuple(_plain(finding) for finding in findings), frame.taken_s)


def _plain(finding: Measurement) -> Measurement:
    """A good finding needs no advice."""
    return Measurement(finding.name, finding.value, True, finding.about) if finding.good else finding


def paper_dn(gray: Gray, geometry: Geometry) -> float | None:
    """The grey level of the tags' paper, of 255; ``None`` if every tag is covered."""
    white, _, _ = _tags(gray, geometry)
    return white or None


def _widest_edge_px(module_px: float) -> float:
    """The widest edges with which stickers with modules of this width are read."""
    return 0.55 * module_px + 0.4


def _soft_corners(edges_px: Mapping[int, float], geometry: Geometry, module_mm: float) -> list[Measurement]:
    """One finding for each side of the table at which a tag is blurred: lenses are softer there than in the middle.

    Args:
        edges_px: By tag, the width of its edges.
    """
    soft: dict[str, float] = {}
    for tag, edge_px in edges_px.items():
        x_mm, y_mm = geometry.to_mm([geometry.tags_px[tag].mean(0)])[0].tolist()
        if edge_px > _widest_edge_px(geometry.least_px_per_mm(x_mm, y_mm) * module_mm):
            width_mm, depth_mm = geometry.size_mm
            across, down = min(max(x_mm / width_mm, 0.0), 1.0), min(max(y_mm / depth_mm, 0.0), 1.0)
            side = side_of(across, down)
            soft[side] = max(soft.get(side, 0.0), edge_px)
    return [
        Measurement("sharpness", edge_px, False, "", "wipe-lens-or-larger-stickers", side)
        for side, edge_px in sorted(soft.items())
    ]


def _smudges(blurred: Sequence[BlurredPlace], layout: Layout) -> list[Measurement]:
    """One finding for each side of a zone that is blurred."""
    worst: dict[tuple[Zone, str], float] = {}
    for place in blurred:
        zone = next((shape for shape in layout.zones if shape.name == place.zone), None)
        if zone is None:
            continue
        low, high = np.min(zone.polygon_mm, axis=0), np.max(zone.polygon_mm, axis=0)
        across, down = ((np.asarray(place.at_mm) - low) / np.maximum(high - low, 1.0)).clip(0.0, 1.0).tolist()
        where = place.zone, side_of(across, down)
        worst[where] = max(worst.get(where, 0.0), place.edge_px)
    return [
        Measurement("sharpness", edge_px, False, str(zone), "wipe-lens", side)
        for (zone, side), edge_px in sorted(worst.items())
    ]


def _places(layout: Layout, geometry: Geometry) -> list[tuple[str, Sequence[Point]]]:
    """Every zone with its corners; without zones the table's."""
    width, height = geometry.size_mm
    if layout.zones:
        return [(str(zone.name), zone.polygon_mm) for zone in layout.zones]
    return [("", ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)))]


def _least_px_per_mm(geometry: Geometry, places_mm: Sequence[Point]) -> float:
    """Pixels per millimetre at the worst of these places; stickers lie inside, half a card from the edge."""
    middle = np.mean(np.asarray(places_mm), axis=0)
    inwards = middle - np.asarray(places_mm)
    reach = np.maximum(np.linalg.norm(inwards, axis=1, keepdims=True), STICKER_FROM_CORNER_MM)
    return min(geometry.least_px_per_mm(*at) for at in np.asarray(places_mm) + inwards / reach * STICKER_FROM_CORNER_MM)


def _size(name: str, module_px: float) -> Measurement:
    return Measurement("module_px", module_px, module_px >= LEAST_MODULE_PX, name, "lower-camera-or-larger-stickers")


def _tags(gray: Gray, geometry: Geometry) -> tuple[float, float, dict[int, float]]:
    """Brightness of the tags' paper and ink, averaged, and the width of the edges of each; of those in plain view."""
    whites, blacks, edges = list[float](), list[float](), dict[int, float]()
    for number, quad in geometry.tags_px.items():
        side_px = float(np.linalg.norm(quad[1] - quad[0]))
        fine = max(1, math.ceil(2 * side_px / TAG_CELLS))  # two samples per pixel: fewer would blur a sharp edge
        piece = _square(gray, quad, fine)
        ring, core = piece[: 4 * fine].mean(), piece[12 * fine : 16 * fine, 12 * fine : 52 * fine].mean()
        if ring - core < 20:
            continue  # covered
        whites.append(float(ring))
        blacks.append(float(core))
        profile = piece[: 20 * fine, 20 * fine : 44 * fine].mean(1)
        slope = float(np.abs(np.diff(profile)).max())
        # The steepest slope of a step blurred by sigma is its height divided by sigma and the root of 2 pi.
        edges[number] = float((ring - core) / max(slope, 1e-3) / 2.5066 * side_px / (TAG_CELLS * fine))
    if not whites:
        return 0.0, 0.0, {}
    return statistics.median(whites), statistics.median(blacks), edges


def _square(gray: Gray, quad: Points, fine: int) -> Gray:
    """A tag with paper around it, 64 cells wide with ``fine`` samples each; the black square takes 48 of them."""
    flat = fine * np.array([(8, 8), (56, 8), (56, 56), (8, 56)], np.float32)
    turn = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    return np.asarray(cv2.warpPerspective(gray, turn, (64 * fine, 64 * fine)), np.uint8)


def _glare(gray: Gray, geometry: Geometry, layout: Layout, sticker_mm: float) -> list[Measurement]:
    """How much of a sticker a lamp's mirror image would take: one finding for each side of a zone where that is much,
    or one for the whole table.

    It is weighed where things are laid: in zones, a tag's width from the tags.
    """
    width, height = geometry.size_mm
    px_per_mm = geometry.px_per_mm(width / 2, height / 2)
    side_px = max(8, round(sticker_mm * px_per_mm))
    bright = (gray >= GLARE_DN).astype(np.uint8)
    for quad in geometry.tags_px.values():
        middle = quad.mean(0)
        cv2.fillConvexPoly(bright, np.round(middle + 2 * (quad - middle)).astype(np.int32), 0)
    least = np.ones((max(2, round(LEAST_GLARE * side_px)),) * 2, np.uint8)
    solid = cv2.morphologyEx(bright, cv2.MORPH_OPEN, least).astype(np.float32)
    if not solid.any():
        return [Measurement("glare", 0.0, True, advice="move-lamp")]
    taken = cv2.blur(solid, (side_px, side_px), borderType=cv2.BORDER_CONSTANT)
    worst: dict[tuple[str, str], float] = {}
    largest = 0.0
    for name, polygon_mm in _places(layout, geometry):
        inside = np.zeros(gray.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(geometry.to_px(polygon_mm)).astype(np.int32)], 1)
        _, share, _, (x, y) = cv2.minMaxLoc(taken, inside)
        largest = max(largest, share)
        if share > GLARE_SHARE:
            low, high = np.min(polygon_mm, axis=0), np.max(polygon_mm, axis=0)
            at_mm = geometry.to_mm([(x, y)])[0]
            across, down = ((at_mm - low) / np.maximum(high - low, 1.0)).clip(0.0, 1.0).tolist()
            worst[name, side_of(across, down)] = share
    if not worst:
        return [Measurement("glare", largest, True, advice="move-lamp")]
    return [
        Measurement("glare", share, False, name, "move-lamp", side) for (name, side), share in sorted(worst.items())
    ]


def _noise(gray: Gray, geometry: Geometry) -> float:
    """Sigma of the noise in the middle of the table, where neighbouring pixels should be equal."""
    x, y = geometry.to_px([(geometry.size_mm[0] / 2, geometry.size_mm[1] / 2)])[0]
    piece = gray[max(0, int(y) - 200) : int(y) + 200, max(0, int(x) - 200) : int(x) + 200].astype(np.float32)
    if min(piece.shape) < 8:
        return 0.0
    # Immerkaer's mask ignores slopes, so artwork and cloth matter little; the median ignores edges.
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    return median(np.abs(cv2.filter2D(piece, cv2.CV_32F, mask)).ravel()) / 0.6745 / 6


def _light(white: float) -> str:
    return "more-light" if white < PAPER_DN[0] else "less-light"
