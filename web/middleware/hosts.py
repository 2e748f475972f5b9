"""The names under which a table or a hub may be opened; others are refused against DNS rebinding."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from flask import Request, g

from companion.public.text import Text
from web.middleware.problems import Problem

HOME_DOMAINS = (".local", ".lan", ".home", ".internal", ".home.arpa")
"""Top-level domains that no public name server serves; ``.box`` is missing because anyone can buy one."""


def host_name(netloc: str) -> str:
    """The name in ``companion.local:8080``, in lower case; empty when there is none.

    >>> host_name("Companion.local.:8080")
    'companion.local'
    """
    try:
        return (urlsplit(f"//{netloc}").hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


@dataclass(frozen=True)
class Addresses:
    """Where the pages of a table are found.

    >>> sorted(Addresses("http://192.168.1.20:8080", hosts=("Games.example",)).names - own_names())
    ['192.168.1.20', 'games.example']

    Attributes:
        table: The table's address for QR codes, as ``http://192.168.1.20:8080``; ``None`` = the address that the host's
            browser used.
        phones: The address for QR codes and links, however the host's browser reached the table; ``None`` = see
            ``table``.
        https: Address of the owner's HTTPS proxy for this table (``https://table.example:8443``).
        tls_port: Port of the table's own HTTPS, under any of its names; ``None`` = it has none.
        hosts: Additional host names of this table, besides local addresses, plain names, ``.local`` and the like.
        frames: Origins (``http://homeassistant.local:8123``) whose pages may frame the television and the overlay.
    """

    table: str | None = None
    phones: str | None = None
    https: str | None = None
    tls_port: int | None = None
    hosts: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The host names of this table besides those that every table has, see :func:`is_own`."""
        named = {host_name((one or "").partition("//")[2]) for one in (self.table, self.phones, self.https)}
        return own_names() | (named - {""}) | {host.lower() for host in self.hosts}


def own_names() -> frozenset[str]:
    """The host name of this computer."""
    return frozenset((socket.gethostname().lower(),)) - {""}


def is_address(host: str) -> bool:
    """Whether this is an IP address and not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_own(host: str, names: Collection[str]) -> bool:
    """Whether a host name belongs to this table.

    It does if it is one of ``names``, has no dot, ends in a home domain, or is an address that is not public.

        >>> is_own("192.168.1.20", ()), is_own("companion.local", ()), is_own("example.com", ())
        (True, True, False)
    """
    try:
        return not ipaddress.ip_address(host).is_global or host in names
    except ValueError:
        return host in names or (bool(host) and "." not in host) or host.endswith(HOME_DOMAINS)


def reject_foreign_host(asking: Request, names: Collection[str], *, public: bool) -> None:
    """Refuse pages that came here under a foreign name (DNS rebinding).

    Public content may also be read under any address, because an address cannot be rebound, and by programs that send
    no Host header, which every browser does.

    Args:
        names: As for :func:`is_own`.
        public: Whether the content is public.

    Raises:
        Problem: The name is foreign.
    """
    name = host_name(asking.host)
    if is_own(name, names) or (public and (is_address(name) or "Host" not in asking.headers)):
        return
    g.foreign_host = True
    raise Problem(403, Text("problem.house", {"what": asking.host[:60]}))


def reject_foreign_site(asking: Request, addresses: Collection[str] = ()) -> None:
    """Refuse requests from another site's page.

    A proxy or router may drop or change the port on the way. So behind the proxy that the settings name only the host
    names are compared: ``X-Forwarded-For`` comes through from that proxy alone (``web.server``).

    Args:
        addresses: Where people reach these pages besides, as the settings say (``https://table.example.org:8443``).

    Raises:
        Problem: It is one.
    """
    origin = asking.headers.get("Origin")
    if origin is not None and not _is_here(origin.lower(), asking, addresses):
        raise Problem(403, Text("problem.site"))
    if asking.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, Text("problem.site"))


def _is_here(origin: str, asking: Request, addresses: Collection[str]) -> bool:
    here = {f"{scheme}://{asking.host.lower()}" for scheme in ("http", "https")}
    if origin in here | {address.lower().rstrip("/") for address in addresses}:
        return True
    name = host_name(origin.partition("://")[2])
    return "X-Forwarded-For" in asking.headers and bool(name) and name == host_name(asking.host)
