"""The door for games: what the pages of a game may import of the web, and nothing else of it.

A game's pages are a value, ``PAGES``, which its package names under ``companion.pages``; nothing else imports them.
"""

from web.pages.game_pages import Counts, GamePages
from web.pages.match_report import PlacedCard, Report
from web.pages.plain import plain_pages
from web.pages.record_reading import Entry, allowed, card_of, claimed, disputed, moments, noted, read_record
from web.pages.tile_report import deal_of, tile_report

__all__ = [
    "Counts",
    "Entry",
    "GamePages",
    "PlacedCard",
    "Report",
    "allowed",
    "card_of",
    "claimed",
    "deal_of",
    "disputed",
    "moments",
    "noted",
    "plain_pages",
    "read_record",
    "tile_report",
]
