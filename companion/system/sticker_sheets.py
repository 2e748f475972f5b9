"""The printed sheets: stickers for cards and tags for the mat, true to size, on plain paper or on labels.

The name and the number of every piece are inside the cut, so that a heap of cut pieces can still be sorted.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from companion.errors import InputError, fault
from companion.games.game_module import StickerLabel, StickerSet
from companion.games.printed import COUNTER_STICKER, counter_mm
from companion.public.codes import sticker_text
from companion.public.pictogram import PictogramOf
from companion.public.print_sizes import CODE_MODULES, STICKER_MODULES
from companion.public.table import Point, Token
from companion.system.printing.label_sheets import LabelSheet
from companion.system.printing.lettering import can_print, line_mm, plain, width_mm, wrapped
from companion.system.printing.page import (
    RULER_ROOM_MM,
    TAG_PAPER_MM,
    TAGS,
    Sheets,
    paper_mm,
)

TAG_PLACES = {
    "en": ("far left", "far right", "near right", "near left", "far edge", "right edge", "near edge", "left edge"),
    "fr": (
        "loin, gauche",
        "loin, droite",
        "près, droite",
        "près, gauche",
        "bord loin",
        "bord droit",
        "bord près",
        "bord gauche",
    ),
}
"""The places of tags 0 to 7, seen from seat 1."""

COMMAND_LABELS = {
    "KEND": {"en": "End of turn", "fr": "Fin du tour"},
    "KPASS": {"en": "Pass", "fr": "Passe"},
    "KSTOP": {"en": "Stop!", "fr": "Stop !"},
    "KUNDO": {"en": "Undo", "fr": "Annuler"},
    "KPAUSE": {"en": "Hold on", "fr": "Pause"},
    "KGO": {"en": "Go on", "fr": "Reprise"},
}
SEAT_LABEL = {"en": "Seat", "fr": "Place"}
TAG_WORD = {"en": "Tag", "fr": "Repère"}
HEADS = {
    "en": "{deck} · edition {edition} · stickers {size:g} mm",
    "fr": "{deck} · édition {edition} · étiquettes {size:g} mm",
}
UNPRINTED = {
    "en": "No letters here for the names of: {cards}",
    "fr": "Pas de caractères ici pour les noms de : {cards}",
}

_PT = 7.0
_LINE_MM = line_mm(_PT)
_COUNTER_PT = 4.0
_INSET_MM = 0.6
"""Between the words of a piece and its edge."""
_LEAST_BESIDE_MM = 11.0
"""The least width for words beside a code."""
_MARGIN_MM = 12.0
_HEAD_MM, _FOOT_MM = 14.0, 16.0
_GAP_MM = 7.0
_ROUNDING_MM = 1e-6
_PATCH_MM = 2.2
CUT = "#999999"
"""The colour of a cutting line that remains visible on a finished piece."""
_PICTOGRAM_MM, _PICTOGRAM_RIM_MM = 5.4, 0.8
_SIZES_MM = (12.0, 60.0)

TAG_TOKENS = tuple(f"TAG{number}" for number in range(len(TAGS)))
"""The names of the mat's tags, for printing single pieces."""


@dataclass(frozen=True, slots=True)
class PieceForm:
    """The layout of a piece: its code, with the words below it or, on a low label, beside it.

    Attributes:
        size_mm: The sticker with its white rim.
        words_mm: Width and height of the space for the words.
        beside: The words are to the right of the code.
    """

    size_mm: float
    words_mm: Point
    beside: bool = False

    @property
    def piece_mm(self) -> Point:
        """Width and height of what is cut out."""
        if self.beside:
            return self.size_mm + self.words_mm[0], max(self.size_mm, self.words_mm[1])
        return self.size_mm, self.size_mm + self.words_mm[1]


Item = StickerLabel | int
"""A sticker, or the number of a tag."""
T = TypeVar("T")
PlacedItem = tuple[Item, float, float]
"""An item and its top left corner from the page's, in millimetres."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A page of pieces of one form, and the lines between several on one label."""

    form: PieceForm
    items: Sequence[PlacedItem]
    cuts: tuple[tuple[Point, Point], ...] = ()


def labels(stickers: StickerSet, seats: int = 9) -> tuple[tuple[StickerLabel, ...], ...]:
    """All stickers in two groups: cards; then the game's others, command cards and seat tags."""
    return stickers.cards, (*stickers.others, *common_labels(seats))


def marked(label: StickerLabel, mark: str) -> StickerLabel:
    return replace(label, prefix=f"{label.prefix or label.token} · {mark}") if mark else label


def common_labels(seats: int = 9) -> tuple[StickerLabel, ...]:
    """The command cards and seat tags that all games share."""
    tags = (
        StickerLabel(Token(f"S{seat}"), {language: f"{word} {seat}" for language, word in SEAT_LABEL.items()})
        for seat in range(1, seats + 1)
    )
    return (*(StickerLabel(Token(token), names) for token, names in COMMAND_LABELS.items()), *tags)


def pdf(
    stickers: StickerSet,
    printed_on: datetime.date,
    *,
    size_mm: float = 20.0,
    paper: str = "a4",
    language: str = "en",
    pictogram_of: PictogramOf = lambda _: None,
    labels_of: LabelSheet | None = None,
    only: Collection[str] = (),
    mark: str = "",
) -> bytes:
    """All sheets of a deck: its stickers, then the tags of the mat. The same arguments give the same bytes.

    Args:
        size_mm: Outer edge of a sticker with its white rim.
        pictogram_of: What is drawn beside a sticker, to help find its card.
        labels_of: Print on these labels. The tags of the mat are too large for them and are left out; so are counters
            that are larger than the others and do not fit, unless they are in ``only``.
        only: Print only these, each given by token, card number or sticker text.
        mark: Printed on every piece, to tell two boxes apart; the codes do not change.

    Raises:
        InputError: A size or a paper that cannot be printed, or an unknown piece.
    """
    page_mm = paper_mm(paper) if labels_of is None else labels_of.page_mm
    if not _SIZES_MM[0] <= size_mm <= _SIZES_MM[1]:
        message = "A sticker measures {least} to {most} mm, not {size} mm."
        least, most = (f"{size:g}" for size in _SIZES_MM)
        raise InputError(fault("sheets.fault.size", message, least=least, most=most, size=f"{size_mm:g}"))
    groups, tags = _chosen(stickers, only)
    groups = tuple(tuple(marked(label, mark) for label in group) for group in groups)
    everything = [label for group in groups for label in group]
    form = _below(everything, language, size_mm)
    sheets: list[_Sheet] = []
    if labels_of is None:
        for group in groups:
            sheets += [_Sheet(form, page) for page in fill_rows(group, page_mm, lambda one: _room(one, form))]
        tag_mm = TAG_PAPER_MM, TAG_PAPER_MM + 2 * _LINE_MM
        sheets += [_Sheet(form, page) for page in fill_rows(tags, page_mm, lambda _: tag_mm)]
    else:
        for scale, is_round in dict.fromkeys((label.scale, label.round) for label in everything):
            alike = [label for label in everything if (label.scale, label.round) == (scale, is_round)]
            if scale == 1 or only or _wide(alike[0], size_mm) <= min(labels_of.label_mm):
                sheets += _on_labels(labels_of, alike, language, size_mm)
    head = HEADS.get(language, HEADS["en"]).format(deck=plain(stickers.deck), edition=stickers.edition, size=size_mm)
    paged = Sheets(page_mm, head)
    missing = unprintable(everything, language)
    for number, sheet in enumerate(sheets, 1):
        if labels_of is None:
            head_and_ruler(paged, head, f"{printed_on.isoformat()} · {number}/{len(sheets)}", language)
            if missing and number == 1:
                print_missing(paged, missing, language, 15.0)
        else:
            _label_margins(paged, labels_of, head, f"{number}/{len(sheets)}", language)
            for start, end in sheet.cuts:
                paged.line(*start, *end, colour=CUT)
        for item, x_mm, y_mm in sheet.items:
            if isinstance(item, StickerLabel):
                _piece(paged, item, language, x_mm, y_mm, sheet.form, marks=labels_of is None)
                if labels_of is None and (pictogram := pictogram_of(item.names)) is not None:
                    middle_mm = y_mm + (size_mm - _PICTOGRAM_MM) / 2
                    paged.pictogram(pictogram, x_mm + size_mm + _PICTOGRAM_RIM_MM, middle_mm, _PICTOGRAM_MM)
            else:
                mat_tag(paged, item, language, x_mm, y_mm)
        paged.turn()
    return paged.bytes()


def _chosen(
    stickers: StickerSet, only: Collection[str]
) -> tuple[tuple[tuple[StickerLabel, ...], ...], tuple[int, ...]]:
    """The stickers in their groups, and the tags; all of them, or only those in ``only``.

    Raises:
        InputError: An unknown piece.
    """
    groups, tags = labels(stickers), tuple(range(len(TAGS)))
    if not only:
        return groups, tags
    wanted = wanted_labels([label for group in groups for label in group], only, TAG_TOKENS)
    chosen = tuple(tuple(label for label in group if label.token in wanted) for group in groups)
    return chosen, tuple(number for number in tags if TAG_TOKENS[number] in wanted)


def wanted_labels(labels: Sequence[StickerLabel], only: Collection[str], others: Sequence[str] = ()) -> set[str]:
    """The tokens of the pieces in ``only``.

    Raises:
        InputError: There is no such piece.
    """
    by_name = {other: other for other in others}
    for label in labels:
        names = label.token, label.prefix, sticker_text(label.token, label.letters)
        by_name.update({name.upper(): label.token for name in names if name})
    unknown = [one for one in only if one.strip().upper() not in by_name]
    if unknown:
        message = 'There is no piece "{piece}" in this deck; name it as its sticker does: 1-8, C18, KEND, S2 or TAG0.'
        raise InputError(fault("sheets.fault.piece", message, piece=unknown[0]))
    return {by_name[one.strip().upper()] for one in only}


def unprintable(labels: Sequence[StickerLabel], language: str) -> tuple[str, ...]:
    """The numbers of pieces whose names have characters that no font here has."""
    return tuple(label.prefix or label.token for label in labels if _name(label, language) is None)


def _name(label: StickerLabel, language: str) -> str | None:
    """A piece's name on paper; ``None`` if it cannot be printed."""
    names = dict(label.names)
    name = plain(str(names.get(language) or names.get("en") or next(iter(names.values()), "")))
    return name if can_print(name) else None


# -- one piece ------------------------------------------------------------------------------------


def _below(items: Sequence[StickerLabel], language: str, size_mm: float) -> PieceForm:
    """Words below the code, with room for the longest name among these pieces."""
    room_mm = size_mm - 2 * _INSET_MM
    most = max((len(_words(label, language, room_mm)) for label in items if not label.round), default=1)
    return PieceForm(size_mm, (size_mm, most * _LINE_MM + _INSET_MM))


def _words(label: StickerLabel, language: str, room_mm: float) -> list[tuple[str, bool]]:
    """The lines of a piece, each with whether it is bold: its number and sticker text, then its name."""
    text, name = sticker_text(label.token, label.letters), _name(label, language)
    indent_mm = _PATCH_MM + 0.8 if label.colour else 0.0
    number = label.prefix or (label.token if name in (None, label.token) else "")
    both = f"{number} {text}".strip()
    if number and width_mm(both, _PT, bold=True) + indent_mm > room_mm:
        heads = [(number, True), *((line, False) for line in wrapped(text, room_mm, _PT))]
    else:
        heads = [(line, True) for line in wrapped(both, room_mm, _PT, True, indent_mm)]
    named = [] if name in (None, text, label.token) else [(line, False) for line in wrapped(name or "", room_mm, _PT)]
    return [*heads, *named]


def _wide(label: StickerLabel, size_mm: float) -> float:
    """The width of a sticker when cut, or of a counter for stickers of this size."""
    return counter_mm(label.scale * size_mm) if label.round else label.scale * size_mm


def _room(label: StickerLabel, form: PieceForm) -> Point:
    """Width and height of a piece on plain paper; counters of another size have their words below, too."""
    more_mm = _wide(label, form.size_mm) - form.size_mm
    return form.piece_mm[0] + more_mm, form.piece_mm[1] + more_mm


def _piece(
    paged: Sheets, label: StickerLabel, language: str, x_mm: float, y_mm: float, form: PieceForm, *, marks: bool
) -> None:
    """Draw a code with its words, all of it inside the cut."""
    size_mm = _wide(label, form.size_mm)
    side_mm = COUNTER_STICKER * form.size_mm * label.scale if label.round else size_mm
    code_mm = side_mm * CODE_MODULES / STICKER_MODULES
    rim_mm = (size_mm - code_mm) / 2
    paged.code(label.token, label.letters, x_mm + rim_mm, y_mm + rim_mm, code_mm)
    if label.round:
        counter_ring(paged, label, language, x_mm + size_mm / 2, y_mm + size_mm / 2, size_mm / 2)
        text = sticker_text(label.token, label.letters)
        if form.beside:
            paged.words(text, x_mm + size_mm + _INSET_MM, y_mm + size_mm / 2 + 0.3 * _LINE_MM, _PT)
        else:
            paged.words(text, x_mm + size_mm / 2, y_mm + size_mm + _LINE_MM, _PT, align="middle")
        return
    if marks:
        paged.crop(x_mm, y_mm, *form.piece_mm)
    room_mm = form.words_mm[0] - 2 * _INSET_MM
    lines = _words(label, language, room_mm)
    left_mm = x_mm + _INSET_MM + (size_mm if form.beside else 0)
    top_mm = y_mm + ((form.piece_mm[1] - len(lines) * _LINE_MM) / 2 if form.beside else size_mm - _INSET_MM / 2)
    for at, (words, bold) in enumerate(lines):
        base_mm = top_mm + at * _LINE_MM + 0.8 * _LINE_MM
        indent_mm = 0.0
        if at == 0 and label.colour is not None:
            paged.box(left_mm + 0.1, base_mm - 2.0, _PATCH_MM, _PATCH_MM, label.colour, line_pt=0.3)
            indent_mm = _PATCH_MM + 0.8
        paged.words(words, left_mm + indent_mm, base_mm, _PT, bold=bold)


def counter_ring(paged: Sheets, label: StickerLabel, language: str, x_mm: float, y_mm: float, radius_mm: float) -> None:
    """Draw a counter's cutting line; inside it, the name above the code and the number below."""
    paged.circle(x_mm, y_mm, radius_mm)
    paged.words(label.prefix, x_mm, y_mm + radius_mm - 0.45, _COUNTER_PT, bold=True, align="middle")
    name = _name(label, language)
    if name is not None:
        paged.words(name, x_mm, y_mm - radius_mm + 1.45, _COUNTER_PT, align="middle")


def mat_tag(paged: Sheets, number: int, language: str, x_mm: float, y_mm: float) -> None:
    """Draw a tag of the mat inside its white rim, with its number and place, and crop marks around them."""
    cell_mm = (TAG_PAPER_MM - 36.0) / 2
    paged.tag(number, x_mm + cell_mm, y_mm + cell_mm)
    height_mm = TAG_PAPER_MM + _LINE_MM
    paged.crop(x_mm, y_mm, TAG_PAPER_MM, height_mm)
    where = TAG_PLACES.get(language, TAG_PLACES["en"])[number]
    words = f"{TAG_WORD.get(language, TAG_WORD['en'])} {number}: {where}"
    paged.words(words, x_mm + TAG_PAPER_MM / 2, y_mm + height_mm - 1.2, _PT + 1, bold=True, align="middle")


# -- pages ----------------------------------------------------------------------------------------


def fill_rows(
    items: Iterable[T], page_mm: Point, room_mm: Callable[[T], Point]
) -> Iterator[list[tuple[T, float, float]]]:
    """Arrange items on pages, in rows from the top left; yields each page's items with their top left corners.

    Args:
        room_mm: Width and height of an item. A row is as high as its highest item.
    """
    right_mm, low_mm = page_mm[0] - _MARGIN_MM, page_mm[1] - _FOOT_MM - _MARGIN_MM + 6
    top_mm = _HEAD_MM + 6
    page: list[tuple[T, float, float]] = []
    x, y, row_mm = _MARGIN_MM, top_mm, 0.0
    for item in items:
        wide, high = room_mm(item)
        if x + wide > right_mm + _ROUNDING_MM and page:
            x, y, row_mm = _MARGIN_MM, y + row_mm + _GAP_MM, 0.0
        if y + high > low_mm + _ROUNDING_MM and page:
            yield page
            page, x, y, row_mm = [], _MARGIN_MM, top_mm, 0.0
        page.append((item, x, y))
        x, row_mm = x + wide + _GAP_MM, max(row_mm, high)
    if page:
        yield page


def head_and_ruler(paged: Sheets, title: str, corner: str, language: str) -> None:
    """Draw the sheet's title, and a ruler of 100 mm for checking the size."""
    paged.words(title, _MARGIN_MM, 10, 9, bold=True)
    paged.words(corner, paged.width_mm - _MARGIN_MM, 10, 8, align="right")
    paged.ruler(language, paged.height_mm - 9)


def print_missing(paged: Sheets, missing: Sequence[str], language: str, base_mm: float) -> None:
    """Print which names have characters that no font here has."""
    words = UNPRINTED.get(language, UNPRINTED["en"]).format(cards=", ".join(missing))
    paged.words(wrapped(words, paged.width_mm - 2 * _MARGIN_MM, _PT)[0], _MARGIN_MM, base_mm, _PT)


def _on_labels(sheet: LabelSheet, items: Sequence[StickerLabel], language: str, size_mm: float) -> list[_Sheet]:
    """Pieces of one size on the labels, several on a large one, with the cuts between them.

    Raises:
        InputError: A code of this size with its name is larger than a label.
    """
    wide, high = sheet.label_mm
    form, code_mm = _below(items, language, size_mm), _wide(items[0], size_mm)
    piece_mm = _room(items[0], form)
    columns, rows = int(wide // piece_mm[0]), int(high // piece_mm[1])
    if columns * rows == 0:
        columns = rows = 1
        form = PieceForm(size_mm, (wide - code_mm, high), beside=True)
        room_mm = form.words_mm[0] - 2 * _INSET_MM
        fits = form.words_mm[0] >= _LEAST_BESIDE_MM and code_mm <= high
        if not fits or max(len(_words(label, language, room_mm)) for label in items) * _LINE_MM > high:
            message = "A sticker of {size} mm with its name does not fit on labels of {wide} × {high} mm ({labels})."
            sizes = {"size": f"{code_mm:g}", "wide": f"{wide:g}", "high": f"{high:g}"}
            raise InputError(fault("sheets.fault.label_small", message, labels=sheet.name, **sizes))
        piece_mm = wide, high
    across, down = wide / columns, high / rows
    spare = max(across - piece_mm[0], 0.0) / 2, max(down - piece_mm[1], 0.0) / 2
    places: list[Point] = []
    cuts: list[tuple[Point, Point]] = []
    for x, y in sheet.places_mm:
        places += [
            (x + column * across + spare[0], y + row * down + spare[1])
            for row in range(rows)
            for column in range(columns)
        ]
        cuts += [((x + column * across, y), (x + column * across, y + high)) for column in range(1, columns)]
        cuts += [((x, y + row * down), (x + wide, y + row * down)) for row in range(1, rows)]
    return [
        _Sheet(form, [(label, *place) for label, place in zip(items[first:], places, strict=False)], tuple(cuts))
        for first in range(0, len(items), len(places))
    ]


def _label_margins(paged: Sheets, sheet: LabelSheet, title: str, corner: str, language: str) -> None:
    """Draw the ruler below the labels and the title above them, if there is room."""
    last_mm = sheet.places_mm[-1][1] + sheet.label_mm[1]
    if paged.height_mm - last_mm >= RULER_ROOM_MM:
        paged.ruler(language, paged.height_mm - 4.6)
    if sheet.first_mm[1] >= RULER_ROOM_MM:
        paged.words(f"{title} · {sheet.name} · {corner}", _MARGIN_MM, 7, 7)
