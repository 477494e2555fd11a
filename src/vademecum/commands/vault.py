"""How does a person open the vault to the agent beside them, and say what it may do there?"""

from __future__ import annotations

import http.client
import shlex
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from vademecum.commands.terminal import (
    DONE,
    FAILED,
    Session,
    add_action,
    add_common,
    command_parser,
    run_action,
    say,
)
from vademecum.commands.vault_file import VaultFile
from vademecum.faces.http.options import LOOPBACK_HOST
from vademecum.faces.http.pages import vault_address
from vademecum.library.connecting import ensure_owner
from vademecum.library.vault import Vault, open_space, read_vault, set_switch
from vademecum.model.vault import Switch

_REGISTERED_AS = "vademecum-vault"
_LONGEST_WAIT = 15.0  # seconds for a running server to follow the switch
_STEP = 0.05
_SENTENCES = {
    Switch.PUBLISH: "open or close the vault to agents on this machine; at first it is closed",
    Switch.WRITE: "let agents write notes, tags and attachments; at first they only read",
    Switch.MOVE: "let agents move and rename; needs writing too",
}
_NO_SERVER = "No server runs on this data folder: the switch is set, and `vade serve` opens the vault."


def run(command: str, words: Sequence[str]) -> int:
    """`vade vault publish|write|move on|off`, `open SPACE`, `status`, `connection`, `token --new`."""
    parser = command_parser(command, "The vault: one space for the agent beside you, on this machine alone.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for switch, sentence in _SENTENCES.items():
        turning = add_action(actions, switch.value, sentence)
        turning.add_argument("state", choices=["on", "off"], help="how to set it, from the next call on")
        turning.set_defaults(action=_turn, switch=switch)
        add_common(turning)
    opening = add_action(actions, "open", "choose the space that agents see; at first your personal one")
    opening.add_argument("space", metavar="SPACE", help="its short name, as `vade spaces list` shows it")
    opening.set_defaults(action=_open)
    telling = add_action(actions, "status", "tell the switches, the open space and the address")
    telling.set_defaults(action=_status)
    connecting = add_action(actions, "connection", "print address and token, and how to register a client")
    connecting.set_defaults(action=_connection)
    token = add_action(actions, "token", "replace the token; the one before fails at once")
    token.add_argument("--new", action="store_true", required=True, help="make a new one")
    token.set_defaults(action=_token)
    add_common(opening, telling, connecting, token)
    return run_action(parser, words)


def _turn(session: Session) -> int:
    switch, is_on = session.arguments.switch, session.arguments.state == "on"
    if switch is not Switch.PUBLISH:
        vault = set_switch(session.app.library, switch, on=is_on)
        _warn(vault)
        return _tell(session, vault)
    file = VaultFile(session.settings.inner)
    if is_on:
        file.ensure_token(session.app.library)
    vault = set_switch(session.app.library, switch, on=is_on)
    _warn(vault)
    if not file.is_served():
        if is_on:
            say(_NO_SERVER)
    elif not _comes_true(lambda: _is_open(file) == is_on):
        say("vade: the switch is set, but the running server does not follow it: look at its log.")
        return FAILED
    return _tell(session, vault)


def _warn(vault: Vault) -> None:
    if vault.switches.move and not vault.switches.write:
        say("Moving and renaming needs writing too: vade vault write on")
    if vault.space is None:
        say("The space that was open is gone: vade vault open SPACE")


def _comes_true(holds: Callable[[], bool]) -> bool:
    ends = time.monotonic() + _LONGEST_WAIT
    while not holds():
        if time.monotonic() > ends:
            return False
        time.sleep(_STEP)
    return True


def _is_open(file: VaultFile) -> bool:
    """Whether the listener is told to be open and answers."""
    port = file.read().port
    if port is None:
        return False
    asking = http.client.HTTPConnection(LOOPBACK_HOST, port, timeout=2)
    try:
        asking.request("GET", "/healthz")
        return asking.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asking.close()


def _open(session: Session) -> int:
    return _tell(session, open_space(session.app.library, session.arguments.space))


def _status(session: Session) -> int:
    ensure_owner(session.app.library)
    vault = read_vault(session.app.library)
    _warn(vault)
    return _tell(session, vault)


def _tell(session: Session, vault: Vault) -> int:
    switches = {switch.value: getattr(vault.switches, switch.value) for switch in Switch}
    space = None if vault.space is None else vault.space.slug
    url = _open_address(session)
    lines = [f"{name:<8} {'on' if is_on else 'off'}" for name, is_on in switches.items()]
    lines += [f"space    {space or 'none'}", f"address  {url or 'not open'}"]
    session.show({**switches, "space": space, "url": url}, lines)
    return DONE


def _open_address(session: Session) -> str | None:
    file = VaultFile(session.settings.inner)
    port = file.read().port
    return vault_address(port) if port is not None and file.is_served() else None


def _connection(session: Session) -> int:
    return _show_connection(session, VaultFile(session.settings.inner).ensure_token(session.app.library))


def _token(session: Session) -> int:
    token = VaultFile(session.settings.inner).replace_token(session.app.library)
    say("The token before this one no longer works. Clients that use the bridge need nothing new.")
    return _show_connection(session, token)


def _show_connection(session: Session, token: str) -> int:
    url = _open_address(session)
    if url is None:
        url = vault_address(session.settings.number("VAULT_PORT"))
        say("The vault is not open: `vade vault publish on` while `vade serve` runs opens it.")
    bridge = f"claude mcp add --scope user {_REGISTERED_AS} -- {_bridge(session)}"
    direct = (
        f"claude mcp add --scope user --transport http {_REGISTERED_AS} {url}"
        f' --header "Authorization: Bearer {token}"'
    )
    lines = [
        f"address  {url}",
        f"token    {token}",
        "",
        "Register Claude Code with the bridge, which finds address and token by itself:",
        f"  {bridge}",
        "",
        "or directly, with the token in the client's own settings:",
        f"  {direct}",
    ]
    session.show({"url": url, "token": token, "commands": {"bridge": bridge, "http": direct}}, lines)
    return DONE


def _bridge(session: Session) -> str:
    """The bridge as a client starts it, from any folder and with hardly any environment."""
    program = Path(sysconfig.get_path("scripts")) / "vade"
    words = [str(program)] if program.exists() else [sys.executable, "-m", "vademecum.cli"]
    words.append("bridge")
    if session.settings.values["DATA"].origin != "default":
        words += ["--data", str(session.settings.data)]
    return shlex.join(words)
