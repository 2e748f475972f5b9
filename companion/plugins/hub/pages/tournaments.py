"""Tournaments: pairings, results, standings, and slips to print."""

from __future__ import annotations

import csv
import io
import json

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.plugins.hub.pages.forms import entries_of, whole
from companion.plugins.hub.pages.page import hub, page
from companion.plugins.hub.results import OfferedResult, offered_result
from companion.plugins.hub.tournament import Tournament, parts, standings
from companion.public.text import Text
from web.middleware.problems import Problem

tournament_pages = Blueprint("tournaments", __name__, url_prefix="/tournaments")


@tournament_pages.post("")
def begin() -> Answer:
    form = request.form
    number = hub().store.open(form.get("name", ""), whole(form, "smallest"), whole(form, "largest"))
    return redirect(url_for("tournaments.tournament", number=number), 303)


@tournament_pages.get("/<int:number>")
def tournament(number: int) -> Response:
    """Rounds and standings, and the organiser's next actions."""
    now = _tournament(number)
    return page("tournament.html", number=number, tournament=now, places=standings(now), offered=_offered(now))


@tournament_pages.post("/<int:number>")
def happened(number: int) -> Answer:
    """An entry by the organiser."""
    form = request.form
    for entry in entries_of(form, _tournament(number)):
        # Several names may be entered at once; every other entry must refer to the state that the page showed.
        hub().store.write(number, entry, None if entry["do"] == "enter" else whole(form, "after"))
    return redirect(url_for("tournaments.tournament", number=number), 303)


@tournament_pages.get("/<int:number>/slips")
def slips(number: int) -> Response:
    """The newest round's pairings and result slips."""
    return page("slips.html", number=number, tournament=_tournament(number))


@tournament_pages.get("/<int:number>/players/<int:player>")
def explained(number: int, player: int) -> Response:
    """The parts of a player's total."""
    now = _tournament(number)
    who = now.player(player)
    place = next(row for row in standings(now) if row.player == who)
    return page("player.html", number=number, tournament=now, who=who, place=place, parts=parts(now, player))


@tournament_pages.get("/<int:number>/standings.csv")
def as_csv(number: int) -> Response:
    """The standings for a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(("place", "name", "total", "opposition", "part"))
    for row in standings(_tournament(number)):
        # A name that a spreadsheet would take for a formula is written as text.
        name = f"'{row.player.name}" if row.player.name[0] in "=+-@" else row.player.name
        rows.writerow((row.place, name, *(f"{float(one):.4f}" for one in (row.total, row.opposition, row.part))))
    return Response(out.getvalue(), content_type="text/csv; charset=utf-8")


@tournament_pages.get("/<int:number>/entries.json")
def as_json(number: int) -> Response:
    """All entries, in order."""
    _tournament(number)
    entries = [{"number": one.number, "at": one.at, **one.what} for one in hub().store.entries(number)]
    return Response(json.dumps(entries, ensure_ascii=False), content_type="application/json")


def _tournament(number: int) -> Tournament:
    try:
        return hub().store.tournament(number)
    except KeyError:
        raise Problem(404, Text("hub.nothing")) from None


def _offered(now: Tournament) -> dict[int, OfferedResult]:
    """Results that the organiser only has to confirm, by table of the newest round."""
    store, live = hub().store, hub().tables.all()
    finished, names = store.finished(), {one.id: one.name for one in store.connected()}
    offered = {}
    for table in now.rounds[-1].open_tables if now.rounds else ():
        players = [now.player(number).name for number in now.rounds[-1].tables[table - 1]]
        if (result := offered_result(players, finished, names, live)) is not None:
            offered[table] = result
    return offered
