"""How is a text written in YAML so that every reader takes it for that text?"""

from __future__ import annotations

import re

from vademecum.model.errors import InvalidInput

_ESCAPED = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0"}
# What a YAML text may not hold as it is, or may not hold unchanged.
_TO_ESCAPE = re.compile('[\\\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NEEDS_QUOTES = re.compile(r"""\A[-?:,\[\]{}#&*!|>'"%@`=.<~]|:(?=\s|\Z)|\s#|\A\s|\s\Z""")
_NEEDS_QUOTES_IN_A_LIST = re.compile(r"[,\[\]{}:?]")
# Words and numbers that some reader takes for a truth value, nothing, or a number; dates are meant as dates.
_OF_A_TYPE = re.compile(
    r"\A(?:null|true|false|yes|no|on|off|y|n|nan|inf|[-+]?[0-9][0-9_,.]*(?:e[-+]?[0-9]*)?|0[xob][0-9a-f_]+"
    r"|[-+]?[0-9]+(?::[0-9.]+)+|\+.*)\Z",
    re.IGNORECASE,
)


def scalar_text(text: str, style: str = "", *, in_list: bool = False) -> str:
    """The text as a YAML scalar on one line, in the style given, a quotation mark or none, where that fits.

    Read again by any YAML reader it is the same text; only dates are left to be dates. `in_list` is for a
    list in brackets. Raises InvalidInput for half a surrogate pair, which no file can hold.
    """
    if _SURROGATE.search(text):
        raise InvalidInput("frontmatter", "holds half of a character")
    if _UNPRINTABLE.search(text):
        return _in_double_quotes(text)
    if style == "'":
        return _in_single_quotes(text)
    if style == '"':
        return _in_double_quotes(text)
    unsafe = not text or _NEEDS_QUOTES.search(text) or _OF_A_TYPE.match(text)
    if unsafe or (in_list and _NEEDS_QUOTES_IN_A_LIST.search(text)):
        needs_escapes = '"' in text or "\\" in text
        return _in_single_quotes(text) if needs_escapes and "'" not in text else _in_double_quotes(text)
    return text


def _in_single_quotes(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _in_double_quotes(text: str) -> str:
    return '"' + _TO_ESCAPE.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _ESCAPED.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
