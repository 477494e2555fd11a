"""How does the vault's listener follow its switch while the library is served?"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from vademecum import __version__
from vademecum.app import App
from vademecum.commands.vault_file import Turn, VaultFile
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import LOOPBACK_HOST, HttpOptions
from vademecum.faces.http.pages import vault_address
from vademecum.faces.http.routes import build_single
from vademecum.faces.http.serving import Listening, ServerBeside, loopback_socket, server_config
from vademecum.faces.mcp.server.endpoint import build_endpoint
from vademecum.faces.mcp.tool.declaration import ToolSetDeclaration
from vademecum.faces.mcp.vault_tools.toolset import BODY_LIMIT
from vademecum.library.vault import is_published
from vademecum.model.errors import Refusal

_PAUSE = 0.2  # seconds between two looks at the switch, each of some microseconds while nothing changes
_PAUSE_AFTER_FAILURE = 5.0
_log = logging.getLogger("vademecum")


@dataclass(frozen=True, slots=True)
class _Open:
    """An open listener: its socket, its server, and the task in which that serves."""

    socket: socket.socket
    server: ServerBeside
    task: asyncio.Task[None]

    @property
    def port(self) -> int:
        port: int = self.socket.getsockname()[1]
        return port


class VaultListener:
    """A second server in this process, open while the vault is published, on this machine alone.

    Of all processes that serve a data folder one holds it; when that ends another takes over. Whether a call
    is let in does not depend on how soon the listener follows: each is judged by the switches as they are.
    """

    def __init__(self, app: App, offload: Offload, declared: ToolSetDeclaration) -> None:
        self._app = app
        self._offload = offload
        self._declared = declared
        self._file = VaultFile(app.settings.inner)
        self._open: _Open | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._seen: object | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Follow the switch; at the end the listener is closed and what is under way there has ended."""
        ending = asyncio.Event()
        following = asyncio.create_task(self._follow_on(ending))
        try:
            yield
        finally:
            ending.set()
            await following

    async def _follow_on(self, ending: asyncio.Event) -> None:
        turn = Turn(self._app.settings.inner)
        try:
            while not ending.is_set():
                pause = await self._look() if turn.is_taken() else _PAUSE
                with suppress(TimeoutError):
                    await asyncio.wait_for(ending.wait(), pause)
            await self._end()
        finally:
            turn.give_back()

    async def _look(self) -> float:
        """Do as the switch says, and tell in how many seconds to look again."""
        if self._open is not None and self._open.task.done():
            self._shut()
            self._seen = None
            return _PAUSE_AFTER_FAILURE
        mark = self._app.storage.change_mark()
        if mark is not None and mark == self._seen:
            return _PAUSE
        try:
            published = await self._offload.look_up(is_published, self._app.library)
            await self._set(is_open=published)
        except (Refusal, OSError) as error:
            _log.warning("the vault's listener does not follow its switch: %s", error)
            return _PAUSE_AFTER_FAILURE
        self._seen = mark  # taken before the look, so that a change in between is noticed
        return _PAUSE

    async def _set(self, *, is_open: bool) -> None:
        if is_open and self._open is None:
            self._open = await self._opened()
            _log.info("the vault is open at %s", vault_address(self._open.port))
        elif not is_open and self._open is not None:
            self._shut()
            _log.info("the vault is closed")
        # At every look, since somebody may have taken the file away.
        await asyncio.to_thread(self._file.keep_port, None if self._open is None else self._open.port)

    async def _opened(self) -> _Open:
        await asyncio.to_thread(self._file.ensure_token, self._app.library)
        listening = loopback_socket(self._app.settings.number("VAULT_PORT"))
        port = listening.getsockname()[1]
        options = HttpOptions(
            f"http://{LOOPBACK_HOST}:{port}", __version__, body_limit=BODY_LIMIT, machine_only=True
        )
        mark = self._app.storage.change_mark
        endpoint = build_endpoint(self._app.library, self._offload, options, self._declared, mark)
        config = server_config(build_single(options, endpoint), Listening(LOOPBACK_HOST, port))
        server = ServerBeside(config)
        task = asyncio.create_task(server.serve([listening]))
        await server.began.wait()
        return _Open(listening, server, task)

    def _shut(self) -> None:
        """Let nobody in any more; what is under way has the time to end that every server gives it."""
        opened, self._open = self._open, None
        if opened is not None:
            opened.server.stop()
            self._leaving.add(opened.task)
            opened.task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._leaving.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("the vault's listener failed", exc_info=task.exception())

    async def _end(self) -> None:
        self._shut()
        await asyncio.gather(*self._leaving, return_exceptions=True)  # which `_left` has told
        try:
            await asyncio.to_thread(self._file.keep_port, None)
        except (Refusal, OSError) as error:
            _log.warning("vault.json still tells of a listener: %s", error)
