"""Updates as JSON: the one shape that events, polling pages, scripts and brokers get."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, NotRequired, TypedDict, cast

from msgspec import Meta

from companion.public.service import MatchService
from companion.public.standing import encode_standing
from companion.public.text import Text
from companion.public.updates import Alert, Question, Update
from web.language import MatchContext, Translator, match_context


class OwedJson(TypedDict):
    """An act that must come next, by this seat."""

    seat: int
    do: str


class StandingJson(TypedDict):
    """The public standing as in the record; lists are by seat, seat 1 first. A game may count further things."""

    turn: int | None
    points: list[int]
    hands: NotRequired[list[int]]
    stack: NotRequired[int]
    trumps: NotRequired[int]
    owed: list[OwedJson]
    over: bool
    winners: list[int]
    provisional: NotRequired[bool]


class EntryJson(TypedDict):
    """An entry as in the record; its event brings further keys."""

    number: int
    event: str
    origin: NotRequired[str]
    time_s: NotRequired[float]
    move: NotRequired[dict[str, Any]]
    points: NotRequired[int]
    objections: NotRequired[list[dict[str, Any]]]
    standing: NotRequired[StandingJson]


class AnswerText(TypedDict):
    """One of the answers to a question; the seats that may give it, none = everybody."""

    text: str
    seats: list[int]


class QuestionJson(TypedDict):
    """A question that waits for an answer; answers count from 0 in the order of this list."""

    number: int
    text: str
    answers: list[AnswerText]


class UnreadThing(TypedDict):
    """Something like a sticker that cannot be read, and where it lies."""

    text: str
    zone: str
    at: Annotated[list[float], Meta(description="Shares of the field's width and depth from the far left corner.")]


class RuleInWords(TypedDict):
    """A rule that the texts speak of, with its section of the rule book; /how tells each."""

    rule: str
    section: str


class News(TypedDict):
    """How it stands, and what happened last."""

    match: str | None
    number: Annotated[int, Meta(description="The last entry that everybody may know of; 0 before the first.")]
    signal: Annotated[str | None, Meta(description="What happened, as far as a lamp is concerned.")]
    texts: Annotated[list[str], Meta(description="In the reader's language, the most important first.")]
    standing: StandingJson | None
    public: Annotated[Any, Meta(description="The table as a spectator may see it, in the game's own shape.")]
    entry: Annotated[EntryJson | None, Meta(description="The public entry.")]
    alert: Annotated[str, Meta(extra_json_schema={"enum": [one.value for one in Alert]})]
    asked: list[QuestionJson]
    guide: Annotated[list[str], Meta(description="What to move so that the table is as the log has it.")]
    unread: list[UnreadThing]
    why: list[RuleInWords]
    seats: Annotated[list[str], Meta(description="What whoever sits there is called now, seat 1 first.")]


def update_json(update: Update, number: int, now: MatchContext, translator: Translator, language: str) -> News:
    """One update in a reader's language.

    Args:
        update: What happened.
        number: The last entry that everybody may know of; the entry itself when the update has one.
        now: The match that it belongs to.
        translator: Says the texts.
        language: The reader's.
    """

    def say(text: Text) -> str:
        return translator.say(text, language, now.names)

    return {
        "match": now.id,
        "number": number,
        "signal": update.signal.value,
        "texts": [say(text) for text in update.texts],
        "standing": cast(StandingJson, encode_standing(update.standing)) if update.standing else None,
        "public": update.view,
        "entry": cast(EntryJson, dict(update.entry)) if update.entry is not None else None,
        "alert": update.alert.value,
        "asked": [_question_json(question, say) for question in update.questions],
        "guide": [say(text) for text in update.instructions],
        "unread": [{"text": say(one.text), "zone": one.zone, "at": list(one.at)} for one in update.unread],
        "why": why_json(update.texts),
        "seats": list(now.names.seats),
    }


def why_json(texts: Iterable[Text]) -> list[RuleInWords]:
    """The rules that these words speak of, and where each stands in the rule book (empty: in none)."""
    rules = {text.params["rule"]: text.params.get("paragraph", "") for text in texts if "rule" in text.params}
    return [{"rule": rule, "section": section} for rule, section in rules.items()]


def _question_json(question: Question, say: Callable[[Text], str]) -> QuestionJson:
    return {
        "number": question.number,
        "text": say(question.text),
        "answers": [{"text": say(answer.text), "seats": list(answer.seats)} for answer in question.answers],
    }


def newest_in_match(match_service: MatchService) -> tuple[Update | None, int, MatchContext]:
    """The newest update, the last entry's number (0 before the first), and the match that both belong to.

    Another match may begin while they are read; then they are read once more, until all three are of one match.
    """
    while True:
        update, now = match_service.newest(), match_context(match_service)
        if update is None:
            return None, 0, now
        if now.id not in (None, update.match):
            continue
        if update.number is not None:
            return update, update.number, now
        entries = [one for one in match_service.since(0) if one.number is not None]
        if not entries:
            return update, 0, now
        if entries[-1].match == update.match:
            return update, entries[-1].number or 0, now


def snapshot_json(match_service: MatchService, translator: Translator, language: str) -> News:
    """How it stands now; without a match everything is ``null`` and nothing is asked."""
    return moment_json(newest_in_match(match_service), translator, language)


def moment_json(moment: tuple[Update | None, int, MatchContext], translator: Translator, language: str) -> News:
    """What ``newest_in_match`` found."""
    update, number, now = moment
    if update is not None:
        return update_json(update, number, now, translator, language)
    return {
        "match": now.id,
        "number": 0,
        "signal": None,
        "texts": [],
        "standing": None,
        "public": None,
        "entry": None,
        "alert": "none",
        "asked": [],
        "guide": [],
        "unread": [],
        "why": [],
        "seats": [],
    }
