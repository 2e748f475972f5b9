"""Updates as JSON: the one shape that events, polling pages, scripts and brokers get."""

from __future__ import annotations

from collections.abc import Iterable

from companion.public.service import MatchService
from companion.public.standing import encode_standing
from companion.public.text import JSON, Text
from companion.public.updates import Question, Update
from web.language import MatchContext, Translator, match_context


def update_json(
    update: Update, number: int, now: MatchContext, translator: Translator, language: str
) -> dict[str, JSON]:
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
        "standing": encode_standing(update.standing) if update.standing else None,
        "public": update.view,
        "entry": dict(update.entry) if update.entry is not None else None,
        "alert": update.alert.value,
        "asked": [_question_json(question, say) for question in update.questions],
        "guide": [say(text) for text in update.instructions],
        "unread": [{"text": say(one.text), "zone": one.zone, "at": list(one.at)} for one in update.unread],
        "why": why_json(update.texts),
        "seats": list(now.names.seats),
    }


def why_json(texts: Iterable[Text]) -> list[dict[str, JSON]]:
    """The rules that these words speak of, and where each stands in the rule book (empty: in none)."""
    rules = {text.params["rule"]: text.params.get("paragraph", "") for text in texts if "rule" in text.params}
    return [{"rule": rule, "section": section} for rule, section in rules.items()]


def _question_json(question: Question, say: JSON) -> dict[str, JSON]:
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


def snapshot_json(match_service: MatchService, translator: Translator, language: str) -> dict[str, JSON]:
    """How it stands now; without a match everything is ``null`` and nothing is asked."""
    return moment_json(newest_in_match(match_service), translator, language)


def moment_json(
    moment: tuple[Update | None, int, MatchContext], translator: Translator, language: str
) -> dict[str, JSON]:
    """What ``newest_in_match`` found."""
    update, number, now = moment
    if update is None:
        empty: dict[str, JSON] = {"signal": None, "texts": [], "standing": None, "public": None, "entry": None}
        nothing: dict[str, JSON] = {"asked": [], "guide": [], "unread": [], "why": [], "seats": []}
        return {"match": now.id, "number": 0, **empty, "alert": "none", **nothing}
    return update_json(update, number, now, translator, language)
