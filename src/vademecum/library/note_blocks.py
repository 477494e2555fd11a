"""What becomes of the blocks in a text that is written: charts, embeds and calculations?"""

from __future__ import annotations

from vademecum.model.blocks import Block, Calculation, Chart, block_from_json, block_to_json, label_of
from vademecum.model.errors import InvalidInput
from vademecum.model.items import Item
from vademecum.ports.places import StoredBlock
from vademecum.ports.storage import Transaction
from vademecum.text.blocks import BlockFence, find_blocks, split_data


def without_data(body: str) -> tuple[str, tuple[StoredBlock, ...]]:
    """The body as it is kept and shown, and the blocks whose data stood in it, as they do in a file on disk.

    Raises InvalidInput and TooLarge for data that make no block.
    """
    text, data = split_data(body)
    return text, tuple(_sent(block_id, written) for block_id, written in data.items())


def _sent(block_id: str, data: str) -> StoredBlock:
    block = block_from_json(data)
    if block.id != block_id:
        raise InvalidInput("data", "a block's data have another id than its fence")
    return stored_block(block)


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
    known = {*tx.blocks.of_item(item.space_id, item.item_id, item.version), *(one.block_id for one in sent)}
    found = (_from_elsewhere(tx, item, fence) for fence in shown if fence.id not in known)
    adopted = {block.block_id: block for block in found if block is not None}
    tx.blocks.put(item.space_id, item.item_id, item.version, [*sent, *adopted.values()])


def _from_elsewhere(tx: Transaction, item: Item, fence: BlockFence) -> StoredBlock | None:
    blocks = [block for _, block in tx.blocks.in_space(item.space_id, fence.id)]
    alike = [block for block in blocks if block.label == fence.label]
    wanted = alike or blocks
    return wanted[0] if len({block.data for block in wanted}) == 1 else None
