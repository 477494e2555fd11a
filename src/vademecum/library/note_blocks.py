"""What becomes of the blocks in a text that is written: charts, embeds and calculations?"""

from __future__ import annotations

from dataclasses import replace

from vademecum.library.places import is_note
from vademecum.model.blocks import Block, Calculation, Chart, block_from_json, block_to_json, label_of
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import Document, Item, Layer, State, body_of, first_of_body
from vademecum.ports.places import StoredBlock
from vademecum.ports.storage import Transaction
from vademecum.text.blocks import FENCE, BlockFence, find_blocks, join_data, split_data


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


def from_disk(body: str) -> tuple[str, tuple[StoredBlock, ...]]:
    """The same for a text that another program may have written: data that make no block stay in it as they
    stand, so that nothing is lost.
    """
    if FENCE not in body:
        return body, ()
    text, data = split_data(body)
    blocks: list[StoredBlock] = []
    unread: dict[str, str] = {}
    for block_id, written in data.items():
        try:
            blocks.append(_sent(block_id, written))
        except (InvalidInput, TooLarge):
            unread[block_id] = written
    return join_data(text, unread), tuple(blocks)


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
    data = {key: block.data for key, block in tx.blocks.of_item(item.space_id, item.item_id, version).items()}
    return replace(state, layers=replace(state.layers, authored=join_data(body, data)))


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
    return wanted[0] if len({block.data for block in wanted}) == 1 else None
