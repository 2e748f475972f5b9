"""Lawful matches under a lamp: what is laid is now and then not read until some acts later."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from support.quiet_matches import KINDS as QUIET, steps_of
from support.unspoken_table import Step, Unfair, UnspokenTable

from companion.history.events import Refused
from companion.public.table import TABLE, CardId, Placement, Token, UnreadPlace, Zone
from companion.referee.commands import Allow, AnswerQuestion

APART_MM = 80.0
"""So far from each other things lie whose place on the table their game does not tell."""
ONE_IN = 8
"""So many of the things that somebody lays lie in the lamp's mirror image."""
LONGEST = 6
"""After so many acts at most somebody tilts the lamp."""


KINDS = ("en-explore", "fr-explore", "en-intro", "en-memory", "fr-bluff", "carcassonne", "lands", "darwinci")
"""The tables of ``quiet_matches`` that are tried under a lamp."""


class MirroredTable(UnspokenTable):
    """A table at which everything is said, and some of what is laid cannot be read for a while.

    Attributes:
        mirrors: The dice that say what lies under the lamp.
    """

    def __init__(self, game: str, seed: int, profile: str = "") -> None:
        super().__init__(game, seed, profile)
        self.mirrors = Random(seed)
        self._hidden: dict[Token, Placement] = {}

    def lies_in_mirror(self, card: CardId) -> None:
        """What was laid there is marked, and not read."""
        token = self.tokens[card]
        placement = self.placed.pop(token, None)
        if placement is not None and placement.zone is not None:
            at = (placement.x_mm / 1000.0, placement.y_mm / 1000.0)
            self.unread[token] = UnreadPlace(placement.zone, placement.x_mm, placement.y_mm, at)
            self._hidden[token] = placement

    def is_read(self, token: Token) -> None:
        """Somebody tilts the lamp."""
        del self.unread[token]
        self.placed[token] = self._hidden[token]
        self.looks_on(4.0)

    def puts(self, card: CardId, place: Zone | None) -> None:
        super().puts(card, place)
        token = self.tokens[card]
        self.unread.pop(token, None)
        if token in self.placed and self._places is None:
            nth = sorted(self.tokens.values()).index(token)
            there = self.placed[token]
            self.placed[token] = Placement(token, there.zone, APART_MM * (nth % 12), APART_MM * (nth // 12))
        if self.mover != TABLE and place is not None and not self.unread and self.mirrors.random() * ONE_IN < 1.0:
            self.lies_in_mirror(card)

    def goes_on(self) -> None:
        """Whoever says that a turn is over is asked whether play goes on without what cannot be read: it does."""
        for number, opened in sorted(self.match.issues.questions.open.items()):
            about = [one.number for meaning in opened.meanings for one in meaning if isinstance(one, Allow)]
            if opened.question.text.key != "referee.unread_first" or not about:
                continue
            refused = self.match.record.lines[about[0] - 1].entry.event
            if isinstance(refused, Refused) and refused.change is None:
                self.says(AnswerQuestion(number, 0))
                self.looks_on(1.0)


def play(name: str, seed: int) -> tuple[MirroredTable, Unfair | None]:
    """One match of a kind, and what was unfair in it."""
    kind = QUIET[name]
    table = MirroredTable(kind.game, seed, kind.profile)
    try:
        plays(table, steps_of(kind, seed))
    except Unfair as unfair:
        return table, unfair
    return table, None


def plays(table: MirroredTable, steps: list[Step]) -> None:
    """A whole story; raises ``Unfair`` where a lawful table is accused, or cannot be put right when all is read."""
    until: dict[Token, int] = {}
    table.looks_on(0.5)
    for number, step in enumerate(steps):
        for token in [one for one, last in until.items() if last <= number]:
            del until[token]
            if token in table.unread:
                table.is_read(token)
        if not table.does(replace(step, aloud=True, dark=False)):
            break
        for token in table.unread.keys() - until.keys():
            until[token] = number + table.mirrors.randint(1, LONGEST)
        table.blames_nobody()
        table.goes_on()
        table.blames_nobody()
        if not table.unread:
            table.check()
    for token in list(table.unread):
        table.is_read(token)
    table.finish_chores(Random(0), all_of_them=True)
    table.looks_on(6.0)
    table.check()
