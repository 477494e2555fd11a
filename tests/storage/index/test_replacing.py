"""Which sections of an item stay as they are when it is indexed anew?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.storage.index_samples import a_chunk
from vademecum.storage.index.replacing import NewSection, replacement

CONTENTS = st.lists(st.sampled_from("abcd"), max_size=8)


@given(CONTENTS, CONTENTS)
def test_every_section_is_kept_or_replaced_once(before: list[str], after: list[str]) -> None:
    stored = list(enumerate(before, start=1))
    sections = [NewSection(a_chunk(content), {}, content) for content in after]
    change = replacement(stored, sections)
    kept = [number for number, _ in change.kept]
    assert sorted([*kept, *change.gone]) == [number for number, _ in stored]
    assert all(dict(stored)[number] == section.content for number, section in change.kept)
    present = [*(section for _, section in change.kept), *change.fresh]
    assert sorted(str(section.content) for section in present) == sorted(after)
    if before != after:
        assert 1 not in kept
        assert all(section is not sections[0] for _, section in change.kept)
    else:
        assert not change.gone
        assert not change.fresh
