"""A match of which the eye misses one end of turn, and people who answer what they are asked about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import takewhile

from reference.judge import Oracle
from support.exact_eye import ExactEye
from support.film_report import DECK, JSON, RATE_HZ
from support.scripted_players import Players, card_stage

from companion.games.discovery.people.behaviour import Behaviour
from companion.games.registry import open_match, sticker_codes
from companion.history.codec import encode_move
from companion.public.table import Seat, Token
from companion.public.updates import Signal, Update
from companion.referee.commands import Claim
from companion.referee.match import Match
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture
from tests.bench.table import Played, answer
from vision.camera.frame import make_frame
from vision.synthetic.scene import Scene
from vision.synthetic.source import draw
from vision.tracking.observer import Observer

PLAIN = Behaviour(errs=0.0, forgets=0.0, rues=0.0)
"""Nobody errs: whatever is refused is refused because of the end that was missed."""
NOTICED_S = 2.0
"""So long after he laid it somebody sees on the screens that his card counted for another."""


@dataclass
class LostEnd:
    """What happened, and what the record holds at the end.

    Attributes:
        lost: The end of turn that nobody saw.
        acts: How many acts had ended when the film ended.
        happened, counted: The acts in truth, some that began later among them, and those that count.
        asked: What people were asked and answered, in short.
        claims: The cards that somebody said were his.
        refusals: Cards that were refused though they were lawful.
    """

    lost: ScriptedAct
    acts: int
    happened: list[JSON]
    counted: list[JSON] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    @property
    def recovered(self) -> bool:
        """Every act counts as it happened, the end that nobody saw among them."""
        return self.counted == self.happened[: len(self.counted)] and len(self.counted) >= self.acts


def play_without_one_end(match: JSON, seed: int, lasts_s: float, *, exact: bool) -> LostEnd:
    """Film about so many seconds of a match, hide the card of the second end of turn, referee it, and answer.

    Args:
        exact: Without pixels, as a perfect eye would see it.
    """
    opened = open_match(match, DECK)

    def film() -> MatchScript:
        players = Players(match, DECK, lambda: Oracle(match, DECK), seed, PLAIN)
        return MatchScript(players.deeds(), card_stage(opened.layout, opened.game.seats, seed), seed)

    began = takewhile(lambda shown: shown.time_s < lasts_s + 4 * NOTICED_S, film().pictures(RATE_HZ))
    longer = [act for picture in began for act in picture.done]
    acts = [act for act in longer if act.ends_s < lasts_s]
    ends = [act for act in acts if act.deed.move["do"] == "end_turn"]
    lost = ends[1]
    told = LostEnd(lost, len(acts), [_plain(act.deed.move) for act in longer])
    news: list[Update] = []
    evening = Match(opened.game, write=lambda _: None, publish=news.append)
    played = Played(match, seed, acts)
    scene, observer = Scene(opened.layout, seed=seed), Observer(opened.layout, sticker_codes(opened.game))
    eye = ExactEye(opened.layout)
    for picture in takewhile(lambda shown: shown.time_s < acts[-1].ends_s + NOTICED_S, film().pictures(RATE_HZ)):
        seen = _without(picture, lost) if lost.begins_s <= picture.time_s <= lost.ends_s else picture
        look = eye.look(seen) if exact else observer.observe(make_frame(draw(scene, seen), picture.time_s))
        evening.handle(look, look.taken_s)
        answer(played, evening, acts, picture.time_s)
        _claim(told, evening, acts, picture.time_s)
    told.asked = played.asked
    told.counted = [_plain(encode_move(act.move)) for _, act in sorted(evening.record.acts.items()) if act.counts]
    told.refusals = [str(one.entry) for one in news if one.signal is Signal.REFUSED]
    return told


def _without(picture: ScriptedPicture, act: ScriptedAct) -> ScriptedPicture:
    """The card for the end of a turn cannot be read."""
    assert act.deed.move["do"] == "end_turn"
    return replace(picture, things=tuple(card for card in picture.things if card.token != Token("KEND")))


def _claim(told: LostEnd, evening: Match, acts: list[ScriptedAct], now_s: float) -> None:
    """Whoever sees that his last card counted for somebody else says that it was his."""
    laid = [act for act in acts if act.deed.move["do"] == "place" and act.ends_s <= now_s - NOTICED_S]
    if not laid:
        return
    mine = laid[-1].deed.move
    for _, act in sorted(evening.record.acts.items(), reverse=True):
        if act.move.subject == mine["card"] and act.counts and act.move.by != mine["by"]:
            evening.handle(Claim(Seat(mine["by"])), now_s)
            told.claims.append(mine["card"])
            return


def _plain(move: JSON) -> JSON:
    return move | {"pool": sorted(move["pool"])} if "pool" in move else dict(move)
