"""What a game is made of, as a page to read: the names, shapes and docstrings of the interfaces that a game fills in.

Read from the source, so that it shows what somebody wrote and nothing that a dataclass adds.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

MODULES = {
    "companion.games.protocol": "The match",
    "companion.games.game_module": "Before there is a match",
    "companion.public.table": "Things, places and seats",
    "companion.public.layout": "Zones",
    "companion.public.shapes": "Sizes of things",
    "companion.public.standing": "The scoreboard and what phones offer",
    "companion.public.text": "Words for people",
    "companion.public.decks": "Decks",
    "companion.simulation.people": "The people of the simulated table",
    "companion.simulation.scoreboard": "What they know of the match",
    "companion.simulation.deeds": "What they do",
    "companion.simulation.visitors": "Visitors who play a seat",
    "companion.simulation.stage": "Where their things lie",
    "companion.games.random_people": "People who play any game",
    "web.pages.game_pages": "Pages",
}
OWN_TO_THE_PROGRAM = {
    "web.pages.game_pages": {
        "own_pages",
        "fault_of_pages",
        "install_games",
        "pages_of",
        "read_report",
        "NEEDED",
        "log",
    },
    "companion.simulation.stage": {"TableStage"},
    "companion.simulation.deeds": {"Errand"},
    "companion.simulation.visitors": {"Visitors", "ABSENT_S", "MOST_WAITING", "Sitting"},
}
"""What is public for the program's own use, and nothing that a game fills in or calls."""

HEAD = """# What a game is made of

For authors of a game, who begin with [adding-a-game.md](adding-a-game.md). `companion game reference` prints this page.
It is made of the docstrings: what is wrong here is wrong there.
"""
_LIST = re.compile(r"(Attributes|Args|Returns|Raises):\n")
_ITEM = re.compile(r"^(\S[^:\n]*): (.*(?:\n {2,}\S.*)*)", re.MULTILINE)


def reference() -> str:
    """The page, as Markdown."""
    index = "\n".join(f"- [{title}](#{_anchor(title)}): `{name}`" for name, title in MODULES.items())
    parts = [HEAD, index + "\n"]
    for name, title in MODULES.items():
        tree = ast.parse(_source(name))
        parts += [f"## {title}\n", f"`{name}`. {_prose(ast.get_docstring(tree))}"]
        parts += _members(tree.body, OWN_TO_THE_PROGRAM.get(name, set()))
    return "\n".join(part.rstrip() + "\n" for part in parts)


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _source(module: str) -> str:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text("utf-8")


def _members(body: list[ast.stmt], left_out: Iterable[str]) -> Iterator[str]:
    """Every public name of a module that says something of itself."""
    for at, node in enumerate(body):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) if name.startswith("_") or name in left_out:
                continue
            case ast.ClassDef():
                yield from _class(node)
            case ast.FunctionDef() if ast.get_docstring(node):
                yield f"### {node.name}\n"
                yield _code(_signature(node))
                yield _prose(ast.get_docstring(node))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                told = _string(body[at + 1 : at + 2])
                if told and not name.startswith("_") and name not in left_out:
                    yield f"### {name}\n"
                    yield _code(_unparsed(node))
                    yield _prose(told)
            case _:
                continue


def _class(node: ast.ClassDef) -> Iterator[str]:
    """Its fields as they are written, what its docstring says, and its public methods."""
    yield f"### {node.name}\n"
    bases = [name for name in map(_unparsed, node.bases) if name != "ABC"]
    fields = [_unparsed(one) for one in node.body if isinstance(one, ast.AnnAssign)]
    methods = [
        one
        for one in node.body
        if isinstance(one, ast.FunctionDef) and (not one.name.startswith("_") or one.name == "__init__")
    ]
    lines = [f"class {node.name}" + (f"({', '.join(bases)})" if bases else "")]
    lines += [f"    {line}" for line in fields]
    lines += [f"    {line}" for one in methods for line in _signature(one).splitlines()]
    yield _code("\n".join(lines))
    yield _prose(ast.get_docstring(node))
    told = [(one.name, ast.get_docstring(one)) for one in methods]
    if items := [_item(name, text) for name, text in told if text]:
        yield "\n".join(items) + "\n"


def _signature(node: ast.FunctionDef) -> str:
    arguments = _unparsed(node.args)
    is_property = any(_unparsed(one) == "property" for one in node.decorator_list)
    given = f" -> {_unparsed(node.returns)}" if node.returns is not None else ""
    if is_property:
        return f"{node.name}: {given.removeprefix(' -> ')}  # read only"
    return f"def {node.name}({arguments}){given}"


def _string(body: list[ast.stmt]) -> str:
    """The string below a name, which is its docstring."""
    match body:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return inspect.cleandoc(text)
        case _:
            return ""


def _unparsed(node: ast.AST) -> str:
    """Source text, with the quotation marks of this project."""
    return re.sub(r"'([^'\"]*)'", r'"\1"', ast.unparse(node))


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _item(name: str, text: str) -> str:
    return textwrap.indent(f"- `{name}`: {_prose(text).strip()}", "  ").removeprefix("  ")


def _prose(text: str | None) -> str:
    """A docstring as Markdown: its lists as lists, its examples as code."""
    if not text:
        return ""
    paragraphs = []
    for paragraph in re.split(r"\n\n+", text.replace("``", "`")):
        listed = _LIST.match(paragraph)
        if listed:
            items = textwrap.dedent(paragraph[listed.end() :])
            found = [f"- `{name}`: {' '.join(words.split())}" for name, words in _ITEM.findall(items)]
            paragraphs.append(f"**{listed[1]}**\n\n" + ("\n".join(found) or " ".join(items.split())))
        elif paragraph.lstrip().startswith(">>>"):
            paragraphs.append(_code(textwrap.dedent(paragraph)).strip())
        else:
            paragraphs.append(" ".join(paragraph.split()))
    return "\n\n".join(paragraphs) + "\n"
