"""In which form does an answer leave a tool set?"""

from __future__ import annotations

from starlette.types import Message, Send


def event_stream(send: Send) -> Send:
    """A sending side that gives a JSON answer as a stream of one event, for clients that take only that."""
    held: list[Message] = []
    parts: list[bytes] = []

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start" and _is_json(message):
            held.append(message)
            return
        if not held or message["type"] != "http.response.body":
            await send(message)
            return
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            start = held.pop()
            body = b"event: message\r\ndata: " + b"".join(parts) + b"\r\n\r\n"
            await send({**start, "headers": _as_events(start, len(body))})
            await send({"type": "http.response.body", "body": body})

    return sent


def _is_json(start: Message) -> bool:
    kinds = [value for name, value in start.get("headers", ()) if name == b"content-type"]
    return start["status"] == 200 and any(kind.startswith(b"application/json") for kind in kinds)


def _as_events(start: Message, length: int) -> list[tuple[bytes, bytes]]:
    kept = [pair for pair in start["headers"] if pair[0] not in (b"content-type", b"content-length")]
    return [*kept, (b"content-type", b"text/event-stream"), (b"content-length", str(length).encode())]
