"""Looks as a perfect eye would have them, without pixels: for whole matches in seconds."""

from __future__ import annotations

from companion.public.layout import Layout
from companion.public.table import Observation, Placement, TableState, Token
from companion.simulation.script import ScriptedPicture


class ExactEye:
    """What lies still lies there; what moves keeps its last place until it rests; what is gone is gone."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._lying: dict[Token, Placement] = {}
        self._number = 0

    def look(self, picture: ScriptedPicture) -> Observation:
        """The next look."""
        drawn = {card.token: card for card in picture.things}
        self._lying = {token: placed for token, placed in self._lying.items() if token in drawn}
        for token, card in drawn.items():
            if card.speed_mm_s == (0.0, 0.0):
                x_mm, y_mm = card.pose.x_mm, card.pose.y_mm
                self._lying[token] = Placement(
                    token, self._layout.zone_at(x_mm, y_mm), x_mm, y_mm, card.pose.rotation_deg
                )
        self._number += 1
        table = TableState(frozenset(self._lying.values()))
        hand = bool(picture.arms)
        return Observation(self._number, picture.time_s, table, settled=not hand, hand_in_view=hand)
