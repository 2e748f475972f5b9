"""Counts the calls of one look, one Stop! and one undo, and how many of them go from one package to another.

    python tests/tools/call_counts.py
    python tests/tools/call_counts.py --root OLDER --mapping FILES.json --driver DRIVER.py

A package is the folder of a file. An older checkout is counted in the packages of today: the mapping gives for each of
its files the file of today, or, where a file was divided, ``{"class or function": file, "": file of the rest}``. The
driver names the same three things in that checkout's words; it has ``scenarios()`` as below.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from support.idle_services import IDLE

PRODUCT = ("companion", "vision", "hardware", "web")

STAGES = (
    ("vision/motion/detector.py",),
    ("vision/tracking/camera_shift.py",),
    ("vision/tracking/recognition.py",),
    ("vision/tracking/search.py",),
    ("vision/tracking/tracker.py",),
    ("vision/tracking/occlusion.py",),
    ("vision/motion/background.py",),
)
"""The stages of a look, first to last; the tracker stands where it takes in what was read."""

Scenario = tuple[str, Callable[[], object]]
Place = str | Mapping[str, str]


class Calls:
    """Every call from a product function to a product function, in all threads, while it is on.

    Args:
        root: The checkout that is run.
        mapping: Its files in today's places; files that are not named stand where they stood.
    """

    def __init__(self, root: Path, mapping: Mapping[str, Place]) -> None:
        self._root = f"{root}/"
        self._mapping = mapping
        self._stack = threading.local()
        self._on = False
        self._places: dict[object, tuple[str, str] | None] = {}
        self.edges: Counter[tuple[str, str]] = Counter()
        self.functions: Counter[tuple[str, str]] = Counter()

    def install(self) -> None:
        """Listen in this thread and in all that start from now on."""
        threading.setprofile(self._listen)
        sys.setprofile(self._listen)

    def count(self, work: Callable[[], object]) -> None:
        """Count the calls of this work alone."""
        self.edges.clear()
        self.functions.clear()
        self._on = True
        try:
            work()
        finally:
            self._on = False

    def _listen(self, frame: FrameType, event: str, _: object) -> None:
        if event not in ("call", "return"):
            return
        place = self._place(frame)
        if place is None:
            return
        stack: list[str] = self._stack.__dict__.setdefault("files", [])
        if event == "return":
            if stack:
                stack.pop()
            return
        if self._on:
            self.functions[place] += 1
            if stack:
                self.edges[stack[-1], place[0]] += 1
        stack.append(place[0])

    def _place(self, frame: FrameType) -> tuple[str, str] | None:
        """File and name of a function of the product; lambdas and comprehensions belong to the function around them."""
        code = frame.f_code
        if code not in self._places:
            path, name = code.co_filename.removeprefix(self._root), code.co_qualname
            inside = path != code.co_filename and path.startswith(PRODUCT) and not code.co_name.startswith("<")
            self._places[code] = (self._today(path, name), name) if inside else None
        return self._places[code]

    def _today(self, path: str, name: str) -> str:
        place = self._mapping.get(path, path)
        return place if isinstance(place, str) else place.get(name.partition(".")[0], place[""])


def package(path: str) -> str:
    """The folder of a file."""
    return path.rpartition("/")[0]


def report(name: str, calls: Calls) -> Iterator[str]:
    """One line of figures, and for a look how its stages call each other."""
    across = sum(n for (caller, callee), n in calls.edges.items() if caller != callee)
    packages = sum(n for (caller, callee), n in calls.edges.items() if package(caller) != package(callee))
    files = {path for path, _ in calls.functions}
    yield (
        f"{name}: {len(files)} modules, {len(calls.functions)} functions, {calls.functions.total()} calls, "
        f"{across} across modules, {packages} across packages"
    )
    if any(path.startswith("vision/") for path in files):
        order = {path: number for number, stage in enumerate(STAGES) for path in stage}
        between = {edge: n for edge, n in calls.edges.items() if edge[0] != edge[1] and set(edge) <= set(order)}
        back = {edge: n for edge, n in between.items() if order[edge[1]] < order[edge[0]]}
        yield f"  calls from stage to stage: {sum(between.values())}, back to an earlier one: {sum(back.values())}"
        for (caller, callee), number in sorted(back.items()):
            yield f"    {caller} calls {callee}: {number}"


def busiest(calls: Calls, works: Iterator[Callable[[], object]]) -> None:
    """Count the work that runs the most functions; the counts of the others are dropped."""
    best: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] | None = None
    for work in works:
        calls.count(work)
        if best is None or len(calls.functions) > len(best[0]):
            best = Counter(calls.functions), Counter(calls.edges)
    assert best is not None
    calls.functions, calls.edges = best


def looks(layout: Any, accepted: Any) -> Iterator[Callable[[], object]]:
    """Looks at a table on which a new card is laid, from the first that shows it."""
    import numpy as np

    from companion.public.table import Token
    from vision.camera.frame import make_frame
    from vision.synthetic.camera_model import CameraModel
    from vision.synthetic.compositing import DrawnCard
    from vision.synthetic.scene import Scene
    from vision.synthetic.textures import CardPrint
    from vision.tracking.observer import Observer

    observer = Observer(layout, accepted)
    scene = Scene(layout, CameraModel(), printed=CardPrint(sticker_mm=30.0))
    pool = [DrawnCard(Token(f"C1{n}"), 900 + n % 2 * 90, 60 + n // 2 * 120, 0.0) for n in range(1, 6)]
    for number in range(28):
        cards = pool if number < 14 else [*pool, DrawnCard(Token("C33"), 400, 250, 0.0)]
        frame = make_frame(np.asarray(scene.render(cards), np.uint8), 1000 + 0.12 * number)
        if number < 14:
            observer.observe(frame)
        else:
            yield lambda frame=frame: observer.observe(frame)


def scenarios(folder: Path) -> Iterator[Scenario | tuple[str, Iterator[Callable[[], object]]]]:
    """What is counted: of several works the busiest."""
    from companion.games.registry import demo_deck, locale_folders, open_match, sticker_codes
    from companion.public.i18n import Translations
    from companion.public.service import Role, User
    from companion.service.runner import MatchRunner
    from companion.service.table_service import TableService
    from companion.storage.event_log import LOG_FILE, EventLog, wall_clock
    from web.app import create_app
    from web.language import LOCALE_FOLDER

    log = EventLog(folder / LOG_FILE)
    runner = MatchRunner(log, lambda header: open_match(header["match"], header["deck"]).game, wall_clock=wall_clock)
    service = TableService(
        runner, **IDLE, source="picamera", version="0", picture=lambda: None, complete=lambda match: match
    )
    client = create_app(service, Translations((*locale_folders(), LOCALE_FOLDER))).test_client()
    game = open_match(MATCH, demo_deck()).game
    yield "one look while a new card is read", looks(game.table.layout, sticker_codes(game))
    thread = threading.Thread(target=runner.run, daemon=True)
    thread.start()
    runner.ask(lambda: runner.begin({"match": MATCH, "deck": demo_deck()}))
    deal = {"do": "deal", "by": 0, "pool": ["2-1", "2-2", "1-3", "2-4", "2-5"]}
    service.match.move(User(Role.HOST), deal, None)
    codes = {seat: code for seat, code, _ in log.table.codes(runner.stored.id)}
    yield from posts(client, codes)
    runner.stop()
    thread.join()
    log.close()


MATCH = {
    "game": "discovery",
    "profile": "fr-explore",
    "seat": [{"name": "Ana"}, {"name": "Ben"}],
    "options": {"stop": True},
}


def posts(client: Any, codes: Mapping[int, str]) -> Iterator[Scenario]:
    """A phone says Stop! to a card that may not lie there, and another takes its own back."""

    def post(path: str, body: dict[str, object], seat: int) -> None:
        headers = {"Authorization": f"Bearer {codes[seat]}", "Host": "localhost"}
        answer = client.post(path, json=body, headers=headers)
        assert answer.status_code == 200, answer.get_data(as_text=True)

    def move(seat: int, **what: object) -> None:
        post("/api/v1/moves", {"move": what}, seat)

    move(1, do="place", by=1, card="1-1", **{"from": "hand"})
    yield "POST Stop!", lambda: move(2, do="stop", by=2)
    yield "undo by phone", lambda: post("/api/v1/corrections", {"do": "undo"}, 2)


def main() -> None:
    """Count, and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--root", type=Path, default=Path(__file__).parents[2], help="the checkout to run")
    options.add_argument("--mapping", type=Path, help="its files in today's places, as JSON")
    options.add_argument("--driver", type=Path, default=Path(__file__), help="Python file with scenarios(folder)")
    given = options.parse_args()
    root = given.root.resolve()
    sys.path.insert(0, str(root))
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("driver", given.driver)
    assert spec is not None
    assert spec.loader is not None
    driver = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(driver)
    calls = Calls(root, json.loads(given.mapping.read_text()) if given.mapping else {})
    calls.install()
    with tempfile.TemporaryDirectory() as folder:
        for name, work in driver.scenarios(Path(folder)):
            if callable(work):
                calls.count(work)
            else:
                busiest(calls, work)
            print("\n".join(report(name, calls)))


if __name__ == "__main__":
    main()
