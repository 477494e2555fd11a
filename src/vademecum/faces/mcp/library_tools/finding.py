"""How do agents find items: by topic, and newest first?"""

from __future__ import annotations

from vademecum.faces.mcp.library_tools.shapes import (
    CHUNK_REFERENCE,
    found_shape,
    listed_shape,
    results_schema,
)
from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.library.context import Library
from vademecum.library.reading import ListRequest
from vademecum.library.reading import list_items as list_library_items
from vademecum.library.searching import SearchRequest
from vademecum.library.searching import search as search_library
from vademecum.model.access import Caller, Tier
from vademecum.model.items import PROVENANCES
from vademecum.model.search import LIST_DEFAULT, QUERY_LIMIT, RESULTS_MOST, SEARCH_DEFAULT

_TAGS_MOST = 50
_DATE_LENGTH = 64
_PROVENANCE: Schema = {
    "type": "string",
    "enum": list(PROVENANCES),
    "default": "any",
    "description": (
        "Which kind of text: authored (written by the person or for them), clipped (captured), ai_summary,"
        " ocr, any."
    ),
}
_START: Schema = {
    "type": "string",
    "maxLength": _DATE_LENGTH,
    "description": "ISO date or time, inclusive, on the time of saving. Give start and end together.",
}
_END: Schema = {
    "type": "string",
    "maxLength": _DATE_LENGTH,
    "description": "ISO date (that day included) or time (exclusive). Give start and end together.",
}


def _limit(default: int) -> Schema:
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": RESULTS_MOST,
        "default": default,
        "description": "How many results at most.",
    }


def _search_hub(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    request = SearchRequest(
        query=arguments.text("query"),
        tags=arguments.texts("tags"),
        provenance=arguments.text("provenance"),
        start=arguments.text_if_given("start"),
        end=arguments.text_if_given("end"),
        limit=arguments.integer("limit"),
    )
    answer = search_library(library, caller, request)
    results = [found_shape(library, found) for found in answer.results]
    return {
        "results": results,
        "count": len(results),
        "rerankApplied": answer.rerank_applied,
        "vectorSearchApplied": answer.vector_search_applied,
    }


SEARCH_HUB = Tool(
    name="search_hub",
    tier=Tier.READ_ONLY,
    hints=Hints("Search the library", read_only=True),
    description=(
        "Find items of the personal library by topic or meaning. Words and meaning are searched together, and"
        " a query in one language also finds texts in another (English, Chinese, Japanese or mixed). This is"
        " the tool for questions about a subject; for the newest items use list_items.\n\n"
        "Each result has a title, summary, tags and a snippet that shows the match, sensefoldUrl (the link to"
        " cite), sourceUrl where it was captured from somewhere, and chunkRef when one section matched: pass"
        " its ordinal to get_item as chunk to read that section.\n\n"
        "When rerankApplied or vectorSearchApplied is false the ranking is coarser. If results are few or"
        " weak, try once more with a shorter query, other words or the other language before concluding that"
        " there is nothing."
    ),
    properties={
        "query": {
            "type": "string",
            "maxLength": QUERY_LIMIT,
            "description": "What to look for: a question, topic, phrase in quotes, title or address.",
        },
        "tags": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": _TAGS_MOST,
            "description": "Only items that carry all of these tags.",
        },
        "provenance": _PROVENANCE,
        "start": _START,
        "end": _END,
        "limit": _limit(SEARCH_DEFAULT),
    },
    required=("query",),
    clamped=frozenset({"limit"}),
    outputs={
        "results": results_schema(
            snippet={"type": "string"},
            chunkRef=CHUNK_REFERENCE,
            score={"type": "number", "description": "Best first."},
        ),
        "count": {"type": "integer", "description": "How many results are listed here."},
        "rerankApplied": {"type": "boolean"},
        "vectorSearchApplied": {"type": "boolean"},
    },
    answers=("results", "count", "rerankApplied", "vectorSearchApplied"),
    run=_search_hub,
)


def _list_items(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    request = ListRequest(
        start=arguments.text_if_given("start"),
        end=arguments.text_if_given("end"),
        provenance=arguments.text("provenance"),
        keyword=arguments.text_if_given("keyword"),
        limit=arguments.integer("limit"),
    )
    results = [listed_shape(library, item) for item in list_library_items(library, caller, request)]
    return {"count": len(results), "results": results}


LIST_ITEMS = Tool(
    name="list_items",
    tier=Tier.READ_ONLY,
    hints=Hints("List recent items", read_only=True),
    description=(
        "List items of the personal library, newest first, optionally of a range of dates, of one kind of"
        " text, or with certain words. keyword is literal: every word of it has to stand somewhere in the"
        " item's full text, and nothing is matched by meaning (for that use search_hub). topSnippet is always"
        " the beginning of the item, even where the words stand further down."
    ),
    properties={
        "start": _START,
        "end": _END,
        "provenance": _PROVENANCE,
        "keyword": {
            "type": "string",
            "maxLength": QUERY_LIMIT,
            "description": "Words that must all occur in the full text.",
        },
        "limit": _limit(LIST_DEFAULT),
    },
    required=(),
    clamped=frozenset({"limit"}),
    outputs={
        "count": {"type": "integer", "description": "How many results are listed here."},
        "results": results_schema(topSnippet={"type": "string"}),
    },
    answers=("count", "results"),
    run=_list_items,
)
