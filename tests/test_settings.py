"""Is each setting taken from where it should be, and is what cannot be refused by name?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.settings import PREFIX, SETTINGS, Settings, SettingsError, read_settings

NAMES = [
    *("DATA", "HOST", "PORT", "VAULT_PORT", "PUBLIC_URL", "ALLOWED_HOSTS", "TRUSTED_PROXIES", "DATABASE_URL"),
    *("BLOBS", "MIRROR", "EMBEDDER", "RERANKER", "SUMMARIZER", "LLM_URL", "LLM_MODEL", "LLM_KEY"),
    *("OCR_LANGUAGES", "CREDITS_MONTHLY", "STORAGE_LIMIT", "TRASH_DAYS", "KEY", "LOG_LEVEL", "FETCH_PRIVATE"),
    "SIGN_UPS",
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """An empty data folder."""
    return tmp_path / "data"


def read(data: Path, environment: dict[str, str] | None = None, **command_line: str) -> Settings:
    given = {f"{PREFIX}{name}": text for name, text in (environment or {}).items()}
    return read_settings({"DATA": str(data), **command_line}, given)


def refused(data: Path, environment: dict[str, str] | None = None, **command_line: str) -> str:
    with pytest.raises(SettingsError) as told:
        read(data, environment, **command_line)
    return str(told.value)


def file(data: Path, text: str) -> Path:
    data.mkdir(exist_ok=True)
    (data / "vade.toml").write_text(text, encoding="utf-8")
    return data


def test_the_names_are_those_that_scripts_rely_on() -> None:
    assert [setting.name for setting in SETTINGS] == NAMES
    assert all(setting.sentence.endswith(".") for setting in SETTINGS)


def test_every_default_is_a_value_that_the_setting_takes(data: Path) -> None:
    settings = read(data)
    origins = {name: value.origin for name, value in settings.values.items() if name != "DATA"}
    assert set(origins.values()) == {"default"}
    assert (settings.number("PORT"), settings.number("VAULT_PORT")) == (8484, 27180)
    assert (settings.public_url, settings.text("HOST")) == ("http://localhost:8484", "127.0.0.1")
    assert (settings.limit("STORAGE_LIMIT"), settings.limit("CREDITS_MONTHLY")) == (None, None)
    assert (settings.number("TRASH_DAYS"), settings.names("FETCH_PRIVATE")) == (30, ())
    assert (settings.data, settings.inner) == (data, data / ".vade")


def test_the_command_line_wins_over_the_environment_over_the_file_over_the_default(data: Path) -> None:
    file(data, "port = 1\nhost = '::1'\ntrash_days = 1\n")
    settings = read(data, {"PORT": "2", "HOST": "0.0.0.0"}, PORT="3")
    told = {
        name: (settings.text(name), settings.values[name].origin) for name in ("PORT", "HOST", "TRASH_DAYS")
    }
    assert told == {
        "PORT": ("3", "command line"),
        "HOST": ("0.0.0.0", "environment"),
        "TRASH_DAYS": ("1", "vade.toml"),
    }
    assert settings.values["LOG_LEVEL"].origin == "default"


def test_the_data_folder_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings({}, {}).data == tmp_path / "Vademecum"
    assert read_settings({}, {"VADE_DATA": "~/mine"}).data == tmp_path / "mine"
    file(tmp_path / "mine", "port = 9000")
    assert read_settings({}, {"VADE_DATA": "~/mine"}).number("PORT") == 9000
    monkeypatch.chdir(tmp_path)
    assert read_settings({"DATA": "here"}, {}).data == tmp_path / "here"


@pytest.mark.parametrize("name", ["PROT", "port", "", "DATABASE", "PORT_", "LLM_KEYS", "PORT_FILE"])
def test_a_misspelt_name_in_the_environment_is_refused(data: Path, name: str) -> None:
    assert f"VADE_{name} " in refused(data, {name: "1"})


@pytest.mark.parametrize("line", ["prot = 1", "[server]\nport = 1", "vade_port = 1", "data_folder = 'x'"])
def test_a_misspelt_name_in_the_file_is_refused(data: Path, line: str) -> None:
    assert str(data / "vade.toml") in refused(file(data, line))


@pytest.mark.parametrize("text", ["port = ", "= 1", "port = 1\nport = 2", "\x00"])
def test_a_file_that_cannot_be_read_is_refused(data: Path, text: str) -> None:
    assert str(data / "vade.toml") in refused(file(data, text))


def test_a_file_that_is_no_text_or_no_file_is_refused(data: Path) -> None:
    data.mkdir()
    (data / "vade.toml").write_bytes(b"port = \xff")
    assert "vade.toml" in refused(data)
    (data / "vade.toml").unlink()
    (data / "vade.toml").mkdir()
    assert "vade.toml" in refused(data)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "eighty"),
        ("PORT", ""),
        ("VAULT_PORT", "-1"),
        ("PUBLIC_URL", "example.org"),
        ("PUBLIC_URL", "ftp://example.org"),
        ("DATABASE_URL", "mysql://host/db"),
        ("DATABASE_URL", "library.db"),
        ("DATABASE_URL", "sqlite:///"),
        ("DATABASE_URL", "postgresql://[::1/db"),
        ("DATABASE_URL", "postgresql://host:port/db"),
        ("BLOBS", "s3://bucket"),
        ("EMBEDDER", "best"),
        ("EMBEDDER", "ON"),
        ("EMBEDDER", "ftp://host#model"),
        ("RERANKER", "yes"),
        ("LLM_URL", "localhost:8000"),
        ("CREDITS_MONTHLY", "-1"),
        ("CREDITS_MONTHLY", "many"),
        ("STORAGE_LIMIT", "10GB"),
        ("TRASH_DAYS", "-1"),
        ("TRASH_DAYS", "1.5"),
        ("LOG_LEVEL", "loud"),
        ("SIGN_UPS", "true"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name_and_origin(data: Path, name: str, text: str) -> None:
    told = refused(data, {name: text})
    assert f"VADE_{name}" in told
    assert "environment" in told
    with pytest.raises(SettingsError, match="command line"):
        read_settings({"DATA": str(data), name: text}, {})


@pytest.mark.parametrize(
    ("name", "line", "value"),
    [
        ("PORT", "port = 9000", 9000),
        ("SIGN_UPS", "sign_ups = true", True),
        ("SIGN_UPS", "sign_ups = 'off'", False),
        ("ALLOWED_HOSTS", "allowed_hosts = ['a.example', 'b.example']", ("a.example", "b.example")),
        ("ALLOWED_HOSTS", "allowed_hosts = ' a.example , b.example ,'", ("a.example", "b.example")),
        ("FETCH_PRIVATE", "fetch_private = ['nas:8080']", frozenset({"nas:8080"})),
        ("FETCH_PRIVATE", "fetch_private = 'off'", frozenset()),
        ("PUBLIC_URL", "public_url = 'https://vade.example.org/'", "https://vade.example.org"),
        ("CREDITS_MONTHLY", "credits_monthly = 0", 0),
        ("STORAGE_LIMIT", "storage_limit = 'unlimited'", None),
        ("EMBEDDER", "embedder = 'http://localhost:9/v1#model'", "http://localhost:9/v1#model"),
        ("RERANKER", "reranker = 'https://host'", "https://host"),
    ],
)
def test_the_file_speaks_toml(data: Path, name: str, line: str, value: object) -> None:
    assert read(file(data, line)).values[name].value == value


def test_a_secret_may_lie_in_a_file_of_its_own(data: Path, tmp_path: Path) -> None:
    place = tmp_path / "key"
    place.write_text("sécret: %\n", encoding="utf-8")
    assert read(data, {"LLM_KEY_FILE": str(place)}).text("LLM_KEY") == "sécret: %"
    assert read(file(data, f"llm_key_file = '{place}'")).text("LLM_KEY") == "sécret: %"


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_secrets_file_that_cannot_be_read_is_refused(
    data: Path, tmp_path: Path, content: bytes | None
) -> None:
    place = tmp_path / "key"
    if content is not None:
        place.write_bytes(content)
    assert "VADE_LLM_KEY_FILE" in refused(data, {"LLM_KEY_FILE": str(place)})


def test_a_home_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingsError):
        read_settings({"DATA": "~nobody-of-that-name/x"}, {})


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("LLM_KEY", "sk-secret", "(set)"),
        ("KEY", "vade_library_secret", "(set)"),
        ("LLM_KEY", "", ""),
        ("DATABASE_URL", "postgresql://me:secret@host:5432/db", "postgresql://me:…@host:5432/db"),
        ("DATABASE_URL", "postgresql://me:se@cr/et@host/db", "postgresql://me:…@host/db"),
        (
            "DATABASE_URL",
            "postgresql://host/db?user=me&password=secret",
            "postgresql://host/db?user=me&password=…",
        ),
        ("DATABASE_URL", "postgresql://me@host/db", "postgresql://me@host/db"),
        ("EMBEDDER", "https://me:secret@host/v1#model", "https://me:…@host/v1#model"),
        ("LLM_URL", "https://host:8443/v1", "https://host:8443/v1"),
    ],
)
def test_nothing_secret_is_shown(data: Path, name: str, text: str, shown: str) -> None:
    assert read(data, {name: text}).values[name].shown == shown


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DATABASE_URL", "mysql://me:secret@host/db"),
        ("PUBLIC_URL", "ftp://me:secret@host"),
        ("PORT", "x"),
    ],
)
def test_no_refusal_repeats_a_password(data: Path, name: str, text: str) -> None:
    told = refused(data, {name: text})
    assert "secret" not in told
    assert re.search(rf"VADE_{name}\b", told)


@given(st.dictionaries(st.sampled_from(NAMES[1:]), st.text(max_size=40), max_size=3))
def test_whatever_is_set_is_taken_or_refused_as_a_setting(given_texts: dict[str, str]) -> None:
    try:
        settings = read_settings(
            {"DATA": "/nonexistent"}, {f"VADE_{name}": text for name, text in given_texts.items()}
        )
    except SettingsError:
        return
    assert {name: settings.values[name].text for name in given_texts} == given_texts
