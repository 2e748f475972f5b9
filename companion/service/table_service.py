"""The reception: the desk at which phones and scripts ask the host; it knows who may what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from companion.errors import InputError
from companion.history.codec import decode_move, encode_line
from companion.history.events import Origin
from companion.history.seating import SeatedPerson, names_in_play, seating
from companion.public.layout import encode_layout, overlapping_zones, read_layout
from companion.public.service import JoinCode, Reply, Role, User, unusable
from companion.public.standing import AvailableMove, encode_standing
from companion.public.table import Seat
from companion.public.text import JSON, Text
from companion.public.updates import Update
from companion.referee.commands import AnswerQuestion, Command, MakeMove
from companion.referee.match import Match
from companion.service import archive
from companion.service.archive import Archive, may_read
from companion.service.join_codes import comparable, host_codes
from companion.service.requests import outcome, parse_correction, seat_choices
from companion.service.runner import MatchRunner
from companion.service.zone_editor import ZoneEditor
from companion.storage.record_file import stored_entries
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots


class TableService(Archive):
    """A ``Desk`` over a host.

    Args:
        source: What the eye looks at (``picamera``, ``simulated``).
        version: The companion's.
        picture: The camera's last picture as JPEG, or ``None``.
        sight: How well the table can be seen.
        completed: Fills in what a match begun on a page leaves out (the deck), as JSON; raises InputError.
        album: Pictures kept with the matches; by default those beside the host's log.
        decks: The folder of the table's own decks.
        zoning: What may be done with the zones; without it nothing.
    """

    def __init__(
        self,
        host: MatchRunner,
        *,
        source: str,
        version: str,
        picture: Callable[[], bytes | None],
        sight: Callable[[], JSON] = list,
        completed: Callable[[Mapping[str, JSON]], Mapping[str, JSON]],
        album: Snapshots | None = None,
        decks: Path | None = None,
        zoning: ZoneEditor | None = None,
    ) -> None:
        super().__init__(host, album or Snapshots(host.log.path.parent / SNAPSHOT_FOLDER), decks)
        self._source = source
        self._version = version
        self._picture = picture
        self._sight = sight
        self._completed = completed
        self._zoning = zoning

    # -- who ------------------------------------------------------------------------------------

    def _all(self) -> tuple[JoinCode, ...]:
        stored = self._host.stored
        outside = stored is not None and stored.header["match"].get("host") == "outside"
        code, short = host_codes(self._host.log)
        codes = [] if stored is None else self._host.log.invitations(stored.id)
        sits = {person.invited: Seat(seat) for seat, person in enumerate(self._people(), 1)}
        return (
            JoinCode(User(Role.HOST, None, outside), code, short),
            *(JoinCode(User(Role.SEAT, sits[Seat(seat)]), code, short) for seat, code, short in codes),
        )

    def _people(self) -> tuple[SeatedPerson, ...]:
        """Who sits in each seat of the match at the table."""
        stored, evening = self._host.stored, self._host.evening
        if stored is None or evening is None:
            return ()
        return seating(names_in_play(stored.header["match"]), (line.entry for line in evening.record.lines))

    def visitor(self, code: str) -> User | None:
        """Whose long or short code this is."""
        return next((i.visitor for i in self._all() if code == i.code or comparable(code) == i.short), None)

    def invitations(self, visitor: User) -> tuple[JoinCode, ...]:
        """The codes that this visitor may hand out: all for the host, his own for a seat."""
        everybody = visitor.role is Role.HOST
        return tuple(one for one in self._all() if everybody or (visitor.seat and one.visitor == visitor))

    # -- see ------------------------------------------------------------------------------------

    def newest(self) -> Update | None:
        """The last news."""
        return self._host.newest()

    def since(self, number: int) -> tuple[Update, ...]:
        """News of the running match with a greater entry number, oldest first."""
        return self._host.since(number)

    def listen(self, outlet: Callable[[Update], None]) -> Callable[[], None]:
        """Hear all further news; returns how to stop."""
        return self._host.subscribe(outlet)

    def match(self) -> JSON | None:
        """The running match as pages need it."""
        stored, evening = self._host.stored, self._host.evening
        if stored is None or evening is None:
            return None
        match = stored.header["match"]
        return {
            "id": stored.id,
            "game": evening.game.name,
            "profile": match.get("profile", "fr-explore"),
            "silent": evening.game.silent,
            "host": match.get("host", "seat"),
            "simulated": self._source == "simulated",
            "seats": [
                {"number": i, "name": person.name, "team": seat.get("team"), "bot": seat.get("bot", False)}
                for i, (seat, person) in enumerate(zip(match.get("seat", ()), self._people(), strict=False), 1)
            ],
            "options": match.get("options", {}),
            "pictures": Path(str(match.get("deck", ""))).stem or None,
            "deck": stored.header["deck"],
        }

    def offers(self, visitor: User) -> tuple[AvailableMove, ...]:
        """The spoken moves that this visitor may make now."""
        evening = self._host.evening
        if evening is None or visitor.role is Role.SPECTATOR:
            return ()
        offers = evening.game.offers(evening.public, evening.record.next_context(evening.play_s(self._host.clock())))
        return tuple(offer for offer in offers if visitor.role is Role.HOST or offer.by == visitor.seat)

    def view(self, visitor: User) -> JSON:
        """The table as this visitor may see it."""
        evening = self._host.evening
        return None if evening is None else evening.game.view(evening.record.state, visitor.seat)

    def seats(self, visitor: User) -> tuple[JSON, ...]:
        """What may be said about each seat now."""
        evening, match = self._host.evening, self.match()
        if evening is None or match is None or visitor.role is not Role.HOST:
            return ()
        return seat_choices(evening, match, evening.play_s(self._host.clock()))

    def layout(self, visitor: User) -> JSON | None:
        """The zones that the eye goes by, and whether they may be moved now."""
        if visitor.role is not Role.HOST or self._zoning is None:
            return None
        why = self._fixed()
        return {**encode_layout(self._zoning.now), "movable": why is None, "why": why}

    def _fixed(self) -> Text | None:
        """Why the zones may not be moved now."""
        stored, evening = self._host.stored, self._host.evening
        if self._source == "simulated":
            return Text("desk.zones_simulated")
        if stored is not None and "table" in stored.header["match"]:
            return Text("desk.zones_of_match")
        if evening is not None and evening.record.lines and not evening.over:
            return Text("desk.zones_playing")
        return None

    def settle_zones(self, visitor: User, table: JSON) -> Reply:
        """Keep other zones."""
        zoning = self._zoning
        if visitor.role is not Role.HOST:
            return Reply(403, Text("desk.host_only"))
        if zoning is None:
            return Reply(404, Text("desk.no_such"))
        try:
            drawn = None if table is None else read_layout(table)
        except InputError as wrong:
            return unusable(wrong)
        if drawn is not None and (both := overlapping_zones(drawn)) is not None:
            return Reply(422, {"detail": Text("desk.zones_overlap"), "zones": list(both)})

        def work() -> Reply:
            if why := self._fixed():
                return Reply(409, why)
            try:
                zoning.settle(drawn, at_once=self._host.evening is None or not self._host.evening.over)
            except OSError as wrong:
                return Reply(503, str(wrong))
            return Reply(200, self.layout(visitor))

        return self._host.ask(work)

    def picture(self, visitor: User, straight: bool = False) -> bytes | None:
        """The camera's last picture as JPEG."""
        evening = self._host.evening
        if not may_read(visitor, evening is not None and evening.game.silent and not evening.over):
            raise PermissionError(Text("desk.picture_secret"))
        if straight:
            return None if self._zoning is None else self._zoning.picture()
        return self._picture()

    def health(self) -> JSON:
        """Signs of life."""
        host = self._host
        last_s, lost, evening = host.last_look_s, host.lost, host.evening
        return {
            "ok": lost is None and not (evening is not None and evening.stuck),
            "version": self._version,
            "source": self._source,
            "simulated": self._source == "simulated",
            "camera": "none" if last_s is None else "ok" if lost is None else lost.value,
            "last_look_s": None if last_s is None else round(max(host.clock() - last_s, 0.0), 2),
            "entries": 0 if evening is None else len(evening.record.lines),
            "sight": self._sight(),
        }

    # -- speak ----------------------------------------------------------------------------------

    def move(self, visitor: User, move: Mapping[str, JSON], after: int | None) -> Reply:
        """Speak a move."""

        def proposed(evening: Match) -> Command | Reply:
            try:
                meant = decode_move(evening.game, move)
            except InputError as wrong:
                raise InputError(*(replace(one, where=("move", *one.where)) for one in wrong.faults)) from wrong
            if visitor.role is not Role.HOST and (visitor.role is Role.SPECTATOR or meant.by != visitor.seat):
                return Reply(403, Text("desk.own_seat"))
            if evening.game.silent and hasattr(meant, "unseen"):
                meant = replace(meant, unseen=True)  # type: ignore[type-var]  # moves are dataclasses
            return MakeMove(meant, Origin.PHONE)

        return self._said(proposed, after)

    def correct(self, visitor: User, correction: Mapping[str, JSON]) -> Reply:
        """Contract section 8, ``/corrections``."""
        after = correction.get("after")
        known = after if type(after) is int else None
        return self._said(lambda evening: parse_correction(evening, visitor, correction), known)

    def answer(self, visitor: User, question: int, answer: int) -> Reply:
        """Answer an open question."""

        def answered(evening: Match) -> Command | Reply:
            if visitor.role is Role.SPECTATOR:
                return Reply(403, Text("desk.join_first"))
            if question not in evening.issues.questions.open:
                return Reply(409, Text("desk.question_closed"))
            return AnswerQuestion(question, answer, visitor.seat)

        return self._said(answered, None)

    def _said(self, make: Callable[[Match], Command | Reply], after: int | None) -> Reply:
        """Have the referee hear what ``make`` says; stale, unreadable and fruitless words are answered as such."""

        def work() -> Reply:
            evening = self._host.evening
            if evening is None:
                return Reply(409, Text("desk.no_match"))
            known = len(evening.record.lines)
            stale = {"number": known, "standing": encode_standing(evening.standing)}
            if after is not None and after != known:
                return Reply(409, stale)
            try:
                said = make(evening)
            except InputError as wrong:
                return unusable(wrong)
            if isinstance(said, Reply):
                return said
            before = self._host.newest()
            take = evening.answer if isinstance(said, MakeMove) else evening.handle
            take(said, self._host.clock())
            if evening.stuck:
                return Reply(503, Text("desk.unwritten"))
            if len(evening.record.lines) == known:
                return outcome(before, self._host.newest(), stale)
            return Reply(200, encode_line(evening.record.lines[-1], private=not evening.game.silent))

        try:
            return self._host.ask(work)
        except TimeoutError:
            return Reply(503, Text("desk.slow"))

    def start(self, visitor: User, match: Mapping[str, JSON]) -> Reply:
        """Host: begin a match, from a match file as JSON."""
        return self._told(visitor, lambda: {"match": self._host.begin(self._completed(match))})

    def rematch(self, visitor: User) -> Reply:
        """The last match's seats, game and cards again, with the next dealer."""

        def again() -> JSON:
            last = self._host.stored or next(iter(self._host.log.matches()), None)
            if last is None:
                return None
            game = self._host.open_game(last.header)
            entries = stored_entries(self._host.log, last.id, game)
            return {"match": self._host.begin(archive.rematch(last.header, entries))}

        return self._told(visitor, again)
