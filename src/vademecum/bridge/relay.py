"""How are a client's messages carried to the server, several at once, and the answers back?"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator
from typing import BinaryIO

from vademecum.bridge.absence import Absence
from vademecum.bridge.addresses import Destination, NotReachable
from vademecum.bridge.asking import Absent, Server
from vademecum.bridge.connection import Connection, connect
from vademecum.bridge.messages import (
    BRIDGE_ERROR,
    CANCELLED,
    INITIALIZE,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    LIST_CHANGED,
    LIST_TOOLS,
    Message,
    NotAMessage,
    Reply,
    error_line,
    notification_line,
    read_message,
)

LINE_BYTES = 48 << 20
THREADS = 8
_ERRANDS = 256
_WATCH_SECONDS = 1.0


class Output:
    """The client's end: whole lines, one after another."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def write(self, line: bytes) -> None:
        """Write a line. A client that is gone gets none, and the end of its input is about to follow."""
        with self._lock:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (OSError, ValueError) as error:
                log(f"an answer could not be given: {error}")


def log(sentence: str) -> None:
    """Tell the person; standard output belongs to the protocol."""
    sys.stderr.write(f"vade bridge: {sentence}\n")
    sys.stderr.flush()


def lines_of(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream until it ends; None in place of each that is too long."""
    while line := stream.readline(LINE_BYTES + 1):
        if len(line) <= LINE_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_BYTES)
        yield None


class Errand:
    """A message on its way. Whoever changes what it says holds the relay's lock."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.connection: Connection | None = None
        self.is_cancelled = False

    def is_wanted(self) -> bool:
        return not self.is_cancelled


class Relay:
    """Carries messages to one destination, in at most eight threads, each with a connection that is kept."""

    def __init__(self, destination: Destination, output: Output) -> None:
        self._destination = destination
        self._output = output
        self._server = Server(destination)
        self._absence = Absence(destination.face)
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[Errand | None] = queue.SimpleQueue()
        self._errands: list[Errand] = []  # waiting, or on their way
        self._threads: list[threading.Thread] = []
        self._logged = ""
        # Whether a client of the handshake era holds a list that the server did not give.
        self._owes_list = False

    def run(self, stream: BinaryIO) -> None:
        """Take messages until the stream ends, and return when all of them are answered."""
        for line in lines_of(stream):
            if line is None or line.strip():
                self._take(line)
        with self._lock:
            threads = list(self._threads)
        for _ in threads:
            self._waiting.put(None)
        for thread in threads:
            thread.join()

    def _take(self, line: bytes | None) -> None:
        try:
            if line is None:
                raise NotAMessage(INVALID_REQUEST, f"A line has at most {LINE_BYTES:,} bytes.")
            message = read_message(line)
        except NotAMessage as problem:
            log(problem.sentence)
            for message_id in problem.ids:
                self._output.write(error_line(message_id, problem.code, problem.sentence))
            return
        if message is None:
            return
        if message.method == CANCELLED:
            self._cancel(message)
        # Where there is no handshake, a request is cancelled by the end of its connection alone.
        if message.method != CANCELLED or not message.version:
            self._send_out(Errand(message))

    def _cancel(self, message: Message) -> None:
        """End the request that the client no longer waits for; it gets no answer."""
        cancelled = message.params.get("requestId")
        with self._lock:
            for errand in self._errands:
                if cancelled is not None and errand.message.message_id == cancelled:
                    errand.is_cancelled = True
                    if errand.connection is not None:
                        errand.connection.abort()

    def _send_out(self, errand: Errand) -> None:
        with self._lock:
            is_taken = len(self._errands) < _ERRANDS
            if is_taken:
                self._errands.append(errand)
                self._waiting.put(errand)
                if len(self._threads) < min(len(self._errands), THREADS):
                    self._threads.append(threading.Thread(target=self._work, daemon=True))
                    self._threads[-1].start()
        if not is_taken:
            told = f"More than {_ERRANDS} requests at once are too many."
            self._answer(errand, error_line(errand.message.message_id, BRIDGE_ERROR, told))

    def _work(self) -> None:
        connection = Connection()
        try:
            while (errand := self._waiting.get()) is not None:
                self._carry(errand, connection)
        finally:
            connection.close()
            with self._lock:
                self._threads.remove(threading.current_thread())

    def _carry(self, errand: Errand, connection: Connection) -> None:
        """Whatever happens, a request is answered, unless it was cancelled."""
        line = error_line(errand.message.message_id, INTERNAL_ERROR, "The bridge failed; its log says how.")
        try:
            with self._lock:
                errand.connection = connection
            if errand.is_wanted():
                line = self._line(errand, connection)
        finally:
            with self._lock:
                self._errands.remove(errand)
            self._answer(errand, line)

    def _answer(self, errand: Errand, line: bytes) -> None:
        if errand.message.message_id is not None and errand.is_wanted():
            self._output.write(line)

    def _line(self, errand: Errand, connection: Connection) -> bytes:
        message = errand.message
        try:
            reply = self._server.ask(message, connection, errand.is_wanted)
        except Absent as absent:
            reply = self._absence.answer(message, str(absent))
            self._note_absence(message, str(absent))
        else:
            self._note_presence(message, reply)
        if message.method == INITIALIZE:
            self._server.note_version(reply.result)
        return reply.line

    def _note_presence(self, message: Message, reply: Reply) -> None:
        self._logged = ""
        if message.method == LIST_TOOLS and reply.result:
            self._absence.remember(message, reply.result)
            self._owes_list = False

    def _note_absence(self, message: Message, sentence: str) -> None:
        """Log it once, and begin to watch for the server if the client would not ask for the tools again.

        Without a handshake, the list itself says that it does not last.
        """
        if sentence != self._logged:
            log(sentence)
            self._logged = sentence
        with self._lock:
            if message.method in (INITIALIZE, LIST_TOOLS) and not message.version and not self._owes_list:
                self._owes_list = True
                threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        """Tell the client once that the list of tools has changed, as soon as someone listens."""
        while self._owes_list:
            time.sleep(_WATCH_SECONDS)
            try:
                connect(self._destination.find().port).close()
            except NotReachable:
                continue
            with self._lock:
                is_owed, self._owes_list = self._owes_list, False
            if is_owed:
                self._output.write(notification_line(LIST_CHANGED))
