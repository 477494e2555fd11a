"""Which notes are told to link to another?"""

from __future__ import annotations

import pytest

from tests.library.home import Home
from tests.library.vault import put, put_file
from vademecum.library.linking import backlinks
from vademecum.library.trash import delete_item
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.model.items import Kind


@pytest.fixture
def vault(home: Home) -> Home:
    """A note to which others link in every way, and two of the same name."""
    put(home, "Tea/Sencha.md", "[[Sencha]]", frontmatter="---\naliases: [Green tea]\n---\n")
    put(home, "Other/Sencha.md", "", title="Another")
    put(home, "wiki.md", "see [[sencha|that]]")
    put(home, "path.md", "see [[Tea/Sencha#Steaming]]")
    put(home, "alias.md", "see [[green TEA]]")
    put(home, "Tea/relative.md", "see [it](Sencha.md) and [it again](./Sencha.md)")
    put(home, "Coffee/up.md", "see [it](../Tea/Sencha.md)")
    put(home, "embed.md", "![[Sencha]]")
    put(home, "code.md", "`[[Sencha]]`\n\n```\n[[Sencha]]\n```\n")
    put(home, "other.md", "see [[Other/Sencha]]")
    put(home, "none.md", "see [[Sencha roast]]")
    put_file(home, "Tea/leaf.png", b"picture", Kind.IMAGE)
    put(home, "picture.md", "![](Tea/leaf.png)")
    return home


def linking(home: Home, path: str) -> list[str]:
    return [source for source, _ in backlinks(home.library, home.owner, path)]


def test_every_form_of_link_counts_but_those_in_code_and_in_the_note_itself(vault: Home) -> None:
    found = ["Coffee/up.md", "Tea/relative.md", "alias.md", "embed.md", "path.md", "wiki.md"]
    assert linking(vault, "tea/sencha.md") == found
    assert ("alias.md", "alias") in backlinks(vault.library, vault.owner, "Tea/Sencha.md")


def test_a_link_by_path_leads_to_one_of_several_of_a_name(vault: Home) -> None:
    assert linking(vault, "Other/Sencha.md") == ["other.md"]


def test_files_have_backlinks_too(vault: Home) -> None:
    assert linking(vault, "Tea/leaf.png") == ["picture.md"]


def test_what_lies_in_the_trash_links_to_nothing(vault: Home) -> None:
    with vault.library.storage.read() as tx:
        (placed,) = [one for one in tx.places.within(vault.owner.spaces[0], None) if one.title == "wiki"]
    delete_item(vault.library, vault.owner, placed.item_id, placed.version)
    assert "wiki.md" not in linking(vault, "Tea/Sencha.md")


def test_a_path_that_names_nothing_is_refused(vault: Home) -> None:
    with pytest.raises(NotFound):
        linking(vault, "Tea/Gyokuro.md")
    with pytest.raises(InvalidInput):
        linking(vault, "../Sencha.md")
