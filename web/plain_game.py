"""The old name of what ``web.door`` hands out; packages of games that were made earlier import it from here."""

from web.pages.plain import pages_of_games, plain_pages, read_report

__all__ = ["pages_of_games", "plain_pages", "read_report"]
