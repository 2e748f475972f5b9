"""The referee's texts: keys and parameters for the reader's catalog."""

from __future__ import annotations

from companion.games.carcassonne import moves as act
from companion.games.carcassonne.rules.laying import disagreeing, first_place
from companion.games.carcassonne.rules.turns import clockwise
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, ground, to_remove
from companion.games.carcassonne.tiles import SIDES, LaidTile, beside, opposite
from companion.games.protocol import Effect, Move, Objection
from companion.public.text import Text


def reason(setup: MatchSetup, public: Progress, move: Move, objection: Objection) -> Text:
    """The text of an objection, with what to do about it."""
    rule = objection.rule
    params: dict[str, object] = {
        "rule": rule, "seat": move.by, "cards": list(objection.cards), "n": len(objection.cards),
    }  # fmt: skip
    card = getattr(move, "card", None)
    if card is not None:
        params["card"] = card
    match rule, move:
        case "turn", act.ScoreFollower() if move.by == setup.following(public.turn, public.away):
            rule = "turn.tile_first"
        case "turn", act.ScoreFollower():
            rule, params["other"] = "turn.lifted", public.turn
        case "turn", _:
            at_turn = public.turn == move.by and bool(clockwise(setup, public, move.by))
            params["seat"] = setup.following(public.turn, public.away) if at_turn else public.turn
        case "own", act.DeployFollower() | act.ScoreFollower():
            params["seat"] = setup.owners.get(move.card, move.by)
        case "tile", _:
            rule = "tile" if objection.cards else "tile.none"
            params["card"] = objection.cards[0] if objection.cards else card
        case "remove", _:
            params["n"] = to_remove(setup, public)
        case "edge", act.LayTile():
            params["sides"] = list(_sides(setup, public, move))
        case "placeable", act.DiscardTile():
            there = ground(setup, public)
            cell = first_place(there, setup.deck.tiles[move.card])
            params["place"] = "" if cell is None else f"{cell.column},{cell.row}"
            around = () if cell is None else (beside((cell.column, cell.row), side) for side in range(len(SIDES)))
            params["cards"] = [there.at[place].tile.id for place in around if place in there.at]
        case "not-offered", _ if not move.by:
            rule = "not-offered.table"
        case "not-there", _:
            rule = f"not-there.{_absence(public, move)}"
        case _:
            pass
    return Text(f"carcassonne.objection.{rule}", params)


def _sides(setup: MatchSetup, public: Progress, move: act.LayTile) -> tuple[Text, ...]:
    """Each side of a tile that disagrees, with both terrains, the tile's own first."""
    there = ground(setup, public)
    tile = LaidTile(setup.deck.tiles[move.card], (move.x, move.y), move.turn)
    return tuple(
        Text(
            "carcassonne.against",
            {
                "side": Text(f"carcassonne.side.{SIDES[side].lower()}"),
                "mine": Text(f"carcassonne.terrain.{tile.terrain(side)}"),
                "theirs": Text(f"carcassonne.terrain.{there.at[beside(tile.place, side)].terrain(opposite(side))}"),
            },
        )
        for side in disagreeing(there, tile)
    )


def _absence(public: Progress, move: Move) -> str:
    """Why something cannot be where a move says."""
    match move:
        case act.DeployFollower():
            return "segment"
        case act.ScoreFollower():
            return "counter"
        case _:
            pass
    card = move.subject
    if card in public.laid:
        return "laid"
    if card in (*public.removed, *public.discarded):
        return "out"
    return "occupied" if isinstance(move, act.LayTile) else "unknown"


def caption(setup: MatchSetup, public: Progress, move: Move, step: Effect[Progress]) -> tuple[Text, ...]:
    """The public text of a move, with the reasons for its points; the end of the match first."""
    texts = [_act(setup, move, step)]
    if step.state.over and not public.over:
        many = "many" if len(step.state.winners) > 1 else "one"
        texts.insert(0, Text(f"carcassonne.caption.wins.{many}", {"seats": list(step.state.winners)}))
    return (*texts, *step.score_reasons)


def _act(setup: MatchSetup, move: Move, step: Effect[Progress]) -> Text:
    params: dict[str, object] = {"seat": move.by}
    if move.subject is not None:
        params["card"] = move.subject
    if isinstance(move, act.DeployFollower):
        terrain = setup.deck.tiles[move.tile].terrain(move.segment)
        return Text(f"carcassonne.caption.deploy.{terrain}", {**params, "link": move.tile})
    if isinstance(move, act.ScoreFollower):
        points = int(str(step.score_reasons[0].params["points"]))
        return Text("carcassonne.caption.score", {**params, "n": points})
    return Text(f"carcassonne.caption.{move.do}", params)
