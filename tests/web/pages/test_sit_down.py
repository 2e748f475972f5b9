"""« Scan, touch a free shape, type a name, play »: a seat is taken with the code on the television."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.browser import AXE, violations
from support.real_desk import HOST_CODE, RealDesk, code_of

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def fine(page: Page) -> None:
    """axe finds nothing, and in 320 pixels with twice the text nothing goes sideways."""
    if AXE.exists():
        assert violations(page) == []
    before = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.evaluate("document.documentElement.style.fontSize = ''")
    if before:
        page.set_viewport_size(before)


def sits_down(page: Page, who: str, name: str = "") -> None:
    page.get_by_role("radio", name=who).check()
    if name:
        page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


def test_a_newcomer_is_let_in_by_the_host_and_every_screen_has_the_name(serve: Callable[..., str], visit: Visit):
    desk = RealDesk()
    address = serve(desk)
    host = visit(f"{address}/host", code=HOST_CODE)
    television = visit(f"{address}/tv", size="television")
    phone = visit(f"{address}/join", size="phone", expected=("404",))
    fine(phone)
    sits_down(phone, "Ben", "Nina")
    expect(phone.locator("#asked")).to_contain_text("Somebody at the table says yes or no now.")
    expect(television.locator("#toast")).to_contain_text("A phone asks to play for Ben")
    asking = host.get_by_role("region", name="Who wants to sit down")
    expect(asking).to_contain_text("Nina wants to play for Ben.")
    fine(host)
    asking.get_by_role("button", name="Let in").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Nina")
    expect(asking).to_be_hidden()
    expect(television.locator("[data-name='2']").first).to_have_text("Nina")


def test_a_phone_that_loads_the_page_anew_goes_on_waiting_and_is_let_in(serve: Callable[..., str], visit: Visit):
    """It slept, or somebody pulled the page down: its own request is not in its way."""
    desk = RealDesk()
    address = serve(desk)
    host = visit(f"{address}/host", code=HOST_CODE)
    phone = visit(f"{address}/join", size="phone", expected=("404", "409"))
    sits_down(phone, "Ben", "Nina")
    expect(phone.locator("#asked")).to_be_visible()
    phone.reload()
    expect(phone.locator("#asked")).to_contain_text("Somebody at the table says yes or no now.")
    host.get_by_role("button", name="Let in").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Nina")


def test_who_scans_a_simulated_table_is_led_to_a_seat(serve: Callable[..., str], visit: Visit):
    page = visit(f"{serve(RealDesk(simulated=True))}/join", size="phone")
    expect(page.locator("main a.main")).to_have_text("Play a seat")


def test_a_no_is_said_and_another_seat_can_be_chosen(serve: Callable[..., str], visit: Visit):
    desk = RealDesk()
    address = serve(desk)
    ana = visit(f"{address}/seat", code=code_of(1))
    phone = visit(f"{address}/join", size="phone", expected=("404", "409"))
    sits_down(phone, "Ben")
    asking = ana.get_by_role("region", name="Who wants to sit down")
    expect(asking).to_contain_text("Ben wants to sit down with a phone.")
    asking.get_by_role("button", name="No").click()
    expect(phone.locator("#note")).to_contain_text("The answer was no.")
    expect(phone.locator(".option", has_text="Ana")).to_have_count(0)
    sits_down(phone, "Cy")
    asking.get_by_role("button", name="Let in").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Cy")


def test_a_host_who_looks_at_a_sleeping_phone_sees_who_asked_meanwhile(serve: Callable[..., str], visit: Visit):
    """No stream brings what was said while there was none."""
    desk = RealDesk()
    host = visit(f"{serve(desk)}/host", code=HOST_CODE)
    expect(host.locator("html")).to_have_attribute("data-link", "live")
    host.evaluate("dispatchEvent(new Event('pagehide'))")
    desk.seat_requests.ask("192.168.1.20", 2, "Nina", None)
    desk.lay()
    host.evaluate("dispatchEvent(new Event('online'))")
    expect(host.get_by_role("region", name="Who wants to sit down")).to_contain_text("Nina wants to play for Ben.")


def test_in_a_silent_game_no_hand_is_shown_before_somebody_has_said_yes(serve: Callable[..., str], visit: Visit):
    desk = RealDesk(profile="fr-bluff")
    phone = visit(f"{serve(desk)}/join", size="phone", expected=("404",))
    sits_down(phone, "Ben")
    expect(phone.locator("#asked")).to_be_visible()
    assert phone.request.get(phone.url.replace("/join", "/api/v1/seat")).status == 403


def test_the_host_closes_the_seats_and_only_codes_are_left(serve: Callable[..., str], visit: Visit):
    desk = RealDesk()
    address = serve(desk)
    host = visit(f"{address}/host", code=HOST_CODE)
    expect(host.locator("html")).to_have_attribute("data-link", "live")
    with host.expect_response("**/api/v1/seats/mode"):
        host.get_by_label("Who sits down with the code on the television").select_option("closed")
    phone = visit(f"{address}/join", size="phone")
    expect(phone.locator("#code")).to_be_visible()
    expect(phone.locator("#sit")).to_have_count(0)
