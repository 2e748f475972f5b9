"""The names under which a table may be opened, so that no page of another site comes in by a name of its own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

HOME_DOMAINS = (".local", ".lan", ".home", ".internal", ".home.arpa")
"""Endings that no public name server hands out; ``.box`` is one that anybody can buy."""


def host_name(netloc: str) -> str:
    """The name in ``companion.local:8080``, in lower case; empty when there is none."""
    try:
        return (urlsplit(f"//{netloc}").hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


def own_names() -> frozenset[str]:
    """What this computer calls itself."""
    return frozenset((socket.gethostname().lower(),)) - {""}


def is_address(host: str) -> bool:
    """Whether it is no name but an address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_own(host: str, names: Collection[str]) -> bool:
    """Whether a host name is one of this table's.

    That is one of ``names``, a plain name, one that ends as only names at home do, or an address that is no public one.
    """
    try:
        return not ipaddress.ip_address(host).is_global or host in names
    except ValueError:
        return host in names or (bool(host) and "." not in host) or host.endswith(HOME_DOMAINS)
