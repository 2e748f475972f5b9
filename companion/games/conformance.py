"""What every game must keep to, as checks of a game that is installed: ``companion game check NAME``."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, ImpossibleMove
from companion.games.game_module import GameModule
from companion.games.protocol import Effect, Game, Move, MoveContext
from companion.games.registry import demo_deck, demo_match
from companion.public.codes import ALPHABET, CAPACITY, sticker_text
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.table import COMMAND_CARDS, SEAT_TAGS, Placement, Seat, TableState, Token, changes
from companion.public.text import JSON, Text

MOVES = 60
"""The length of a story, in moves; a game that is over sooner ends it."""
FEWEST = 10
"""A story that ends before has shown nothing."""


class Unkept(CompanionError, AssertionError):
    """A game does not keep to what every game must."""


@dataclass(frozen=True, slots=True)
class StoryMove:
    """A move of a story: the whole state before it, and what came of it."""

    number: int
    before: Any
    move: Move
    effect: Effect[Any]

    @property
    def at(self) -> MoveContext:
        return MoveContext(self.number)


class Tried:
    """A game that is tried, with the story of a random match.

    Args:
        header: The match and its deck, as JSON; ``None`` = its demonstration.
        player: Proposes moves for a public state; ``None`` = its own random player.
    """

    def __init__(
        self,
        module: GameModule,
        header: Mapping[str, JSON] | None = None,
        player: Callable[[Game[Any, Any], Any, random.Random], list[Move]] | None = None,
    ) -> None:
        self.module = module
        self.header = header or {"match": demo_match(module), "deck": demo_deck(module)}
        self.game = self.opened()
        own = module.demonstration.random_player(self.game)
        self._player = player or (lambda _game, public, dice: list(own(public, dice, MoveContext(0))))

    def opened(self) -> Game[Any, Any]:
        return self.module.open_match(self.header["match"], self.header["deck"])

    def carry_out(self, state: Any, move: Move, at: MoveContext) -> Effect[Any]:
        return self.game.hidden.apply(state, move, at, self.game.rules.apply(state, move, at))

    @cached_property
    def story(self) -> tuple[StoryMove, ...]:
        return tuple(self._told(random.Random(1)))

    def _told(self, dice: random.Random) -> Iterator[StoryMove]:
        state = self.game.rules.start
        for number in range(1, MOVES):
            at, public = MoveContext(number), self.game.public(state)
            proposed = self._player(self.game, public, dice)
            lawful = [move for move in proposed if not self.game.rules.judge(public, move, at)]
            if not lawful:
                return
            move = dice.choice(lawful)
            step = StoryMove(number, state, move, self.carry_out(state, move, at))
            yield step
            state = step.effect.state


def must(kept: object, why: object = "") -> None:
    """
    Raises:
        Unkept: It is not.
    """
    if not kept:
        raise Unkept(str(why))


def written(move: Move) -> dict[str, Any]:
    """A move as the record has it (contract, section 7)."""
    values = {"do": move.do}
    for field in fields(move):  # type: ignore[arg-type]
        value = getattr(move, field.name)
        if field.default is MISSING or value != field.default:
            values[field.metadata.get("key", field.name)] = value
    return values


def read(kind: type[Move], document: Mapping[str, Any]) -> Move:
    """The move of a record."""
    names = {field.metadata.get("key", field.name): field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{names[key]: _frozen(value) for key, value in document.items() if key != "do"})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def a_game_is_a_frozen_value_and_starts_the_same_each_time(tried: Tried) -> None:
    again = tried.opened()
    must(tried.game == again, "opened twice, it is not the same value")
    must(tried.game.rules.start == again.rules.start, "it starts otherwise the second time")


def a_match_goes_on_for_some_moves(tried: Tried) -> None:
    must(len(tried.story) >= FEWEST, f"after {len(tried.story)} moves the random player knows no lawful one")


def judging_and_carrying_out_change_nothing_and_answer_the_same_again(tried: Tried) -> None:
    rules = tried.game.rules
    for step in tried.story:
        kept, public = copy.deepcopy(step.before), tried.game.public(step.before)
        judged = [rules.judge(public, step.move, step.at) for _ in range(2)]
        must(judged[0] == judged[1], f"{step.move} is judged otherwise the second time")
        effects = [rules.apply(step.before, step.move, step.at) for _ in range(2)]
        must(effects[0] == effects[1], f"{step.move} comes out otherwise the second time")
        must(step.before == kept, f"{step.move} changed the state that it was given")


def a_match_can_be_told_again_from_its_moves_alone(tried: Tried) -> None:
    state = tried.game.rules.start
    for step in tried.story:
        must(state == step.before, f"before {step.move} the state is another one")
        state = tried.carry_out(state, step.move, step.at).state


def every_move_is_written_and_read_back_unchanged(tried: Tried) -> None:
    for step in tried.story:
        kind = tried.game.rules.moves.get(step.move.do)
        must(kind is type(step.move), f"{step.move} is not among the moves of the rules")
        document = json.loads(json.dumps(written(step.move)))
        must(read(type(step.move), document) == step.move, f"{step.move} is read back from {document} as another one")


def every_kind_of_move_names_itself_and_its_seat_first(tried: Tried) -> None:
    for name, kind in tried.game.rules.moves.items():
        must(kind.do == name, f"the move {name} calls itself {kind.do}")
        first = fields(kind)[0]  # type: ignore[arg-type]
        is_seat = first.name == "by" and first.default is MISSING
        must(is_seat, f"the first field of {name} is {first.name}, not its seat")


def what_a_move_does_not_say_is_no_or_nothing(tried: Tried) -> None:
    """A record leaves out what is false; a key that it lacks must not turn into a yes."""
    for kind in tried.game.rules.moves.values():
        for field in fields(kind):  # type: ignore[arg-type]
            nothing = field.default is False or field.default is None or field.default in (MISSING, ())
            must(nothing, f"{kind.do}.{field.name} is {field.default!r} where a record is silent")


def what_a_lawful_move_changes_on_the_table_can_be_read_back(tried: Tried) -> None:
    table = tried.game.table
    for step in tried.story:
        public = tried.game.public(step.before)
        after = table.expected(tried.game.public(step.effect.state))
        appeared = [one for one in changes(table.expected(public), after.cards) if one.went_to is not None]
        meant = [move for change in appeared for move in table.interpretations(public, change)]
        spoken = {offer.do for offer in tried.game.board.offers(public, MoveContext(0))}
        told = not appeared or step.move in meant or step.effect.extras or step.move.do in spoken
        # A deal is no change: ``deal`` reads it from all that lies there.
        must(told or step.move.is_deal, f"{step.move} is not among what {appeared} may mean: {meant}")


def what_should_lie_there_are_things_of_the_game(tried: Tried) -> None:
    things = set(tried.game.table.cards.values())
    for step in tried.story:
        expected = tried.game.table.expected(tried.game.public(step.effect.state))
        must(set(expected.cards) <= things, f"{set(expected.cards) - things} is no thing of the game")
        must(expected.may_be_hidden <= set(expected.cards), "what may be hidden should not even lie there")


def a_table_drawn_from_what_should_lie_there_is_seen_so(tried: Tried) -> None:
    game = tried.game
    places = tried.module.people(game, tried.header, game.table.layout, 0).places
    tokens = {card: token for token, card in game.table.cards.items()}
    for step in tried.story:
        public = game.public(step.effect.state)
        kept: dict[Token, Any] = {}
        for card, place in game.table.expected(public).cards.items():
            kept[tokens[card]] = (place, places.pose(tokens[card], place, kept, None))
        seen = {
            Placement(token, game.table.layout.zone_at(pose.x_mm, pose.y_mm), pose.x_mm, pose.y_mm, pose.rotation_deg)
            for token, (_, pose) in kept.items()
        }
        found = changes(game.table.expected(public), game.table.lying(public, TableState(frozenset(seen))))
        must(found == (), f"after {step.move}: {found}")


def points_of_the_moves_add_up_to_the_scoreboard(tried: Tried) -> None:
    sums = [0] * tried.game.seats
    for step in tried.story:
        standing = tried.game.board.standing(tried.game.public(step.effect.state))
        if step.move.is_deal:
            sums = list(standing.points)  # what everybody begins with
        elif step.move.by:
            sums[step.move.by - 1] += step.effect.points
        must(standing.over or tuple(sums) == standing.points, f"after {step.move}: {standing.points}, not {sums}")


def everything_offered_is_lawful_and_can_be_carried_out(tried: Tried) -> None:
    for step in tried.story[:15]:
        public = tried.game.public(step.before)
        for offer in tried.game.board.offers(public, step.at):
            chosen = {key: values[0] for key, values in offer.choices.items()}
            move = read(tried.game.rules.moves[offer.do], {"do": offer.do, "by": offer.by, **chosen})
            objections = tried.game.rules.judge(public, move, step.at)
            must(objections == (), f"{move} is offered, and objected to: {objections}")
            tried.game.rules.apply(step.before, move, step.at)


def what_pages_get_is_json(tried: Tried) -> None:
    for step in tried.story[:15]:
        for seat in (None, Seat(1)):
            view = tried.game.board.view(step.effect.state, seat)
            must(json.loads(json.dumps(view)).keys() == view.keys(), "JSON has other keys than the view")
        for text in tried.game.words.caption(tried.game.public(step.before), step.move, step.effect):
            json.dumps(dict(text.params), default=lambda within: dict(within.params))  # words within words


def a_seat_that_there_is_not_cannot_move(tried: Tried) -> None:
    step = next(step for step in tried.story if step.move.by)
    move: Any = step.move
    stranger: Move = replace(move, by=Seat(99))
    must(tried.game.rules.judge(tried.game.public(step.before), stranger, step.at), "nothing is objected to seat 99")
    try:
        tried.game.rules.apply(step.before, stranger, step.at)
    except ImpossibleMove:
        return
    raise Unkept("seat 99 moved: apply must raise ImpossibleMove")


def silent_games_say_nothing_before_they_are_sealed(tried: Tried) -> None:
    for step in tried.story:
        effect = tried.game.rules.apply(step.before, step.move, step.at)
        must(effect.objections == (), f"{step.move} tells its objections")


def its_deck_has_a_sticker_for_everything(tried: Tried) -> None:
    module, deck = tried.module, demo_deck(tried.module)
    faults, _ = module.decks.check(deck)
    must(not faults, "; ".join(one.what for one in faults))
    two = len(module.letters) == 2 and set(module.letters) <= set(ALPHABET)
    must(two, f"the letters of its stickers are {module.letters!r}: two capital letters or digits")
    stickers = module.decks.stickers(deck)
    labels = {label.token for label in (*stickers.cards, *stickers.others)}
    game, laid = tried.game, {card: token for token, card in tried.game.table.cards.items()}
    lay = {card for step in tried.story for card in game.table.expected(game.public(step.effect.state)).cards}
    unprinted = {laid[card] for card in lay} - labels
    must(not unprinted, f"there are no stickers for {sorted(unprinted)}")
    longest = max((sticker_text(token, module.letters) for token in labels), key=len)
    taken = labels & {*COMMAND_CARDS, *SEAT_TAGS} - {label.token for label in stickers.others}
    must(not taken, f"{sorted(taken)} are command cards or seat tags in every game: give these things other names")
    must(len(longest) <= CAPACITY, f"{longest} is too long for a sticker of {CAPACITY} characters")


def what_it_says_is_in_its_catalogs_in_every_language(tried: Tried) -> None:
    folder = Path(str(resources.files(tried.module.package))) / "locale"
    core = Path(str(resources.files("companion"))) / "locale"
    translations = Translations((core, folder))
    for text in _said(tried):
        for language in LANGUAGES:
            must(text.key in translations.keys(language), f"{text.key} is not in {language}.po")
            translations.say(text, language, Names())


def _said(tried: Tried) -> Iterator[Text]:
    """What is said in a story: its moves, what is objected to them at the start, and the names of its places."""
    words, rules = tried.game.words, tried.game.rules
    start = tried.game.public(rules.start)
    if not tried.game.table.expected(start).cards:
        yield Text(f"{tried.game.name}.start.stays")
    for step in tried.story:
        public = tried.game.public(step.before)
        yield from words.caption(public, step.move, step.effect)
        for objection in rules.judge(start, step.move, step.at):
            yield words.reason(start, step.move, objection)
        for place in tried.game.table.expected(public).cards.values():
            yield words.place_name(place)


CHECKS: tuple[Callable[[Tried], None], ...] = (
    a_game_is_a_frozen_value_and_starts_the_same_each_time,
    a_match_goes_on_for_some_moves,
    judging_and_carrying_out_change_nothing_and_answer_the_same_again,
    a_match_can_be_told_again_from_its_moves_alone,
    every_move_is_written_and_read_back_unchanged,
    every_kind_of_move_names_itself_and_its_seat_first,
    what_a_move_does_not_say_is_no_or_nothing,
    what_a_lawful_move_changes_on_the_table_can_be_read_back,
    what_should_lie_there_are_things_of_the_game,
    a_table_drawn_from_what_should_lie_there_is_seen_so,
    points_of_the_moves_add_up_to_the_scoreboard,
    everything_offered_is_lawful_and_can_be_carried_out,
    what_pages_get_is_json,
    a_seat_that_there_is_not_cannot_move,
    silent_games_say_nothing_before_they_are_sealed,
    its_deck_has_a_sticker_for_everything,
    what_it_says_is_in_its_catalogs_in_every_language,
)


def checked(tried: Tried) -> Iterator[tuple[str, str | None]]:
    """Each check as a sentence, and what was found wrong."""
    for check in CHECKS:
        sentence = check.__name__.replace("_", " ")
        try:
            check(tried)
        except Unkept as wrong:
            yield sentence, str(wrong)
        except Exception as wrong:  # noqa: BLE001  # a game that is being written may raise anything
            yield sentence, f"{type(wrong).__name__}: {wrong}"
        else:
            yield sentence, None
