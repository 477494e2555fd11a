"""How is the library served?"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import uvicorn

from vademecum import __version__
from vademecum.app import App
from vademecum.commands.terminal import DONE, FAILED, Session, command_parser, run_action, say
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.pages import welcome
from vademecum.faces.http.routes import Readiness, Site, build_app
from vademecum.faces.http.serving import Listening, server_config
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS
from vademecum.faces.mcp.server.endpoint import build_endpoint
from vademecum.jobs.runner import Runner
from vademecum.library.connecting import ensure_owner
from vademecum.model.errors import Refusal

_log = logging.getLogger("vademecum")
_TRASH_PAUSE = 3600.0  # seconds between two looks at what is due to leave the trash


def run(command: str, words: Sequence[str]) -> int:
    """`vade serve [--host] [--port]`."""
    parser = command_parser(command, "Serve the library; ready when GET /healthz gives 200.")
    parser.add_argument(
        "--host", metavar="HOST", help="the address to listen on (default: VADE_HOST or 127.0.0.1)"
    )
    parser.add_argument("--port", metavar="PORT", help="the port (default: VADE_PORT or 8484)")
    parser.add_argument(
        "--vault-port", metavar="PORT", help="the port of the vault's listener (default: 27180)"
    )
    parser.set_defaults(action=_serve)
    return run_action(parser, words, options=("host", "port", "vault_port"))


def _serve(session: Session) -> int:
    logging.basicConfig(
        level=session.settings.text("LOG_LEVEL").upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    app = session.app
    ensure_owner(app.library)
    background = Background(app)
    server = uvicorn.Server(
        server_config(build_app(site(app, background), (background.running,)), _listening(session))
    )
    say(welcome(session.settings.public_url, session.settings.number("VAULT_PORT"), frozenset({"library"})))
    return DONE if _run(server) else FAILED


def _run(server: uvicorn.Server) -> bool:
    """Serve until a signal ends it; whether it came to serve at all."""

    def stop(*_: object) -> None:
        server.should_exit = True

    # The server gives a signal on once it has shut down; without this, that would end the process unclean.
    signal.signal(signal.SIGTERM, stop)
    with suppress(KeyboardInterrupt, SystemExit):  # it exits with a code of its own where it cannot listen
        server.run()
    return server.started


def _listening(session: Session) -> Listening:
    settings = session.settings
    return Listening(settings.text("HOST"), settings.number("PORT"), settings.names("TRUSTED_PROXIES"))


def site(app: App, background: Background) -> Site:
    """What is served of an installation."""
    settings = app.settings
    options = HttpOptions(settings.public_url, __version__, settings.names("ALLOWED_HOSTS"))
    offload = Offload()
    served = frozenset({LIBRARY_TOOLS.tool_set.value})
    return Site(
        options=options,
        offload=offload,
        endpoints=(build_endpoint(app.library, offload, options, LIBRARY_TOOLS, app.storage.change_mark),),
        ready=background.readiness,
        welcome=welcome(settings.public_url, settings.number("VAULT_PORT"), served),
    )


class Background:
    """What runs beside the server: the models being loaded, the jobs, and the trash emptying itself."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._models = "loading"
        self._stopping = threading.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run it as long as the server does; stopping waits for the work under way."""
        runner = self._app.runner()
        threads = [
            threading.Thread(target=self._warm, args=(runner,), name="models", daemon=True),
            threading.Thread(target=self._tidy, name="tidying", daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            await asyncio.to_thread(runner.stop)

    def _warm(self, runner: Runner) -> None:
        try:
            self._app.warm()
            self._models = "ready"
        except Refusal as refusal:
            self._models = "unavailable"
            _log.warning("searching by words alone: %s", refusal.detail)
        runner.start()

    def _tidy(self) -> None:
        while not self._stopping.is_set():
            try:
                ended = self._app.empty_trash()
            except Refusal as refusal:
                _log.warning("the trash was not looked through: %s", refusal.code)
            else:
                if ended:
                    _log.info("%d item(s) left the trash for good", ended)
            self._stopping.wait(_TRASH_PAUSE)

    def readiness(self) -> Readiness:
        """Ready when the models are loaded, or known to be missing, and the database answers."""
        try:
            with self._app.storage.read() as tx:
                tx.access.accounts()
        except Refusal as refusal:
            return Readiness(False, {"database": refusal.code, "models": self._models})
        return Readiness(self._models != "loading", {"database": "ready", "models": self._models})
