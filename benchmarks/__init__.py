"""How does the product do on this machine, beside its peers and against its own targets?"""

from __future__ import annotations
