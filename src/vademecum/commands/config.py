"""How are the settings shown, each with where it came from?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum import __version__
from vademecum.commands.terminal import (
    DONE,
    MISUSED,
    Session,
    add_action,
    add_common,
    command_parser,
    run_action,
    say,
)
from vademecum.settings import PREFIX


def run(command: str, words: Sequence[str]) -> int:
    """`vade config [list|get NAME|version]`."""
    parser = command_parser(command, "The settings in force, and where each came from.")
    parser.set_defaults(action=_list)
    actions = parser.add_subparsers(metavar="ACTION")
    listing = add_action(actions, "list", "all settings")
    listing.set_defaults(action=_list)
    getting = add_action(actions, "get", "the value of one")
    getting.add_argument("name", metavar="NAME", help="such as PORT or VADE_PORT")
    getting.set_defaults(action=_get)
    version = add_action(actions, "version", "the version of this program")
    version.set_defaults(action=_version)
    add_common(listing, getting, version)
    return run_action(parser, words)


def _list(session: Session) -> int:
    values = session.settings.values.values()
    result = {PREFIX + value.setting.name: {"value": value.shown, "from": value.origin} for value in values}
    lines = [f"{PREFIX + value.setting.name:<22} {value.shown:<32} {value.origin}" for value in values]
    session.show(result, lines)
    return DONE


def _get(session: Session) -> int:
    name = session.arguments.name.upper().removeprefix(PREFIX)
    value = session.settings.values.get(name)
    if value is None:
        say(f"vade: there is no setting {session.arguments.name!r}; `vade config list` shows all")
        return MISUSED
    session.show({"name": PREFIX + name, "value": value.shown, "from": value.origin}, [value.shown])
    return DONE


def _version(session: Session) -> int:
    session.show({"version": __version__}, [f"vade {__version__}"])
    return DONE
