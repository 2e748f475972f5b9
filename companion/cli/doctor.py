"""``companion doctor``: checks the box, and prints what is wrong and what to do."""

from __future__ import annotations

import argparse

from companion.cli.output import data_folder, print_line


def doctor(arguments: argparse.Namespace) -> int:
    from companion.system.camera_check import camera_checks, in_english, lamps, pins, try_out_lamps, try_out_pins
    from companion.system.doctor import examine, health, report, usual_checks
    from hardware.pins import pin_library

    folder = data_folder(arguments.data)
    running = health(arguments.port)
    more = (
        ("pins", lambda: pins(lambda: try_out_pins(folder), busy=running is not None, library=pin_library())),
        ("lamps", lambda: lamps(() if running is not None else try_out_lamps(folder))),
        *camera_checks(arguments.source, folder, running),
    )
    checks = usual_checks(lambda: running, folder, more)
    return report(examine(checks), print_line, in_english(), as_json=arguments.json)
