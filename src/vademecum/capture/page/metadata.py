"""What does a page say about itself?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from vademecum.capture.page.trees import Element
from vademecum.model.addresses import check_address
from vademecum.model.errors import InvalidInput

_LINKED_DATA_LIMIT = 500_000  # characters
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}", re.IGNORECASE)
_ARTICLES = re.compile(
    r"(?:News|Blog|Tech|Scholarly|Report|Opinion|Analysis)?(?:Article|Posting)", re.IGNORECASE
)
_FIELD_LIMIT = 1000  # characters


@dataclass(frozen=True, slots=True)
class LinkedData:
    """What the page's JSON-LD says of its article; empty or None where it says nothing."""

    headline: str = ""
    body: str = ""
    is_free: bool | None = None


def linked_data(tree: Element) -> LinkedData:
    """The page's own description of its article, for machines."""
    for script in tree.iter("script"):
        if (
            script.get("type", "").lower() != "application/ld+json"
            or len(script.text or "") > _LINKED_DATA_LIMIT
        ):
            continue
        try:
            told = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        for thing in _things(told):
            if any(_ARTICLES.fullmatch(kind) for kind in _listed(thing.get("@type"))):
                free = thing.get("isAccessibleForFree")
                return LinkedData(
                    one_line(thing.get("headline")),
                    thing["articleBody"] if isinstance(thing.get("articleBody"), str) else "",
                    None if free is None else str(free).lower() not in ("false", "0"),
                )
    return LinkedData()


def _things(told: Any) -> Iterator[dict[str, Any]]:
    """The descriptions in JSON-LD, also those of a graph or list."""
    pending = [told]
    for _ in range(200):
        if not pending:
            return
        thing = pending.pop()
        if isinstance(thing, list):
            pending.extend(thing[:200])
        elif isinstance(thing, dict):
            yield thing
            pending.extend(thing[name] for name in ("@graph", "mainEntity") if name in thing)


def _listed(value: Any) -> list[str]:
    return [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, str)]


def one_line(value: Any) -> str:
    """A text on one line and of bounded length, empty for anything else than a text."""
    return " ".join(value.split())[:_FIELD_LIMIT] if isinstance(value, str) else ""


def language_of(tree: Element) -> str:
    """The language that the page says it is in, as a tag such as `zh-CN`, empty when it says none."""
    told = tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return told.strip() if _LANGUAGE.fullmatch(told.strip()) else ""


def canonical_address(tree: Element, address: str) -> str:
    """The address that the page calls its own, if that is on the same site, else empty."""
    for link in tree.iter("link"):
        if "canonical" not in link.get("rel", "").lower().split():
            continue
        try:
            told = check_address(urljoin(address, link.get("href", "").strip()))
        except (InvalidInput, ValueError):
            return ""
        return told if _same_site(told, address) else ""
    return ""


def _same_site(one: str, other: str) -> bool:
    """Whether one host is the other or stands under it, `www.` aside."""
    first, second = (f".{(urlsplit(url).hostname or '').removeprefix('www.')}" for url in (one, other))
    return first.endswith(second) or second.endswith(first)


def title_of(tree: Element) -> str:
    """The title of the document as the browser shows it."""
    title = tree.find(".//title")
    return one_line("".join(title.itertext())) if title is not None else ""
