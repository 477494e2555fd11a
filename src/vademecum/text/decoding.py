"""Which text do the bytes of a page stand for?"""

from __future__ import annotations

import codecs
import re

import cchardet

_DECLARED_WITHIN = 4096  # bytes
_DETECTED_WITHIN = 500_000  # bytes
_SURE = 0.9  # of the detector
_TOLERATED = 0.02  # share of damaged characters in a text that is otherwise of an encoding

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_JAPANESE_ESCAPE = re.compile(rb"\x1b\$[@B(]|\x1b\([IJ]")
_DECLARATION = re.compile(
    rb"<meta\s[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})"
    rb"|^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})",
    re.IGNORECASE,
)

_LATIN_PARTS = (2, 3, 4, 10, 13, 14, 15, 16)  # of ISO 8859

# What pages mean by a name, as browsers read it: the widest relative that holds every character in use.
# A name that is missing here is not believed; some of Python's codecs are no text encodings or take hours.
_FAMILIES: dict[str, tuple[str, ...]] = {
    "gb18030": ("gb18030",),
    "cp932": ("cp932", "shift_jis_2004"),
    "euc_jp": ("euc_jp", "euc_jis_2004"),
    "iso2022_jp": ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_2004"),
    "cp949": ("cp949",),
    "big5": ("big5hkscs", "cp950"),
    "utf-8": ("utf-8",),
    "utf-16-le": ("utf-16-le",),
    "utf-16-be": ("utf-16-be",),
    **{name: (name,) for name in ("koi8-r", "koi8-u", "cp866", "cp874", "mac-roman", "mac-cyrillic")},
    **{name: (name,) for name in (f"cp125{number}" for number in range(9))},
    **{
        name: (name,)
        for name in (f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16))
    },
}
_MEANT = {
    "gb2312": "gb18030", "gbk": "gb18030", "hz": "gb18030", "x-gbk": "gb18030",
    "shift_jis": "cp932", "shift_jis_2004": "cp932", "x-sjis": "cp932",
    "euc_jis_2004": "euc_jp", "x-euc-jp": "euc_jp",
    "iso2022_jp_1": "iso2022_jp", "iso2022_jp_2": "iso2022_jp", "iso2022_jp_ext": "iso2022_jp",
    "euc_kr": "cp949", "johab": "cp949", "ks_c_5601-1987": "cp949", "uhc": "cp949",
    "big5hkscs": "big5", "cp950": "big5", "x-x-big5": "big5",
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254",
    "iso8859-11": "cp874", "tis-620": "cp874",
    "utf-16": "utf-16-le", "utf-8-sig": "utf-8",
}  # fmt: skip
# Servers send these for pages of any encoding, so they count for less than what the page says of itself.
_WEAK = frozenset({"cp1252", "iso8859-15", "cp1254"})
_MULTIBYTE = frozenset({"gb18030", "cp932", "euc_jp", "iso2022_jp", "cp949", "big5"})
_LATIN = frozenset(
    {"cp1250", "cp1252", "cp1254", "cp1257", "cp1258", *(f"iso8859-{n}" for n in _LATIN_PARTS)}
)


def decode_page(body: bytes, charset: str | None = None) -> str:
    """The text of a page or plain text; never fails, and damaged bytes become U+FFFD (cases P01, P02).

    `charset` is what the server said. The order of trust: a byte order mark, the escapes of ISO-2022-JP,
    bytes that are valid UTF-8, the server, the page, and what the bytes look like (capture 1.3).
    """
    marked = decode_marked(body)
    if marked is not None:
        return marked
    if _JAPANESE_ESCAPE.search(body) and body.isascii():
        return _decoded(body, "iso2022_jp") or body.decode("iso2022_jp_ext", "replace")
    text = _decoded(body, "utf-8")
    if text is None:
        text = _legacy_text(body, charset)
    return text


def decode_marked(body: bytes) -> str | None:
    """The text of bytes that begin with a byte order mark, without it; None when there is no mark."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    return None


def _legacy_text(body: bytes, charset: str | None) -> str:
    """The text of bytes that are not valid UTF-8."""
    told = [name for name in (_family(charset or ""), _family(_declared(body))) if name and name != "utf-8"]
    looks = _detected(body)
    if looks in told or (looks in _MULTIBYTE and all(name in _WEAK for name in told)):
        told = [looks]
    elif len(told) > 1 and told[0] in _WEAK:
        told.reverse()
    for name in told:
        text = _decoded(body, name)
        if text is not None:
            return text
    mostly_utf8 = body.decode("utf-8", "replace")
    if _damage(mostly_utf8) <= _TOLERATED:
        return mostly_utf8
    attempts = [body.decode(_FAMILIES[name][0], "replace") for name in (*told, looks, "cp1252") if name]
    return min(attempts, key=_damage)


def _family(name: str) -> str:
    """The encoding that a page means by a name, empty for one that is not believed."""
    label = name.strip().lower()
    try:
        label = _MEANT.get(label) or codecs.lookup(label).name
    except (LookupError, ValueError):
        return ""
    meant = _MEANT.get(label, label)
    return meant if meant in _FAMILIES else ""


def _declared(body: bytes) -> str:
    """What the page says of itself, empty when it says nothing."""
    found = _DECLARATION.search(body[:_DECLARED_WITHIN])
    return (found.group(1) or found.group(2)).decode("ascii", "ignore") if found else ""


def _detected(body: bytes) -> str:
    """What the bytes look like, empty when like nothing known.

    The detector takes one Latin encoding for another when it is not sure; then the commonest is meant.
    """
    result = cchardet.detect(body[:_DETECTED_WITHIN])
    family = _family(result["encoding"] or "")
    unsure = (result["confidence"] or 0.0) < _SURE
    return "cp1252" if family in _LATIN and unsure else family


def _decoded(body: bytes, family: str) -> str | None:
    """The text if every byte fits the encoding or one of its relatives."""
    for codec in _FAMILIES[family]:
        try:
            return body.decode(codec)
        except UnicodeDecodeError:
            continue
    return None


def _damage(text: str) -> float:
    """The share of characters outside ASCII that could not be read."""
    return text.count("\ufffd") / max(1, sum(character > "\x7f" for character in text))
