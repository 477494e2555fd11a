"""How is the index rebuilt at the command line, while a server goes on serving?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.commands.terminal import DONE, FAILED, Progress, Session, command_parser, run_action, say
from vademecum.library.reindexing import forget_vectors, items_to_reindex, reindex_item
from vademecum.model.errors import StoredDataDamaged


def run(command: str, words: Sequence[str]) -> int:
    """`vade reindex [--vectors]`."""
    parser = command_parser(command, "Make index, names and links anew from the texts, while serving.")
    parser.add_argument("--vectors", action="store_true", help="have the models read all meanings anew too")
    parser.set_defaults(action=_reindex)
    return run_action(parser, words)


def _reindex(session: Session) -> int:
    library = session.app.library
    if session.arguments.vectors:
        for model in (library.embedder, library.second_stage):
            if model is not None:
                forget_vectors(library, model.name)
    items = items_to_reindex(library)
    done, damaged = 0, []
    with Progress("Reindexing", len(items)) as progress:
        for number, (space_id, item_id) in enumerate(items, start=1):
            try:
                done += reindex_item(library, space_id, item_id)
            except StoredDataDamaged:
                damaged.append(item_id)
            progress.at(number)
    result = {"items": len(items), "reindexed": done, "damaged": damaged}
    session.show(result, [f"{done:,} of {len(items):,} items reindexed"])
    for item_id in damaged:
        say(f"vade: {item_id}: its stored text cannot be read; `vade doctor` tells more")
    if library.embedder is not None:
        say("Searching by meaning follows in the background while the server runs.")
    return FAILED if damaged else DONE
