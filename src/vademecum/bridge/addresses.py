"""Where does the server listen, and what lets the bridge in?"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

DEFAULT_DATA = "~/Vademecum"
DEFAULT_PORT = 8484
FACES = {"vault": "/mcp", "library": "/mcp", "gateway": "/gateway/mcp"}
_FILE_BYTES = 1 << 20


class NotReachable(Exception):
    """There is no server that answers; the text says so and what to do about it."""


class Misconfigured(NotReachable):
    """What the bridge was told cannot be right, whether a server runs or not."""


class Address(NamedTuple):
    """A port of this machine, the path there, and the token or key to show."""

    port: int
    path: str
    token: str


class Destination(NamedTuple):
    """A tool set, how it is found each time that it has to be, and what to say when it is not there.

    `find` raises NotReachable. `advice` is for a server that does not answer, `refused` for one that does not
    take the token.
    """

    face: str
    find: Callable[[], Address]
    advice: str
    refused: str


def vault(data: Path) -> Destination:
    """The vault of a data folder, where the server notes port and token whenever they change."""
    advice = (
        "Vademecum is not running, or its vault is not published. Start it with `vade serve`, publish the "
        "vault with `vade vault publish on`, then try again."
    )

    def find() -> Address:
        try:
            noted = json.loads(_read(data / ".vade" / "vault.json"))
            return Address(_port(noted["port"]), FACES["vault"], _secret(noted["token"]))
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise NotReachable(advice) from error

    refused = (
        "The vault does not take the token in `.vade/vault.json`. Start Vademecum again, then try again."
    )
    return Destination("vault", find, advice, refused)


def remote_set(face: str, data: Path, environment: Mapping[str, str]) -> Destination:
    """The library's or the gateway's tools of the server on this machine, with an agent key.

    Port and key are the settings PORT and KEY, from the environment or from `vade.toml` (operations,
    Settings).
    """

    def find() -> Address:
        settings = {**_file_settings(data / "vade.toml"), **_environment_settings(environment)}
        if not settings.get("KEY"):
            raise Misconfigured(
                f"The {face} tools need an agent key in VADE_KEY, or in the file that VADE_KEY_FILE names: "
                f"`vade keys create --face {face}` makes one."
            )
        try:
            return Address(_port(settings.get("PORT", DEFAULT_PORT)), FACES[face], _secret(settings["KEY"]))
        except ValueError as error:
            raise Misconfigured(str(error)) from error

    advice = "Vademecum is not running. Start it with `vade serve`, then try again."
    refused = "The agent key is not in force: `vade keys list` shows which are, `vade keys create` makes one."
    return Destination(face, find, advice, refused)


def data_folder(given: str | None, environment: Mapping[str, str]) -> Path:
    """The data folder that was named, else the setting DATA. Raises Misconfigured for a home of nobody."""
    text = given or environment.get("VADE_DATA") or DEFAULT_DATA
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise Misconfigured(f"There is no such home folder: {text!r}") from error


def _environment_settings(environment: Mapping[str, str]) -> dict[str, Any]:
    names = ("PORT", "KEY", "KEY_FILE")
    return _opened({name: environment[f"VADE_{name}"] for name in names if f"VADE_{name}" in environment})


def _file_settings(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(_read(path))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{path}: {error}") from error
    return _opened({name.upper(): value for name, value in table.items()})


def _opened(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings, with the key read from the file that they name."""
    if "KEY_FILE" in settings:
        try:
            settings["KEY"] = _read(Path(str(settings["KEY_FILE"])).expanduser()).strip()
        except (OSError, ValueError, RuntimeError) as error:
            raise Misconfigured(f"VADE_KEY_FILE: the file cannot be read ({type(error).__name__})") from error
    return settings


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_FILE_BYTES).decode()


def _port(value: object) -> int:
    number = int(value) if isinstance(value, (int, str)) else 0
    if not 0 < number < 65536:
        raise ValueError("VADE_PORT: a port from 1 to 65535 is needed")
    return number


def _secret(value: object) -> str:
    """Only what one header can carry, so that no text can add another."""
    text = str(value)
    if not (text.isascii() and text.isprintable() and text) or " " in text:
        raise ValueError("VADE_KEY: this is not a key")
    return text
