"""The eye's laws, as checks of any film that was drawn: what was said of it against what was drawn, where and when.

They know nothing of how the eye works. ``docs/how-it-thinks.md`` says in words what each asks for. Of each law it is
counted how often there was something to judge; a law without an occasion has not been tried.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from support.story_film import Seen, Shot, Told
from support.story_rules import change_of, follows, lawful, placed

from companion.errors import ImpossibleMove
from companion.games.protocol import MoveContext
from companion.history.events import Origin, Played, QuestionAsked, Refused, Unexplained
from companion.history.record import RecordLine
from companion.public.table import (
    COMMAND_CARDS,
    COMMAND_ZONE,
    LOOSE,
    SEAT_TAGS,
    CardId,
    Change,
    Point,
    TableState,
    Token,
    changes,
)
from companion.public.text import Text
from companion.public.updates import Signal
from vision.synthetic.compositing import DrawnCard

SHOWN, GONE, LOST, HELD, MARKED, EXPLAINED, NO_MARK, ORDER, READ, ANSWERED = LAWS = (
    "shown", "gone", "lost", "held", "marked", "explained", "no mark", "in order", "read", "answered"
)  # fmt: skip
"""*Said* has three: what cannot be read is marked, explains what it can, and nothing else is marked. *Read* and
*answered* are the promises without which the others would be kept by a blind eye and a mute referee: what lies in full
view is read, and counts or is spoken of."""

HALF, UNCOVERED, WHOLE = 0.5, 0.6, 0.97
"""The share of a code of which something can be seen, of one that somebody can read, and of a place that is in view."""
LIES_S = 1.0
"""What has lain there for so long could have been seen."""
GONE_S, READ_S = 2.0, 1.5
LOST_S, SELDOM_S = 3.0, 3.0
"""A table of which nothing is to be seen is lost after so long; it may take so much longer, since tags are looked for
more seldom while some are covered."""
OPENS_S = 2.5
"""An eye that was just started, or whose camera was just knocked, needs so long for its first look at all."""
MARKED_S, MARKED_FIRST_S = 10.0, 60.0
TRIED_S = 3.0
NEAR_MM = 15.0
MARK_MM, FOREIGN_MM = 60.0, 70.0
"""A mark is so near to the sticker that it is of; from the middle of a foreign thing, so much further."""
SETTLES_S = 1.5
"""A mark may stay so long after what it marked was taken away."""
CLEARED_S = 5.0
"""A table that was to be cleared before a match is taken for clear after so long."""
ANSWERED_S, LOOSE_S, MISSING_S, CHORE_S = 4.0, 6.0, 8.0, 20.0
"""What lies there, or is missing, other than the record has it, is spoken of after so long with no hand in the picture:
a thing in a zone, one beside all zones, one that is gone, and one that an act left where it should not stay."""
SHOWN_ONLY = COMMAND_CARDS | SEAT_TAGS.keys()


@dataclass(frozen=True, slots=True)
class Breach:
    """A law that was broken: when, and in a sentence what was said and what was so."""

    law: str
    at_s: float
    what: str


@dataclass(slots=True)
class Judged:
    """What the laws say of a film.

    Attributes:
        met: How often each had something to judge.
        looks: How many pictures the eye looked at.
        hands: How many hands came.
    """

    met: Counter[str] = field(default_factory=Counter)
    breaches: list[Breach] = field(default_factory=list)
    looks: int = 0
    hands: int = 0

    def breach(self, law: str, at_s: float, what: str) -> None:
        self.breaches.append(Breach(law, round(at_s, 2), what))


@dataclass(frozen=True, slots=True)
class Stay:
    """A thing on the table, from one picture to another, both included.

    Attributes:
        left: The first picture in which no fingers were on it; ``None`` = they always were.
        ended: It was taken away before the film ended.
    """

    token: Token
    first: int
    last: int
    left: int | None
    ended: bool


def judge(told: Told) -> Judged:
    """All laws on a film."""
    hands = [0, *(shot.hands for shot in told.shots)]
    judged = Judged(
        looks=sum(shot.look is not None for shot in told.shots),
        hands=sum(max(0, now - before) for before, now in itertools.pairwise(hands)),
    )
    stays = list(_stays(told.shots))
    empty = _empty_places(told)
    _verdicts(told, stays, empty, judged)
    _gone(told, empty, judged)
    _vanished(told, judged)
    _lost(told, judged)
    _read(told, stays, judged)
    _said(told, stays, judged)
    _no_mark(told, judged)
    _in_order(told, stays, judged)
    _answered(told, stays, judged)
    return judged


# -- what was drawn ----------------------------------------------------------------------------------


def _stays(shots: Sequence[Shot]) -> Iterator[Stay]:
    begun: dict[Token, int] = {}
    left: dict[Token, int] = {}
    for number, shot in enumerate(shots):
        for token in [token for token in begun if token not in shot.lying]:
            yield Stay(token, begun.pop(token), number - 1, left.pop(token, None), True)
        for token in shot.lying:
            if token in SHOWN_ONLY:
                continue
            begun.setdefault(token, number)
            if token not in shot.touched and shot.look is not None:
                left.setdefault(token, number)
    for token, first in begun.items():
        yield Stay(token, first, len(shots) - 1, left.get(token), False)


def _apart(one: DrawnCard, x: float, y: float) -> float:
    return math.dist((one.x_mm, one.y_mm), (x, y))


def _is_veiled(shot: Shot, piece: DrawnCard, *, wiped: bool | None = None) -> bool:
    """Whether a smudge or a mirror image is over a sticker; ``wiped``: only the one or the other."""
    return any(_apart(piece, x, y) < radius + NEAR_MM and wiped in (None, wipes) for x, y, radius, wipes in shot.veils)


def _told(shot: Shot) -> Iterator[Text]:
    """What players were told because of a picture."""
    return (text for update in shot.updates for text in update.texts)


def _says_it_lies(shot: Shot, piece: DrawnCard, within_mm: float = NEAR_MM) -> bool:
    assert shot.look is not None
    return any(
        one.token == piece.token and _apart(piece, one.x_mm, one.y_mm) < within_mm for one in shot.look.table.placements
    )


def _rests(shots: Sequence[Shot], number: int, token: Token) -> bool:
    """Whether a thing lies in a picture where it lay in the one before or lies in the next."""
    piece = shots[number].lying[token].piece
    others = [shots[n].lying.get(token) for n in (number - 1, number + 1) if 0 <= n < len(shots)]
    return any(other is not None and other.piece == piece for other in others)


# -- shown, held -------------------------------------------------------------------------------------


def _verdicts(told: Told, stays: Sequence[Stay], empty: Sequence[Mapping[DrawnCard, float]], judged: Judged) -> None:
    """Whatever the camera found is shown by a look, and what was only held or tried is not spoken of."""
    by_token: dict[Token, list[Stay]] = {}
    for stay in stays:
        by_token.setdefault(stay.token, []).append(stay)
    judged.met[HELD] += sum(1 for stay in stays if _is_tried(told, stay))
    judged.met[HELD] += len({(token, run) for token, run in _held_runs(told.shots)})
    tokens = {card: token for token, card in told.table.game.table.cards.items()}
    for number, shot in enumerate(told.shots):
        for line in shot.lines:
            found = _found(line)
            token = None if found is None else tokens.get(found[0])
            if found is None or token is None or token in SHOWN_ONLY:
                continue
            judged.met[SHOWN] += 1
            said = f"{_words(line)} about {token}"
            began = [stay for stay in by_token.get(token, []) if stay.first <= number]
            if not began:
                judged.breach(HELD, shot.taken_s, f"{said}, which never lay there")
                continue
            stay = began[-1]
            if _is_tried(told, stay):
                if found[1]:
                    judged.breach(HELD, shot.taken_s, f"{said}, which the hand that laid it took back")
                    continue
                if number <= stay.last:
                    continue
            if not any(_is_shown(told.shots, n, token) for n in range(stay.first, min(stay.last, number) + 1)):
                judged.breach(SHOWN, shot.taken_s, f"{said}, whose code no picture showed")
                continue
            piece = told.shots[stay.last].lying[stay.token].piece
            if number > stay.last and _was_seen_empty(empty[stay.last + 1 : number + 1], piece):
                gone_s = told.shots[stay.last].taken_s
                judged.breach(SHOWN, shot.taken_s, f"{said}, which has been gone from there since {gone_s:.1f} s")


def _found(line: RecordLine) -> tuple[CardId, bool] | None:
    """What the camera says lies there, and whether somebody is accused or asked."""
    if line.entry.origin is not Origin.CAMERA:
        return None
    match line.entry.event:
        case Played(move) if move.laid is not None:
            return move.laid, False
        case Refused(_, change) if change is not None and change.went_to is not None:
            return change.card, True
        case QuestionAsked(change) | Unexplained(change) if change.went_to is not None:
            return change.card, True
    return None


def _words(line: RecordLine) -> str:
    rules = ", ".join(objection.rule for objection in line.objections)
    return type(line.entry.event).__name__.lower() + (f" ({rules})" if rules else "")


def _is_tried(told: Told, stay: Stay) -> bool:
    """Taken back before its hand has left it, and within three seconds of when it was first laid somewhere."""
    shots = told.shots
    first = stay.first
    while first and (stay.token in shots[first - 1].held or stay.token in shots[first - 1].touched):
        first -= 1
    while stay.token not in shots[first].lying:
        first += 1
    return stay.ended and stay.left is None and shots[stay.last].taken_s - shots[first].taken_s < TRIED_S


def _held_runs(shots: Sequence[Shot]) -> Iterator[tuple[Token, int]]:
    """What hands held for half a second, and the picture in which they began."""
    begun: dict[Token, int] = {}
    for number, shot in enumerate(shots):
        begun = {token: begun.get(token, number) for token in shot.held}
        for token, first in begun.items():
            if shot.taken_s - shots[first].taken_s >= 0.5:
                yield token, first


def _is_shown(shots: Sequence[Shot], number: int, token: Token) -> bool:
    shot = shots[number]
    seen = shot.lying.get(token)
    return seen is not None and shot.look is not None and seen.visible >= UNCOVERED and _rests(shots, number, token)


def _was_seen_empty(empty: Sequence[Mapping[DrawnCard, float]], piece: DrawnCard) -> bool:
    """Whether the place that something left is in view in the last of these pictures, or was for so long that an eye
    may not say any more that it lies there."""
    seen_s = [
        max((s for place, s in one.items() if _apart(place, piece.x_mm, piece.y_mm) < NEAR_MM), default=-1.0)
        for one in empty
    ]
    return seen_s[-1] >= 0.0 or max(seen_s) > GONE_S


# -- gone --------------------------------------------------------------------------------------------


def _empty_places(told: Told) -> list[dict[DrawnCard, float]]:
    """For each picture the places that are in view and that something left, and for how many seconds an eye could have
    seen that they are empty; less than 0: it has just been opened."""
    found: list[dict[DrawnCard, float]] = []
    since: dict[DrawnCard, float] = {}
    opened_s = told.shots[0].taken_s
    for shot in told.shots:
        opened_s = shot.taken_s if shot.opened or shot.look is None else opened_s
        places = itertools.chain.from_iterable(shot.left.values())
        since = {
            place.piece: since.get(place.piece, shot.taken_s) for place in places if _is_seen_empty(told, shot, place)
        }
        found.append({piece: shot.taken_s - max(s, opened_s + OPENS_S) for piece, s in since.items()})
    return found


def _is_seen_empty(told: Told, shot: Shot, place: Seen) -> bool:
    lies = shot.lying.get(place.piece.token)
    return (
        shot.look is not None
        and shot.clear
        and place.piece.token in told.table.codes.texts
        and place.piece.token not in SHOWN_ONLY
        and place.visible >= WHOLE
        and not _is_veiled(shot, place.piece)
        and (lies is None or _apart(lies.piece, place.piece.x_mm, place.piece.y_mm) > 2 * NEAR_MM)
    )


def _gone(told: Told, empty: Sequence[Mapping[DrawnCard, float]], judged: Judged) -> None:
    """Two seconds after the place of a thing that was taken away is in view, it is not said to lie there."""
    counted: set[DrawnCard] = set()
    for shot, places in zip(told.shots, empty, strict=True):
        for piece, waited_s in places.items():
            if waited_s <= GONE_S + 1 / told.story.eye.rate or piece in counted:
                continue
            counted.add(piece)
            judged.met[GONE] += 1
            if _says_it_lies(shot, piece):
                judged.breach(GONE, shot.taken_s, f"{piece.token} is said to lie there; its empty place is in view")


def _vanished(told: Told, judged: Judged) -> None:
    """What lies there unmoved is not said to be gone."""
    for before, shot in itertools.pairwise(told.shots):
        if before.look is None or shot.look is None or shot.opened:
            continue
        for token, seen in shot.lying.items():
            was = before.lying.get(token)
            if was is None or was.piece != seen.piece or token in SHOWN_ONLY:
                continue
            if _says_it_lies(before, seen.piece) and not _says_it_lies(shot, seen.piece):
                judged.breach(GONE, shot.taken_s, f"{token} is said to be gone, and it lies there")


# -- lost --------------------------------------------------------------------------------------------


def _lost(told: Told, judged: Judged) -> None:
    """A table of which nothing is to be seen is said to be lost, and nothing that the eye remembers changes; a table in
    full view is found again."""
    blind_s = opened_s = clear_s = told.shots[0].taken_s
    counted: set[tuple[bool, float]] = set()
    says = False
    remembered: TableState | None = None
    for shot in told.shots:
        signals = {update.signal for update in shot.updates}
        says = Signal.FOUND not in signals and (says or Signal.LOST in signals)
        opened_s = shot.taken_s if shot.opened or shot.look is None else opened_s
        blind_s = blind_s if shot.blind and shot.look is not None else shot.taken_s
        clear_s = clear_s if shot.clear and not shot.hands else shot.taken_s
        if shot.look is None:
            remembered, says = None, False
            continue
        if shot.look.lost is not None and remembered is not None and remembered != shot.look.table:
            judged.breach(LOST, shot.taken_s, "what lies there is said to have changed while the table is lost")
        remembered = shot.look.table if shot.look.lost is not None else None
        if shot.look.lost is not None and any(line.entry.origin is Origin.CAMERA for line in shot.lines):
            judged.breach(LOST, shot.taken_s, f"{_words(shot.lines[0])}, while the table is lost")
        if shot.taken_s - blind_s > LOST_S + SELDOM_S and (True, blind_s) not in counted:
            counted.add((True, blind_s))
            judged.met[LOST] += 1
            if shot.look.lost is None or not says:
                judged.breach(LOST, shot.taken_s, "nothing of the table is to be seen, and it is not said to be lost")
        if shot.taken_s - max(clear_s, opened_s) > LOST_S + OPENS_S and (False, clear_s) not in counted:
            counted.add((False, clear_s))
            if shot.look.lost is not None or says:
                judged.breach(LOST, shot.taken_s, "the table is in full view, and is said to be lost")


# -- read, said --------------------------------------------------------------------------------------


def _read(told: Told, stays: Sequence[Stay], judged: Judged) -> None:
    """What lies at rest in full view, with no hand in the picture, is read in some seconds."""
    opened_s = []
    for shot in told.shots:
        is_opened = shot.opened or shot.look is None or not opened_s
        opened_s.append(shot.taken_s if is_opened else opened_s[-1])
    for stay in stays:
        since_s: float | None = None
        for number in range(stay.first, stay.last + 1):
            shot = told.shots[number]
            seen = shot.lying[stay.token]
            is_open = (
                shot.look is not None
                and shot.clear
                and not shot.hands
                and seen.visible >= WHOLE
                and not _is_veiled(shot, seen.piece)
                and _rests(told.shots, number, stay.token)
                and stay.token in told.table.codes.texts
            )
            is_open &= shot.taken_s - opened_s[number] >= OPENS_S
            since_s = None if not is_open else since_s if since_s is not None else shot.taken_s
            if since_s is not None and shot.taken_s - since_s > READ_S:
                judged.met[READ] += 1
                if not _says_it_lies(shot, seen.piece):
                    judged.breach(READ, shot.taken_s, f"{stay.token} lies in full view and is not read")
                break


def _said(told: Told, stays: Sequence[Stay], judged: Judged) -> None:
    """What can be half seen and is not read is marked, and explains whatever it can."""
    shots = told.shots
    hand_s = opened_s = started_s = shots[0].taken_s
    since: dict[Token, float] = {}
    counted: set[tuple[Token, int]] = set()
    by_number = {}
    for stay in stays:
        for number in range(stay.first, stay.last + 1):
            by_number[number, stay.token] = stay
    for number, shot in enumerate(shots):
        hand_s = shot.taken_s if shot.hands else hand_s
        opened_s = shot.taken_s if shot.opened or shot.look is None or not shot.clear else opened_s
        started_s = shot.taken_s if shot.opened or shot.look is None else started_s
        if shot.look is None:
            since.clear()
            continue
        unread = {}
        for token, seen in shot.lying.items():
            is_ours = token in told.table.codes.texts and token not in SHOWN_ONLY
            if is_ours and not _says_it_lies(shot, seen.piece) and _rests(shots, number, token):
                unread[token] = seen
        long = {
            token: seen
            for token, seen in unread.items()
            if seen.visible >= HALF
            and shot.taken_s - shots[by_number[number, token].first].taken_s >= LIES_S
            and (shots[by_number[number, token].first].taken_s > started_s + OPENS_S or _is_marked(shot, seen.piece))
        }
        _explained(told, shot, long, judged)
        since = {
            token: since.get(token, shot.taken_s)
            for token, seen in unread.items()
            if seen.visible >= HALF
            and not _is_in_a_pile(told, shot, seen)
            and not _is_veiled(shot, seen.piece, wiped=True)
        }
        for token, since_s in since.items():
            stay = by_number[number, token]
            is_first = shots[stay.first].taken_s <= started_s + OPENS_S
            waited_s = shot.taken_s - max(since_s, hand_s, opened_s)
            if waited_s <= (MARKED_FIRST_S if is_first else MARKED_S) or (token, stay.first) in counted:
                continue
            counted.add((token, stay.first))
            judged.met[MARKED] += 1
            piece = unread[token].piece
            if not _is_marked(shot, piece):
                judged.breach(MARKED, shot.taken_s, f"{token} is neither read nor marked")


def _is_marked(shot: Shot, piece: DrawnCard) -> bool:
    assert shot.look is not None
    return any(_apart(piece, mark.x_mm, mark.y_mm) < MARK_MM for mark in shot.look.unread)


def _is_in_a_pile(told: Told, shot: Shot, seen: Seen) -> bool:
    """Whether something of the game lies over it, or under it."""
    return any(
        other.piece is not seen.piece
        and token in told.table.codes.texts
        and _apart(seen.piece, other.piece.x_mm, other.piece.y_mm) < told.table.reach_mm
        for token, other in shot.lying.items()
    )


def _explained(told: Told, shot: Shot, unread: dict[Token, Seen], judged: Judged) -> None:
    """Nobody is refused what one thing that lies there unread would make lawful."""
    if not unread:
        return
    game = told.table.game
    for line in shot.lines:
        event = line.entry.event
        if not isinstance(event, Refused) or line.entry.origin is not Origin.CAMERA:
            continue
        explains = [
            token
            for token, seen in unread.items()
            if event.change is not None
            and event.move.subject != game.table.cards.get(token)
            and _makes_lawful(told, shot, line, event.change, seen)
        ]
        if explains:
            judged.met[EXPLAINED] += 1
            if not event.asks:
                said = f"{_words(line)} about {event.move.subject}"
                judged.breach(EXPLAINED, shot.taken_s, f"{said}, which {explains[0]} explains: it lies there unread")


def _makes_lawful(told: Told, shot: Shot, line: RecordLine, refused: Change, seen: Seen) -> bool:
    """Whether what was refused is lawful by the rules once a thing was laid where it lies; turns may end between."""
    game, number = told.table.game, line.entry.number
    assert shot.look is not None
    state = told.match.record.states[number - 1]
    others = [one for one in shot.look.table.placements if one.token != seen.piece.token]
    change = change_of(told.table, state, others, seen.piece)
    moves = () if change is None else lawful(game, state, change, MoveContext(number, line.entry.time_s))
    for move in moves:
        try:
            state = game.rules.apply(state, move, MoveContext(number, line.entry.time_s)).state
        except ImpossibleMove:
            return False
        number += 1
    return bool(moves) and bool(lawful(game, state, refused, MoveContext(number, line.entry.time_s)))


def _no_mark(told: Told, judged: Judged) -> None:
    """Nothing is marked where nothing lies that cannot be read."""
    there_s: dict[tuple[float, float], float] = {}
    for shot in told.shots:
        if shot.look is None or not shot.clear:
            continue
        for mark in shot.look.unread:
            at = mark.x_mm, mark.y_mm
            judged.met[NO_MARK] += at not in there_s
            lies = any(_may_be_marked(told, shot, seen, at) for seen in shot.lying.values())
            if lies or shot.hands or at not in there_s:
                there_s[at] = shot.taken_s if lies or shot.hands else there_s.get(at, shot.taken_s)
            elif shot.taken_s - there_s[at] > SETTLES_S + GONE_S and there_s[at] != math.inf:
                there_s[at] = math.inf
                judged.breach(NO_MARK, shot.taken_s, f"a mark at {at[0]:.0f}, {at[1]:.0f}, where nothing unread lies")


def _may_be_marked(told: Told, shot: Shot, seen: Seen, at: Point) -> bool:
    """Whether a thing may be what a mark is of: it is not read there, or is none of the game's."""
    piece = seen.piece
    if piece.token in told.table.codes.texts:
        return _apart(piece, *at) < MARK_MM and not _says_it_lies(shot, piece)
    return _apart(piece, *at) < MARK_MM + FOREIGN_MM


# -- in order ----------------------------------------------------------------------------------------


def _in_order(told: Told, stays: Sequence[Stay], judged: Judged) -> None:
    """What came out of sight is not refused if there is an order in which all of it is lawful."""
    game, shots = told.table.game, told.shots
    for before, number, came in _out_of_sight(told, stays):
        lines = [line for shot in shots[number:] for line in shot.lines]
        written = len(told.table.log) + sum(len(shot.lines) for shot in shots[:number])
        if not _has_an_order(told, written, shots[before], shots[number], came):
            continue
        judged.met[ORDER] += 1
        cards = {game.table.cards.get(stay.token) for stay in came}
        for line in lines:
            event = line.entry.event
            if isinstance(event, Refused) and not event.asks and event.move.subject in cards:
                at_s = next(shot.taken_s for shot in shots if line in shot.lines)
                judged.breach(ORDER, at_s, f"{_words(line)} about {event.move.subject}, laid out of sight with others")
                break
        for shot in shots[number:]:
            asked = {text.params.get("card") for text in _told(shot) if text.key == "referee.unseen_card"}
            if card := next(iter(asked & cards), None):
                judged.breach(ORDER, shot.taken_s, f"asked whether {card} counts, laid out of sight with others")
                break


def _out_of_sight(told: Told, stays: Sequence[Stay]) -> Iterator[tuple[int, int, list[Stay]]]:
    """The last picture before each time out of sight, the first one after it, and what came meanwhile.

    What nothing was said of before the table was out of sight again belongs to that time too.
    """
    shots, cards = told.shots, told.table.game.table.cards
    waits: tuple[int, int, list[Stay]] | None = None
    number = 0
    while number < len(shots):
        if _sees(shots[number]):
            number += 1
            continue
        first = number
        while number < len(shots) and not _sees(shots[number]):
            number += 1
        if not first or number >= len(shots):
            continue
        before = first - 1
        came = [stay for stay in stays if first < stay.first <= number and stay.last > number]
        if waits is not None:
            said = {
                line.entry.event.move.subject
                for shot in shots[waits[1] : number]
                for line in shot.lines
                if isinstance(line.entry.event, Played | Refused)
            }
            left = [stay for stay in waits[2] if stay.last > number]
            if left and said.isdisjoint(cards.get(stay.token) for stay in left):
                before, came = waits[0], [*left, *came]
            else:
                yield waits
        waits = before, number, came
    if waits is not None:
        yield waits


def _sees(shot: Shot) -> bool:
    return shot.look is not None and shot.look.lost is None and shot.clear


def _has_an_order(told: Told, written: int, before: Shot, shot: Shot, came: Sequence[Stay]) -> bool:
    pieces = [seen.piece for stay in came if (seen := shot.lying.get(stay.token)) is not None]
    if not 2 <= len(pieces) <= 4:
        return False
    table = told.table
    lay = [placed(table, seen.piece) for token, seen in before.lying.items() if token in table.codes.texts]
    return any(follows(table, before.state, lay, order, written + 1) for order in itertools.permutations(pieces))


# -- answered ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Differs:
    """A thing that lies otherwise than the record has it: since when, and how long it may remain unspoken of."""

    since_s: float
    most_s: float


def _answered(told: Told, stays: Sequence[Stay], judged: Judged) -> None:
    """What the eye rightly says, and no hand is near, counts or is spoken of in some seconds."""
    table = told.table.game.table
    differs: dict[Change, _Differs] = {}
    counted: set[Change] = set()
    spoken: set[Change] = set()
    quiet: set[tuple[Token, int]] = set()
    old: set[Stay] = set()
    opens, disagrees, clears, is_to_go, unseen_s, old_s = True, False, False, False, -math.inf, -math.inf
    first = {one.token: one for one in told.table.first}
    for number, shot in enumerate(told.shots):
        opens |= shot.look is None
        if opens and _sees(shot):
            opens = False
            there = [stay for stay in stays if stay.first <= number <= stay.last]
            old = {stay for stay in there if not _is_at(shot.lying[stay.token].piece, first.get(stay.token))}
        clears = _is_cleared(shot, clears)
        unseen_s = unseen_s if _sees(shot) else shot.taken_s
        spoken |= {change for line in shot.lines if (change := _spoken_of(line)) is not None}
        is_to_go = is_to_go or any(text.key == "referee.take_away" for text in _told(shot))
        disagrees |= any(update.signal is Signal.MISPLACED and update.number is None for update in shot.updates)
        old_s = shot.taken_s if any(stay.last >= number for stay in old) else old_s
        waits = clears and shot.taken_s - old_s < CLEARED_S  # until the table is clear, as was asked
        if not _is_quiet(told, shot) or waits:
            differs.clear()
            continue
        assert shot.look is not None
        public = told.table.game.public(shot.state)
        now = [
            change
            for change in changes(table.expected(public), table.lying(public, shot.look.table))
            if change.went_to != COMMAND_ZONE
        ]
        came = differs
        differs = {}
        for change in now:
            most_s = _most_s(told, stays, shot, change, now)
            if shot.taken_s - unseen_s < MISSING_S:
                most_s = max(most_s, MISSING_S)
            differs[change] = came.get(change) or _Differs(shot.taken_s, most_s)
        for change in came.keys() - set(now):  # it counts, or was put right
            counted.discard(change)
            spoken.discard(change)
        there = {(stay.token, stay.first) for stay in stays if stay.first <= number <= stay.last} - quiet
        judged.met[ANSWERED] += len(there)
        quiet |= there
        for change, one in differs.items():
            if shot.taken_s - one.since_s <= one.most_s or change in counted:
                continue
            if is_to_go and any(told.table.game.table.cards.get(stay.token) == change.card for stay in old):
                continue  # it lay there first, and people were told to take it away
            counted.add(change)
            judged.met[ANSWERED] += change.went_to is None
            if change not in spoken and not disagrees:
                went = change.went_to or "nowhere"
                said = f"{change.card}, which came from {change.came_from or 'nowhere'} and lies {went}"
                judged.breach(ANSWERED, shot.taken_s, f"nothing was said of {said}, since {one.since_s:.1f} s")


def _is_at(piece: DrawnCard, place: DrawnCard | None) -> bool:
    return place is not None and _apart(piece, place.x_mm, place.y_mm) < NEAR_MM


def _is_cleared(shot: Shot, clears: bool) -> bool:
    """Whether players have been asked to clear the table, and have not been told yet that it is clear."""
    for text in _told(shot):
        clears = text.key == "referee.clear_table" or (clears and text.key != "referee.cleared")
    return clears


def _is_quiet(told: Told, shot: Shot) -> bool:
    """Whether no hand is there, and the eye says of every thing of the game where it lies."""
    if shot.look is None or shot.hands or not _sees(shot) or told.match.record.standing.over:
        return False
    ours = {
        token: seen.piece
        for token, seen in shot.lying.items()
        if token in told.table.codes.texts and token not in SHOWN_ONLY
    }
    said = {one.token for one in shot.look.table.placements if one.token not in SHOWN_ONLY}
    return said == set(ours) and all(_says_it_lies(shot, piece) for piece in ours.values())


def _spoken_of(line: RecordLine) -> Change | None:
    match line.entry.event:
        case Refused(_, change) | QuestionAsked(change) | Unexplained(change):
            return change
    return None


def _most_s(told: Told, stays: Sequence[Stay], shot: Shot, change: Change, now: Sequence[Change]) -> float:
    """How long a difference may remain unspoken of; while something is missing, all may be on the move."""
    if any(one.went_to is None for one in now):
        return MISSING_S
    if change.went_to == LOOSE:
        return LOOSE_S
    token = next(token for token, card in told.table.game.table.cards.items() if card == change.card)
    stay = next(
        stay for stay in reversed(stays) if stay.token == token and told.shots[stay.first].taken_s <= shot.taken_s
    )
    lay_s = told.shots[stay.first].taken_s
    is_left_over = any(
        isinstance(line.entry.event, Played) and one.taken_s > lay_s
        for one in told.shots
        if one.taken_s <= shot.taken_s
        for line in one.lines
    )
    return CHORE_S if is_left_over else ANSWERED_S + told.table.game.table.rest_s(change)
