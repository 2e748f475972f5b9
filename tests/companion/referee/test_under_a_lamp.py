"""Lawful matches in which what is laid lies under a lamp's mirror image for a while: nobody is accused, and all is
right when it is read."""

from __future__ import annotations

import pytest
from support.mirrored_table import play
from support.unspoken_table import Accused


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param("en-explore", 4, id="a card of the turn before, read two turns later"),
        pytest.param("en-explore", 57, id="the next seat's card needs it, and it was the seat before that laid it"),
        pytest.param("en-explore", 25, id="it was taken from the pool"),
        pytest.param("en-explore", 30, id="the pool is filled up after it"),
        pytest.param("en-explore", 45, id="later cards of the same turn bring other points after it"),
        pytest.param("carcassonne", 8, id="a follower is lifted that a tile under the lamp brings home"),
    ],
)
def test_what_is_read_late_counts_where_it_was_laid(kind: str, seed: int) -> None:
    _, unfair = play(kind, seed)
    assert unfair is None, unfair


def test_the_machine_sees_a_referee_that_forgets_when_a_thing_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.referee.unread.read_late", lambda *_: None)
    _, unfair = play("en-explore", 57)
    assert isinstance(unfair, Accused)
