"""How is the library searched and read from a terminal?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from vademecum.commands.terminal import DONE, Session, add_account, command_parser, run_action, say
from vademecum.library.reading import document
from vademecum.library.searching import SearchRequest, search
from vademecum.model.search import SEARCH_DEFAULT, Found, SearchAnswer


def run(command: str, words: Sequence[str]) -> int:
    """`vade search QUERY` and `vade get ID`."""
    if command == "search":
        parser = command_parser(command, "Search by words and by meaning, in any of your languages.")
        parser.add_argument("query", nargs="+")
        parser.add_argument(
            "--limit", type=int, default=SEARCH_DEFAULT, metavar="N", help="how many results, up to 50"
        )
        parser.add_argument("--tag", action="append", default=[], help="only items with this tag; repeatable")
        parser.set_defaults(action=_search)
    else:
        parser = command_parser(command, "Print an item's text.")
        parser.add_argument("id")
        parser.set_defaults(action=_get)
    add_account(parser)
    return run_action(parser, words)


def _search(session: Session) -> int:
    given = session.arguments
    request = SearchRequest(" ".join(given.query), tags=given.tag, limit=given.limit)
    answer = search(session.app.library, session.caller, request)
    session.show(_shape(session, answer), [line for found in answer.results for line in _lines(found)])
    if not answer.results:
        say("Nothing found. Fewer or other words, or the other language, often help.")
    elif not answer.vector_search_applied:
        say("Ranked by words alone: vectors are missing or still being made.")
    return DONE


def _lines(found: Found) -> list[str]:
    place = " › ".join(found.chunk.heading_path) if found.chunk else ""
    snippet = " ".join(found.snippet.split())
    return [
        f"{found.item.title}{f'  ({place})' if place else ''}",
        f"  {found.item.item_id}",
        f"  {snippet}",
        "",
    ]


def _shape(session: Session, answer: SearchAnswer) -> dict[str, object]:
    results = [
        {
            "id": found.item.item_id,
            "title": found.item.title,
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
    if session.wants_json:
        result = {
            "id": item.item_id,
            "title": item.title,
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
        # As bytes, so that no terminal's encoding or line end alters the text.
        sys.stdout.flush()
        sys.stdout.buffer.write((found.frontmatter + found.body).encode())
    return DONE
