"""Does finding keep what is stated of it (contracts 2.4.1, 2.4.2, 2.4.10, 2.5, 2.6)?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.contract.account import Account
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from tests.library.fakes import LastFirst, WordEmbedder
from vademecum.library.indexing import prepare
from vademecum.library.reading import document
from vademecum.model.items import Kind, Layers, State
from vademecum.providers.embedding import SentenceEncoder

pytestmark = pytest.mark.anyio
PUBLIC = "https://vade.example.org/i/"
RESULT = {"id", "title", "kind", "summary", "tags", "provenance", "sensefoldUrl", "createdAt", "updatedAt"}
SECTIONS = "\n".join(f"# Part {number}\n\n" + f"Words of part {number}. " * 60 + "\n" for number in range(6))


async def ids(wire: ContractWire, tool: str, **arguments: Any) -> list[str]:
    return [result["id"] for result in (await wire.ok(tool, **arguments))["results"]]


@pytest.mark.claims("search.query-required", "search.query-limit")
async def test_a_query_is_needed_and_has_a_limit(wire: ContractWire) -> None:
    assert await wire.refused("search_hub") == "INVALID_INPUT"
    for blank in ("", "  ", "\n\t", "\u3000"):
        assert await wire.refused("search_hub", query=blank) == "INVALID_INPUT"
    assert (await wire.ok("search_hub", query="x" * 2000))["count"] == 0
    assert await wire.refused("search_hub", query="x" * 2001) == "TOO_LARGE"


@pytest.mark.claims("search.query-languages")
@pytest.mark.parametrize("query", ["pinyin catalogue", "卡片目录", "pinyin 卡片", "「卡片」 catalogue"])
async def test_a_query_is_english_chinese_or_both(wire: ContractWire, query: str) -> None:
    note = await wire.note("The catalogue is sorted by pinyin. 图书馆的卡片目录按拼音排序。")
    await wire.note("Nothing of the kind. 毫无关系的内容。")
    assert (await ids(wire, "search_hub", query=query))[:1] == [note]


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    """The model that the product brings."""
    return SentenceEncoder()


@pytest.mark.claims("search.across-languages", "search.floor")
async def test_a_query_finds_a_text_in_another_language_and_nonsense_nothing(
    account: Account, encoder: SentenceEncoder
) -> None:
    async with account.with_ports(embedder=encoder) as wire:
        tea = await wire.note("How to brew green tea: the water must not be too hot.", "Green tea")
        train = await wire.note("从北京到上海的高铁需要四个半小时。", "高铁时刻")
        assert (await ids(wire, "search_hub", query="怎么泡绿茶"))[:1] == [tea]
        found = await wire.ok("search_hub", query="high-speed train from Beijing to Shanghai")
        assert (found["results"][0]["id"], found["vectorSearchApplied"]) == (train, True)
        nothing = await wire.ok("search_hub", query="qzxv wkjh ppfgh")
        assert (nothing["results"], nothing["vectorSearchApplied"]) == ([], True)


@pytest.mark.claims("search.hybrid", "flags.vector")
async def test_words_and_meaning_find_together(account: Account, wire: ContractWire) -> None:
    worded = await wire.note("A sofa in the yard of the neighbour", "Yard")
    meant = await wire.note("couch", "Errand")
    both = await wire.ok("search_hub", query="sofa")
    assert ({result["id"] for result in both["results"]}, both["vectorSearchApplied"]) == (
        {worded, meant},
        True,
    )
    async with account.with_ports(embedder=None) as plain:
        words = await plain.ok("search_hub", query="sofa")
        assert ([result["id"] for result in words["results"]], words["vectorSearchApplied"]) == (
            [worded],
            False,
        )


@pytest.mark.claims("flags.rerank")
async def test_the_second_ranking_is_told(account: Account, wire: ContractWire) -> None:
    notes = [await wire.note(f"needle {word}", word) for word in ("plain", "favourite", "other")]
    assert (await wire.ok("search_hub", query="needle"))["rerankApplied"] is False
    async with account.with_ports(reranker=LastFirst("favourite")) as ranked:
        answer = await ranked.ok("search_hub", query="needle")
        assert (answer["rerankApplied"], answer["results"][0]["id"]) == (True, notes[1])
    async with account.with_ports(second_stage=WordEmbedder("second")) as staged:
        assert set(await ids(staged, "search_hub", query="needle")) == set(notes)


@pytest.mark.claims("flags.no-error")
async def test_models_that_fail_are_told_and_never_an_error(account: Account, wire: ContractWire) -> None:
    note = await wire.note("needle")
    failing = WordEmbedder(fails=True)
    async with account.with_ports(embedder=failing, reranker=LastFirst("x", fails=True)) as worse:
        late = await worse.note("needle saved without a model")
        answer = await worse.ok("search_hub", query="needle")
        flags = (answer["rerankApplied"], answer["vectorSearchApplied"])
        assert ({result["id"] for result in answer["results"]}, flags) == ({note, late}, (False, False))
        assert set(await ids(worse, "search", query="needle")) == {note, late}


def put_layers(account: Account, title: str, layers: Layers) -> str:
    """The id of an article with the layers."""
    return account.put(State(title, Kind.ARTICLE, layers))


@pytest.mark.claims(
    "search.provenance-default",
    "search.provenance-match",
    "search.provenance-values",
    "list.provenance",
    "results.summary-null",
)
async def test_provenance_is_of_the_match_in_a_search_and_of_the_item_in_a_list(
    account: Account, wire: ContractWire
) -> None:
    note = await wire.note("needle in a note", "Note")
    clip = put_layers(account, "Clip", Layers(extracted="needle as clipped", summary="thread, in short"))
    scan = put_layers(account, "Scan", Layers(recognized="needle as recognized"))

    async def found(query: str, **filters: str) -> dict[str, str]:
        results = (await wire.ok("search_hub", query=query, **filters))["results"]
        return {result["id"]: result["provenance"] for result in results}

    every = {note: "authored", clip: "clipped", scan: "ocr"}
    assert (await found("needle"), await found("needle", provenance="any")) == (every, every)
    for layer in ("authored", "clipped", "ocr"):
        one = {item: name for item, name in every.items() if name == layer}
        assert await found("needle", provenance=layer) == one
    assert (await found("needle", provenance="ai_summary"), await found("thread")) == (
        {},
        {clip: "ai_summary"},
    )
    listed = {
        layer: await ids(wire, "list_items", provenance=layer)
        for layer in ("authored", "clipped", "ai_summary", "ocr")
    }
    assert listed == {"authored": [note], "clipped": [clip], "ai_summary": [clip], "ocr": [scan]}
    assert set(await ids(wire, "list_items", provenance="any")) == set(every)
    assert set(await ids(wire, "list_items")) == set(every)
    for tool, more in (("search_hub", {"query": "needle"}), ("list_items", {})):
        for unknown in ("mine", "AUTHORED", ""):
            assert await wire.refused(tool, provenance=unknown, **more) == "INVALID_INPUT"
    summaries = {result["id"]: result["summary"] for result in (await wire.ok("list_items"))["results"]}
    assert summaries == {note: None, clip: "thread, in short", scan: None}


@pytest.mark.claims("search.dates-saving", "list.dates-bounds")
async def test_dates_are_those_of_saving(account: Account, wire: ContractWire) -> None:
    clock = account.installation.clock
    clock.pass_by(days=3)
    saved = clock.now().date().isoformat()
    note = await wire.note("needle")
    clock.pass_by(days=3)
    edited = clock.now().date().isoformat()
    await wire.ok("update_note", id=note, authoredContent="needle anew", expectedVersion=1)
    for tool, more in (("search_hub", {"query": "needle"}), ("list_items", {})):
        assert await ids(wire, tool, start=saved, end=saved, **more) == [note]
        assert await ids(wire, tool, start=edited, end=edited, **more) == []


@pytest.mark.claims("search.dates-bounds", "search.dates-pair", "list.dates-bounds", "list.dates-pair")
async def test_a_range_includes_its_start_and_a_whole_last_day(account: Account, wire: ContractWire) -> None:
    note, now = await wire.note("needle"), account.installation.clock.now()
    instant, day, later = now.isoformat(), now.date().isoformat(), now.replace(year=now.year + 1).isoformat()
    in_tokyo = instant.replace("T12:", "T21:").replace("+00:00", "+09:00")
    assert (now.hour, now.utcoffset() is not None) == (12, True)
    for tool, more in (("search_hub", {"query": "needle"}), ("list_items", {})):
        for start, end, found in (
            (instant, later, [note]),
            (in_tokyo, later, [note]),
            (day, day, [note]),
            (day, instant, []),
            (day, later, [note]),
        ):
            assert await ids(wire, tool, start=start, end=end, **more) == found
        for alone in ({"start": day}, {"end": day}, {"start": day, "end": None}):
            assert await wire.refused(tool, **alone, **more) == "INVALID_INPUT"


@pytest.mark.claims(
    "search.envelope",
    "search.result-fields",
    "search.one-per-item",
    "results.sensefold-url",
    "list.result-fields",
    "list.newest-first",
    "list.no-argument-needed",
)
async def test_results_have_the_decided_fields(account: Account, wire: ContractWire) -> None:
    link = new_id()
    await wire.ok("save_link", id=link, url="https://a.example/needle")
    account.capture(link, "\n".join(f"# Part {part}\n\n{'needle ' * 300}\n" for part in range(5)))
    account.installation.clock.pass_by(minutes=1)
    note = await wire.note("needle", "A needle")
    found, listed = await wire.ok("search_hub", query="needle"), await wire.ok("list_items")
    assert set(found) == {"results", "count", "rerankApplied", "vectorSearchApplied"}
    assert set(listed) == {"count", "results"}
    by_id = {result["id"]: set(result) for result in found["results"]}
    fields = RESULT | {"snippet", "score", "chunkRef"}
    assert (by_id, found["count"]) == ({link: fields | {"sourceUrl"}, note: fields}, 2)
    shown = [(result["id"], set(result)) for result in listed["results"]]
    top = RESULT | {"topSnippet"}
    assert (shown, listed["count"]) == ([(note, top), (link, top | {"sourceUrl"})], 2)
    for result in found["results"] + listed["results"]:
        assert result["sensefoldUrl"] == PUBLIC + result["id"]


@pytest.mark.claims("results.source-url")
async def test_the_source_is_told_of_what_was_captured(wire: ContractWire) -> None:
    link, note = new_id(), await wire.note("needle")
    await wire.ok("save_link", id=link, url="https://a.example/needle")
    for tool, more in (("search_hub", {"query": "needle"}), ("list_items", {})):
        results = (await wire.ok(tool, **more))["results"]
        sources = {result["id"]: result.get("sourceUrl", "none") for result in results}
        assert sources == {link: "https://a.example/needle", note: "none"}


@pytest.mark.claims("results.chunk-ref", "results.chunk-ref-reads", "results.chunk-ref-void")
async def test_a_section_is_named_read_and_void_after_an_edit(account: Account, wire: ContractWire) -> None:
    note = await wire.note(SECTIONS, "Sections")
    reference = (await wire.ok("search_hub", query='"Words of part 4"'))["results"][0]["chunkRef"]
    assert (set(reference), reference["headingPath"]) == ({"ordinal", "headingPath"}, ["Part 4"])
    section = await wire.item(note, chunk=reference["ordinal"], chunkRadius=0)
    assert "Words of part 4" in section["content"]
    await wire.ok("update_note", id=note, authoredContent="short", expectedVersion=1)
    assert await wire.refused("get_item", id=note, chunk=reference["ordinal"]) == "INVALID_INPUT"


@pytest.mark.claims("results.chunk-ref")
async def test_a_section_names_its_pages_where_the_text_has_pages(account: Account) -> None:
    library, owner = account.installation.library, account.installation.owner
    wire, text = account.wire(), "needle on the second and third page"
    kept = put_layers(account, "Pages", Layers(extracted=text))
    found = document(library, owner, kept)
    chunk = prepare(library, found.state).chunks[0]
    with library.storage.write() as tx:
        tx.index.replace(owner.spaces[0], kept, 1, [replace(chunk, pages=(2, 3))])
    result = (await wire.ok("search_hub", query="needle"))["results"][0]
    assert result["chunkRef"] == {"ordinal": 0, "headingPath": [], "pages": [2, 3]}


@pytest.mark.claims("results.chunk-ref-body")
async def test_only_a_match_in_the_body_names_a_section(account: Account, wire: ContractWire) -> None:
    body = await wire.note("needle", "Body")
    title = await wire.note("Rivers, mountains, gardens and the long road home.", "Needle")
    summary = put_layers(account, "Summary", Layers(extracted="Else.", summary="needle"))
    results = (await wire.ok("search_hub", query="needle"))["results"]
    references = {result["id"]: result.get("chunkRef", {}).get("ordinal") for result in results}
    assert references == {body: 0, title: None, summary: None}


@pytest.mark.claims("results.sheets")
@pytest.mark.parametrize("kind", [Kind.SHEET, Kind.FILE])
async def test_a_sheet_is_found_by_values_and_remarks_and_read_by_values(
    account: Account, wire: ContractWire, kind: Kind
) -> None:
    sheet = account.put(State("Budget", kind, Layers(authored="a remark", extracted="tea\t12\nrice\t7")))
    for query, provenance in (("rice", "clipped"), ("remark", "authored")):
        results = (await wire.ok("search_hub", query=query))["results"]
        assert [(result["id"], result["provenance"]) for result in results] == [(sheet, provenance)]
    listed = (await wire.ok("list_items"))["results"][0]
    item = await wire.item(sheet)
    assert (item["content"], item["provenance"], listed["topSnippet"][:3]) == (
        "tea\t12\nrice\t7",
        "clipped",
        "tea",
    )


@pytest.mark.claims("search.tags-all", "search.tags-folded")
async def test_tags_are_all_needed_folded_and_stand_for_those_below(wire: ContractWire) -> None:
    one, two = await wire.note("needle"), await wire.note("needle")
    await wire.ok("update_tags", id=one, tags=["Work/Plan", "café"], expectedVersion=1)
    await wire.ok("update_tags", id=two, tags=["Workshop", "CAFÉ"], expectedVersion=1)
    for tags, found in (
        (["CAFE\u0301"], {one, two}),
        (["work"], {one}),
        (["WORK/plan", "#café"], {one}),
        (["workshop", "work"], set()),
        ([], {one, two}),
    ):
        assert set(await ids(wire, "search_hub", query="needle", tags=tags)) == found


@pytest.mark.claims(
    "search.limit-default",
    "search.limit-clamped",
    "search.limit-refused",
    "list.limit-default",
    "list.limit-clamped",
    "list.limit-refused",
)
async def test_limits_have_their_default_maximum_and_minimum(wire: ContractWire) -> None:
    for number in range(52):
        await wire.note(f"needle {number}")
    for tool, default, more in (("search_hub", 5, {"query": "needle"}), ("list_items", 10, {})):
        counts = [(await wire.ok(tool, limit=limit, **more))["count"] for limit in (1, 49, 50, 51, 5000)]
        assert (counts, (await wire.ok(tool, **more))["count"]) == ([1, 49, 50, 50, 50], default)
        for bad in (0, -1, -(10**9)):
            assert await wire.refused(tool, limit=bad, **more) == "INVALID_INPUT"


@pytest.mark.claims(
    "list.keyword-and", "list.keyword-whole-text", "list.keyword-not-semantic", "list.top-snippet"
)
async def test_a_keyword_is_literal_in_the_whole_text_and_the_snippet_its_beginning(
    wire: ContractWire,
) -> None:
    note = await wire.note("First words. " + "filler " * 3000 + "sofa at the end", "Long")
    await wire.note("First words only", "Short")
    await wire.note("couch", "Meant")
    for keyword, found in (
        ("sofa", [note]),
        ("sofa first", [note]),
        ("SOFA", [note]),
        ("sofa missing", []),
        ("sofas", []),
    ):
        assert await ids(wire, "list_items", keyword=keyword) == found
    top = (await wire.ok("list_items", keyword="sofa"))["results"][0]["topSnippet"]
    assert (top.startswith("First words. filler"), "sofa" in top) == (True, False)


@pytest.mark.claims("search-alias.answer", "search-alias.same")
async def test_the_alias_answers_the_same_items_in_four_fields(wire: ContractWire) -> None:
    for number in range(7):
        await wire.note(f"needle {number}", f"Note {number}")
    native = (await wire.ok("search_hub", query="needle"))["results"]
    alias = await wire.ok("search", query="needle", limit=50)
    assert (set(alias), {frozenset(result) for result in alias["results"]}) == (
        {"results"},
        {frozenset({"id", "title", "url", "text"})},
    )
    told = [(result["id"], result["title"], result["sensefoldUrl"]) for result in native]
    assert [(result["id"], result["title"], result["url"]) for result in alias["results"]] == told
