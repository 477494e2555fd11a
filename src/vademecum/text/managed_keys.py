"""How does a frontmatter block follow a change of the title, tags and flags that were read from it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vademecum.model.items import State
from vademecum.model.tags import tag_key
from vademecum.text.frontmatter import NewValue, Properties, parse, set_properties


def following(before: State, after: State) -> State:
    """The state whose block says what its title, tags and flags are, where it said so before: the one rule by
    which block and columns stay in agreement (design 5, decisions, Frontmatter).

    It is for whoever changes a column; what is read from a file or brought back from a revision has a block
    that agrees. Managed keys that stand in the block are changed in place, others are not added. Raises
    InvalidInput where tags change and the block cannot be read or changed: a second header is never put on
    top of it (cases A11).
    """
    if not after.frontmatter or after.frontmatter != before.frontmatter:
        return after
    changes = dict(_changes(parse(after.frontmatter), before, after))
    if not changes:
        return after
    return replace(after, frontmatter=set_properties(after.frontmatter, changes))


def with_tags(block: str, before: Sequence[str], after: Sequence[str]) -> str:
    """The block after its item's tags became others; one without a key for tags is left as it is.

    Raises InvalidInput as `following` does.
    """
    properties = parse(block)
    changes = dict(_tag_changes(properties, before, after)) if block else {}
    return set_properties(block, changes) if changes else block


def _changes(properties: Properties, before: State, after: State) -> Iterator[tuple[str, NewValue]]:
    if after.title != before.title and properties.find("title") is not None:
        yield "title", after.title
    flags = (("pinned", before.pinned, after.pinned), ("archived", before.archived, after.archived))
    for name, was, now in flags:
        if was != now and properties.find(name) is not None:
            yield name, now
    yield from _tag_changes(properties, before.tags, after.tags)


def _tag_changes(
    properties: Properties, before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, NewValue]]:
    """What the key for tags is to hold: its own ones that stay, then those that came.

    Tags that stand in the text are the item's too, but none of the key's.
    """
    if tuple(before) == tuple(after):
        return
    if properties.problem is not None:
        yield "tags", after  # which is refused, with the line that has to be mended
        return
    key = next((name for name in ("tags", "tag") if properties.find(name) is not None), None)
    if key is None:
        return
    had, own = ({tag_key(tag) for tag in tags} for tags in (before, properties.tags))
    yield key, tuple(tag for tag in after if tag_key(tag) in own or tag_key(tag) not in had)
