"""The rows of the rule reference: a letter and how many rows it has."""

from __future__ import annotations

ROWS = {
    "A": 8, "B": 5, "C": 7, "D": 5, "E": 8, "F": 11, "G": 8, "H": 10, "I": 6, "J": 10, "K": 12, "L": 5,
    "M": 5, "N": 4, "O": 5, "P": 8, "Q": 6, "R": 8, "T": 4,
}  # fmt: skip
IDS = [f"{letter}{number}" for letter, count in ROWS.items() for number in range(1, count + 1)]
