"""Which settings are there, and what is each set to by whom?"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

PREFIX = "VADE_"
FILE_NAME = "vade.toml"
_SWITCH = {"on": True, "off": False}
_UNLIMITED = "unlimited"
_LEVELS = ("debug", "info", "warning", "error")
_PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):.*@", re.DOTALL)
_SECRET_PARAMETER = re.compile(r"((?:password|secret|token|key)=)[^&\s]+", re.IGNORECASE)


class SettingsError(Exception):
    """A setting is misspelt or has no value that it could have; every command stops with 2 (operations)."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name without the prefix, how its text is read, its default and what it is for.

    `used` is False for names that belong to the stable interface and take effect with a later version.
    """

    name: str
    read: Callable[[str], object]
    default: str
    sentence: str
    secret: bool = False
    used: bool = True


def _text(value: str) -> str:
    return value


def _port(value: str) -> int:
    number = int(value)
    if not 0 < number < 65536:
        raise ValueError("a port from 1 to 65535 is needed")
    return number


def _count(value: str) -> int:
    number = int(value)
    if number < 0:
        raise ValueError("0 or more is needed")
    return number


def _unlimited(value: str) -> int | None:
    return None if value == _UNLIMITED else _count(value)


def _switch(value: str) -> bool:
    if value not in _SWITCH:
        raise ValueError("on or off is needed")
    return _SWITCH[value]


def _hosts(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _private(value: str) -> frozenset[str]:
    return frozenset() if value == "off" else frozenset(_hosts(value))


def _address(value: str) -> str:
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("an http or https address is needed")
    return value.rstrip("/")


def _database(value: str) -> str:
    is_file = value.startswith("sqlite:///") and value != "sqlite:///"
    if value and not is_file and not value.startswith(("postgresql://", "postgres://")):
        raise ValueError("sqlite:///PATH or postgresql://… is needed")
    if value and not is_file:
        _ = urlsplit(value).port  # raises ValueError for a malformed address or port
    return value


def _model(*names: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in names and not re.fullmatch(r"https?://[^\s#]+(#\S+)?", value):
            raise ValueError(f"{', '.join(names)} or ADDRESS#MODEL is needed")
        return value

    return read


def _folder(value: str) -> str:
    if "://" in value:
        raise ValueError("a folder is needed")
    return value


def _level(value: str) -> str:
    if value not in _LEVELS:
        raise ValueError(f"one of {', '.join(_LEVELS)} is needed")
    return value


SETTINGS: tuple[Setting, ...] = (
    Setting("DATA", _text, "~/Vademecum", "The data folder."),
    Setting("HOST", _text, "127.0.0.1", "The address that the server listens on."),
    Setting("PORT", _port, "8484", "The port of the server."),
    Setting("VAULT_PORT", _port, "27180", "The port of the vault's listener; a free one where it is taken."),
    Setting(
        "PUBLIC_URL",
        _address,
        "",
        "Where people and clients reach the server; http://localhost:PORT if empty.",
    ),
    Setting(
        "ALLOWED_HOSTS",
        _hosts,
        "",
        "Further host names, separated by commas, under which requests are taken.",
    ),
    Setting("TRUSTED_PROXIES", _hosts, "", "Addresses of proxies whose word on the client's address counts."),
    Setting("DATABASE_URL", _database, "", "postgresql://…, or empty for SQLite in the data folder."),
    Setting(
        "BLOBS",
        _folder,
        "",
        "The folder for files, of this library alone; empty for the one in the data folder.",
    ),
    Setting(
        "MIRROR",
        _folder,
        "on",
        "The folder of plain Markdown files: on for library/ in the data folder, off, or another folder.",
    ),
    Setting(
        "EMBEDDER",
        _model("bundled", "off"),
        "bundled",
        "The embedding model: bundled, off, or ADDRESS#MODEL.",
    ),
    Setting(
        "RERANKER",
        _model("auto", "bundled", "off"),
        "auto",
        "The second model: auto (bundled where installed), off, or ADDRESS#MODEL.",
    ),
    Setting("SUMMARIZER", _text, "off", "What makes summaries.", used=False),
    Setting("LLM_URL", _address, "", "The address of an OpenAI-compatible service.", used=False),
    Setting("LLM_MODEL", _text, "", "The model of that service.", used=False),
    Setting("LLM_KEY", _text, "", "The key for the services named above; also from a file.", secret=True),
    Setting("OCR_LANGUAGES", _hosts, "", "The languages that text in images is read in.", used=False),
    Setting(
        "CREDITS_MONTHLY", _unlimited, _UNLIMITED, "Credits for enriched captures a month, or unlimited."
    ),
    Setting("STORAGE_LIMIT", _unlimited, _UNLIMITED, "Bytes that an account may store, or unlimited."),
    Setting("TRASH_DAYS", _count, "30", "Days after which the trash empties itself; 0 for never."),
    Setting("KEY", _text, "", "The agent key of the stdio bridge.", secret=True),
    Setting("LOG_LEVEL", _level, "info", "How much is logged: debug, info, warning or error."),
    Setting(
        "FETCH_PRIVATE", _private, "off", "Private hosts (host or host:port) that captures may reach, or off."
    ),
    Setting("SIGN_UPS", _switch, "off", "Whether strangers may make an account.", used=False),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}
_FROM_FILE = {f"{setting.name}_FILE": setting.name for setting in SETTINGS if setting.secret}


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value and where it came from."""

    setting: Setting
    value: object
    text: str
    origin: str

    @property
    def shown(self) -> str:
        """What may be printed of it: that a secret is set, and addresses without the passwords in them."""
        return shown(self.setting, self.text)


def shown(setting: Setting, text: str) -> str:
    """The text of a setting as far as it may be printed."""
    if setting.secret:
        return "(set)" if text else ""
    return _SECRET_PARAMETER.sub(r"\1…", _PASSWORD.sub(r"\1:…@", text))


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its effective value, read once."""

    values: Mapping[str, Value]

    def text(self, name: str) -> str:
        return str(self.values[name].value)

    def number(self, name: str) -> int:
        found = self.values[name].value
        if not isinstance(found, int):
            raise SettingsError(f"{PREFIX}{name}: a number is needed")
        return found

    def limit(self, name: str) -> int | None:
        return None if self.values[name].value is None else self.number(name)

    def names(self, name: str) -> tuple[str, ...]:
        found = self.values[name].value
        return tuple(sorted(found)) if isinstance(found, (tuple, frozenset)) else ()

    @property
    def data(self) -> Path:
        """The data folder, from which every other path follows."""
        return Path(self.text("DATA")).expanduser().absolute()

    def in_folder(self, data: Path, *, with_database: bool) -> Settings:
        """The same settings with another data folder, which then holds all files too, and where
        `with_database` says so the database.
        """
        moved = {"DATA": str(data), "BLOBS": "", **({"DATABASE_URL": ""} if with_database else {})}
        values = {name: replace(self.values[name], value=text, text=text) for name, text in moved.items()}
        return Settings({**self.values, **values})

    @property
    def inner(self) -> Path:
        """The folder in which the program keeps its own files."""
        return self.data / ".vade"

    @property
    def mirror(self) -> Path | None:
        """The folder on disk that follows the library; None where there is none."""
        given = self.text("MIRROR")
        if given in ("", "off"):
            return None
        return self.data / "library" if given == "on" else Path(given).expanduser().absolute()

    @property
    def public_url(self) -> str:
        """Where people and clients reach the server, without a slash at the end."""
        return self.text("PUBLIC_URL") or f"http://localhost:{self.number('PORT')}"


def read_settings(command_line: Mapping[str, str], environment: Mapping[str, str]) -> Settings:
    """Settings by command line, then environment, then `vade.toml` in the data folder, then default.

    Raises SettingsError for a name that does not exist or a value that cannot be (operations, Settings).
    """
    given = {name.removeprefix(PREFIX): text for name, text in environment.items() if name.startswith(PREFIX)}
    sources = [("command line", dict(command_line)), ("environment", _open_files(given))]
    _refuse_unknown(f"{PREFIX}%s in the environment", sources[1][1])
    sources.append((FILE_NAME, _read_file(_data_folder(_first("DATA", sources)[0]) / FILE_NAME)))
    return Settings({setting.name: _value(setting, sources) for setting in SETTINGS})


def _data_folder(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise SettingsError(f"{PREFIX}DATA {text!r}: there is no such home folder") from error


def _open_files(given: Mapping[str, str]) -> dict[str, str]:
    """The settings, those of `…_FILE` read from the file that they name."""
    opened = {name: text for name, text in given.items() if name not in _FROM_FILE}
    for name, target in _FROM_FILE.items():
        if name in given:
            try:
                opened[target] = Path(given[name]).expanduser().read_text(encoding="utf-8").strip()
            except (OSError, ValueError, RuntimeError) as error:
                reason = getattr(error, "strerror", None) or "it is no text"
                raise SettingsError(f"{PREFIX}{name}: the file cannot be read ({reason})") from error
    return opened


def _refuse_unknown(where: str, names: Mapping[str, str]) -> None:
    for name in names:
        if name not in _BY_NAME:
            raise SettingsError(f"There is no setting {where % name}. See `vade config list`.")


def _read_file(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    found = _open_files({name.upper(): _spelled(value) for name, value in table.items()})
    _refuse_unknown(f"%s in {path}", found)
    return found


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ",".join(str(part) for part in value)
    return str(value)


def _first(name: str, sources: list[tuple[str, dict[str, str]]]) -> tuple[str, str]:
    for origin, names in sources:
        if name in names:
            return names[name], origin
    return _BY_NAME[name].default, "default"


def _value(setting: Setting, sources: list[tuple[str, dict[str, str]]]) -> Value:
    text, origin = _first(setting.name, sources)
    try:
        return Value(setting, setting.read(text), text, origin)
    except ValueError as error:
        # A number's own error repeats what was given, which here may be a secret.
        reason = "a whole number is needed" if str(error).startswith("invalid literal") else str(error)
        told = f" {shown(setting, text)!r}" if not setting.secret else ""
        raise SettingsError(f"{PREFIX}{setting.name}{told} ({origin}): {reason}") from error
