"""Which writing system does a character, or a whole text, belong to?"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Script = Literal["latin", "han", "kana", "hangul", "other"]

_SAMPLE = 20_000  # characters that decide for a long text
_DENSITY = 3  # Latin letters that say about as much as one character of a dense script

_HAN = (
    "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_KANA = (
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\uff66-\uff9f\U0001aff0-\U0001afff\U0001b000-\U0001b16f"
)
_BOPOMOFO = "\u02ea\u02eb\u3105-\u312f\u31a0-\u31bf"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb\uffa0-\uffdc"
# Thai, Lao, Myanmar and Khmer, whose words stand without spaces.
_UNSPACED = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f"
_EMOJI = "\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001f3fa\U0001f400-\U0001faff"

HAN = re.compile(f"[{_HAN}]")
KANA = re.compile(f"[{_KANA}]")
HANGUL = re.compile(f"[{_HANGUL}]")
CJK = re.compile(f"[{_HAN}{_KANA}{_BOPOMOFO}{_HANGUL}]")
SPACED_LETTER = rf"[^\W_{_HAN}{_KANA}{_BOPOMOFO}{_HANGUL}{_UNSPACED}]"
"""The pattern of a letter or digit of a script that puts spaces between words: there a word goes on."""
_RUN = re.compile(f"[{_HAN}{_KANA}{_BOPOMOFO}]")
_UNSPACED_LETTER = re.compile(f"[{_UNSPACED}]")
_EMOJI_SIGN = re.compile(f"[{_EMOJI}]")
_LATIN = re.compile(
    "[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]"
)
_LETTER = re.compile(r"[^\W\d_]")
_ASCII_SIGNS = "-'_./&@+#"


def is_cjk(char: str) -> bool:
    """Whether the character is a Han character, kana, bopomofo or Hangul, in any width."""
    return CJK.match(char) is not None


def script_of(text: str) -> Script:
    """The script that carries the text: `han` means Chinese, `kana` Japanese, `other` also no letter at all.

    Han with a share of kana is Japanese. The first 20,000 characters decide, so the time is bounded.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return "latin" if _LATIN.search(sample) else "other"
    han, kana = len(HAN.findall(sample)), len(KANA.findall(sample))
    hangul, latin = len(HANGUL.findall(sample)), len(_LATIN.findall(sample))
    other = len(_LETTER.findall(sample)) - han - kana - hangul - latin
    shares: dict[Script, int] = {
        "latin": latin,
        "other": other,
        "kana" if kana * 10 > han else "han": (han + kana) * _DENSITY,
        "hangul": hangul * _DENSITY,
    }
    best: Script = max(shares, key=lambda script: shares[script])
    return best if shares[best] > 0 else "other"


def character_classes(folded: str) -> str:
    """One ASCII sign for each character of a folded text, by which words are told apart.

    `k` Han, kana and bopomofo, `h` Hangul, `t` a letter of another script without spaces, `a` any other,
    `0` a digit, `m` a combining mark, `e` an emoji; the signs that may join the parts of a word stand for
    themselves, a space for all else.
    """
    if folded.isascii():
        return folded.encode("ascii").translate(_ASCII_CLASSES).decode("ascii")
    return "".join(map(_CLASSES.__getitem__, folded))


def _class_of(char: str) -> str:
    category = unicodedata.category(char)
    for letters, sign in ((_RUN, "k"), (HANGUL, "h")):
        if letters.match(char) and category[0] in "LN":
            return sign
    if category[0] == "L":
        return "t" if _UNSPACED_LETTER.match(char) else "a"
    by_category = {"M": "m", "N": "0"}.get(category[0])
    if by_category:
        return by_category
    if category == "So" and _EMOJI_SIGN.match(char):
        return "e"
    return char if char in _ASCII_SIGNS else " "


class _Classes(dict[str, str]):
    """The class of each character met so far; a text uses few of the million that there are."""

    def __missing__(self, char: str) -> str:
        sign = self[char] = _class_of(char)
        return sign


_CLASSES = _Classes()
_ASCII_CLASSES = "".join(_class_of(chr(code)) for code in range(128)).encode("ascii") + b" " * 128
