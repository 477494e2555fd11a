"""Which files and folders on disk are other programs' own, and never items?"""

from __future__ import annotations

import re

from vademecum.model.names import is_path

# What an import and the mirror leave alone with everything in it (decisions: operations, Data folder).
SKIPPED_FOLDERS = {
    ".obsidian": "settings of Obsidian",
    ".trash": "trash of Obsidian",
    ".git": "history of git",
}
OWN_FOLDER = ".vade"
UNFINISHED_PREFIX, UNFINISHED_SUFFIX = ".vade-", ".tmp"  # a file that the mirror is writing

_VERSIONS = frozenset({".stversions", ".stfolder", ".sync", ".dropbox.cache", "__MACOSX"})
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\\:%]")
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
    is_foreign = is_passing(names[-1]) or any(is_folder_left_out(name) for name in names[:-1])
    return is_foreign or is_beyond_tools("/".join(names))


def is_beyond_tools(path: str) -> bool:
    """Whether no tool would take the path: what lies there could be listed and never read."""
    name = path.rpartition("/")[2]
    is_odd = _ODD.search(path) is not None or not any(map(str.isalnum, name))
    return is_odd and not is_path(path)  # to parse every path would slow down a look at all of them


def is_folder_left_out(name: str) -> bool:
    """Whether the mirror leaves a folder of that name alone with everything in it."""
    return name in SKIPPED_FOLDERS or name in _VERSIONS or name == OWN_FOLDER
