"""A film of the simulated table, told twice: by its own truth, and by the referee who saw its pictures."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import takewhile
from typing import Any

from reference.judge import Oracle
from support import photographs
from support.scripted_players import Players, card_stage

from companion.app.sources import card_pictograms
from companion.games.discovery.people.behaviour import Behaviour
from companion.games.registry import open_match, sticker_codes
from companion.history.codec import encode_line
from companion.referee.match import Match
from companion.simulation.script import MatchScript, ScriptedAct
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.scene import Scene
from vision.synthetic.source import SimulatedTable
from vision.tracking.observer import observe_frames

JSON = Any
DECK: JSON = tomllib.loads((files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8"))
RATE_HZ = 6.0
CLUMSY = Behaviour(errs=0.5, forgets=0.2, rues=0.25, passes=0.6, abstains=0.15)
TABLES_OWN = ("deal", "refill")


def table_match(seats: int, profile: str = "fr-explore", **options: bool) -> JSON:
    """A match file of people around a table; the first seat begins."""
    people = [{"name": name} for name in ("Ana", "Ben", "Cléo", "Dan", "Eva", "Finn", "Gil", "Hoa", "Ida")[:seats]]
    match = {"game": "discovery", "profile": profile, "dealer": seats, "seat": people}
    return match | ({"options": options} if options else {})


@dataclass
class Told:
    """What was filmed and what was told of it.

    Attributes:
        acts: The truth: every act that ended in the film.
        lines: The record, entry by entry, as it is exported.
        lies, should_lie: Card to zone at the end, as seen and as the record says.
        lost: In how many looks the table was not found.
    """

    match: JSON
    acts: list[ScriptedAct]
    lines: list[JSON] = field(default_factory=list)
    lies: dict[str, str] = field(default_factory=dict)
    should_lie: dict[str, str] = field(default_factory=dict)
    lost: int = 0

    @property
    def told(self) -> list[JSON]:
        """The record as a story; what is neither an act nor a strike is in it as it stands."""
        story = []
        for line in self.lines:
            move = line.get("move", {})
            if line["event"] == "settled" or move.get("do") in TABLES_OWN:
                continue
            said = {"event": line["event"], "score": line["standing"]["points"]}
            if line["event"] == "struck":
                said |= {"card": self.lines[line["strikes"] - 1]["move"].get("card")}
            elif move:
                wrong = {(found["rule"], tuple(sorted(found.get("cards", ())))) for found in line.get("objections", ())}
                said |= {"move": move, "wrong": wrong}
            else:
                said |= {"line": line}
            story.append(said)
        return story

    @property
    def happened(self) -> list[JSON]:
        """The truth as a story; the objections are those of the second judge, who hears only what counted."""
        story: list[JSON] = []
        counted: list[JSON] = []
        for deed in (act.deed for act in self.acts):
            said: dict[str, Any] = {"score": list(deed.points)}
            if deed.strikes:
                counted.pop()
                said |= {"event": "struck", "card": deed.move["card"]}
            else:
                oracle = Oracle(self.match, DECK)
                for number, move in enumerate(counted, 1):
                    oracle.play(move, number, None)
                found = oracle.judge(deed.move, len(counted) + 1, None)
                wrong = {(rule, tuple(sorted(cards))) for rule, cards in found}
                said |= {"event": "refused" if wrong else "played", "move": deed.move, "wrong": wrong}
                if not wrong:
                    counted.append(deed.move)
            if deed.move["do"] not in TABLES_OWN:
                story.append(said)
        return story

    @property
    def brought(self) -> tuple[list[JSON], list[JSON]]:
        """What the table itself did, the deal and the refills, as it happened and as it was told."""
        came = [act.deed.move for act in self.acts if act.deed.move["do"] in TABLES_OWN]
        said = [line["move"] for line in self.lines if line.get("move", {}).get("do") in TABLES_OWN]
        return [_sorted(move) for move in came], [_sorted(move) for move in said]


def _sorted(move: JSON) -> JSON:
    return move | {"pool": sorted(move["pool"])} if "pool" in move else move


def film(
    match: JSON,
    seed: int,
    lasts_s: float,
    *,
    habits: Behaviour = CLUMSY,
    lively: float = 0.4,
    speed: float = 1.0,
    deals: bool = False,
    magnified: Callable[[float], float] | None = None,
    camera: CameraModel | None = None,
    photographed: str | None = None,
) -> tuple[list[ScriptedAct], SimulatedTable]:
    """What happens in a match for about so many seconds, up to the end of an act, and its drawn pictures."""
    opened = open_match(match, DECK)

    def script() -> MatchScript:
        players = Players(match, DECK, lambda: Oracle(match, DECK), seed, habits)
        stage = card_stage(opened.layout, opened.game.seats, seed)
        return MatchScript(players.deeds(), stage, seed, lively=lively, speed=speed, deals=deals)

    acts = [act for picture in script().pictures(RATE_HZ) for act in picture.done if act.ends_s < lasts_s]
    shown = takewhile(lambda picture: picture.time_s < acts[-1].ends_s, script().pictures(RATE_HZ))
    top, hands = (photographs.surface(photographed), photographs.hands()) if photographed else (None, None)
    # As the simulated table draws its cards.
    scene = Scene(opened.layout, seed=seed, pictograms=card_pictograms(DECK), surface=top, hands=hands)
    if camera is not None:
        scene.look_from(camera)
    return acts, SimulatedTable(shown, scene, magnified=magnified)


def tell(
    match: JSON,
    seed: int,
    lasts_s: float,
    *,
    habits: Behaviour = CLUMSY,
    lively: float = 0.4,
    speed: float = 1.0,
    deals: bool = False,
    magnified: Callable[[float], float] | None = None,
    photographed: str | None = None,
) -> Told:
    """Film a match for about so many seconds, up to the end of an act; look at the pictures, and referee them.

    Args:
        photographed: The surface on which photographed hands lay the cards; ``None`` = all is drawn.
    """
    opened = open_match(match, DECK)
    acts, film_frames = film(
        match,
        seed,
        lasts_s,
        habits=habits,
        lively=lively,
        speed=speed,
        deals=deals,
        magnified=magnified,
        photographed=photographed,
    )
    told = Told(match, acts)
    played = Match(opened.game, write=lambda _: None, publish=lambda _: None)
    for look in observe_frames(film_frames, opened.layout, sticker_codes(opened.game)):
        played.handle(look, look.taken_s)
        told.lost += look.lost is not None
    told.lines = [encode_line(line) for line in played.record.lines]
    told.lies = dict(played.issues.lying)
    told.should_lie = dict(opened.game.table.expected(played.public).cards)
    return told
