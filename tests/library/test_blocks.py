"""Do charts, embeds and calculations stay with their note, whatever becomes of it?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.library.home import Home
from tests.library.vault import put, put_file
from tests.providers.documents.samples import with_formulas
from vademecum.library.blocks import (
    BlockPlace,
    BlockWritten,
    ChartNumbers,
    block_data,
    calculation_result,
    change_block,
    chart_svg,
    make_calculation,
    make_chart,
    make_embed,
)
from vademecum.library.editing import update_note as write_text
from vademecum.library.history import revert, revisions
from vademecum.library.notes import read_note
from vademecum.library.trash import delete_item, purge
from vademecum.library.undoing import undo_change
from vademecum.model.access import Tier
from vademecum.model.blocks import Calculation, Chart, ChartType, Embed, Operation, Series
from vademecum.model.errors import (
    DocumentRefused,
    InvalidInput,
    NotFound,
    NotPermitted,
    TierDenied,
    TooLarge,
    VersionConflict,
)

SALES = ChartNumbers("A2:A4", {"Sold": "B2:B4"}, "Tea/S.xlsx#Budget 2027")
LITERAL = ChartNumbers(["a", 2], {"x": [1, None], "y": [3.5, 4]})


def item_id(desk: Home, path: str = "Tea/Green.md") -> str:
    return read_note(desk.library, desk.owner, path).item.item_id


def place(desk: Home, at: int | None = None, path: str = "Tea/Green.md") -> BlockPlace:
    item = read_note(desk.library, desk.owner, path).item
    return BlockPlace(item.item_id, item.version, at)


def chart(
    desk: Home, numbers: ChartNumbers = LITERAL, title: str = "Sales", at: int | None = None
) -> BlockWritten:
    return make_chart(desk.library, desk.owner, place(desk, at), ChartType.BAR, title, numbers)


def body(desk: Home) -> str:
    return desk.read(item_id(desk)).body


def data(desk: Home, block_id: str) -> object:
    return block_data(desk.library, desk.owner, item_id(desk), block_id)


@pytest.fixture
def desk(desk: Home) -> Home:
    put(desk, "Tea/Green.md", "# Green\n\nOne\n\nTwo\n")
    put_file(desk, "Tea/S.xlsx", with_formulas())
    return desk


def test_a_chart_stands_in_the_text_by_id_and_label_alone(desk: Home) -> None:
    made = chart(desk)
    fence = f"```monthlet-block\nid: {made.block.id}\nlabel: Sales (bar chart)\n```\n"
    assert body(desk) == f"# Green\n\nOne\n\nTwo\n\n{fence}"
    assert data(desk, made.block.id) == Chart(
        made.block.id, ChartType.BAR, "Sales", ("a", "2"), (Series("x", (1, None)), Series("y", (3.5, 4)))
    )
    assert (made.version, desk.item(item_id(desk)).version) == (2, 2)


def test_a_block_goes_where_a_line_begins(desk: Home) -> None:
    made = make_embed(desk.library, desk.owner, place(desk, 9), "https://example.org/film", "Film")
    fence = f"```monthlet-block\nid: {made.block.id}\nlabel: Film (embed)\n```\n"
    assert body(desk) == f"# Green\n\n{fence}\nOne\n\nTwo\n"
    assert data(desk, made.block.id) == Embed(made.block.id, "https://example.org/film", "Film")
    for at in (-1, 10, 10_000):
        with pytest.raises(InvalidInput, match="at: is no place"):
            chart(desk, at=at)


def test_a_block_does_not_go_into_code(desk: Home) -> None:
    put(desk, "Code.md", "```\ncode\n")
    for at in (None, 4):
        with pytest.raises(InvalidInput, match="at: lies within code"):
            make_embed(desk.library, desk.owner, place(desk, at, "Code.md"), "x")


def test_a_chart_of_a_sheet_is_drawn_with_what_the_sheet_holds_now(desk: Home) -> None:
    made = chart(desk, SALES)
    drawn = chart_svg(desk.library, desk.owner, item_id(desk), made.block.id)
    assert drawn.startswith("<svg ")
    assert all(word in drawn for word in ("Sales", "Lamp", "机", "椅子"))


def test_a_calculation_comes_to_what_the_sheet_holds(desk: Home) -> None:
    cells = ("Tea/S.xlsx", "D2:D4")
    made = make_calculation(desk.library, desk.owner, place(desk), Operation.SUM, cells, "Total")
    assert isinstance(made.block, Calculation)
    result = calculation_result(desk.library, desk.owner, item_id(desk), made.block.id)
    assert (result.value, body(desk).count("label: Total (sum)")) == (438.5, 1)
    with pytest.raises(NotFound):
        chart_svg(desk.library, desk.owner, item_id(desk), made.block.id)


def test_a_change_holds_from_its_version_on_and_the_label_follows(desk: Home) -> None:
    made = chart(desk)
    assert isinstance(made.block, Chart)
    changed = replace(made.block, title="Sold", type=ChartType.LINE)
    assert change_block(desk.library, desk.owner, place(desk), changed).version == 3
    assert (data(desk, made.block.id), "label: Sold (line chart)" in body(desk)) == (changed, True)
    only_data = replace(changed, labels=("other",))
    assert change_block(desk.library, desk.owner, place(desk), only_data).version == 4
    revert(desk.library, desk.owner, item_id(desk), 2)
    assert (data(desk, made.block.id), "label: Sales (bar chart)" in body(desk)) == (made.block, True)
    revert(desk.library, desk.owner, item_id(desk), 4)
    assert data(desk, made.block.id) == only_data


def test_a_change_that_is_undone_brings_the_data_back(desk: Home) -> None:
    made = chart(desk)
    assert isinstance(made.block, Chart)
    change_block(desk.library, desk.owner, place(desk), replace(made.block, labels=("z",)))
    newest = revisions(desk.library, desk.owner, item_id(desk))[0]
    assert newest.change.tool == "change_block"
    undo_change(desk.library, desk.owner, newest.change.change_id)
    assert data(desk, made.block.id) == made.block


def test_a_block_that_is_left_out_comes_back_with_its_data(desk: Home) -> None:
    made, shown = chart(desk), body(desk)
    write_text(desk.library, desk.owner, item_id(desk), "gone", 2, None)
    with pytest.raises(NotFound):
        data(desk, made.block.id)
    write_text(desk.library, desk.owner, item_id(desk), shown, 3, None)
    assert data(desk, made.block.id) == made.block


def test_purging_a_note_ends_its_blocks(desk: Home) -> None:
    made, note_id = chart(desk), item_id(desk)
    delete_item(desk.library, desk.owner, note_id, 2)
    purge(desk.library, desk.owner, note_id)
    with desk.library.storage.read() as tx:
        assert tx.blocks.in_space(desk.owner.spaces[0], made.block.id) == []


@pytest.mark.parametrize(
    ("numbers", "refusal"),
    [
        (ChartNumbers([], {}), InvalidInput),
        (ChartNumbers([], {"x": "B2:B4"}), InvalidInput),
        (ChartNumbers([], {"x": [float("nan")]}), InvalidInput),
        (ChartNumbers([], {"x": [1] * 5_001}), TooLarge),
        (ChartNumbers([], {"x": "B2:"}, "Tea/S.xlsx"), InvalidInput),
        (ChartNumbers([], {"x": "B2:B4"}, "gone.xlsx"), NotFound),
        (ChartNumbers([], {"x": "B2:B4"}, "Tea/S.xlsx#Nowhere"), InvalidInput),
        (ChartNumbers([], {"x": "B2:B4"}, "Tea/Green.md"), InvalidInput),
        (ChartNumbers([], {"x": "B2:B4"}, "broken.xlsx"), DocumentRefused),
    ],
)
def test_what_could_not_be_shown_is_refused_and_leaves_nothing(
    desk: Home, numbers: ChartNumbers, refusal: type[Exception]
) -> None:
    put_file(desk, "broken.xlsx", b"no sheet")
    before = body(desk)
    with pytest.raises(refusal):
        chart(desk, numbers)
    assert body(desk) == before


def test_only_who_read_the_note_as_it_is_and_may_write_changes_it(desk: Home) -> None:
    stale = place(desk)
    made = chart(desk)
    with pytest.raises(VersionConflict):
        make_embed(desk.library, desk.owner, stale, "x")
    with pytest.raises(VersionConflict):
        change_block(desk.library, desk.owner, stale, made.block)
    with pytest.raises(TierDenied):
        make_embed(desk.library, replace(desk.owner, tier=Tier.READ_ONLY), place(desk), "x")
    with pytest.raises(NotFound):
        change_block(desk.library, desk.owner, place(desk), Embed("other", "x", ""))
    with pytest.raises(NotFound):
        block_data(desk.library, desk.somebody(), item_id(desk), made.block.id)
    reader = replace(desk.owner, read_only=frozenset(desk.owner.spaces))
    with pytest.raises(NotPermitted):
        make_embed(desk.library, reader, place(desk), "x")
