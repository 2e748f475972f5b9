"""What does not work on a page in somebody's browser is told to the host, whoever else sends what."""

from __future__ import annotations

from web.middleware.idempotency import Visitor
from web.middleware.page_faults import MOST, PageFaults

HOST: Visitor = (True, "the host's code")


def told(faults: PageFaults) -> list[str]:
    return [found["what"].params["page"] for found in faults.findings()]  # type: ignore[union-attr]


def test_a_stranger_who_sends_many_leaves_room_for_all_others() -> None:
    faults = PageFaults()
    for number in range(200):
        faults.keep(f"/nonsense{number}", "nothing", (False, "192.168.1.66"))
    assert len(told(faults)) == 4, "some are of use: it may be somebody's old television"
    for number in range(5):
        faults.keep(f"/tv{number}", "board: Error", (False, f"192.168.1.{number}"))
    assert {f"/tv{number}" for number in range(5)} <= set(told(faults))


def test_as_many_strangers_as_there_are_places_keep_nobody_out_who_joined() -> None:
    faults = PageFaults()
    for sender in range(3 * MOST):
        for number in range(4):
            faults.keep(f"/nonsense{number}", f"{sender}", (False, f"192.168.1.{sender}"))
    assert len(told(faults)) == MOST
    faults.keep("/host", "board: Error", HOST)
    assert "/host" in told(faults)
    assert len(told(faults)) == MOST + 1


def test_a_late_sender_takes_a_place_of_the_one_who_sent_most() -> None:
    faults = PageFaults()
    for sender in range(5):
        for number in range(4):
            faults.keep(f"/{sender}{number}", "x", (False, f"{sender}"))
    assert len(told(faults)) == MOST
    faults.keep("/tv", "x", (False, "the television"))
    assert len(told(faults)) == MOST
    assert "/tv" in told(faults)


def test_a_fault_that_two_browsers_have_is_told_once() -> None:
    faults = PageFaults()
    for who in (HOST, (False, "192.168.1.2")):
        faults.keep("/tv", "board: Error", who)
        faults.keep("/tv", "board: Error", who)
    assert told(faults) == ["/tv"]
