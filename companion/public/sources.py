"""What a ``--source`` names, and what of it may be said: the address of a camera may hold its password."""

from __future__ import annotations

import re

NETWORK_SCHEMES = ("http", "https", "rtsp", "rtsps")

PHONE = "phone"
"""The source whose pictures come by the page ``/eye``."""

_ADDRESS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://"
    r"(?:[^/?#@]*@)?"
    r"(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<rest>[/?#][^@\s]*)?"
)
"""A whole address. Its user and password have ``@`` and ``/`` written as ``%40`` and ``%2F``, and no path has an ``@``:
so nothing behind the password can be taken for the host."""

_SECRETIVE = re.compile(r"[@?]|:/")


def is_network(source: str) -> bool:
    """Whether it is the address of a camera in the network."""
    return source.partition("://")[0].lower() in NETWORK_SCHEMES and "://" in source


def host_and_port(source: str) -> tuple[str, int] | None:
    """Where a network camera listens; ``None`` when the address is not well-formed."""
    parts = _ADDRESS.fullmatch(source)
    if parts is None:
        return None
    usual = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}[parts["scheme"].lower()]
    port = int(parts["port"] or usual)
    return (parts["host"].strip("[]"), port) if 0 < port < 65536 else None


def shown_source(source: str) -> str:
    """What may be said of a source, wherever it is said: of an address the scheme and the host alone.

    Cameras take their password before the host, in the path or behind a question mark; so all of these are left out.

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
