"""Which licences do the packages have that come with an installation?

Writes THIRD_PARTY.md from what the installed packages say of themselves.
"""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTICE = ROOT / "THIRD_PARTY.md"

HEAD = """\
# Third-party software

Vademecum itself is under the MIT licence (see LICENSE). An installation brings the packages below, unchanged,
each under its own licence and with its own licence text inside. `scripts/third_party.py` writes this page.

## Copyleft

These ask for more than a notice. Vademecum imports them as separate, unmodified packages, which anyone can
replace.

"""

# Where a package offers several licences, or asks for more than a notice, this is what we do with it.
COPYLEFT = {
    "certifi": "MPL-2.0; a list of certificates, unmodified.",
    "faust-cchardet": "offered under MPL-1.1, GPL-2.0 or LGPL-2.1; we choose the MPL.",
    "psycopg": "LGPL-3.0; the driver for PostgreSQL, imported as a library.",
    "psycopg-binary": "LGPL-3.0; the compiled part of psycopg, with libpq (PostgreSQL licence) inside.",
    "psycopg-pool": "LGPL-3.0; the connection pool of psycopg.",
    "tld": "offered under MPL-1.1, GPL-2.0 or LGPL-2.1; we choose the MPL.",
}

# Packages whose metadata leave the licence out or hide it in a text.
STATED_ELSEWHERE = {
    "google-re2": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "justext": "BSD-2-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "uvloop": "MIT OR Apache-2.0",
}

SHORT = {
    "MIT License": "MIT",
    "BSD": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0, with PDFium inside",
}

# What is derived from another's work and kept in our own files, which name it at their head.
WITHIN = """
## Within our own files

* **OpenCC**: Apache-2.0; `text/han_variants.tsv` is derived from its character dictionaries and says how.

"""


def locked(lock: Path) -> list[str]:
    """The names that a lock holds, each once."""
    return sorted(set(re.findall(r"^([a-z0-9.-]+)==", lock.read_text(), re.MULTILINE)))


def licence(package: Distribution) -> str:
    """What the package says its licence is, as an SPDX expression."""
    metadata = package.metadata.json
    name = str(metadata["name"]).lower().replace("_", "-")
    stated = str(metadata.get("license_expression") or metadata.get("license") or "")
    found = STATED_ELSEWHERE.get(name) or SHORT.get(stated, stated)
    if not found or "\n" in found:
        message = f"{name} does not say its licence: look it up and add it to STATED_ELSEWHERE."
        raise ValueError(message)
    return found


def rows(names: list[str]) -> list[str]:
    """One row for each package that is installed here; a lock also names those of other systems."""
    found = []
    for name in names:
        try:
            found.append(f"| {name} | {licence(distribution(name))} |")
        except PackageNotFoundError:
            continue
    return found


def notice() -> str:
    """The whole page."""
    run = locked(ROOT / "requirements" / "run.lock")
    extra = sorted(set(locked(ROOT / "requirements" / "rerank.lock")) - set(run))
    copyleft = [f"* **{name}**: {use}" for name, use in COPYLEFT.items() if name in run]
    table = ["| package | licence |", "|---|---|"]
    parts = [
        *copyleft,
        WITHIN.rstrip(),
        "\n## All packages\n",
        *table,
        *rows(run),
        "\n## With the extra `rerank`\n",
        *table,
        *rows(extra),
    ]
    return HEAD + "\n".join(parts) + "\n"


if __name__ == "__main__":
    NOTICE.write_text(notice())
