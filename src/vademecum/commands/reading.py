"""How is the library searched and read from a terminal?"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from vademecum.commands.terminal import DONE, Session, add_account, command_parser, run_action, say
from vademecum.library.reading import document, paths
from vademecum.library.searching import SearchRequest, search
from vademecum.model.search import SEARCH_DEFAULT, Found, SearchAnswer
from vademecum.ports.storage import ItemKey


def run(command: str, words: Sequence[str]) -> int:
    """`vade search QUERY` and `vade get ID`."""
    if command == "search":
        parser = command_parser(command, "Search by words and by meaning, in any of your languages.")
        parser.add_argument(
            "query",
            nargs="+",
            metavar="QUERY",
            help="words or a question; '\"in quotation marks\"' to the letter",
        )
        parser.add_argument(
            "--limit", type=int, default=SEARCH_DEFAULT, metavar="N", help="how many results, up to 50"
        )
        parser.add_argument("--tag", action="append", default=[], help="only items with this tag; repeatable")
        parser.set_defaults(action=_search)
    else:
        parser = command_parser(command, "Print an item's text.")
        parser.add_argument("id", metavar="ID", help="the item's id, as `vade search` shows it")
        parser.set_defaults(action=_get)
    add_account(parser)
    return run_action(parser, words)


def _search(session: Session) -> int:
    given = session.arguments
    request = SearchRequest(" ".join(given.query), tags=given.tag, limit=given.limit)
    answer = search(session.app.library, session.caller, request)
    places = paths(session.app.library, [found.item for found in answer.results])
    lines = [line for found in answer.results for line in _lines(found, places)]
    session.show(_shape(session, answer, places), lines)
    if not answer.results:
        say("Nothing found. Fewer or other words, or the other language, often help.")
    elif not answer.vector_search_applied:
        say("Ranked by words alone: meanings are still being read, or no model for them is set.")
    return DONE


def _lines(found: Found, places: Mapping[ItemKey, str]) -> list[str]:
    item = found.item
    section = " › ".join(found.chunk.heading_path) if found.chunk else ""
    snippet = " ".join(found.snippet.split())
    return [
        f"{item.title}{f'  ({section})' if section else ''}",
        f"  {places[item.space_id, item.item_id]}",
        f"  {item.item_id}",
        f"  {snippet}",
        "",
    ]


def _shape(session: Session, answer: SearchAnswer, places: Mapping[ItemKey, str]) -> dict[str, object]:
    results = [
        {
            "id": found.item.item_id,
            "title": found.item.title,
            "path": places[found.item.space_id, found.item.item_id],
            "kind": found.item.kind.value,
            "snippet": found.snippet,
            "url": f"{session.settings.public_url}/i/{found.item.item_id}",
            "score": found.score,
        }
        for found in answer.results
    ]
    return {
        "results": results,
        "count": len(results),
        "vectorSearchApplied": answer.vector_search_applied,
        "rerankApplied": answer.rerank_applied,
    }


def _get(session: Session) -> int:
    found = document(session.app.library, session.caller, session.arguments.id)
    item = found.item
    (place,) = paths(session.app.library, [item]).values()
    if session.wants_json:
        result = {
            "id": item.item_id,
            "title": item.title,
            "path": place,
            "kind": item.kind.value,
            "version": item.version,
            "tags": list(item.tags),
            "sourceUrl": item.source_url,
            "createdAt": item.created_at,
            "updatedAt": item.updated_at,
            "frontmatter": found.frontmatter,
            "content": found.body,
        }
        session.show(result, [])
    else:
        if sys.stdout.isatty():
            say(f"{item.title}\n{place}\n")  # beside the text, which goes byte for byte wherever it is sent
        # As bytes, so that no terminal's encoding or line end alters the text.
        sys.stdout.flush()
        sys.stdout.buffer.write((found.frontmatter + found.body).encode())
    return DONE
