"""Apprise as the channel, against real receivers: what arrives, and what is known of the rest."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from countersign.notices.addresses import Address
from countersign.notices.apprise import AppriseChannels
from countersign.notices.message import Message
from devhost.process import free_port

if TYPE_CHECKING:
    from conftest import Hook, Postbox

# Apprise imports it for a library that needs it, where there still is one.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

LINK = "https://reports.example/api/review?operation=research-1&version=1"
MESSAGE = Message(subject="To decide: “Tides”", lines=("Asked for by Rita", "Ümläuts"), link=LINK)


def at(*urls: str) -> list[Address]:
    return [Address(label=f"{n}", url=url) for n, url in enumerate(urls, start=1)]


async def test_a_hook_is_posted_the_subject_and_the_text_with_the_link(hook: Hook) -> None:
    delivery = await AppriseChannels().send(at(hook.url), MESSAGE)
    assert (delivery.taken, delivery.failed) == (("1",), {})
    [body] = hook.bodies
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


async def test_a_service_of_markdown_gets_a_marked_link(hook: Hook) -> None:
    await AppriseChannels().send(at(f"{hook.url}?format=markdown"), MESSAGE)
    [body] = hook.bodies
    assert body["message"].endswith(f"](<{LINK}>)")


async def test_a_service_of_html_gets_a_link_and_escaped_text(hook: Hook) -> None:
    await AppriseChannels().send(at(f"{hook.url}?format=html"), MESSAGE)
    [body] = hook.bodies
    assert f'<a href="{LINK.replace("&", "&amp;")}">' in body["message"]


async def test_no_message_fetches_a_picture_or_fills_a_name_in(
    hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPRISE_TEMPLATE_NAME", "secret")
    message = Message(subject="${NAME}", lines=("\\u0041 ${NAME} :smile:",), link=None)
    await AppriseChannels().send(at(hook.url), message)
    [body] = hook.bodies
    assert body["title"] == "${NAME}"
    assert body["message"].startswith("\\u0041 ${NAME} :smile:")
    assert "http" not in repr(body)


async def test_one_failing_channel_keeps_no_other_from_hearing(hook: Hook) -> None:
    dead = f"json://127.0.0.1:{free_port()}/token"
    delivery = await AppriseChannels().send(at(dead, "nonsense://x", hook.url), MESSAGE)
    assert delivery.taken == ("3",)
    assert delivery.failed == {
        "1": "it could not be reached or refused",
        "2": "its URL is none that Apprise understands",
    }
    assert len(hook.bodies) == 1


async def test_a_refusal_is_known_by_its_status_and_not_tried_again(hook: Hook) -> None:
    hook.status = 503
    delivery = await AppriseChannels().send(at(hook.url), MESSAGE)
    assert delivery.failed == {"1": "it answered 503"}
    assert len(hook.bodies) == 1


async def test_a_channel_that_may_fail_is_still_shown_to_have_failed(hook: Hook) -> None:
    hook.status = 404
    delivery = await AppriseChannels().send(at(f"{hook.url}?optional=yes"), MESSAGE)
    assert delivery.failed == {"1": "it answered 404"}


async def test_a_channel_that_hangs_is_left_after_the_time_that_it_has(hook: Hook) -> None:
    hook.speaks.clear()
    began = time.monotonic()
    delivery = await AppriseChannels(seconds=0.5).send(at(f"{hook.url}?rto=30"), MESSAGE)
    assert time.monotonic() - began < 3
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
    hook: Hook, status: int, log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    hook.status = status
    url = hook.url.replace("json://", "json://user:secret1@")
    broken = ["json://user:secret3@", "mailto://secret4"]
    delivery = await AppriseChannels().send(at(f"{url}/secret2?-k=secret5", *broken), MESSAGE)
    everything = f"{log.getvalue()}{capfd.readouterr()}{delivery}"
    assert "secret" not in everything
    assert "user" not in everything
