"""Whole matches through pixels: played by dice, drawn, looked at, refereed, and compared with the truth."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
from reference.judge import Oracle
from support.exact_eye import ExactEye
from support.film_report import DECK
from support.scripted_players import Players, card_stage

from companion.games.discovery.people.behaviour import Behaviour
from companion.games.registry import open_match, sticker_codes
from companion.history.codec import decode_move, encode_line, encode_move
from companion.history.events import Origin
from companion.public.updates import Signal, Update
from companion.referee.commands import AnswerQuestion, MakeMove
from companion.referee.match import Match
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture
from vision.camera.frame import make_frame
from vision.synthetic.scene import Scene
from vision.synthetic.source import draw
from vision.tracking.observer import Observer

JSON = Any
RATE_HZ = 6.0
AROUND_S = 0.7
"""Pictures are taken while hands are in view and so long after; a still table says nothing new."""
STILL_HZ = 2.0
"""Otherwise so many."""
CAMERA_CANNOT_KNOW = ("joker", "asked", "stop", "place", "discard")
"""Questions about these need a person (rules.md 3.10): what a joker stands for, which card was asked, whose Stop."""
HABITS = Behaviour(errs=0.15, forgets=0.1, rues=0.06, speaks=True)
ANSWERS_S = 25.0
"""How long after an act somebody still answers what was asked about it."""
PICTURES = Path("bench-table")
"""What went wrong is kept there in pictures; nothing is made where nothing did."""
NAMES = ("Ana", "Ben", "Cléo", "Dan", "Eva", "Finn")


def matches() -> Iterator[JSON]:
    """All five profiles, 3 to 6 seats, with bots, jokers, teams, stops and turns that end by themselves."""
    for number, (profile, seats, more) in enumerate(
        [
            ("fr-explore", 3, {}),
            ("en-memory", 3, {}),
            ("en-explore", 3, {"bots": 1}),
            ("fr-bluff", 4, {"jokers": 2}),
            ("en-intro", 4, {"jokers": 2}),
            ("fr-explore", 4, {"bots": 1, "jokers": 2}),
            ("en-explore", 4, {"options": {"stop": True}}),
            ("fr-explore", 3, {"options": {"turn_end": "inferred"}}),
            ("en-memory", 4, {"bots": 1}),
            ("fr-bluff", 6, {}),
            ("en-intro", 5, {"options": {"stop": True}}),
            ("fr-explore", 6, {"teams": 2}),
            ("en-explore", 5, {"options": {"series_plus": True}, "jokers": 2}),
            ("fr-bluff", 4, {"teams": 2}),
            ("en-memory", 5, {"jokers": 2}),
            ("fr-explore", 5, {"options": {"stop": True}}),
            ("en-intro", 3, {"bots": 1, "jokers": 2}),
            ("en-explore", 6, {}),
            ("fr-bluff", 3, {"bots": 1}),
            ("en-intro", 6, {"options": {"turn_end": "inferred"}}),
        ]
    ):
        people: list[dict[str, Any]] = [{"name": NAMES[n]} for n in range(seats)]
        for n in range(more.get("bots", 0)):
            people[-1 - n]["bot"] = True
        for n, seat in enumerate(people if "teams" in more else []):
            seat["team"] = ("red", "blue")[n % more["teams"]]
        match = {"game": "discovery", "profile": profile, "dealer": seats, "seat": people}
        match |= {"jokers": more.get("jokers", 0), "options": more.get("options", {})}
        yield match | {"seed": number}


@dataclass
class Played:
    """What was filmed of one match, and what the referee made of it."""

    match: JSON
    seed: int
    acts: list[ScriptedAct]
    lines: list[JSON] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    film_s: float = 0.0
    wall_s: float = 0.0
    pictures: int = 0

    @property
    def wanted(self) -> list[JSON]:
        """The story as it happened."""
        story = []
        for deed in (act.deed for act in self.acts):
            if deed.strikes:
                story.append({"event": "struck"})
            else:
                kind = "refused" if deed.rules and not deed.stands else "played"
                kind = "dealt" if deed.move["do"] == "deal" else kind
                story.append({"event": kind, "move": _wrong(kind, deed.move), "wrong": sorted(deed.rules)})
            story[-1]["points"] = list(deed.points)
        return story

    @property
    def told(self) -> list[JSON]:
        """The story as it was told."""
        story = []
        for number, line in enumerate(self.lines, 1):
            if line["event"] in ("settled", "question") or line.get("move", {}).get("do") == "uncontested":
                continue
            if line.get("asks") and any(map(_is_answer, self.lines[number : number + 3])):
                continue  # whose turn it was, somebody said; what he laid is told after it
            said: JSON = {"event": line["event"]}
            if "move" in line:
                wrong = sorted({found["rule"] for found in line.get("objections", ())})
                said |= {"move": _wrong(line["event"], line["move"]), "wrong": wrong}
            elif line["event"] != "struck":
                said |= {"line": line}
            story.append(said | {"points": line["standing"]["points"]})
        return story


def _is_answer(line: JSON) -> bool:
    return line["origin"] == "phone" and line.get("move", {}).get("do") == "end_turn"


def _wrong(kind: str, move: JSON) -> JSON:
    """A refused card may have been the one asked for: nobody can see that, and nothing hangs on it."""
    return {key: value for key, value in _plain(move).items() if kind != "refused" or key != "asked"}


def _plain(move: JSON) -> JSON:
    return move | {"pool": sorted(move["pool"])} if "pool" in move else dict(move)


def looked_at(pictures: Iterator[ScriptedPicture]) -> Iterator[tuple[ScriptedPicture, bool]]:
    """Each picture, and whether to draw it."""
    busy_s = drawn_s = -math.inf
    for picture in pictures:
        busy_s = picture.time_s if picture.arms or picture.done or picture.says else busy_s
        wanted = picture.time_s - busy_s <= AROUND_S or picture.time_s - drawn_s >= 1 / STILL_HZ
        drawn_s = picture.time_s if wanted else drawn_s
        yield picture, wanted


def play(
    match: JSON,
    seed: int,
    lasts_s: float = math.inf,
    *,
    exact: bool = False,
    forgetful: bool = False,
    habits: Behaviour = HABITS,
    pictures: Path | None = None,
) -> Played:
    """Film a match, look at it, referee it; people answer what is asked, and say what no camera can see.

    ``exact``: without pixels, as a perfect eye would see it. ``forgetful``: ends of turn are forgotten before a card
    that only the next seat could lay, also where they should be spoken.
    """
    match = {key: value for key, value in match.items() if key != "seed"}
    opened = open_match(match, DECK)

    def film() -> MatchScript:
        players = Players(match, DECK, lambda: Oracle(match, DECK), seed, habits)
        players.inferred |= forgetful
        stage = card_stage(opened.layout, opened.game.seats, seed)
        return MatchScript(players.deeds(), stage, seed, lively=0.3)

    acts: list[ScriptedAct] = []
    for picture in film().pictures(1.0):
        acts += [act for act in picture.done if act.ends_s < lasts_s]
        if picture.time_s > lasts_s:
            break
    played = Played(match, seed, acts)
    news: list[Update] = []
    evening = Match(opened.game, write=lambda _: None, publish=news.append)
    scene, watcher = Scene(opened.layout, seed=seed), Observer(opened.layout, sticker_codes(opened.game))
    eye = ExactEye(opened.layout)
    began_s, ends_s = time.monotonic(), acts[-1].ends_s + 0.5
    for picture, wanted in looked_at(takewhile(lambda shown: shown.time_s < ends_s, film().pictures(RATE_HZ))):
        for move in picture.says if picture.time_s <= acts[-1].ends_s else ():  # what comes later is not in the story
            evening.handle(MakeMove(decode_move(opened.game, move), Origin.PHONE), picture.time_s)
        if wanted:
            gray = None if exact else draw(scene, picture)
            played.pictures += 1
            heard = len(news)
            look = eye.look(picture) if gray is None else watcher.observe(make_frame(gray, picture.time_s))
            evening.handle(look, look.taken_s)
            for one in news[heard:]:
                note(played, one, picture, gray, pictures)
        answer(played, evening, acts, picture.time_s)
    played.lines = [encode_line(line) for line in evening.record.lines]
    played.film_s, played.wall_s = ends_s, time.monotonic() - began_s
    wrong = compare(played)
    if wrong is not None and pictures is not None:
        seen = next(shown for shown in film().pictures(RATE_HZ) if shown.time_s >= wrong.ends_s + AROUND_S)
        played.faults[-1] += _keep(played, draw(scene, seen), pictures, f"{seen.time_s:07.1f}-fault")
    if played.lines and not played.faults:
        won, truth = played.lines[-1]["standing"]["winners"], winners(match, acts)
        if won != truth:
            played.faults.append(f"winners: in truth {truth}, told {won}")
    return played


def note(played: Played, one: Update, picture: ScriptedPicture, gray: Any, folder: Path | None) -> None:
    """Keep what might be a false alarm, with its picture."""
    if one.signal not in (Signal.REFUSED, Signal.MISPLACED, Signal.LOST):
        return
    now_s = picture.time_s
    wrong = [act.deed for act in played.acts if act.deed.rules and act.begins_s <= now_s <= act.ends_s + 2]
    if one.signal is Signal.REFUSED and wrong:
        return
    said = one.entry and {key: value for key, value in one.entry.items() if key != "standing"}
    kept = _keep(played, gray, folder, f"{now_s:07.1f}-{one.signal.value}")
    played.alarms.append(f"{now_s:.1f} s: {one.signal.value} {said or [text.key for text in one.texts]}{kept}")


def _keep(played: Played, gray: Any, folder: Path | None, name: str) -> str:
    """What to say of a picture that was kept."""
    if folder is None or gray is None:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{played.match['profile']}-{played.seed}-{name}.jpg"
    cv2.imwrite(str(path), gray)
    return f" ({path})"


def answer(played: Played, evening: Match, acts: list[ScriptedAct], now_s: float) -> None:
    """People answer what is asked, as it was; what they did not do they leave unanswered."""
    for number, question in list(evening.issues.questions.open.items()):
        truth = [_plain(act.deed.move) for act in acts if act.begins_s <= now_s <= act.ends_s + ANSWERS_S]
        for k, meaning in enumerate(question.meanings):
            moves = [encode_move(said.move) for said in meaning if isinstance(said, MakeMove)]
            if moves and all(move in truth for move in moves):
                played.asked.append(f"{now_s:.1f} s: {question.question.text.key} {moves}")
                evening.handle(AnswerQuestion(number, k), now_s)
                break


def winners(match: JSON, acts: list[ScriptedAct]) -> list[int]:
    """Who has won in truth, if anybody has: the second judge hears all that counted."""
    counted: list[JSON] = []
    for deed in (act.deed for act in acts):
        if deed.strikes:
            counted.pop()
        elif deed.stands or not deed.rules:
            counted.append(deed.move)
    oracle, told = Oracle(match, DECK), []
    for number, move in enumerate(counted, 1):
        told = oracle.play(move, number, None)["standing"]["winners"]
    return list(told)


def compare(played: Played) -> ScriptedAct | None:
    """Where the story that was told leaves the one that happened."""
    wanted, told = played.wanted, played.told
    for number, (one, other) in enumerate(zip(wanted, told, strict=False)):
        if one != other:
            played.faults.append(f"act {number}: happened {one}, told {other}")
            return played.acts[number]
    if len(wanted) == len(told):
        return None
    more = wanted[len(told) :] or told[len(wanted) :]
    played.faults.append(f"{len(wanted)} acts happened, {len(told)} were told; the first apart: {more[0]}")
    return played.acts[min(len(told), len(wanted) - 1)]


def told_in_short(played: Played) -> str:
    rules = Counter("unlawful" if act.deed.rules else "lawful" for act in played.acts)
    match = played.match
    bots = sum(bool(seat.get("bot")) for seat in match["seat"])
    what = f"{match['profile']} {len(match['seat'])} seats"
    what += f", {bots} bots" if bots else ""
    what += f", {match['jokers']} jokers" if match["jokers"] else ""
    what += ", teams" if any("team" in seat for seat in match["seat"]) else ""
    what += f", {match['options']}" if match["options"] else ""
    return (
        f"{what}: {rules['lawful']} lawful and {rules['unlawful']} unlawful acts; {len(played.faults)} faults, "
        f"{len(played.alarms)} false alarms, {len(played.asked)} questions; "
        f"{played.pictures} pictures, {60 * played.wall_s / played.film_s:.0f} s a simulated minute"
    )


def table(_long: bool) -> Iterator[str]:
    """Twenty matches; every processor plays one at a time. What went wrong is kept in pictures."""
    chosen, began_s = list(matches()), time.monotonic()
    sums: Counter[str] = Counter()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for counts, lines in workers.map(_played, chosen):
            sums += counts
            yield from lines
    yield (
        f"{len(chosen)} matches: {sums['lawful']} lawful and {sums['unlawful']} unlawful acts, "
        f"{sums['faults']} faults, {sums['alarms']} false alarms, {sums['asked']} questions; "
        f"{sums['film_s'] / 60:.0f} minutes of play in {(time.monotonic() - began_s) / 60:.1f} minutes"
    )


def _played(match: JSON) -> tuple[Counter[str], list[str]]:
    """One match, counted and told, in a process of its own."""
    cv2.setNumThreads(1)
    played = play(match, match["seed"], pictures=PICTURES)
    counts = Counter("unlawful" if act.deed.rules else "lawful" for act in played.acts)
    lines = [told_in_short(played)]
    for name in ("faults", "alarms", "asked"):
        found = getattr(played, name)
        counts[name] = len(found)
        lines += [f"  {name}: {one}" for one in found]
    counts["film_s"] = round(played.film_s)
    return counts, lines
