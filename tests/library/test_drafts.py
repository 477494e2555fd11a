"""Is what a person has not saved yet kept for them alone, and does it say what is being edited?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.library.home import Home
from vademecum.library.drafts import NewDraft, being_edited, discard_draft, draft_of, drafts, keep_draft
from vademecum.library.spaces import create_space, set_member
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput, NotFound, NotPermitted, TooLarge
from vademecum.model.items import Role


def keep(home: Home, content: str, caller: Caller | None = None, **more: Any) -> str:
    home.clock.pass_by(seconds=1)
    given = {"base_version": 1 if "item_id" in more else None, **more}
    return keep_draft(home.library, caller or home.owner, NewDraft(content, **given)).draft_id


def edited(home: Home, *items: str) -> dict[str, str]:
    with home.library.storage.read() as tx:
        return dict(being_edited(tx, home.owner.spaces[0], items, home.library.now()))


def test_one_draft_of_an_item_is_kept_and_replaced(home: Home) -> None:
    item_id = home.save("Text", "Tea")
    assert keep(home, "Text and", item_id=item_id) == keep(home, "Text and more", item_id=item_id) == item_id
    (found,) = drafts(home.library, home.owner)
    assert (found.content, found.item_id, found.base_version) == ("Text and more", item_id, 1)
    assert home.read(item_id).body == "Text"


def test_drafts_of_new_notes_have_ids_of_their_own_and_are_the_persons_alone(home: Home) -> None:
    first, second = keep(home, "one", title=" A  title "), keep(home, "two")
    keep(home, "one more", draft_id=first)
    told = [(one.draft_id, one.content, one.title, one.item_id) for one in drafts(home.library, home.owner)]
    assert told == [(first, "one more", "", None), (second, "two", "", None)]
    other = home.somebody()
    assert drafts(home.library, other) == []
    with pytest.raises(NotFound):
        draft_of(home.library, other, first)
    with pytest.raises(NotFound):
        discard_draft(home.library, other, first)
    assert draft_of(home.library, home.owner, first).content == "one more"
    discard_draft(home.library, home.owner, first)
    with pytest.raises(NotFound):
        discard_draft(home.library, home.owner, first)


def test_an_item_counts_as_being_edited_for_ten_minutes_after_its_draft_changed(home: Home) -> None:
    item_id, other = home.save("Text", "Tea"), home.save("Text", "Cup")
    keep(home, "one", item_id=item_id)
    keep(home, "two")
    assert set(edited(home, item_id, other)) == {item_id}
    assert edited(home, other) == {}
    home.clock.pass_by(minutes=9)
    keep(home, "one more", item_id=item_id)
    home.clock.pass_by(minutes=10)
    assert set(edited(home, item_id)) == {item_id}
    home.clock.pass_by(seconds=1)
    assert edited(home, item_id) == {}
    assert draft_of(home.library, home.owner, item_id).content == "one more"
    keep(home, "again", item_id=item_id)
    discard_draft(home.library, home.owner, item_id)
    assert edited(home, item_id) == {}


def test_what_no_draft_can_be_of_is_refused(home: Home) -> None:
    item_id = home.save("Text", "Tea")
    with pytest.raises(NotFound):
        keep(home, "x", home.somebody(), item_id=item_id)
    with pytest.raises(InvalidInput):
        keep(home, "x", item_id=item_id, base_version=None)
    with pytest.raises(TooLarge):
        keep(home, "x", title="x" * 501)
    with pytest.raises(InvalidInput):
        keep(home, "\ud800")
    guest = home.somebody("guest")
    space = create_space(home.library, home.owner, "club", None)
    set_member(home.library, home.owner_again(), space.slug, "guest", Role.READER)
    reader = Caller(
        guest.account_id,
        guest.actor_kind,
        guest.tier,
        (space.space_id,),
        read_only=frozenset({space.space_id}),
    )
    with pytest.raises(NotPermitted):
        keep(home, "x", reader)
    assert drafts(home.library, home.owner) == []
