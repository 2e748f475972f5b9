"""The names under which a table or a hub may be opened, so that no page of another site comes in by its own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Request, g

from companion.public.text import Text
from web.middleware.problems import Problem

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


def reject_foreign_host(asking: Request, names: Collection[str], *, public: bool) -> None:
    """Turn away pages that came here under a foreign name (DNS rebinding).

    What everybody may read can also be read by any address, for nobody can lead an address elsewhere, and by programs
    that name no host at all, which no browser is.

    Args:
        names: As for :func:`is_own`.
        public: Everybody may read this.

    Raises:
        Problem: It did.
    """
    name = host_name(asking.host)
    if is_own(name, names) or (public and (is_address(name) or "Host" not in asking.headers)):
        return
    g.foreign_host = True
    raise Problem(403, Text("problem.house", {"what": asking.host[:60]}))


def reject_foreign_site(asking: Request) -> None:
    """Turn away what another site's page sends.

    Raises:
        Problem: It did.
    """
    origin = asking.headers.get("Origin")
    if origin is not None and origin.lower() not in (f"http://{asking.host}".lower(), f"https://{asking.host}".lower()):
        raise Problem(403, Text("problem.site"))
    if asking.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, Text("problem.site"))
