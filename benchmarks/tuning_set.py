"""Which pages say the same in three languages, so that a ranking can be judged?

The help of an office suite, as Debian packages it for English, Chinese and Japanese, holds the same pages at
the same paths. The packages are fetched and unpacked at run time and never become part of this repository.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from lxml import html

from benchmarks.environments import CACHE, PeerMissing

LANGUAGES = ("en", "zh", "ja")
_PACKAGES = {
    "en": ("libreoffice-help-en-us", "en-US"),
    "zh": ("libreoffice-help-zh-cn", "zh-CN"),
    "ja": ("libreoffice-help-ja", "ja"),
}
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LEAST_EAST_ASIAN = 0.15  # of the characters of a translated body; below, the page is not really translated
_SHOWN_VARIANT = "default"  # of texts that the pages hold for several systems


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its titles in all languages, the language it is placed in, and its paragraphs in that one."""

    path: str
    language: str
    titles: dict[str, str]
    paragraphs: tuple[str, ...]


def pages() -> list[Page]:
    """The pages that are translated into every language with a title of their own in each, in order of path.

    Each is placed in exactly one language, chosen by a hash of its path. Raises PeerMissing when the packages
    cannot be fetched.
    """
    roots = {language: _unpacked(language) for language in LANGUAGES}
    texts = {language: _read(root) for language, root in roots.items()}
    common = sorted(set.intersection(*(set(of_language) for of_language in texts.values())))
    kept = [path for path in common if _is_translated({name: texts[name][path] for name in LANGUAGES})]
    titles = {name: Counter(texts[name][path][0].casefold() for path in kept) for name in LANGUAGES}
    found = []
    for path in kept:
        own = {name: texts[name][path][0] for name in LANGUAGES}
        if all(titles[name][title.casefold()] == 1 for name, title in own.items()):
            language = LANGUAGES[int(hashlib.sha256(path.encode()).hexdigest(), 16) % len(LANGUAGES)]
            found.append(Page(path, language, own, texts[language][path][1]))
    return found


def _is_translated(versions: dict[str, tuple[str, tuple[str, ...]]]) -> bool:
    if len({title for title, _ in versions.values()}) < len(versions):
        return False
    bodies = ("".join(paragraphs) for name, (_, paragraphs) in versions.items() if name != "en")
    return all(len(_EAST_ASIAN.findall(body)) >= _LEAST_EAST_ASIAN * len(body) for body in bodies)


def _read(root: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Title and paragraphs of every page below the folder that has both."""
    found = {}
    for path in root.rglob("*.html"):
        page = _page(path)
        if page:
            found[path.relative_to(root).as_posix()] = page
    return found


def _page(path: Path) -> tuple[str, tuple[str, ...]] | None:
    area = html.document_fromstring(path.read_bytes().decode("utf-8")).xpath('//div[@id="DisplayArea"]')
    headings = area[0].xpath(".//h1") if area else []
    if not headings:
        return None
    for variant in area[0].xpath('.//span[@hidden="true"]'):
        if not (variant.get("id") or "").startswith(_SHOWN_VARIANT):
            variant.drop_tree()
    title = _text(headings[0])
    paragraphs = tuple(text for one in area[0].xpath(".//p") if (text := _text(one)))
    return (title, paragraphs) if title and paragraphs else None


def _text(element: html.HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def _unpacked(language: str) -> Path:
    """The folder of the language's pages, fetched at the first use."""
    package, name = _PACKAGES[language]
    folder = CACHE / "pages" / package
    root = folder / "usr" / "share" / "libreoffice" / "help" / name / "text"
    if not root.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            _run(["apt-get", "download", package], folder)
            _run(["dpkg-deb", "-x", str(next(folder.glob(f"{package}_*.deb"))), "."], folder)
        except (OSError, StopIteration, subprocess.CalledProcessError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise PeerMissing(
                f"the package {package} could not be fetched (Debian, after apt-get update)"
            ) from error
    return root


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
