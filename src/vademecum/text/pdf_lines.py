"""How do the lines that a PDF gives become readable text?"""

from __future__ import annotations

import re

# Words of Hangul are parted by spaces, so it is not among these.
_UNSPACED = (
    "\u2e80-\u303f\u3041-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
)
_BROKEN_WORD = re.compile("[\x02\ufffe][\r\n]*")
_WRAP = re.compile(f"(?<=[{_UNSPACED}])[ \u00a0]+(?=[{_UNSPACED}])")
_LINE_END = re.compile(r"[ \t]*(?:\r\n?|\n)")
_BLANKS = re.compile(r"\n{3,}")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")


def mended(text: str) -> str:
    """The text of a page, each line ended by a line feed: broken words are joined, and no space stands where
    a line of Chinese or Japanese was wrapped (capture 2.1).
    """
    text = _BROKEN_WORD.sub("", text)
    text = _WRAP.sub("", text)
    text = _CONTROL.sub("", _LINE_END.sub("\n", text))
    return _BLANKS.sub("\n\n", text).strip()
