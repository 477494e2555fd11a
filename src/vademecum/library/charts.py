"""Which numbers do the charts of a note show now?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from vademecum.library.context import Library
from vademecum.library.files import PlacedFile
from vademecum.library.linking import LinkResolver, link_resolver_of
from vademecum.library.notes import note_at
from vademecum.library.sheet_reading import sheet_file_at, workbook_of
from vademecum.model.access import Caller
from vademecum.model.blocks import Block, Calculation, Chart, block_from_json
from vademecum.model.chart_data import ChartData, chart_data, split_source
from vademecum.model.errors import InvalidInput, NotFound, Refusal
from vademecum.model.items import Document
from vademecum.model.ranges import Area, parse_reference
from vademecum.model.sheets import Workbook
from vademecum.ports.storage import Transaction
from vademecum.text.blocks import BlockFence, find_blocks
from vademecum.text.link_scan import Notation

CHARTS_MOST = 100
NUMBERS_MOST = 50_000  # of one answer


@dataclass(frozen=True, slots=True)
class ChartReading:
    """A chart of a note: what it shows, and the sheet that it follows, None for literal numbers.

    `path` is where the sheet lies now, or was to lie. `data` is None where the numbers cannot be read, for
    the reason that `problem` gives.
    """

    fence: BlockFence
    chart: Chart
    path: str | None
    data: ChartData | None
    problem: Refusal | None = None

    @property
    def range(self) -> str | None:
        """The smallest range around all that the chart reads of the sheet that it begins with."""
        written = [self.chart.labels, *(one.values for one in self.chart.series)]
        read = [parse_reference(one) for one in written if isinstance(one, str)]
        areas = [one.area for one in read if one.sheet == read[0].sheet]
        if not areas:
            return None
        around = Area(
            min(area.first_row for area in areas),
            min(area.first_column for area in areas),
            max(area.last_row for area in areas),
            max(area.last_column for area in areas),
        )
        return around.name

    @property
    def sheet(self) -> str | None:
        """The name of the sheet within the file, None for its first."""
        written = [self.chart.labels, *(one.values for one in self.chart.series)]
        named = next((parse_reference(one).sheet for one in written if isinstance(one, str)), None)
        return named or (split_source(self.chart.source)[1] if self.chart.source else None)


@dataclass(slots=True)
class Sources:
    """The sheet files that the blocks of one note name, each found and read once."""

    library: Library
    caller: Caller
    resolver: LinkResolver
    files: dict[str, PlacedFile | Refusal] = field(default_factory=dict)
    workbooks: dict[str, Workbook | Refusal] = field(default_factory=dict)

    def find(self, tx: Transaction, source: str, folder_id: str | None) -> None:
        """Look the source up, as a link from the note's folder is followed, so that a sheet that was moved or
        renamed is found.
        """
        path = split_source(source)[0]
        found = self.resolver.leads_on_to(path, Notation.WIKI, folder_id)
        try:
            if found is None or found not in self.resolver.placed:
                raise NotFound("The sheet of this chart is not there.", advice="Ask the person where it is.")
            self.files[source] = sheet_file_at(tx, self.caller, self.resolver.path_of(found))
        except Refusal as refusal:
            self.files[source] = refusal

    def path_of(self, source: str) -> str:
        """Where the sheet lies, or was to lie."""
        file = self.files.get(source)
        return file.path if isinstance(file, PlacedFile) else split_source(source)[0]

    def workbook(self, source: str) -> Workbook:
        """The sheets of the source. Raises NotFound, InvalidInput and DocumentRefused."""
        file = self.files[source]
        if isinstance(file, Refusal):
            raise file
        known = self.workbooks.get(file.content_hash)
        if known is None:
            try:
                known = workbook_of(self.library, file)
            except Refusal as refusal:
                known = refusal
            self.workbooks[file.content_hash] = known
        if isinstance(known, Refusal):
            raise known
        return known


def read_charts(
    library: Library, caller: Caller, path: str, block_id: str | None
) -> tuple[list[ChartReading], bool]:
    """The charts of the note at the path in their order, or the one of that id, with the numbers that they
    show now; at most 100 charts and 50,000 numbers, and whether there are more.

    A chart whose sheet cannot be read is told with the reason. Raises NotFound, and InvalidInput for what is
    no note and for an id (`id`) that none of its charts has.
    """
    with library.storage.read() as tx:
        document = note_at(tx, caller, path).document
        charts = [
            (fence, block)
            for fence, block in blocks_of(tx, document).values()
            if isinstance(block, Chart) and block_id in (None, block.id)
        ]
        if block_id is not None and not charts:
            raise InvalidInput("id", "the note has no chart of that id")
        sources = sources_of(tx, library, caller, document, [block for _, block in charts])
    found: list[ChartReading] = []
    room = NUMBERS_MOST
    for fence, chart in charts[:CHARTS_MOST]:
        reading = _reading(sources, fence, chart)
        room -= sum(len(one.values) for one in reading.data.series) if reading.data else 0
        if room < 0 and found:
            return found, True
        found.append(reading)
    return found, len(charts) > CHARTS_MOST


def blocks_of(tx: Transaction, document: Document) -> Mapping[str, tuple[BlockFence, Block]]:
    """The blocks that the text of an item shows and whose data are there, by id, in their order. A fence that
    holds data in the text itself is code (`note_blocks.from_disk`).
    """
    item = document.item
    stored = tx.blocks.of_item(item.space_id, item.item_id, item.version)
    fences = {fence.id: fence for fence in reversed(find_blocks(document.body))}
    shown = [fence for fence in fences.values() if fence.data is None and fence.id in stored]
    ordered = sorted(shown, key=lambda fence: fence.start)
    return {fence.id: (fence, block_from_json(stored[fence.id].data)) for fence in ordered}


def sources_of(
    tx: Transaction, library: Library, caller: Caller, document: Document, blocks: Sequence[Block]
) -> Sources:
    """The sheets that blocks of the item name, found where they lie in its space."""
    item = document.item
    sources = Sources(library, replace(caller, spaces=(item.space_id,)), link_resolver_of(tx, item.space_id))
    named = [block.source for block in blocks if isinstance(block, Chart | Calculation)]
    for source in dict.fromkeys(source for source in named if source is not None):
        sources.find(tx, source, item.folder_id)
    return sources


def _reading(sources: Sources, fence: BlockFence, chart: Chart) -> ChartReading:
    path = sources.path_of(chart.source) if chart.source is not None else None
    try:
        return ChartReading(fence, chart, path, data_of(sources, chart))
    except Refusal as refusal:
        return ChartReading(fence, chart, path, None, refusal)


def data_of(sources: Sources, chart: Chart) -> ChartData:
    """What the chart shows. Raises NotFound, InvalidInput, TooLarge and DocumentRefused."""
    reads = isinstance(chart.labels, str) or any(isinstance(one.values, str) for one in chart.series)
    workbook = sources.workbook(chart.source) if reads and chart.source is not None else None
    return chart_data(chart, workbook)
