"""News as JSON: the one shape that events, polling pages, scripts and brokers get."""

from __future__ import annotations

from companion.public.service import Desk
from companion.public.standing import encode_standing
from companion.public.text import JSON, Text
from companion.public.updates import Question, Update
from web.language import MatchContext, Translator


def update_json(news: Update, number: int, now: MatchContext, voice: Translator, language: str) -> dict[str, JSON]:
    """One piece of news in a reader's language.

    Args:
        news: What happened.
        number: The last entry that everybody may know of; the entry itself when the news has one.
        now: The match that it belongs to.
        voice: Says the texts.
        language: The reader's.
    """

    def say(text: Text) -> str:
        return voice.say(text, language, now.names)

    return {
        "match": now.id,
        "number": number,
        "signal": news.signal.value,
        "texts": [say(text) for text in news.texts],
        "standing": encode_standing(news.standing) if news.standing else None,
        "public": news.view,
        "entry": dict(news.entry) if news.entry is not None else None,
        "alert": news.alert.value,
        "asked": [_question_json(question, say) for question in news.questions],
        "guide": [say(text) for text in news.instructions],
        "seats": list(now.names.seats),
    }


def _question_json(asked: Question, say: JSON) -> dict[str, JSON]:
    return {
        "number": asked.number,
        "text": say(asked.text),
        "answers": [{"text": say(answer.text), "seats": list(answer.seats)} for answer in asked.answers],
    }


def latest_json(desk: Desk) -> tuple[Update | None, int]:
    """The newest news and the last entry's number; 0 before the first entry."""
    news = desk.newest()
    if news is None:
        return None, 0
    if news.number is not None:
        return news, news.number
    told = desk.since(0)
    return news, next((one.number for one in reversed(told) if one.number is not None), 0)


def snapshot_json(desk: Desk, now: MatchContext, voice: Translator, language: str) -> dict[str, JSON]:
    """How it stands now; without a match everything is ``null`` and nothing is asked."""
    news, number = latest_json(desk)
    if news is None:
        empty: dict[str, JSON] = {"signal": None, "texts": [], "standing": None, "public": None, "entry": None}
        return {"match": now.id, "number": 0, **empty, "alert": "none", "asked": [], "guide": [], "seats": []}
    return update_json(news, number, now, voice, language)
