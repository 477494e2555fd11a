"""How is a model asked that answers over HTTP, within bounds of time and size and without telling its key?"""

from __future__ import annotations

import json
import time
from typing import Any

import httpx2

from vademecum.model.errors import ProviderUnavailable

_ANSWER_LIMIT = 32 * 1024 * 1024  # bytes
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_PAUSES = (0.5, 1.5)  # seconds before the second and the third try
_LONGEST_PAUSE = 5.0
_REST = 15.0  # seconds for which a service that did not answer is not asked again


class ModelService:
    """An address that the settings name, the model asked for there, and the key that it wants.

    `url` has no final slash, and `model` may be empty where a service has only one. The key is sent to this
    address alone and appears in no representation, log or error. After a failure the service rests for 15 s,
    so that a search does not wait for it again and again.
    """

    def __init__(self, url: str, model: str, key: str | None = None) -> None:
        self.url = url
        self.model = model
        self.host = httpx2.URL(url).netloc.decode("ascii")
        self._key = key
        self._rests_until = 0.0

    def ask(self, path: str, question: dict[str, Any], seconds: float) -> Any:
        """The JSON answer to a JSON question posted to `url` + `path`.

        Tries up to three times within the seconds given. Raises ProviderUnavailable, naming host and status.
        """
        if time.monotonic() < self._rests_until:
            raise ProviderUnavailable(f"{self.host} did not answer a moment ago")
        try:
            return self._asked(path, question, time.monotonic() + seconds)
        except ProviderUnavailable:
            self._rests_until = time.monotonic() + _REST
            raise

    def _asked(self, path: str, question: dict[str, Any], deadline: float) -> Any:
        for pause in (*_PAUSES, 0.0):
            status, body, wanted = self._post(path, question, deadline)
            if status == 200:
                return self._parsed(body)
            wait = min(max(pause, wanted), _LONGEST_PAUSE)
            if status not in _RETRIED or pause == 0.0 or time.monotonic() + wait >= deadline:
                raise ProviderUnavailable(f"{self.host} answered with status {status}")
            time.sleep(wait)
        raise ProviderUnavailable(f"{self.host} does not answer")

    def _post(self, path: str, question: dict[str, Any], deadline: float) -> tuple[int, bytes, float]:
        """Status, body and the pause in seconds that the service asks for. Redirects are not followed."""
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        left = max(0.001, deadline - time.monotonic())
        try:
            with (
                httpx2.Client(trust_env=False, timeout=left) as client,
                client.stream("POST", self.url + path, json=question, headers=headers) as response,
            ):
                body = bytearray()
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > _ANSWER_LIMIT or time.monotonic() > deadline:
                        raise ProviderUnavailable(f"{self.host} answered too much or too slowly")
                return response.status_code, bytes(body), _seconds(response.headers.get("retry-after", ""))
        except httpx2.TransportError as error:
            raise ProviderUnavailable(f"{self.host} cannot be reached") from error
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
            raise ProviderUnavailable(f"{self.host} gave no usable answer") from error

    def _parsed(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ProviderUnavailable(f"{self.host} answered with no JSON") from error


def _seconds(value: str) -> float:
    return float(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0.0
