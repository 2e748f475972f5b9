"""The import contract of the games' door, for import-linter (``[tool.importlinter]`` in ``pyproject.toml``)."""

from __future__ import annotations

import tomllib
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

GROUPS = ("companion.games", "companion.pages")


class DoorContract(Contract):
    """Nothing imports a package that an entry point names but this package itself.

    Attributes:
        keys: Modules that are for those who come to the door; the packages behind it do not import them.
    """

    type_name = "door"
    keys = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        named = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
        modules = [value.partition(":")[0] for group in GROUPS for value in named[group].values()]
        # What an entry point names is a package itself, or a module of it.
        packages = {one if graph.find_children(one) else one.rpartition(".")[0] for one in modules}
        found = []
        for package in sorted(packages):
            inside = {package, *graph.find_descendants(package)}
            found += [
                (importer, imported)
                for imported in inside
                for importer in graph.find_modules_that_directly_import(imported) - inside
            ]
            found += [(one, key) for key in self.keys for one in graph.find_modules_that_directly_import(key) & inside]
        return ContractCheck(kept=not found, metadata={"found": sorted(found), "packages": packages})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["found"]:
            output.print_error(f"{importer} -> {imported}")
