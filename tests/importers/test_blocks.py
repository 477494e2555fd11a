"""Are charts that stand in files imported with their data?"""

from __future__ import annotations

from pathlib import Path

from tests.importers.vaults import bring_in, items, numbers, whole, write
from tests.library.home import Home
from vademecum.library.blocks import block_data
from vademecum.library.history import revert
from vademecum.model.blocks import block_from_json

DATA = '{"id":"b1","labels":["a"],"series":[{"name":"s","values":[%d]}],"title":"Sales","type":"bar"}'
FENCE = "```monthlet-block\nid: b1\nlabel: Sales (bar chart)\n%s```\n"


def test_a_chart_comes_with_its_data_and_again_when_they_changed(home: Home, root: Path) -> None:
    write(root, {"a.md": "One\n\n" + FENCE % f"data: {DATA % 1}\n"})
    bring_in(home, root)
    item_id = items(home)["a.md"].item_id
    assert whole(home, "a.md").body == "One\n\n" + FENCE % ""
    assert block_data(home.library, home.owner, item_id, "b1") == block_from_json(DATA % 1)
    write(root, {"a.md": "Two\n\n" + FENCE % f"data: {DATA % 2}\n"})
    assert numbers(bring_in(home, root, update=True)) == {"updated": 1}
    assert block_data(home.library, home.owner, item_id, "b1") == block_from_json(DATA % 2)
    revert(home.library, home.owner, item_id, 1)
    assert block_data(home.library, home.owner, item_id, "b1") == block_from_json(DATA % 1)


def test_data_that_make_no_block_are_kept_as_they_stand(home: Home, root: Path) -> None:
    broken = FENCE % 'data: {"id":"other","type":"bar"}\n'
    write(root, {"a.md": broken})
    report = bring_in(home, root)
    assert whole(home, "a.md").body == broken
    told = "block b1: series: must be a list; its data are kept as text"
    assert report.warnings == [("a.md", told)]
