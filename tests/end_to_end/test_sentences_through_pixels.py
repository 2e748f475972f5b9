"""What people do about a verdict, from drawn pictures to the log: taken back, put right, overruled, cut off.

The same sentences stand with looks in ``tests/companion``; here every card is drawn, seen and read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from support.flat_table import ACCEPTED, LAYOUT, Arm, Camera, Laid
from support.scripted_table import short

from companion.errors import LogError
from companion.games.registry import demo_deck, open_match
from companion.history.events import Entry
from companion.history.statistics import match_statistics
from companion.public.updates import Alert, Update
from companion.referee.commands import Command, OverruleCamera, RestoreTable
from companion.referee.match import Match
from vision.tracking.observer import Observer

RATE_HZ = 4.0
TREE = ("1-2", "1-5", "1-6", "2-1")
PLACES = {card: (200.0 + 85.0 * n, 120.0) for n, card in enumerate((*TREE, "1-4", "2-2", "1-8", "1-1"))}
"""Where each card lies in the tree: far from where hands come from."""
HAND = Arm(700.0, 300.0)
POOL_MM = (930.0, 120.0)
KEND = Laid("KEND", 80.0, 520.0)


def laid(card: str, at: tuple[float, float] | None = None) -> Laid:
    return Laid("C" + card.replace("-", ""), *(at or PLACES[card]))


@dataclass
class Table:
    """A match in the middle, refereed from drawn pictures; ``entries`` is what its disk holds."""

    entries: list[Entry] = field(default_factory=list)
    news: list[Update] = field(default_factory=list)
    camera: Camera = field(default_factory=lambda: Camera(RATE_HZ, Observer(LAYOUT, ACCEPTED)))
    lying: dict[str, Laid] = field(default_factory=lambda: {card: laid(card) for card in TREE})
    disk_fails: bool = False

    def __post_init__(self) -> None:
        match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
        match["position"] = {
            **{"turn": 1, "tree": list(TREE), "pool": [], "discards": [[], []], "hands": [5, 5], "stack": 40},
            "points": [0, 0],
        }
        self.game = open_match(match, demo_deck()).game
        self.match = Match(self.game, self._write, self.news.append, tuple(self.entries))

    def _write(self, entries: Sequence[Entry]) -> None:
        if self.disk_fails:
            raise LogError("the plug was pulled")
        self.entries += entries

    def look(self, seconds: float, hand: bool = False, command: bool = False) -> None:
        """So many seconds pass before the camera."""
        things = [*self.lying.values(), *([KEND] if command else []), *([HAND] if hand else [])]
        for _ in range(max(1, round(seconds * RATE_HZ))):
            look = self.camera.show(*things)
            self.match.handle(look, look.taken_s)

    def lay(self, card: str, seconds: float = 1.5, at: tuple[float, float] | None = None) -> None:
        """A hand comes with a card, and goes."""
        self.look(0.5, hand=True)
        self.lying[card] = laid(card, at)
        self.look(0.5, hand=True)
        self.look(seconds)

    def take(self, card: str, seconds: float) -> None:
        """A hand comes, and goes with a card."""
        self.look(0.5, hand=True)
        del self.lying[card]
        self.look(0.5, hand=True)
        self.look(seconds)

    def end_turn(self) -> None:
        self.look(1.0, command=True)
        self.look(0.75)

    def say(self, said: Command) -> None:
        self.match.handle(said, self.camera.looks[-1].taken_s)

    def restarted(self) -> Table:
        """The power is back: another eye, another referee, the same table and disk."""
        return Table(entries=list(self.entries), lying=dict(self.lying))

    @property
    def story(self) -> list[str]:
        return [short(line) for line in self.match.record.lines]

    @property
    def alert(self) -> Alert:
        return self.match.issues.alert(self.match.record)


@pytest.fixture
def table() -> Table:
    table = Table()
    table.look(1.0)
    assert table.story == []
    return table


REFUSED = "refused place 1 1-4 prerequisites"  # Ana's first card of the turn needs 1-1


def test_the_last_card_taken_back_off_the_table_is_undone_and_laid_back_it_is_as_if_nothing_had_been(table: Table):
    table.lay("1-8")
    assert table.story == ["played place 1 1-8"]
    table.take("1-8", 3.5)
    assert table.story[1:] == ["struck 1"]
    table.lay("1-8", 2.0)
    assert table.story[2:] == ["struck 2"]
    assert table.match.standing.points == (1, 0)
    assert table.alert is Alert.NONE


def test_the_log_is_right_lists_what_to_move_and_ticks_it_off_as_it_is_seen(table: Table):
    table.take("1-2", 0.5)
    table.lay("1-2", 3.0, at=POOL_MM)
    table.say(RestoreTable())
    (text,) = table.match.issues.instructions(table.match.game, table.match.record)
    assert (text.key, text.params["card"]) == ("referee.put_into", "1-2")
    assert table.alert is Alert.DISAGREES
    table.take("1-2", 0.5)
    table.lay("1-2", 2.0)
    assert table.match.issues.instructions(table.match.game, table.match.record) == ()
    assert table.alert is Alert.NONE


@pytest.mark.parametrize("card", ["1-8", "1-4"])
def test_the_camera_was_wrong_and_no_card_has_to_move(table: Table, card: str):
    """A lawful card that was never meant to be laid, and an unlawful one that was none."""
    table.lay(card, 2.0)
    told = "played place 1 1-8" if card == "1-8" else REFUSED
    assert table.story == [told]
    table.say(OverruleCamera())
    table.look(4.0)
    assert table.story[1:] == (["struck 1"] if card == "1-8" else ["settled 1"])
    assert table.match.standing.points == (0, 0)
    assert table.alert is Alert.NONE
    assert match_statistics(table.match.record.lines).false_alarms == 1


@pytest.mark.parametrize(
    ("card", "verdict"), [("1-1", "played place 2 1-1"), ("1-4", "refused place 2 1-4 prerequisites")]
)
def test_power_lost_between_the_card_and_the_verdict_loses_neither(table: Table, card: str, verdict: str):
    """The card lies there, nothing is on the disk yet; whoever comes back sees it and says it once."""
    table.lay("1-8")
    table.end_turn()
    before = table.story
    table.disk_fails = True
    table.lay(card, 1.0)
    assert table.story == before
    later = table.restarted()
    later.look(3.0)
    assert later.story == [*before, verdict]
    assert len(later.entries) == len(before) + 1
    again = later.restarted()
    again.look(3.0)
    assert again.story == later.story, "nothing is said twice"
