"""What does `vade bridge` take, and what does it run on?"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout

from vademecum.bridge.addresses import FACES, Destination, Misconfigured, data_folder, remote_set, vault
from vademecum.bridge.relay import Output, Relay, log

_SENTENCE = """\
Connects an MCP client that starts programs to the tools of the server on this machine: one message a line on
standard input and output. It starts without the server, and finds it when it comes."""
DONE, MISUSED = 0, 2


def run(command: str, words: Sequence[str]) -> int:
    """`vade bridge`: 0 at the end of its input, 2 for wrong usage or settings (operations)."""
    try:
        arguments = _parser(command).parse_args(words)
    except SystemExit as ended:  # argparse has printed what is wrong, or the help that was asked for
        return MISUSED if ended.code else DONE
    try:
        destination = _destination(arguments, os.environ)
    except Misconfigured as error:
        log(str(error))
        return MISUSED
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # it ends at once and quietly, as at SIGTERM
    output = Output(sys.stdout.buffer)
    # What anything prints by accident must not reach the client (cases M15).
    with redirect_stdout(sys.stderr):
        Relay(destination, output).run(sys.stdin.buffer)
    return DONE


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"vade {command}", description=_SENTENCE, formatter_class=_formatter
    )
    parser.add_argument(
        "--face",
        choices=list(FACES),
        default="vault",
        help="the tools: the vault's, or those that an agent key in VADE_KEY opens (default: vault)",
    )
    parser.add_argument("--data", metavar="DIR", help="the data folder (default: ~/Vademecum)")
    parser.add_argument("--json", action="store_true", help="print JSON (it never prints anything else)")
    return parser


def _formatter(prog: str) -> argparse.HelpFormatter:
    """One that does not ask how wide the terminal is: what tells it takes longer to load than argparse."""
    return argparse.HelpFormatter(prog, width=98)


def _destination(arguments: argparse.Namespace, environment: Mapping[str, str]) -> Destination:
    """What was asked for. Raises Misconfigured for a key or port that is missing or cannot be."""
    data = data_folder(arguments.data, environment)
    if arguments.face == "vault":
        return vault(data)
    destination = remote_set(arguments.face, data, environment)
    destination.find()
    return destination
