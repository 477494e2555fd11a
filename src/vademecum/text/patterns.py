"""On which lines of a text does a pattern match, in time that grows with the text alone?

The engine is RE2, which takes no pattern that could need more (no backreferences, no look-around): a pattern
comes from an agent, and one that backtracks can hold a server for years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

import re2

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.names import name_key
from vademecum.text.markdown_lines import LINE_END

PATTERN_LIMIT = 1_000  # characters
_SIGNS = {"*": "[^/]*", "?": "[^/]"}
_MEMORY = 8 * 1024 * 1024  # bytes that a pattern may need


class Compiled(Protocol):
    """An expression of the engine, whose own package carries no types."""

    def search(self, text: bytes) -> re.Match[bytes] | None: ...
    def finditer(self, text: bytes) -> Iterator[re.Match[bytes]]: ...
    def fullmatch(self, text: bytes) -> re.Match[bytes] | None: ...


def encoded_lines(text: str) -> bytes:
    r"""The lines of a text in the form in which a pattern looks at them: UTF-8, one line feed between two.

    Lines end with `\r\n`, `\n` or `\r`; the end of the last one begins no other.
    """
    if "\r" in text:
        text = LINE_END.sub("\n", text)
    return text.removesuffix("\n").encode()


class LinePattern:
    """A pattern that is matched against each line of a text by itself."""

    def __init__(self, pattern: str, *, is_expression: bool, ignore_case: bool) -> None:
        """Raise InvalidInput (`pattern`) for an empty or malformed one, TooLarge beyond 1,000 characters."""
        if not pattern:
            raise InvalidInput("pattern", "may not be empty")
        if len(pattern) > PATTERN_LIMIT:
            raise TooLarge("pattern", PATTERN_LIMIT)
        self.is_expression = is_expression
        written = pattern if is_expression else re2.escape(pattern)
        _compiled("pattern", written, ignore_case=ignore_case)  # none may close what is put around it next
        # With the rest of its line, so that the next match is of another one.
        self._compiled = _compiled("pattern", f"(?:{written})[^\\n]*", ignore_case=ignore_case)
        is_exact = not is_expression and not ignore_case and "\n" not in pattern
        self._exact = pattern.encode() if is_exact else None

    def numbers(self, encoded: bytes) -> Iterator[int]:
        """The numbers of the lines that match, from 0 on, each once."""
        number, counted, last = 0, 0, -1
        for start in self._starts(encoded):
            number += encoded.count(b"\n", counted, start)
            counted = start
            if number != last:
                yield number
            last = number

    def _starts(self, encoded: bytes) -> Iterator[int]:
        """Where matches begin, of each line that has any at least one."""
        if self._exact is None:
            yield from (found.start() for found in self._compiled.finditer(encoded))
            return
        start = encoded.find(self._exact)
        while start >= 0:
            yield start
            end = encoded.find(b"\n", start)
            start = encoded.find(self._exact, end) if end >= 0 else -1

    def matches(self, encoded: bytes) -> bool:
        """Whether any line does."""
        return (
            self._exact in encoded if self._exact is not None else self._compiled.search(encoded) is not None
        )


def _compiled(field: str, written: str, *, ignore_case: bool = False) -> Compiled:
    """What matches the expression within single lines; raises InvalidInput naming the field."""
    options = re2.Options()
    options.never_nl = True  # no match reaches over the end of a line
    options.log_errors = False
    options.never_capture = True  # where a match lies is all that is asked
    options.max_mem = _MEMORY
    options.case_sensitive = not ignore_case
    try:
        made: Compiled = re2.compile(f"(?m){written}".encode(), options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace") if error.args else "it is malformed"
        raise InvalidInput(field, f"cannot be searched for: {reason}") from error
    return made


class PathPattern:
    """A glob over whole paths: `*` and `?` stay within a name, `**` crosses folders; as names compare."""

    def __init__(self, glob: str) -> None:
        """Raise InvalidInput (`path`) for a malformed one, TooLarge beyond 1,000 characters."""
        if len(glob) > PATTERN_LIMIT:
            raise TooLarge("path", PATTERN_LIMIT)
        self._compiled = _compiled("path", _path_expression(name_key(glob)))

    def matches(self, path: str) -> bool:
        """Whether the whole path is meant."""
        return self._compiled.fullmatch(name_key(path).encode()) is not None


def is_glob(path: str) -> bool:
    """Whether a path holds signs of a glob."""
    return any(sign in path for sign in "*?[")


def _path_expression(glob: str) -> str:
    written = "/".join(_part(part) for part in glob.split("/"))
    # `a/**/b` also means `a/b`, and `**/b` the one at the top.
    return written.replace(r"\X/", "(?:.*/)?").replace(r"/\X", "(?:/.*)?").replace(r"\X", ".*")


def _part(part: str) -> str:
    r"""One name of a glob as an expression; `\X`, which no expression has, stands for `**`."""
    if part == "**":
        return r"\X"
    pieces: list[str] = []
    place = 0
    while place < len(part):
        end = part.find("]", place + 2) if part[place] == "[" else -1
        if end > 0:
            pieces.append(_one_of(part[place + 1 : end]))
            place = end
        else:
            pieces.append(_SIGNS.get(part[place]) or re2.escape(part[place]))
        place += 1
    return "".join(pieces)


def _one_of(inside: str) -> str:
    """What stands between brackets in a glob, as an expression."""
    negated = inside[:1] in ("!", "^")
    return f"[{'^' if negated else ''}{inside[negated:].replace(chr(92), chr(92) * 2)}]"
