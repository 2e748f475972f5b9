"""HTTPS for a table: a separate Caddy in front of the pages, with a certificate that it makes and renews itself."""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from companion.errors import DeviceError
from companion.public.sources import PHONE
from companion.storage.settings import Settings
from companion.system.console import NO_NETWORK, interface_addresses, lan_address
from web.middleware.front import HEADER
from web.middleware.hosts import HOME_DOMAINS
from web.server import check_free

log = logging.getLogger(__name__)

FOLDER = "https"
"""In the data folder: key, certificates, and Caddy's log. In no backup and no bundle."""

PORTS_APART = 363
"""A table at port 8080 has HTTPS at 8443, one at 8081 at 8444."""

LOOK_S = 1.0
WAITS_S = (1, 2, 5, 10, 30)
"""The wait before each further start of a Caddy that ends by itself."""

LIVED_S = 60.0
"""After a run of this length, it is restarted without a long wait."""

ENDS_S = 5.0
ENDS_WITH_PARENT = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Runs the given program so that Linux ends it with the thread that started it (``PR_SET_PDEATHSIG``).

``setpriv`` could do it too, but the service may not make the system calls that it needs.
"""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


class HttpsFront:
    """HTTPS in front of a table; use it in a ``with``, inside that of the table's server.

    Args:
        folder: For its certificates.
        port: Where it listens.
        table_port: Where the table's server listens, on this machine.
        hosts: Further names for the certificates.

    Attributes:
        secret: Precedes the phone's address in the header ``web.middleware.front.HEADER``; a new one each time.
    """

    def __init__(self, folder: Path, port: int, table_port: int, hosts: Collection[str] = ()) -> None:
        self.port = port
        self.secret = secrets.token_urlsafe(32)
        self._folder, self._table_port, self._hosts = folder, table_port, hosts
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="https", daemon=True)

    def __enter__(self) -> HttpsFront:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(timeout=2 * ENDS_S)

    def _keep(self) -> None:
        """Start Caddy, and restart it when it has ended or this machine has a new name or address."""
        names, ended = own_names(self._hosts), 0
        while not self._over.is_set():
            began_s = time.monotonic()
            try:
                caddy = self._start(names)
            except OSError as error:
                log.error("there is no HTTPS: Caddy does not start (%s)", error)
                return
            while caddy.poll() is None and not self._over.wait(LOOK_S) and own_names(self._hosts) <= names:
                pass
            if caddy.poll() is None:
                _end(caddy)
                names |= own_names(self._hosts)
                continue
            ended = 0 if time.monotonic() - began_s > LIVED_S else ended
            if self._over.wait(WAITS_S[min(ended, len(WAITS_S) - 1)]):  # when the service is stopped, both end at once
                return
            log.error("Caddy has ended (%s) and is started again: %s", caddy.returncode, self._last_line())
            ended += 1

    def _start(self, names: Collection[str]) -> subprocess.Popen[bytes]:
        """Caddy reads its settings, including the secret, from a pipe, so they are in no file and on no command line.

        It ends with this process, however that ends, and does not receive Ctrl-C.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        for name in names:
            # At its start Caddy deletes empty folders, sometimes one that it is about to fill; then that certificate is
            # missing for a minute. A folder with a file in it stays.
            folder = self._folder / "caddy" / "certificates" / "local" / name.replace(":", "-")
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / "kept").touch(mode=0o600)
        words = ["caddy", "run", "--config", "-"]
        if sys.platform == "linux":
            words = [sys.executable, "-I", "-c", ENDS_WITH_PARENT, *words]
        home = str(self._folder)
        with (self._folder / "caddy.log").open("wb") as output:
            caddy = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
                cwd=home,
                env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home, "XDG_DATA_HOME": home},
            )
        assert caddy.stdin is not None
        try:
            with caddy.stdin as settings:
                settings.write(json.dumps(self._settings(sorted(names))).encode())
        except BrokenPipeError:
            pass  # it ended at once; the loop notices that
        return caddy

    def _last_line(self) -> str:
        try:
            return (self._folder / "caddy.log").read_text("utf-8", errors="replace").splitlines()[-1]
        except (OSError, IndexError):
            return "it said nothing"

    def _settings(self, names: list[str]) -> dict[str, Any]:
        """Caddy's configuration (https://caddyserver.com/docs/json/): one site for every name."""
        proxy = {
            "handler": "reverse_proxy",
            "upstreams": [{"dial": f"127.0.0.1:{self._table_port}"}],
            "flush_interval": -1,  # event streams are passed on immediately
            # The server closes connections that are idle for a minute; a request must not run into that.
            "transport": {"protocol": "http", "keep_alive": {"idle_timeout": "30s"}},
            "headers": {"request": {"set": {HEADER: [f"{self.secret} {{http.request.remote.host}}"]}}},
        }
        site = {
            "listen": [f"tcp4/:{self.port}"],  # as the table itself
            "protocols": ["h1", "h2"],
            "read_header_timeout": "30s",
            "idle_timeout": "60s",
            "automatic_https": {"disable": True},  # no port 80, and no authority is asked
            "tls_connection_policies": [{"default_sni": socket.gethostname().lower()}],
            "routes": [{"handle": [proxy]}],
        }
        # Valid for a year, signed by one valid for ten: a browser warns again for each new certificate.
        issuer = {"module": "internal", "lifetime": "8760h", "sign_with_root": True}
        # A failed request is not logged with its headers.
        quiet = {"level": "ERROR", "exclude": ["http.log", "http.handlers"], "encoder": {"format": "console"}}
        return {
            "admin": {"disabled": True, "config": {"persist": False}},
            "logging": {"logs": {"default": quiet}},
            "apps": {
                "http": {"grace_period": "1s", "servers": {"table": site}},
                "tls": {
                    "automation": {"policies": [{"issuers": [issuer]}]},
                    "certificates": {"automate": names},
                },
                "pki": {"certificate_authorities": {"local": {"install_trust": False}}},
            },
        }


def https_front(settings: Settings, source: str, data: Path, port: int) -> HttpsFront | None:
    """HTTPS for a table at this port: with ``tls = true``, or if a phone is its camera.

    Without Caddy, or if the port is taken, the table works without HTTPS, and a warning is logged.
    """
    wanted = settings.tls if settings.tls is not None else source == PHONE and settings.https is None
    if not wanted:
        return None
    if shutil.which("caddy") is None:
        log.warning("there is no HTTPS, without which a phone's browser gives no camera: sudo apt-get install caddy")
        return None
    named = urlsplit(settings.address or "").hostname
    hosts = (*settings.hosts, *([] if named is None else [named]))
    front = HttpsFront(data / FOLDER, port + PORTS_APART, port, hosts)
    try:
        check_free(front.port)
    except DeviceError as error:
        log.error("there is no HTTPS: %s", error)
        return None
    return front


def own_names(hosts: Collection[str] = ()) -> frozenset[str]:
    """This machine's names in the home network, its addresses, and those of ``hosts`` that are valid names."""
    own = socket.gethostname().lower()
    plain = own.partition(".")[0]
    names = {"localhost", own, plain, *(plain + domain for domain in HOME_DOMAINS), *(host.lower() for host in hosts)}
    return frozenset({NO_NETWORK, lan_address(), *interface_addresses()} | {one for one in names if _is_name(one)})


def _is_name(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return _NAME.fullmatch(name) is not None
    return True


def _end(caddy: subprocess.Popen[bytes]) -> None:
    caddy.terminate()
    try:
        caddy.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        caddy.kill()
        caddy.wait()
