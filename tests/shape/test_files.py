"""Do the files of the project speak of nothing but the project?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shape.tree import ROOT, files, text_of

# Where packages come from is the business of whoever installs. In pieces, so as not to be found here.
PACKAGE_HOSTS = re.compile(
    "|".join(
        re.escape(host)
        for host in (
            "pypi" + ".org",
            "python" + "hosted.org",
            "npm" + "js.org",
            "npm" + "js.com",
            "yarn" + "pkg.com",
            "deb" + ".debian.org",
            "crates" + ".io",
        )
    )
)
MACHINE_PATHS = re.compile(r"(?:^|[^.\w/])/(?:work|root|home|Users|mnt)/[\w.]")
DECISIONS = re.compile(r"docs/decisions/[\w./-]*\w")


def hosts(text: str) -> Iterator[str]:
    """Package hosts that the text names."""
    yield from PACKAGE_HOSTS.findall(text)


def machine_paths(text: str) -> Iterator[str]:
    """Folders of one machine that the text names."""
    yield from (found.group() for found in MACHINE_PATHS.finditer(text))


def lost_pointers(text: str, root: Path = ROOT) -> Iterator[str]:
    """Pages on decisions that the text points to and that are not there."""
    yield from (page for page in DECISIONS.findall(text) if not (root / page).exists())


def _complaints(rule: str) -> list[str]:
    found = []
    for path in files():
        text = text_of(path)
        if text is not None:
            found += [f"{path.relative_to(ROOT)}: {complaint}" for complaint in globals()[rule](text)]
    return found


def test_no_file_names_a_package_host() -> None:
    assert _complaints("hosts") == []


def test_no_file_names_a_folder_of_one_machine() -> None:
    # Tests show such paths to the product, to see what it makes of them.
    assert [
        complaint for complaint in _complaints("machine_paths") if not complaint.startswith("tests/")
    ] == []


def test_every_pointer_to_a_decision_leads_to_its_page() -> None:
    assert _complaints("lost_pointers") == []


@pytest.mark.parametrize("text", ["https://" + "pypi" + ".org/simple", "registry." + "npm" + "js.org"])
def test_a_package_host_is_noticed(text: str) -> None:
    assert list(hosts(text))


@pytest.mark.parametrize("text", ["/home/" + "ada/notes", "cd /" + "work/main", 'x = "/' + 'root/.cache"'])
def test_a_folder_of_one_machine_is_noticed(text: str) -> None:
    assert list(machine_paths(text))


@pytest.mark.parametrize("text", ["~/Vademecum", "https://example.org/home/page", "./home/x", "/var/lib"])
def test_other_paths_pass(text: str) -> None:
    assert list(machine_paths(text)) == []


def test_a_pointer_to_nowhere_is_noticed(tmp_path: Path) -> None:
    page = "docs/" + "decisions/there.md"
    (tmp_path / page).parent.mkdir(parents=True)
    (tmp_path / page).touch()
    lost = page.replace("there", "gone")
    assert list(lost_pointers(f"# Why: see {page}, and {lost}.", tmp_path)) == [lost]
