"""Do package and changelog speak of the same version?"""

from __future__ import annotations

import re
from importlib.metadata import version

from tests.shape.tree import ROOT
from vademecum import __version__


def newest(changelog: str) -> str:
    """The first version that has a heading; what is not released yet has none."""
    found = re.search(r"^## \[?v?(\d+\.\d+\.\d+\S*?)\]?(?:\s|$)", changelog, re.MULTILINE)
    return found.group(1) if found else ""


def test_the_changelog_opens_with_the_version_of_the_package() -> None:
    assert newest((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) == __version__


def test_the_installed_package_is_the_one_of_this_checkout() -> None:
    assert version("vademecum") == __version__


def test_the_newest_version_is_the_first_with_a_number() -> None:
    assert newest("# Changelog\n\n## [Unreleased]\n\n## [2.0.1] - 2027-01-02\n\n## [2.0.0]\n") == "2.0.1"
    assert newest("# Changelog\n\n## 1.2.0\n") == "1.2.0"
    assert newest("# Changelog\n\n## [Unreleased]\n") == ""
