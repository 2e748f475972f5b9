"""Whoever waits is told what is done and how far it is."""

from __future__ import annotations

import io
import threading

import pytest

from companion.cli.output import print_line
from companion.cli.progress import ProgressLine


class Stream(io.StringIO):
    """A stream that says when something was written to it."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal
        self.told = threading.Event()

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        written = super().write(text)
        self.told.set()
        return written


def test_what_is_done_at_once_says_nothing() -> None:
    stream = Stream(terminal=True)
    with ProgressLine("Refereeing picture", 900, stream=stream) as told:
        told.at(900)
    assert stream.getvalue() == ""


def test_what_takes_longer_says_how_far_it_is_and_the_answer_is_written_over_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = Stream(terminal=True)
    with ProgressLine("Refereeing picture", 900, stream=stream, after_s=0.0) as told:
        told.at(12)
        assert stream.told.wait(30)
        print_line("an answer")
    told_now, *erased = stream.getvalue().split("\r")
    assert told_now in ("Refereeing picture (0 s)", "Refereeing picture 12 of 900 (0 s)")
    assert erased[0].strip() == ""
    assert stream.getvalue().endswith("\r")
    assert capsys.readouterr().out == "an answer\n"


def test_a_log_gets_whole_lines_and_a_number_of_steps_that_nobody_knows_is_not_made_up() -> None:
    stream = Stream(terminal=False)
    with ProgressLine("Packing", stream=stream, after_s=0.0) as told:
        assert stream.told.wait(30)
        told.at(7)
        assert told.line().startswith("Packing 7 (")
    assert stream.getvalue() == "Packing (0 s)\n"


def test_a_terminal_that_goes_away_ends_nothing() -> None:
    stream = Stream(terminal=True)
    with ProgressLine("Packing", stream=stream, after_s=0.0):
        assert stream.told.wait(30)
        stream.close()
