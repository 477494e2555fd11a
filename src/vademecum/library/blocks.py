"""How does a person put charts, embeds and calculations into a note, and what do they show?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from vademecum.library.charts import blocks_of, data_of, sources_of
from vademecum.library.context import Library
from vademecum.library.editing import write_state
from vademecum.library.note_blocks import stored_block
from vademecum.library.places import is_note
from vademecum.library.resolving import load_document
from vademecum.model.access import Caller, Tier, require
from vademecum.model.blocks import (
    Block,
    Calculation,
    Chart,
    ChartType,
    Embed,
    Operation,
    block_from,
    block_to_json,
    label_of,
)
from vademecum.model.chart_data import calculate
from vademecum.model.errors import InvalidInput, NotFound, TooLarge
from vademecum.model.ids import new_id
from vademecum.model.items import IMPORT_TEXT_LIMIT, Document
from vademecum.model.revisions import Action, check_version
from vademecum.model.sheets import Cell
from vademecum.ports.storage import Transaction
from vademecum.text.blocks import BlockFence, find_blocks, with_label, write_fence
from vademecum.text.charts.svg import draw_chart
from vademecum.text.paragraphs import with_paragraph

_ID_LENGTH = 12  # characters of a UUID: rows of one note, and copies of its fences, are told apart by them


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """The note, by its id and the version that was read, and where in its text a new block goes: at the
    beginning of a line, in code points, or at the end.
    """

    item_id: str
    expected_version: int
    at: int | None = None


@dataclass(frozen=True, slots=True)
class ChartNumbers:
    """What a chart shows: texts and numbers themselves, or ranges in A1 form of the sheet file `source`, its
    path with `#` and the name of a sheet where the first is not meant.
    """

    labels: object
    series: Mapping[str, object]
    source: str | None = None


@dataclass(frozen=True, slots=True)
class BlockWritten:
    """A block, and the version of its note that first shows it so."""

    block: Block
    version: int


def make_chart(
    library: Library, caller: Caller, place: BlockPlace, kind: ChartType, title: str, numbers: ChartNumbers
) -> BlockWritten:
    """Put a chart into a note, which then shows its id and label; its data are a row of their own.

    Raises TierDenied, NotFound, VersionConflict, InvalidInput naming the member, TooLarge, and
    DocumentRefused where its sheet cannot be read.
    """
    series = [{"name": name, "values": values} for name, values in numbers.series.items()]
    members = {"type": kind, "title": title, "labels": numbers.labels, "series": series}
    return _make(library, caller, place, {**members, "source": numbers.source}, "make_chart")


def make_embed(
    library: Library, caller: Caller, place: BlockPlace, target: str, title: str = ""
) -> BlockWritten:
    """Put a saved page or video (the id of an item), or an address, into a note. Raises as `make_chart`."""
    return _make(library, caller, place, {"type": "embed", "target": target, "title": title}, "make_embed")


def make_calculation(
    library: Library,
    caller: Caller,
    place: BlockPlace,
    operation: Operation,
    cells: tuple[str, str],
    title: str = "",
) -> BlockWritten:
    """Put a calculation into a note; `cells` are the path of a sheet file, as in a chart, and a range.

    Raises as `make_chart`.
    """
    source, cell_range = cells
    members = {"operation": operation, "source": source, "range": cell_range, "title": title}
    return _make(library, caller, place, {"type": "calculation", **members}, "make_calculation")


def change_block(library: Library, caller: Caller, place: BlockPlace, block: Block) -> BlockWritten:
    """Give the block of that id other data, of whichever kind; its fence stays where it stands and follows
    in its label. Raises as `make_chart`, NotFound where the text shows no such block.
    """
    require(caller, Tier.EDIT)
    document = _note(library, caller, place)
    fence = next((one for one in find_blocks(document.body) if one.id == block.id), None)
    if fence is None:
        raise _no_block()
    checked = block_from(json.loads(block_to_json(block)))
    body = with_label(document.body, fence, label_of(checked))
    return _write(library, caller, document, (checked, body), "change_block")


def block_data(library: Library, caller: Caller, item_id: str, block_id: str) -> Block:
    """The block that the note's text shows under that id. Raises NotFound."""
    with library.storage.read() as tx:
        return _block(tx, load_document(tx, caller, item_id), block_id)[1]


def chart_svg(library: Library, caller: Caller, item_id: str, block_id: str) -> str:
    """The chart as an SVG document, drawn with the numbers that its sheet holds now.

    Raises NotFound for what is no chart of the note and for a sheet that is gone, InvalidInput and TooLarge
    where its ranges do not fit the sheet any more, DocumentRefused where that cannot be read.
    """
    with library.storage.read() as tx:
        document = load_document(tx, caller, item_id)
        _, block = _block(tx, document, block_id)
        if not isinstance(block, Chart):
            raise _no_block()
        sources = sources_of(tx, library, caller, document, [block])
    return draw_chart(block.type, block.title, data_of(sources, block))


def calculation_result(library: Library, caller: Caller, item_id: str, block_id: str) -> Cell:
    """What the calculation comes to now. Raises as `chart_svg`."""
    with library.storage.read() as tx:
        document = load_document(tx, caller, item_id)
        _, block = _block(tx, document, block_id)
        if not isinstance(block, Calculation):
            raise _no_block()
        sources = sources_of(tx, library, caller, document, [block])
    return calculate(block, sources.workbook(block.source))


def _block(tx: Transaction, document: Document, block_id: str) -> tuple[BlockFence, Block]:
    found = blocks_of(tx, document).get(block_id)
    if found is None:
        raise _no_block()
    return found


def _no_block() -> NotFound:
    return NotFound(
        "The note shows no such block.", advice="Read the note: its fences show the ids of its blocks."
    )


def _note(library: Library, caller: Caller, place: BlockPlace) -> Document:
    with library.storage.read() as tx:
        document = load_document(tx, caller, place.item_id)
    if not is_note(document.item.file_name):
        raise InvalidInput("item_id", "is no note")
    check_version(place.expected_version, document.item.version)
    return document


def _make(
    library: Library, caller: Caller, place: BlockPlace, members: Mapping[str, object], tool: str
) -> BlockWritten:
    require(caller, Tier.EDIT)
    document = _note(library, caller, place)
    block = block_from({**members, "id": new_id().replace("-", "")[:_ID_LENGTH]})
    paragraph = write_fence(block, with_data=False).removesuffix("\n")
    body, start = with_paragraph(document.body, paragraph, place.at)
    if not any(fence.id == block.id and fence.start == start for fence in find_blocks(body)):
        raise InvalidInput("at", "lies within code")
    return _write(library, caller, document, (block, body), tool)


def _write(
    library: Library, caller: Caller, document: Document, work: tuple[Block, str], tool: str
) -> BlockWritten:
    block, body = work
    if len(body) > IMPORT_TEXT_LIMIT:
        raise TooLarge("text", IMPORT_TEXT_LIMIT)
    _check_sources(library, caller, document, block)
    item = document.item
    layers = document.layers if body == document.body else replace(document.layers, authored=body)
    state = replace(document.state, layers=layers)

    def also(tx: Transaction) -> None:
        tx.blocks.put(item.space_id, item.item_id, item.version + 1, [stored_block(block)])

    after = write_state(library, caller, document, state, (tool, Action.UPDATE), also)
    return BlockWritten(block, after.item.version)


def _check_sources(library: Library, caller: Caller, document: Document, block: Block) -> None:
    """Refuse what could not be shown."""
    if isinstance(block, Embed):
        return
    with library.storage.read() as tx:
        sources = sources_of(tx, library, caller, document, [block])
    if isinstance(block, Chart):
        data_of(sources, block)
    else:
        calculate(block, sources.workbook(block.source))
