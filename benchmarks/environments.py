"""Where do the programs live that the product is measured against?"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

CACHE = Path(__file__).parent / ".cache"
_PATIENCE = 900  # seconds for an installation


class PeerMissing(Exception):
    """A peer cannot be had here; the reason is for the reader of the table."""


def environment(name: str, requirement: str, oldest: tuple[int, int] = (3, 11)) -> Path:
    """A virtual environment of its own with the requirement in it, made at the first use.

    Peers are installed to be run as programs, never imported: their licences and dependencies stay theirs.
    Raises PeerMissing when there is no Python new enough or the installation fails.
    """
    folder = CACHE / "environments" / name
    stamp = folder / "requirement"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == requirement:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    _run([str(python(oldest)), "-m", "venv", str(folder)])
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", requirement])
    stamp.write_text(requirement, encoding="utf-8")
    return folder


def python(oldest: tuple[int, int]) -> Path:
    """A Python of this machine that is at least that new. Raises PeerMissing."""
    names = [f"python{oldest[0]}.{minor}" for minor in range(14, oldest[1] - 1, -1)]
    found = [Path(place) for name in names if (place := shutil.which(name))]
    versions = Path.home() / ".pyenv" / "versions"
    for minor in range(oldest[1], 15):
        found += sorted(versions.glob(f"{oldest[0]}.{minor}.*/bin/python"))
    for candidate in found:
        if _works(candidate, oldest):
            return candidate
    raise PeerMissing(f"needs Python {oldest[0]}.{oldest[1]} or newer, which this machine has not")


def _works(candidate: Path, oldest: tuple[int, int]) -> bool:
    """Whether it runs and is that new; a name on the path may stand for a version that is not there."""
    test = f"import sys, venv; sys.exit(sys.version_info < {oldest})"
    return subprocess.run([str(candidate), "-c", test], capture_output=True, check=False).returncode == 0


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_PATIENCE)
    except subprocess.CalledProcessError as error:
        raise PeerMissing(f"could not be installed: {error.stderr.strip()[-300:]}") from error
    except subprocess.TimeoutExpired as error:
        raise PeerMissing("could not be installed in time") from error
