"""When are two tags the same, and which tags may an item be given?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from vademecum.model.errors import InvalidInput, TooLarge

TAG_LIMIT = 100  # characters
TAGS_MOST = 20
_BEFORE_THE_WORD = "#\uff03/\uff0f "
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def tag_key(tag: str) -> str:
    """The form by which tags are compared: NFKC, case folded, without hash, spaces and levels normalised.

    A full-width hash or letter is the same as the plain one (design 5). A key is its own key.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", tag).casefold())
    return tidy_tag(unicodedata.normalize("NFKC", folded))


def tidy_tag(tag: str) -> str:
    """The tag as it is shown: as spelt, without leading hash, outer and doubled spaces and empty levels."""
    bare = " ".join(tag.split()).lstrip(_BEFORE_THE_WORD)
    levels = (level.strip() for level in re.split(r"[/\uff0f]", bare))
    return "/".join(level for level in levels if level)


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags of a text as shown, the first spelling of each; the empty and overlong ones are left out.

    For tags that somebody else wrote into a file; what a caller sends goes through `clean_tags`.
    """
    shown: dict[str, str] = {}
    for tag in tags:
        tidy = tidy_tag(_CONTROLS.sub("", tag))
        if tidy and len(tidy) <= TAG_LIMIT:
            shown.setdefault(tag_key(tidy), tidy)
    return tuple(tag for key, tag in shown.items() if key)


def clean_tags(tags: Sequence[str], limit: int = TAGS_MOST) -> tuple[str, ...]:
    """The tags a caller gives an item: the first spelling of each, in order.

    Raises InvalidInput for an empty tag, a control character, or more than `limit` different tags; TooLarge
    for one of more than 100 characters (decisions, All three sets).
    """
    shown: dict[str, str] = {}
    for tag in tags:
        if len(tag) > TAG_LIMIT:
            raise TooLarge("tags", TAG_LIMIT, "characters in one tag")
        if _CONTROLS.search(tag):
            raise InvalidInput("tags", "a tag may not hold a control character")
        key = tag_key(tag)
        if not key:
            raise InvalidInput("tags", "a tag may not be empty")
        shown.setdefault(key, tidy_tag(tag))
        if len(shown) > limit:
            raise InvalidInput("tags", f"at most {limit} tags")
    return tuple(shown.values())


def has_tag(item_keys: Iterable[str], wanted: str) -> bool:
    """Whether a key is the wanted tag or stands below it: `a` is met by `a` and `a/b`, not by `ab`."""
    key = tag_key(wanted)
    return any(own == key or own.startswith(key + "/") for own in item_keys)
