"""Which Python is an environment made with?"""

from __future__ import annotations

import sys

import pytest

from benchmarks.environments import PeerMissing, environment, python


def test_a_python_that_is_new_enough_is_found() -> None:
    assert python((3, sys.version_info.minor)).exists()


def test_no_python_is_as_new_as_that() -> None:
    with pytest.raises(PeerMissing):
        python((3, 99))


def test_a_peer_without_its_python_is_missing() -> None:
    with pytest.raises(PeerMissing):
        environment("nobody", "no-such-peer", oldest=(3, 99))
