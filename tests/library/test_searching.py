"""Does a search find what the words and meanings say, show where, and tell how it was ranked?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.library.fakes import LastFirst, WordEmbedder
from tests.library.home import Home, an_id
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.editing import update_note, update_tags
from vademecum.library.reading import read_chunks
from vademecum.library.saving import save_link
from vademecum.library.searching import SearchRequest, search
from vademecum.library.trash import delete_item, purge, restore
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import Kind, Layer
from vademecum.model.search import Found, SearchAnswer
from vademecum.ports.models import QueryVectors

FILLER = "nothing of note happens in this sentence either. "


def ask(home: Home, query: str, **more: Any) -> SearchAnswer:
    return search(home.library, home.owner, SearchRequest(query, **more))


def only(answer: SearchAnswer) -> Found:
    (found,) = answer.results
    return found


# --- what is found ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("下周去北京出差，顺便看看老朋友。", "出差"),  # S01: two characters within a sentence
        ("院子里种了一棵梅树。", "梅"),  # S01: one character
        ("毎朝コーヒーを淹れる。", "コーヒー"),  # S03
        ("서울에서 친구를 만났다.", "친구"),  # S03: a word with its particle
        ("他做事总是画蛇添足，真没办法。", "画蛇添足"),  # S03: an idiom
        ("合同里写明了付款期限。", "合同 发票 付款"),  # S04: no passage holds all terms
        ("The ＡＰＩ version ３ is out.", "api version 3"),  # S06
        ("ﾌﾟﾛｸﾞﾗﾑの設計", "プログラム"),  # S06: half-width kana
        ("第②章を読む", "2"),  # S06: a circled number
        ("Мы построили большой мост через реку.", "большой мост зимой"),  # S10
        ("Το μεγάλο πλοίο έφυγε νωρίς.", "μεγάλο πλοίο σήμερα"),  # S10
        ("हमने नदी पर पुल बनाया", "पुल नदी सड़क"),  # S10
        ("这个项目用Kubernetes部署。", "kubernetes"),  # S12: Latin letters glued to Chinese
        ("这个项目用Kubernetes部署。", "用Kubernetes部署"),  # S12
        ("We (finally) shipped [the release].", "finally release"),  # S13: words in brackets
        ("臺灣的圖書館", "台湾图书馆"),  # traditional and simplified
        ("The runners were running.", "run"),
    ],
)
def test_words_are_found_in_every_script(home: Home, text: str, query: str) -> None:
    plain = home.with_ports(embedder=None)
    plain.save(FILLER * 3, "Other")
    plain.save(text, "The one")
    assert plain.found(query)[:1] == ["The one"]


def test_a_rare_word_far_down_is_found_with_its_section(home: Home) -> None:
    # S14
    body = "".join(f"## Part {number}\n\n{FILLER * 25}\n\n" for number in range(14))
    item_id = home.save(f"{body}## The end\n\nHere the zyzzyva stands.\n", "Long")
    found = only(ask(home, "zyzzyva"))
    assert found.chunk is not None
    assert found.chunk.heading_path == ("The end",)
    assert "zyzzyva" in found.snippet
    assert "zyzzyva" in read_chunks(home.library, home.owner, item_id, found.chunk.ordinal, 0).content


def test_a_pair_of_characters_comes_before_notes_with_one_of_them(home: Home) -> None:
    # S08
    plain = home.with_ports(embedder=None)
    for number in range(6):
        plain.save(f"李先生去了明天的会。{FILLER}", f"noise {number}")
    plain.save("昨天李明打电话来了。", "pair")
    assert plain.found("李明", limit=50)[0] == "pair"
    assert "homophone" not in plain.found("李明")


def test_a_whole_word_comes_before_a_longer_one_that_holds_it(home: Home) -> None:
    # S13
    plain = home.with_ports(embedder=None)
    plain.save("How async functions work.", "async")
    plain.save("How to sync folders.", "sync")
    assert plain.found("sync")[0] == "sync"


def test_a_long_question_neither_floods_nor_fails(home: Home) -> None:
    # S20
    plain = home.with_ports(embedder=None)
    plain.save("The halyard runs through the sheave at the masthead.", "the answer")
    for number in range(8):
        plain.save(f"What is it that one does, and how, on day {number}?", f"stray {number}")
    question = "What is the thing on the masthead of a boat through which one has to lead the halyard?"
    assert plain.found(question)[0] == "the answer"


def test_meaning_finds_what_shares_no_word(home: Home) -> None:
    knowing = home.with_ports(embedder=WordEmbedder(meanings={"茶": "tea", "tea": "tea"}))
    knowing.save("茶", "茶")
    knowing.save("Rope.", "Ropes")
    assert knowing.found("tea") == ["茶"]
    assert home.with_ports(embedder=None).found("tea") == []


def test_nonsense_finds_nothing(home: Home) -> None:
    home.save("A halyard and a sheet.", "Sheets")
    answer = ask(home, "qwxzv flibbertigibbet")
    assert answer == SearchAnswer((), vector_search_applied=True, rerank_applied=False)


def test_an_item_is_one_result_however_many_sections_match(home: Home) -> None:
    home.save("".join(f"## Part {n}\n\nhalyard {FILLER * 20}\n" for n in range(5)), "Many")
    home.save("halyard", "One")
    assert sorted(home.found("halyard")) == ["Many", "One"]


def test_five_results_by_default_and_fifty_at_most(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    for number in range(53):
        plain.save(f"halyard number{number}", f"{number}")
    assert len(plain.found("halyard")) == 5
    assert [len(plain.found("halyard", limit=limit)) for limit in (7, 50, 500)] == [7, 50, 50]


def test_scores_fall_from_result_to_result(home: Home) -> None:
    for number in range(4):
        home.save(f"halyard {'rope ' * number}", f"{number}")
    scores = [found.score for found in ask(home, "halyard").results]
    assert len(scores) == 4
    assert scores == sorted(set(scores), reverse=True)


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_an_empty_query_is_refused(sqlite_home: Home, query: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        ask(sqlite_home, query)
    assert refused.value.field == "query"


def test_a_query_beyond_2000_characters_is_too_large(sqlite_home: Home) -> None:
    with pytest.raises(TooLarge) as refused:
        ask(sqlite_home, "x" * 2001)
    assert refused.value.field == "query"
    assert ask(sqlite_home, "x " * 1000).results == ()


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "((",
        "AND OR NOT",
        "a:b",
        "*",
        "%_",
        "'; DROP TABLE item; --",
        "!!!",
        "🙂",
        "\u202e",
        "\x00",
        "NEAR(a b)",
    ],
)
def test_no_query_breaks_anything(home: Home, query: str) -> None:
    home.save("plain text", "Title")
    answer = ask(home, query)
    assert all(found.item.title == "Title" for found in answer.results)


# --- exact wins -------------------------------------------------------------------------------------------


@pytest.fixture
def crowded(home: Home) -> Home:
    """A library in which most notes speak of everything that is asked for."""
    for number in range(6):
        home.save(
            f"plan garden trip ABC 1234 quick brown foxes {FILLER} example org", f"The plan of {number}"
        )
    return home


def test_a_whole_title_wins(crowded: Home) -> None:
    crowded.save(FILLER * 5, "Garden plan")
    assert crowded.found("garden PLAN!")[0] == "Garden plan"


def test_an_alias_a_file_name_and_a_past_title_win_as_titles_do(crowded: Home) -> None:
    item_id = crowded.save(FILLER, "Garden plan")
    update_note(crowded.library, crowded.owner, item_id, FILLER, 1, "Something else")
    assert crowded.found("garden plan")[0] == "Something else"
    assert crowded.found("something else")[0] == "Something else"


def test_a_quoted_phrase_wins(crowded: Home) -> None:
    crowded.save(f"{FILLER * 4} the quick brown fox {FILLER * 4}", "Fox")
    assert crowded.found('"quick brown fox"')[0] == "Fox"
    assert crowded.found("“quick brown fox” plan")[0] == "Fox"


@pytest.mark.parametrize("identifier", ["ABC-1234", "snake_case_name", "v1.2.3"])
def test_an_identifier_wins(crowded: Home, identifier: str) -> None:
    crowded.save(f"{FILLER * 4} see {identifier} {FILLER * 4}", "Ticket")
    assert crowded.found(identifier)[0] == "Ticket"
    assert crowded.found(f"what about {identifier.lower()} then")[0] == "Ticket"


def test_an_address_wins_by_the_page_that_it_means(crowded: Home) -> None:
    save_link(crowded.library, crowded.owner, an_id(), "https://www.example.org/garden?id=7")
    assert crowded.found("http://example.org/garden/?utm_source=x&id=7#top")[0] == (
        "https://www.example.org/garden?id=7"
    )
    crowded.save(f"{FILLER} see https://example.net/plan for more", "Cites it")
    assert crowded.found("https://example.net/plan")[0] == "Cites it"


@pytest.mark.parametrize("query", ["ada@example.org", "write to ada@example.org please"])
def test_an_address_of_mail_wins(crowded: Home, query: str) -> None:
    crowded.save(f"{FILLER * 3} Ada's address is ada@example.org.", "Ada")
    assert crowded.found(query)[0] == "Ada"


@pytest.mark.parametrize(
    "query",
    ["https://[::1", "http://:80/", "https://user:secret@example.org/", "https://exa mple/", "http://"],
)
def test_a_malformed_address_is_searched_as_words(home: Home, query: str) -> None:
    home.save("nothing", "Title")
    ask(home, query)
    home.save("example.org stands here", "Place")
    assert home.found(f"{query} example.org")[0] == "Place"


def test_what_lies_in_the_trash_takes_no_place_from_what_does_not(home: Home) -> None:
    trashed = an_id()
    save_link(home.library, home.owner, trashed, "https://example.org/page")
    delete_item(home.library, home.owner, trashed, 1)
    home.save("Notes on https://example.org/page", "Notes")
    assert home.found("https://example.org/page", limit=1) == ["Notes"]


# --- filters ----------------------------------------------------------------------------------------------


@pytest.fixture
def tagged(home: Home) -> Home:
    for title, tags in {
        "a": ["Garden"],
        "b": ["garden/moss", "Tea"],
        "c": ["gardening"],
        "d": ["garden/moss/dry"],
        "e": [],
    }.items():
        item_id = home.save("halyard", title)
        update_tags(home.library, home.owner, item_id, tags, 1)
    return home


@pytest.mark.parametrize(
    ("tags", "titles"),
    [
        (["garden"], "abd"),
        (["#GARDEN"], "abd"),
        (["ｇａｒｄｅｎ／moss"], "bd"),
        (["garden", "tea"], "b"),
        (["garden/moss", "garden"], "bd"),
        (["gard"], ""),
        (["tea", "gardening"], ""),
        ([], "abcde"),
    ],
)
def test_all_tags_are_wanted_each_with_the_tags_below_it(tagged: Home, tags: list[str], titles: str) -> None:
    assert sorted(tagged.found("halyard", tags=tags)) == list(titles)


def test_a_filter_holds_for_hits_by_meaning_and_for_exact_wins_too(tagged: Home) -> None:
    tagged.save("halyard", "halyard")
    assert tagged.found("halyard", tags=["tea"]) == ["b"]
    assert tagged.found("halyard", start="2026-01-01", end="2026-01-02") == []


def _captured(home: Home, title: str, text: str) -> str:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, f"https://example.org/{title}")
    job = home.claim()
    assert job is not None
    begin_capture(home.library, job)
    record_extraction(home.library, job, Captured(title, text, Kind.ARTICLE, b"<p>", "text/html"))
    return item_id


def test_provenance_narrows_to_the_layer_in_which_the_match_stands(home: Home) -> None:
    home.save("halyard", "note")
    _captured(home, "page", "halyard")
    assert home.found("halyard", provenance="authored") == ["note"]
    assert home.found("halyard", provenance="clipped") == ["page"]
    assert home.found("halyard", provenance="ocr") == home.found("halyard", provenance="ai_summary") == []
    layers = {found.item.title: found.layer for found in ask(home, "halyard", provenance="any").results}
    assert layers == {"note": Layer.AUTHORED, "page": Layer.EXTRACTED}
    with pytest.raises(InvalidInput):
        ask(home, "halyard", provenance="else")


def test_a_range_narrows_by_the_time_of_saving(home: Home) -> None:
    first = home.save("halyard", "old")
    home.clock.pass_by(days=3)
    home.save("halyard", "new")
    update_note(home.library, home.owner, first, "halyard, edited", 1, None)
    assert home.found("halyard", start="2026-12-01", end="2026-12-31") == ["new"]
    assert home.found("halyard", start="2026-11-30", end="2026-11-30") == ["old"]


# --- what a result shows ----------------------------------------------------------------------------------


def test_the_snippet_shows_the_match_and_where_it_stands(home: Home) -> None:
    home.save(f"{FILLER * 8} 🙂🙂 我们在图书馆见面。 {FILLER * 8}", "Long")
    found = only(ask(home, "图书馆"))
    assert [found.snippet[start:end] for start, end in found.highlights] == ["图书馆"]
    assert len(found.snippet) <= 240


def test_the_highlight_shows_the_original_of_what_was_folded(home: Home) -> None:
    home.save("Ａ ﾌﾟﾛｸﾞﾗﾑ e\u0301t", "Folded")
    found = only(ask(home, "プログラム"))
    assert [found.snippet[start:end] for start, end in found.highlights] == ["ﾌﾟﾛｸﾞﾗﾑ"]


def test_a_section_is_named_only_where_it_is_the_match(home: Home) -> None:
    text = f"Before.\n\n## Ropes\n\nThe halyard. {FILLER * 20}\n\n## Sails\n\n{FILLER * 20}"
    home.save(text, "Spinnaker")
    in_body = only(ask(home, "halyard"))
    assert in_body.chunk is not None
    assert (in_body.chunk.heading_path, in_body.chunk.pages, in_body.layer) == (
        ("Ropes",),
        None,
        Layer.AUTHORED,
    )
    by_address = an_id()
    save_link(home.library, home.owner, by_address, "https://example.org/jib")
    assert only(ask(home, "https://example.org/jib")).chunk is None


def test_a_result_carries_the_item_as_it_stands_now(home: Home) -> None:
    item_id = home.save("halyard", "Old")
    update_note(home.library, home.owner, item_id, "halyard", 1, "New")
    update_tags(home.library, home.owner, item_id, ["rope"], 2)
    assert only(ask(home, "halyard")).item == home.item(item_id)


# --- what follows a change --------------------------------------------------------------------------------


def test_an_edit_is_found_by_words_and_meaning_at_once_and_the_old_text_no_more(home: Home) -> None:
    # S15
    knowing = home.with_ports(embedder=WordEmbedder(meanings={"茶": "tea"}))
    item_id = knowing.save("rope", "Title")
    update_note(knowing.library, knowing.owner, item_id, "茶", 1, None)
    assert knowing.found("tea") == knowing.found("茶") == ["Title"]
    assert knowing.found("rope") == []


def test_no_ghosts_are_left_of_what_was_deleted_or_purged(home: Home) -> None:
    # S16
    item_id = home.save("halyard", "Title")
    delete_item(home.library, home.owner, item_id, 1)
    assert home.found("halyard") == home.found("Title") == []
    restore(home.library, home.owner, item_id)
    assert home.found("halyard") == ["Title"]
    delete_item(home.library, home.owner, item_id, 3)
    purge(home.library, home.owner, item_id)
    assert home.found("halyard") == home.found("Title") == []
    home.save("halyard again", "Successor")
    assert home.found("halyard") == ["Successor"]


# --- how it was ranked ------------------------------------------------------------------------------------


def _flags(answer: SearchAnswer) -> tuple[bool, bool]:
    return answer.vector_search_applied, answer.rerank_applied


def test_the_flags_tell_what_was_applied(home: Home) -> None:
    home.save("halyard", "Title")
    second = WordEmbedder("second")
    assert _flags(ask(home, "halyard")) == (True, False)
    assert _flags(ask(home.with_ports(embedder=None), "halyard")) == (False, False)
    assert _flags(ask(home.with_ports(embedder=WordEmbedder(fails=True)), "halyard")) == (False, False)
    assert _flags(ask(home.with_ports(reranker=LastFirst("x")), "halyard")) == (True, True)
    assert _flags(ask(home.with_ports(reranker=LastFirst("x", fails=True)), "halyard")) == (True, False)
    assert _flags(ask(home.with_ports(second_stage=second), "halyard")) == (True, False)


class _HalfAnswering(WordEmbedder):
    """Answers the question and fails when it is asked how near is near."""

    def embed_query(self, text: str) -> QueryVectors | None:
        vectors = super().embed_query(text)
        self.fails = True
        return vectors


def test_a_model_that_fails_halfway_costs_its_part_and_not_the_answer(home: Home) -> None:
    home.save("halyard", "Title")
    half = home.with_ports(embedder=_HalfAnswering())
    answer = ask(half, "halyard")
    assert [found.item.title for found in answer.results] == ["Title"]
    assert _flags(answer) == (False, False)


def test_missing_vectors_are_told_until_the_job_has_made_them(home: Home) -> None:
    failing = home.with_ports(embedder=WordEmbedder(fails=True))
    for number in range(3):
        failing.save("halyard", f"{number}")
    assert _flags(ask(home, "halyard")) == (False, False)
    home.work_off()
    assert _flags(ask(home, "halyard")) == (True, False)


def test_a_reranker_orders_all_but_exact_wins(home: Home) -> None:
    for title in ("Ropes", "Sails", "Masts"):
        home.save("about halyard things", title)
    home.save("nothing", "halyard things")
    reranker = LastFirst("Sails")
    found = home.with_ports(reranker=reranker).found("halyard things")
    assert found[:2] == ["halyard things", "Sails"]
    ((query, passages),) = reranker.asked
    assert query == "halyard things"
    assert len(passages) == 3


def test_the_second_model_reorders_what_the_first_one_found(home: Home) -> None:
    second = WordEmbedder("second", meanings={"sail": "spinnaker"})
    both = home.with_ports(second_stage=second)
    for title in ("spinnaker rope", "spinnaker sail"):
        both.save(title, title)
    assert both.waiting() == {"second-stage": 2}
    both.work_off()
    answer = ask(both, "spinnaker")
    assert _flags(answer) == (True, True)
    assert [found.item.title for found in answer.results] == ["spinnaker sail", "spinnaker rope"]
