"""Which model does a setting name?"""

from __future__ import annotations

from urllib.parse import urlsplit

from vademecum.model.addresses import check_address
from vademecum.model.errors import InvalidInput
from vademecum.ports.models import Embedder, Reranker
from vademecum.providers.embedding import SentenceEncoder
from vademecum.providers.model_service import ModelService
from vademecum.providers.remote_models import RemoteEmbedder, RemoteReranker
from vademecum.providers.second_stage import CentredE5, is_installed

BUNDLED = "bundled"
OFF = "off"
AUTO = "auto"


def open_embedder(spec: str = BUNDLED, key: str | None = None) -> Embedder | None:
    """The embedder that the setting EMBEDDER names: `bundled`, `off` (None) or `https://host/v1#model`.

    Nothing is loaded or asked before its first use. Raises InvalidInput for any other text.
    """
    if spec == OFF:
        return None
    if spec == BUNDLED:
        return SentenceEncoder()
    service = _service("EMBEDDER", spec, key)
    if not service.model:
        raise InvalidInput("EMBEDDER", "an address names its model after a #, as in https://host/v1#model")
    return RemoteEmbedder(service)


def open_second_stage(spec: str = AUTO) -> Embedder | None:
    """The offline model that finds and scores hits beside the embedder.

    It is there when the setting RERANKER is `auto` or `bundled`; None when the setting is another, or the
    extra `rerank` is not installed or cannot run here.
    """
    return CentredE5() if spec in (AUTO, BUNDLED) and is_installed() else None


def open_reranker(spec: str = AUTO, key: str | None = None) -> Reranker | None:
    """The service that the setting RERANKER names by its address, `https://host/v1#model` or, for one that
    has a single model, `https://host`; None for `auto`, `bundled` and `off`. Raises InvalidInput for others.
    """
    return None if spec in (AUTO, BUNDLED, OFF) else RemoteReranker(_service("RERANKER", spec, key))


def _service(setting: str, spec: str, key: str | None) -> ModelService:
    """The service at an address of the settings, which may be on this machine or a private network."""
    parts = urlsplit(check_address(spec, setting))
    if parts.query:
        raise InvalidInput(setting, "the address of a model has no query")
    return ModelService(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", parts.fragment, key)
