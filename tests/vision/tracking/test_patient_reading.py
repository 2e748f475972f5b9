"""What was read in vain is read more thoroughly, in looks that have nothing else to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.flat_table import Arm, Camera, Laid, zones

from vision.camera.frame import Gray
from vision.codes.decoder import PATIENT, DecodeAttempt, DecodeResult, patient_attempts
from vision.geometry.tile_grid import TileGrid
from vision.tracking import search
from vision.tracking.patient_reading import MOST_LOCATED, MOST_PLACES, REFILL_S, ROUNDS, PatientReading
from vision.tracking.reading_schedule import LookBudget

pytestmark = pytest.mark.core

POOL = (Laid("C14", 860, 120), Laid("C17", 960, 120, 4), Laid("C18", 1050, 118, -3))
CARD = Laid("C12", 400, 300, 10)
SHAPE = (1296, 2304)
GRID = TileGrid((41, 72), 32.0)
NOWHERE = np.zeros(GRID.shape, np.bool_)


class Eye:
    """A camera over a table, and the attempts of each look; ``weak``: it reads nothing but by patient attempts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, rate_hz: float = 8) -> None:
        self.camera = Camera(rate_hz=rate_hz)
        self.tried: list[list[DecodeAttempt]] = []
        self.weak = False
        read = search.read_codes

        def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], **how: Any) -> DecodeResult:
            self.tried[-1] += attempts
            return DecodeResult() if self.weak and attempts[0].scale < 4 else read(gray, attempts, **how)

        monkeypatch.setattr(search, "read_codes", reads)

    def shows(self, *things: Laid | Arm, times: int = 1) -> set[str]:
        """What lies there after so many looks."""
        for _ in range(times):
            self.tried.append([])
            look = self.camera.show(*things)
        return set(zones(look))

    @property
    def patient(self) -> list[int]:
        """How many patient attempts each look made."""
        return [sum(attempt.scale == 4 for attempt in attempts) for attempts in self.tried]


def test_a_card_that_no_usual_attempt_reads_is_read_within_seconds_and_not_while_a_hand_is_there(
    monkeypatch: pytest.MonkeyPatch,
):
    eye = Eye(monkeypatch)
    eye.shows(*POOL, times=10)
    eye.weak = True
    assert "C12" not in eye.shows(*POOL, CARD, Arm(470, 420), times=10)
    assert not any(eye.patient)
    assert "C12" in eye.shows(*POOL, CARD, times=20)


def test_a_table_on_which_everything_is_read_costs_no_patient_attempt(monkeypatch: pytest.MonkeyPatch):
    eye = Eye(monkeypatch)
    eye.shows(*POOL, CARD, times=24)
    eye.shows(*POOL, times=12)
    assert not any(eye.patient)


def likely(*places: tuple[float, float]) -> Any:
    def found(spent: Any, most: int) -> list[tuple[float, float]]:
        return [place for place in places if not spent[GRID.tile_at(place)]][:most]

    return found


def read_all(patient: PatientReading) -> list[DecodeAttempt]:
    """Every attempt that waits, over as many looks as that takes."""
    made: list[DecodeAttempt] = []
    while due := list(patient.take_due(LookBudget(SHAPE[0] * SHAPE[1]))):
        made += [attempt for _, attempt in due]
    return made


def test_a_place_that_stays_unread_gets_every_attempt_in_each_of_its_rounds_and_no_more_until_something_comes():
    patient, at = PatientReading(GRID, NOWHERE), (900.0, 700.0)
    made: list[DecodeAttempt] = []
    for number in range(ROUNDS + 3):
        if patient.is_refill_due(number * REFILL_S):
            patient.refill(likely(at), NOWHERE, 2.0, SHAPE, number * REFILL_S)
        made += read_all(patient)
    assert made == ROUNDS * list(PATIENT)
    there = NOWHERE.copy()
    there[GRID.tile_at(at)] = True
    patient.forget(there)
    patient.note_rest(NOWHERE, pictures_are_rare=True)  # a hand has passed, and all looks as before
    assert not patient.is_refill_due(60.0)
    patient.forget(there)
    patient.note_rest(there, pictures_are_rare=True)
    assert patient.is_refill_due(60.0)
    patient.refill(likely(at), NOWHERE, 2.0, SHAPE, 60.0)
    assert read_all(patient) == list(PATIENT)


def test_a_round_that_a_hand_has_broken_off_does_not_count():
    patient, at = PatientReading(GRID, NOWHERE), (900.0, 700.0)
    there = NOWHERE.copy()
    there[GRID.tile_at(at)] = True
    made: list[DecodeAttempt] = []
    for number in range(ROUNDS + 2):
        patient.refill(likely(at), NOWHERE, 2.0, SHAPE, number * REFILL_S)
        if not number:
            patient.forget(there)
            patient.note_rest(NOWHERE, pictures_are_rare=True)
        made += read_all(patient)
    assert made == ROUNDS * list(PATIENT)


def test_what_is_known_to_be_the_table_or_has_been_read_is_not_read_again():
    patient, at, other = PatientReading(GRID, NOWHERE), (900.0, 700.0), (1500.0, 700.0)
    bare = NOWHERE.copy()
    bare[GRID.tile_at(at)] = True
    patient.refill(likely(at, other), bare, 2.0, SHAPE, 0.0)
    (x, y), side = other, 21.0
    patient.note_read(((x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)))
    assert not read_all(patient)


def test_codes_that_a_reader_thinks_it_has_located_leave_room_for_others():
    """In grain and gravel it thinks so everywhere."""
    patient = PatientReading(GRID, NOWHERE)
    patient.note_located([(40.0 * number, 200.0) for number in range(50)])
    asked: list[int] = []

    def found(_: Any, most: int) -> list[tuple[float, float]]:
        asked.append(most)
        return []

    patient.refill(found, NOWHERE, 2.0, SHAPE, 0.0)
    assert asked == [MOST_PLACES - MOST_LOCATED]


@pytest.mark.parametrize("module_px", [1.4, 2.0, 2.7, 3.4, 4.5, 8.0])
def test_every_attempt_at_a_sticker_of_any_size_fits_into_one_look(module_px: float):
    patient = PatientReading(GRID, NOWHERE)
    patient.refill(likely((900.0, 700.0)), NOWHERE, module_px, SHAPE, 0.0)
    assert read_all(patient) == list(patient_attempts(module_px))
