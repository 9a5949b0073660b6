"""Which addresses are read, by how they are written and by the numbers that they lead to."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from countersign.web.addresses import UnfitAddress, check_port, is_public, read_address

HOSTILE = (
    # other schemes, and none
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "gopher://example.com/",
    "//example.com/",
    "example.com",
    "",
    "http:",
    "http:example.com",
    "http:///example.com",
    # user names and passwords, also empty ones, and what looks like a host before them
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://@example.com/",
    "http://:@example.com/",
    "http://example.com:80@10.0.0.1/",
    "http://example.com%2f@10.0.0.1/",
    "http://example.com\\@10.0.0.1/",
    "http://example.com#@10.0.0.1/\n",
    # numbers that resolvers take for 127.0.0.1
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.0.0.1./",
    "http://0/",
    "http://0x/",
    "http://1.2.3.4.5/",
    "http://256.256.256.256/",
    "http://127.0.0.0x1/",
    # digits and dots of other scripts
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://127\u30020\u30020\u30021/",
    "http://\u2460\u2461\u2466.0.0.1/",
    # zones, blanks, line ends and what nobody sees
    "http://[fe80::1%25eth0]/",
    "http://[::1",
    "http://example.com /",
    " http://example.com/",
    "http://example.com/\r\nHost: localhost",
    "http://exa\tmple.com/",
    "http://exam\u200bple.com/",
    "http://example.com/\u202emoc.live",
    "http://example.com/\x00",
    # ports that are none
    "http://example.com:99999/",
    "http://example.com:0x50/",
    "http://example.com:-1/",
    "http://example.com/" + "a" * 2_000,
)

PRIVATE = (
    # this machine, its network, and networks of companies
    "0.0.0.0",  # noqa: S104
    "127.0.0.1",
    "127.255.255.254",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    # what clouds tell a machine about itself, and give it credentials at
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    # documentation, benchmarks, multicast, broadcast
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    # the same in IPv6, and IPv4 inside of it: mapped, compatible, translated, 6to4, Teredo
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "3fff::1",
    "2606:2800:220:1::1%eth0",
)


@pytest.mark.parametrize("address", HOSTILE)
def test_an_address_that_nobody_should_ask_for_is_refused(address: str) -> None:
    with pytest.raises(UnfitAddress):
        read_address(address)


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("https://example.com", "https://example.com"),
        ("HTTPS://EXAMPLE.com/A?b=c", "https://example.com/A?b=c"),
        ("https://example.com/a#part", "https://example.com/a"),
        ("https://example.com/a?mail=a@b.example", "https://example.com/a?mail=a@b.example"),
        ("https://b\u00fccher.example/\u00e4", "https://xn--bcher-kva.example/%C3%A4"),
        ("http://93.184.215.14/", "http://93.184.215.14/"),
        ("http://[2606:2800:220:1::1]/", "http://[2606:2800:220:1::1]/"),
        ("https://3com.example/", "https://3com.example/"),
        ("https://example.com:443/", "https://example.com/"),
    ],
)
def test_a_plain_address_is_read(address: str, read: str) -> None:
    assert str(read_address(address)) == read


@pytest.mark.parametrize("number", PRIVATE)
def test_a_number_that_is_not_the_public_internets_is_known(number: str) -> None:
    assert not is_public(ipaddress.ip_address(number))


@pytest.mark.parametrize("number", ["8.8.8.8", "93.184.215.14", "2606:2800:220:1::1", "2a00::1"])
def test_a_number_of_the_public_internet_is_known(number: str) -> None:
    assert is_public(ipaddress.ip_address(number))


@given(st.ip_addresses(v=4))
def test_what_python_calls_private_is_never_public(address: ipaddress.IPv4Address) -> None:
    if address.is_private or address.is_link_local or address.is_multicast or address.is_reserved:
        assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_no_ipv4_address_is_public_inside_of_an_ipv6_one(inner: ipaddress.IPv4Address) -> None:
    number = int(inner)
    for outer in (
        number,
        0xFFFF << 32 | number,
        0x0064_FF9B << 96 | number,
        0x2002 << 112 | number << 80,
        0x2001 << 112 | number,
    ):
        assert not is_public(ipaddress.IPv6Address(outer))


@given(st.text(alphabet="htps:/@\\#?[]%.0x1aé\u3002 \t\n", max_size=40))
@example("http://[1:1::1]")
def test_whatever_is_read_is_one_web_address_without_credentials(text: str) -> None:
    for given_text in (text, f"http://{text}", f"https://example.com{text}"):
        try:
            url = read_address(given_text)
        except UnfitAddress:
            continue
        again = urlsplit(str(url))
        assert again.scheme in ("http", "https")
        assert again.username is None
        assert again.password is None
        assert again.hostname == url.raw_host.decode()
        assert read_address(str(url)) == url


@pytest.mark.parametrize("address", ["http://example.com:22/", "https://example.com:80/"])
def test_other_ports_than_a_web_servers_are_not_asked(address: str) -> None:
    with pytest.raises(UnfitAddress):
        check_port(read_address(address))
