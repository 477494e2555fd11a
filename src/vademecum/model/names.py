"""What is a thing called on disk and in paths, and when are two names the same?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from urllib.parse import unquote

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.graphemes import cut_bytes

NAME_BYTES = 255  # what common file systems allow one name
PATH_BYTES = 4096
FOLDERS_DEEP = 64  # how many folders may lie in one another, in the library as on disk
SUFFIX_LENGTH = 16
UNTITLED = "Untitled"

_TITLE_READ = 1024  # code points; more cannot enter a name
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\ud800-\udfff]+')
_SPACING = re.compile(r"[\t\n\x0b\x0c\r\x85\u2028\u2029]+")
_OUTER = re.compile(r"\A[\s.]+|[\s.]+\Z")
# Device names of Windows, which takes them for the device whatever suffix follows.
_RESERVED = re.compile(
    r"\A(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])(?=\s*(?:\.|\Z))", re.IGNORECASE
)
_ROUNDS_OF_DECODING = 3


def file_name(title: str, suffix: str = ".md", number: int | None = None) -> str:
    """The file name of a title: visible, never hidden or empty, allowed on every common file system.

    The title's case and spaces are kept; what a file system forbids becomes a hyphen, control and invisible
    characters go, dots and spaces around it too. At most 255 bytes of UTF-8 with suffix and number, cut
    between visible characters, in NFC (design 5). A number is added as `Title 2.md`.
    """
    tail = suffix if number is None else f" {number}{suffix}"
    room = NAME_BYTES - len(tail.encode("utf-8", "surrogatepass"))
    if room < len(UNTITLED):
        raise TooLarge("suffix", SUFFIX_LENGTH)
    stem = _OUTER.sub("", cut_bytes(_safe(title[:_TITLE_READ]), room))
    return (stem if _is_visible(stem) else UNTITLED) + tail


def _safe(title: str) -> str:
    text = _FORBIDDEN.sub("-", _SPACING.sub(" ", unicodedata.normalize("NFC", title)))
    text = "".join(character for character in text if _is_kept(character))
    text = _OUTER.sub("", unicodedata.normalize("NFC", text))
    return _RESERVED.sub(r"\1_", text)


def _is_kept(character: str) -> bool:
    """False for control characters and for marks of direction and other characters that show nothing.

    The two joiners and the tags of flags are kept, since they choose how their neighbours are drawn.
    """
    category = unicodedata.category(character)
    if category == "Cf":
        return character in "\u200c\u200d" or "\U000e0020" <= character <= "\U000e007f"
    return category != "Cc"


def _is_visible(stem: str) -> bool:
    return any(unicodedata.category(character)[0] in "LNPS" and character not in "-." for character in stem)


def split_suffix(name: str) -> tuple[str, str]:
    """A file name as stem and suffix; a suffix has at most 16 characters and no space, else it is empty."""
    stem, dot, suffix = name.rpartition(".")
    if not stem.strip(".") or not suffix or len(suffix) >= SUFFIX_LENGTH or re.search(r"[\s/\\]", suffix):
        return name, ""
    return stem, dot + suffix


def name_key(name: str) -> str:
    """The form by which names are compared: case folded and in NFC (design 5). A key is its own key."""
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFC", folded)


def next_free_name(wanted: str, taken_keys: Container[str]) -> str:
    """The wanted file name, or the same with the number that makes its key free, as in `Plan 2.md`.

    Asks for few keys even where thousands are taken: it doubles the number until one is free, then halves
    the distance, so a gap far below the highest number may be passed over.
    """
    if name_key(wanted) not in taken_keys:
        return wanted
    stem, suffix = split_suffix(wanted)

    def is_taken(number: int) -> bool:
        return name_key(file_name(stem, suffix, number)) in taken_keys

    taken, free = 1, 2
    while is_taken(free):
        taken, free = free, free * 2
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if is_taken(middle) else (taken, middle)
    return file_name(stem, suffix, free)


def slug(text: str) -> str:
    """Letters and digits of every script in lower case, all else one hyphen; for handles and comparison only.

    Empty for a text without letters and digits; the caller then takes the id.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = [_slug_part(character) for character in folded if character not in "'\u2019"]
    return unicodedata.normalize("NFKC", "-".join(part for part in "".join(kept).split("-") if part))


def _slug_part(character: str) -> str:
    return character if unicodedata.category(character)[0] in "LNM" else "-"


def clean_path(path: str) -> tuple[str, ...]:
    r"""The names of a path within a space, outermost first; empty for the top (`""` or `.`).

    `\` separates like `/`, one closing separator is ignored, and names are returned as written. Raises
    InvalidInput for an absolute path, a name made of dots, an empty name, a control character, and for what
    would climb out of the space after percent decoding; TooLarge above 255 bytes a name or 4,096 in all.
    Dots within a name are allowed (cases A30).
    """
    _check_size(path)
    if path in ("", "."):
        return ()
    decoded = path
    for _ in range(_ROUNDS_OF_DECODING):
        _check_climbing(decoded)
        decoded = unquote(decoded)
    _check_dots(unicodedata.normalize("NFKC", decoded))
    parts = _parts(path)
    if any(not part.strip() for part in parts):
        raise InvalidInput("path", "holds an empty name")
    return tuple(parts)


def is_path(path: str) -> bool:
    """Whether `clean_path` takes a path on disk, whose separator is `/`, for what it is."""
    try:
        return clean_path(path) == tuple(path.split("/"))
    except (InvalidInput, TooLarge):
        return False


def _check_size(path: str) -> None:
    if len(path) > PATH_BYTES or len(path.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        raise TooLarge("path", PATH_BYTES, "bytes")
    if any(len(part.encode("utf-8", "surrogatepass")) > NAME_BYTES for part in _parts(path)):
        raise TooLarge("path", NAME_BYTES, "bytes in one name")


def _parts(path: str) -> list[str]:
    parts = path.replace("\\", "/").split("/")
    return parts[:-1] if len(parts) > 1 and not parts[-1] else parts


def _check_climbing(path: str) -> None:
    if re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", path):
        raise InvalidInput("path", "holds a control character")
    if path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", path):
        raise InvalidInput("path", "must be relative to the top of the space")
    _check_dots(path)


def _check_dots(path: str) -> None:
    if any(part.strip() and not part.strip(" .") for part in _parts(path)):
        raise InvalidInput("path", "may not hold a name that is made of dots only")
