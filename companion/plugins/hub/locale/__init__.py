"""The words of a hub, beside those of tables and games."""

from pathlib import Path

LOCALE_FOLDER = Path(__file__).parent
