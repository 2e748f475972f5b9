"""What README and docs say is there, and works as they say."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import tomllib
from contextlib import redirect_stdout
from itertools import pairwise
from pathlib import Path

import pytest

from companion.cli.main import parser
from companion.public.codes import sticker_token
from hardware.wiring import DEFAULT_WIRING

ROOT = Path(__file__).parents[2]
DESCRIPTION = ROOT / "packaging" / "description.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "systemd" / "README.md", DESCRIPTION])
CONTRACT = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
PLACEHOLDER = re.compile(r"[A-Z]+")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def blocks(text: str, language: str) -> list[str]:
    return [code for tongue, code in FENCED.findall(text) if tongue == language]


def anchors(page: Path) -> set[str]:
    """The places that links into a page may name, as GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_there(path: Path) -> bool:
    return path.exists()


@pages
def test_every_link_leads_somewhere(page: Path):
    for target in LINK.findall(prose(page)):
        if "://" in target:
            continue
        name, _, place = target.partition("#")
        found = (page.parent / name).resolve() if name else page
        assert is_there(found), f"{page.name} links to {target}, which is not there"
        if place and found.exists():
            assert place in anchors(found), f"{page.name} links to {target}, and there is no such heading"


@pages
def test_every_file_that_is_named_is_there(page: Path):
    """Only what lies in the project: ``deck.toml`` and ``sheet.pdf`` are the reader's own."""
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {
        "build"
    }  # what is there is made
    for name in INLINE.findall(prose(page)):
        name = name.partition("::")[0]  # a test in a file
        parts = name.removeprefix("./").rstrip("/").split("/")
        if " " in name or len(parts) < 2 or parts[0] not in rooms or any(map(PLACEHOLDER.fullmatch, parts)):
            continue
        assert is_there(ROOT.joinpath(*parts)), f"{page.name} names {name}, which is not there"


def test_the_description_of_the_wheel_stands_alone():
    """Where a wheel is found no file of the project lies beside it: a relative link or picture leads nowhere."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ROOT / project["readme"] == DESCRIPTION
    text = DESCRIPTION.read_text(encoding="utf-8")
    assert all("://" in target for target in LINK.findall(text))
    assert "<img" not in text


def packages() -> set[str]:
    """The folders of the product that hold Python, by their paths, as the picture names them."""
    tops = ("companion", "vision", "hardware", "web")
    return {str(path.parent.relative_to(ROOT)) for top in tops for path in (ROOT / top).rglob("__init__.py")}


def test_the_picture_of_the_architecture_names_the_folders_that_are_there():
    picture = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    drawn = re.findall(r'class="folder"[^>]*>([^<]+)<', picture)
    assert len(drawn) == len(set(drawn))
    assert [name for name in drawn if not (ROOT / name).exists()] == []
    inside = {"companion/games/discovery/rules", "companion/games/discovery/effects"}
    inside |= {"companion/system/printing"}
    inside |= {"companion/games/carcassonne/rules", "companion/games/carcassonne/effects"}
    inside |= {"companion/games/discovery/people", "web/pages/plain"}
    inside |= {f"companion/games/{game}/pages" for game in ("carcassonne", "darwinci", "discovery", "lands")}
    inside |= {"companion/games/darwinci/rules", "companion/games/darwinci/effects"}
    inside |= {"companion/plugins/hub", "companion/plugins/hub/locale", "companion/plugins/hub/pages"}
    inside |= {"companion/plugins/hub/migrations", "companion/plugins/hub/migrations/versions"}
    inside |= {"companion/plugins/mqtt"}
    inside |= {"companion/games/lands/rules", "companion/games/lands/effects"}
    inside |= {"companion/games/noughts", "companion", "vision", "web"}
    assert packages() - set(drawn) == inside, "a package that is not drawn"


def commands(text: str) -> list[str]:
    """Every command line of a code block or a table, without comment and redirection."""
    lines = [line for code in blocks(text, "sh") for line in code.splitlines()]
    tables = [line for line in FENCED.sub("", text).splitlines() if line.startswith("|")]
    lines += [span for line in tables for span in INLINE.findall(line.split("|")[1])]
    found = [re.split(r" [#>] ?", line)[0].strip().removeprefix("sudo ") for line in lines]
    return [line for line in found if re.match(r"(companion |\./(run|test)\b)", line)]


def named(text: str) -> list[str]:
    """Every command that the running text names, perhaps without its arguments."""
    return [span for span in INLINE.findall(FENCED.sub("", text)) if re.match(r"(companion|\./run) [a-z-]", span)]


def spelled_out(line: str) -> list[str]:
    """The words of a command line as somebody would type it: options taken, placeholders filled in."""
    words = shlex.split(re.sub(r"[\[\]…]", "", line))
    return ["matches" if word == "COMMAND" else "1" if PLACEHOLDER.fullmatch(word) else word for word in words]


def takes(line: str) -> bool:
    """Whether the real scripts and the real command line take these words."""
    program, *words = spelled_out(line)
    if program in ("./run", "./test") and words and words[0] in _own_options(program):
        return len(words) == 1
    if program == "./test":
        return not words or (ROOT / words[0]).exists()
    is_run = program == "./run" and (not words or words[0].startswith("-"))
    try:
        parser().parse_args(["run", *words] if is_run else words)
    except SystemExit as end:
        return end.code == 0  # --help
    return True


def _own_options(script: str) -> set[str]:
    return set(re.findall(r"--[a-z-]+(?=[ |)])", (ROOT / script).read_text(encoding="utf-8").split("case ", 1)[1]))


@pages
def test_every_command_line_that_is_shown_can_be_typed(page: Path, capsys: pytest.CaptureFixture[str]):
    for line in commands(page.read_text(encoding="utf-8")):
        assert takes(line), f"{page.name}: {line}: {capsys.readouterr().err}"


def scripts(text: str) -> list[str]:
    """The project's own scripts and modules that code blocks and code in the text run, as paths of files."""
    lines = [line for code in blocks(text, "sh") for line in code.splitlines()] + INLINE.findall(FENCED.sub("", text))
    words = [re.sub(r"^((sudo|[A-Z_]+=\S+) )+", "", line).split() for line in lines]
    found = [line[0] for line in words if line and re.match(r"(packaging|systemd|tests)/[\w/.-]+$", line[0])]
    for line in words:
        match line:
            case ["python", "-m", "tests.bench", name, *_] if not PLACEHOLDER.fullmatch(name):
                found.append(f"tests/bench/{name}.py")
            case ["python", "-m", module, *_] if module.startswith("tools."):
                found.append(f"tests/{module.replace('.', '/')}.py")
            case ["python", script, *_] if script.startswith("tests/"):
                found.append(script)
    return found


@pages
def test_every_script_that_is_shown_is_there(page: Path):
    for script in scripts(page.read_text(encoding="utf-8")):
        assert is_there(ROOT / script.partition("::")[0]), f"{page.name} runs {script}, which is not there"


def test_a_script_that_is_not_there_is_found():
    shown = scripts(
        "```sh\nsudo packaging/gone arm64\n```\n`PYTHONPATH=tests python -m tools.gone`, `python -m tests.bench eye`"
    )
    assert shown == ["packaging/gone", "tests/tools/gone.py", "tests/bench/eye.py"]


def test_a_command_or_option_that_is_not_there_is_found():
    assert commands("```sh\nsudo ./run --install   # once\n```") == ["./run --install"]
    assert takes("companion judge RECORD [--json]")
    assert not takes("companion umpire RECORD")
    assert not takes("companion judge RECORD [--yaml]")
    assert not takes("companion run [--port]")
    assert takes("./run --setup-only")
    assert not takes("./run --teardown")


@pages
def test_every_command_in_the_text_has_a_name_that_the_command_line_knows(page: Path, capsys):
    for span in named(page.read_text(encoding="utf-8")):
        program, *words = spelled_out(span)
        if program == "./run" or words[0].startswith("-"):
            assert takes(span), f"{page.name}: {span}"
            continue
        with pytest.raises(SystemExit) as end:
            parser().parse_args([*words[: 2 if words[0] in ("deck", "game") else 1], "--help"])
        explained = capsys.readouterr()
        assert end.value.code == 0, f"{page.name}: {span}: {explained.err}"
        for option in (word for word in words if word.startswith("--")):
            assert option in explained.out.split(), f"{page.name}: {span}: there is no {option}"


def test_the_contract_shows_every_command(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["--help"])
    known = set(re.findall(r"^    ([a-z]+) ", capsys.readouterr().out, re.MULTILINE))
    shown = {line.split()[1] for line in commands(CONTRACT) if line.startswith("companion ")}
    assert shown >= known, f"not shown: {sorted(known - shown)}"


def explained(*words: str) -> str:
    """What ``-h`` of a command says."""
    with pytest.raises(SystemExit) as end, redirect_stdout(io.StringIO()) as said:
        parser().parse_args([*words, "-h"])
    assert end.value.code == 0
    return said.getvalue()


def named_in(text: str) -> list[str]:
    return re.findall(r"^    ([a-z]+)(?: |$)", text, re.MULTILINE)


def options_in(text: str) -> set[str]:
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE)) - {"--help"}


COMMANDS = [
    (name, *more)
    for name in named_in(explained())
    for more in ([(one,) for one in named_in(explained(name))] if name in ("deck", "game") else [()])
]


def said_in_the_contract(command: tuple[str, ...]) -> str:
    """All that its second section says of a command: what names it, and what that refers to."""
    section = CONTRACT.split("## 2. The command line\n")[1].split("\n## 3.")[0]
    paragraphs = section.split("\n\n")
    pieces = [line for one in paragraphs for line in (one.splitlines() if one.startswith("|") else [one])]
    name = " ".join(command)
    found = [one for one in pieces if re.search(rf"`companion {name}\b|`{command[-1]}`", one)]
    for part in re.findall(r"See \*(\w+)\*", "\n".join(found)):
        at = next(number for number, one in enumerate(paragraphs) if one.startswith(f"**{part}"))
        found += paragraphs[at : at + 2]
    for other in re.findall(rf"`companion {name}\b[^`]*` takes the options of `companion (\w+)`", "\n".join(found)):
        found += [said_in_the_contract((other,))]
    return "\n".join(found)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_contract_says_of_every_command_what_its_help_says(command: tuple[str, ...]) -> None:
    """A new option is written down with the change that brings it, where its command is."""
    help_text, contract = explained(*command), said_in_the_contract(command)
    assert {one for one in options_in(help_text) if not re.search(rf"{one}\b", contract)} == set()
    shown = re.findall(rf"`companion {' '.join(command)}\b([^`]*)`", contract)
    assert {option for line in shown for option in re.findall(r"--[a-z-]+", line)} <= options_in(help_text)


SCRIPTS = ["run", "test", *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "packaging").iterdir()))]
SCRIPTS = [name for name in SCRIPTS if (ROOT / name).is_file() and (ROOT / name).read_bytes()[:9] == b"#!/bin/sh"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_says_what_it_can_do_and_does_nothing_but_that(script: str, tmp_path: Path) -> None:
    asked = [
        subprocess.run(
            ["sh", str(ROOT / script), word],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "COMPANION_PYTHON": "/bin/false", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        for word in ("-h", "--help")
    ]
    assert [(one.returncode, one.stderr) for one in asked] == [(0, ""), (0, "")]
    help_text, text = asked[0].stdout, (ROOT / script).read_text("utf-8")
    assert help_text == asked[1].stdout
    assert script in help_text or script in ("run", "test")
    for option in set(re.findall(r"^ *(?:[\w|* -]*\| )?(--[a-z-]+)(?: \| --[a-z-]+)*\)", text, re.MULTILINE)) - {
        "--version"
    }:
        assert option in help_text, f"{script} knows {option} and does not say so"
    if script in ("run", "test"):
        for page in PAGES:
            shown = re.findall(rf"\./{script} (--[a-z-]+)", page.read_text("utf-8"))
            own = [option for option in shown if option in _own_options(f"./{script}")]
            assert all(option in help_text for option in own), page.name


def test_the_contracts_json_is_json():
    lines = [line for code in blocks(CONTRACT, "json") for line in code.splitlines()]
    assert [json.loads(line) for line in lines]


def test_the_contracts_match_file_opens_with_its_table_and_position():
    from companion.games.registry import demo_deck, open_match

    table, _, match, position = (tomllib.loads(code) for code in blocks(CONTRACT, "toml")[:4])
    del match["deck"]
    opened = open_match({**match, **table, **position}, demo_deck())
    standing = opened.game.board.standing(opened.game.public(opened.game.rules.start))
    assert (standing.turn, standing.counters["hands"], standing.counters["stack"]) == (1, (5, 5, 5), 31)
    assert opened.layout.zone_at(80.0, 600.0) == "commands"


def test_the_contracts_settings_can_be_read(tmp_path: Path):
    from companion.storage.settings import read_settings

    examples = blocks(CONTRACT, "toml")
    (tmp_path / "settings.toml").write_text(examples[4] + examples[0], encoding="utf-8")
    settings = read_settings(tmp_path)
    assert settings.sections["mqtt"]["table"] == "living-room"
    assert settings.layout is not None
    assert settings.layout.size_mm == (1100.0, 650.0)


def test_the_contracts_example_card_is_one_of_the_demo_deck():
    from companion.games.registry import demo_deck

    deck = tomllib.loads(blocks(CONTRACT, "toml")[1])
    assert deck["deck"] == demo_deck()["deck"]
    assert deck["card"][0] in demo_deck()["card"]


def test_the_contracts_stickers_have_their_check_characters():
    assert {sticker_token(text) for text in re.findall(r"`(DX\w+)`", CONTRACT)} == {"C18", "KEND"}


def test_a_family_finds_its_file_by_one_name_and_by_the_command_that_makes_it():
    """README, ``start.md``, the command and the release speak of the same file."""
    readme, start, bundle, release = (
        (ROOT / name).read_text("utf-8")
        for name in ("README.md", "docs/start.md", "packaging/bundle", "packaging/release")
    )
    assert "(docs/start.md#the-files)" in readme
    files = start.split("### The files\n")[1].split("\n### ")[0]
    step = start.split("### A folder on the card\n")[1]
    for text in (files, step):
        assert "`companion_*_raspberry-pi_arm64.zip`" in text
    assert "`sh packaging/bundle`" in files
    assert "(#the-files)" in step
    assert "/companion_${version}_raspberry-pi_$kind.zip" in bundle
    assert "*_raspberry-pi_arm64.zip)" in release


def test_the_afternoon_of_a_family_counts_the_cards():
    """Its first lines left out that 54 cards are entered one after the other."""
    afternoon = (ROOT / "docs" / "start.md").read_text(encoding="utf-8").split("\n## ")[0].replace("\n", " ")
    assert "Count on an afternoon" in afternoon
    for part in ("for the Pi", "for the stickers", "for the cards", "54"):
        assert part in afternoon


def test_the_page_of_all_that_a_game_may_fill_in_is_made_of_the_docstrings():
    from companion.games.reference import reference

    made = (ROOT / "docs" / "game-reference.md").read_text(encoding="utf-8")
    assert made == reference(), "a docstring was changed: companion game reference >docs/game-reference.md"
    assert "(game-reference.md)" in (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> list[str]:
    """The code of the first column of the tables under a heading of the contract."""
    section = CONTRACT.split(f"{heading}\n", 1)[1].split("\n## ", 1)[0].split("\n### ", 1)[0]
    lines = section.splitlines()
    headers = {before for before, line in pairwise(lines) if line.startswith("|---")}
    rows = [line.split("|")[1] for line in lines if line.startswith("| `") and line not in headers]
    return [span for cell in rows for span in INLINE.findall(cell)]


def test_the_contract_names_every_move_and_no_other():
    from companion.games.discovery.moves import MOVES

    failures = {"era-not-open", "already-placed", "not-there", "prerequisites"}
    assert set(first_cells("### 7.4 Moves")) - failures == set(MOVES)


def test_the_contract_names_every_event_and_no_other():
    from companion.history import events

    kinds = {kind.__name__.removesuffix("Asked").lower() for kind in events.Event.__args__}
    kinds.remove("turntold")  # written as corrected, so that a program from before reads it
    assert set(first_cells("### 7.2 Events")) == kinds | {"dealt"}


def test_the_contract_names_every_route_and_no_other():
    from web.api.openapi import document

    def shown_as(path: str) -> str:
        path = path.removeprefix("/api/v1").replace("{match_id}", "ID")
        return (
            path.replace("{number}/{place}", "NUMBER/K")
            .replace("{name}", "NAME")
            .replace("{card}", "CARD")
            .replace("{piece}", "PIECE")
            .replace("{at}", "AT")
        )

    routes = {
        f"{method.upper()} {shown_as(path)}"
        for path, methods in document()["paths"].items()
        for method in methods
        if path.startswith("/api/v1")
    }
    shown = {route for route in first_cells("## 8. HTTP") if route.startswith(("GET", "POST"))}
    assert shown == routes


def test_contributing_says_where_things_are():
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Where is what\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.endswith("` |")]
    assert len(rows) == 27
    for question, answer in rows:
        assert question.endswith("?")
        assert (ROOT / answer.strip("`")).is_file(), f"{question} {answer} is not there"
    assert len({answer for _, answer in rows}) == len(rows)


def test_every_library_of_the_program_says_why_it_is_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["hub"]]
    first = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8").split("\nOnly tests")[0]
    rows = [row.split("|")[1:-1] for row in first.splitlines() if row.startswith("| ")]
    named = " ".join(row[1] for row in rows)
    for library in wanted:
        assert f"`{re.split('[>=<[]', library)[0]}`" in named, f"{library} is not in the table"
    assert all(len(row) == 5 for row in rows), "a row lacks what it is for, why, size or release"


HEADER = {17: 11, 27: 13, 22: 15, 18: 12, 5: 29, 6: 31, 13: 33}
"""Where these GPIO numbers are in the header of 40 pins (the Raspberry Pi's own documentation)."""


def test_the_picture_of_the_wiring_shows_the_pins_that_the_companion_takes():
    taken = {*DEFAULT_WIRING.lamp, DEFAULT_WIRING.buzzer, *(button.pin for button in DEFAULT_WIRING.buttons)}
    drawn = re.findall(r"(\d+) · GPIO (\d+)", (ROOT / "docs" / "wiring.svg").read_text("utf-8"))
    assert sorted((int(place), int(pin)) for place, pin in drawn) == sorted((HEADER[pin], pin) for pin in taken)


@pytest.mark.parametrize("package", ["debian", "debian-hub"])
def test_no_package_that_depends_on_debians_says_that_its_installing_needs_no_internet(package: str):
    """A minimal Debian fetched 24 packages for one that said so."""
    control = " ".join((ROOT / "packaging" / package / "control").read_text("utf-8").split())
    assert "python3-venv" in control
    assert (
        "come from Debian, by the internet, where they are not installed yet. It runs without the internet." in control
    )
    for script in ("deb", "deb-hub"):
        head = (ROOT / "packaging" / script).read_text("utf-8")
        assert "installing it needs no internet" not in head


def test_the_wheel_is_installed_into_an_environment_of_its_own() -> None:
    """Another wheel may hold a package of the same name: `pip install web.py` replaced web/__init__.py."""
    lines = [
        line for page in PAGES for line in page.read_text("utf-8").splitlines() if "pip install ./companion" in line
    ]
    assert lines
    assert all("into an environment of its own" in line for line in lines)
