"""How do commands read their words, and how do they speak?"""

from __future__ import annotations

import argparse
import codecs
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Protocol, Self

from vademecum.app import App, SchemaState, open_app, schema_state
from vademecum.library.connecting import person
from vademecum.model.access import Caller
from vademecum.model.errors import NotPermitted, Refusal
from vademecum.settings import Settings, SettingsError, read_settings

Action = Callable[["Session"], int]
DONE, FAILED, MISUSED = 0, 1, 2
_REDRAW_SECONDS, _LINE_SECONDS = 0.1, 5.0


def command_parser(command: str, sentence: str) -> argparse.ArgumentParser:
    """A parser with the options that every command takes (operations, Command line)."""
    parser = argparse.ArgumentParser(prog=f"vade {command}", description=sentence)
    add_common(parser)
    return parser


def add_common(*parsers: argparse.ArgumentParser) -> None:
    """Let each take the options of every command; said after an action, they count as said before it."""
    for parser in parsers:
        parser.add_argument(
            "--data", metavar="DIR", default=argparse.SUPPRESS, help="the data folder (default: ~/Vademecum)"
        )
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")


class Actions(Protocol):
    """The actions of a command, as argparse keeps them."""

    def add_parser(self, *names: Any, **texts: Any) -> argparse.ArgumentParser: ...


def add_action(actions: Actions, name: str, sentence: str) -> argparse.ArgumentParser:
    """Add an action of a command; the sentence stands in the command's help and begins its own."""
    return actions.add_parser(name, help=sentence, description=f"{sentence[0].upper()}{sentence[1:]}.")


def add_account(*parsers: argparse.ArgumentParser) -> None:
    """Let each name the person whose library is meant."""
    for parser in parsers:
        parser.add_argument("--account", metavar="NAME", help="whose library (default: the first owner's)")


@dataclass(slots=True)
class Session:
    """One run of a command: its words, its settings, and the library once it is asked for."""

    arguments: argparse.Namespace
    settings: Settings
    _app: App | None = field(default=None)
    _passing: TemporaryDirectory[str] | None = field(default=None)

    @property
    def app(self) -> App:
        """The library of the data folder, opened on first use and closed when the command ends."""
        if self._app is None:
            self._app = open_app(self.settings)
        return self._app

    def leave_no_trace(self) -> None:
        """Where there is no library yet, work on an empty one that goes when the command ends.

        Raises NotPermitted for a library whose schema would have to be changed first.
        """
        found = schema_state(self.settings)
        if found is SchemaState.OLDER:
            raise NotPermitted(
                "An older version wrote this library, and a trial must not change it.",
                advice="Bring it to this version with `vade migrate`, or import without --dry-run.",
            )
        is_missing = found is SchemaState.MISSING
        if is_missing or not self.settings.inner.exists():
            self._passing = TemporaryDirectory(prefix="vade-")
            self.settings = self.settings.in_folder(Path(self._passing.name), with_database=is_missing)

    @property
    def caller(self) -> Caller:
        """The person whose library it is."""
        return person(self.app.library, getattr(self.arguments, "account", None))

    @property
    def wants_json(self) -> bool:
        """Whether the result is to be printed as JSON."""
        return bool(getattr(self.arguments, "json", False))

    def close(self) -> None:
        if self._app is not None:
            self._app.close()
        if self._passing is not None:
            self._passing.cleanup()

    def show(self, result: object, lines: Sequence[str]) -> None:
        """Print the result: as JSON when that was asked for, else as lines."""
        if self.wants_json:
            print(json.dumps(result, ensure_ascii=not _takes_everything(), indent=2))
        else:
            for line in lines:
                print(line)


def _takes_everything() -> bool:
    """Whether standard output has every character; where it has not, JSON has escapes of its own."""
    return codecs.lookup(sys.stdout.encoding or "ascii").name.startswith("utf")


def say(message: str) -> None:
    """Tell the person something that is no result."""
    print(message, file=sys.stderr, flush=True)


def run_action(parser: argparse.ArgumentParser, words: Sequence[str], options: Sequence[str] = ()) -> int:
    """Parse, act and end with the exit code: 1 for a refusal, 2 for wrong usage or settings (operations).

    `options` names those of the command's own that set a setting of the same name.
    """
    _print_anything()
    try:
        arguments = parser.parse_args(words)
    except SystemExit as ended:  # argparse has printed what is wrong, or the help that was asked for
        return MISUSED if ended.code else DONE
    words_given = vars(arguments)
    given = {name.upper(): words_given[name] for name in ("data", *options) if words_given.get(name)}
    try:
        session = Session(arguments, read_settings(given, os.environ))
    except SettingsError as error:
        say(f"vade: {error}")
        return MISUSED
    return _act(session, arguments.action)


def _print_anything() -> None:
    """Let streams write what their encoding lacks as an escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _act(session: Session, action: Action) -> int:
    try:
        code = action(session)
        sys.stdout.flush()  # here, so that a reader who has left is noticed below
    except Refusal as refusal:
        say(f"vade: {refusal.detail} ({refusal.code})\n      {refusal.advice}")
        return FAILED
    except BrokenPipeError:
        # Whoever read our output has left: what is still to be flushed goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        say("vade: stopped")
        return FAILED
    else:
        return code
    finally:
        session.close()


def confirmed(session: Session, question: str) -> bool:
    """Whether the person says yes; `--yes` says it beforehand, and without a terminal nothing else does."""
    if session.arguments.yes:
        return True
    if not sys.stdin.isatty():
        say("vade: this asks for confirmation: repeat it with --yes")
        return False
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


class Progress:
    """Progress of long work on standard error: a bar on a terminal, a line every few seconds elsewhere."""

    def __init__(self, label: str, total: int) -> None:
        self._label, self._total = label, total
        self._is_terminal = sys.stderr.isatty()
        self._shown = time.monotonic()
        self._done = 0
        self._last_told: int | None = None
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_terminal and self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
        elif kind is None and self._last_told not in (None, self._done):
            self._say()  # whoever was told of the beginning is told of the end

    def of(self, done: int, total: int) -> None:
        """Show that `done` of `total` is done, for work whose size is known late."""
        self._total = total
        self.at(done)

    def at(self, done: int) -> None:
        """Show that `done` of the total is done, if it is time to show something."""
        self._done = done
        wait = _REDRAW_SECONDS if self._is_terminal else _LINE_SECONDS
        if time.monotonic() - self._shown < wait:
            return
        self._shown = time.monotonic()
        share = done / self._total if self._total else 1.0
        if self._is_terminal:
            filled = int(share * 30)
            text = f"{self._label} [{'#' * filled}{'.' * (30 - filled)}] {done:,} of {self._total:,}"
            self._width = max(self._width, len(text))
            print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
        else:
            self._say()

    def _say(self) -> None:
        self._last_told = self._done
        say(f"{self._label}: {self._done:,} of {self._total:,}")
