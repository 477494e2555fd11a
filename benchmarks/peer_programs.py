"""How are the peers from the package index installed, fed and asked?

Each runs as a program in an environment of its own, over a copy of the vault, since one writes into it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.environments import environment
from benchmarks.mcp_client import McpClient
from benchmarks.peer import wait_until_quiet
from benchmarks.processes import Server, answers, free_ports

_IMPORT_PATIENCE, _START = 1_800.0, 120.0
_RESULTS = 10


class _Program:
    """A peer: its folder, its copy of the vault, its server and one connection to that."""

    name: str

    def __init__(self, place: Path) -> None:
        self._place = place
        self.folder = Path(tempfile.mkdtemp(prefix="peer-bench-"))
        self._vault = self.folder / "vault"
        self._vault.mkdir()
        (self.folder / "home").mkdir()
        (self._port,) = free_ports(1)
        self._server: Server | None = None
        self._client: McpClient | None = None

    @property
    def client(self) -> McpClient:
        if self._client is None:
            raise RuntimeError(f"{self.name} does not serve yet")
        return self._client

    def close(self) -> None:
        if self._server is not None:
            self._server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def prepare(self, folder: Path) -> None:
        shutil.copytree(folder, self._vault, dirs_exist_ok=True)

    def settle(self) -> None:
        if self._server is not None:
            wait_until_quiet(self._server)

    def _environment(self) -> dict[str, str]:
        """Nothing of the person's own settings, and no model hub, to which there may be no way."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        return {**kept, "HOME": str(self.folder / "home"), "HF_HUB_OFFLINE": "1", "NO_COLOR": "1"}

    def _run(self, *words: str) -> None:
        command = [str(self._place / "bin" / words[0]), *words[1:]]
        done = subprocess.run(
            command,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=_IMPORT_PATIENCE,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(
                f"{' '.join(words)} ended with {done.returncode}: {(done.stdout + done.stderr)[-800:]}"
            )

    def _start(self, *words: str) -> None:
        command = [str(self._place / "bin" / words[0]), *words[1:]]
        self._server = Server(command, self.folder / "log", self._environment(), self.folder)
        address = f"http://127.0.0.1:{self._port}"
        self._server.wait_until(lambda: answers(address), _START)
        self._client = McpClient(f"{address}/mcp")
        self._client.initialize()


class MarkdownVault(_Program):
    """`markdown-vault-mcp`: FTS5 over a folder of Markdown."""

    name = "markdown-vault-mcp"
    notes = (
        "markdown-vault-mcp searches by keyword, keeps no history, answers a write before it is indexed",
        "markdown-vault-mcp imports by `index`; it finds no Chinese or Japanese word within a sentence",
    )

    def __init__(self) -> None:
        super().__init__(environment("markdown-vault-mcp", "markdown-vault-mcp"))

    def _environment(self) -> dict[str, str]:
        own = {"SOURCE_DIR": self._vault, "INDEX_PATH": self.folder / "index.db", "FILE_WATCHER": "false"}
        return super()._environment() | {
            f"MARKDOWN_VAULT_MCP_{name}": str(value) for name, value in own.items()
        }

    def take_in(self) -> None:
        self._run("markdown-vault-mcp", "index")

    def serve(self) -> None:
        self._start("markdown-vault-mcp", "serve", "--transport", "http", "--port", str(self._port))

    def finds(self, word: str) -> bool:
        return bool(self.client.tool("search", query=word, limit=1)["result"])

    def search(self, question: str) -> int:
        return len(self.client.tool("search", query=question, limit=_RESULTS)["result"])

    def write(self, title: str, text: str) -> None:
        self.client.tool("write", path=f"written/{title}.md", content=text)


class BasicMemory(_Program):
    """`basic-memory`: a folder of Markdown with an index beside it."""

    name = "basic-memory"
    notes = (
        "basic-memory is asked by keyword: its vectors need a model from a hub, so it embeds nothing",
        "basic-memory imports by `reindex --search`, writing a permalink into each file; it keeps no history",
        "basic-memory's database runs with synchronous NORMAL, its default",
    )

    def __init__(self) -> None:
        super().__init__(environment("basic-memory", "basic-memory", oldest=(3, 12)))

    def _environment(self) -> dict[str, str]:
        own = {
            "CONFIG_DIR": self.folder / "config",
            "HOME": self._vault,
            "AUTO_UPDATE": "false",
            "DEFAULT_SEARCH_TYPE": "text",
            "CLOUD_PROMO_OPT_OUT": "true",
        }
        return super()._environment() | {f"BASIC_MEMORY_{name}": str(value) for name, value in own.items()}

    def take_in(self) -> None:
        self._run("basic-memory", "reindex", "--search")

    def serve(self) -> None:
        self._start("basic-memory", "mcp", "--transport", "streamable-http", "--port", str(self._port))

    def finds(self, word: str) -> bool:
        found = self.client.tool(
            "search_notes", query=word, search_type="text", output_format="json", page_size=1
        )
        return bool(found["result"]["results"])

    def search(self, question: str) -> int:
        found = self.client.tool(
            "search_notes", query=question, search_type="text", output_format="json", page_size=_RESULTS
        )
        return len(found["result"]["results"])

    def write(self, title: str, text: str) -> None:
        self.client.tool("write_note", title=title, content=text, directory="written", output_format="json")
