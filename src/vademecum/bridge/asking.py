"""How is the server asked, wherever it is now, without doing anything twice?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vademecum.bridge.addresses import Address, Destination, Misconfigured, NotReachable
from vademecum.bridge.connection import Answer, Connection, Lost
from vademecum.bridge.messages import (
    BRIDGE_ERROR,
    CALL_TOOL,
    Message,
    Reply,
    as_line,
    error_line,
    headers_of,
    parse_answer,
    with_id,
)

_QUOTED_BYTES = 200
_DOUBT = "Whether the call was carried out is not known: look before you repeat it."


class Absent(Exception):
    """There is no server; the text is for the person and the model."""


class Server:
    """The server of one destination, for all threads.

    Its address is kept, and looked up anew whenever nobody answers there or the token is refused: neither a
    new token nor a new port needs anything of the client.
    """

    def __init__(self, destination: Destination) -> None:
        self._destination = destination
        self._address: Address | None = None
        self._negotiated = ""

    def ask(self, message: Message, connection: Connection, is_wanted: Callable[[], bool]) -> Reply:
        """What to answer the message with. Raises Absent.

        `is_wanted` is whether the client still waits.
        """
        try:
            answer = self._exchange(message, connection, is_wanted)
        except Misconfigured as error:
            raise Absent(str(error)) from error
        except NotReachable as error:
            raise Absent(self._destination.advice) from error
        except Lost as lost:
            told = f"{lost}. {_DOUBT}" if _may_write(message) else f"{lost}."
            return Reply(error_line(message.message_id, BRIDGE_ERROR, told))
        return self._reply(message, answer)

    def note_version(self, result: Mapping[str, Any]) -> None:
        """Remember the version that a handshake gave: later requests name it in a header."""
        version = result.get("protocolVersion")
        self._negotiated = version if isinstance(version, str) else ""

    def _exchange(self, message: Message, connection: Connection, is_wanted: Callable[[], bool]) -> Answer:
        """Ask where the server was last, and if that fails where it is said to be now.

        Nobody listening and a refused token both come before anything is done.
        """
        answer: Answer | None = None
        known = self._address
        if known is not None:
            try:
                answer = self._post(message, connection, known, is_wanted)
            except NotReachable:
                self._address = None
            if answer is not None and answer.status != 401:
                return answer
        found = self._destination.find()
        if answer is not None and found == known:
            return answer
        self._address = found
        return self._post(message, connection, found, is_wanted)

    def _post(
        self, message: Message, connection: Connection, address: Address, is_wanted: Callable[[], bool]
    ) -> Answer:
        """One request, and once more if the connection broke and a second one can do nothing twice.

        A connection that the server closed while it was idle is noticed before anything is sent over it, and
        replaced. One that breaks later may have brought the request: a call of a tool, which may write, is
        repeated only if the server cannot have read all of it. Every other request only reads.
        """
        headers = headers_of(message, self._negotiated)
        try:
            return connection.post(address, headers, message.body)
        except Lost as lost:
            if not is_wanted() or (_may_write(message) and not lost.unread):
                raise
        return connection.post(address, headers, message.body)

    def _reply(self, message: Message, answer: Answer) -> Reply:
        """The answer's own bytes where it answers this message, else an error that says what came."""
        if message.message_id is None:
            return Reply(b"")
        parsed = parse_answer(answer.body)
        if parsed is None or (answer.status >= 300 and "error" not in parsed):
            said = answer.body[:_QUOTED_BYTES].decode(errors="replace").strip()
            why = self._destination.refused if answer.status == 401 else said or "this is no answer to it."
            told = f"HTTP {answer.status}: {why}"
            return Reply(error_line(message.message_id, BRIDGE_ERROR, told, {"status": answer.status}))
        # Some refusals come before the server has read whose they are.
        is_exact = parsed.get("id") == message.message_id
        line = as_line(answer.body) if is_exact else with_id(parsed, message.message_id)
        result = parsed.get("result")
        return Reply(line, result if isinstance(result, dict) else {})


def _may_write(message: Message) -> bool:
    return message.method == CALL_TOOL
