"""The project's own benchmarks, each against a baseline that is measured in the same run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from companion.cli.bench import durable, growth, hub, phones, rules, strangers, table
from companion.cli.output import DONE, say
from companion.cli.progress import ProgressLine
from companion.errors import InputError


def eye(long: bool) -> Iterator[str]:
    """Films that the eye draws itself, beside reading every picture whole."""
    from vision.benchmarks.run import bench

    for name, figure in bench(long):
        yield f"eye: {name}: {figure}"


BENCHES: Mapping[str, Callable[[bool], Iterator[str]]] = MappingProxyType(
    {
        "durable": durable.durable,
        "eye": eye,
        "growth": growth.growth,
        "hub": hub.hub,
        "phones": phones.phones,
        "rules": rules.rules,
        "strangers": strangers.strangers,
        "table": table.table,
    }
)
"""Each by its name on the command line; the argument: take longer, for all films and seeds."""


def bench(arguments: argparse.Namespace) -> int:
    """Run one benchmark, or all."""
    names: Sequence[str] = list(BENCHES) if arguments.name is None else [arguments.name]
    benches: dict[str, Callable[[bool], Iterator[str]]] = {
        **BENCHES,
        "durable": partial(durable.durable, kills=arguments.kills, seed=arguments.seed),
        "growth": partial(growth.growth, minutes=arguments.minutes),
    }
    for number, name in enumerate(names, 1):
        if name not in benches:
            raise InputError(f"there is no bench {name!r}; there are {', '.join(benches)}")
        with ProgressLine(f"Measuring {name}, bench", len(names)) as progress:
            progress.at(number)
            for line in benches[name](arguments.long):
                say(line)
    return DONE
