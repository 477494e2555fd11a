"""Is a text file read in the encoding that it was written in, and nothing else taken for one?"""

from __future__ import annotations

import pytest

from vademecum.model.errors import DocumentRefused
from vademecum.text.pdf_lines import mended
from vademecum.text.text_files import NOT_TEXT, decode_text_file

CHINESE = "日期,分类,金额\n2027-03-14,办公用品，纸张,12.50\n2027-03-15,交通费用和住宿,200\n"
TRADITIONAL = "日期,類別,金額\n2027-03-14,辦公用品與紙張,12.50\n2027-03-15,交通費用與住宿,200\n"
JAPANESE = "日付,項目,金額\n2027-03-14,事務用品のりとはさみ,1250\n2027-03-15,交通費と宿泊費です,20000\n"
KOREAN = "날짜,항목,금액\n2027-03-14,사무용품과 종이,1250\n2027-03-15,교통비와 숙박비입니다,20000\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"), (CHINESE, "utf-8-sig"), (CHINESE, "gbk"), (CHINESE, "gb18030"),
        (CHINESE, "utf-16"), (JAPANESE, "utf-16"), (TRADITIONAL, "big5"), (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"), (JAPANESE, "iso2022_jp"), (KOREAN, "euc_kr"), (KOREAN, "cp949"),
        ("a,b\r\n1,2\r\n", "utf-16-le"), ("a,b\r\n1,2\r\n", "utf-16-be"), (CHINESE * 3, "utf-16-le"),
        ("café;crème\n1;2\n", "cp1252"), ("", "utf-8"), ("one line", "ascii"),
    ],
)  # fmt: skip
def test_a_file_is_read_in_its_encoding(text: str, encoding: str) -> None:
    assert decode_text_file(text.encode(encoding)) == text


def test_a_mark_for_the_other_byte_order_is_heeded() -> None:
    assert decode_text_file(b"\xfe\xff" + CHINESE.encode("utf-16-be")) == CHINESE


def test_escapes_of_a_terminal_in_a_log_are_text() -> None:
    assert decode_text_file(b"\x1b[31merror\x1b[0m\n") == "\x1b[31merror\x1b[0m\n"


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"PK\x03\x04\x14\0\0\0",
        bytes(range(256)) * 8,
        b"\0" * 64,
        b"text, and a zero\0 byte in the middle of it",
        bytes(range(1, 7)) * 40,
        b"\xff\xfe" + bytes(range(1, 9)) * 2 + b"\0\0" * 20,
    ],
)
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(DocumentRefused) as refused:
        decode_text_file(content)
    assert refused.value.reason == NOT_TEXT


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("Intro\x02ducing it", "Introducing it"),
        ("Intro\x02\r\nducing it", "Introducing it"),
        ("安装 手册", "安装手册"),
        ("インストール ガイド、 その", "インストールガイド、その"),
        ("설치 안내서", "설치 안내서"),
        ("use Debian 安装 it", "use Debian 安装 it"),
        ("one  \r\ntwo\rthree\n\n\n\nfour\n", "one\ntwo\nthree\n\nfour"),
    ],
)
def test_lines_of_a_pdf_become_readable_text(given: str, read: str) -> None:
    assert mended(given) == read
