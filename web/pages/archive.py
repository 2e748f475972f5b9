"""The stored matches and what their records tell."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from babel.dates import format_datetime
from babel.numbers import format_decimal
from flask import Blueprint, Response, g

from companion.public.i18n import Names
from companion.public.text import Text
from web.games.discovery.report import Moment, Report, report
from web.language import match_context
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.pages.chart import chart
from web.pages.page import page
from web.pages.player_stats import player_statistics

library = Blueprint("library", __name__)


@library.get("/matches")
def matches() -> Response:
    """The stored matches, newest first."""
    stored = context().desk.matches(current_user())
    return page("matches.html", matches=stored, began=_began, players=player_statistics(stored), number=_number)


@library.get("/matches/<match_id>")
def match_report(match_id: str) -> Response:
    """One stored match: points over time, who placed what, what was refused."""
    stored = next((one for one in context().desk.matches(current_user()) if str(one["id"]) == match_id), None)
    if stored is None:
        raise Problem(404, context().voice.word("matches.none", g.language))
    damage = stored.get("damage")
    if damage is not None and damage["kept"] is None:
        raise Problem(404, context().voice.word("matches.damaged", g.language))
    try:
        lines = context().desk.record(current_user(), match_id)
    except PermissionError:
        lines = None
    if lines is None:
        return page("report.html", stored=stored, told=None)
    told, names = report(lines)
    drawn = chart([moment.points for moment in told.moments])
    best = told.best()
    numbers = [moment.number for moment in told.moments]
    return page(
        "report.html",
        stored=stored,
        told=told,
        names=names,
        drawn=drawn,
        best=best,
        best_x=drawn.at(numbers.index(best.number)) if drawn and best else 0,
        began=_began(stored.get("began")),
        cards=[{"id": card, "family": family} for card, family in told.cards],
        moments=[_moment_json(moment, told, names) for moment in told.moments],
        rules=lambda rule, cards: _rule(rule, cards, names),
        act=_act,
        **_honest(match_id, told),
        running=match_context(context().desk).id == match_id,
    )


FIGURES = (
    *("placements", "refusals", "overruled", "false_alarms", "questions", "unexplained"),
    *("corrections", "corrections_per_100", "waited_s"),
)
"""What a report tells of them, in this order."""


def _honest(match_id: str, told: Report) -> dict[str, Any]:
    """How well it was refereed, and what was kept to be looked at: pictures by entry, those without a fault apart."""
    figures = context().desk.figures(current_user(), match_id) or {}
    pictures = {int(number): count for number, count in figures.get("pictures", {}).items()}
    faults = {fault.number for fault in told.faults}
    others = [one for one in told.noted if one.number in pictures and one.number not in faults]
    shown = [(key, figures[key]) for key in FIGURES if figures.get(key) is not None]
    return {"figures": shown, "number": _number, "pictures": pictures, "others": others}


def _number(value: float | None) -> str:
    """A number as the reader writes it; a dash for none."""
    return "–" if value is None else str(format_decimal(value, locale=g.language))


def _act(do: str) -> str:
    """What was tried, where no card says it."""
    key = f"js.do.{do}"
    return context().voice.word(key, g.language) if context().voice.knows(key) else ""


def _moment_json(moment: Moment, told: Report, names: Names) -> dict[str, Any]:
    voice, language = context().voice, g.language
    key = "report.laid" if moment.came else "report.then"
    params = {"n": moment.number, "who": "", "card": "", "m": 0}
    if moment.came:
        params |= {"who": names.seat(moment.came.seat), "card": moment.came.card, "m": moment.came.points}
        key = "report.laid.points" if moment.came.points else key
    said = voice.say(Text(key, params), language, names)
    if any(any(one.points) for one in told.moments[-1:]):
        said += " " + " · ".join(f"{name} {points}" for name, points in zip(told.names, moment.points, strict=False))
    return {"text": said, "came": moment.came.card if moment.came else None, "went": moment.went}


def _rule(rule: str, cards: tuple[str, ...], names: Names) -> str:
    key = f"rule.{rule}"
    if not context().voice.knows(key):
        return rule
    return context().voice.say(Text(key, {"cards": list(cards)}), g.language, names)


def _began(when: object) -> str:
    """A stored beginning as people write it; what is no time is said as it is."""
    try:
        at = datetime.fromtimestamp(when) if isinstance(when, (int, float)) else datetime.fromisoformat(str(when))
    except (ValueError, OverflowError, OSError):
        return str(when or "")
    return format_datetime(at, "d MMMM y, HH:mm", locale=g.language)
