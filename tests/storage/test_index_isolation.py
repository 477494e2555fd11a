"""Can anything of a space be learnt by searching another, on either database?"""

from __future__ import annotations

from tests.storage.index_samples import a_chunk, a_vector, index, near, search
from tests.storage.samples import OTHER_SPACE, SPACE
from vademecum.ports.index import KeywordMatch, Scope, VectorMatch
from vademecum.ports.storage import Storage

QUERIES = ["otter", "otter salmon", "salmon zebra", '"otter swims"', "猫", "机器学习"]


def answers(storage: Storage) -> list[list[KeywordMatch] | list[VectorMatch]]:
    """Everything that searches of the first space tell, with every score."""
    return [
        *(search(storage, query) for query in QUERIES),
        near(storage, 1, 0),
        near(storage, 1, 0, heads=True),
    ]


def test_scores_do_not_change_with_what_another_space_holds(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims.", vectors=(a_vector(1, 0),)))
    index(storage, "item-2", a_chunk("An otter hunts salmon. 我有一只猫", vectors=(a_vector(1, 1),)))
    index(storage, "item-3", a_chunk("Something else entirely. 机器学习", vectors=(a_vector(0, 1),)))
    before = answers(storage)
    for number in range(40):
        words = "zebra otter salmon 机器学习 猫 " * (number % 5 + 1)
        index(storage, f"item-{number}", a_chunk(words, vectors=(a_vector(1, 0),)), space_id=OTHER_SPACE)
    assert answers(storage) == before


def test_a_word_that_stands_only_elsewhere_is_as_unknown_as_any(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    index(storage, "item-2", a_chunk("A zebra runs."), space_id=OTHER_SPACE)
    known, unknown = search(storage, "otter zebra"), search(storage, "otter quagga")
    assert known == unknown


def test_several_spaces_are_scored_as_one(storage: Storage) -> None:
    """What a caller may read counts together, whichever space it is in."""
    texts = ["The otter swims.", "An otter hunts salmon.", "A badger digs.", "The fox."]
    for number, text in enumerate(texts):
        index(storage, f"item-{number}", a_chunk(text))
    together = [(match.item_id, match.score, match.coverage) for match in search(storage, "otter salmon")]
    with storage.write() as tx:
        for number in (1, 2):
            tx.index.replace(SPACE, f"item-{number}", 2, [])
    for number in (1, 2):
        index(storage, f"item-{number}", a_chunk(texts[number]), space_id=OTHER_SPACE)
    apart = search(storage, "otter salmon", Scope((SPACE, OTHER_SPACE)))
    assert [(match.item_id, match.score, match.coverage) for match in apart] == together
