"""The second judge's referee: a match record entry by entry, with strikes, claims, allowed cards and corrections."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reference.judge import Oracle

JSON = Any
SILENT_EVENTS = {"settled", "unexplained", "question", "paused", "resumed"}


def read(path: Path) -> tuple[JSON, list[JSON]]:
    """The header and the entries of a record, each entry with its number."""
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return header, [{"number": number} | line for number, line in enumerate(lines, 1)]


class Referee:
    """Answers what each entry of a record should have said."""

    def __init__(self, header: JSON) -> None:
        self.header = header
        self.refused: dict[int, JSON] = {}
        self.counted: list[JSON] = []
        self.oracle = self.fresh()

    def fresh(self) -> Oracle:
        return Oracle(self.header["match"], self.header["deck"])

    def entry(self, line: JSON) -> JSON:
        """The event, points, objections, notes and standing that belong to this entry."""
        number, time_s, event = line["number"], line.get("time_s"), line.get("event")
        if event in SILENT_EVENTS:
            return {"event": event, "standing": self.oracle.standing()}
        if "move" in line:
            found = self.oracle.judge(line["move"], number, time_s)
            if found and not self.oracle.stands(line["move"], found):
                self.refused[number] = line
                wrong = [{"rule": rule, "cards": list(cards)} for rule, cards in sorted(found)]
                return {"event": "refused", "objections": wrong, "standing": self.oracle.standing()}
            event = "dealt" if line["move"]["do"] == "deal" else "played"
            return {"event": event} | self.count(line | {"counts": line["move"]})
        if event == "allowed":
            move = self.refused.pop(line["allows"])["move"]
            if not self.oracle.possible(move):  # the players may let much stand, but no card lies in two places
                return {"event": event, "standing": self.oracle.standing()}
            return {"event": event} | self.count(line | {"counts": move})
        if event == "corrected" and "turn" in line:  # only said
            return {"event": event, "standing": self.oracle.standing()}
        if event in ("corrected", "seated"):
            return {"event": event} | self.count(line)
        if event == "struck":
            self.counted = [old for old in self.counted if old["number"] != line["strikes"]]
        elif event == "claimed":
            for old in self.counted:
                if old["number"] == line["claims"]:
                    old["counts"] = old["counts"] | {"by": line["by"]}
        else:
            raise ValueError(f"unknown event {event!r}")
        self.oracle = self.fresh()
        for old in self.counted:
            self.carry_out(old)
        return {"event": event, "standing": self.oracle.standing()}

    def count(self, line: JSON) -> JSON:
        self.counted.append(line)
        return self.carry_out(line)

    def carry_out(self, line: JSON) -> JSON:
        if line.get("event") == "seated":
            return self.seat(line)
        if line.get("event") != "corrected":
            return self.oracle.play(line["counts"], line["number"], line.get("time_s"))
        before = self.oracle.total()
        if "hands" in line:
            self.oracle.hands = [0, *line["hands"]]
        if "stack" in line:
            self.oracle.stack = line["stack"]
        if self.oracle.total() != before:
            raise ValueError("the cards would no longer add up")
        self.oracle.counted(line["number"], line.get("time_s"))
        return {"standing": self.oracle.standing()}

    def seat(self, line: JSON) -> JSON:
        """Somebody came or left (Y2, Y3); a new name changes nothing that is counted."""
        if "here" in line:
            seat, when = line["seat"], (line["number"], line.get("time_s"))
            could = self.oracle.take_seat(seat) if line["here"] else self.oracle.leave_seat(seat, *when)
            if not could:
                raise ValueError(f"nobody can come or leave at seat {seat} now")
        return {"standing": self.oracle.standing()}
