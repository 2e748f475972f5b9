"""The pages of stored matches and players."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from babel.dates import format_datetime
from babel.numbers import format_decimal
from flask import Blueprint, Response, current_app, g, render_template

from companion.public.i18n import LANGUAGES, Names
from companion.public.service import Role
from companion.public.text import Text
from web.language import match_context, names_of
from web.middleware.access import role
from web.middleware.context import context, current_user, in_turn, services
from web.middleware.problems import Problem
from web.pages.chart import bars, chart
from web.pages.game_pages import pages_of, read_report
from web.pages.match_report import Moment, Report
from web.pages.page import page, profile_name, translations
from web.pages.player_stats import player_history, player_statistics
from web.pages.report_words import ReportWords

library = Blueprint("library", __name__)


@library.get("/matches")
@role(Role.SPECTATOR)
@in_turn
def matches() -> Response:
    """The stored matches, newest first."""
    stored = services().archive.matches(current_user())
    return page(
        "matches.html",
        matches=stored,
        pending=sum(1 for one in stored if "pending" in one),
        began=_began,
        players=player_statistics(stored),
        number=_number,
        once=cache,
    )


@library.get("/matches/<match_id>")
@role(Role.SPECTATOR)
@in_turn
def match_report(match_id: str) -> Response:
    """One stored match: points over time, moves and refusals."""
    archive, user = services().archive, current_user()
    stored = archive.match(user, match_id)
    if stored is None:
        raise Problem(404, context().translator.word("matches.none", g.language))
    if "missing" in stored:
        raise Problem(404, context().translator.word("matches.missing", g.language, game=stored["game"]))
    if "bug" in stored:
        raise Problem(503, Text("problem.game", stored["bug"]))
    damage = stored.get("damage")
    if damage is not None and damage["kept"] is None:
        raise Problem(404, context().translator.word("matches.damaged", g.language))
    try:
        body = archive.kept(user, match_id, f"page {g.language}", lambda: _report(stored).encode())
    except PermissionError:
        body = None
    return page("report.html", game=stored["game"] if body else "", body=(body or b"").decode())


def _report(stored: Mapping[str, Any]) -> str:
    """What the page of a stored match shows of it; of a finished one the same to every reader of a language."""
    match_id = str(stored["id"])
    retold = services().archive.retold(current_user(), match_id)
    if retold is None:
        raise Problem(404, context().translator.word("matches.none", g.language))
    report, names = read_report(retold.record)
    told = retold.told
    things = {str(one["id"]): one for one in retold.things or ()}
    # A record knows tiles by their numbers; the game that was played again knows what can be seen on them.
    seen = names_of({"things": [one for one in things.values() if "name" in one], "seats": ()})
    names = Names({**names.cards, **seen.cards}, names.seats, seen.owners)
    curves = chart([moment.points for moment in report.moments], [moment.time_s for moment in report.moments])
    hyphenated = current_app.jinja_env.filters["hyphenated"]
    faces = {card: _face(report.game, card, names) for card, _ in report.cards}
    words = ReportWords(report, names, told, context().translator, g.language)
    said = {moment.number: words.moment(moment) for moment in report.moments}
    return render_template(
        "_report.html",
        t=translations(g.language),
        profile_name=profile_name,
        language=g.language,
        me=current_user(),
        roles=Role,
        stored=stored,
        report=report,
        silent=services().archive.is_silent(match_id),
        names=names,
        chart=curves,
        began=_began(stored.get("began")),
        cards=[
            {
                **things.get(card, {}),
                **{"id": card, "family": family, "face": faces[card]},
                "name": hyphenated(names.card(card, g.language), g.language),
                **report.places.get(card, {}),
            }
            for card, family in report.cards
        ],
        faces=faces,
        moments=[_moment_json(moment, report, said[moment.number]) for moment in report.moments],
        said=said,
        jumps=dict(report.jumps()),
        leads=report.leads(),
        title=words.turning_point(),
        lasted=_clock(report.moments[-1].time_s, report) if report.moments else "",
        own=words.own,
        why=words.why,
        act=words.act,
        once=cache,
        **_figures_and_pictures(retold.statistics, report),
        running=match_context(services().match).id == match_id,
    )


@library.get("/players/<path:name>")
@role(Role.SPECTATOR)
@in_turn
def player(name: str) -> Response:
    """A player's finished matches: points, wins, opponents."""
    history = player_history(services().archive.matches(current_user()), name)
    if history is None:
        raise Problem(404, context().translator.word("players.none", g.language, who=name))
    scored = [(one.points, one.won) for one in history.matches if one.points is not None]
    return page("player.html", player=history, bars=bars(scored), began=_began, number=_number)


@library.get("/matches/<match_id>/moves.csv")
@role(Role.SPECTATOR)
@in_turn
def moves_table(match_id: str) -> Response:
    """A match as CSV, one line for each entry; while points hang on a question, the heads of their columns ask too."""
    user, archive = current_user(), services().archive
    stored = archive.match(user, match_id)
    asked = stored is not None and bool(stored.get("asked"))
    table = archive.kept(user, match_id, f"moves {g.language}", lambda: _moves(match_id, "?" if asked else "").encode())
    if table is None:
        raise Problem(404, context().translator.word("matches.none", g.language))
    response = Response(table, content_type="text/csv; charset=utf-8")
    name = f"{match_id}-provisional.csv" if asked else f"{match_id}.csv"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _moves(match_id: str, doubt: str) -> str:
    report, names = read_report(services().archive.record(current_user(), match_id) or ())
    written = io.StringIO()
    table = csv.writer(written)
    heads = ["number", "time_s", "seat", "player", "do", "card", "name", "points", "objections"]
    table.writerow([_cell(head) for head in (*heads, *(name + doubt for name in report.names))])
    for moment in report.moments:
        who = names.seat(moment.seat) if moment.seat else ""
        card = names.card(moment.card, g.language) if moment.card else ""
        broken = " ".join(rule for rule, _ in moment.fault.objections) if moment.fault else ""
        gained = moment.came.points if moment.came else ""
        own = (moment.number, moment.time_s, moment.seat, who, moment.do, moment.card, card, gained, broken)
        table.writerow([_cell(value) for value in (*own, *moment.points)])
    return "\ufeff" + written.getvalue()


def _cell(value: object) -> str:
    """A cell; text that a spreadsheet would take for a formula is marked as text."""
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


FIGURES = (
    *("placements", "refusals", "overruled", "false_alarms", "questions", "unexplained"),
    *("corrections", "corrections_per_100", "waited_s"),
)
"""The statistics of a report, in this order."""


def _figures_and_pictures(statistics: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Statistics of the refereeing, and the stored pictures by entry; those without a fault are listed separately."""
    pictures = {int(number): count for number, count in statistics.get("pictures", {}).items()}
    faults = {fault.number for fault in report.faults}
    others = [one for one in report.noted if one.number in pictures and one.number not in faults]
    figures = [(key, statistics[key]) for key in FIGURES if statistics.get(key) is not None]
    cuts = {int(number): _cut(mark) for number, mark in statistics.get("marks", {}).items()}
    return {"figures": figures, "number": _number, "pictures": pictures, "others": others, "cuts": cuts}


def _cut(mark: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a picture around its card: twice as wide and high, and inside the picture. All in pixels."""
    width, height = mark["size"]
    xs, ys = [x for x, _ in mark["card"]], [y for _, y in mark["card"]]
    side = min(2 * max(max(xs) - min(xs), max(ys) - min(ys), 40), width, height)
    wide = min(side * 3 / 2, width)
    left = min(max((min(xs) + max(xs) - wide) / 2, 0), width - wide)
    top = min(max((min(ys) + max(ys) - side) / 2, 0), height - side)
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in mark["card"])
    box = f"{left:.0f} {top:.0f} {wide:.0f} {side:.0f}"
    return {"picture": mark["picture"], "width": width, "height": height, "box": box, "points": points}


def _face(game: str, card: str, names: Names) -> str | None:
    return pages_of(game).face_of({"name": {language: names.card(card, language) for language in LANGUAGES}})


def _number(value: float | None) -> str:
    """A number in the reader's notation; a dash for ``None``."""
    return "–" if value is None else str(format_decimal(value, locale=g.language))


def _moment_json(moment: Moment, report: Report, said: str) -> dict[str, Any]:
    fault = moment.fault
    lacks = [card for _, cards in fault.objections for card in cards] if fault else []
    return {
        "number": moment.number,
        "text": said,
        "scores": list(moment.points),
        "seat": moment.came.seat if moment.came else moment.seat,
        "gain": moment.came.points if moment.came else 0,
        "time": _clock(moment.time_s, report),
        "came": moment.came.card if moment.came else None,
        "went": moment.went,
        "refused": fault.card if fault and not fault.stood else None,
        "lacks": lacks,
        "fault": fault is not None,
    }


def _clock(time_s: float | None, report: Report) -> str:
    """Minutes and seconds of play; empty where times are unknown."""
    first = next((moment.time_s for moment in report.moments if moment.time_s is not None), None)
    if time_s is None or first is None:
        return ""
    minutes, seconds = divmod(int(time_s - first), 60)
    return f"{minutes}:{seconds:02}"


def _began(when: object) -> str:
    """The time when a match began, in the reader's language; text that is no time is returned as it is."""
    try:
        at = datetime.fromtimestamp(when) if isinstance(when, (int, float)) else datetime.fromisoformat(str(when))
    except (ValueError, OverflowError, OSError):
        return str(when or "")
    return format_datetime(at, "d MMMM y, HH:mm", locale=g.language)
