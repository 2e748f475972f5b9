"""A live simulated match without an eye: what is drawn is taken for what is seen, and refereed at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.cli.live_table import MatchScoreboard
from companion.games.protocol import Move
from companion.games.registry import open_match
from companion.history.codec import decode_move, encode_line
from companion.public.layout import Layout
from companion.public.table import CardId, Change, Observation, Placement, TableState, Token, Zone
from companion.referee.match import Match
from companion.simulation.live_film import LiveFilm
from companion.simulation.script import ScriptedPicture

JSON = Any
RATE_HZ = 8.0


class GoodEye:
    """What a good eye makes of a picture: a card that moves keeps its last place until it rests."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._table: dict[Token, Placement] = {}
        self._number = 0

    def look(self, picture: ScriptedPicture) -> Observation:
        """The next look."""
        shown = {card.token: card for card in picture.shown}
        self._table = {token: placed for token, placed in self._table.items() if token in shown}
        for token, card in shown.items():
            if card.speed_mm_s == (0.0, 0.0):
                x, y = card.pose.x_mm, card.pose.y_mm
                self._table[token] = Placement(token, self._layout.zone_at(x, y), x, y)
        self._number += 1
        state = TableState(frozenset(self._table.values()))
        return Observation(self._number, picture.time_s, state, not picture.arms, bool(picture.arms))


@dataclass
class LiveEvening:
    """One match at a live table.

    Attributes:
        looked: Called after each look, with this evening.
        ended: The people have looked at the end for long enough.
        differs_s: For how long table and log have differed by now.
    """

    match: JSON
    deck: JSON
    seed: int = 0
    speed: float = 1.0
    looked: Callable[[LiveEvening], None] = lambda _: None
    ended: bool = False
    now_s: float = 0.0
    differs_s: float = 0.0
    frozen_s: float = 0.0
    longest_frozen_s: float = 0.0
    entries: tuple[Any, ...] = ()
    _told: list[Callable[[Match], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        opened = open_match(self.match, self.deck)
        self._eye = GoodEye(opened.layout)
        self.evening = Match(opened.game, write=lambda _: None, publish=lambda _: None, entries=self.entries)
        scoreboard = MatchScoreboard(lambda: self.evening, self._told.append, self._end, lambda: self.now_s)
        self.film = LiveFilm(self.match, self.deck, opened.layout, scoreboard, self.seed, self.speed)

        self._pictures = self.film.pictures(RATE_HZ)
        self._before: object = None

    def play(self, until_s: float) -> None:
        """Until the match has ended, or the film has come so far."""
        for picture in self._pictures:
            self.now_s = picture.time_s
            self.evening.handle(self._eye.look(picture), picture.time_s)
            while self._told:
                self._told.pop(0)(self.evening)
            self.differs_s = self.differs_s + 1 / RATE_HZ if self.differences else 0.0
            self.frozen_s = self.frozen_s + 1 / RATE_HZ if picture.shown == self._before and not picture.arms else 0.0
            self.longest_frozen_s = max(self.longest_frozen_s, self.frozen_s)
            self._before = picture.shown
            self.looked(self)
            if self.ended or self.now_s >= until_s:
                return

    def _end(self) -> None:
        self.ended = True

    def go_on(self, lasts_s: float) -> None:
        """For so many seconds more."""
        self.play(self.now_s + lasts_s)

    @property
    def differences(self) -> tuple[Change, ...]:
        """What lies otherwise than the log has it."""
        return self.evening.issues.differences(self.evening.game, self.evening.record)

    @property
    def expected(self) -> Mapping[CardId, Zone]:
        """What should lie face up."""
        return self.evening.game.expected(self.evening.public).cards

    @property
    def hands(self) -> dict[int, list[str]]:
        """What the simulated people hold."""
        return self.film.players.hands

    def decoded(self, move: JSON) -> Move:
        """A move from the record's form."""
        return decode_move(self.evening.game, move)

    @property
    def lines(self) -> list[JSON]:
        """The record so far."""
        return [encode_line(line) for line in self.evening.record.lines]
