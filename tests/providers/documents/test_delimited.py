"""Do the fields of a .csv or .tsv file stay in their columns, and texts texts?"""

from __future__ import annotations

import pytest

from vademecum.model.errors import DocumentRefused
from vademecum.model.sheets import Sheet
from vademecum.ports.documents import LARGEST_DOCUMENT, Documents
from vademecum.text.text_files import NOT_TEXT


def read(documents: Documents, text: str, suffix: str = ".csv", encoding: str = "utf-8") -> Sheet:
    (sheet,) = documents.read_sheet(text.encode(encoding), suffix).sheets
    return sheet


def values(sheet: Sheet) -> list[list[object]]:
    return [[cell.value for cell in row] for row in sheet.rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gbk"])
def test_a_sheet_in_any_encoding_is_read(documents: Documents, encoding: str) -> None:
    text = "日期,分类,金额\n2027-03-14,办公用品和纸张,12.5\n2027-03-15,交通费用和住宿,200\n"
    assert values(read(documents, text, encoding=encoding))[1:] == [
        ["2027-03-14", "办公用品和纸张", 12.5],
        ["2027-03-15", "交通费用和住宿", 200],
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("12.50", 12.5), ("-3", -3), ("0", 0), ("1e3", 1000), ("00501", "00501"), ("+49", "+49"),
        ("12345678901234567890", "12345678901234567890"), ("2027-03-14", "2027-03-14"), ("12%", "12%"),
        ("=1+1", "=1+1"), ("TRUE", "TRUE"),
        ("1.", "1."), ("１２", "１２"), ("NaN", "NaN"), ("1e999", "1e999"),
    ],
)  # fmt: skip
def test_only_plain_numbers_are_numbers(documents: Documents, field: str, value: object) -> None:
    (row,) = values(read(documents, f"{field},x"))
    assert (row[0], type(row[0])) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("a,b;c\n1,2\n", ".csv"),
        ('a;"b,c,d,e";c\n1;2;3\n', ".csv"),
        ("a\tb,c\n", ".TSV"),
        ("a\tb\n", ".csv"),
    ],
)
def test_the_delimiter_is_found(documents: Documents, text: str, suffix: str) -> None:
    assert len(read(documents, text, suffix).rows[0]) == (3 if text.startswith("a;") else 2)


def test_quoted_fields_hold_delimiters_line_ends_and_quotes(documents: Documents) -> None:
    text = 'a,"b, c","d\r\ne"\r\n"say ""hi""",,\r\n\r\n'
    assert values(read(documents, text)) == [["a", "b, c", "d\r\ne"], ['say "hi"']]


def test_an_empty_file_is_an_empty_sheet(documents: Documents) -> None:
    assert read(documents, "").used is None


def test_more_than_is_read_is_cut_at_the_end_of_a_line_and_told(documents: Documents) -> None:
    line = "x" * 9_999 + "\n"
    sheet = read(documents, line * (LARGEST_DOCUMENT // len(line) + 2))
    assert sheet.truncated
    assert {len(row) for row in sheet.rows} == {1}
    assert {cell.text for row in sheet.rows for cell in row} == {"x" * 9_999}


@pytest.mark.parametrize("text", ['"' * 1_000_001, 'a,b\n"unclosed ' + "x,\n" * 500_000])
def test_quotes_that_never_close_take_no_long_time(documents: Documents, text: str) -> None:
    assert read(documents, text).used is not None


def test_a_binary_file_is_refused(documents: Documents) -> None:
    with pytest.raises(DocumentRefused) as refused:
        documents.read_sheet(b"PK\x03\x04\0\0", ".csv")
    assert refused.value.reason == NOT_TEXT
