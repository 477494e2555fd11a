"""Is a page readable whatever its encoding and whatever it says about it?"""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.text.decoding import decode_page

SIMPLIFIED = "港务局保留两本账簿：一本记录潮汐，另一本记录船只的进出。每天早晨，管理员都会核对水位。"
TRADITIONAL = "港務局保留兩本帳簿：一本記錄潮汐，另一本記錄船隻的進出。每天早晨，管理員都會核對水位。"
JAPANESE = "港湾事務所には帳簿が二冊あります。一冊は潮の記録、もう一冊は船の出入りの記録です。"
KOREAN = "항만 사무소에는 장부가 두 권 있습니다. 하나는 조수를, 다른 하나는 배의 출입을 기록합니다."
WESTERN = "Le bureau du port garde deux registres : l’un pour les marées, l’autre pour les entrées."

PAGES = {
    "gb2312": (SIMPLIFIED, "gb2312"),
    "gbk": (SIMPLIFIED + "镕", "gbk"),
    "gb18030": (SIMPLIFIED + "㐀", "gb18030"),
    "big5": (TRADITIONAL, "big5"),
    "Shift_JIS": (JAPANESE, "shift_jis"),
    "windows-31j": (JAPANESE + "①㈱～", "cp932"),
    "EUC-JP": (JAPANESE, "euc_jp"),
    "ISO-2022-JP": (JAPANESE, "iso2022_jp"),
    "EUC-KR": (KOREAN, "euc_kr"),
    "windows-949": (KOREAN + "똠", "cp949"),
    "windows-1252": (WESTERN, "cp1252"),
    "UTF-8": (SIMPLIFIED + JAPANESE, "utf-8"),
}


def page(text: str, declared: str = "") -> str:
    meta = f'<meta charset="{declared}">' if declared else ""
    return (
        f"<!doctype html><html><head>{meta}<title>{text[:8]}</title></head><body><p>{text}</p></body></html>"
    )


@pytest.mark.parametrize(("text", "codec"), PAGES.values(), ids=PAGES.keys())
def test_a_page_that_declares_nothing_is_readable(text: str, codec: str) -> None:
    assert decode_page(page(text * 3).encode(codec)) == page(text * 3)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_declares_its_encoding_is_readable(name: str) -> None:
    text, codec = PAGES[name]
    assert decode_page(page(text, name).encode(codec)) == page(text, name)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_whose_server_names_the_encoding_is_readable(name: str) -> None:
    text, codec = PAGES[name]
    assert decode_page(page(text).encode(codec), name) == page(text)


@pytest.mark.parametrize("name", PAGES)
def test_a_wrong_declaration_of_utf_8_is_not_believed(name: str) -> None:
    text, codec = PAGES[name]
    assert decode_page(page(text * 3, "utf-8").encode(codec), "utf-8") == page(text * 3, "utf-8")


@pytest.mark.parametrize("name", [name for name in PAGES if name != "windows-1252"])
def test_a_server_that_calls_every_page_western_is_not_believed(name: str) -> None:
    text, codec = PAGES[name]
    assert decode_page(page(text * 3, name).encode(codec), "ISO-8859-1") == page(text * 3, name)
    assert decode_page(page(text * 3).encode(codec), "ISO-8859-1") == page(text * 3)


@pytest.mark.parametrize(
    ("header", "meta"), [("gbk", "shift_jis"), ("shift_jis", "gbk"), ("big5", "gbk"), ("gbk", "euc-kr")]
)
def test_where_server_and_page_disagree_the_bytes_decide(header: str, meta: str) -> None:
    assert decode_page(page(SIMPLIFIED * 3, meta).encode("gbk"), header) == page(SIMPLIFIED * 3, meta)


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_outranks_every_declaration(mark: bytes, codec: str) -> None:
    assert decode_page(mark + page(JAPANESE, "gbk").encode(codec), "gbk") == page(JAPANESE, "gbk")


def test_a_few_damaged_bytes_do_not_make_a_utf_8_page_unreadable() -> None:
    body = page(SIMPLIFIED * 20, "utf-8").encode()
    damaged = body[:200] + b"\xff" + body[200:]
    text = decode_page(damaged, "utf-8")
    assert text.count("\ufffd") <= 4
    assert SIMPLIFIED * 10 in text


def test_the_encoding_of_an_xml_declaration_is_believed() -> None:
    text = f'<?xml version="1.0" encoding="EUC-JP"?><html lang="ja"><p>{JAPANESE}</p></html>'
    assert decode_page(text.encode("euc_jp")) == text


@pytest.mark.parametrize(
    "name",
    [
        "idna",
        "punycode",
        "unicode_escape",
        "raw_unicode_escape",
        "utf-7",
        "hex",
        "zip",
        "rot13",
        "no\0",
        "x" * 99,
    ],
)
def test_a_name_of_no_text_encoding_is_not_believed(name: str) -> None:
    body = page(SIMPLIFIED * 3, "gbk").encode("gbk")
    assert decode_page(body, name) == page(SIMPLIFIED * 3, "gbk")


@settings(deadline=None)
@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_bytes_become_a_text(body: bytes, charset: str) -> None:
    decode_page(body, charset).encode()
