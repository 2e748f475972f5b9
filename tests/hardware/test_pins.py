from __future__ import annotations

import logging
import os
import sys
import types
from contextlib import closing
from pathlib import Path

import pytest
from gpiozero import PWMLED
from gpiozero.devices import Device
from gpiozero.pins.mock import MockFactory

from companion.errors import DeviceError, InputError
from hardware.off import main, wired
from hardware.pins import on_a_pi, pin_factory
from hardware.wiring import DEFAULT_WIRING, Wiring

pytestmark = pytest.mark.core


def test_away_from_a_pi_the_pins_are_mock_pins_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    before = Device.pin_factory
    with caplog.at_level(logging.INFO), closing(pin_factory(pi=False)) as factory:
        assert isinstance(factory, MockFactory)
    assert "mock pins" in caplog.text
    assert Device.pin_factory is before


def test_pins_that_are_none_do_not_grow_with_the_evening() -> None:
    with closing(pin_factory(pi=False)) as pins, closing(PWMLED(17, pin_factory=pins)) as lamp:
        for step in range(1000):
            lamp.value = step % 7 / 7
        assert lamp.value == 999 % 7 / 7
        assert len(pins.pin(17).states) == 1


@pytest.mark.parametrize("lgpio", [None, types.ModuleType("lgpio")], ids=["none", "the empty one of PyPI"])
def test_a_pi_without_lgpio_says_what_to_install(
    lgpio: types.ModuleType | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(DeviceError, match="sudo apt-get install python3-lgpio"):
        pin_factory(pi=True)


def test_paths_mean_the_same_after_lgpio_was_loaded_which_moves_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`companion run --data here`: with ``LG_WD``, lgpio 0.2.2 takes the whole program into another folder."""
    (tmp_path / "lgpio.py").write_text("import os\nos.chdir(os.environ['LG_WD'])\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    before = Path.cwd()
    try:
        with pytest.raises(DeviceError, match="python3-lgpio"):  # it has no pins
            pin_factory(pi=True)
        assert "lgpio" in sys.modules
        assert Path.cwd() == before
    finally:
        os.chdir(before)
        sys.modules.pop("lgpio", None)


def test_gpiozeros_own_variable_chooses_the_pins_of_a_dry_run_even_on_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with closing(pin_factory(pi=True)) as pins:
        assert isinstance(pins, MockFactory)


def test_pins_of_another_pi_are_reached_through_gpiozero(monkeypatch: pytest.MonkeyPatch) -> None:
    """pigpio asks the machine that ``PIGPIO_ADDR`` names; a stand-in for its library says that it was asked."""
    stand_in = types.ModuleType("gpiozero.pins.pigpio")
    stand_in.PiGPIOFactory = lambda: "the pins of another Pi"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.pigpio", stand_in)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    assert pin_factory(pi=False) == "the pins of another Pi"


def test_pins_that_cannot_be_reached_are_an_error_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for library, why in (
        ("wiringpi", "which gpiozero does not know: it knows lgpio, mock"),
        ("pigpio", "cannot be used"),
    ):
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", library)
        with pytest.raises(DeviceError, match=why):
            pin_factory(pi=True)


def test_a_pi_is_known_by_its_model(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert not on_a_pi(model)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert on_a_pi(model)
    model.write_bytes(b"Radxa ROCK 5B\0")
    assert not on_a_pi(model)


def test_pins_are_driven_off_by_the_settings_or_else_as_usual(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    assert wired(settings) == DEFAULT_WIRING
    settings.write_text("port = 8080\n", encoding="utf-8")
    assert wired(settings) == DEFAULT_WIRING
    settings.write_text("[panel]\nbuzzer = 12\n", encoding="utf-8")
    assert wired(settings) == Wiring(buzzer=12)
    settings.write_text("[panel]\nbuzzer = 0\n", encoding="utf-8")
    with pytest.raises(InputError):
        wired(settings)


def test_driving_off_answers_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "settings.toml"
    assert main([str(settings)]) == 0
    settings.write_text("[panel\n", encoding="utf-8")
    assert main([str(settings)]) == 1
    assert "could not be driven off" in capsys.readouterr().err
