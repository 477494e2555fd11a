"""Which pages are taken as translations of each other?"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import tuning_set
from benchmarks.tuning_set import LANGUAGES, Page, pages

_PAGE = '<html><body><div id="DisplayArea"><h1>{title}</h1><p>{body}</p></div></body></html>'


def _lay(folder: Path, path: str, versions: dict[str, tuple[str, str]]) -> None:
    for language, (title, body) in versions.items():
        file = folder / language / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_PAGE.format(title=title, body=body), encoding="utf-8")


@pytest.fixture
def help_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for each language, found instead of the packages."""
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
    monkeypatch.setattr(tuning_set, "_unpacked", lambda language: tmp_path / language)
    return tmp_path


def test_a_page_is_placed_in_one_language_with_its_titles_in_all(help_folder: Path) -> None:
    bodies = {"en": "About charts", "zh": "关于图表", "ja": "グラフについて"}
    titles = {"en": "Charts", "zh": "图表", "ja": "グラフ"}
    _lay(help_folder, "a/b.html", {name: (titles[name], bodies[name]) for name in LANGUAGES})
    (found,) = pages()
    assert found == Page("a/b.html", found.language, titles, (bodies[found.language],))


def test_a_page_that_is_missing_or_untranslated_in_a_language_is_left_out(help_folder: Path) -> None:
    _lay(help_folder, "missing.html", {"en": ("One", "One"), "zh": ("一", "一")})
    _lay(help_folder, "body.html", {"en": ("Two", "Two"), "zh": ("二", "Two"), "ja": ("に", "ふたつ")})
    _lay(
        help_folder, "title.html", {"en": ("Three", "Three"), "zh": ("Three", "三"), "ja": ("さん", "みっつ")}
    )
    assert pages() == []


def test_pages_that_share_a_title_are_left_out(help_folder: Path) -> None:
    for path, chinese in (("a.html", "图表"), ("b.html", "表格")):
        _lay(
            help_folder,
            path,
            {"en": ("Charts", "About"), "zh": (chinese, "关于"), "ja": (f"表 {path}", "について")},
        )
    assert pages() == []


def test_texts_for_other_systems_are_not_shown(help_folder: Path) -> None:
    hidden = '<span hidden="true" id="MACkey">Command</span><span hidden="true" id="defaultkey">Ctrl</span>+Z'
    _lay(
        help_folder,
        "a.html",
        {
            "en": ("Undo", hidden),
            "zh": ("撤销", f"按下 {hidden} 撤销操作即可完成"),
            "ja": ("元に戻す", f"{hidden} を押して元に戻します"),
        },
    )
    (found,) = pages()
    assert "Command" not in found.paragraphs[0]
    assert "Ctrl+Z" in found.paragraphs[0]
