"""A phone as the camera: receives the pictures from the page ``/eye``; the camera's process fetches them here."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from companion.errors import InputError
from companion.public.results import Looked
from companion.public.service import Denied, Done, Invalid, NotFound, Result, Role, Stale, Unavailable, User
from companion.public.text import Text
from companion.reading.pictures import check_picture
from companion.service.picture_door import PictureDoor

MOST_PX = 32_000_000
"""Pixels of a picture; twice as many as 4K has."""

MOST_HZ = 15.0
"""More pictures per second than this are refused; the table is never read so often."""

GONE_S = 5.0
"""A phone that sent nothing for this long is no longer the camera; another one may take its place."""

FRESH_S = 2.0
"""An older picture is not used."""

FETCH_S = 0.5
"""How long a fetch waits for a picture."""

RATE_OVER = 20
"""The number of pictures whose rate is measured."""


class PhoneCamera:
    """Takes the pictures of one phone at a time, and keeps the newest one ready.

        >>> PhoneCamera().trouble()
        'no-phone'

    Args:
        clock: Monotonic seconds, for dating pictures.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._news = threading.Condition()
        self._phone = ""
        self._number = 0
        self._picture = b""
        self._taken_s = float("-inf")
        self._times_s: deque[float] = deque(maxlen=RATE_OVER)
        self._door: PictureDoor | None = None

    @property
    def address(self) -> str:
        """Where the camera's process fetches pictures.

        It sends the number of its last picture, and gets ``(number, taken_s, jpeg)`` of a newer one, or ``None`` if
        none came in time.
        """
        with self._news:
            if self._door is None:
                self._door = PictureDoor(self._fetched)
            return self._door.address

    def close(self) -> None:
        if self._door is not None:
            self._door.close()

    def trouble(self) -> str | None:
        """``no-phone`` while no phone sends pictures."""
        return "no-phone" if self._clock() - self._taken_s > GONE_S else None

    def take(self, user: User, phone: str, jpeg: bytes, *, instead: bool) -> Result[Looked]:
        """Take a picture: ``{"size_px", "rate_hz"}``.

        Args:
            phone: The phone, by an id that it has drawn itself.
            instead: Replace the phone that is the camera now.
        """
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        if jpeg[:2] != b"\xff\xd8" or b"\xff\xd9" not in jpeg[-64:]:
            return Invalid((Text("desk.eye.picture"),))
        try:
            size = check_picture(jpeg, MOST_PX)
        except InputError as wrong:
            return Invalid.of(wrong)
        now_s = self._clock()
        with self._news:
            if phone != self._phone and not instead and now_s - self._taken_s <= GONE_S:
                return Stale(Text("desk.eye.other"))
            if now_s - self._taken_s < 1 / MOST_HZ:
                return Unavailable(Text("desk.eye.fast", {"n": round(MOST_HZ)}))
            if phone != self._phone or now_s - self._taken_s > GONE_S:
                self._times_s.clear()
            self._phone = phone
            self._number += 1
            self._picture, self._taken_s = jpeg, now_s
            self._times_s.append(now_s)
            self._news.notify_all()
            passed_s = now_s - self._times_s[0]
            rate_hz = round((len(self._times_s) - 1) / passed_s, 1) if passed_s > 0 else 0.0
        return Done({"size_px": list(size), "rate_hz": rate_hz})

    def _fetched(self, after: int) -> tuple[int, float, bytes] | None:
        with self._news:
            self._news.wait_for(lambda: self._is_news(after), FETCH_S)
            return (self._number, self._taken_s, self._picture) if self._is_news(after) else None

    def _is_news(self, after: int) -> bool:
        return self._number > after and self._clock() - self._taken_s <= FRESH_S


class NoPhoneCamera:
    """For a table with another camera."""

    def take(self, _user: User, _phone: str, _jpeg: bytes, *, instead: bool) -> Result[Looked]:
        del instead
        return NotFound(Text("desk.eye.not_phone"))
