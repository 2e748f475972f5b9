"""Photographs of cards that nobody has entered yet: drawn in a browser in any typeface, then tilted, blurred and lit.

The cards are laid out as the rule book describes the real ones: the name at the top, the prerequisites at the bottom,
each with its era, and the family's symbol at the bottom right. It shares no code with the
companion's own cards.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import segno
from playwright.sync_api import Browser

from companion.public.codes import sticker_text
from companion.public.table import Token

PX_PER_MM = 12
MARGIN_MM = 8
WIDE_PX = 2900
NAMES = """
Glanage; Clan; Bâton à fouir; Abri sous roche; Coquillages; Migration; Danse; Braconnage; Empreintes
Braise; Couteau de silex; Grillade; Tente; Langage; Sagaie; Foyer commun; Plantes amères; Traversée
Aiguille à chas; Pirogue; Corde tressée; Chien de garde; Flûte en os; Statuette; Tombeau; Harpon; Année lunaire
Blé; Brebis; Four à poterie; Hameau; Chariot; Bronze; Cunéiforme; Cité fortifiée; Géométrie
Boussole; Galion; Presse à bras; Lunette astronomique; Vaccin; Parlement; Machine à vapeur; Opéra; Chemin de fer
Ampoule; Avion à réaction; Pénicilline; Ordinateur; Droits civiques; Fusée lunaire; Réseau mondial; Robot; Permaculture
"""
"""54 names, nine an era, in the order of the cards; none of them is in the demo deck but by chance."""
ERAS = ["#f0e442", "#e69f00", "#d55e00", "#cc79a7", "#3f8fc0", "#2fae80"]
SYMBOLS = "▲●■◆★✚⬟"


def invented_deck(seed: int = 5) -> list[dict[str, Any]]:
    """54 cards: ``{"id", "name", "needs": ids, "family": 0 to 6}``; most need two or three earlier ones."""
    dice = random.Random(seed)
    names = [[name.strip() for name in line.split(";")] for line in NAMES.strip().splitlines()]
    cards: list[dict[str, Any]] = []
    for era, row in enumerate(names, 1):
        for number, name in enumerate(row, 1):
            earlier = [card["id"] for card in cards if int(card["id"][0]) >= era - 1]
            count = min(len(earlier), 0 if era == 1 and number < 4 else dice.choice((1, 2, 2, 3)))
            needs = sorted(dice.sample(earlier, count))
            cards.append({"id": f"{era}-{number}", "name": name, "needs": needs, "family": dice.randrange(7)})
    return cards


def drawn(
    cards: Sequence[dict[str, Any]], typeface: str, chromium: Browser, deck: Sequence[dict[str, Any]]
) -> list[np.ndarray]:
    """Each of these cards of a deck as a picture of 63 × 88 mm at ``PX_PER_MM``."""
    names = {card["id"]: card["name"] for card in deck}
    page = chromium.new_page(device_scale_factor=2)
    mm = PX_PER_MM / 2
    made = []
    for card in cards:
        needs = "".join(f"<p><i>{one[0]}</i> {names[one]}</p>" for one in card["needs"])
        code = segno.make(sticker_text(Token(f"C{card['id'][0]}{card['id'][2]}")), version=1, error="h", micro=False)
        page.set_content(
            f"""<style>body{{margin:0}} #card{{position:relative;width:{63 * mm}px;height:{88 * mm}px;overflow:hidden;
            font-family:'{typeface}';background:#fdfaf0;border-radius:{3 * mm}px}}
            #card>*{{position:absolute;margin:0}} p{{margin:0}} i{{font-style:normal;font-weight:700}}
            #name{{left:{26 * mm}px;right:{3 * mm}px;top:{4 * mm}px;font-size:{4.8 * mm}px;
            font-weight:700;line-height:1.1}}
            #picture{{left:0;right:0;top:{29 * mm}px;height:{31 * mm}px;
            background:radial-gradient(circle at 30% 60%,{ERAS[int(card["id"][0]) - 1]},#8a7a60)}}
            #needs{{left:{4 * mm}px;top:{66 * mm}px;font-size:{3.1 * mm}px;line-height:1.35}}
            #symbol{{right:{4 * mm}px;bottom:{2 * mm}px;font-size:{9 * mm}px}}
            #code{{left:{4 * mm}px;top:{4 * mm}px;width:{20 * mm}px;height:{20 * mm}px;background:#fff}}</style>
            <div id=card><img id=code src="{code.svg_data_uri(border=2)}"><div id=name>{card["name"]}</div>
            <div id=picture></div><div id=needs>{needs}</div><div id=symbol>{SYMBOLS[card["family"]]}</div></div>"""
        )
        page.evaluate("document.fonts.ready")
        png = page.locator("#card").screenshot()
        made.append(np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)))
    page.close()
    return made


def photographed(cards: Sequence[np.ndarray], dice: random.Random, columns: int = 3) -> bytes:
    """Cards side by side on a wooden table, as a phone held by hand takes them: tilted up to 20°, a little out of
    focus, lit from one side, with the sensor's noise, as a JPEG file of some 8 million pixels."""
    step = [round((side + MARGIN_MM) * PX_PER_MM) for side in (63, 88)]
    rows = -(-len(cards) // columns)
    grain = np.random.default_rng(dice.randrange(2**32))
    wide, high = columns * step[0] + step[0] // 2, rows * step[1] + step[1] // 4
    wood = np.full((high, wide, 3), (70, 100, 140), np.float32)
    wood += cv2.GaussianBlur(grain.normal(0, 40, (high, wide, 1)).astype(np.float32), (0, 0), 3)[..., None] * 3
    for place, card in enumerate(cards):
        tall, broad = card.shape[:2]
        x = step[0] // 4 + place % columns * step[0] + dice.randint(-20, 20)
        y = step[1] // 8 + place // columns * step[1] + dice.randint(-20, 20)
        pad = MARGIN_MM * PX_PER_MM // 2
        size = broad + 2 * pad, tall + 2 * pad
        turn = cv2.getRotationMatrix2D((broad / 2, tall / 2), dice.uniform(-2, 2), 1)
        turn[:, 2] += pad
        mask = cv2.warpAffine(_round_corners(tall, broad), turn, size, flags=cv2.INTER_LINEAR)[..., None]
        laid = cv2.warpAffine(card.astype(np.float32), turn, size, flags=cv2.INTER_LINEAR)
        top, left = max(0, y - pad), max(0, x - pad)
        under = wood[top : top + size[1], left : left + size[0]]
        mask, laid = mask[: under.shape[0], : under.shape[1]], laid[: under.shape[0], : under.shape[1]]
        under[:] = under * (1 - mask) + laid * mask
    out = WIDE_PX, round(WIDE_PX * high / wide)
    near = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    tilt = [dice.uniform(0, 0.09) for _ in range(8)]
    seen = np.array(
        [
            (out[0] * tilt[0], out[1] * tilt[1]),
            (out[0] * (1 - tilt[2]), out[1] * tilt[3]),
            (out[0] * (1 - tilt[4]), out[1] * (1 - tilt[5])),
            (out[0] * tilt[6], out[1] * (1 - tilt[7])),
        ],
        np.float32,
    )
    photo = cv2.warpPerspective(wood, cv2.getPerspectiveTransform(near, seen), out, flags=cv2.INTER_AREA)
    photo = cv2.GaussianBlur(photo, (0, 0), dice.uniform(0.7, 1.4))
    ramp = np.linspace(dice.uniform(0.5, 0.8), dice.uniform(0.9, 1.1), out[0], dtype=np.float32)
    photo = photo * ramp[None, :, None] * np.array([dice.uniform(0.8, 1), 1, dice.uniform(0.95, 1.1)], np.float32)
    photo = photo + grain.normal(0, 4, photo.shape)
    return bytes(cv2.imencode(".jpg", np.clip(photo, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def _round_corners(tall: int, broad: int) -> np.ndarray:
    mask = np.zeros((tall, broad), np.float32)
    radius = 3 * PX_PER_MM
    cv2.rectangle(mask, (radius, 0), (broad - radius, tall), 1, -1)
    cv2.rectangle(mask, (0, radius), (broad, tall - radius), 1, -1)
    for x in (radius, broad - radius):
        for y in (radius, tall - radius):
            cv2.circle(mask, (x, y), radius, 1, -1)
    return mask
