"""Pages are fetched within limits, from sites of this machine that stand for the web's."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Callable
from typing import Any

import pytest

from countersign.web.fetching import MOST_REDIRECTS, Fetcher, NotFetched
from testbed.site import Site

TEXT = "Bees dance to tell where flowers are."


def fetcher(*sites: Site, **limits: Any) -> Fetcher:
    return Fetcher(also=[site.authority for site in sites], **limits)


async def refusal(fetching: Fetcher, address: str) -> str:
    with pytest.raises(NotFetched) as refused:
        await fetching.fetch(address)
    return str(refused.value)


async def test_a_page_comes_as_it_stands_there(site: Site) -> None:
    address = site.says("/bees?of=honey", TEXT, "text/html; charset=ISO-8859-1")
    page = await fetcher(site).fetch(f"{address}#dance")
    assert (page.address, page.data) == (address, TEXT.encode())
    assert (page.media_type, page.charset) == ("text/html", "iso-8859-1")


async def test_the_site_is_told_who_reads_and_asked_first_what_programs_may(site: Site) -> None:
    address = site.says("/bees", TEXT)
    await Fetcher(also=[site.authority], contact="https://app.example").fetch(address)
    assert site.asked == ["/robots.txt", "/bees"]
    assert site.headers["User-Agent"] == "Countersign/1 (+https://app.example)"
    assert site.headers["Host"] == site.authority
    assert not {"Cookie", "Authorization", "Referer"} & site.headers.keys()


@pytest.mark.parametrize(
    "rules",
    [
        "User-agent: *\nDisallow: /private",
        "User-agent: Countersign\nDisallow: /private\nUser-agent: *\nDisallow:",
        "User-agent: *\nDisallow: /*rivate$",
        # the longest rule counts, not the first
        "User-agent: *\nAllow: /p\nDisallow: /private",
    ],
)
async def test_what_a_site_does_not_let_programs_read_is_not_asked_for(
    site: Site, rules: str
) -> None:
    site.says("/robots.txt", rules, "text/plain")
    address, other = site.says("/private", TEXT), site.says("/public", TEXT)
    fetching = fetcher(site)
    assert "robots.txt" in await refusal(fetching, address)
    assert (await fetching.fetch(other)).data == TEXT.encode()
    assert site.asked == ["/robots.txt", "/public"]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_site_that_cannot_say_what_programs_may_read_is_not_read(
    site: Site, status: int
) -> None:
    site.answers("/robots.txt", status)
    address = site.says("/bees", TEXT)
    assert "can't be read now" in await refusal(fetcher(site), address)
    assert "/bees" not in site.asked


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_site_without_rules_is_read(site: Site, status: int) -> None:
    site.answers("/robots.txt", status)
    assert (await fetcher(site).fetch(site.says("/bees", TEXT))).data == TEXT.encode()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_page_that_has_moved_is_read_where_it_is_now(site: Site, status: int) -> None:
    address = site.says("/new", TEXT)
    page = await fetcher(site).fetch(site.leads("/old", "../new", status))
    assert (page.address, page.data) == (address, TEXT.encode())


async def test_each_site_on_the_way_says_itself_what_programs_may_read(
    make_site: Callable[[], Site],
) -> None:
    one, other = make_site(), make_site()
    other.says("/robots.txt", "User-agent: *\nDisallow: /", "text/plain")
    address = one.leads("/bees", other.says("/bees", TEXT))
    assert "robots.txt" in await refusal(fetcher(one, other), address)
    assert other.asked == ["/robots.txt"]


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://168.63.129.16/machine?comp=goalstate",
        "http://[::ffff:127.0.0.1]/",
        "http://[::1]/",
        "http://localhost/",
        "http://2130706433/",
        "http://user@example.com/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:25/",
        "https://[",
        "",
        "//10.0.0.1/",
    ],
)
async def test_no_page_leads_to_what_is_not_on_the_public_internet(site: Site, target: str) -> None:
    told = await refusal(fetcher(site), site.leads("/bees", target))
    assert "not on the public internet" in told or "redirects" in told


async def test_another_port_of_this_machine_is_not_asked(make_site: Callable[[], Site]) -> None:
    one, other = make_site(), make_site()
    address = one.leads("/bees", other.says("/bees", TEXT))
    assert f"port {other.authority.partition(':')[2]}" in await refusal(fetcher(one), address)
    assert other.asked == []


async def test_a_circle_of_redirects_ends(site: Site) -> None:
    address = site.leads("/bees", "/bees")
    assert f"more than {MOST_REDIRECTS} times" in await refusal(fetcher(site), address)
    assert site.asked.count("/bees") == MOST_REDIRECTS + 1


@pytest.mark.parametrize("path", ["/robots.txt", "/bees"])
async def test_a_site_that_answers_nothing_is_left_in_time(site: Site, path: str) -> None:
    address = site.says("/bees", TEXT)
    site.hangs(path)
    assert await refusal(fetcher(site, seconds=0.3), address) == "it took longer than 0.3 seconds"


async def test_a_page_that_never_ends_is_left_as_soon_as_it_is_too_large(site: Site) -> None:
    address = site.says("/bees", b"x" * 1_001)
    assert await refusal(fetcher(site, most_bytes=1_000), address) == "it has more than 1,000 bytes"
    site.says("/bees", b"x" * 1_000)
    assert len((await fetcher(site, most_bytes=1_000).fetch(address)).data) == 1_000


async def test_a_small_page_that_unpacks_to_a_huge_one_is_not_unpacked(site: Site) -> None:
    packed = gzip.compress(b"x" * 10_000_000)
    address = site.says("/bees", packed, **{"Content-Encoding": "gzip"})
    assert "compressed" in await refusal(fetcher(site), address)


@pytest.mark.parametrize("media_type", ["image/png", "application/zip", "", "text/html2", "x" * 99])
async def test_only_types_that_are_documents_are_read(site: Site, media_type: str) -> None:
    told = await refusal(fetcher(site), site.says("/bees", TEXT, media_type))
    assert "is not read" in told
    assert len(told) < 120


@pytest.mark.parametrize("status", [204, 206, 401, 404, 500])
async def test_a_page_that_is_not_there_is_named_by_its_status(site: Site, status: int) -> None:
    told = await refusal(fetcher(site), site.answers("/bees", status))
    assert told == f"the site answered with status {status}"


async def test_a_site_that_is_away_is_named() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        authority = f"127.0.0.1:{closed.getsockname()[1]}"
        told = await refusal(Fetcher(also=[authority]), f"http://{authority}/")
    assert told == "the site can't be reached"


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/",
        "http://[::ffff:169.254.169.254]/",
        "http://10.0.0.1/",
        "http://metadata.invalid/",
    ],
)
async def test_nothing_of_this_machine_or_its_network_is_read(address: str) -> None:
    told = await refusal(Fetcher(), address)
    assert told in ("its host is not on the public internet", "the site can't be reached")
