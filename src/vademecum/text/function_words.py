"""Which words of a question say nothing about what is looked for?"""

from __future__ import annotations

import re

# Folded English words: articles, pronouns, prepositions, auxiliaries and what opens a question. Contractions
# stand as the tokenizer leaves them, without what follows the apostrophe.
_ENGLISH = re.compile(
    "a|about|am|an|and|any|are|aren|as|at|be|been|being|but|by|can|cannot|could|couldn|did|didn|do|does"
    "|doesn|doing|don|for|from|had|hadn|has|hasn|have|haven|having|he|her|hers|him|his|how|i|if|in|into"
    "|is|isn|it|its|me|mine|my|not|of|on|or|our|ours|please|she|should|shouldn|so|some|than|that|the"
    "|their|theirs|them|then|there|these|they|this|those|to|was|wasn|we|were|weren|what|when|where|which"
    "|while|who|whom|whose|why|will|with|won|would|wouldn|you|your|yours"
)

# A run of hiragana that consists of these alone stands between words.
_JAPANESE = re.compile(
    "(?:"
    "されている|できますか|でしょうか|どうすれば|どうやって|どのような|どのように|なのですか|についての"
    "|ください|していた|している|しました|できない|できます|といった|どうして|において|について"
    "|によって|ましたか|および|からの|ことが|ことを|された|される|しかし|しない|します|そして|ために"
    "|ための|できる|でした|ですか|ですが|という|どこで|どこに|ました|ますか|ません|または|ような|ように"
    "|あの|ある|あれ|いつ|いる|から|こと|この|これ|され|した|して|する|その|それ|だれ|です|での|では"
    "|との|とは|どう|どこ|どの|どれ|ない|なぜ|なに|なる|なん|には|への|ます|まで|もの|より|か|が|で|と"
    "|な|に|ね|の|は|へ|も|や|よ|を"
    ")+"
)
_JAPANESE_ENDING = re.compile(
    "(?<=[\u3041-\u3096]{2})(?:について|でしょうか|ください|しました|します|ですか|ますか|している)$"
)
_HIRAGANA_RUN = re.compile("[\u3041-\u3096]+")
_HIRAGANA_LONGEST = 16  # characters of a run that may consist of function words; bounds the pattern's work

# Simplified forms, since the text is folded; single characters only where no longer word holds them.
_CHINESE = re.compile(
    "为什么|什么样|是什么|什么|怎么样|怎么办|怎么|怎样|如何|哪些|哪里|哪个|哪儿|多少|是不是|有没有"
    "|能不能|可不可以|可以|请问|我们|你们|他们|我的|你的|这个|那个|这些|那些|关于|以及|或者|还是|因为"
    "|所以|如果|但是|一下|一个|一些|的时候|吗|呢|吧|啊|(?<![目标])的(?![确士])|(?<![为除])了(?![解不然结])"
    "|(?<![现存正所实内潜])在(?![线于场意])|(?<![但于可还就总只不])是(?![非否])"
)
_KOREAN_PARTICLE = re.compile(
    "(?<=[\uac00-\ud7a3]{2})(?:에서|에게|으로|부터|까지|처럼|보다|을|를|는|의)(?![\uac00-\ud7a3])"
)


def is_function_word(word: str) -> bool:
    """Whether the folded English word only holds a sentence together."""
    return _ENGLISH.fullmatch(word) is not None


def without_japanese_function_words(text: str) -> str:
    """The text, not yet folded, with spaces in place of Japanese particles and endings; as long as before."""

    def blanked(match: re.Match[str]) -> str:
        run = match.group()
        neighbours = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        alone = not neighbours.strip()
        if not alone and len(run) <= _HIRAGANA_LONGEST and _JAPANESE.fullmatch(run):
            return " " * len(run)
        ending = _JAPANESE_ENDING.search(run)
        return run[: ending.start()] + " " * len(ending.group()) if ending else run

    return _HIRAGANA_RUN.sub(blanked, text)


def without_function_words(folded: str) -> str:
    """The folded text with spaces in place of function words of Chinese and particles of Korean; as long."""
    return _KOREAN_PARTICLE.sub(_blank, _CHINESE.sub(_blank, folded))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
