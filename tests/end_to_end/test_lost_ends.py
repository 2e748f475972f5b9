"""One card for the end of a turn is never read: people are asked about it, and the rest of the match is told right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.film_report import Film, plain, table_match, tell
from support.long_cases import rest_long

from companion.games.discovery.people.behaviour import Behaviour
from companion.history.codec import decode_move, encode_move
from companion.history.events import Origin
from companion.public.table import Seat
from companion.public.updates import Signal, Update
from companion.referee.commands import Claim, MakeMove
from companion.referee.match import Match
from companion.simulation.script import ScriptedPicture

PLAIN = Behaviour(errs=0.0, forgets=0.0, rues=0.0)
"""Nobody errs: whatever is refused is refused because of the end that was missed."""
NOTICED_S = 2.0
"""So long after he laid it somebody sees on the screens that his card counted for another."""
SEATS = ((3, "fr-explore"), (4, "en-explore"), (3, "en-intro"), (2, "fr-explore"), (5, "en-explore"))
FILMS = [(seed, *SEATS[(seed - 1) % 5]) for seed in (1, 3, 2, *range(4, 11))]


def check(film: Film, lasts_s: float, *, exact: bool, answers: bool = True, by_phone: bool = False) -> None:
    """Hide the card of the second end of turn; every act counts as it happened, that end among them.

    Args:
        answers: People answer what is asked, and claim their cards.
        by_phone: No end of turn is shown; the others are said on phones.
    """
    acts = film.acts(lasts_s)
    ends = [act for act in acts if act.deed.move["do"] == "end_turn"]
    lost = ends.pop(1)
    claims, refusals = list[str](), list[Update]()

    def unseen(picture: ScriptedPicture) -> ScriptedPicture:
        hidden = "KEND" if by_phone or lost.begins_s <= picture.time_s <= lost.ends_s else ""
        return replace(picture, things=tuple(card for card in picture.things if card.token != hidden))

    def looked(match: Match, picture: ScriptedPicture, news: list[Update]) -> None:
        """Whoever sees that his last card counted for somebody else says that it was his."""
        refusals.extend(one for one in news if one.signal is Signal.REFUSED)
        while by_phone and ends and ends[0].ends_s <= picture.time_s:
            match.handle(MakeMove(decode_move(match.game, ends.pop(0).deed.move), Origin.PHONE), picture.time_s)
        counted[:] = [plain(encode_move(act.move)) for _, act in sorted(match.record.acts.items()) if act.counts]
        if not answers:
            return
        placed = [act.deed.move for act in acts if act.ends_s <= picture.time_s - NOTICED_S if "card" in act.deed.move]
        mine = next((move for move in reversed(placed) if move["do"] == "place"), None)
        for _, act in sorted(match.record.acts.items(), reverse=True):
            if mine and act.move.subject == mine["card"] and act.counts and act.move.by != mine["by"]:
                match.handle(Claim(Seat(mine["by"])), picture.time_s)
                claims.append(mine["card"])
                break
        counted[:] = [plain(encode_move(act.move)) for _, act in sorted(match.record.acts.items()) if act.counts]

    counted: list[dict] = []
    told = tell(film, lasts_s, longer_s=NOTICED_S, exact=exact, changed=unseen, looked=looked, answers=answers)
    happened = [plain(act.deed.move) for act in film.acts(lasts_s + 4 * NOTICED_S)]
    assert len(counted) >= len(acts)
    assert counted == happened[: len(counted)]
    assert refusals == []
    assert not answers or told.asked or claims


@pytest.mark.parametrize(("seed", "seats", "profile"), rest_long(FILMS, 2))
def test_after_an_end_of_turn_that_was_not_seen_everything_is_told_right_again(
    seed: int, seats: int, profile: str
) -> None:
    """As a perfect eye sees it: "a lost KEND recovered in 10 of 10"."""
    check(Film(table_match(seats, profile), seed, PLAIN, 0.25), 60.0, exact=True)


@pytest.mark.parametrize("by_phone", [False, True], ids=["shown", "said on phones"])
@pytest.mark.parametrize(("seed", "seats", "profile"), rest_long([f for f in FILMS if f[0] in (1, 2, 5, 6, 7, 10)], 2))
def test_play_goes_on_though_nobody_ever_answers_whose_turn_it_is(
    seed: int, seats: int, profile: str, by_phone: bool
) -> None:
    """People forget to press buttons. The next end of a turn tells whose the cards before it were."""
    film = Film(table_match(seats, profile), seed, PLAIN, 0.25)
    check(film, 60.0, exact=True, answers=False, by_phone=by_phone)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "seats", "profile"), FILMS)
def test_through_pixels_too_an_end_of_turn_that_was_not_seen_is_recovered(seed: int, seats: int, profile: str) -> None:
    check(Film(table_match(seats, profile), seed, PLAIN, 0.25), 120.0, exact=False)
