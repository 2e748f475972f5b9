"""Questions that stand open on the phones: what is asked, and what each answer stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from companion.games.protocol import Move
from companion.history.events import Origin
from companion.public.table import Change, Seat
from companion.public.text import Text
from companion.public.updates import AnswerOption, Question
from companion.referee.commands import Allow, Claim, Command, MakeMove, TellTurn, Undo

MOST_ANSWERS = 3


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One open question.

    Attributes:
        question: As the phones show it.
        meanings: For each answer, the commands that giving it stands for.
        change: The difference that it is about; with it the question falls away. ``None`` = about none.
        until: The entry with which it falls away, whatever that is; ``None`` = only with the difference.
    """

    question: Question
    meanings: tuple[tuple[Command, ...], ...]
    change: Change | None
    until: int | None = None

    @property
    def proposals(self) -> tuple[tuple[Move, ...], ...]:
        """For each answer that proposes moves and nothing else, those moves."""
        proposed = [tuple(one.move for one in meaning if isinstance(one, MakeMove)) for meaning in self.meanings]
        whole = zip(proposed, self.meanings, strict=True)
        return tuple(moves for moves, meaning in whole if moves and len(moves) == len(meaning))


@dataclass
class Questions:
    """All open questions, by number; numbers are not used again."""

    open: dict[int, OpenQuestion] = field(default_factory=dict)
    _last: int = 0

    def ask(
        self,
        text: Text,
        answers: Sequence[tuple[AnswerOption, tuple[Command, ...]]],
        change: Change | None,
        until: int | None = None,
    ) -> None:
        """Open a question."""
        self._last += 1
        answers = answers[:MOST_ANSWERS]
        question = Question(self._last, text, tuple(answer for answer, _ in answers))
        self.open[self._last] = OpenQuestion(question, tuple(meaning for _, meaning in answers), change, until)

    def ask_whose_turn(self, mend: Sequence[Move], change: Change | None) -> Text:
        """Ask whether only an end of turn was forgotten; answers with the question."""
        question = Text("referee.whose_turn", {"seat": mend[-1].by})
        moves = tuple(MakeMove(move, Origin.PHONE) for move in mend)
        self.ask(question, [(AnswerOption(Text("referee.yes")), moves)], change)
        return question

    def ask_whose_card(self, claim: Claim, move: Move, until: int) -> Text:
        """Ask whether the last card was this seat's, which says that its turn is over; answers with the question."""
        question = Text("referee.whose_card", {"seat": move.by})
        meaning = claim, MakeMove(move, Origin.PHONE)
        self.ask(question, [(AnswerOption(Text("referee.yes")), meaning)], None, until)
        return question

    def ask_unread(self, move: Move, place: Text, number: int) -> Text:
        """Ask about a move that lacks what may lie where nobody can read it; answers with the question.

        Args:
            place: Where that is, in words.
            number: The entry that the move is about to become.
        """
        question = Text("referee.unread_first", {"seat": move.by, "place": place})
        meaning = (Allow(number, origin=Origin.PHONE),)
        self.ask(question, [(AnswerOption(Text("referee.go_on")), meaning)], None, number + 1)
        return question

    def ask_turn(self, seats: Sequence[Seat], seconds: int) -> int:
        """Ask whose turn it is, after so many seconds out of sight; answers with the question's number."""
        text = Text("referee.missed_turn", {"seconds": seconds})
        answers = [
            (AnswerOption(Text("referee.its_turn", {"seat": seat})), (TellTurn(seat),)) for seat in seats[:MOST_ANSWERS]
        ]
        self.ask(text, answers, None)
        return self._last

    def ask_unseen(self, move: Move, change: Change, number: int) -> Text:
        """Ask about a card that came while the table was out of sight and that may not lie there as far as the log
        knows; answers with the question.

        Args:
            number: The entry that the move is about to become.
        """
        question = Text("referee.unseen_card", {"seat": move.by, "card": change.card})
        self.ask(question, [(AnswerOption(Text("referee.it_counts")), (Allow(number),))], change)
        return question

    def ask_unseen_word(self, move: Move, number: int) -> Text:
        """Ask about a word that may not be said as far as the log knows, while nobody has told whose turn it is;
        answers with the question.

        Args:
            number: The entry that the move is about to become.
        """
        question = Text("referee.unseen_word", {"seat": move.by})
        self.ask(question, [(AnswerOption(Text("referee.it_counts")), (Allow(number),))], None, number + 1)
        return question

    def ask_over_too(self, ends: Move, until: int) -> Text:
        """Ask whether the turn after the one that just ended is over as well; answers with the question."""
        question = Text("referee.over_too", {"seat": ends.by})
        self.ask(question, [(AnswerOption(Text("referee.yes")), (MakeMove(ends, Origin.PHONE),))], None, until)
        return question

    def announce_passed_turn(
        self,
        moves: Sequence[Move],
        change: Change | None,
        first: int,
        goes_on: bool = True,
        taken_back: int | None = None,
    ) -> tuple[Text, ...]:
        """Say that turns are over, in entries from ``first`` on, and let each end be refuted until the next act: it is
        undone with all that follows from it.

        Args:
            moves: What is carried out: ends of turns, and what showed them.
            change: What showed them on the table.
            first: The number of the first entry.
            goes_on: It is somebody's turn then.
            taken_back: The act that is undone as well; ``None`` = none.
        """
        stop = first + len(moves)
        text = Text("referee.passed_on", {"seat": moves[-1].by}) if goes_on else Text("referee.all_over")
        end = next((move.do for move in moves if move.subject is None), moves[0].do)
        answers = []
        for number, move in ((at, move) for at, move in enumerate(moves, first) if move.do == end):
            undone = (*range(stop - 1, number - 1, -1), *([] if taken_back is None else [taken_back]))
            still_mine = AnswerOption(Text("referee.still_mine", {"seat": move.by}))
            answers.append((still_mine, tuple(Undo(one, origin=Origin.PHONE) for one in undone)))
        for few in range(0, len(answers), MOST_ANSWERS):
            self.ask(text, answers[few : few + MOST_ANSWERS], change, until=stop)
        return (text,)

    def drop(self, change: Change) -> None:
        """Nothing is left to ask about this difference."""
        self.open = {number: question for number, question in self.open.items() if question.change != change}

    def close(self, number: int) -> None:
        """This question was answered."""
        self.open.pop(number, None)

    def expire(self, number: int) -> None:
        """The log has reached this entry; questions that stood until then are closed."""
        self.open = {n: opened for n, opened in self.open.items() if opened.until is None or opened.until > number}

    def for_phones(self) -> tuple[Question, ...]:
        """Of questions that ask the same, the oldest."""
        different: list[Question] = []
        for question in (opened.question for opened in self.open.values()):
            if not any((question.text, question.answers) == (other.text, other.answers) for other in different):
                different.append(question)
        return tuple(different)


_PARAMETER_NAMES = {"by": "seat", "stands_for": "card", "holder": "other"}


def move_parameters(move: Move) -> dict[str, Any]:
    """A move's fields as parameters of a text: who did it is ``seat``, whom it was done to ``other``."""
    values = {f.name: getattr(move, f.name) for f in fields(move)}  # type: ignore[arg-type]  # moves are dataclasses
    parameters = {_PARAMETER_NAMES.get(name, name): value for name, value in values.items()}
    if isinstance(parameters.get("source"), int):
        parameters["other"] = parameters.pop("source")
    return parameters
