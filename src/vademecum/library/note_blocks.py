"""What becomes of the blocks in a text that is written: charts, embeds and calculations?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vademecum.library.places import is_note
from vademecum.model.blocks import (
    Block,
    Calculation,
    Chart,
    block_from_json,
    block_to_json,
    label_of,
    one_line,
)
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import Document, Item, Layer, State, body_of, first_of_body
from vademecum.ports.places import StoredBlock
from vademecum.ports.storage import Transaction
from vademecum.text.blocks import FENCE, BlockFence, cut_data, find_blocks, join_data


def without_data(body: str, before: str = "") -> tuple[str, tuple[StoredBlock, ...]]:
    """The body as it is kept and shown, and the blocks whose data stand in it, as they do in a file on disk.
    What already stood so in the text before stays as it is.

    Raises InvalidInput and TooLarge for data that make no block.
    """
    standing = {(fence.id, fence.data) for fence in find_blocks(before)}
    taken: dict[str, BlockFence] = {}
    for fence in find_blocks(body):
        if fence.data is not None and (fence.id, fence.data) not in standing:
            taken.setdefault(fence.id, fence)
    blocks = tuple(stored_block(_block(fence)) for fence in taken.values())
    return cut_data(body, taken.values()), blocks


def _block(fence: BlockFence) -> Block:
    block = block_from_json(fence.data or "")
    if block.id != fence.id:
        raise InvalidInput("data", "a block's data have another id than its fence")
    return block


def from_disk(body: str) -> tuple[str, tuple[StoredBlock, ...]]:
    """The same for a text that another program may have written: data are kept as they are spelled, and what
    would not come back to the byte, or makes no block, stays in the text, so that nothing is lost or touched.
    """
    return _from_disk(body)[:2]


def completed(body: str, shown: str) -> str:
    """The text of a file with the data that the blocks of the text shown there before had, where the file
    has those blocks without.
    """
    return _joined_with(body, from_disk(shown)[1]) if body != shown else body


def left_in_text(body: str) -> list[str]:
    """What a report should say of the data that `from_disk` leaves in the text, where they are code."""
    return _from_disk(body)[2]


def _from_disk(body: str) -> tuple[str, tuple[StoredBlock, ...], list[str]]:
    taken: dict[str, tuple[BlockFence, StoredBlock]] = {}
    told: list[str] = []
    met: set[str] = set()
    for fence in find_blocks(body):
        if fence.data is not None:
            try:
                taken[fence.id] = fence, _from_file(fence, is_first=fence.id not in met)
            except (InvalidInput, TooLarge) as refusal:
                told.append(f"block {one_line(fence.id)}: {refusal.detail}; its data are kept as text")
        met.add(fence.id)
    text = cut_data(body, (fence for fence, _ in taken.values()))
    blocks = tuple(block for _, block in taken.values())
    if _joined_with(text, blocks) != body:
        return body, (), [*told, "the data of its blocks are kept as text: without them it reads otherwise"]
    return text, blocks, told


def _joined_with(text: str, blocks: Iterable[StoredBlock]) -> str:
    data = {block.block_id: block.data for block in blocks}
    return join_data(text, data) if data else text


def _from_file(fence: BlockFence, *, is_first: bool) -> StoredBlock:
    if not is_first:
        raise InvalidInput("data", "a block above has the same id")
    if not fence.is_plain:
        raise InvalidInput("data", "must be the last line before the closing marks: `data: ` and the JSON")
    return replace(stored_block(_block(fence)), data=fence.data or "")


def parted(state: State) -> tuple[State, tuple[StoredBlock, ...]]:
    """A state as it was read from disk without the data of its blocks, and these."""
    if not is_note(state.file_name) or not state.layers.authored:
        return state, ()
    body, blocks = from_disk(state.layers.authored)
    return replace(state, layers=replace(state.layers, authored=body)), blocks


def stored_block(block: Block) -> StoredBlock:
    """The block as it is kept."""
    return StoredBlock(block.id, _kind(block), label_of(block), block_to_json(block))


def _kind(block: Block) -> str:
    match block:
        case Chart():
            return "chart"
        case Calculation():
            return "calculation"
        case _:
            return "embed"


def document_on_disk(tx: Transaction, space_id: str, item_id: str) -> Document | None:
    """The item with the data of its blocks in its text, as plain files hold them (design 5)."""
    document = tx.items.load(space_id, item_id)
    if document is None:
        return None
    state = _joined(tx, document.item, document.item.version, document.state)
    return replace(document, layers=state.layers)


def state_on_disk(tx: Transaction, item: Item, version: int) -> State | None:
    """The state that a version of the item stored, likewise; None where there is no such version."""
    revision = tx.revisions.find(item.space_id, item.item_id, version)
    return _joined(tx, item, version, revision.state) if revision else None


def _joined(tx: Transaction, item: Item, version: int, state: State) -> State:
    layer = first_of_body(state.layers.present(), state.kind)
    body = body_of(state.layers, state.kind)
    if layer is not Layer.AUTHORED or FENCE not in body or not is_note(state.file_name):
        return state
    blocks = tx.blocks.of_item(item.space_id, item.item_id, version)
    return replace(state, layers=replace(state.layers, authored=_joined_with(body, blocks.values())))


def blocks_again(tx: Transaction, item: Item, version: int) -> None:
    """Let the data that held at an earlier version hold again from the version that the item has now."""
    then = tx.blocks.of_item(item.space_id, item.item_id, version)
    tx.blocks.put(item.space_id, item.item_id, item.version, list(then.values()))


def keep_blocks(tx: Transaction, item: Item, body: str, sent: tuple[StoredBlock, ...]) -> None:
    """Let the blocks that were sent hold from the item's version on, and so those whose fences came from
    another note of the space: such a fence shows there what it showed here. Where several notes have other
    data under its id the label tells which; a fence that nothing is known of stays as it stands.
    """
    shown = find_blocks(body)
    if not shown:
        return
    held = tx.blocks.of_item(item.space_id, item.item_id, item.version)
    known = {*held, *(one.block_id for one in sent)}
    found = (_from_elsewhere(tx, item, fence) for fence in shown if fence.id not in known)
    adopted = {block.block_id: block for block in found if block is not None}
    changed = [one for one in sent if held.get(one.block_id) != one]
    tx.blocks.put(item.space_id, item.item_id, item.version, [*changed, *adopted.values()])


def _from_elsewhere(tx: Transaction, item: Item, fence: BlockFence) -> StoredBlock | None:
    blocks = [block for _, block in tx.blocks.in_space(item.space_id, fence.id)]
    alike = [block for block in blocks if block.label == fence.label]
    wanted = alike or blocks
    return wanted[0] if len({block_from_json(block.data) for block in wanted}) == 1 else None
