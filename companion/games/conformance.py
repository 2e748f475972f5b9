"""What every game must keep to, as checks of a game that is installed: ``companion game check NAME``."""

from __future__ import annotations

import copy
import json
import math
import random
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, ImpossibleMove
from companion.games.game_module import GameModule
from companion.games.move_words import move_parameters
from companion.games.protocol import Effect, Game, Move, MoveContext
from companion.games.registry import demo_deck, demo_match
from companion.public.codes import ALPHABET, CAPACITY, sticker_text
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.table import (
    COMMAND_CARDS,
    COMMAND_ZONE,
    SEAT_TAGS,
    CardId,
    Change,
    Placement,
    Seat,
    TableState,
    Token,
    changes,
)
from companion.public.text import JSON, Text

MOVES = 60
"""The length of a story, in moves; a game that is over sooner ends it."""
FEWEST = 10
"""A story that ends before has shown nothing."""


class NotConforming(CompanionError, AssertionError):
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


class GameUnderTest:
    """A game that is tested, with the story of a random match.

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
        self._given = player

    def opened(self) -> Game[Any, Any]:
        return self.module.open_match(self.header["match"], self.header["deck"])

    def carry_out(self, state: Any, move: Move, at: MoveContext) -> Effect[Any]:
        return self.game.hidden.apply(state, move, at, self.game.rules.apply(state, move, at))

    @cached_property
    def story(self) -> tuple[StoryMove, ...]:
        return tuple(self._told(random.Random(1)))

    def offered(self) -> frozenset[str]:
        """The moves that are offered on phones in the story, by name; none where the game raises something."""
        board, hidden = self.game.board, self.game.hidden
        try:
            states = [(hidden.public(step.before), step.at) for step in self.story]
            return frozenset(offer.do for public, at in states for offer in board.offers(public, at))
        except Exception:  # noqa: BLE001  # what it raises is told by the checks
            return frozenset()

    def _told(self, dice: random.Random) -> Iterator[StoryMove]:
        state = self.game.rules.start
        own = self.module.demonstration.random_player(self.game)
        for number in range(1, MOVES):
            at, public = MoveContext(number), self.game.public(state)
            proposed = own(public, dice, at) if self._given is None else self._given(self.game, public, dice)
            lawful = [move for move in proposed if not self.game.rules.judge(public, move, at)]
            if not lawful:
                return
            move = dice.choice(lawful)
            step = StoryMove(number, state, move, self.carry_out(state, move, at))
            yield step
            state = step.effect.state


def require(kept: object, why: object = "") -> None:
    """
    Raises:
        NotConforming: It is not.
    """
    if not kept:
        raise NotConforming(str(why))


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


def a_game_is_a_frozen_value_and_starts_the_same_each_time(tested: GameUnderTest) -> None:
    again = tested.opened()
    require(tested.game == again, "opened twice, it is not the same value")
    require(tested.game.rules.start == again.rules.start, "it starts otherwise the second time")


def a_match_goes_on_for_some_moves(tested: GameUnderTest) -> None:
    require(len(tested.story) >= FEWEST, f"after {len(tested.story)} moves the random player knows no lawful one")


def judging_and_carrying_out_change_nothing_and_answer_the_same_again(tested: GameUnderTest) -> None:
    rules = tested.game.rules
    for step in tested.story:
        kept, public = copy.deepcopy(step.before), tested.game.public(step.before)
        judged = [rules.judge(public, step.move, step.at) for _ in range(2)]
        require(judged[0] == judged[1], f"{step.move} is judged otherwise the second time")
        effects = [rules.apply(step.before, step.move, step.at) for _ in range(2)]
        require(effects[0] == effects[1], f"{step.move} comes out otherwise the second time")
        require(step.before == kept, f"{step.move} changed the state that it was given")


def a_match_can_be_told_again_from_its_moves_alone(tested: GameUnderTest) -> None:
    state = tested.game.rules.start
    for step in tested.story:
        require(state == step.before, f"before {step.move} the state is another one")
        state = tested.carry_out(state, step.move, step.at).state


def every_move_is_written_and_read_back_unchanged(tested: GameUnderTest) -> None:
    for step in tested.story:
        kind = tested.game.rules.moves.get(step.move.do)
        require(kind is type(step.move), f"{step.move} is not among the moves of the rules")
        document = json.loads(json.dumps(written(step.move)))
        back = read(type(step.move), document)
        require(back == step.move, f"{step.move} is read back from {document} as another one")


def every_kind_of_move_names_itself_and_its_seat_first(tested: GameUnderTest) -> None:
    for name, kind in tested.game.rules.moves.items():
        require(kind.do == name, f"the move {name} calls itself {kind.do}")
        first = fields(kind)[0]  # type: ignore[arg-type]
        is_seat = first.name == "by" and first.default is MISSING
        require(is_seat, f"the first field of {name} is {first.name}, not its seat")


def what_a_move_does_not_say_is_no_or_nothing(tested: GameUnderTest) -> None:
    """A record leaves out what is false; a key that it lacks must not turn into a yes."""
    for kind in tested.game.rules.moves.values():
        for field in fields(kind):  # type: ignore[arg-type]
            nothing = field.default is False or field.default is None or field.default in (MISSING, ())
            require(nothing, f"{kind.do}.{field.name} is {field.default!r} where a record is silent")


def what_a_lawful_move_changes_on_the_table_can_be_read_back(tested: GameUnderTest) -> None:
    table = tested.game.table
    for step in tested.story:
        public = tested.game.public(step.before)
        after = table.expected(tested.game.public(step.effect.state))
        appeared = [one for one in changes(table.expected(public), after.cards) if one.went_to is not None]
        meant = [move for change in appeared for move in table.interpretations(public, change)]
        spoken = {offer.do for offer in tested.game.board.offers(public, MoveContext(0))}
        told = not appeared or step.move in meant or step.effect.extras or step.move.do in spoken
        # A deal is no change: ``deal`` reads it from all that lies there.
        require(told or step.move.is_deal, f"{step.move} is not among what {appeared} may mean: {meant}")


def its_zones_lie_on_its_table_and_one_is_for_command_cards(tested: GameUnderTest) -> None:
    layout = tested.game.table.layout
    names = [str(zone.name) for zone in layout.zones]
    require(COMMAND_ZONE in names, f"there is no zone {COMMAND_ZONE} among {names}")
    width, height = layout.size_mm or (math.inf, math.inf)
    for zone in layout.zones:
        beyond = [(x, y) for x, y in zone.polygon_mm if not (0 <= x <= width and 0 <= y <= height)]
        require(not beyond, f"the zone {zone.name} has corners {beyond} beyond the table of {width} x {height} mm")


def what_should_lie_there_are_things_of_the_game(tested: GameUnderTest) -> None:
    things = set(tested.game.table.cards.values())
    for step in tested.story:
        expected = tested.game.table.expected(tested.game.public(step.effect.state))
        require(set(expected.cards) <= things, f"{set(expected.cards) - things} is no thing of the game")
        require(expected.may_be_hidden <= set(expected.cards), "what may be hidden should not even lie there")


def a_table_drawn_from_what_should_lie_there_is_seen_so(tested: GameUnderTest) -> None:
    game = tested.game
    places = tested.module.people(game, tested.header, game.table.layout, 0).places
    tokens = {card: token for token, card in game.table.cards.items()}
    for step in tested.story:
        public = game.public(step.effect.state)
        kept: dict[Token, Any] = {}
        for card, place in game.table.expected(public).cards.items():
            kept[tokens[card]] = (place, places.pose(tokens[card], place, kept, None))
        seen = {
            Placement(token, game.table.layout.zone_at(pose.x_mm, pose.y_mm), pose.x_mm, pose.y_mm, pose.rotation_deg)
            for token, (_, pose) in kept.items()
        }
        found = changes(game.table.expected(public), game.table.lying(public, TableState(frozenset(seen))))
        require(found == (), f"after {step.move}: {found}")


def a_table_that_is_adopted_as_it_should_be_stays_as_it_is(tested: GameUnderTest) -> None:
    table = tested.game.table
    for step in tested.story:
        state = step.effect.state
        should = table.expected(tested.game.public(state))
        adopted = tested.game.public(tested.game.rules.adopt(state, should.cards, step.at))
        found = changes(should, table.expected(adopted).cards)
        require(found == (), f"after {step.move}, adopt changes a table that is as it should be: {found}")


def there_are_winners_only_when_the_match_is_over(tested: GameUnderTest) -> None:
    for step in tested.story:
        standing = tested.game.board.standing(tested.game.public(step.effect.state))
        require(
            standing.over or not standing.winners, f"after {step.move} {standing.winners} have won, yet it is not over"
        )


def points_of_a_move_are_those_that_the_scoreboard_gives_its_seat(tested: GameUnderTest) -> None:
    """Other seats may win or lose points by it too; what is counted at the end is nobody's move."""
    for step in tested.story:
        before, after = (
            tested.game.board.standing(tested.game.public(state)) for state in (step.before, step.effect.state)
        )
        if step.move.is_deal or not step.move.by or after.over:
            continue
        given = after.points[step.move.by - 1] - before.points[step.move.by - 1]
        require(
            given == step.effect.points,
            f"{step.move} brings seat {step.move.by} {step.effect.points}, and on the scoreboard {given}",
        )


def everything_offered_is_lawful_and_can_be_carried_out(tested: GameUnderTest) -> None:
    for step in tested.story[:15]:
        public = tested.game.public(step.before)
        for offer in tested.game.board.offers(public, step.at):
            chosen = {key: values[0] for key, values in offer.choices.items()}
            move = read(tested.game.rules.moves[offer.do], {"do": offer.do, "by": offer.by, **chosen})
            objections = tested.game.rules.judge(public, move, step.at)
            require(objections == (), f"{move} is offered, and objected to: {objections}")
            tested.game.rules.apply(step.before, move, step.at)


def what_pages_get_is_json(tested: GameUnderTest) -> None:
    for step in tested.story[:15]:
        for seat in (None, Seat(1)):
            view = tested.game.board.view(step.effect.state, seat)
            require(json.loads(json.dumps(view)).keys() == view.keys(), "JSON has other keys than the view")
        for text in tested.game.words.caption(tested.game.public(step.before), step.move, step.effect):
            json.dumps(dict(text.params), default=lambda within: dict(within.params))  # words within words


def a_seat_that_there_is_not_cannot_move(tested: GameUnderTest) -> None:
    step = next(step for step in tested.story if step.move.by)
    move: Any = step.move
    stranger: Move = replace(move, by=Seat(99))
    require(
        tested.game.rules.judge(tested.game.public(step.before), stranger, step.at), "nothing is objected to seat 99"
    )
    try:
        tested.game.rules.apply(step.before, stranger, step.at)
    except ImpossibleMove:
        return
    raise NotConforming("seat 99 moved: apply must raise ImpossibleMove")


def silent_games_say_nothing_before_they_are_sealed(tested: GameUnderTest) -> None:
    for step in tested.story:
        effect = tested.game.rules.apply(step.before, step.move, step.at)
        require(effect.objections == (), f"{step.move} tells its objections")


def its_deck_has_a_sticker_for_everything(tested: GameUnderTest) -> None:
    module, deck = tested.module, demo_deck(tested.module)
    faults, _ = module.decks.check(deck)
    require(not faults, "; ".join(one.what for one in faults))
    two = len(module.letters) == 2 and set(module.letters) <= set(ALPHABET)
    require(two, f"the letters of its stickers are {module.letters!r}: two capital letters or digits")
    stickers = module.decks.stickers(deck)
    labels = {label.token for label in (*stickers.cards, *stickers.others)}
    game, laid = tested.game, {card: token for token, card in tested.game.table.cards.items()}
    lay = {card for step in tested.story for card in game.table.expected(game.public(step.effect.state)).cards}
    unprinted = {laid[card] for card in lay} - labels
    require(not unprinted, f"there are no stickers for {sorted(unprinted)}")
    longest = max((sticker_text(token, module.letters) for token in labels), key=len)
    taken = labels & {*COMMAND_CARDS, *SEAT_TAGS} - {label.token for label in stickers.others}
    require(not taken, f"{sorted(taken)} are command cards or seat tags in every game: give these things other names")
    require(len(longest) <= CAPACITY, f"{longest} is too long for a sticker of {CAPACITY} characters")


def what_it_says_is_in_its_catalogs_in_every_language(tested: GameUnderTest) -> None:
    core = Path(str(resources.files("companion"))) / "locale"
    translations = Translations((core, _catalogs(tested)))
    for text in _said(tested):
        for language in LANGUAGES:
            require(text.key in translations.keys(language), f"{text.key} is not in {language}.po")
            translations.say(text, language, Names())


def its_catalogs_have_the_same_texts_in_every_language(tested: GameUnderTest) -> None:
    translations = Translations((_catalogs(tested),))
    every = {key for language in LANGUAGES for key in translations.keys(language)}
    for language in LANGUAGES:
        lacking = sorted(every - translations.keys(language))
        require(not lacking, f"{language}.po lacks {', '.join(lacking)}")


def _catalogs(tested: GameUnderTest) -> Path:
    return Path(str(resources.files(tested.module.package))) / "locale"


def _said(tested: GameUnderTest) -> Iterator[Text]:
    """What is said in a story: its moves, what is objected to them at the start, and the names of its places."""
    words, rules = tested.game.words, tested.game.rules
    start = tested.game.public(rules.start)
    if not tested.game.table.expected(start).cards:
        yield Text(f"{tested.game.name}.start.stays")
    for step in tested.story:
        public = tested.game.public(step.before)
        yield from words.caption(public, step.move, step.effect)
        for objection in rules.judge(start, step.move, step.at):
            yield words.reason(start, step.move, objection)
        for place in tested.game.table.expected(public).cards.values():
            yield words.place_name(place)
        yield from _asked(tested, step)


def _asked(tested: GameUnderTest, step: StoryMove) -> Iterator[Text]:
    """What people are asked where a change, or a command card, means more than one lawful move; and what an undo
    calls a move without a thing."""
    game, public = tested.game, tested.game.public(step.before)
    if step.move.subject is None:
        yield Text(f"{game.name}.act.{step.move.do}")
    after = game.table.expected(game.public(step.effect.state)).cards
    shown = [Change(CardId(card), None, COMMAND_ZONE) for card in COMMAND_CARDS]
    for change in (*changes(game.table.expected(public), after), *shown):
        moves = game.table.interpretations(public, change)
        if len(moves) > 1:
            if change in shown:
                yield Text(f"{game.name}.who.{moves[0].do}")
            for nth, move in enumerate(moves, 1):
                yield Text(f"{game.name}.reading.{move.do}", move_parameters(move, nth))


CHECKS: tuple[Callable[[GameUnderTest], None], ...] = (
    a_game_is_a_frozen_value_and_starts_the_same_each_time,
    a_match_goes_on_for_some_moves,
    judging_and_carrying_out_change_nothing_and_answer_the_same_again,
    a_match_can_be_told_again_from_its_moves_alone,
    every_move_is_written_and_read_back_unchanged,
    every_kind_of_move_names_itself_and_its_seat_first,
    what_a_move_does_not_say_is_no_or_nothing,
    what_a_lawful_move_changes_on_the_table_can_be_read_back,
    its_zones_lie_on_its_table_and_one_is_for_command_cards,
    what_should_lie_there_are_things_of_the_game,
    a_table_drawn_from_what_should_lie_there_is_seen_so,
    a_table_that_is_adopted_as_it_should_be_stays_as_it_is,
    there_are_winners_only_when_the_match_is_over,
    points_of_a_move_are_those_that_the_scoreboard_gives_its_seat,
    everything_offered_is_lawful_and_can_be_carried_out,
    what_pages_get_is_json,
    a_seat_that_there_is_not_cannot_move,
    silent_games_say_nothing_before_they_are_sealed,
    its_deck_has_a_sticker_for_everything,
    what_it_says_is_in_its_catalogs_in_every_language,
    its_catalogs_have_the_same_texts_in_every_language,
)


def run_checks(tested: GameUnderTest) -> Iterator[tuple[str, str | None]]:
    """Each check as a sentence, and what was found wrong.

    A bug that stops several checks is described by the first of them.
    """
    known: dict[str, str] = {}
    for check in CHECKS:
        sentence = check.__name__.replace("_", " ")
        try:
            check(tested)
        except NotConforming as wrong:
            yield sentence, str(wrong)
        except Exception as wrong:  # noqa: BLE001  # a game that is being written may raise anything
            raised = raised_in(wrong, tested.module.package)
            yield sentence, f'as under "{known[raised]}"' if raised in known else raised
            known.setdefault(raised, sentence)
        else:
            yield sentence, None


def raised_in(wrong: BaseException, package: str) -> str:
    """An exception, with the innermost line of the game's package that led to it, or of all if none did."""
    frames = traceback.extract_tb(wrong.__traceback__)
    folder = Path(str(resources.files(package)))
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    frame = (own or frames)[-1]
    return f"{type(wrong).__name__}: {wrong}, raised in {frame.filename}, line {frame.lineno}, in {frame.name}"
