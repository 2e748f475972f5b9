"""Services without a table behind them: a scripted match in memory, for what no real match does on demand."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from support.demo_cards import demo_deck

from companion.public.layout import read_layout
from companion.public.service import Denied, Done, Invalid, JoinCode, NotFound, Result, Role, Stale, User
from companion.public.standing import AvailableMove, Obligation, Standing, encode_standing
from companion.public.table import Seat
from companion.public.text import Text
from companion.public.updates import Alert, AnswerOption, Question, Signal, Update
from companion.service.box_checker import NoBoxChecker
from companion.service.card_photos import CardPhotos, NoCardPhotos
from companion.service.deck_editor import DeckEditor
from companion.service.phone_camera import NoPhoneCamera
from companion.service.recording import NoRecording
from companion.service.table_setup import WatchedTable
from companion.service.visiting import SimulatedSeats
from companion.service.zone_editor import ZoneEditor
from vision.card_photo import card_photo

HOST_CODE = "h" * 26
HUB_CODE = "b" * 26
NAMES = ("Ana", "Ben", "Cy", "Dora", "Émile", "Fay", "Gus", "Hana", "Ivo")
SILENT = ("en-memory", "fr-bluff")
CORRECTIONS = (
    "undo",
    "claim",
    "allow",
    "pause",
    "resume",
    "counts",
    "table-is-right",
    "log-is-right",
    "camera-was-wrong",
    "seat",
)
ZONES = read_layout(
    {
        "size_mm": [1100, 650],
        "zone": [
            {"name": "discard-1", "polygon": [[10, 20], [150, 20], [150, 300], [10, 300]]},
            {"name": "tree", "polygon": [[160, 20], [820, 20], [820, 630], [160, 630]]},
            {"name": "pool", "polygon": [[840, 20], [1080, 20], [1080, 630], [840, 630]]},
        ],
    }
)
FINDINGS = tuple(
    {"name": name, "level": level, "what": what, "to_do": to_do}
    for name, level, what, to_do in (
        ("power", "ok", "enough voltage since the start", ""),
        ("light", "warning", "white paper is 60 of 255 bright", "bring a lamp nearer, from the side"),
        ("disk wear", "info", "no errors counted; this storage does not tell its age", ""),
        ("camera", "trouble", "usb:0 gives no pictures", "check its cable"),
    )
)
"""What a doctor may find."""
PICTURE = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")


def code_of(seat: int) -> str:
    """The long code of a seat."""
    return f"seat{seat}" * 5


def short_of(seat: int) -> str:
    """The code that a seat's player types."""
    return f"SEAT{seat}A"


class IdleRecording(NoRecording):
    """Nothing is recorded; a page that looks is told so."""

    def state(self, _user: User) -> Result:
        return Done({"recording": False, "ready": None, "broken_off": None})

    def plan(self, _user: User, _seconds: float) -> Result:
        return Done({"kind": "png", "bytes": 1_000_000})


class FakeDesk:
    """Keeps the score of a small evening: cards come down in the deck's order, turns go round."""

    def __init__(self, *, seats: int = 4, profile: str = "fr-explore", simulated: bool = False, running: bool = True):
        self.lock = threading.RLock()
        self.outlets: list[Callable[[Update], None]] = []
        self.told: list[Update] = []
        self.moves: list[Mapping[str, Any]] = []
        self.corrections: list[Mapping[str, Any]] = []
        self.answers: list[tuple[int, int]] = []
        self.started: list[Mapping[str, Any]] = []
        self.printed = demo_deck()
        self.cards = [card["id"] for card in self.printed["card"]]
        self.simulated = simulated
        self.running = running
        self.matches_played = 0
        self.breaks = False  # whether later entries would no longer hold after a correction
        self.announced: list[User] = []
        self.hub_may_answer = False
        self.shelf = ["evening-0"]
        self.taken_in: list[str] = []
        folder = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, folder)
        runner: Any = SimpleNamespace(ask=lambda work: work(), stored=None, match=None)
        self.runner = runner
        self.folder = folder  # where its decks are
        self.decks = DeckEditor(runner, folder, card_photo)
        self.visiting = SimulatedSeats(runner, None)
        zones = ZoneEditor(folder, lambda: None)
        zones.begin(ZONES)
        unused: Any = None
        self._table = WatchedTable(
            runner, source="picamera", version="0.1.0", picture=unused, sight=unused, zones=zones
        )
        self.own_deck: str | None = None  # the table's own deck that is played with
        self.records: dict[str, list[str]] = {}
        self.shown: bytes | None = None  # what the camera shows, where a page is to draw it
        self._begin(NAMES[:seats], profile)

    def _begin(self, names: tuple[str, ...], profile: str) -> None:
        self.matches_played += 1
        self.id = f"evening-{self.matches_played}"
        self.names, self.profile, self.silent = names, profile, profile in SILENT
        self.invited = list(range(1, len(names) + 1))  # whose code opens which seat
        self.away: set[int] = set()
        self.told = []
        self.tree: list[dict[str, Any]] = []
        self.discards: list[list[str]] = [[] for _ in names]
        self.asked: tuple[Question, ...] = ()
        self.guide: tuple[Text, ...] = ()
        self.alert = Alert.NONE
        self.series = {"index": 0, "last": None, "next": 1}
        self.standing = Standing(
            turn=Seat(1),
            points=(0,) * len(names),
            counters={"hands": (5,) * len(names), "stack": 54 - 5 * len(names) - 5, "trumps": 0},
        )

    def count(self, **counters: Any) -> None:
        """Change some counters of the scoreboard."""
        self.standing = replace(self.standing, counters={**self.standing.counters, **counters})

    # What happens at the table

    def lay(self, count: int = 1) -> None:
        """The player whose turn it is lays the next cards of the deck."""
        for _ in range(count):
            card = self.cards[len(self.tree)]
            seat = self.standing.turn or Seat(1)
            with self.lock:
                self.tree.append({"card": card, "by": seat, "era": int(card[0])})
                self.series = {"index": self.series["index"] + 1, "last": card, "next": self.series["index"] + 2}
                points = 0 if self.silent else self.series["index"]
                stack = max(0, self.standing.counters["stack"] - 1)
                self.standing = replace(self.standing, points=_added(self.standing.points, seat, points))
                self.count(stack=stack)
                text = (
                    Text("fake.recognised")
                    if self.silent
                    else Text("fake.laid", {"seat": seat, "card": card, "n": points})
                )
                move = {"do": "place", "by": seat, "card": card, "from": "hand"}
                self._play(text, move, points)
            if self.series["index"] == 3:
                self.end_turn()

    def _play(self, text: Text, move: dict[str, Any], points: int) -> None:
        signal = Signal.RECOGNISED if self.silent else Signal.PLAYED
        earned = {"points": points} if points else {}
        self.tell(signal, (text,), event="played", move=move, **earned)

    def take_back(self) -> None:
        """A refused card is taken back."""
        self.alert = Alert.NONE
        self.tell(Signal.SETTLED, (), event="settled")

    def end_turn(self) -> None:
        """The turn goes to the next seat."""
        with self.lock:
            seat = self.standing.turn or Seat(1)
            self.series = {"index": 0, "last": None, "next": 1}
            after = Seat(seat % len(self.names) + 1)
            self.standing = replace(self.standing, turn=after)
            self.count(trumps=0)
            self.tell(
                Signal.PLAYED,
                (Text("fake.turn", {"seat": after}),),
                event="played",
                move={"do": "end_turn", "by": seat},
            )

    def refuse(self, card: str = "1-8", missing: tuple[str, ...] = ("1-2",)) -> None:
        """A card is laid whose prerequisites are not there."""
        with self.lock:
            seat = self.standing.turn or Seat(1)
            self.alert = Alert.REFUSED
            texts = (Text("fake.needs", {"card": card, "cards": list(missing)}), Text("fake.paragraph"))
            objections = [{"rule": "prerequisites", "cards": list(missing)}]
            move = {"do": "place", "by": seat, "card": card, "from": "hand"}
            self.tell(Signal.REFUSED, texts, event="refused", move=move, objections=objections)

    def ask(self) -> None:
        """The referee does not know whose card it was."""
        with self.lock:
            self.alert = Alert.ASKS
            answers = (
                AnswerOption(Text("fake.yes", {"seat": 2})),
                AnswerOption(Text("fake.no", {"seat": 1}), (Seat(1),)),
            )
            self.asked = (
                *self.asked,
                Question(len(self.answers) + len(self.asked) + 1, Text("fake.whose", {"seat": 2}), answers),
            )
            self.tell(Signal.ASKS, (Text("fake.whose", {"seat": 2}),), event="question")

    def disagree(self, *cards: str) -> None:
        """The table is not as the log has it; these are to be taken away. None = it is again."""
        with self.lock:
            self.guide = tuple(Text("fake.away", {"card": card}) for card in cards)
            self.alert = Alert.DISAGREES if cards else Alert.NONE
            signal = Signal.MISPLACED if cards else Signal.SETTLED
            texts = (Text("fake.disagree"),) if cards else ()
            self.publish(
                Update(None, signal, texts, self.standing, None, self.public_view(), self.alert, self.asked, self.guide)
            )

    def doubt(self) -> None:
        """The referee inferred the end of a turn and asks whether that was right."""
        with self.lock:
            answers = (
                AnswerOption(Text("fake.yes", {"seat": 2})),
                AnswerOption(Text("fake.no", {"seat": 1})),
                AnswerOption(Text("fake.neither")),
            )
            self.asked = (Question(9, Text("fake.whose", {"seat": 2}), answers),)
            self.alert = Alert.ASKS
            self.tell(Signal.ASKS, (Text("fake.whose", {"seat": 2}),), event="question")

    def lose(self) -> None:
        """Something is in front of the camera: no entry."""
        with self.lock:
            self.alert = Alert.LOST
            self.publish(
                Update(
                    None,
                    Signal.LOST,
                    (Text("fake.lost"),),
                    self.standing,
                    None,
                    self.public_view(),
                    self.alert,
                    self.asked,
                )
            )

    def win(self) -> None:
        """The evening ends."""
        with self.lock:
            best = max(self.standing.points)
            winners = tuple(Seat(i) for i, points in enumerate(self.standing.points, 1) if points == best)
            self.standing = replace(self.standing, turn=None, over=True, winners=winners)
            self.tell(Signal.OVER, (Text("fake.over", {"seats": list(winners)}),), event="played")

    def owe(self, seat: int, do: str) -> None:
        """A seat must do something first."""
        with self.lock:
            self.standing = replace(self.standing, owed=(Obligation(Seat(seat), do),))
            self.tell(Signal.CORRECTED, (), event="corrected")

    def tell(self, signal: Signal, texts: tuple[Text, ...], **entry: Any) -> None:
        """Write an entry and tell everybody."""
        number = len(self.told) + 1
        public = {
            "number": number,
            "time_s": number * 7.5,
            "origin": "camera",
            **entry,
            "standing": encode_standing(self.standing),
        }
        self.publish(
            Update(number, signal, texts, self.standing, public, self.public_view(), self.alert, self.asked, self.guide)
        )

    def publish(self, news: Update) -> None:
        with self.lock:
            if news.number is not None:
                self.told.append(news)
            self.last = news
            outlets = tuple(self.outlets)
        for outlet in outlets:
            outlet(news)

    def public_view(self) -> Any:
        laid = [entry["card"] for entry in self.tree]
        rest = self.cards[len(laid) :]
        common = {
            "pool": [*rest[:4], None] if rest else [],
            "discards": [list(pile) for pile in self.discards],
            "hands": list(self.standing.counters["hands"]),
            "stack": self.standing.counters["stack"],
            "away": sorted(self.away),
        }
        if self.silent:
            return {**common, "top": laid[-1] if laid else None}
        eras = sorted({entry["era"] for entry in self.tree})
        closed = [era for era in eras if sum(card[0] == str(era) for card in laid) == 9]
        needs = {card["id"]: card["prerequisites"] for card in self.printed["card"]}
        teach = {card: [need for need in needs[card] if need not in laid] for card in rest[:4]}
        return {
            **common,
            "tree": list(self.tree),
            "series": dict(self.series),
            "trumps": self.standing.counters["trumps"],
            "eras": {"opened": eras, "closed": closed},
            "teach": teach,
        }

    def keep_deck(self, deck: Any, **pictures: bytes) -> None:
        """Play with a deck of the table's own that is called "ours", with pictures of cards by ``card_1_2``."""
        host = User(Role.HOST)
        assert isinstance(self.decks.save_deck(host, "ours", deck), Done)
        for card, picture in pictures.items():
            kept = self.decks.keep_card_picture(host, "ours", card[5:].replace("_", "-"), picture)
            assert isinstance(kept, Done)

    # The services, as pages and scripts know them: those of the decks and of the zones are real

    @property
    def match(self) -> FakeDesk:
        return self

    archive = setup = match
    box = NoBoxChecker()
    phone = NoPhoneCamera()
    recording = IdleRecording()
    photos: CardPhotos | NoCardPhotos = NoCardPhotos()

    def is_silent(self, match: str) -> bool:
        return self.silent

    def user(self, code: str) -> User | None:
        if code in (HOST_CODE, "HOSTAA"):
            return User(Role.HOST, None, outside=True)
        if code in (HUB_CODE, "HUBAAA"):
            return User(Role.HUB)
        for seat, sits in enumerate(self.invited, 1):
            if self.running and code in (code_of(seat), short_of(seat)):
                return User(Role.SEAT, Seat(sits))
        return None

    def join_codes(self, user: User) -> tuple[JoinCode, ...]:
        host = JoinCode(User(Role.HOST, None, outside=True), HOST_CODE, "HOSTAA")
        seats = [
            JoinCode(User(Role.SEAT, Seat(sits)), code_of(seat), short_of(seat))
            for seat, sits in enumerate(self.invited, 1)
            if self.running
        ]
        if user.role is Role.HOST:
            return (host, *seats)
        return tuple(one for one in seats if one.user == user)

    def renew_join_codes(self, user: User, whose: User | None) -> Result:
        return Done({}) if user.role is Role.HOST else Denied(Text("desk.host_only"))

    def hub_code(self, user: User) -> str | None:
        return "HUBAAA" if user.role is Role.HOST else None

    def hub_long_code(self) -> str | None:
        return HUB_CODE

    def hub_answers(self) -> bool:
        return self.hub_may_answer

    def set_hub(self, user: User, do: str) -> Result:
        self.hub_may_answer = do == "allow"
        return Done({}) if user.role is Role.HOST else Denied(Text("desk.host_only"))

    def newest(self) -> Update | None:
        return self.last if self.running and self.told else None

    def since(self, number: int) -> tuple[Update, ...]:
        with self.lock:
            return tuple(self.told[number:]) if self.running else ()

    def subscribe(self, outlet: Callable[[Update], None]) -> Callable[[], None]:
        self.outlets.append(outlet)
        return lambda: self.outlets.remove(outlet)

    def current(self) -> Any:
        if not self.running:
            return None
        return {
            "id": self.id,
            "game": "discovery",
            "profile": self.profile,
            "silent": self.silent,
            "scored": self.profile in ("en-explore", "fr-explore"),
            "host": "outside",
            "simulated": self.simulated,
            "seats": [{"number": i, "name": name, "team": None, "bot": False} for i, name in enumerate(self.names, 1)],
            "options": {},
            "pictures": self.own_deck,
            "deck": self.printed,
        }

    def available_moves(self, user: User) -> tuple[AvailableMove, ...]:
        if not self.running or user.role not in (Role.SEAT, Role.HOST) or self.standing.over:
            return ()
        turn = self.standing.turn or Seat(1)
        others = tuple(seat for seat in range(1, len(self.names) + 1) if seat != turn)
        offers = [AvailableMove(turn, "end_turn"), AvailableMove(turn, "pass")]
        if self.standing.counters["trumps"]:
            callable_cards = tuple(self.cards[len(self.tree) + 4 : len(self.tree) + 12])
            offers.append(AvailableMove(turn, "call", {"card": callable_cards, "holder": (0, *others)}))
            offers.append(AvailableMove(turn, "steal", {"from": others, "trump": (True,)}))
        if self.silent:
            offers += [AvailableMove(Seat(seat), "stop", {"number": (len(self.told),)}) for seat in others]
        return tuple(offer for offer in offers if user.role is Role.HOST or offer.by == user.seat)

    def view(self, user: User) -> Any:
        return self.public_view() if self.running else None

    def move(self, user: User, move: Mapping[str, Any], after: int | None) -> Result:
        with self.lock:
            if user.role is Role.SEAT and move.get("by") != user.seat:
                return Denied(Text("desk.own_seat"))
            if user.role is Role.SPECTATOR:
                return Denied(Text("desk.join_first"))
            if after is not None and after != len(self.told):
                return Stale()
            if move["do"] not in ("end_turn", "pass", "call", "steal", "stop", "place"):
                return Invalid((f"There is no move called {move['do']!r}.",))
            self.moves.append(move)
            if move["do"] == "end_turn":
                self.end_turn()
            else:
                self.tell(
                    Signal.PLAYED,
                    (Text("fake.did", {"seat": move["by"], "n": move["do"]}),),
                    event="played",
                    move=dict(move),
                )
            return Done(self.told[-1].entry)

    def correct(self, user: User, correction: Mapping[str, Any]) -> Result:
        with self.lock:
            if user.role is Role.SEAT and correction["do"] not in ("undo", "claim"):
                return Denied(Text("desk.host_only"))
            if correction.get("after") not in (None, len(self.told)):
                return Stale()
            if self.breaks and not correction.get("anyway"):
                return Stale()
            if correction["do"] not in CORRECTIONS:
                return Invalid(("There is no such correction.",))
            self.corrections.append(correction)
            if correction["do"] == "pause":
                self.alert = Alert.PAUSED
                self.tell(Signal.PAUSED, (Text("fake.paused"),), event="paused")
            elif correction["do"] == "seat":
                return self._seat(correction)
            elif correction["do"] == "resume":
                self.alert = Alert.NONE
                self.tell(Signal.RESUMED, (), event="resumed")
            else:
                self.alert = Alert.NONE
                strikes = {"strikes": correction.get("number", len(self.told))} if correction["do"] == "undo" else {}
                event = "struck" if strikes else "corrected"
                self.tell(Signal.CORRECTED, (Text("fake.corrected"),), event=event, **strikes)
            return Done(self.told[-1].entry)

    def _seat(self, said: Mapping[str, Any]) -> Result:
        seat, names, hands = said.get("seat"), list(self.names), list(self.standing.counters["hands"])
        if not isinstance(seat, int) or not 1 <= seat <= len(names):
            return Invalid((Text("desk.no_such"),))
        if isinstance(said.get("name"), str):
            names[seat - 1] = said["name"]
        if isinstance(other := said.get("swaps"), int) and 1 <= other <= len(names):
            names[seat - 1], names[other - 1] = names[other - 1], names[seat - 1]
            moved = {seat: other, other: seat}
            self.invited = [moved.get(sits, sits) for sits in self.invited]
        if isinstance(here := said.get("here"), bool):
            self.away = self.away - {seat} if here else self.away | {seat}
            hands[seat - 1] = 5 if here else 0
        self.names = tuple(names)
        self.count(hands=tuple(hands))
        self.tell(Signal.CORRECTED, (Text("fake.corrected"),), event="seated", seat=seat)
        return Done(self.told[-1].entry)

    def seats(self, user: User) -> tuple[Any, ...]:
        if not self.running or user.role is not Role.HOST:
            return ()
        last = len(self.away) + 1 == len(self.names)
        return tuple(
            {
                "seat": seat,
                "name": name,
                "bot": False,
                "here": seat not in self.away,
                "why": Text("seat.fault.last") if last and seat not in self.away else None,
                "cards": 5,
                "next": None,
            }
            for seat, name in enumerate(self.names, 1)
        )

    def answer(self, user: User, question: int, answer: int) -> Result:
        with self.lock:
            if user.role is Role.SPECTATOR or (user.role is Role.HUB and not self.hub_may_answer):
                return Denied(Text("desk.hub_answers"))
            found = next((one for one in self.asked if one.number == question), None)
            if found is None or not 0 <= answer < len(found.answers):
                return Stale(Text("desk.question_closed"))
            seats = found.answers[answer].seats
            if seats and user.role is not Role.HOST and user.seat not in seats:
                return Denied(Text("desk.host_only"))
            self.answers.append((question, answer))
            self.asked = tuple(one for one in self.asked if one is not found)
            self.alert = Alert.NONE
            self.tell(Signal.SETTLED, (), event="settled")
            return Done(self.told[-1].entry)

    def start(self, user: User, match: Mapping[str, Any]) -> Result:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        seats = match.get("seat")
        if not isinstance(seats, list) or not 1 <= len(seats) <= 9:
            return Invalid(("A match has one to nine seats.",))
        with self.lock:
            self.started.append(match)
            self.running = True
            self._begin(
                tuple(str(seat.get("name", "?")) for seat in seats if isinstance(seat, dict)), match.get("profile", "")
            )
            self.tell(Signal.STARTED, (Text("fake.started"),), event="dealt", move={"do": "deal", "by": 0})
        return Done({"match": self.id})

    def matches(self, user: User) -> tuple[Any, ...]:
        if not self.running:
            return ()
        best = list(self.standing.winners)
        return (
            {
                "id": self.id,
                "profile": self.profile,
                "seats": list(self.names),
                "began": "2026-11-20T20:30:00",
                "over": self.standing.over,
                "running": not self.standing.over,
                "points": list(self.standing.points),
                "winners": best,
                "entries": len(self.told),
            },
        )

    def rematch(self, user: User) -> Result:
        seats = [{"name": name} for name in self.names]
        return self.start(user, {"profile": self.profile, "seat": seats})

    def announce(self, user: User) -> None:
        self.announced.append(user)

    def close(self, user: User, match: str) -> Result:
        return Done({"match": match}) if match in self.shelf else NotFound()

    go_on = close

    def delete(self, user: User, match: str) -> Result:
        if match not in self.shelf:
            return NotFound()
        self.shelf.remove(match)
        return Done({"match": match})

    def restore(self, user: User, match: str) -> Result:
        self.shelf.append(match)
        return Done({"match": match})

    def import_record(self, user: User, record: str) -> Result:
        self.taken_in.append(record)
        return Done({"match": "2026-11-20"}) if record.startswith('{"record"') else Invalid(("no record",))

    def record(self, user: User, match: str) -> Iterator[str] | None:
        if match != self.id or not self.running:
            return None
        if user.role is not Role.HOST and not self.standing.over:
            raise PermissionError("The record of a running match is the host's.")
        import json

        match_file = {"game": "discovery", "profile": self.profile, "seat": [{"name": name} for name in self.names]}
        head = json.dumps({"record": 1, "match": match_file, "deck": self.printed})
        return iter([head, *(json.dumps(news.entry) for news in self.told)])

    def pictures(self, user: User, match: str, number: int) -> tuple[bytes, ...] | None:
        if self.record(user, match) is None:
            return None
        return (PICTURE, PICTURE + b"later") if number == 2 else ()

    def statistics(self, user: User, match: str) -> Any:
        if self.record(user, match) is None:
            return None
        return {
            "placements": 2,
            "corrections": 0,
            "corrections_per_100": 0.0,
            "taken_back": 0,
            "refusals": 1,
            "overruled": 0,
            "false_alarms": 0,
            "questions": 0,
            "unexplained": 0,
            "play_s": 15.0,
            "waited_s": None,
            "waits": 0,
            "pictures": {"2": 2},
            "marks": {
                "2": {"picture": 2, "size": [1600, 977], "card": [[461, 474], [546, 471], [547, 591], [463, 593]]}
            },
        }

    def zones(self) -> Any:
        return self._table.zones()

    def set_zones(self, user: User, table: Any) -> Result:
        return self._table.set_zones(user, table)

    def camera_picture(self, user: User, straight: bool = False) -> bytes | None:
        if self.silent and not user.outside:
            raise PermissionError("The picture would tell.")
        return (self.shown or PICTURE) if self.running else None

    def health(self) -> Any:
        return {
            "ok": True,
            "version": "0.1.0",
            "source": "simulated" if self.simulated else "picamera",
            "simulated": self.simulated,
            "camera": "ok",
            "last_look_s": 0.2,
            "entries": len(self.told),
        }


def _added(points: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return tuple(value + (more if i == seat else 0) for i, value in enumerate(points, 1))
