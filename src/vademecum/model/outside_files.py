"""Which files and folders on disk are other programs' own, and never items?"""

from __future__ import annotations

import re

# What an import and the mirror leave alone with everything in it (decisions: operations, Data folder).
SKIPPED_FOLDERS = {
    ".obsidian": "settings of Obsidian",
    ".trash": "trash of Obsidian",
    ".git": "history of git",
}
OWN_FOLDER = ".vade"
UNFINISHED_PREFIX, UNFINISHED_SUFFIX = ".vade-", ".tmp"  # a file that the mirror is writing

_VERSIONS = frozenset({".stversions", ".stfolder", ".sync", ".dropbox.cache", "__MACOSX"})
_UNFINISHED = re.compile(r"\.vade-[0-9a-f]{32}\.tmp\Z")
_PASSING = re.compile(
    r"""
      \.~lock\..*\#            # LibreOffice's locks
    | ~\$.*                    # Microsoft Office's
    | \.\#.* | \#.*\#          # Emacs
    | .*~                      # copies that editors keep
    | \..*\.sw[a-z] | 4913     # Vim
    | \.goutputstream-.*       # GNOME
    | \.DS_Store | \._.* | Thumbs\.db | desktop\.ini
    | .*\.(?:tmp|temp|part|crdownload|swp)
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def is_passing(name: str) -> bool:
    """Whether a file of that name is an editor's, a sync tool's or the system's own and soon gone."""
    return _PASSING.fullmatch(name) is not None


def is_unfinished(name: str) -> bool:
    """Whether it is a file that the mirror began and a kill cut short."""
    return _UNFINISHED.match(name) is not None


def is_left_out(names: tuple[str, ...]) -> bool:
    """Whether the mirror leaves alone what lies at a path of those names, the last one a file's."""
    return is_passing(names[-1]) or any(is_folder_left_out(name) for name in names[:-1])


def is_folder_left_out(name: str) -> bool:
    """Whether the mirror leaves a folder of that name alone with everything in it."""
    return name in SKIPPED_FOLDERS or name in _VERSIONS or name == OWN_FOLDER
