"""Does a literal keyword find every item that holds all its words, and no other?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.editing import update_note, update_tags
from vademecum.library.saving import save_link
from vademecum.library.trash import delete_item, restore
from vademecum.model.items import Kind


@pytest.fixture
def filled(home: Home) -> Home:
    home.save("The spinnaker halyard jams.", "Rigging")
    home.save("A halyard and a sheet.", "Sheets")
    home.save("每天早上喝绿茶。图书馆的目录卡片按拼音排列。", "目录")
    home.save("プログラミング言語の設計", "言語")
    home.save("nothing of it", "Halyard only in the title")
    return home


@pytest.mark.parametrize(
    ("keyword", "titles"),
    [
        ("halyard", ["Halyard only in the title", "Sheets", "Rigging"]),
        ("HALYARD", ["Halyard only in the title", "Sheets", "Rigging"]),
        ("spinnaker halyard", ["Rigging"]),
        ("halyard spinnaker", ["Rigging"]),
        ("halyard absent", []),
        ("alyar", ["Halyard only in the title", "Sheets", "Rigging"]),
        ("jams.", ["Rigging"]),
        ("绿茶", ["目录"]),
        ("茶", ["目录"]),
        ("拼音 绿茶", ["目录"]),
        ("茶图", []),
        ("ﾌﾟﾛｸﾞﾗﾐﾝｸﾞ", ["言語"]),
        ("ミング言", ["言語"]),
        ("  halyard \n sheet ", ["Sheets"]),
    ],
)
def test_all_words_have_to_stand_somewhere_in_the_full_text(
    filled: Home, keyword: str, titles: list[str]
) -> None:
    assert filled.listed(keyword=keyword) == titles


@pytest.mark.parametrize("keyword", ["", "   ", None])
def test_without_a_word_nothing_is_narrowed(filled: Home, keyword: str | None) -> None:
    assert len(filled.listed(keyword=keyword)) == 5


@pytest.mark.parametrize("keyword", ["%", "_", '"', "* OR x", "NEAR", "halyard*", "(", "a:b", "'; --", "\\"])
def test_signs_of_query_languages_are_ordinary_characters(filled: Home, keyword: str) -> None:
    marked = filled.save(f"It holds {keyword} as written.", "marked")
    assert filled.listed(keyword=keyword) == ["marked"]
    assert filled.item(marked).version == 1


def test_words_far_apart_and_deep_in_a_text_are_found(home: Home) -> None:
    home.save(f"first-halyard {'filler ' * 3000} last-spinnaker", "long")
    assert home.listed(keyword="first-halyard last-spinnaker") == ["long"]


def test_matching_is_literal_and_not_by_meaning_or_stem(home: Home) -> None:
    home.save("We were running.", "run")
    assert home.listed(keyword="ran") == []
    assert home.listed(keyword="runs") == []
    assert home.listed(keyword="running") == ["run"]


def test_the_keyword_looks_into_tags_and_every_layer(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/halyard-page")
    job = home.claim()
    assert job is not None
    begin_capture(home.library, job)
    record_extraction(home.library, job, Captured("page", "extracted words", Kind.ARTICLE, b"x", "text/html"))
    update_note(home.library, home.owner, item_id, "authored words", 2, None)
    update_tags(home.library, home.owner, item_id, ["Garden/Moss"], 3)
    for keyword in ("authored", "extracted", "garden/moss", "halyard-page"):
        assert home.listed(keyword=keyword) == ["page"], keyword


def test_it_follows_edits_the_trash_and_restoring(home: Home) -> None:
    item_id = home.save("halyard", "Title")
    update_note(home.library, home.owner, item_id, "spinnaker", 1, None)
    assert home.listed(keyword="halyard") == []
    assert home.listed(keyword="spinnaker") == ["Title"]
    delete_item(home.library, home.owner, item_id, 2)
    assert home.listed(keyword="spinnaker") == []
    restore(home.library, home.owner, item_id)
    assert home.listed(keyword="spinnaker") == ["Title"]


def test_a_keyword_joins_the_other_filters(home: Home) -> None:
    home.save("halyard", "old")
    home.clock.pass_by(days=2)
    home.save("halyard", "new")
    day = home.library.now()[:10]
    assert home.listed(keyword="halyard", start=day, end=day) == ["new"]
    assert home.listed(keyword="halyard", provenance="clipped") == []


def test_a_smaller_limit_gives_the_beginning_of_a_longer_list(home: Home) -> None:
    for number in range(12):
        word = "halyard" if number % 3 else "deckhalyard"
        home.save(f"{word} {number}", f"{number}")
    whole = home.listed(keyword="halyard", limit=50)
    assert whole == [str(number) for number in range(11, -1, -1)]
    for limit in range(1, 13):
        assert home.listed(keyword="halyard", limit=limit) == whole[:limit], limit
