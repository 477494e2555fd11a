"""What is in the fixture's answers of each kind?"""

from __future__ import annotations

import io
import wave
from base64 import b64encode

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)

# One red pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"


def text(words: str) -> TextContent:
    """A text block."""
    return TextContent(text=words)


def image() -> ImageContent:
    """The red pixel as a block."""
    return ImageContent(data=PNG, mime_type="image/png")


def audio() -> AudioContent:
    """A hundredth of a second of silence as a block."""
    file = io.BytesIO()
    with wave.open(file, "wb") as silence:
        silence.setnchannels(1)
        silence.setsampwidth(2)
        silence.setframerate(8000)
        silence.writeframes(bytes(160))
    return AudioContent(data=b64encode(file.getvalue()).decode(), mime_type="audio/wav")


def embedded(uri: str, words: str, mime_type: str = "text/plain") -> EmbeddedResource:
    """A resource inside an answer."""
    return EmbeddedResource(resource=text_contents(uri, words, mime_type))


def text_contents(uri: str, words: str, mime_type: str = "text/plain") -> TextResourceContents:
    """The contents of a resource that is text."""
    return TextResourceContents(uri=uri, text=words, mime_type=mime_type)


def image_contents(uri: str) -> BlobResourceContents:
    """The contents of a resource that is the red pixel."""
    return BlobResourceContents(uri=uri, blob=PNG, mime_type="image/png")
