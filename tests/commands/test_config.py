"""Are the settings in force shown, each with where it came from, and no secret?"""

from __future__ import annotations

import pytest

from tests.commands.shell import Shell
from vademecum.settings import SETTINGS


def test_every_setting_is_listed_with_its_origin(shell: Shell) -> None:
    shell.data.mkdir()
    (shell.data / "vade.toml").write_text("port = 9000\n")
    shell.environment["VADE_HOST"] = "0.0.0.0"
    for words in (["config"], ["config", "list"]):
        told = shell.ok(*words)
        assert list(told) == [f"VADE_{setting.name}" for setting in SETTINGS]
        assert told["VADE_PORT"] == {"value": "9000", "from": "vade.toml"}
        assert told["VADE_HOST"] == {"value": "0.0.0.0", "from": "environment"}
        assert told["VADE_LOG_LEVEL"] == {"value": "info", "from": "default"}
        assert told["VADE_DATA"]["value"] == str(shell.data)
    lines = shell.run("config").text.splitlines()
    assert len(lines) == len(SETTINGS)
    assert lines[2].split() == ["VADE_PORT", "9000", "vade.toml"]


@pytest.mark.parametrize("name", ["PORT", "port", "VADE_PORT", "vade_port"])
def test_one_setting_is_told(shell: Shell, name: str) -> None:
    assert shell.run("config", "get", name).text == "8484\n"
    assert shell.ok("config", "get", name) == {"name": "VADE_PORT", "value": "8484", "from": "default"}


def test_no_secret_is_shown_by_any_form(shell: Shell) -> None:
    shell.environment |= {
        "VADE_LLM_KEY": "sk-hush",
        "VADE_KEY": "vade_library_hush",
        "VADE_DATABASE_URL": "postgresql://me:hush@localhost/db",
        "VADE_EMBEDDER": "https://me:hush@host/v1#model",
    }
    for words in (
        ["config"],
        ["config", "--json"],
        *(["config", "get", setting.name] for setting in SETTINGS),
        *(["config", "get", setting.name, "--json"] for setting in SETTINGS),
    ):
        ran = shell.run(*words)
        assert ran.code == 0
        assert "hush" not in ran.text + ran.messages, words


def test_asking_for_settings_opens_no_library(shell: Shell) -> None:
    shell.ok("config", "list")
    assert not shell.data.exists()
