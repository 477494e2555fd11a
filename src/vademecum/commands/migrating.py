"""How is the database brought to the newest schema at the command line?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.commands.terminal import DONE, Session, command_parser, run_action


def run(command: str, words: Sequence[str]) -> int:
    """`vade migrate`."""
    parser = command_parser(command, "Bring the database to the newest schema; every start does so too.")
    parser.set_defaults(action=_migrate)
    return run_action(parser, words)


def _migrate(session: Session) -> int:
    taken = list(session.app.storage.migrated)
    copied = session.app.copied
    lines = [f"{name}: applied" for name in taken] or ["The schema is the newest already."]
    kept = [f"A copy of the library as it was: {copied}"] if copied else []
    session.show({"applied": taken, "copy": str(copied) if copied else None}, [*lines, *kept])
    return DONE
