"""Is recall counted right, and are pages stored with and without their titles?"""

from __future__ import annotations

from pathlib import Path

from benchmarks.ranking import Recall, recall, write
from benchmarks.tuning_set import Page

_PAGES = (
    Page("a.html", "en", {"en": "Charts", "zh": "图表", "ja": "グラフ"}, ("Of charts.", "And more.")),
    Page("b.html", "zh", {"en": "Cells", "zh": "单元格", "ja": "セル"}, ("关于单元格。",)),
)


def test_recall_counts_the_first_place_and_the_first_five() -> None:
    assert recall([0, 3, 5, None]) == Recall(first=0.25, five=0.5, questions=4)


def test_no_questions_recall_nothing() -> None:
    assert recall([]) == Recall(first=0.0, five=0.0, questions=0)


def test_pages_as_they_are_begin_with_their_title(tmp_path: Path) -> None:
    assert write(tmp_path, _PAGES, with_titles=True) == ["Charts", "单元格"]
    assert _files(tmp_path) == ["# Charts\n\nOf charts.\n\nAnd more.\n", "# 单元格\n\n关于单元格。\n"]


def test_pages_without_titles_are_named_by_number(tmp_path: Path) -> None:
    assert write(tmp_path, _PAGES, with_titles=False) == ["page 0000", "page 0001"]
    assert _files(tmp_path) == ["Of charts.\n\nAnd more.\n", "关于单元格。\n"]


def _files(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())]
