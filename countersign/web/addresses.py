"""Which addresses of the web are read at all, by how they are written and where they lead."""

from __future__ import annotations

import ipaddress
import re
from typing import TypeAlias

import httpx

LONGEST_ADDRESS = 2_000

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NOT_IN_AN_ADDRESS = re.compile(r"[\s\\\x00-\x20\x7f-\xa0<>\"\u200b-\u200f\u2028-\u202e\ufeff]")
_AUTHORITY = re.compile(r"[^:/?#]+:/*([^/?#]*).*", re.DOTALL)
_DOTTED_QUAD = re.compile(r"(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})")
_PORTS = {"http": 80, "https": 443}


class UnfitAddress(ValueError):
    """An address isn't one that is read; the message says why."""


def read_address(text: str) -> httpx.URL:
    """Return an address of the web as one URL, without the part after `#`.

    Raises:
        UnfitAddress: it is none, or not one that anybody may ask for: other than http and https,
            with a name or password, with a port of its own, or with a number in place of a host.
    """
    url = _parsed(text)
    if url.scheme not in _PORTS:
        raise UnfitAddress("only http and https addresses are read")
    # What comes before an empty `@` is left out by the parser, so the text is looked at.
    if "@" in _AUTHORITY.sub(r"\1", text):
        raise UnfitAddress("an address with a user name or a password is not read")
    _check_host(url.raw_host.decode("ascii"), text)
    if url.port is not None and not 0 < url.port < 65_536:
        raise UnfitAddress("its port number doesn't exist")
    return url.copy_with(fragment=None)


def check_port(url: httpx.URL) -> None:
    """Make sure that an address leads to a web server's usual port.

    Raises:
        UnfitAddress: it names another one, where other services listen.
    """
    if url.port not in (None, _PORTS[url.scheme]):
        raise UnfitAddress(f"port {url.port} is not allowed, only that of {url.scheme}")


def is_public(address: IPAddress) -> bool:
    """Return whether an IP address is one of the public internet's.

    The tables are ours because `ipaddress.is_global` differs between versions of Python
    (CVE-2024-4032).
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    inside = address in _GLOBAL_UNICAST and not any(address in each for each in _NOT_PUBLIC_V6)
    return inside and address.scope_id is None


def _parsed(text: str) -> httpx.URL:
    if len(text) > LONGEST_ADDRESS:
        raise UnfitAddress(f"it has more than {LONGEST_ADDRESS:,} characters")
    if _NOT_IN_AN_ADDRESS.search(text):
        raise UnfitAddress("it contains blanks or other characters that no address may have")
    try:
        return httpx.URL(text)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise UnfitAddress("it is not a web address") from error


def _check_host(host: str, text: str) -> None:
    if not host:
        raise UnfitAddress("it names no host")
    if "%" in host:
        raise UnfitAddress("its host is not on the internet")
    plain = ":" in host or (_DOTTED_QUAD.fullmatch(host) and host in text)
    if _ends_in_a_number(host) and not plain:
        raise UnfitAddress("its host is a number and not a name")


def _ends_in_a_number(host: str) -> bool:
    """Return whether resolvers may take a host for an IPv4 address.

    https://url.spec.whatwg.org/#ends-in-a-number-checker
    """
    last = host.rstrip(".").rpartition(".")[2]
    return last.isdigit() or re.fullmatch(r"0[xX][0-9a-fA-F]*", last) is not None


# https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast.
_NOT_PUBLIC_V4 = tuple(
    ipaddress.IPv4Network(each)
    for each in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        # Azure's own services for a virtual machine, among them its credentials:
        # https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
    )
)
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# https://www.iana.org/assignments/iana-ipv6-special-registry. What carries an IPv4 address within
# (mapped, translated, 6to4, Teredo) is in here or outside of global unicast.
_NOT_PUBLIC_V6 = tuple(
    ipaddress.IPv6Network(each)
    for each in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
