"""The lines that let the system count connections, in a network of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "packaging" / "companion.nft"
LISTEN = """
import socket, sys
listening = socket.create_server(("", 8080), backlog=4096)
print("there", flush=True)
sys.stdin.read()
"""
CONNECT = """
import socket, sys
kept = []
for _ in range(int(sys.argv[2])):
    line = socket.socket()
    line.bind((sys.argv[1], 0))
    line.settimeout(5)
    try:
        line.connect(("10.9.0.1", 8080))
        kept.append(line)
    except OSError:
        line.close()
print(len(kept), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def networks() -> Iterator[tuple[str, str]]:
    """A table's network with the rules in it, and one of laptops, by name."""
    nft, ip = (shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") for name in ("nft", "ip"))
    if nft is None or ip is None:
        pytest.skip("nftables or iproute2 is not there")
    table, laptops = (f"companion-{os.getpid()}-{name}" for name in ("table", "laptops"))
    with ExitStack() as stack:
        for name in (table, laptops):
            made = subprocess.run([ip, "netns", "add", name], capture_output=True, text=True, check=False)
            if made.returncode:
                pytest.skip(f"no network of its own can be made here: {made.stderr.strip()}")
            stack.callback(subprocess.run, [ip, "netns", "delete", name], check=True)
        subprocess.run(
            [ip, "-n", table, "link", "add", "cable", "type", "veth", "peer", "cable", "netns", laptops], check=True
        )
        for name, addresses in ((table, ("10.9.0.1",)), (laptops, ("10.9.0.2", "10.9.0.3"))):
            for address in addresses:
                subprocess.run([ip, "-n", name, "address", "add", f"{address}/24", "dev", "cable"], check=True)
            subprocess.run([ip, "-n", name, "link", "set", "cable", "up"], check=True)
        subprocess.run([ip, "netns", "exec", table, nft, "-f", str(RULES)], check=True)
        yield table, laptops


def test_a_storm_of_one_laptop_gets_a_hundred_connections_and_another_phone_gets_its_own(networks: tuple[str, str]):
    table, laptops = networks
    with ExitStack() as stack:

        def say(network: str, *program: str) -> str:
            """The first line of a program in a network, which goes on until the test is over."""
            command = ["ip", "netns", "exec", network, sys.executable, "-c", *program]
            running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(running.communicate, timeout=60)
            assert running.stdout is not None
            return running.stdout.readline().strip()

        assert say(table, LISTEN) == "there"
        assert say(laptops, CONNECT, "10.9.0.2", "1000") == "100"
        assert say(laptops, CONNECT, "10.9.0.3", "6") == "6"
