"""Which importers does the product bring, and which is asked first?"""

from __future__ import annotations

from vademecum.importers.markdown import MarkdownFolder
from vademecum.importers.plugin import Importer

IMPORTERS: tuple[Importer, ...] = (MarkdownFolder(),)
