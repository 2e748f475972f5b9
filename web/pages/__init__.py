"""The pages: scoreboard, seats, stored matches, the set-up form.

Imports ``web.middleware``, ``web.language`` and ``companion.public``; what a page shows comes from a service.
"""

from web.pages import scoreboard
from web.pages.page import pages

__all__ = ["pages", "scoreboard"]
