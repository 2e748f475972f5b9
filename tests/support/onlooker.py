"""What somebody who misses nothing and knows every rule could conclude at a table where little is said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import unsaid_moves
from companion.public.table import Change

MOST_STORIES = 60
"""With more stories than that the onlooker is told the truth for nothing."""
MOST_ROUNDS = 2
"""So many rounds may pass without a trace between two acts."""


@dataclass(frozen=True, slots=True)
class _Story:
    """One story that fits.

    Attributes:
        facts: What everybody may know after the last act.
        unsaid: So many turns in it ended without a word or a trace.
        before: What everybody may have known one act earlier.
    """

    facts: Any
    unsaid: int
    state: Any
    before: Any = None


class Onlooker:
    """Keeps all lawful stories that fit what was seen and said, and counts what nobody can know without a word.

    Between two acts any turn may have ended unsaid. The onlooker waits for one more act, which may show whose the act
    before it was. If stories are left in which everybody may know something else, it takes the simplest, in which the
    fewest turns ended unsaid; where that is not true, somebody has to say so. Then it knows the truth. Where it gets
    more than a table can know, it gets it for nothing: nobody needs fewer words.

    Attributes:
        open: Acts that could still be told in two ways after the next.
        needed: Those of which the simplest story was not true: asked or unasked, somebody has to say so.

    Args:
        facts: What everybody may know in a state; hands that nobody sees are left out.
        looks: Else it counts nothing: to think of all stories costs as much as the match.
    """

    def __init__(self, game: Game[Any, Any], facts: Callable[[Any], Any], *, looks: bool = True) -> None:
        self.game, self._facts, self._looks = game, facts, looks
        self.open = self.needed = 0
        self._true: Any = None
        self._stories: list[_Story] = []
        self.is_told(game.rules.start)

    def is_told(self, truth: Any) -> None:
        """Everybody sees how it is."""
        if not self._looks:
            return
        self._true = self._facts(truth)
        self._stories = [_Story(self._true, 0, truth)]

    def sees(self, seen: Change, at: MoveContext, truth: Any) -> None:
        """Something lies differently; how the table really is after that act."""

        def read(state: Any) -> Iterable[Move]:
            return self.game.table.interpretations(self.game.public(state), seen)

        self._goes_on(read, at, truth)

    def hears(self, move: Move, at: MoveContext, truth: Any) -> None:
        """Somebody says an act."""
        self._goes_on(lambda _: (move,), at, truth)

    def is_shown(self, ends: type[Move], at: MoveContext, truth: Any) -> None:
        """A command card is shown, which names no seat."""

        def read(state: Any) -> Iterable[Move]:
            turn = self.game.board.standing(self.game.public(state)).turn
            return () if turn is None else (ends(by=turn),)  # type: ignore[call-arg]

        self._goes_on(read, at, truth)

    def leaves(self) -> None:
        """The match is over: nothing comes that could show more."""
        self._settles([_Story(one.facts, one.unsaid, one.state, one.facts) for one in self._stories])

    def _goes_on(self, read: Callable[[Any], Iterable[Move]], at: MoveContext, truth: Any) -> None:
        if not self._looks:
            return
        game, found = self.game, list[_Story]()
        for story in self._stories:
            for state, unsaid in self._later(story, at):
                public = game.public(state)
                lawful = (move for move in read(state) if not game.rules.judge(public, move, at))
                after = (game.rules.apply(state, move, at).state for move in lawful)
                found += [_Story(self._facts(one), unsaid, one, story.facts) for one in after]
        stories = _different(self._settles(found))
        self._true = self._facts(truth)
        if len(stories) > MOST_STORIES or all(one.facts != self._true for one in stories):
            self.is_told(truth)
        else:
            self._stories = stories

    def _settles(self, stories: list[_Story]) -> list[_Story]:
        """Those stories that told the act before the last one as it was."""
        true = [one for one in stories if one.before == self._true]
        if len(true) < len(stories):
            self.open += 1
            fewest = min((one.unsaid for one in true), default=math.inf)
            self.needed += any(one.unsaid < fewest for one in stories)
        return true

    def _later(self, story: _Story, at: MoveContext) -> Iterator[tuple[Any, int]]:
        """The state that a story has led to, and those after turns that end unsaid."""
        waiting = [(story.state, story.unsaid)]
        while waiting:
            state, unsaid = waiting.pop(0)
            yield state, unsaid
            if unsaid - story.unsaid < MOST_ROUNDS * self.game.seats:
                ends = unsaid_moves(self.game, self.game.public(state), at)
                waiting += [(self.game.rules.apply(state, move, at).state, unsaid + 1) for move in ends]


def _different(stories: list[_Story]) -> list[_Story]:
    """Of stories that have led to the same state only the simplest."""
    kept: dict[Any, list[_Story]] = {}
    for story in sorted(stories, key=lambda one: one.unsaid):
        alike = kept.setdefault(story.facts, [])
        if all(story.state != other.state for other in alike):
            alike.append(story)
    return [story for alike in kept.values() for story in alike]
