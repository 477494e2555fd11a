"""How are models asked that answer over HTTP, and which of their answers are believed?"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from vademecum.model.errors import InvalidInput, ProviderUnavailable
from vademecum.ports.models import Embedder, Reranker
from vademecum.providers import model_service
from vademecum.providers.embedding import SentenceEncoder
from vademecum.providers.opening import open_embedder, open_reranker

Behaviour = Callable[[dict[str, Any]], tuple[int, Any]]


@dataclass
class Service:
    """A model service on this machine; `behave` answers each question with a status and JSON or bytes."""

    behave: Behaviour
    questions: list[tuple[str, dict[str, Any], str | None]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@pytest.fixture
def serve() -> Iterator[Callable[[Behaviour], Service]]:
    servers: list[ThreadingHTTPServer] = []

    def start(behave: Behaviour) -> Service:
        service = Service(behave)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.questions.append((self.path, question, self.headers["Authorization"]))
                status, answer = service.behave(question)
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Location", "http://127.0.0.1:9/")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing: the test looks at the questions instead."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        service.port = server.server_address[1]
        return service

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_service, "_PAUSES", (0.001, 0.002))


def row_of(text: str) -> list[float]:
    """A vector that is not normalised; texts are near when they share words."""
    seeds = [int.from_bytes(word.encode()[:6], "big") for word in text.lower().split() or [text]]
    rows = np.array([np.random.default_rng(seed).normal(size=64) * 50 for seed in seeds])
    return [float(component) for component in rows.sum(axis=0)]


def vectors(question: dict[str, Any]) -> tuple[int, Any]:
    """The answer of a sound service, in reverse order."""
    texts = question["input"]
    rows = [{"object": "embedding", "index": i, "embedding": row_of(text)} for i, text in enumerate(texts)]
    return 200, {"object": "list", "data": rows[::-1]}


def embedder(service: Service, key: str | None = None) -> Embedder:
    found = open_embedder(f"{service.url}#small", key)
    assert found is not None
    return found


def test_texts_are_asked_for_in_batches_and_come_back_in_order(serve: Callable[[Behaviour], Service]) -> None:
    service = serve(vectors)
    remote = embedder(service, "key-1")
    texts = [f"{number} tides" for number in range(130)]
    together = remote.embed([], texts)[1]
    assert remote.dimension == 64
    assert {len(vector) for vector in together} == {64}
    question = remote.embed_query(texts[77])
    assert question is not None
    assert together[77] == question.head == question.window
    sizes = [len(question["input"]) for _, question, _ in service.questions]
    assert sizes == [8, 64, 64, 2, 1]
    assert {path for path, _, _ in service.questions} == {"/v1/embeddings"}
    assert {question["model"] for _, question, _ in service.questions} == {"small"}
    assert {key for _, _, key in service.questions} == {"Bearer key-1"}


def test_vectors_that_are_not_normalised_keep_their_direction(serve: Callable[[Behaviour], Service]) -> None:
    remote = embedder(serve(vectors))
    steps = np.frombuffer(remote.embed([], ["tide"])[1][0], dtype=np.int8).astype(np.float64)
    wanted = np.array(row_of("tide"))
    assert steps @ wanted / np.linalg.norm(steps) / np.linalg.norm(wanted) > 0.99


def test_the_floor_lies_between_unrelated_texts_and_those_of_one_meaning(
    serve: Callable[[Behaviour], Service],
) -> None:
    service = serve(vectors)
    remote = embedder(service)
    floor = remote.nearness.window_floor
    rows = np.array([row_of(text) for text in service.questions[0][1]["input"]])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    nearness = rows @ rows.T
    assert nearness[2:, :2].mean() < floor < nearness[0, 1]
    assert remote.name == f"small@127.0.0.1:{service.port}"


def constant(row: list[float]) -> Behaviour:
    return lambda question: (200, {"data": [{"embedding": row} for _ in question["input"]]})


UNUSABLE: dict[str, Behaviour] = {
    "all alike": constant([1.0, 2.0]),
    "zeros": constant([0.0, 0.0]),
    "not finite": constant([float("nan"), 1.0]),
    "too few": lambda _: (200, {"data": [{"embedding": [1.0]}]}),
    "twice the same": lambda question: (
        200,
        {"data": [{"index": 0, "embedding": [1.0, 2.0]} for _ in question["input"]]},
    ),
    "no list": lambda _: (200, {"data": {"a": 1}}),
    "no vectors": lambda question: (200, {"data": [{} for _ in question["input"]]}),
    "no JSON": lambda _: (200, b"<html>sign in</html>"),
    "nested JSON": lambda _: (200, b"[" * 200_000),
    "too much": lambda _: (200, b"[" + b" " * (33 * 1024 * 1024) + b"]"),
    "wrong key": lambda _: (401, {"error": "no"}),
    "elsewhere": lambda _: (307, {}),
    "broken": lambda _: (500, {}),
}


@pytest.mark.parametrize("behave", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_answer_is_told_and_never_kept(
    behave: Behaviour, serve: Callable[[Behaviour], Service]
) -> None:
    remote = embedder(serve(behave))
    for ask in (lambda: remote.embed([], ["tide"])[1], lambda: remote.embed_query("tide")):
        with pytest.raises(ProviderUnavailable):
            ask()


def test_vectors_of_another_dimension_than_before_are_refused(serve: Callable[[Behaviour], Service]) -> None:
    service = serve(vectors)
    remote = embedder(service)
    remote.embed_query("tide")
    service.behave = constant([1.0, 2.0, 3.0])
    with pytest.raises(ProviderUnavailable):
        remote.embed_query("tide")


def test_a_service_that_is_busy_for_a_moment_is_asked_again(serve: Callable[[Behaviour], Service]) -> None:
    statuses = [503, 429]
    service = serve(lambda question: (statuses.pop(), {}) if statuses else vectors(question))
    assert len(embedder(service).embed(["tide"], [])[0][0]) == 64
    assert len(service.questions) == 4


def test_a_service_that_fails_is_left_alone_for_a_while(serve: Callable[[Behaviour], Service]) -> None:
    service = serve(lambda _: (500, {}))
    remote = embedder(service)
    for _ in range(3):
        with pytest.raises(ProviderUnavailable):
            remote.embed_query("tide")
    assert len(service.questions) == 3


def test_an_address_where_nobody_listens_is_told_as_missing(serve: Callable[[Behaviour], Service]) -> None:
    remote = open_embedder("http://127.0.0.1:9/v1#small")
    assert remote is not None
    with pytest.raises(ProviderUnavailable):
        remote.embed_query("tide")


def test_the_key_appears_in_no_log_error_or_representation(
    serve: Callable[[Behaviour], Service], caplog: pytest.LogCaptureFixture
) -> None:
    secret = "sk-very-secret"
    with caplog.at_level(logging.DEBUG):
        remote = embedder(serve(lambda _: (401, {})), secret)
        with pytest.raises(ProviderUnavailable) as refused:
            remote.embed_query("tide")
    told = [caplog.text, repr(remote), str(refused.value), repr(refused.value.data), repr(vars(remote))]
    assert not any(secret in text for text in told)


def reranker(service: Service, model: str = "") -> Reranker:
    found = open_reranker(f"{service.url}{model and '#' + model}", "key-2")
    assert found is not None
    return found


def test_a_reranker_with_a_model_is_asked_as_jina_and_cohere_expect(
    serve: Callable[[Behaviour], Service],
) -> None:
    answer = {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}
    service = serve(lambda _: (200, answer))
    assert reranker(service, "multi").score("tide", ["a", "b"]) == [0.1, 0.9]
    question = {
        "model": "multi",
        "query": "tide",
        "documents": ["a", "b"],
        "top_n": 2,
        "return_documents": False,
    }
    assert service.questions == [("/v1/rerank", question, "Bearer key-2")]


def test_a_reranker_without_a_model_is_asked_as_text_embeddings_inference_expects(
    serve: Callable[[Behaviour], Service],
) -> None:
    service = serve(lambda _: (200, [{"index": 1, "score": 3.5}, {"index": 0, "score": -2}]))
    assert reranker(service).score("tide", ["a", "b"]) == [-2.0, 3.5]
    assert service.questions == [
        ("/v1/rerank", {"query": "tide", "texts": ["a", "b"], "truncate": True}, "Bearer key-2")
    ]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        {"results": [{"index": 0, "relevance_score": 1}]},
        {"results": [{"index": 0, "relevance_score": 1}, {"index": 2, "relevance_score": 1}]},
        {"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": None}]},
        {"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": float("nan")}]},
        {"results": [{"index": 0, "score": 1}, {"index": 1, "score": 1}]},
    ],
)
def test_scores_that_do_not_fit_the_passages_are_refused(
    answer: Any, serve: Callable[[Behaviour], Service]
) -> None:
    with pytest.raises(ProviderUnavailable):
        reranker(serve(lambda _: (200, answer)), "multi").score("tide", ["a", "b"])


def test_no_passages_need_no_request(serve: Callable[[Behaviour], Service]) -> None:
    service = serve(lambda _: (500, {}))
    assert reranker(service, "multi").score("tide", []) == []
    assert service.questions == []


def test_settings_open_the_bundled_model_or_none() -> None:
    assert isinstance(open_embedder(), SentenceEncoder)
    assert open_embedder("off") is None
    assert open_reranker() is None
    assert open_reranker("off") is None


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "on",
        "ftp://models.example/v1#m",
        "https://key@models.example/v1#m",
        "https://models.example/v1?k=1#m",
    ],
)
def test_a_setting_that_names_no_model_is_refused_by_its_name(spec: str) -> None:
    with pytest.raises(InvalidInput) as embedder_refused:
        open_embedder(spec)
    with pytest.raises(InvalidInput) as reranker_refused:
        open_reranker(spec)
    assert (embedder_refused.value.field, reranker_refused.value.field) == ("EMBEDDER", "RERANKER")


def test_an_embedder_address_without_a_model_is_refused() -> None:
    with pytest.raises(InvalidInput):
        open_embedder("https://models.example/v1")
