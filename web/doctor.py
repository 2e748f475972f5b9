"""The findings of ``companion doctor``, for the API and for the doctor's page."""

from __future__ import annotations

from flask import g

from companion.public.text import JSON
from web.middleware.context import context, render
from web.middleware.problems import Problem


def findings() -> list[JSON]:
    """The current findings, in the reader's language.

    Raises:
        Problem: This machine has no doctor.
    """
    if (examine := context().system.examine) is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    found = [*examine(), *context().page_faults.findings()]
    return [{**one, "what": render(one["what"]), "to_do": render(one["to_do"])} for one in found]
