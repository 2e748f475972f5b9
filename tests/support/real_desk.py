"""A table's services around the real runner, log, rules and referee; only what its camera sees is told in words."""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from support.demo_cards import demo_deck as small_deck
from support.idle_services import IDLE, NothingToCheck, NothingToRead, NothingToRecord

from companion.games.protocol import Game
from companion.games.registry import demo_deck, locale_folders, open_match
from companion.history.codec import decode_move
from companion.history.events import Origin
from companion.plugins.hub.locale import LOCALE_FOLDER as HUB_LOCALE_FOLDER
from companion.public.i18n import Translations
from companion.public.layout import Layout
from companion.public.plugins import words
from companion.public.service import Done, Result, Role, User
from companion.public.standing import Standing
from companion.public.table import (
    CardId,
    Change,
    Observation,
    Placement,
    Point,
    Seat,
    TableState,
    Token,
    UnreadPlace,
    ViewLost,
    Zone,
)
from companion.public.table_picture import TablePicture
from companion.public.text import Text
from companion.public.updates import AnswerOption, Signal, Update
from companion.referee.commands import MakeMove
from companion.referee.match import Match
from companion.referee.reconciler import legal_interpretations
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.zone_editor import ZoneEditor
from companion.storage.event_log import LOG_FILE, EventLog, StoredMatch
from companion.storage.join_codes import HubAccess, set_hub
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots
from vision.card_photo import card_photo
from web.app import create_app
from web.language import LOCALE_FOLDER
from web.server import Server

HOST = User(Role.HOST)
BEGAN = "2026-11-20T20:30:00"
MATCH = "2026-11-20-1"
"""What a desk's first match is called."""
HOST_CODE = "h" * 26
HUB_CODE = "b" * 26
NAMES = ("Ana", "Ben", "Cy", "Dora", "Émile", "Fay", "Gus", "Hana", "Ivo")
POOL = ("6-5", "6-6", "6-7", "6-8", "6-9")
"""What is dealt: the last cards of the deck, so that all others come from hands, in the order of their numbers."""
LOOK_S = 0.25
PICTURE = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")
"""What its camera shows: the head of a JPEG file."""
PICTURE_PX = (1200, 732)
WORDS = Translations((*locale_folders(), LOCALE_FOLDER, *words()))
"""All that a table says, in its languages."""
HUB_WORDS = Translations((*locale_folders(), LOCALE_FOLDER, HUB_LOCALE_FOLDER))
"""All that a hub says."""


def code_of(seat: int) -> str:
    """The long code of whoever was invited to a seat of a desk's first match."""
    return f"seat{seat}" * 5


def short_of(seat: int) -> str:
    """The code that this player types."""
    return f"SEAT{seat}A"


class NotedService:
    """A service as it is, and a note of what phones asked of it and got.

    Attributes:
        listening: How many have its updates.
    """

    NOTED = ("move", "correct", "answer", "start")

    def __init__(self, service: Any) -> None:
        self._service = service
        self._done: list[tuple[str, tuple[Any, ...]]] = []
        self._under_way = 0
        self._answered = threading.Condition()
        self.listening = 0

    @property
    def done(self) -> list[tuple[str, tuple[Any, ...]]]:
        """What was asked, and with which words; what was refused is left out.

        A page sees what came of a request before the request is answered: what is under way is waited for.
        """
        with self._answered:
            assert self._answered.wait_for(lambda: not self._under_way, timeout=10), "a request was never answered"
            return list(self._done)

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._service, name)

        def note(*words: Any, **named: Any) -> Any:
            with self._answered:
                self._under_way += 1
            result = None
            try:
                result = asked(*words, **named)
            finally:
                with self._answered:
                    if isinstance(result, Done):
                        self._done.append((name, words))
                    self._under_way -= 1
                    self._answered.notify_all()
            return result

        return note if name in self.NOTED else asked

    def subscribe(self, subscriber: Callable[[Update], None]) -> Callable[[], None]:
        """Get all further updates; returns how to stop."""
        stop = self._service.subscribe(subscriber)
        self.listening += 1

        def unsubscribe() -> None:
            self.listening -= 1
            stop()

        return unsubscribe


class IdleRecording(NothingToRecord):
    """Nothing is recorded, and how large a recording would be is known: that needs a camera."""

    def state(self, _user: User) -> Result:
        return Done({"recording": False, "ready": None, "broken_off": None})

    def plan(self, _user: User, _seconds: float) -> Result:
        return Done({"kind": "png", "rate_hz": 10.0, "bytes": 1_000_000})


class RealDesk(TableService):
    """A table at which people play by the rules. It ends when it is closed, or when nobody has it any more.

    Its clock moves with the looks at its table, and its codes are known. Whatever else there is of it, the program has.

    Attributes:
        runner: Runs its match, in a thread of its own.
        spoken: What may be done with its match; no note is taken of what is asked here.
        noted: The same, as its pages and scripts have it.
        folder: Where its log, decks and pictures are.
        printed: The cards that it plays with.
        now_s: What its clock says.
        shown: What its camera shows, as JPEG.
        corners: Where cards lie in it, in pixels.
        page_pictures: How often the camera was asked for everybody's picture.

    Args:
        seats: How many play, or who, as in a match file.
        profile: The game that they play.
        running: They have begun, and dealt.
        simulated: The table says of itself that it is drawn.
        deck: The cards; else those of ``demo_cards``, which can be laid in the order of their numbers.
        folder: Where to keep it; else where no disk is waited for.
        more: What else the match file says: ``options``, ``position``.
    """

    def __init__(
        self,
        seats: int | Sequence[Mapping[str, Any]] = 4,
        profile: str = "fr-explore",
        *,
        running: bool = True,
        simulated: bool = False,
        deck: Mapping[str, Any] | None = None,
        folder: Path | None = None,
        **more: Any,
    ) -> None:
        memory = Path("/dev/shm")  # a log waits for its disk at every entry
        own = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) if folder is None else None
        self.folder = Path(own.name) if own is not None else folder or Path()
        self.printed = small_deck() if deck is None else deck
        self.simulated, self.now_s, self.shown = simulated, 100.0, PICTURE
        self.corners: Mapping[Token, Sequence[Point]] = {}
        self.page_pictures = 0
        self._looks, self._lying, self._lost = 0, dict[str, str](), None
        self._unread: tuple[UnreadPlace, ...] = ()
        log = EventLog(self.folder / LOG_FILE)
        log.table.renew_codes(None, (), {"host": [HOST_CODE, "HOSTAA"]})
        set_hub(log, HubAccess(HUB_CODE, "HUBAAA"))
        this = weakref.ref(self)  # else its thread would keep it alive
        zones = ZoneEditor(self.folder, lambda: desk if (desk := this()) and desk.shown else None)
        self.runner = MatchRunner(
            log,
            lambda header: open_match(header["match"], header["deck"]).game,
            wall_clock=lambda: BEGAN,
            clock=lambda: desk.now_s if (desk := this()) else 0.0,
        )
        self.runner.on_match_started = lambda stored, game: _prepare(log, zones, stored, game)
        super().__init__(
            self.runner,
            source="simulated" if simulated else "picamera",
            version="0.1.0",
            picture=lambda: (desk.shown or None) if (desk := this()) else None,
            complete=lambda match: desk.header(match) if (desk := this()) else {},
            decks=self.folder / "decks",
            card_photo=card_photo,
            zones=zones,
            box=NothingToCheck(),
            recording=IdleRecording(),
            photos=NothingToRead(),
            page_picture=lambda: desk.take_page_picture() if (desk := this()) else None,
        )
        self.spoken = self.match
        self.match = self.noted = NotedService(self.spoken)  # type: ignore[assignment]
        thread = threading.Thread(target=self.runner.run, daemon=True)
        thread.start()
        self._end = weakref.finalize(self, _put_away, self.runner, thread, log, own)
        if running:
            self.begin(profile, seats, **more)

    def close(self) -> None:
        """The table is put away."""
        self._end()

    def take_page_picture(self) -> TablePicture | None:
        """What everybody may see, if the table is found."""
        self.page_pictures += 1
        if not self.shown:
            return None
        width, height = PICTURE_PX
        places = {str(token): tuple((x / width, y / height) for x, y in at) for token, at in self.corners.items()}
        return TablePicture(self.shown, PICTURE_PX, places)

    def header(self, match: Mapping[str, Any]) -> Mapping[str, Any]:
        """A match as it is stored: with its cards."""
        header = open_match(match, self.printed).header
        return {**header, "simulated": {"seed": 1}} if self.simulated else header

    # -- what happens at the table ----------------------------------------------------------------

    def begin(
        self,
        profile: str = "fr-explore",
        seats: int | Sequence[Mapping[str, Any]] = 4,
        *,
        deals: bool = True,
        **more: Any,
    ) -> None:
        """A match begins. Its cards are dealt, or lie as its ``position`` says."""
        people = [{"name": name} for name in NAMES[:seats]] if isinstance(seats, int) else list(seats)
        drawn = {"simulated": {"seed": 1}} if self.simulated else {}
        match = {"game": "discovery", "profile": profile, "seat": people, **more}
        header = {"match": match, "deck": self.printed, **drawn}
        self.runner.ask(lambda: self.runner.begin(header))
        game, public = self.game_match.game, self.game_match.public
        tokens = {card: token for token, card in game.table.cards.items()}
        self._lying = {tokens[card]: zone for card, zone in game.table.expected(public).cards.items()}
        self.look()  # the table is as a match begins: what lay there otherwise would be no move
        if deals and "position" not in more:
            self.deal()

    def deal(self, count: int = len(POOL)) -> None:
        """So many cards of the pool lie there, with the first ones of the stack in everybody's hand."""
        self.look(0.5, **dict.fromkeys(map(self.token, POOL[:count]), "pool"))

    def look(self, seconds: float = LOOK_S, *, hand: bool = False, **moved: str | None) -> None:
        """Time passes with these stickers lying where they are said to; ``None`` = nowhere."""
        for token, zone in moved.items():
            self._lying.pop(token, None)
            if zone is not None:
                self._lying[token] = zone
        table = TableState(frozenset(Placement(Token(token), Zone(zone)) for token, zone in self._lying.items()))
        for _ in range(max(1, round(seconds / LOOK_S))):
            self._looks, self.now_s = self._looks + 1, self.now_s + LOOK_S
            self.runner.post(
                Observation(self._looks, self.now_s, table, not hand, hand, self._lost, unread=self._unread)
            )
        self.runner.ask(lambda: None)  # until they have been looked at

    def put(self, card: str, zone: str | None, seconds: float = 0.5) -> None:
        """A hand moves a card, and goes away; ``None`` = off the table."""
        self.look(hand=True, **{self.token(card): zone})
        self.look(seconds)

    def lay(self, count: int = 1) -> None:
        """The next cards of the deck that may be laid are laid, three in a turn."""
        for _ in range(count):
            while not self.standing.over and (card := self._next_card()) is None:
                self.end_turn()
            if self.standing.over:
                return
            self.put(str(card), self.tree)
            if not self.standing.over and self.view["series"]["index"] == 3:
                self.end_turn()

    def _next_card(self) -> str | None:
        """The first card of the deck that may come from the hand of whose turn it is, once he has stolen what he owes;
        ``None`` = he can lay none."""
        seat, record, game = self._pay(), self.game_match.record, self.game_match.game
        at, tokens = record.next_context(None), {card: token for token, card in game.table.cards.items()}
        fresh = [card for card in self.cards if tokens[CardId(card)] not in self._lying]
        if not self.standing.counters["hands"][seat - 1]:
            return None
        place = Zone(self.tree)
        return next((c for c in fresh if legal_interpretations(game, record, Change(CardId(c), None, place), at)), None)

    def end_turn(self) -> None:
        """Whose turn it is says that it is over; who laid nothing discards a card first."""
        seat = self._pay()
        offered = any(one.do == "end_turn" and one.by == seat for one in self.spoken.available_moves(HOST))
        if not offered and self.standing.counters["hands"][seat - 1]:
            self.discard()
        if self.standing.turn == seat:
            self.say({"do": "end_turn", "by": seat})

    def discard(self) -> None:
        """Whose turn it is lays the last card of the deck that nobody has seen onto his discard."""
        spare = next(card for card in reversed(self.cards) if self.token(card) not in self._lying)
        self.put(spare, f"discard-{self.standing.turn}")

    def _pay(self) -> int:
        """Who owes a steal steals from whoever has most; whose turn it is then."""
        while any(owed.do == "steal" for owed in self.standing.owed):
            seat, hands = self.standing.owed[0].seat, self.standing.counters["hands"]
            rich = max((held, other) for other, held in enumerate(hands, 1) if other != seat)[1]
            self.say({"do": "steal", "by": seat, "from": rich})
        assert self.standing.turn is not None
        return self.standing.turn

    def win(self) -> None:
        """They play on to the end, and nobody contests it."""
        while not self.standing.over:
            self.lay()
        self.look(30.0)

    def refuse(self, card: str = "1-8") -> None:
        """A card is laid that may not lie there; whoever laid it hears why."""
        self.put(card, self.tree, 1.0)

    def take_back(self, card: str = "1-8") -> None:
        """A card is taken off the table again."""
        self.put(card, None, 1.0)

    def ask(self, card: str = "1-5") -> None:
        """A card is laid that only the next player may lay, and nobody has said that the turn is over."""
        self.put(card, self.tree, 1.0)

    @property
    def newest_question(self) -> int:
        """The number of the question that was asked last; that a card may be another's is offered before."""
        return max(self.game_match.issues.questions.open)

    def question(self, *answers: AnswerOption) -> None:
        """The referee asks whose turn it is; each answer ends the turn. Of its own accord it offers one, to anybody."""
        seat = Seat(self.standing.turn or 1)
        ends = (MakeMove(decode_move(self.game_match.game, {"do": "end_turn", "by": seat}), Origin.PHONE),)
        text, questions = Text("referee.whose_turn", {"seat": seat}), self.game_match.issues.questions
        self.runner.ask(lambda: questions.ask(text, [(answer, ends) for answer in answers], None))
        self.runner.publish(Signal.ASKS, text)
        self.runner.ask(lambda: None)

    def disturb(self, *cards: str) -> None:
        """Cards are swept off the table, so many that it is no move; the others lie where they should."""
        game = self.game_match.game
        for card, zone in game.table.expected(self.game_match.public).cards.items():
            self._lying[self.token(card)] = zone
        self.look(6.0, **{self.token(card): None for card in cards})

    def smudge(self, *places: UnreadPlace) -> None:
        """From now on something lies in these places that cannot be read."""
        self._unread = places
        self.look()

    def lose(self, why: ViewLost | None = ViewLost.CAMERA) -> None:
        """The camera sees nothing any more; ``None`` = it does again."""
        self._lost = why
        self.look()

    def say(self, move: Mapping[str, Any]) -> None:
        """A move that is spoken, in the host's name."""
        result = self.spoken.move(HOST, move, None)
        assert isinstance(result, Done), result

    def correct(self, do: str, **more: Any) -> None:
        """The host corrects something."""
        result = self.spoken.correct(HOST, {"do": do, **more})
        assert isinstance(result, Done), result

    def keep_deck(self, deck: Any, **pictures: bytes) -> None:
        """A deck of the table's own that is called "ours", with pictures of cards by ``card_1_2``."""
        assert isinstance(self.decks.save_deck(HOST, "ours", deck), Done)
        for card, picture in pictures.items():
            assert isinstance(self.decks.keep_card_picture(HOST, "ours", card[5:].replace("_", "-"), picture), Done)

    def keep_pictures(self, number: int, *pictures: bytes) -> None:
        """Pictures are kept of an entry of the match at the table."""
        assert self.runner.stored is not None
        for picture in pictures:
            assert Snapshots(self.folder / SNAPSHOT_FOLDER).put(self.runner.stored.id, number, picture)

    # -- the eye over it, for the zones ------------------------------------------------------------

    def relayout(self, layout: Layout) -> None:
        """What is told of the table is told by zone: there is nothing to do."""

    def snapshot(self, straight: bool = False) -> bytes | None:  # as an eye has it
        """The field as its camera shows it."""
        return self.shown

    # -- what is there ----------------------------------------------------------------------------

    @property
    def game_match(self) -> Match:
        """The match at the table."""
        assert self.runner.match is not None
        return self.runner.match

    @property
    def id(self) -> str:
        """What it is called."""
        assert self.runner.stored is not None
        return self.runner.stored.id

    @property
    def cards(self) -> list[str]:
        """The cards of the deck, in the order of their numbers."""
        return [card["id"] for card in self.printed["card"]]

    def token(self, card: str) -> str:
        """What the sticker of a card says."""
        return next(token for token, named in self.game_match.game.table.cards.items() if named == card)

    @property
    def tree(self) -> str:
        """The zone in which cards are laid."""
        return "pile" if self.game_match.game.silent else "tree"

    @property
    def view(self) -> Any:
        """The table as everybody may see it."""
        return self.game_match.game.board.view(self.game_match.record.state, None)

    @property
    def standing(self) -> Standing:
        """The scoreboard now."""
        return self.game_match.standing

    @property
    def told(self) -> tuple[Update, ...]:
        """Every update with an entry, as whoever slept gets them."""
        return self.spoken.since(0)

    @property
    def moves(self) -> list[Any]:
        """The moves that phones made; those of ``say`` are none of them."""
        return [words[1] for did, words in self.noted.done if did == "move"]

    @property
    def corrections(self) -> list[Any]:
        """The corrections that phones asked for and got."""
        told = (words[1] for did, words in self.noted.done if did == "correct")
        return [{key: value for key, value in one.items() if key != "match"} for one in told]

    @property
    def answers(self) -> list[tuple[int, int]]:
        """The answers that phones gave: which question, and which answer."""
        return [words[1:3] for did, words in self.noted.done if did == "answer"]

    @property
    def started(self) -> list[Any]:
        """The matches that were begun on a page."""
        return [words[1] for did, words in self.noted.done if did == "start"]


def _prepare(log: EventLog, zones: ZoneEditor, stored: StoredMatch, game: Game[Any, Any]) -> None:
    """The eye goes by the zones of the game, as on every table. The first match has codes that a test knows; for later
    ones they go on as they do."""
    zones.begin(game.table.layout)
    if log.ids() == {stored.id} and not stored.over:
        codes = [(seat, code_of(seat), short_of(seat)) for seat, _, _ in log.table.codes(stored.id)]
        log.table.renew_codes(stored.id, codes, {})


def _put_away(runner: MatchRunner, thread: threading.Thread, log: EventLog, own: Any) -> None:
    runner.stop()
    if thread is not threading.current_thread():
        thread.join(10)
    log.close()
    if own is not None:
        own.cleanup()


SEATS = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Dan", "late": True}, {"name": "Robo", "bot": True}]
EVENING_POOL = ["2-1", "2-2", "1-3", "2-4", "2-5"]


class Evening:
    """A match, and who sits at it: Ana, Ben, Dan who comes late, and a bot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paper = EventLog(folder / LOG_FILE)
        self.host = MatchRunner(
            self.paper,
            lambda header: open_match(header["match"], header["deck"]).game,
            wall_clock=lambda: "2026-01-01T18:00:00+01:00",
        )
        zones = ZoneEditor(folder, lambda: None)
        self.desk = TableService(
            self.host,
            **IDLE,
            source="picamera",
            version="1",
            picture=lambda: None,
            complete=lambda match: open_match(match, demo_deck()).header,
            decks=folder / "decks",
            zones=zones,
        )
        zones.begin(open_match({"profile": "fr-explore", "seat": SEATS}, demo_deck()).game.table.layout)

    def begin(self, profile: str = "fr-explore", **more: Any) -> None:
        header = {"match": {"profile": profile, "seat": SEATS, **more}, "deck": demo_deck()}
        self.host.ask(lambda: self.host.begin(header))
        self.say({"do": "deal", "by": 0, "pool": EVENING_POOL})

    def say(self, move: dict[str, Any]) -> None:
        reply = self.desk.match.move(HOST, move, None)
        assert isinstance(reply, Done), reply

    def code(self, seat: int | None) -> str:
        return next(one.code for one in self.desk.match.join_codes(HOST) if one.user.seat == seat)


def evening_in(folder: Path) -> Iterator[Evening]:
    """A match that has been dealt, kept in a folder; the referee's thread runs."""
    made = Evening(folder)
    running = threading.Thread(target=made.host.run)
    running.start()
    made.begin()
    yield made
    made.host.stop()
    running.join(timeout=10)
    made.paper.close()


def served(evening: Evening, port: int = 0) -> Server:
    """Its pages on this machine; 0 = on a free port."""
    return Server(create_app(evening.desk, Translations((*locale_folders(), LOCALE_FOLDER))), port, "127.0.0.1")
