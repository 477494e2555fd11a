"""Which notes are measured: a made-up vault in three languages, the same each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

_LANGUAGES = ("en", "en", "zh", "ja")  # half English, a quarter each of the others
_VOCABULARY = 5_000  # words of a language
_FLATTENING = 2.7  # Zipf-Mandelbrot: the commonest words are less common than plain Zipf has them
_STEM_WORDS = """\
act add age aim air art ask back bake band bank base bath beam bear bill bind bird blow board boat body bond
book boot border bottle bread break bridge build burn cable call camp care carry case cast catch cell chain
chair change chart check claim class clean clear climb clock close cloud coat code cold color command cook
copy count cover crack craft cross crowd cure current cut dance dark date deal deep depth design desk detail
direct dish doctor door draft draw dream drive drop dust earth east edge edit end engine even event exact
exchange face fact fair fall farm fast father fear feed field file film final find fire fish fix flag flat
float floor flow fold food foot force form frame free fresh front fruit fuel full garden gate gather glass
gold grain grant green ground group grow guard guess guide hand hard head heat help high hill hold home hope
horse host house ice image iron island join judge jump keep kind king kitchen knife labor lake land language
large last late law lead leaf learn leave letter level life light limit line link list load local lock long
look loss loud low machine mail main map mark market master match matter meal mean measure meet memory metal
method middle milk mind mirror miss mix model moment month moon morning mother motion mountain move music
name nation near neck need net night noise north note number object ocean offer office oil open order paint
paper part pass past path pattern pause pay peak people period person phone picture piece plan plant plate
play point port post power present press price print problem process product public pull push question quick
quiet rail rain range rate reach read record report rest result return rich ride right ring river road rock
roll room root rule run sail sale salt sand scale school science score screen sea season seat second seed
sell sense serve session shape share sharp shelf shift ship shop short show side sign silence silver simple
sing single size skill sleep slide slow small smile smoke snow social soft soil song sort sound south space
speak speed spell spirit spring square stage stand star start state station step stone stop store storm
story stream street strength stretch strong student style subject sugar summer supply surface table talk
task taste teach team tell test text thick thin think thread time tire tone tool touch tower town track
trade train travel tree trip true trust turn type valley value view village visit voice wait walk wall warm
wash watch water wave weather week weigh west wheel white wide wild wind window winter wire wise wood word
work world write yard year yellow young
"""
_STEMS = tuple(_STEM_WORDS.split())
_ENDINGS = (
    "",
    "s",
    "ed",
    "ing",
    "er",
    "ers",
    "less",
    "ful",
    "ness",
    "able",
    "ly",
    "ment",
    "ish",
    "like",
    "wise",
)
_HAN = (
    "的是不了在有人我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么"
    "心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面起公同三已老从动两长知"
    "民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间"
    "新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼"
    "体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或"
    "司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认"
    "算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运"
    "武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取"
    "设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观"
    "争究包组造落视济喜离虽坏兴切阳"
)
_KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわ"
_PUNCTUATION = str.maketrans("、。", "  ")
_TAGS = (
    "reading",
    "work/planning",
    "work/notes",
    "people",
    "旅行",
    "学习",
    "料理",
    "研究",
    "health",
    "money",
)


@dataclass(frozen=True, slots=True)
class Note:
    """One note of the vault: where it lies, its text, and a word that stands in no other note."""

    path: str
    title: str
    text: str
    marker: str


class _Words:
    """The words of one language with a rank each; low ranks are common."""

    def __init__(self, language: str, chance: random.Random) -> None:
        make = {"en": _latin_word, "zh": _han_word, "ja": _japanese_word}[language]
        seen: dict[str, None] = {}
        while len(seen) < _VOCABULARY:
            seen[make(chance)] = None
        self.words = list(seen)
        self._weights = list(accumulate(1.0 / (rank + _FLATTENING) for rank in range(len(self.words))))
        self._language = language

    def sentence(self, chance: random.Random, length: int) -> str:
        """That many words, drawn by their frequency, as the language writes them."""
        drawn = chance.choices(self.words, cum_weights=self._weights, k=length)
        if self._language == "en":
            return " ".join(drawn).capitalize() + "."
        half = length // 2
        return "".join(drawn[:half]) + "、" + "".join(drawn[half:]) + "。"

    def title(self, chance: random.Random) -> str:
        """A few words of middling frequency."""
        middle = self.words[40 : _VOCABULARY // 2]
        if self._language == "en":
            return " ".join(chance.sample(middle, 4)).title()
        return "".join(chance.sample(middle, 4))


def notes(count: int, seed: int = 20_261_130, long_share: float = 0.2) -> Iterator[Note]:
    """The first `count` notes of the vault that the seed makes, one after the other.

    Each has frontmatter with tags, a heading, sections, and a link to an earlier note; the long ones have
    about 6,000 characters in English, the rest about 1,000, in Chinese and Japanese half of that.
    """
    chance = random.Random(seed)
    words = {language: _Words(language, chance) for language in sorted(set(_LANGUAGES))}
    titles: list[str] = []
    for number in range(count):
        language = _LANGUAGES[chance.randrange(len(_LANGUAGES))]
        title = f"{words[language].title(chance)} {number}"
        marker = f"mark{seed % 1000:03d}x{number:06d}"
        link = f"[[{chance.choice(titles)}]] and " if titles else ""
        text = _text(words[language], chance, title, 18 if chance.random() < long_share else 3)
        text += f"\nSee {link}{marker}.\n"
        titles.append(title)
        yield Note(f"{language}/{number % 40:02d}/{title}.md", title, text, marker)


def write_vault(folder: Path, count: int, long_share: float = 0.2) -> list[Note]:
    """The notes as files under the folder; what stands there already is taken to be of an earlier run."""
    made = list(notes(count, long_share=long_share))
    for note in made:
        path = folder / note.path
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(note.text, encoding="utf-8")
    return made


def background(seed: int) -> Iterator[str]:
    """Sections without end, of about 150 English words or, three in ten, 230 Chinese characters."""
    chance = random.Random(seed)
    english, chinese = _Words("en", chance), _Words("zh", chance)
    while True:
        words, length = (english, 15) if chance.random() < 0.7 else (chinese, 12)
        yield " ".join(words.sentence(chance, length) for _ in range(10))


def questions(made: list[Note], count: int, seed: int = 7) -> list[str]:
    """What someone might ask of these notes: two or three words that stand in one of them."""
    chance = random.Random(seed)
    asked: list[str] = []
    for note in chance.sample(made, min(count, len(made))):
        paragraph = max(note.text.split("\n"), key=len)
        if note.path.startswith("en/"):
            words = paragraph.replace(".", " ").lower().split()
            start = chance.randrange(len(words) - 3)
            asked.append(" ".join(words[start : start + 3]))
        else:
            start = chance.randrange(len(paragraph) - 8)
            asked.append("".join(paragraph[start : start + 8].translate(_PUNCTUATION).split())[:6])
    return asked


def _text(words: _Words, chance: random.Random, title: str, paragraphs: int) -> str:
    tags = ", ".join(chance.sample(_TAGS, 2))
    created = f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
    parts = [f"---\ntags: [{tags}]\ncreated: {created}\n---\n", f"# {title}\n"]
    for position in range(paragraphs):
        if position % 3 == 0:
            parts.append(f"## {words.title(chance)}\n")
        sentences = (words.sentence(chance, chance.randint(8, 14)) for _ in range(4))
        parts.append(" ".join(sentences) + "\n")
    return "\n".join(parts)


def _latin_word(chance: random.Random) -> str:
    return chance.choice(_STEMS) + chance.choice(_ENDINGS)


def _han_word(chance: random.Random) -> str:
    return "".join(chance.choice(_HAN) for _ in range(chance.choice((1, 2, 2, 2, 3))))


def _japanese_word(chance: random.Random) -> str:
    stem = "".join(chance.choice(_HAN) for _ in range(chance.choice((0, 1, 2, 2))))
    return stem + "".join(chance.choice(_KANA) for _ in range(chance.choice((1, 2, 3) if stem else (2, 3))))
