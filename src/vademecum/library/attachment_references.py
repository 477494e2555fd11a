"""How does the text of a note name a file so that the name leads there?"""

from __future__ import annotations

import re
from urllib.parse import quote

from vademecum.library.naming import target_key
from vademecum.library.places import Tree
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import IMPORT_TEXT_LIMIT, Item
from vademecum.ports.storage import Transaction
from vademecum.text.links import find_links
from vademecum.text.paragraphs import with_paragraph
from vademecum.text.properties import parse

_NOT_SHOWN = re.compile(r"[\[\]\\`]+")


def reference_to(tx: Transaction, tree: Tree, note: Item, item_id: str, place: tuple[str | None, str]) -> str:
    """An embed by the file's name where that leads to it, else by its path; a Markdown image where a wikilink
    cannot hold either. `place` is the folder and name under which the file lies, or will lie.
    """
    folder_id, name = place
    path = tree.path_of(folder_id, name)
    from_top = path if "/" in path else f"/{path}"
    wanted = ([name] if _bears_it(tx, note.space_id, item_id, name) else []) + [from_top]
    for target in wanted:
        if _leads_to(f"![[{target}]]", target):
            return f"![[{target}]]"
    written = quote(name if folder_id == note.folder_id else f"/{path}", safe="/")
    return f"![{_NOT_SHOWN.sub(' ', name)}]({written})"


def _bears_it(tx: Transaction, space_id: str, item_id: str, name: str) -> bool:
    """Whether the name means the file, which may still have to be added, and no other item."""
    bearers = [
        item.item_id for item, origin in tx.items.named((space_id,), target_key(name)) if origin != "past"
    ]
    return not bearers or bearers[0] == item_id


def _leads_to(reference: str, target: str) -> bool:
    links = find_links(reference)
    return (
        "`" not in target and len(links) == 1 and links[0].target == target and links[0].end == len(reference)
    )


def with_reference(body: str, frontmatter: str, reference: str) -> str:
    """The body with the reference as a paragraph at its end, all else byte for byte as it was.

    Raises InvalidInput (`placement`) where the body ends within code that is not closed, and
    TooLarge.
    """
    made, place = with_paragraph(body, reference)
    if len(made) > IMPORT_TEXT_LIMIT:
        raise TooLarge("placement", IMPORT_TEXT_LIMIT, "characters in the text")
    links = find_links(made, parse(frontmatter))
    if not links or (links[-1].start, links[-1].end) != (place, place + len(reference)):
        raise InvalidInput("placement", "the text ends within code that is not closed: put it in the panel")
    return made
