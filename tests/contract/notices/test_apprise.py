"""Apprise as the channel, against real receivers: what arrives, and what is known of the rest."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from countersign.notices.addresses import Address
from countersign.notices.apprise import AppriseChannels
from countersign.notices.message import Message
from devhost.process import free_port
from testbed.listener import Listener

if TYPE_CHECKING:
    from conftest import Postbox

# Apprise imports it for a library that needs it, where there still is one.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

LINK = "https://reports.example/api/review?operation=research-1&version=1"
MESSAGE = Message(
    subject="Decision needed: “Tides”", lines=("Requested by Rita", "Ümläuts"), link=LINK
)


def at(*urls: str) -> list[Address]:
    return [Address(label=f"{n}", url=url) for n, url in enumerate(urls, start=1)]


async def test_a_hook_is_posted_the_subject_and_the_text_with_the_link(listener: Listener) -> None:
    delivery = await AppriseChannels().send(at(listener.url), MESSAGE)
    assert (delivery.taken, delivery.failed) == (("1",), {})
    [body] = listener.bodies
    assert body["title"] == MESSAGE.subject
    assert body["message"] == MESSAGE.text


async def test_a_mail_is_plain_text_and_keeps_its_letters(postbox: Postbox) -> None:
    delivery = await AppriseChannels().send(at(postbox.url), MESSAGE)
    assert delivery.failed == {}
    [mail] = postbox.mails
    assert mail["Subject"] == MESSAGE.subject
    assert mail["To"] == "ann@home.example"
    body = mail.get_body(("plain",))
    assert body is not None
    assert body.get_content().splitlines() == MESSAGE.text.splitlines()
    assert mail.get_body(("html",)) is None


async def test_a_service_of_markdown_gets_a_marked_link(listener: Listener) -> None:
    await AppriseChannels().send(at(f"{listener.url}?format=markdown"), MESSAGE)
    [body] = listener.bodies
    assert body["message"].endswith(f"](<{LINK}>)")


async def test_a_service_of_html_gets_a_link_and_escaped_text(listener: Listener) -> None:
    await AppriseChannels().send(at(f"{listener.url}?format=html"), MESSAGE)
    [body] = listener.bodies
    assert f'<a href="{LINK.replace("&", "&amp;")}">' in body["message"]


async def test_no_message_fetches_a_picture_or_fills_a_name_in(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPRISE_TEMPLATE_NAME", "secret")
    message = Message(subject="${NAME}", lines=("\\u0041 ${NAME} :smile:",), link=None)
    await AppriseChannels().send(at(listener.url), message)
    [body] = listener.bodies
    assert body["title"] == "${NAME}"
    assert body["message"].startswith("\\u0041 ${NAME} :smile:")
    assert "http" not in repr(body)


async def test_one_failing_channel_keeps_no_other_from_hearing(listener: Listener) -> None:
    dead = f"json://127.0.0.1:{free_port()}/token"
    delivery = await AppriseChannels().send(at(dead, "nonsense://x", listener.url), MESSAGE)
    assert delivery.taken == ("3",)
    assert delivery.failed == {
        "1": "it could not be reached or refused",
        "2": "Apprise does not understand its URL",
    }
    assert len(listener.bodies) == 1


async def test_a_refusal_is_known_by_its_status_and_not_tried_again(listener: Listener) -> None:
    listener.status = 503
    delivery = await AppriseChannels().send(at(listener.url), MESSAGE)
    assert delivery.failed == {"1": "it answered 503"}
    assert len(listener.bodies) == 1


async def test_a_channel_that_may_fail_is_still_shown_to_have_failed(listener: Listener) -> None:
    listener.status = 404
    delivery = await AppriseChannels().send(at(f"{listener.url}?optional=yes"), MESSAGE)
    assert delivery.failed == {"1": "it answered 404"}


async def test_a_channel_that_hangs_is_left_after_the_time_that_it_has(listener: Listener) -> None:
    listener.speaks.clear()
    delivery = await AppriseChannels(seconds=0.5).send(at(f"{listener.url}?rto=30"), MESSAGE)
    assert delivery.failed == {"1": "no answer in 0.5 seconds"}


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What a host writes down that writes everything down."""
    written = io.StringIO()
    handler, root = logging.StreamHandler(written), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.setLevel(before)
    root.removeHandler(handler)


@pytest.mark.parametrize("status", [200, 500])
async def test_no_part_of_a_url_gets_into_a_log(
    listener: Listener, status: int, log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    listener.status = status
    url = listener.url.replace("json://", "json://user:secret1@")
    broken = ["json://user:secret3@", "mailto://secret4"]
    delivery = await AppriseChannels().send(at(f"{url}/secret2?-k=secret5", *broken), MESSAGE)
    everything = f"{log.getvalue()}{capfd.readouterr()}{delivery}"
    assert "secret" not in everything
    assert "user" not in everything
