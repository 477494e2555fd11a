"""How are background jobs worked off by a process of their own?"""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence

from vademecum.commands.terminal import DONE, Session, command_parser, run_action, say


def run(command: str, words: Sequence[str]) -> int:
    """`vade work`."""
    parser = command_parser(
        command, "Work off background jobs until stopped; several workers may share one database."
    )
    parser.set_defaults(action=_work)
    return run_action(parser, words)


def _work(session: Session) -> int:
    stopping = threading.Event()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    session.app.warm()
    runner = session.app.runner()
    runner.start()
    say("Working off jobs; stop with Ctrl-C.")
    stopping.wait()
    runner.stop()
    return DONE
