"""Which forms of an English word count as one word?"""

from __future__ import annotations

import functools
import re

# Steps 1 and 5 of Porter's algorithm ("An algorithm for suffix stripping", 1980): plurals, -ed, -ing, final
# -y and -e. The steps between, which take off such as -ization, join too many words of different meaning.
_VOWEL = "(?:[aeiou]|(?<=[^aeiou])y)"
_CONSONANT = "(?:[^aeiouy]|(?<![^aeiou])y)"
_HAS_VOWEL = re.compile(f"{_VOWEL}")
_MEASURE = re.compile(f"{_VOWEL}+{_CONSONANT}+")
_SHORT_END = re.compile(f"{_CONSONANT}{_VOWEL}(?:[^aeiouwxy])$")
_DOUBLED = re.compile(r"([^aeioulsz])\1$")
_NO_PLURAL = ("ss", "us", "sis", "xis")
_WHOLE = {
    **dict.fromkeys(("using", "used", "uses"), "use"),
    **{word: word for word in ("news", "embed", "exceed", "proceed", "succeed")},
    "being": "be",
    "doing": "do",
    "going": "go",
}


@functools.lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The common stem of the light inflections of a lower-case ASCII word; words of up to three letters stay.

    Deterministic; another rule here needs another version of the tokenizer.
    """
    if len(word) <= 3:
        return word
    if word in _WHOLE:
        return _WHOLE[word]
    singular = _singular(word)
    return _WHOLE.get(singular) or _without_final_e(_with_i(_without_ending(singular)))


def beginning(stemmed: str) -> str:
    """What every word with this stem begins with: a final e or i may be ours."""
    return stemmed[:-1] if len(stemmed) > 2 and stemmed[-1] in "ei" else stemmed


def _singular(word: str) -> str:
    if word.endswith("sses") or (word.endswith("ies") and len(word) > 4):
        return word[:-2]
    if word.endswith("s") and not word.endswith(_NO_PLURAL):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE.search(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and _HAS_VOWEL.search(rest):
            return _restored(rest)
    return word


def _restored(rest: str) -> str:
    """What remains without the ending, with the e that it took or without the letter that it doubled."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _DOUBLED.search(rest):
        return rest[:-1]
    if len(_MEASURE.findall(rest)) == 1 and _SHORT_END.search(rest):
        return rest + "e"
    return rest


def _with_i(word: str) -> str:
    if word.endswith("y") and len(word) > 3 and _HAS_VOWEL.search(word[:-1]) and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word


def _without_final_e(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = len(_MEASURE.findall(rest))
        if measure > 1 or (measure == 1 and not _SHORT_END.search(rest)):
            word = rest
    if word.endswith("ll") and len(_MEASURE.findall(word[:-1])) > 1:
        return word[:-1]
    return word
