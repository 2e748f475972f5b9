"""What the referee says: a key and its parameters, put into words by the reader's catalog."""

from __future__ import annotations

from companion.games.discovery import moves as act
from companion.games.discovery.rules.contest import answering
from companion.games.discovery.rules.legality import stalemate
from companion.games.discovery.rules.paragraphs import paragraph
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, Position, State, whereabouts
from companion.games.protocol import Effect, Move, Objection
from companion.public.table import CardId, Seat
from companion.public.text import Text


def reason(setup: Setup, public: Position, move: Move, objection: Objection) -> Text:
    """Words for an objection: the card's name first, then what to do about it."""
    rule = objection.rule
    params: dict[str, object] = {
        "seat": move.by,
        "other": public.turn.seat,
        "cards": list(objection.cards),
        "profile": setup.profile.name,
        "paragraph": paragraph(setup.profile, rule),
    }
    card = getattr(move, "stands_for", None) or getattr(move, "card", None) or getattr(move, "joker", None)
    if card is not None:
        params["card"] = card
        params["joker"] = getattr(move, "joker", card)
    elif rule == "not-there":
        rule = "not-there.nobody"
    if rule.startswith("must-") and public.owed:
        params["seat"] = public.owed[0].seat
    if rule == "turn" and public.turn.seat == move.by:
        rule = "turn.ended"
    return Text(f"discovery.objection.{rule}", params)


def caption(setup: Setup, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
    """Public words for a move just played, with the reasons for its points; in silent games the act alone."""
    after = step.state.position
    said = [*_act(setup, public, move, step)]
    if (after.over and not public.over) or (
        public.over and public.deciding_act and not after.deciding_act and after.over
    ):
        said.insert(0, _end(after))
    elif public.over and not after.over:
        said.insert(0, Text("discovery.caption.cancelled"))
    return tuple(said) + step.score_reasons


def _end(after: Position) -> Text:
    if not after.winners:
        return Text("discovery.caption.draw")
    many = "many" if len(after.winners) > 1 else "one"
    kind = "wins-unless" if after.deciding_act else "wins"
    return Text(f"discovery.caption.{kind}.{many}", {"seats": list(after.winners)})


def _act(setup: Setup, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
    match move:
        case act.Deal():
            return (Text("discovery.caption.deal", {"seat": public.turn.seat}),)
        case act.Place():
            return (
                Text(
                    "discovery.caption.laid" if setup.profile.silent else "discovery.caption.place",
                    _who(move, move.card),
                ),
            )
        case act.Joker(stands_for=None):
            return (Text("discovery.caption.joker-outside", {"seat": move.by}),)
        case act.Joker():
            return (Text("discovery.caption.joker", {"seat": move.by, "card": move.stands_for}),)
        case act.Call():
            failed = step.extras.get("failed")
            key = f"discovery.caption.call.{failed}" if failed else "discovery.caption.call"
            return (Text(key, _who(move, move.card)),)
        case act.Announce():
            return (Text(f"discovery.caption.announce.{move.what}", {"seat": move.by, "era": move.era}),)
        case act.Stop():
            contest = step.state.position.contest
            return (Text("discovery.caption.stop", {"seat": move.by, "other": contest.act.by if contest else move.by}),)
        case act.Verify() | act.Concede():
            return _answer(setup, public, move, step)
        case act.Flip():
            return _flipped(setup, move, step)
        case act.Steal() | act.Exchange() | act.Ask():
            return (Text(f"discovery.caption.{move.do}", {"seat": move.by, "other": move.source}),)
        case act.Discard() | act.Refill():
            return (Text(f"discovery.caption.{move.do}", _who(move, move.card)),)
        case act.Uncontested():
            return ()
        case _:
            return (Text(f"discovery.caption.{move.do}", {"seat": move.by}),)


def _who(move: Move, card: CardId) -> dict[str, object]:
    return {"seat": move.by, "card": card}


def _answer(setup: Setup, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
    contest = public.contest
    if contest is None:
        return ()
    act_card, after = contest.act.card, step.state.position
    stands = whereabouts(after, act_card) in ("tree", "called") if act_card else contest.act.credits <= after.credits
    params = {"seat": contest.act.by, "other": contest.stopper}
    if isinstance(move, act.Verify) and stands:
        return (Text("discovery.caption.proven", params),)
    said = [Text("discovery.caption.concede" if isinstance(move, act.Concede) else "discovery.caption.fault", params)]
    if (
        isinstance(move, act.Verify) and move.found is None
    ):  # who looked by hand needs nothing more, and may see no more
        faults = step.state.hidden_objections.get(contest.act.number, ())
        said += [_fault(setup, contest.act, fault) for fault in faults]
    if act_card in after.discard(contest.act.by):
        said.append(Text("discovery.caption.pull-out", {"card": act_card, "seat": contest.act.by}))
    return tuple(said)


def _fault(setup: Setup, contested: ContestableAct, fault: Objection) -> Text:
    """What verifying brought out, and no more than that (K12)."""
    params = {"seat": contested.by, "cards": list(fault.cards), "paragraph": paragraph(setup.profile, fault.rule)}
    if contested.card is not None:
        params |= {"card": contested.card, "joker": contested.card}
    return Text(f"discovery.objection.{fault.rule}", params)


def _flipped(setup: Setup, move: act.Flip, step: Effect[State]) -> tuple[Text, ...]:
    after = step.state.position
    if move.card in setup.jokers:
        key = "flip.joker"
    elif step.extras.get("held"):
        key = "flip.held"
    elif setup.profile.silent:
        key = "laid"
    elif any(laid.card == move.card for laid in after.tree):
        key = "place"
    else:
        key = "discard"
    return (Text(f"discovery.caption.{key}", _who(move, move.card)),)


def prompts(setup: Setup, public: Position) -> tuple[tuple[Seat, Text], ...]:
    """What somebody must do or answer next."""
    if public.contest:
        params = {"seat": public.contest.act.by, "other": public.contest.stopper}
        key = "verify-or-concede" if setup.profile.silent and not setup.bot(public.contest.act.by) else "verify"
        return tuple((seat, Text(f"discovery.prompt.{key}", params)) for seat in answering(setup, public))
    if public.over:
        return ()
    if public.owed:
        debt = public.owed[0]
        return ((debt.seat, Text(f"discovery.prompt.{debt.do}", {"seat": debt.seat})),)
    turn = public.turn
    if turn.called:
        return ((turn.seat, Text("discovery.prompt.place-called", {"seat": turn.seat, "card": turn.called})),)
    if setup.bot(turn.seat):
        return ((turn.seat, Text("discovery.prompt.flip", {"seat": turn.seat})),)
    if stalemate(setup, public):
        return ((turn.seat, Text("discovery.prompt.stalemate", {})),)
    if public.passes and public.passes % (len(setup.players) - len(public.away)) == 0 and not public.begun:
        return ((turn.seat, Text("discovery.prompt.all-passed", {})),)
    return ()
