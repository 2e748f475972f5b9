"""A client that openapi-python-client makes from the table's own description runs against that table."""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.real_desk import RealDesk, code_of

from web.api.openapi import document

pytestmark = pytest.mark.slow  # it writes some two hundred modules


def media_types() -> set[str]:
    """What is sent as it is, and not as JSON."""
    operations = [operation for methods in document()["paths"].values() for operation in methods.values()]
    bodies = [operation["requestBody"] for operation in operations if "requestBody" in operation]
    answers = [operation["responses"]["200"] for operation in operations]
    return {kind for one in (*bodies, *answers) for kind in one["content"]} - {"application/json", "text/event-stream"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The client as its users import it; a warning of its maker fails the test."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(document()), encoding="utf-8")
    overrides = dict.fromkeys(sorted(media_types()), "application/octet-stream")
    config = {"post_hooks": [], "content_type_overrides": overrides}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    maker = [Path(sys.executable).with_name("openapi-python-client"), "generate", "--meta", "none", "--fail-on-warning"]
    files = ["--path", "openapi.json", "--config", "config.json", "--output-path", "table_client"]
    run = subprocess.run([*maker, *files], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module("table_client")


def test_every_module_of_the_client_is_imported_and_every_operation_is_there(made: ModuleType):
    modules = [one.name for one in pkgutil.walk_packages(made.__path__, "table_client.")]
    for name in modules:
        importlib.import_module(name)
    operations = [one for methods in document()["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations) > 60
    assert {f"table_client.api.{one['tags'][0]}.{one['operationId']}" for one in operations} <= set(modules)


def call(operation: str, client: Any, **more: Any) -> Any:
    """What an operation answers, as the client understands it."""
    return importlib.import_module(f"table_client.api.{operation}").sync(client=client, **more)


def test_a_program_joins_a_seat_plays_and_takes_it_back(made: ModuleType, desk: RealDesk, serve: Callable[..., str]):
    models, address = importlib.import_module("table_client.models"), serve(desk)
    with made.Client(address, raise_on_unexpected_status=True) as stranger:
        before = call("match.standing", stranger)
        assert (before.number, before.standing.turn, before.seats[0]) == (3, 1, "Ana")
        welcome = call("joining.join", stranger, body=models.JoinBody(code_of(1)))
        assert (welcome.role, welcome.seat) == ("seat", 1)

    with made.AuthenticatedClient(address, welcome.code, raise_on_unexpected_status=True) as ana:
        said = models.MovesBody(models.SpokenMove(do="end_turn", by=1), after=before.number)
        entry = call("match.moves", ana, body=said)
        assert (entry.event, entry.move["do"], entry.standing.turn) == ("played", "end_turn", 2)
        stale = call("match.moves", ana, body=said)
        assert (stale.status, stale["number"]) == (409, entry.number)
        undo = models.CorrectionBody(models.CorrectionBodyDo.UNDO, number=entry.number, after=entry.number)
        struck = call("match.corrections", ana, body=undo)
        assert (struck.event, struck["strikes"], struck.standing.turn) == ("struck", entry.number, 1)


def test_what_a_program_may_not_do_is_a_problem_with_its_reason(
    made: ModuleType, desk: RealDesk, serve: Callable[..., str]
):
    with made.AuthenticatedClient(serve(desk), code_of(1)) as ana:
        problem = call("system.box", ana)
    assert (problem.status, problem.title) == (403, "Forbidden")
    assert problem.detail
