"""Updates as JSON, in the one shape that event streams, polling pages and scripts get."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, NotRequired, TypedDict, cast

from msgspec import Meta

from companion.public.results import EntryJson, StandingJson
from companion.public.service import MatchService
from companion.public.standing import encode_standing
from companion.public.text import Text
from companion.public.updates import Alert, OfferedCorrection, Question, Update
from web.language import MatchContext, Translator, match_context


class AnswerText(TypedDict):
    """One of the answers to a question, and the seats that may give it; none = all."""

    text: str
    seats: list[int]


class QuestionJson(TypedDict):
    """An open question; answers are numbered from 0 in the order of this list."""

    number: int
    text: str
    answers: list[AnswerText]
    hangs: NotRequired[Annotated[bool, Meta(description="Until it is answered the standing is provisional.")]]


class UnreadThing(TypedDict):
    """Something like a sticker that cannot be read, and where it lies."""

    text: str
    zone: str
    at: Annotated[list[float], Meta(description="Shares of the field's width and depth from the far left corner.")]


class OfferedCorrectionJson(TypedDict):
    """A correction of one entry that can be made now, at most one of each kind; the host may make every one of them."""

    do: Annotated[str, Meta(description="`undo`, `claim`, `allow` or `camera-was-wrong`: as in `POST /corrections`.")]
    number: Annotated[int, Meta(description="The entry; an undo of it takes back exactly what `text` says.")]
    text: Annotated[str, Meta(description="What the entry did, in the reader's language.")]
    by: Annotated[int | None, Meta(description="The seat whose act it is now; null for an entry without a move.")]
    card: Annotated[str | None, Meta(description="What the act was about.")]
    seats: Annotated[
        list[int],
        Meta(description="The seats that may make it without the host; for a claim, those whose card it may be."),
    ]


class RuleInWords(TypedDict):
    """A rule that the texts mention, with its section of the rule book; /how explains each."""

    rule: str
    section: str


class News(TypedDict):
    """The current standing, and what happened last."""

    match: str | None
    generation: Annotated[
        str | None,
        Meta(description="Of the match: if it changes, entry numbers that were told may mean other entries."),
    ]
    number: Annotated[int, Meta(description="The last public entry; 0 before the first.")]
    signal: Annotated[str | None, Meta(description="What happened, in the lamp's terms.")]
    texts: Annotated[list[str], Meta(description="In the reader's language, the most important first.")]
    standing: StandingJson | None
    public: Annotated[Any, Meta(description="The table as a spectator may see it, in the game's own shape.")]
    entry: Annotated[EntryJson | None, Meta(description="The public entry.")]
    alert: Annotated[str, Meta(extra_json_schema={"enum": [one.value for one in Alert]})]
    asked: list[QuestionJson]
    guide: Annotated[list[str], Meta(description="What to move so that the table agrees with the log.")]
    unread: list[UnreadThing]
    why: list[RuleInWords]
    corrections: Annotated[list[OfferedCorrectionJson], Meta(description="What can be corrected now, by whom.")]
    seats: Annotated[list[str], Meta(description="The players' current names, seat 1 first.")]


def update_json(update: Update, number: int, now: MatchContext, translator: Translator, language: str) -> News:
    """One update in a reader's language.

    Args:
        number: The last public entry; the entry of the update if it has one.
        now: The match of the update.
    """

    def say(text: Text) -> str:
        return translator.say(text, language, now.names)

    return {
        "match": now.id,
        "generation": now.generation,
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
        "corrections": [offered_correction_json(one, say) for one in update.corrections],
        "seats": list(now.names.seats),
    }


def why_json(texts: Iterable[Text]) -> list[RuleInWords]:
    """The rules that these texts mention, and the section of the rule book (empty: none)."""
    rules = {text.params["rule"]: text.params.get("paragraph", "") for text in texts if "rule" in text.params}
    return [{"rule": rule, "section": section} for rule, section in rules.items()]


def offered_correction_json(one: OfferedCorrection, say: Callable[[Text], str]) -> OfferedCorrectionJson:
    return {
        "do": one.do,
        "number": one.number,
        "text": say(one.text),
        "by": one.by,
        "card": one.card,
        "seats": list(one.seats),
    }


def _question_json(question: Question, say: Callable[[Text], str]) -> QuestionJson:
    asked: QuestionJson = {
        "number": question.number,
        "text": say(question.text),
        "answers": [{"text": say(answer.text), "seats": list(answer.seats)} for answer in question.answers],
    }
    if question.hangs:
        asked["hangs"] = True
    return asked


def newest_in_match(match_service: MatchService) -> tuple[Update | None, int, MatchContext]:
    """The newest update, the last entry's number (0 before the first), and the match that both belong to.

    If another match begins in between, they are read again until all three belong together.
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
    """The current state; without a match the fields are empty."""
    return moment_json(newest_in_match(match_service), translator, language)


def moment_json(moment: tuple[Update | None, int, MatchContext], translator: Translator, language: str) -> News:
    """The state that ``newest_in_match`` returned, as JSON."""
    update, number, now = moment
    if update is not None:
        return update_json(update, number, now, translator, language)
    return {
        "match": now.id,
        "generation": now.generation,
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
        "corrections": [],
        "seats": [],
    }
