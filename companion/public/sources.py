"""The values of ``--source``, and what of them may be displayed: the address of a camera may contain its password."""

from __future__ import annotations

import re

from companion.public.entry_points import OWN, entry_points_of, package_of

NETWORK_SCHEMES = ("http", "https", "rtsp", "rtsps")

CAMERAS = "companion.cameras"
"""The group of the entry points of cameras."""

PHONE = "phone"
"""The source whose pictures come from the page ``/eye``."""

_ADDRESS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://"
    r"(?:[^/?#@]*@)?"
    r"(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<rest>[/?#][^@\s]*)?"
)
"""A whole address. In user and password, ``@`` and ``/`` are written as ``%40`` and ``%2F``, and no path has an ``@``:
so no part of a password can be mistaken for the host.
"""

_SECRETIVE = re.compile(r"[@?]|:/")


def camera_names() -> tuple[str, ...]:
    """How cameras are named in ``--source``, those of other packages last."""
    others = tuple(f"{name}:…" for name, door in entry_points_of(CAMERAS).items() if package_of(door) != OWN)
    return ("picamera", "picamera:1", "usb:0", "usb:NAME", PHONE, "http://HOST/PATH", "rtsp://HOST/PATH", *others)


def is_network(source: str) -> bool:
    """Whether it is the address of a network camera."""
    return source.partition("://")[0].lower() in NETWORK_SCHEMES and "://" in source


def host_and_port(source: str) -> tuple[str, int] | None:
    """Where a network camera listens; ``None`` if the address is malformed."""
    parts = _ADDRESS.fullmatch(source)
    if parts is None:
        return None
    usual = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}[parts["scheme"].lower()]
    port = int(parts["port"] or usual)
    return (parts["host"].strip("[]"), port) if 0 < port < 65536 else None


def shown_source(source: str) -> str:
    """The part of a source that may be displayed: for an address, only scheme, host and port.

    Cameras take their password before the host, in the path or after a question mark, so all of these are left out.

        >>> shown_source("rtsp://ana:secret@10.0.0.7:554/stream1?pwd=secret")  # pragma: allowlist secret
        'rtsp://10.0.0.7:554'
        >>> shown_source("usb:0")
        'usb:0'
    """
    if is_network(source):
        parts = _ADDRESS.fullmatch(source)
        scheme = source.partition("://")[0].lower()
        if parts is None:
            return f"{scheme}://…"
        return f"{scheme}://{parts['host']}" + (f":{parts['port']}" if parts["port"] else "")
    return "…" if _SECRETIVE.search(source) else source
