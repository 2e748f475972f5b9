"""The services of one table, put together, and the one for the match in play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

from companion.errors import GameFault, InputError
from companion.games import registry
from companion.games.guard import guarded_function
from companion.games.protocol import Game
from companion.history.codec import decode_move, encode_line
from companion.history.events import Origin, undone_numbers
from companion.history.record import RecordLine
from companion.history.seating import clean_names
from companion.public.results import EntryJson, MatchId, Noted
from companion.public.service import (
    BoxCheckService,
    CardPhotoService,
    Denied,
    Done,
    Invalid,
    JoinCode,
    PhoneCameraService,
    RecordingService,
    Refusal,
    RequestKey,
    Result,
    Role,
    Stale,
    Unavailable,
    User,
)
from companion.public.standing import AvailableMove
from companion.public.table import Seat
from companion.public.table_picture import TablePicture
from companion.public.text import JSON, Text, game_fault_text
from companion.public.updates import OfferedCorrection, Signal, Update
from companion.referee.commands import AnswerQuestion, Command, MakeMove, Undo
from companion.referee.match import Match
from companion.service.archive import (
    Archive,
    ask_as_host,
    begin_match,
    first_answer,
    rematch_header,
    with_earlier_facts,
)
from companion.service.deck_editor import DeckEditor
from companion.service.phone_camera import NoPhoneCamera, PhoneCamera
from companion.service.requests import parse_correction, result_without_entry, seat_choices
from companion.service.runner import MatchRunner
from companion.service.seat_requests import AskedSeats, SeatPhones
from companion.service.shown_picture import PublicPicture
from companion.service.table_setup import WatchedTable
from companion.service.visiting import SimulatedSeats
from companion.service.zone_editor import ZoneEditor
from companion.simulation.visitors import Visitors
from companion.storage.event_log import AnsweredRequest
from companion.storage.join_codes import HubAccess, hub_access, open_hub, renew_codes, set_hub
from companion.storage.kept_answers import ANSWERS_FOLDER, KeptAnswers
from companion.storage.record_file import sound_record, stored_entries
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots

T = TypeVar("T")


class TableService:
    """The ten ``Services`` over one runner.

    Args:
        source: The camera's source (``picamera``, ``simulated``).
        version: The companion's.
        picture: The camera's last picture as JPEG, or ``None``.
        drawn: A drawn table in colour, by stickers; ``None`` for a real table.
        sight: How well the table can be seen.
        pictures: About the camera's pictures: ``size_px``, ``rate_hz`` and ``trouble``.
        complete: Completes a match begun on a page (with the deck), as JSON; raises InputError.
        snapshots: Pictures kept with the matches; by default those beside the runner's log.
        decks: The folder of the table's own decks.
        card_photo: Scales a phone's picture of a card down; raises InputError.
        zones: The zones of the table; ``None`` = they cannot be changed.
        visitors: The people who play a seat of the simulated table; ``None`` for a real table.
        box: Checks a box of cards.
        phone: Takes the pictures of a phone; ``None`` with another camera.
        recording: Records the table.
        photos: Reads cards from photographs.
        page_picture: A real table for everybody's page, by stickers, if it is found.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        source: str,
        version: str,
        picture: Callable[[], bytes | None],
        drawn: Callable[[], TablePicture | None] | None = None,
        sight: Callable[[], JSON] = list,
        pictures: Callable[[], Mapping[str, JSON]] = dict,
        complete: Callable[[Mapping[str, JSON]], Mapping[str, JSON]],
        snapshots: Snapshots | None = None,
        decks: Path | None = None,
        card_photo: Callable[[bytes], bytes] | None = None,
        zones: ZoneEditor | None = None,
        visitors: Visitors | None = None,
        box: BoxCheckService,
        phone: PhoneCamera | None = None,
        recording: RecordingService,
        photos: CardPhotoService,
        page_picture: Callable[[], TablePicture | None] = lambda: None,
    ) -> None:
        self.match = CurrentMatch(runner, simulated=source == "simulated", complete=complete)
        folder = runner.log.file.path.parent
        answers = KeptAnswers(folder / ANSWERS_FOLDER)
        self.archive = Archive(runner, snapshots or Snapshots(folder / SNAPSHOT_FOLDER), answers)
        self.decks = DeckEditor(runner, decks, card_photo)
        self.setup = WatchedTable(
            runner,
            source=source,
            version=version,
            picture=picture,
            sight=sight,
            pictures=pictures,
            zones=zones,
            shown=PublicPicture(
                runner, simulated=source == "simulated", take=drawn or page_picture, clock=runner.clock
            ),
        )
        self.visiting = SimulatedSeats(runner, visitors)
        self.seat_requests = AskedSeats(
            runner,
            simulated=source == "simulated",
            phones=SeatPhones(runner.log),
            codes=self.match.seat_codes,
            has_host=lambda: self.match.had_host,
            rename=self.match.rename,
        )
        self.match.on_seat = self.seat_requests.came
        self.box, self.recording, self.photos = box, recording, photos
        self.phone: PhoneCameraService = phone or NoPhoneCamera()


class CurrentMatch:
    """A ``MatchService`` over a runner.

    Attributes:
        on_host: Called whenever the host's code is used.
        on_seat: Called whenever a seat's code is used.
        had_host: Whether the host's code was used since the program started.

    Args:
        runner: Runs the match; commands are given in its thread.
        simulated: Table and players are simulated.
        complete: Completes a match begun on a page; raises InputError.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        simulated: bool,
        complete: Callable[[Mapping[str, JSON]], Mapping[str, JSON]],
    ) -> None:
        self._runner = runner
        self._simulated = simulated
        self._complete = complete
        self.on_host: Callable[[], None] = lambda: None
        self.on_seat: Callable[[Seat], None] = lambda _seat: None
        self.had_host = False
        self._rematch: str | None = None
        self._waits_at: dict[User, int] = {}  # the number of entries when a user's command had to wait

    # -- users and codes ------------------------------------------------------------------------

    def user(self, code: str) -> User | None:
        user = self._runner.codes.user(code)
        if user is not None and user.role is Role.HOST:
            self.had_host = True
            self.on_host()
        elif user is not None and user.seat is not None:
            self.on_seat(user.seat)
        return user

    def seat_codes(self) -> dict[Seat, str]:
        """The long code of each seat."""
        return {one.user.seat: one.code for one in self._runner.codes.codes() if one.user.seat is not None}

    def join_codes(self, user: User) -> tuple[JoinCode, ...]:
        """The codes that this user may hand out: all but the hub's for the host, their own for a seat."""
        codes = self._runner.codes.codes()
        if user.role is Role.HOST:
            return tuple(one for one in codes if one.user.role is not Role.HUB)
        return tuple(one for one in codes if user.seat and one.user == user)

    def announce(self, user: User) -> None:
        """Announce that a further phone has joined as this user, which is public."""
        text = Text("phone.host") if user.seat is None else Text("phone.seat", {"seat": user.seat})
        self._runner.publish(Signal.NOTICE, text)

    def renew_join_codes(self, user: User, whose: User | None) -> Result[Noted]:
        """Make new codes, which replace the old ones; ``None`` = for all users."""

        def change() -> Noted | None:
            stored, people = self._runner.stored, self._runner.people
            seats = range(1, len(people) + 1) if whose is None else () if whose.seat is None else (whose.seat,)
            if not set(seats) <= set(range(1, len(people) + 1)):
                return None
            if whose is None:
                set_hub(self._runner.log, None)
            renew_codes(
                self._runner.log,
                None if stored is None else stored.id,
                [people[seat - 1].invited for seat in seats],
                host=whose is None or whose.role is Role.HOST,
            )
            return {}

        return self._change_codes(user, change)

    def _change_codes(self, user: User, change: Callable[[], Noted | None]) -> Result[Noted]:
        def work() -> Noted | None:
            try:
                return change()
            finally:
                self._runner.codes.forget()

        return ask_as_host(self._runner, user, work)

    # -- the hub --------------------------------------------------------------------------------

    def hub_code(self, user: User) -> str | None:
        hub = hub_access(self._runner.log)
        return hub.short if hub is not None and user.role is Role.HOST else None

    def hub_long_code(self) -> str | None:
        hub = hub_access(self._runner.log)
        return None if hub is None else hub.code

    def hub_answers(self) -> bool:
        hub = hub_access(self._runner.log)
        return hub is not None and hub.answers

    def set_hub(self, user: User, do: str) -> Result[Noted]:
        def change() -> Noted | None:
            log, hub = self._runner.log, hub_access(self._runner.log)
            match do:
                case "open":
                    taken = {one.short for one in self._runner.codes.codes()}
                    open_hub(log, taken)
                case "close":
                    set_hub(log, None)
                case "allow" | "forbid" if hub is not None:
                    set_hub(log, HubAccess(hub.code, hub.short, do == "allow"))
                case _:
                    return None
            return {}

        return self._change_codes(user, change)

    # -- reading --------------------------------------------------------------------------------

    def newest(self) -> Update | None:
        return self._runner.newest()

    def since(self, number: int) -> tuple[Update, ...]:
        return self._runner.since(number)

    def subscribe(self, subscriber: Callable[[Update], None]) -> Callable[[], None]:
        return self._runner.subscribe(subscriber)

    def current(self) -> JSON | None:
        if (at_table := self._runner.at_table()) is None:
            return None
        stored, match, people = at_table
        settings = stored.header["match"]
        damage = self._runner.log.losses.of(stored.id)
        generation = self._runner.log.generation(stored.id)
        module = registry.GAMES[match.game.name]
        drawn = module.decks.drawn and guarded_function(module.name, "decks.drawn", module.decks.drawn)
        seats = zip(settings.get("seat", ()), people, strict=False)
        return {
            "id": stored.id,
            "generation": generation.mark,
            "went_back": generation.went_back,
            "game": match.game.name,
            "profile": settings.get("profile", module.usual_profile),
            "silent": match.game.silent,
            "scored": match.game.board.scored,
            "host": settings.get("host", "seat"),
            "simulated": self._simulated,
            "seats": [
                {"number": i, "name": person.name, "team": seat.get("team"), "bot": seat.get("bot", False)}
                for i, (seat, person) in enumerate(seats, 1)
            ],
            "options": settings.get("options", {}),
            "pictures": Path(str(settings.get("deck", ""))).stem or None,
            "deck": stored.header["deck"],
            **({} if drawn is None else {"things": self._or_stop(lambda: drawn(match.game), [])}),
            **({} if damage is None else {"damage": {"kept": damage.kept, "lost": damage.lost}}),
        }

    def available_moves(self, user: User) -> tuple[AvailableMove, ...]:
        match = self._runner.match
        if match is None or match.fault is not None or user.role not in (Role.SEAT, Role.HOST):
            return ()
        at = match.record.next_context(match.play_s(self._runner.clock()))
        none: tuple[AvailableMove, ...] = ()
        moves = self._or_stop(lambda: match.game.board.offers(match.public, at), none)
        return tuple(move for move in moves if user.role is Role.HOST or move.by == user.seat)

    def corrections(self, user: User) -> tuple[OfferedCorrection, ...]:
        match = self._runner.match
        if match is None or user.role not in (Role.SEAT, Role.HOST):
            return ()
        none: tuple[OfferedCorrection, ...] = ()
        offered = match.latest().corrections if match.fault is not None else self._or_stop(match.corrections, none)
        return tuple(one for one in offered if user.role is Role.HOST or user.seat in one.seats)

    def view(self, user: User) -> JSON:
        match = self._runner.match
        if match is None:
            return None
        return self._or_stop(lambda: match.game.board.view(match.record.state, user.seat), None)

    def seats(self, user: User) -> tuple[JSON, ...]:
        match, settings = self._runner.match, self.current()
        if match is None or settings is None or user.role is not Role.HOST:
            return ()
        if (fault := match.fault) is not None:  # nobody comes or goes meanwhile
            stays = {"here": True, "why": game_fault_text(fault), "cards": 0, "next": None}
            return tuple({"seat": n, **stays, **_person(one)} for n, one in enumerate(settings["seats"], 1))
        time_s = match.play_s(self._runner.clock())
        none: tuple[JSON, ...] = ()
        return self._or_stop(lambda: seat_choices(match, settings, time_s), none)

    def _or_stop(self, ask: Callable[[], T], else_: T) -> T:
        """What the game answers; a bug in it stops its match."""
        try:
            return ask()
        except GameFault as fault:
            self._runner.broke(fault)
            return else_

    # -- commands -------------------------------------------------------------------------------

    def move(
        self,
        user: User,
        move: Mapping[str, JSON],
        after: int | None,
        meant: str | None = None,
        *,
        request: RequestKey | None = None,
    ) -> Result[EntryJson | None]:
        """Make a move in the match ``meant``, or without it, in the one at the table."""

        def command(match: Match) -> Command | Refusal:
            try:
                parsed = decode_move(match.game, move)
            except InputError as error:
                raise InputError(*(replace(one, where=("move", *one.where)) for one in error.faults)) from error
            if user.role is not Role.HOST and (user.role is not Role.SEAT or parsed.by != user.seat):
                return Denied(Text("desk.own_seat"))
            return MakeMove(match.game.hidden.as_spoken(parsed), Origin.PHONE)

        return self._ask_referee(user, command, after, meant, request)

    def rename(self, match: str, seat: Seat, name: str) -> Result[EntryJson | None]:
        """Call the person in a seat of this match by another name, as a host may."""
        return self.correct(User(Role.HOST), {"do": "seat", "match": match, "seat": int(seat), "name": name})

    def correct(
        self, user: User, correction: Mapping[str, JSON], *, request: RequestKey | None = None
    ) -> Result[EntryJson | None]:
        after = correction.get("after")
        last_seen, meant = after if type(after) is int else None, correction.get("match")
        names = tuple(person.name for person in self._runner.people)

        def command(match: Match) -> Command | Refusal:
            return parse_correction(match, user, correction, names)

        return self._ask_referee(user, command, last_seen, meant, request)

    def answer(
        self, user: User, question: int, answer: int, meant: str | None = None, *, request: RequestKey | None = None
    ) -> Result[EntryJson | None]:
        def command(match: Match) -> Command | Refusal:
            if user.role is Role.SPECTATOR:
                return Denied(Text("desk.join_first"))
            if user.role is Role.HUB and not self.hub_answers():
                return Denied(Text("desk.hub_answers"))
            opened = match.issues.questions.open.get(question)
            if opened is None:
                return Stale(Text("desk.question_closed"))
            wanted = opened.question.answers[answer : answer + 1] if answer >= 0 else ()
            if user.role is Role.SEAT and any(one.seats and user.seat not in one.seats for one in wanted):
                return Denied(Text("desk.own_seat"))
            return AnswerQuestion(question, answer, user.seat)

        return self._ask_referee(user, command, None, meant, request)

    def _ask_referee(
        self,
        user: User,
        make_command: Callable[[Match], Command | Refusal],
        after: int | None,
        meant: str | None,
        request: RequestKey | None,
    ) -> Result[EntryJson | None]:
        """Give the referee a command, in the runner's thread, and return the result.

        While the disk takes nothing, only one command of each user waits. Otherwise the commands of an impatient user
        would all be carried out later at once, on a table that has changed.

        Args:
            make_command: Makes it from the current match, or returns why there is none; raises InputError.
            after: The last entry that the user knew; the command is stale if there are newer ones.
            meant: The match that the user saw; the command is stale if another is at the table.
            request: What was answered with an entry before is answered with the same entry.
        """

        def work() -> Result[EntryJson | None]:
            match = self._runner.match
            if match is not None and match.stuck:
                match.go_on()  # what waited for the disk comes first
            try:
                if request is not None and (answered := first_answer(self._runner.log, request)):
                    return self._again(answered)
            except InputError as error:
                return Invalid.of(error)
            if match is None:
                return Stale(Text("desk.no_match"))
            if meant is not None and not self._runner.is_at_table(meant):
                return Stale()
            waits = match.stuck
            last = len(match.record.lines)
            if waits and self._waits_at.get(user) == last:
                return Unavailable(Text("desk.waits"))
            if after is not None and after != last:
                return Stale()
            try:
                command = make_command(match)
            except InputError as error:
                return Invalid.of(error)
            if not isinstance(command, Command):
                return command
            if isinstance(command, Undo) and command.number in _undone(match):
                return Stale()  # somebody else undid it first
            if match.fault is not None and not isinstance(command, Undo):
                return Unavailable(game_fault_text(match.fault))
            before = self._runner.newest()
            take = match.answer if isinstance(command, MakeMove) else match.handle
            take(command, self._runner.clock(), request)
            if waits or match.stuck:
                self._waits_at[user] = last
                return Unavailable(Text("desk.unwritten"))
            if len(match.record.lines) == last:
                return result_without_entry(before, self._runner.newest())
            return Done(_public_entry(match.record.lines[-1], match.game))

        try:
            return self._runner.ask(work)
        except TimeoutError:
            return Unavailable(Text("desk.slow"))
        except GameFault as fault:
            return Unavailable(game_fault_text(fault))

    def _again(self, before: AnsweredRequest) -> Result[EntryJson | None]:
        """The first answer to a request, made from the record."""
        match, stored = self._runner.match, self._runner.log.match(before.match)
        if match is not None and self._runner.is_at_table(before.match):
            game, record = match.game, match.record
        elif stored is not None:
            try:
                game = self._runner.open_game(stored.header)
            except InputError:  # its game is not installed any more
                return Stale()
            record = sound_record(self._runner.log, before.match, game)[0]
        if stored is None or len(record.lines) < before.number:
            return Stale()  # it was written, and cannot be followed now
        return Done(_public_entry(record.lines[before.number - 1], game))

    def start(self, user: User, match: Mapping[str, JSON], *, request: RequestKey | None = None) -> Result[MatchId]:
        """Begin a match, from a match file as JSON; names must differ, as a phone finds its seat by name."""

        def change() -> MatchId | None:
            header = with_earlier_facts(self._runner, self._complete(clean_names(match)))
            return {"match": begin_match(self._runner, header, request)}

        return ask_as_host(self._runner, user, change, request)

    def go_on(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        def change() -> MatchId | None:
            stored = self._runner.log.match(match)
            if stored is None or stored.over or ("simulated" in stored.header) != self._simulated:
                return None
            return {"match": match} if self._runner.go_on_with(match, request) else None

        return ask_as_host(self._runner, user, change, request)

    def rematch(self, user: User, *, request: RequestKey | None = None) -> Result[MatchId]:
        """The last match's seats, game and cards again, with the next dealer.

        Several requests at the same moment get the same rematch, as long as nothing has happened in it.
        """

        def change() -> MatchId | None:
            if self._rematch is not None and self._runner.stored is not None:
                match = self._runner.match
                if self._runner.stored.id == self._rematch and match is not None and not match.record.lines:
                    if request is not None:
                        self._runner.log.answer_with(self._rematch, request)
                    return {"match": self._rematch}
            last = self._runner.stored or next(self._runner.log.each_match(), None)
            if last is None:
                return None
            entries = stored_entries(self._runner.log, last.id, self._runner.open_game(last.header))
            self._rematch = begin_match(self._runner, rematch_header(last.header, entries), request)
            return {"match": self._rematch}

        return ask_as_host(self._runner, user, change, request)


def _undone(match: Match) -> frozenset[int]:
    return undone_numbers([line.entry for line in match.record.lines])


def _person(seat: Mapping[str, JSON]) -> dict[str, JSON]:
    return {"name": seat["name"], "bot": seat["bot"]}


def _public_entry(line: RecordLine, game: Game[Any, Any]) -> EntryJson:
    """An entry as everybody may read it."""
    return cast(EntryJson, encode_line(line, private=not game.silent))
