"""Whatever people do at a table, the eye keeps its laws: stories drawn by chance, and the smallest that once broke one.

``docs/how-it-thinks.md`` says what the laws are; ``python -m tests.tools.laws`` searches for longer, and makes what it
finds smaller.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from support.laws import judge
from support.long_cases import LONG, examples
from support.stories import Story
from support.story_draw import stories
from support.story_film import tell

pytestmark = [pytest.mark.slow, pytest.mark.pixels]
GENERATED = settings(
    derandomize=not LONG,
    phases=(Phase.explicit, Phase.generate),  # made smaller by ``python -m tests.tools.laws``: drawing takes seconds
    suppress_health_check=list(HealthCheck),
    database=None,
    deadline=None,
)


def check(story: Story) -> None:
    """No law is broken; otherwise the story is shown as it can be played again."""
    breaches = judge(tell(story)).breaches
    assert not breaches, f"{story}\n" + "\n".join(f"{one.law} at {one.at_s} s: {one.what}" for one in breaches)


@given(stories("discovery"))
@settings(GENERATED, max_examples=examples(10, 400))
def test_no_story_breaks_a_law(story: Story) -> None:
    check(story)
