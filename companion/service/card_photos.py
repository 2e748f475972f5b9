"""Cards read from photographs, kept until the host confirms them: no deck changes without confirmation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping

from companion.errors import InputError
from companion.games.registry import demo_deck, game_module
from companion.public.card_reading import LAYOUTS, CardLayout, CardReading
from companion.public.codes import sticker_text
from companion.public.results import CardsRead, ReadCard, ReadCards, ReadingGone
from companion.public.service import Denied, Done, Invalid, NotFound, Result, Role, Unavailable, User
from companion.public.text import JSON, Text
from companion.service.box_checker import why_not_look
from companion.service.card_proposals import proposed_needs, proposed_title, says_nothing
from companion.service.runner import MatchRunner

MOST_DECKS = 3
"""Readings are kept for this many decks at once; with one more, the oldest are dropped."""


class CardPhotos:
    """The cards of each deck as photographs show them.

    Args:
        runner: Knows whether a match is in play; then no cards may be laid under the camera to be read.
        simulated: The table is simulated.
        picture: The camera's whole picture as a file, if there is one.
        read: The cards with these stickers in a picture; raises InputError.
        can_read: Whether words can be read; otherwise pieces of the picture are only cut out.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        simulated: bool,
        picture: Callable[[], bytes | None],
        read: Callable[[bytes, Collection[str], CardLayout], tuple[CardReading, ...]],
        can_read: Callable[[], bool],
    ) -> None:
        self._runner = runner
        self._simulated = simulated
        self._picture = picture
        self._read = read
        self._can_read = can_read
        self._held: dict[str, dict[str, CardReading]] = {}
        self._one = threading.Lock()
        labels = game_module().decks.stickers(demo_deck()).cards
        self._cards = {sticker_text(label.token, label.letters): label.prefix for label in labels}

    def take(self, user: User, deck: str, picture: bytes | None, layout: str) -> Result[CardsRead]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        if picture is None:
            if (no := why_not_look(self._runner, user, simulated=self._simulated)) is not None:
                return no
            picture = self._picture()
            if picture is None:
                return Unavailable(Text("desk.check_unseen"))
        with self._one:  # one photograph at a time: the referee needs the processor too
            try:
                readings = self._read(picture, self._cards, LAYOUTS.get(layout, LAYOUTS["box"]))
            except InputError as wrong:
                return Invalid.of(wrong)
            held = self._held.pop(deck, {})
            self._held[deck] = held | {self._cards[one.text]: one for one in readings}
            for oldest in list(self._held)[:-MOST_DECKS]:
                del self._held[oldest]
        return Done({"read": sorted(self._cards[one.text] for one in readings)})

    def proposals(self, user: User, deck: str, document: JSON) -> ReadCards | None:
        """The proposals for each card that was read, from the names entered and read so far."""
        if user.role is not Role.HOST:
            return None
        held = self._held.get(deck, {})
        names = _entered_names(document)
        for card, reading in held.items():
            names.setdefault(card, (proposed_title(reading.title),))
        cards: list[ReadCard] = []
        for card, reading in sorted(held.items()):
            needs = proposed_needs(reading.needs, names, card)
            cards.append(
                {
                    "card": card,
                    "title": proposed_title(reading.title),
                    "needs": list(needs.cards),
                    "nothing": not needs.cards and says_nothing(reading.needs),
                    "unknown": list(needs.unknown),
                    "edged": reading.edged,
                }
            )
        return {"reads": self._can_read(), "cards": cards}

    def piece(self, user: User, deck: str, card: str, piece: str) -> bytes | None:
        reading = self._held.get(deck, {}).get(card) if user.role is Role.HOST else None
        if reading is None:
            return None
        pieces = {"title": reading.title_jpeg, "needs": reading.needs_jpeg, "symbol": reading.symbol_jpeg}
        return pieces.get(piece)

    def forget(self, user: User, deck: str, card: str) -> Result[ReadingGone]:
        """Discard a card's reading, after it was confirmed or rejected."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        return Done({"card": card}) if self._held.get(deck, {}).pop(card, None) is not None else NotFound()


def _entered_names(document: JSON) -> dict[str, tuple[str, ...]]:
    """The names of a deck's cards in every language, by card."""
    rows = document.get("card") if isinstance(document, Mapping) else None
    names: dict[str, tuple[str, ...]] = {}
    for row in rows if isinstance(rows, list) else ():
        called = row.get("name") if isinstance(row, Mapping) else None
        if isinstance(called, Mapping) and called:
            names[str(row.get("id"))] = tuple(str(name) for name in called.values())
    return names
