"""A live simulated match: what is drawn is taken for what is seen, or looked at by an eye, and refereed at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from support.exact_eye import ExactEye

from companion.app.live_table import MatchScoreboard, simulated_people
from companion.games.protocol import Move
from companion.games.registry import open_match
from companion.history.codec import decode_move, encode_line
from companion.public.table import CardId, Change, Zone
from companion.public.updates import Signal, Update
from companion.referee.match import Match
from companion.simulation.deeds import Deed
from companion.simulation.live_film import LiveFilm
from companion.simulation.people import DecisionMoment

JSON = Any
RATE_HZ = 8.0


@dataclass
class LiveMatch:
    """One match at a live table.

    Attributes:
        looked: Called after each look, with this match.
        ended: The people have looked at the end for long enough.
        eye: What looks at the pictures; ``None`` = a perfect eye, without pixels.
        looks_at: One picture of so many; the others go by while the eye is busy.
        signals: What everybody was told, one after the other.
        deeds: What the people did, one after the other.
        differs_s: For how long table and log have differed by now.
    """

    file: JSON
    deck: JSON
    seed: int = 0
    speed: float = 1.0
    looked: Callable[[LiveMatch], None] = lambda _: None
    ended: bool = False
    now_s: float = 0.0
    differs_s: float = 0.0
    frozen_s: float = 0.0
    longest_frozen_s: float = 0.0
    entries: tuple[Any, ...] = ()
    eye: Any = None
    looks_at: int = 1
    signals: list[Signal] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    _told: list[Callable[[Match], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        opened = open_match(self.file, self.deck)
        self._eye = self.eye or ExactEye(opened.layout)
        self.match = Match(opened.game, write=lambda _: None, publish=self._publish, entries=self.entries)
        scoreboard = MatchScoreboard(lambda: self.match, self._told.append, self._end, lambda: self.now_s)
        people = simulated_people(opened, self.seed)
        people.act = self._noted(people.act)  # type: ignore[method-assign]
        self.film = LiveFilm(people, opened.layout, scoreboard, self.seed, self.speed)

        self._pictures = self.film.pictures(RATE_HZ)
        self._before: object = None

    def play(self, until_s: float) -> None:
        """Until the match has ended, or the film has come so far."""
        for number, picture in enumerate(self._pictures, 1):
            self.now_s = picture.time_s
            if number % self.looks_at == 0:
                self.match.handle(self._eye.look(picture), picture.time_s)
            while self._told:
                self._told.pop(0)(self.match)
            self.differs_s = self.differs_s + 1 / RATE_HZ if self.differences else 0.0
            self.frozen_s = self.frozen_s + 1 / RATE_HZ if picture.things == self._before and not picture.arms else 0.0
            self.longest_frozen_s = max(self.longest_frozen_s, self.frozen_s)
            self._before = picture.things
            self.looked(self)
            if self.ended or self.now_s >= until_s:
                return

    def _noted(self, act: Callable[[DecisionMoment], Deed | None]) -> Callable[[DecisionMoment], Deed | None]:
        """What people do, and a note of it."""

        def act_and_note(now: DecisionMoment) -> Deed | None:
            deed = act(now)
            if deed is not None:
                self.deeds.append(deed)
            return deed

        return act_and_note

    def _publish(self, update: Update) -> None:
        self.signals.append(update.signal)

    def _end(self) -> None:
        self.ended = True

    def go_on(self, lasts_s: float) -> None:
        """For so many seconds more."""
        self.play(self.now_s + lasts_s)

    @property
    def differences(self) -> tuple[Change, ...]:
        """What lies otherwise than the log has it."""
        return self.match.issues.differences(self.match.game, self.match.record)

    @property
    def expected(self) -> Mapping[CardId, Zone]:
        """What should lie face up."""
        return self.match.game.table.expected(self.match.public).cards

    @property
    def hands(self) -> dict[int, list[str]]:
        """What the simulated people hold."""
        people: Any = self.film.people
        return dict(people.hands)

    def decoded(self, move: JSON) -> Move:
        """A move from the record's form."""
        return decode_move(self.match.game, move)

    @property
    def lines(self) -> list[JSON]:
        """The record so far."""
        return [encode_line(line) for line in self.match.record.lines]
