"""A match of Discovery played by dice and filmed; the referee who sees its pictures is compared with its own truth."""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from itertools import takewhile
from typing import Any

from reference.judge import Oracle
from support import photographs
from support.exact_eye import ExactEye
from support.scripted_players import Players, card_stage

from companion.app.sources import card_pictograms
from companion.games.discovery.people.behaviour import Behaviour
from companion.games.registry import OpenedMatch, open_match, sticker_codes
from companion.history.codec import decode_move, encode_line, encode_move
from companion.history.corrections import as_seat
from companion.history.events import Origin
from companion.public.table import Token
from companion.public.updates import Signal, Update
from companion.referee.commands import AnswerQuestion, Claim, MakeMove
from companion.referee.match import Match
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.photographs import Cutout
from vision.synthetic.scene import Scene
from vision.synthetic.source import draw
from vision.tracking.observer import Observer

JSON = Any
DECK: JSON = tomllib.loads((files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8"))
RATE_HZ = 6.0
STILL_HZ = 2.0
"""Where not every picture is looked at, a still table is looked at so often."""
CLUMSY = Behaviour(errs=0.5, forgets=0.2, rues=0.25, passes=0.6, abstains=0.15)
NAMES = ("Ana", "Ben", "Cléo", "Dan", "Eva", "Finn", "Gil", "Hoa", "Ida")
ANSWERS_S = 25.0
"""How long after an act somebody still answers what was asked about it."""


def table_match(seats: int, profile: str = "fr-explore", **options: bool) -> JSON:
    """A match file of people around a table; the first seat begins."""
    people = [{"name": name} for name in NAMES[:seats]]
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
        asked: What people were asked and answered, in short.
        alarms: Whatever sounded wrong without a reason.
    """

    match: JSON
    acts: list[ScriptedAct]
    lines: list[JSON] = field(default_factory=list)
    lies: dict[str, str] = field(default_factory=dict)
    should_lie: dict[str, str] = field(default_factory=dict)
    lost: int = 0
    asked: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    pictures: int = 0
    film_s: float = 0.0
    took_s: float = 0.0

    @property
    def told(self) -> list[JSON]:
        """The record as a story; what is neither an act nor a strike is in it as it stands."""
        story = []
        for number, line in enumerate(self.lines, 1):
            move = line.get("move", {})
            if line["event"] in ("settled", "question") or move.get("do") == "uncontested":
                continue
            if line.get("asks") and any(map(_is_answer, self.lines[number : number + 3])):
                continue  # somebody said whose turn it was; what he laid is told after it
            said: JSON = {"event": line["event"], "points": line["standing"]["points"]}
            if line["event"] == "struck":
                said |= {"card": self.lines[line["strikes"] - 1]["move"].get("card")}
            elif move:
                wrong = {(found["rule"], tuple(sorted(found.get("cards", ())))) for found in line.get("objections", ())}
                said |= {"move": _seen(line["event"], move), "wrong": wrong}
            else:
                said |= {"line": line}
            story.append(said)
        return story

    @property
    def happened(self) -> list[JSON]:
        """The truth as a story; the objections are those of the second judge, who hears only what counted."""
        story: list[JSON] = []
        counted: list[JSON] = []
        oracle, _ = self._replayed(counted)
        for deed in (act.deed for act in self.acts):
            said: JSON = {"points": list(deed.points)}
            if deed.strikes:
                counted.pop()
                oracle, _ = self._replayed(counted)
                story.append(said | {"event": "struck", "card": deed.move["card"]})
                continue
            wrong = oracle.judge(deed.move, len(counted) + 1, None)
            event = "refused" if wrong and not deed.stands else "dealt" if deed.move["do"] == "deal" else "played"
            story.append(said | {"event": event, "move": _seen(event, deed.move), "wrong": wrong})
            if event != "refused":
                counted.append(deed.move)
                oracle.play(deed.move, len(counted), None)
        return story

    @property
    def asked_about(self) -> list[str]:
        """The refused cards about which it was asked whose turn it is."""
        return [line["move"]["card"] for line in self.lines if line.get("asks")]

    @property
    def may_be_early(self) -> list[str]:
        """The cards laid against the rules that would have been right one turn later.

        Nobody can see whether their player erred or the end of the turn before was forgotten; the second judge decides
        what would have been right.
        """
        cards: list[str] = []
        for number, deed in enumerate(act.deed for act in self.acts):
            if deed.strikes or deed.stands or not deed.rules or deed.move["do"] not in ("place", "discard"):
                continue
            counted = self._counted(number)
            oracle, standing = self._replayed(counted)
            ends = {"do": "end_turn", "by": standing["turn"]}
            later = deed.move | {"by": oracle.next_seat(standing["turn"])}
            if oracle.judge(ends, len(counted) + 1, None) or deed.move["by"] not in (ends["by"], later["by"]):
                continue
            oracle.play(ends, len(counted) + 1, None)
            if not oracle.judge(later, len(counted) + 2, None):
                cards.append(deed.move["card"])
        return cards

    @property
    def winners(self) -> tuple[list[int], list[int]]:
        """Who has won in truth, and as it was told; for a match that was filmed to its end."""
        return self._replayed(self._counted(len(self.acts)))[1]["winners"], self.lines[-1]["standing"]["winners"]

    def _counted(self, acts: int) -> list[JSON]:
        """The moves that count after so many acts."""
        counted: list[JSON] = []
        for deed in (act.deed for act in self.acts[:acts]):
            if deed.strikes:
                counted.pop()
            elif deed.stands or not deed.rules:
                counted.append(deed.move)
        return counted

    def _replayed(self, moves: list[JSON]) -> tuple[Oracle, JSON]:
        oracle, standing = Oracle(self.match, DECK), {}
        for number, move in enumerate(moves, 1):
            standing = oracle.play(move, number, None)["standing"]
        return oracle, standing


def _is_answer(line: JSON) -> bool:
    return line["origin"] == "phone" and line.get("move", {}).get("do") == "end_turn"


def _seen(event: str, move: JSON) -> JSON:
    """A refused card may have been the one asked for: nobody can see that, and nothing hangs on it."""
    return {key: value for key, value in plain(move).items() if event != "refused" or key != "asked"}


def plain(move: JSON) -> JSON:
    """A move as it can be compared: the order of a pool means nothing."""
    return move | {"pool": sorted(move["pool"])} if "pool" in move else dict(move)


@dataclass(frozen=True)
class Film:
    """People who play a match before a camera; the same film each time that it is shown.

    Attributes:
        forgetful: Ends of turn are forgotten before a card that only the next seat could lay, also where they should
            be spoken.
    """

    match: JSON
    seed: int
    habits: Behaviour = CLUMSY
    lively: float = 0.4
    deals: bool = False
    forgetful: bool = False

    @cached_property
    def opened(self) -> OpenedMatch:
        return open_match(self.match, DECK)

    def pictures(self, until_s: float, rate_hz: float = RATE_HZ) -> Iterator[ScriptedPicture]:
        players = Players(self.match, DECK, lambda: Oracle(self.match, DECK), self.seed, self.habits)
        players.inferred |= self.forgetful
        stage = card_stage(self.opened.layout, self.opened.game.seats, self.seed)
        script = MatchScript(players.deeds(), stage, self.seed, lively=self.lively, deals=self.deals)
        return takewhile(lambda shown: shown.time_s < until_s, script.pictures(rate_hz))

    def acts(self, lasts_s: float) -> list[ScriptedAct]:
        """Every act that ends by then."""
        shown = self.pictures(lasts_s + 1, 1.0)
        return [act for picture in shown for act in picture.done if act.ends_s < lasts_s]

    def scene(
        self,
        photographed: str | None = None,
        cutouts: Mapping[Token, Cutout] | None = None,
        camera: CameraModel | None = None,
    ) -> Scene:
        """Cards drawn as the simulated table draws them, on a photographed surface or a drawn one."""
        top, hands = (photographs.surface(photographed), photographs.hands()) if photographed else (None, None)
        scene = Scene(
            self.opened.layout,
            seed=self.seed,
            pictograms=card_pictograms(DECK),
            surface=top,
            hands=hands,
            cutouts=cutouts or {},
        )
        if camera is not None:
            scene.look_from(camera)
        return scene


def _around_hands(pictures: Iterator[ScriptedPicture], around_s: float) -> Iterator[tuple[ScriptedPicture, bool]]:
    """Each picture, and whether it is looked at: a still table says nothing new."""
    busy_s = looked_s = -math.inf
    for picture in pictures:
        busy_s = picture.time_s if picture.arms or picture.done or picture.says else busy_s
        wanted = picture.time_s - busy_s <= around_s or picture.time_s - looked_s >= 1 / STILL_HZ
        looked_s = picture.time_s if wanted else looked_s
        yield picture, wanted


def tell(
    film: Film,
    lasts_s: float = math.inf,
    *,
    longer_s: float = 0.0,
    rate_hz: float = RATE_HZ,
    around_s: float = math.inf,
    exact: bool = False,
    scene: Scene | None = None,
    magnified: Callable[[float], float] = lambda _: 1.0,
    changed: Callable[[ScriptedPicture], ScriptedPicture] = lambda picture: picture,
    looked: Callable[[Match, ScriptedPicture, list[Update]], None] = lambda *_: None,
    answers: bool = True,
) -> Told:
    """Show a film, up to the end of an act, to the eye and the referee; people answer what is asked, as it was.

    Args:
        longer_s: How long the film goes on after its last act.
        around_s: How long before and after hands every picture is looked at.
        exact: Without pixels, as a perfect eye would see it.
        changed: What is seen instead of each picture.
        looked: Called after each look, with what was told in it.
        answers: People answer what is asked.
    """
    opened, acts = film.opened, film.acts(lasts_s)
    told, news = Told(film.match, acts), list[Update]()
    match = Match(opened.game, write=lambda _: None, publish=news.append)
    scene = scene or film.scene()
    perfect, observer = ExactEye(opened.layout), Observer(opened.layout, sticker_codes(opened.game))
    began_s, ends_s = time.monotonic(), acts[-1].ends_s
    for picture, wanted in _around_hands(film.pictures(ends_s + longer_s, rate_hz), around_s):
        for move in picture.says if picture.time_s <= ends_s else ():
            match.handle(MakeMove(decode_move(opened.game, move), Origin.PHONE), picture.time_s)
        if wanted:
            heard, seen = len(news), changed(picture)
            if exact:
                look = perfect.look(seen)
            else:
                gray = draw(scene, seen, None, magnified(picture.time_s))
                look = observer.observe(make_frame(gray, picture.time_s))
            match.handle(look, look.taken_s)
            told.pictures += 1
            told.lost += look.lost is not None
            told.alarms += [text for one in news[heard:] if (text := _false_alarm(acts, one, picture.time_s))]
            looked(match, picture, news[heard:])
        told.asked += _answers(match, acts, picture.time_s) if answers else ()
    told.lines = [encode_line(line) for line in match.record.lines]
    told.lies = dict(match.issues.lying)
    told.should_lie = dict(opened.game.table.expected(match.public).cards)
    told.film_s, told.took_s = ends_s, time.monotonic() - began_s
    return told


def _false_alarm(acts: list[ScriptedAct], one: Update, now_s: float) -> str:
    """A sentence about what sounded wrong though nothing was; empty where something was, or nothing sounded."""
    wrong = any(act.deed.rules and act.begins_s <= now_s <= act.ends_s + 2 for act in acts)
    if one.signal not in (Signal.REFUSED, Signal.MISPLACED, Signal.LOST) or (one.signal is Signal.REFUSED and wrong):
        return ""
    said = one.entry and {key: value for key, value in one.entry.items() if key != "standing"}
    return f"{now_s:.1f} s: {one.signal.value} {said or [text.key for text in one.texts]}"


def _answers(match: Match, acts: list[ScriptedAct], now_s: float) -> Iterator[str]:
    """People answer what is asked, as it was; what they did not do they leave unanswered."""
    for number, question in list(match.issues.questions.open.items()):
        truth = [plain(act.deed.move) for act in acts if act.begins_s <= now_s <= act.ends_s + ANSWERS_S]
        for k, meaning in enumerate(question.meanings):
            moves = [encode_move(said.move) for said in meaning if isinstance(said, MakeMove)]
            if isinstance(said := meaning[0], Claim) and (act := match.record.acts.get(said.number or 0)) is not None:
                moves = [encode_move(as_seat(act.move, said.by))]
            if moves and all(move in truth for move in moves):
                yield f"{now_s:.1f} s: {question.question.text.key} {moves}"
                match.handle(AnswerQuestion(number, k), now_s)
                break
