"""How is the library served?"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

import uvicorn

from vademecum import __version__
from vademecum.app import App, open_app
from vademecum.commands.terminal import DONE, FAILED, Action, Session, command_parser, run_action, say
from vademecum.commands.vault_listening import VaultListener
from vademecum.commands.workers import serve_together
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.pages import VAULT_SWITCHED, welcome
from vademecum.faces.http.routes import Readiness, Site, build_app
from vademecum.faces.http.serving import Listening, bound_sockets, server_config
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS
from vademecum.faces.mcp.server.endpoint import build_endpoint
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS
from vademecum.jobs.runner import Runner
from vademecum.library.connecting import ensure_owner
from vademecum.library.vault import is_published
from vademecum.model.errors import Refusal
from vademecum.settings import Settings

_log = logging.getLogger("vademecum")
_SETTINGS_GIVEN = ("host", "port", "vault_port")
_MOST_WORKERS = 64
_TRASH_PAUSE = 3600.0  # seconds between two looks at what is due to leave the trash


def run(command: str, words: Sequence[str]) -> int:
    """`vade serve [--host] [--port] [--vault-port] [--workers N]`."""
    return run_action(_parser(command, partial(_serve, words)), words, _SETTINGS_GIVEN)


def _parser(command: str, action: Action) -> argparse.ArgumentParser:
    parser = command_parser(command, "Serve the library; ready when GET /healthz gives 200.")
    parser.add_argument(
        "--host", metavar="HOST", help="the address to listen on (default: VADE_HOST or 127.0.0.1)"
    )
    parser.add_argument("--port", metavar="PORT", help="the port (default: VADE_PORT or 8484)")
    parser.add_argument(
        "--vault-port", metavar="PORT", help="the port of the vault's listener (default: 27180)"
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=int,
        choices=range(1, _MOST_WORKERS + 1),
        default=1,
        help=f"how many processes answer on the port, up to {_MOST_WORKERS} (default: 1)",
    )
    parser.set_defaults(action=action)
    return parser


def _serve(words: Sequence[str], session: Session) -> int:
    settings = session.settings
    _log_to_standard_error(settings)
    if session.arguments.workers == 1:
        ensure_owner(session.app.library)
        return _serve_alone(session, Background(session.app), hello=_hello(session.app))
    app = open_app(settings, with_owner=True)  # what is wrong is told before anything listens
    hello = _hello(app)
    app.close()
    try:
        sockets = bound_sockets(listening(settings))
    except OSError as error:
        _log.error("%s cannot be listened on: %s", settings.number("PORT"), error)
        return FAILED
    say(hello)  # once the port is known to be free
    return DONE if serve_together(_serve_in_team, (words, sockets), session.arguments.workers) else FAILED


def _hello(app: App) -> str:
    """What is told when serving begins; should the vault's port be taken, the log names the other one."""
    is_open = is_published(app.library)
    state = "published, on this machine alone: vade vault connection" if is_open else VAULT_SWITCHED
    return welcome(app.settings.public_url, app.settings.number("VAULT_PORT"), state)


def _serve_in_team(place: int, words: Sequence[str], sockets: list[socket.socket]) -> int:
    """What each process of several does; that in the first place also does what goes on in the background."""

    def serve(session: Session) -> int:
        _log_to_standard_error(session.settings)
        return _serve_alone(session, Background(session.app, works=place == 0), sockets=sockets)

    return run_action(_parser("serve", serve), words, _SETTINGS_GIVEN)


def _serve_alone(
    session: Session,
    background: Background,
    *,
    hello: str | None = None,
    sockets: list[socket.socket] | None = None,
) -> int:
    vault = VaultListener(session.app, background.offload, VAULT_TOOLS)
    served = build_app(site(session.app, background), (background.running, vault.running))
    server = uvicorn.Server(server_config(served, listening(session.settings)))
    if hello is not None:
        say(hello)
    return DONE if _run(server, sockets) else FAILED


def _log_to_standard_error(settings: Settings) -> None:
    logging.basicConfig(
        level=settings.text("LOG_LEVEL").upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )


def _run(server: uvicorn.Server, sockets: list[socket.socket] | None) -> bool:
    """Serve until a signal ends it; whether it came to serve at all."""

    def stop(*_: object) -> None:
        server.should_exit = True

    # The server gives a signal on once it has shut down; without this, that would end the process unclean.
    signal.signal(signal.SIGTERM, stop)
    with suppress(KeyboardInterrupt, SystemExit):  # it exits with a code of its own where it cannot listen
        server.run(sockets)
    return server.started


def listening(settings: Settings) -> Listening:
    """Where the settings say to listen, and whom to believe."""
    return Listening(settings.text("HOST"), settings.number("PORT"), settings.names("TRUSTED_PROXIES"))


def site(app: App, background: Background) -> Site:
    """What is served of an installation."""
    settings = app.settings
    options = HttpOptions(settings.public_url, __version__, settings.names("ALLOWED_HOSTS"))
    offload = background.offload
    return Site(
        options=options,
        offload=offload,
        endpoints=(build_endpoint(app.library, offload, options, LIBRARY_TOOLS, app.storage.change_mark),),
        ready=background.readiness,
        welcome=welcome(settings.public_url, settings.number("VAULT_PORT")),
    )


class Background:
    """What runs beside the server: the models being loaded, the jobs, the folder on disk, and the trash
    emptying itself.

    Of several processes that serve together one `works`; the others only load the models. What works gives
    way to the calls in `offload`.
    """

    def __init__(self, app: App, *, works: bool = True) -> None:
        self._app = app
        self._works = works
        self.offload = Offload()
        self._models = "loading"
        self._stopping = threading.Event()
        self._following = app.following() if works else None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run it as long as the server does; stopping waits for the work under way."""
        runner = self._app.runner(is_pressed=lambda: self.offload.is_busy)
        threading.Thread(target=self._warm, args=(runner,), name="models", daemon=True).start()
        if self._works:
            threading.Thread(target=self._tidy, name="tidying", daemon=True).start()
        mirror = self._start_mirror()
        try:
            yield
        finally:
            self._stopping.set()
            if self._following is not None:
                self._following.stop()
            await asyncio.to_thread(runner.stop)
            if mirror is not None:
                await asyncio.to_thread(mirror.join)

    def _start_mirror(self) -> threading.Thread | None:
        if self._following is None:
            return None
        thread = threading.Thread(target=self._following.run, name="mirror", daemon=True)
        thread.start()
        return thread

    def _warm(self, runner: Runner) -> None:
        try:
            self._app.warm()
            self._models = "ready"
        except Refusal as refusal:
            self._models = "unavailable"
            _log.warning("searching by words alone: %s", refusal.detail)
        if self._works:
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
        """Ready when the models are loaded, or known to be missing, the database answers, and the folder on
        disk was looked at once or is known not to be there.
        """
        try:
            with self._app.storage.read() as tx:
                tx.access.accounts()
        except Refusal as refusal:
            return Readiness(False, {"database": refusal.code, "models": self._models})
        parts = {"database": "ready", "models": self._models}
        if self._following is not None:
            parts["mirror"] = self._following.state
        return Readiness("loading" not in parts.values() and "starting" not in parts.values(), parts)
