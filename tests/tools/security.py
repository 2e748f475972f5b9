"""Known holes in the libraries that are installed or locked, and secrets in the files of the project; a part of ./test.

Every lock is looked up, also those for machines where no check runs, such as a Raspberry Pi with Bookworm.

    python tests/tools/security.py
    python tests/tools/security.py --secrets    only the secrets, which need no internet

A hole or a secret ends it with status 1. What cannot be reached without the internet is said, and is no fault.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LONGEST_S = 900
SOURCES = ("pypi", "osv")
LOCKS = tuple(sorted((ROOT / "packaging" / "locks").glob("*.txt")))
ACCEPTED: Mapping[tuple[str, str], str] = {
    ("opencv-python-headless 4.10.0.84", "CVE-2025-53644"): "vision/picture_file.py gives such an OpenCV no JPEG file",
}
"""Holes that cannot touch this program, by library and number, each with the reason; docs/threats.md says more."""
DATA = (".png", ".sqlite", ".jsonl", ".jpg", ".svg")
"""Pictures and records of matches: made by programs, and long."""
UNUSED = (
    "Artifactory", "AzureStorageKey", "Cloudant", "DiscordBotToken", "IbmCloudIam", "IbmCosHmac", "Mailchimp", "Npm",
    "OpenAI", "SendGrid", "Slack", "Softlayer", "SquareOAuth", "Stripe", "TelegramBotToken", "TwilioKey",
)  # fmt: skip
"""Services that this project has nothing to do with; a long key of theirs is still seen as one."""


@dataclass(frozen=True)
class Audit:
    """What a list of advisories says of some libraries.

    Attributes:
        holes: A sentence each.
        known: How many libraries were looked up.
        unknown: How many could not be.
    """

    holes: tuple[str, ...]
    known: int
    unknown: int


def read_audit(report: str) -> Audit:
    """What ``pip-audit`` answered; a library that its source does not know has a ``skip_reason``."""
    libraries: Sequence[Mapping[str, Any]] = json.loads(report)["dependencies"]
    looked_up = [one for one in libraries if "skip_reason" not in one]
    holes = (
        f"{one['name']} {one['version']}: {hole['id']}; " + mended(hole["fix_versions"])
        for one in looked_up
        for hole in one["vulns"]
        if not any(
            (f"{one['name']} {one['version']}", name) in ACCEPTED for name in (hole["id"], *hole.get("aliases", ()))
        )
    )
    return Audit(tuple(holes), len(looked_up), len(libraries) - len(looked_up))


def mended(versions: Sequence[str]) -> str:
    """What to do about a hole."""
    if not versions:
        return "no version without it is there yet: see whether it can touch us, and say so in ACCEPTED"
    return f"it is mended in {' and '.join(versions)}"


def ask(source: str, lock: Path | None = None) -> Audit | str:
    """What one list of advisories says of a lock, or of what is installed; or why it said nothing."""
    command = ["-m", "pip_audit", "--format", "json", "--progress-spinner", "off", "-s", source]
    command += ["--skip-editable"] if lock is None else ["-r", str(lock), "--no-deps", "--disable-pip"]
    try:
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return f"{source} did not answer"
    try:
        return read_audit(done.stdout)
    except (ValueError, KeyError):
        return f"{source} could not be reached ({(done.stderr.strip().splitlines() or ['it said nothing'])[-1][:90]}…)"


def libraries() -> Iterator[str]:
    """Known holes, a sentence each; says what could be looked up and what could not."""
    why = []
    for source in SOURCES:
        told = ask(source)
        if isinstance(told, str):
            why.append(told)
            continue
        if told.known:
            yield from _reported(source, "installed here", told)
            yield from _locked(source)
            return
        why.append(f"{source} told nothing about any of {told.unknown} libraries")
    say(f"Going on without the search for known holes in libraries, nothing is said about them: {'; '.join(why)}.")


def _locked(source: str) -> Iterator[str]:
    """Known holes in each lock."""
    with ThreadPoolExecutor(4) as workers:
        for lock, told in zip(LOCKS, workers.map(lambda lock: ask(source, lock), LOCKS), strict=True):
            where = f"packaging/locks/{lock.name}"
            if isinstance(told, str):
                say(f"Nothing is said about {where}: {told}.")
            else:
                yield from _reported(source, where, told)


def _reported(source: str, where: str, told: Audit) -> Iterator[str]:
    rest = f"; it does not know the other {told.unknown}" if told.unknown else ""
    say(f"{told.known} libraries looked up at {source}, {where}, {len(told.holes)} known holes{rest}.")
    yield from (f"{where}: {hole}" for hole in told.holes)


def secrets(files: Iterable[Path]) -> Iterator[str]:
    """What looks like a password or key in these files, a sentence each."""
    unused = [word for name in UNUSED for word in ("--disable-plugin", f"{name}Detector")]
    command = [sys.executable, "-m", "detect_secrets.pre_commit_hook", "--json", *unused]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, timeout=LONGEST_S, cwd=ROOT)
    if done.returncode not in (0, 1) or (done.returncode and not done.stdout.startswith("{")):
        yield f"detect-secrets failed: {(done.stderr.strip().splitlines() or ['it said nothing'])[-1]}"
        return
    for found in json.loads(done.stdout)["results"].values() if done.returncode else ():
        for one in found:
            yield f"{one['filename']}, line {one['line_number']}: this looks like a secret ({one['type']})"


def project_files() -> list[Path]:
    """What is kept in the repository and written by people."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    return [Path(name) for name in listed.split("\0") if name and not name.endswith(DATA) and (ROOT / name).is_file()]


def say(line: str) -> None:
    """To whoever watches ./test."""
    sys.stderr.write(f"{line}\n")


def main() -> int:
    """Look for both at once; 1 = something was found."""
    files = project_files()
    half = len(files) // 2
    searches = [lambda: secrets(files[:half]), lambda: secrets(files[half:])]
    if "--secrets" not in sys.argv[1:]:
        searches.append(libraries)
    with ThreadPoolExecutor() as workers:
        looking = [workers.submit(lambda search=search: list(search())) for search in searches]
        found = [line for one in looking for line in one.result()]
    for line in found:
        say(line)
    if not found:
        say(f"No secret in {len(files)} files.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
