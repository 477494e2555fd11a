"""How does an agent find notes in the vault, by words and by patterns?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.faces.mcp.vault_tools.shapes import LISTED, STRING, cut, listed_shape
from vademecum.library.context import Library
from vademecum.library.finding import NoteSearch
from vademecum.library.finding import search_notes as search_vault
from vademecum.library.grepping import GrepRequest, LineMatch, grep
from vademecum.library.linking import backlinks
from vademecum.model.access import Caller, Tier
from vademecum.model.search import QUERY_LIMIT
from vademecum.text.patterns import PATTERN_LIMIT

_SEARCH_DEFAULT, _SEARCH_MOST = 20, 199
_GREP_DEFAULT, _GREP_MOST, _CONTEXT_MOST = 100, 500, 5
_TAGS_MOST = 50
_LINE_SHOWN = 2_000  # characters
_COUNT: Schema = {"type": "integer", "minimum": 0}
_LINES: Schema = {"type": "array", "items": STRING}
_ARCHIVED: Schema = {"type": "boolean", "default": False, "description": "Archived notes too."}


def _search_notes(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    request = NoteSearch(
        query=arguments.text("query"),
        tags=arguments.texts("tags"),
        archived=arguments.flag("includeArchived"),
        limit=arguments.integer("limit"),
    )
    found, truncated = search_vault(library, caller, request)
    results = [listed_shape(one.listed) | {"snippet": one.snippet} for one in found]
    return {"results": results, "truncated": truncated, "limit": request.limit}


SEARCH_NOTES = Tool(
    name="search_notes",
    tier=Tier.READ_ONLY,
    hints=Hints("Search notes", read_only=True),
    description=(
        "Full-text search over the notes and sheets of the vault: title, body and tags, best match first."
        " Each result has a path to read it by, and a snippet around the match. When truncated is true there"
        " are more hits: raise limit or use more specific words. For exact text or expressions use"
        " grep_notes."
    ),
    properties={
        "query": {"type": "string", "maxLength": QUERY_LIMIT, "description": "Words, or a phrase in quotes."},
        "tags": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": _TAGS_MOST,
            "description": "Only what carries all of these tags.",
        },
        "includeArchived": _ARCHIVED,
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": _SEARCH_MOST,
            "default": _SEARCH_DEFAULT,
            "description": "How many results at most.",
        },
    },
    required=("query",),
    clamped=frozenset({"limit"}),
    outputs={
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {**LISTED, "snippet": STRING},
                "required": [*LISTED, "snippet"],
            },
        },
        "truncated": {"type": "boolean", "description": "Whether there are more than limit."},
        "limit": {"type": "integer", "description": "The limit that was used."},
    },
    answers=("results", "truncated", "limit"),
    run=_search_notes,
)


def _grep_notes(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    request = GrepRequest(
        pattern=arguments.text("pattern"),
        is_expression=arguments.flag("regex"),
        ignore_case=arguments.flag("ignoreCase"),
        path=arguments.text_if_given("path"),
        context=arguments.integer("context"),
        archived=arguments.flag("includeArchived"),
        limit=arguments.integer("limit"),
    )
    answer = grep(library, caller, request)
    counted: Shape = {
        "totalMatches": answer.lines,
        "totalFiles": len(answer.counts),
        "skipped": answer.skipped,
        "limit": request.limit,
    }
    if arguments.text("outputMode") == "files":
        files = [{"path": path, "count": count} for path, count in answer.counts[: request.limit]]
        return {"files": files, **counted, "truncated": len(files) < len(answer.counts)}
    matches = [_match_shape(match) for match in answer.matches]
    return {"matches": matches, **counted, "truncated": len(matches) < answer.lines}


def _match_shape(match: LineMatch) -> Shape:
    return {
        "path": match.path,
        "line": match.line,
        "text": cut(match.text, _LINE_SHOWN),
        "before": [cut(line, _LINE_SHOWN) for line in match.before],
        "after": [cut(line, _LINE_SHOWN) for line in match.after],
    }


GREP_NOTES = Tool(
    name="grep_notes",
    tier=Tier.READ_ONLY,
    hints=Hints("Search notes by pattern", read_only=True),
    description=(
        "Search line by line through exactly the Markdown that read_note returns, by exact text or by regular"
        " expression (RE2 syntax: no backreferences, no look-around). Sheets are not searched. totalMatches"
        " (lines) and totalFiles count everything, whatever the limit. skipped is the number of notes that"
        " could not be read: with no match, check that it is 0 before concluding that there is none. A line"
        " longer than 2,000 characters is shown cut."
    ),
    properties={
        "pattern": {"type": "string", "maxLength": PATTERN_LIMIT, "description": "What a line has to hold."},
        "regex": {"type": "boolean", "default": False, "description": "pattern is a regular expression."},
        "ignoreCase": {"type": "boolean", "default": False},
        "path": {
            "type": "string",
            "description": (
                "A folder, the path of one note, or a glob over whole paths, in which ** crosses folders and"
                " * does not. Default: the whole vault."
            ),
        },
        "outputMode": {
            "type": "string",
            "enum": ["lines", "files"],
            "default": "lines",
            "description": "The matching lines, or how many each note has.",
        },
        "context": {
            "type": "integer",
            "minimum": 0,
            "maximum": _CONTEXT_MOST,
            "default": 0,
            "description": "How many lines to show before and after each match.",
        },
        "includeArchived": _ARCHIVED,
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": _GREP_MOST,
            "default": _GREP_DEFAULT,
            "description": "How many lines, or notes in files mode, at most.",
        },
    },
    required=("pattern",),
    clamped=frozenset({"limit", "context"}),
    outputs={
        "matches": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": STRING,
                    "line": {"type": "integer", "minimum": 1},
                    "text": STRING,
                    "before": _LINES,
                    "after": _LINES,
                },
                "required": ["path", "line", "text", "before", "after"],
            },
        },
        "files": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"path": STRING, "count": _COUNT},
                "required": ["path", "count"],
            },
        },
        "totalMatches": _COUNT,
        "totalFiles": _COUNT,
        "truncated": {"type": "boolean"},
        "skipped": _COUNT,
        "limit": {"type": "integer", "description": "The limit that was used."},
    },
    answers=("totalMatches", "totalFiles", "truncated", "skipped"),
    run=_grep_notes,
)


def _get_backlinks(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    found = backlinks(library, caller, arguments.text("path"))
    return {"backlinks": [{"path": path, "title": title} for path, title in found]}


GET_BACKLINKS = Tool(
    name="get_backlinks",
    tier=Tier.READ_ONLY,
    hints=Hints("See what links to a note", read_only=True),
    description="List the notes that link to the given one, by wikilink, embed, Markdown link or alias.",
    properties={"path": {"type": "string", "description": "The note, as a list or search gave its path."}},
    required=("path",),
    outputs={
        "backlinks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"path": STRING, "title": STRING},
                "required": ["path", "title"],
            },
        }
    },
    answers=("backlinks",),
    run=_get_backlinks,
)
