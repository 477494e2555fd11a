"""Which hosts may a fetch connect to?"""

from __future__ import annotations

import ipaddress
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.model.errors import FetchRefused
from vademecum.ports.fetch import FetchReason
from vademecum.providers.network_guard import Deadline, HostGuard, is_public

NOT_PUBLIC = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.31.255.255",
    "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.9",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::127.0.0.1",
    "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1",
    "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1",
    "fe80::1%eth0", "fec0::1", "ff02::1", "", "localhost", "1.2.3", "0x7f.1",
]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_outside_the_public_internet_is_told_apart(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:2800:220:1:248:1893:25c8:1946"]
)
def test_an_address_of_the_public_internet_is_public(address: str) -> None:
    assert is_public(address)


@settings(deadline=None)
@given(st.ip_addresses(v=4))
def test_no_spelling_of_an_ipv4_address_inside_ipv6_is_public(inner: ipaddress.IPv4Address) -> None:
    number = int(inner)
    for prefix, shift in ((0, 0), (0xFFFF << 32, 0), (0x64FF9B << 96, 0), (0x2002 << 112, 80)):
        assert not is_public(str(ipaddress.IPv6Address(prefix + (number << shift))))


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["93.184.216.34", "127.0.0.1"], FetchReason.PRIVATE),
        (["::ffff:10.0.0.1"], FetchReason.PRIVATE),
        ([], FetchReason.NAME),
    ],
)
def test_a_name_with_any_private_address_or_none_at_all_is_refused(
    answers: list[str], reason: FetchReason
) -> None:
    guard = HostGuard(frozenset(), lambda _host, _port: answers)
    with pytest.raises(FetchRefused) as refused:
        guard.addresses("mixed.test", 443, Deadline(5))
    assert (refused.value.reason, refused.value.passing) == (reason, False)


@pytest.mark.parametrize(
    ("listed", "host", "port", "reached"),
    [
        ("home.test:8123", "home.test", 8123, True),
        ("home.test:8123", "HOME.test.", 8123, True),
        ("home.test:8123", "home.test", 443, False),
        ("home.test", "home.test", 443, True),
        ("home.test", "home.test", 80, True),
        ("home.test", "home.test", 8123, False),
        ("home.test:8123", "other.home.test", 8123, False),
        ("[::1]:8123", "::1", 8123, True),
    ],
)
def test_the_private_list_opens_exactly_the_host_and_port_that_it_names(
    listed: str, host: str, port: int, reached: bool
) -> None:
    guard = HostGuard(frozenset({listed}), lambda _host, _port: ["10.0.0.7"])
    try:
        guard.check_port(host, port)
        outcome = guard.addresses(host, port, Deadline(5)) == ["10.0.0.7"]
    except FetchRefused:
        outcome = False
    assert outcome is reached


def test_a_name_that_takes_too_long_to_resolve_is_given_up() -> None:
    never = threading.Event()
    guard = HostGuard(frozenset(), lambda _host, _port: ["8.8.8.8"] if never.wait(60) else [])
    with pytest.raises(FetchRefused) as refused:
        guard.addresses("slow.test", 443, Deadline(0.05))
    never.set()
    assert (refused.value.reason, refused.value.passing) == (FetchReason.TOO_SLOW, True)
