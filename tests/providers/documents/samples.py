"""Which files do the tests of documents read?"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.workbook.defined_name import DefinedName

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/s.xml" ContentType="{SHEET_TYPE}.worksheet+xml"/>'
    "</Types>"
)


def saved(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def with_formulas() -> bytes:
    """A workbook as a program without an engine for formulas writes it: no formula has a stored value."""
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "Budget 2027"
    rows: list[list[Any]] = [
        ["Item", "Qty", "Price", "Total", "When", "Share"],
        ["Lamp", 3, 12.5, "=B2*C2", date(2027, 3, 14), "=D2/SUM($D$2:$D$4)"],
        ["机", 2, 100, "=B3*C3", datetime.fromisoformat("2027-03-15T09:30:00"), "=D3/SUM($D$2:$D$4)"],
        ["椅子", 4, 50.25, "=B4*C4", date(1900, 1, 15), "=D4/SUM($D$2:$D$4)"],
        ["merged title"],
        ["=1/0", "=FILTER(A2:A4,B2:B4>2)", "=DATE(2027,1,31)+1", True, time(9, 30), "=Other!A1&A1"],
    ]
    for row in rows:
        sheet.append(row)
    sheet.merge_cells("A5:C5")
    sheet["F2"].number_format = "0.0%"
    sheet["F3"].number_format = "0%"
    sheet.row_dimensions[3].hidden = True
    book.create_sheet("Other")["A1"] = "x / "
    names = {
        "TOTALS": "'Budget 2027'!$D$2:$D$4",
        "TAX": "0.08",
        "GONE": "#REF!",
        "_xlnm.Print_Area": "Other!$A$1",
    }
    for name, text in names.items():
        book.defined_names[name] = DefinedName(name, attr_text=text)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=4, min_row=1, max_row=4), titles_from_data=True)
    sheet.add_chart(chart, "H1")
    return saved(book)


def of_parts(sheet: str, parts: Mapping[str, bytes] | None = None) -> bytes:
    """A workbook whose only sheet is the given XML, and other parts with it."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        archive.writestr(
            "_rels/.rels",
            f'{relations}<Relationship Id="a" Type="{office}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'{relations}<Relationship Id="b" Type="{office}/worksheet" Target="/xl/worksheets/s.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{office}"><sheets>'
            '<sheet name="S" sheetId="1" r:id="b"/></sheets></workbook>',
        )
        archive.writestr("xl/worksheets/s.xml", sheet)
        for name, content in (parts or {}).items():
            archive.writestr(name, content)
    return file.getvalue()


def sheet_xml(data: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{data}</sheetData></worksheet>'


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page, none on one whose text is empty."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else "0 0 100 100 re f"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    content, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
    return (content + end + trailer).encode("latin-1")
