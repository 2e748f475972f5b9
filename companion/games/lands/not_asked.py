"""Moves that pages no longer offer: they are about things in front of the players.

Old records contain them, and programs may send them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from companion.errors import InputError, fault
from companion.games.lands.deck import SIDES
from companion.games.protocol import PlainMove
from companion.public.table import CardId, Seat


@dataclass(frozen=True, slots=True)
class GatherToken(PlainMove):
    """A seat takes the token of its space (U8, U9, U23)."""

    do: ClassVar[str] = "gather"
    by: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class CookMeat(PlainMove):
    """Meat becomes food at a fire (U15)."""

    do: ClassVar[str] = "cook"
    by: Seat
    count: int


@dataclass(frozen=True, slots=True)
class RelightFire(PlainMove):
    """A fire is lit again for a wood (U16)."""

    do: ClassVar[str] = "relight"
    by: Seat


@dataclass(frozen=True, slots=True)
class SetFire(PlainMove):
    """A card lit a fire, or put one out."""

    do: ClassVar[str] = "fire"
    by: Seat
    space: str
    lit: bool


@dataclass(frozen=True, slots=True)
class RestFrom(PlainMove):
    """A damage is healed with a resource (U20).

    Attributes:
        kind: The damage: hunger, thirst or disease.
        on: The seat that is healed; ``None`` = the same seat.
        water: For thirst: ``clean`` or ``dirty``; ``None`` = clean.
    """

    do: ClassVar[str] = "rest"
    by: Seat
    kind: str
    on: Seat | None = None
    water: str | None = None

    @property
    def healed(self) -> Seat:
        """The seat that is healed."""
        return self.by if self.on is None else self.on

    @property
    def dirty(self) -> bool:
        """Whether the water is dirty."""
        return self.water == "dirty"


@dataclass(frozen=True, slots=True)
class DrinkDirty(PlainMove):
    """Dirty water is drunk: with a medicine, or with a die (U10)."""

    do: ClassVar[str] = "drink"
    by: Seat
    how: str = field(metadata={"key": "with"})
    die: int | None = None

    def __post_init__(self) -> None:
        _check_die(self.die)


@dataclass(frozen=True, slots=True)
class Investigate(PlainMove):
    """A seat investigates the landmark on its space (U19)."""

    do: ClassVar[str] = "investigate"
    by: Seat


@dataclass(frozen=True, slots=True)
class UseCard(PlainMove):
    """A seat uses an object, or its character or a quest; then no card is named (U21, U30).

    Attributes:
        cost: The points that the card costs; ``None`` = none.
    """

    do: ClassVar[str] = "use"
    by: Seat
    card: CardId | None = None
    cost: int | None = None

    @property
    def points(self) -> int:
        """The stamina that it takes."""
        return self.cost or 0

    @property
    def subject(self) -> CardId | None:
        """The card, if it is one."""
        return self.card


@dataclass(frozen=True, slots=True)
class GiveToken(PlainMove):
    """A resource goes to another seat (U18)."""

    do: ClassVar[str] = "give"
    by: Seat
    kind: str
    to: Seat


@dataclass(frozen=True, slots=True)
class ThrowToken(PlainMove):
    """A resource is put on its owner's space (U11)."""

    do: ClassVar[str] = "throw"
    by: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class RollDice(PlainMove):
    """The fighter has rolled both dice."""

    do: ClassVar[str] = "roll"
    by: Seat
    grey: int
    red: int

    def __post_init__(self) -> None:
        _check_die(self.grey)
        _check_die(self.red)


@dataclass(frozen=True, slots=True)
class ChangeDie(PlainMove):
    """The fighter pays a resource to change a die; a reroll includes the new value (U29)."""

    do: ClassVar[str] = "change"
    by: Seat
    kind: str = field(metadata={"key": "with"})
    grey: int | None = None
    red: int | None = None

    def __post_init__(self) -> None:
        _check_die(self.grey)
        _check_die(self.red)


@dataclass(frozen=True, slots=True)
class AcceptDice(PlainMove):
    """The fighter accepts the dice: damage, death or flight follow (U31 to U34)."""

    do: ClassVar[str] = "accept"
    by: Seat


@dataclass(frozen=True, slots=True)
class SupportFight(PlainMove):
    """A seat plays a support card for the fighter (U36)."""

    do: ClassVar[str] = "support"
    by: Seat


@dataclass(frozen=True, slots=True)
class FleeFight(PlainMove):
    """A card lets the fighter flee (U35)."""

    do: ClassVar[str] = "flee"
    by: Seat


@dataclass(frozen=True, slots=True)
class TakeDamage(PlainMove):
    """A seat takes a damage (U38)."""

    do: ClassVar[str] = "hurt"
    by: Seat
    kind: str


def _check_die(value: int | None) -> None:
    """Check that a die shows one of its faces.

    Raises:
        InputError: It does not.
    """
    if value is not None and not 1 <= value <= SIDES:
        message = "a die shows {least} to {most}, not {value}: say again what it shows"
        raise InputError(fault("lands.fault.die", message, least=1, most=SIDES, value=value))


NOT_ASKED = (
    GatherToken, CookMeat, RelightFire, SetFire, RestFrom, DrinkDirty, Investigate, UseCard, GiveToken, ThrowToken,
    RollDice, ChangeDie, AcceptDice, SupportFight, FleeFight, TakeDamage,
)  # fmt: skip
