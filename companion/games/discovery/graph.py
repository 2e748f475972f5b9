"""The graph of prerequisites: eras from top to bottom, a line from each card down to those that require it.

A card's lines run down as one trunk, between the cards of the rows that they pass, and branch where they are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from companion.games.discovery.deck import ERA_COLOURS, ERAS, EVERY_ERA, FAMILY_NAMES, is_id
from companion.public.text import JSON

BOX = 132.0, 38.0
"""A card, in units of the drawing."""
GAP = 14.0
LANE = 34.0
"""Between two rows of one era, for lines."""
TRUNK = 9.0
"""Width of a trunk that passes a row."""
ERA_GAP = 62.0
HEAD, RIM = 64.0, 16.0
"""Space left of the cards, for the era's name, and around everything."""
SWEEPS = 8
"""Number of passes that improve the order in each row; more change nothing with 54 cards."""
WORDS = {"en": "Era {n}", "fr": "Ère {n}"}
LETTERS_IN_A_LINE = 24


@dataclass(frozen=True, slots=True)
class Placed:
    """The top left corner of a card's box, or the upper end of a trunk in a row."""

    x: float
    y: float


Level = tuple[int, list[str]]
"""A row: its era, and its cards together with the trunks that pass it."""
Places = dict[tuple[int, str], Placed]
"""By row and card: the position of its box or trunk."""


def graph(document: JSON, language: str) -> str:
    """The graph as the text of an SVG file, as large as necessary; cycles and missing cards are drawn as they are.

    Args:
        document: A deck file as JSON, faulty or not.
        language: Of names and texts.
    """
    rows = _rows(document)
    needs = {card: _needs(row, rows) for card, row in rows.items()}
    levels = _levels(rows, needs)
    places, eras, width = _places(levels)
    height = RIM + max((bottom for _, bottom in eras.values()), default=BOX[1])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="DejaVu Sans, Arial, sans-serif" font-size="12">',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *_bands(eras, width, language),
        *_lines(needs, places),
        *(
            _box(card, rows[card], place, language)
            for (row, card), place in places.items()
            if row == _first(levels, card)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rows(document: JSON) -> dict[str, Mapping[str, JSON]]:
    cards = document.get("card") if isinstance(document, Mapping) else None
    rows: dict[str, Mapping[str, JSON]] = {}
    for row in cards if isinstance(cards, list) else ():
        if isinstance(row, Mapping) and is_id(row.get("id")) and _entered(row):
            rows.setdefault(str(row["id"]), row)
    return dict(sorted(rows.items()))


def _entered(row: Mapping[str, JSON]) -> bool:
    return len(row) > 1


def _needs(row: Mapping[str, JSON], rows: Mapping[str, Mapping[str, JSON]]) -> tuple[str, ...]:
    needs = row.get("prerequisites")
    listed = needs if isinstance(needs, list) else []
    return tuple(dict.fromkeys(need for need in listed if isinstance(need, str) and need in rows and need != row["id"]))


def _levels(rows: Mapping[str, JSON], needs: Mapping[str, tuple[str, ...]]) -> list[Level]:
    """The cards in rows, each with its era: a card is below its prerequisites of the same era."""
    depths: dict[str, int] = {}

    def depth(card: str, path: frozenset[str]) -> int:
        if card not in depths:
            inner = [need for need in needs[card] if need[0] == card[0] and need not in path]
            depths[card] = max((depth(need, path | {need}) + 1 for need in inner), default=0)
        return depths[card]

    for card in rows:
        depth(card, frozenset({card}))
    levels = [
        (era, [card for card in rows if card[0] == str(era) and depths[card] == level])
        for era in EVERY_ERA
        for level in range(max((depths[card] for card in rows if card[0] == str(era)), default=0) + 1)
    ]
    return _ordered(levels, needs)


def _ordered(levels: list[Level], needs: Mapping[str, tuple[str, ...]]) -> list[Level]:
    """The rows with the trunks that pass them, each ordered by the mean position of its neighbours, so that fewer lines
    cross."""
    row_of = {card: row for row, (_, cards) in enumerate(levels) for card in cards}
    linked: dict[tuple[int, str], set[tuple[int, str]]] = {(row, card): set() for card, row in row_of.items()}
    for card, wanted in needs.items():
        for need in wanted:
            for row in range(row_of[need], row_of[card]):
                end = card if row + 1 == row_of[card] else need
                linked.setdefault((row, need), set()).add((row + 1, end))
                linked.setdefault((row + 1, end), set()).add((row, need))
    for node in sorted(linked):
        if node[1] not in levels[node[0]][1]:
            levels[node[0]][1].append(node[1])
    middles = {(row, card): float(at) for row, (_, cards) in enumerate(levels) for at, card in enumerate(cards)}
    for sweep in range(SWEEPS):
        rows = list(enumerate(levels))
        for row, (_, cards) in rows if sweep % 2 == 0 else reversed(rows):
            wanted_at = {
                card: _mean([middles[other] for other in linked[row, card]] or [middles[row, card]]) for card in cards
            }
            cards.sort(key=lambda card: (wanted_at[card], card))
            widths = [1.0 if row_of[card] == row else TRUNK / BOX[0] for card in cards]
            at = -sum(widths) / 2
            for card, wide in zip(cards, widths, strict=True):
                middles[row, card] = at + wide / 2
                at += wide
    return levels


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def _places(levels: list[Level]) -> tuple[Places, dict[int, tuple[float, float]], float]:
    """The position of each card and trunk, the vertical extent of each era, and the total width."""
    widths = [
        sum(BOX[0] + GAP if _first(levels, card) == row else TRUNK for card in cards)
        for row, (_, cards) in enumerate(levels)
    ]
    whole = max(*widths, 4 * HEAD)
    places: Places = {}
    eras: dict[int, tuple[float, float]] = {}
    y = RIM
    for row, (era, cards) in enumerate(levels):
        if era in eras:
            y += LANE
        elif eras:
            y += ERA_GAP
        x = RIM + HEAD + (whole - widths[row]) / 2
        for card in cards:
            wide = BOX[0] + GAP if _first(levels, card) == row else TRUNK
            places[row, card] = Placed(x + (GAP / 2 if wide > TRUNK else TRUNK / 2), y)
            x += wide
        eras[era] = eras.get(era, (y, y))[0], y + BOX[1]
        y += BOX[1]
    return places, eras, RIM + HEAD + whole + RIM


def _first(levels: list[Level], card: str) -> int:
    """The row of the card itself; its trunk only passes later ones."""
    return next(row for row, (_, cards) in enumerate(levels) if card in cards)


def _bands(eras: Mapping[int, tuple[float, float]], width: float, language: str) -> Iterator[str]:
    word = WORDS.get(language, WORDS["en"])
    for era, (top, bottom) in eras.items():
        place = f'x="6" y="{top - 10:g}" height="{bottom - top + 20:g}"'
        colour = ERA_COLOURS[(era - 1) % ERAS]
        yield f'<rect {place} width="{width - 12:g}" rx="10" fill="{colour}" fill-opacity="0.14"/>'
        yield f'<rect {place} width="6" rx="3" fill="{colour}"/>'
        yield f'<text x="18" y="{(top + bottom) / 2 + 4:g}" font-weight="bold">{word.format(n=era)}</text>'


def _lines(needs: Mapping[str, tuple[str, ...]], places: Places) -> Iterator[str]:
    """A line to each card from each of its prerequisites, in the colour of their era; dashed if it runs upwards."""
    own: dict[str, int] = {}
    for row, card in sorted(places):
        own.setdefault(card, row)
    for card, wanted in needs.items():
        row = own[card]
        end = places[row, card]
        in_order = sorted(wanted, key=lambda one: places.get((row - 1, one), places[own[one], one]).x)
        for at, need in enumerate(in_order, 1):
            start = places[own[need], need]
            points = [(start.x + BOX[0] / 2, start.y + BOX[1])]
            for passed in range(own[need] + 1, row):
                trunk = places[passed, need]
                points += [(trunk.x, trunk.y), (trunk.x, trunk.y + BOX[1])]
            points.append((end.x + BOX[0] * at / (len(wanted) + 1), end.y))
            back = ' stroke-dasharray="5 4"' if own[need] >= row else ""
            yield (
                f'<path d="{_path(points)}" fill="none" stroke="{_dark(ERA_COLOURS[int(need[0]) - 1])}" '
                f'stroke-width="1.6"{back} data-from="{need}" data-to="{card}"/>'
            )


def _path(points: list[tuple[float, float]]) -> str:
    """Straight down beside the cards of a row, curved between two rows."""
    (x, y), *others = points
    path = f"M{x:g} {y:g}"
    for step, (to_x, to_y) in enumerate(others):
        middle = (y + to_y) / 2
        path += f"V{to_y:g}" if step % 2 else f"C{x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y:g}"
        x, y = to_x, to_y
    return path


def _dark(colour: str) -> str:
    """A colour dark enough for a line on white."""
    return "#" + "".join(f"{int(int(colour[at : at + 2], 16) * 0.72):02x}" for at in (1, 3, 5))


def _box(card: str, row: Mapping[str, JSON], place: Placed, language: str) -> str:
    names = row.get("name")
    called = names if isinstance(names, Mapping) else {}
    name = _printable(str(called.get(language) or called.get("en") or next(iter(called.values()), "?")))
    family = FAMILY_NAMES.get(str(row.get("family")), {}).get(language, "?")
    unknown = "" if "prerequisites" in row else ' stroke-dasharray="4 3"'
    label = name if len(name) <= LETTERS_IN_A_LINE else f"{name[: LETTERS_IN_A_LINE - 1]}…"
    narrow = f' textLength="{BOX[0] - 14:g}" lengthAdjust="spacingAndGlyphs"' if len(label) > 16 else ""
    x, y = place.x, place.y
    return (
        f"<g data-card={quoteattr(card)}><title>{escape(f'{card} {name}')}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{BOX[0]:g}" height="{BOX[1]:g}" rx="5" fill="#ffffff" '
        f'stroke="#333333"{unknown}/>'
        f'<text x="{x + 7:g}" y="{y + 16:g}" font-weight="bold"{narrow}>{escape(label)}</text>'
        f'<text x="{x + 7:g}" y="{y + 31:g}" font-size="10" fill="#555555">{card} · {escape(family)}</text></g>'
    )


def _printable(words: str) -> str:
    """Text without characters that XML forbids."""
    return re.sub(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]", " ", words)
