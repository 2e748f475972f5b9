"""How many numbers a package's code is made of: all numeric literals but 0, 1 and 2.

python -m tests.tools.literals vision/tracking vision/motion vision/codes
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

PLAIN = (0, 1, 2)


def numbers(code: str) -> list[float]:
    """The numeric literals of a module but 0, 1 and 2, in the order of its lines."""
    return [
        node.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
        and node.value not in PLAIN
    ]


def main() -> int:
    for package in sys.argv[1:]:
        modules = sorted(Path(package).glob("*.py"))
        print(f"{package}: {sum(len(numbers(module.read_text())) for module in modules)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
