"""How long a seat's press takes in a crowd of strangers behind one server or another, in turns on the same machine.

    pip install --target /tmp/servers granian gunicorn hypercorn
    PYTHONPATH=. python tests/tools/server_bench.py --packages /tmp/servers [--nginx /usr/sbin/nginx]

The crowd is that of ``python -m tests.bench strangers``, and so are the figures. "companion" is the project's own
server; "waitress" the same library as it comes, without what ``web/connections.py`` does before it. "nginx" stands
before "companion" with limits by address of its own, and names who asks.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.errors import CompanionError
from tests.bench.phones import Table
from tests.bench.strangers import Crowd, measured, phones_of

HERE = Path(__file__)
FOLDER = "SERVER_BENCH_FOLDER"
PATIENCE_S = 60.0
LONGEST_S = 240
"""A server at which the crowd finds no place, or a seat no answer, is given up after so long."""
THREADS = 256
NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log crit; worker_processes 1; worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi; client_header_timeout 10s; client_max_body_size 12m;
  limit_conn_zone $binary_remote_addr zone=connections:1m;
  limit_req_zone $binary_remote_addr zone=requests:1m rate=40r/s;
  upstream table {{ server 127.0.0.1:{behind}; keepalive 32; }}
  server {{
    listen 127.0.0.1:{port} deferred backlog=1024; limit_conn connections 60; limit_req zone=requests burst=80 nodelay;
    location / {{
      proxy_pass http://table; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_buffering off; proxy_read_timeout 1h;
    }}
  }}
}}
"""


def app(environ: dict[str, Any], start_response: Any) -> Any:
    """The app of a table; made when the server first asks, and what its phones need is then written down beside it."""
    with _MAKING:
        if not _made:
            folder = Path(os.environ[FOLDER])
            (folder / "data").mkdir()
            table = Table(folder / "data").__enter__()  # its own server listens too, and nobody calls it
            atexit.register(table.__exit__)
            (folder / "phones.json").write_text(json.dumps(phones_of(table)))
            _made.append(table.app)
    return _made[0](environ, start_response)


_MAKING = threading.Lock()
_made: list[Any] = []


def commands(port: int) -> dict[str, list[str]]:
    """How each server is started: one process, and a thread for each stream."""
    module, at, threads = HERE.stem, f"127.0.0.1:{port}", str(THREADS)
    run = [sys.executable, "-m"]
    return {
        "waitress": [
            *(*run, "waitress", f"--listen={at}", f"--threads={threads}", "--backlog=1024", "--connection-limit=4000"),
            *("--asyncore-use-poll", f"{module}:app"),
        ],
        "gunicorn": [
            *(*run, "gunicorn", "--worker-class=gthread", "--workers=1", f"--threads={threads}", f"--bind={at}"),
            *(
                "--worker-connections=4000",
                "--keep-alive=60",
                "--backlog=1024",
                "--log-level=critical",
                f"{module}:app",
            ),
        ],
        "granian": [
            *(*run, "granian", "--interface=wsgi", "--workers=1", f"--blocking-threads={threads}", "--host=127.0.0.1"),
            *(
                f"--port={port}",
                "--backlog=1024",
                "--backpressure=4000",
                "--no-ws",
                "--log-level=critical",
                f"{module}:app",
            ),
        ],
        "hypercorn": [
            *(*run, "hypercorn", "--workers=1", f"--bind={at}", "--backlog=1024", "--log-level=CRITICAL"),
            f"wsgi:{module}:app",
        ],
    }


@contextmanager
def served(name: str, folder: Path, packages: str, nginx: str) -> Iterator[tuple[int, tuple[int, str, str, str]]]:
    """A table behind this server: its port, and what its phones need.

    Raises:
        CompanionError: The server does not start.
    """
    port = _free_port()
    if name in ("companion", "nginx"):
        (folder / "data").mkdir()
        with Table(folder / "data", proxy="127.0.0.1" if name == "nginx" else None) as table:
            if name == "companion":
                yield table.port, phones_of(table)
                return
            settings = folder / "nginx.conf"
            settings.write_text(NGINX.format(folder=folder, port=port, behind=table.port))
            with _running([nginx, "-p", str(folder), "-c", str(settings)], dict(os.environ), port):
                yield port, phones_of(table)
        return
    paths = (str(HERE.parents[2]), str(HERE.parent), packages)
    environment = {**os.environ, FOLDER: str(folder), "PYTHONPATH": os.pathsep.join(paths)}
    with _running(commands(port)[name], environment, port):
        last, one, other, short = json.loads((folder / "phones.json").read_text())
        yield port, (last, one, other, short)


@contextmanager
def _running(command: list[str], environment: dict[str, str], port: int) -> Iterator[None]:
    program = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until_s = time.monotonic() + PATIENCE_S
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
                line.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                if line.recv(12).endswith(b" 200"):
                    break
            if program.poll() is not None or time.monotonic() > until_s:
                raise CompanionError(f"{command} does not start")
            time.sleep(0.1)
        yield
    finally:
        program.terminate()
        with suppress(subprocess.TimeoutExpired):
            program.wait(10)
        program.kill()
        program.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def give_up(*_: object) -> None:
    """It takes too long.

    Raises:
        CompanionError: Always.
    """
    raise CompanionError(f"not done within {LONGEST_S} s: the crowd found no place, or a seat no answer")


def main() -> None:
    """Measure each server in each round, and say what came of it."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    arguments.add_argument("--packages", default="", help="where the servers are installed")
    arguments.add_argument("--nginx", default="", help="the program, to measure it before the companion's own server")
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--presses", type=int, default=100)
    arguments.add_argument("--only", nargs="*", help="these servers alone")
    given = arguments.parse_args()
    names = ["companion", *(["nginx"] if given.nginx else []), *(commands(0) if given.packages else ["waitress"])]
    signal.signal(signal.SIGALRM, give_up)
    for _ in range(given.rounds):
        for name in given.only or names:
            before = os.getloadavg()[0]
            signal.alarm(LONGEST_S)
            try:
                with TemporaryDirectory() as folder, served(name, Path(folder), given.packages, given.nginx) as at:
                    line = measured(*at, Crowd(), given.presses)
            except (CompanionError, OSError) as wrong:
                line = str(wrong)
            finally:
                signal.alarm(0)
            sys.stdout.write(f"{name}, load {before:.1f} to {os.getloadavg()[0]:.1f}: {line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
