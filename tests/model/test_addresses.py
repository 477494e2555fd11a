"""Which addresses are kept, and which of them mean one page?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.model.addresses import ADDRESS_LIMIT, address_key, check_address
from vademecum.model.errors import InvalidInput

SAME_PAGE = {
    "final slash": ("https://example.org/a", "https://example.org/a/"),
    "final slash of the host": ("https://example.org", "https://example.org/"),
    "scheme": ("http://example.org/a", "https://example.org/a"),
    "www": ("https://www.example.org/a", "https://example.org/a"),
    "default port of https": ("https://example.org:443/a", "https://example.org/a"),
    "default port of http": ("http://example.org:80/a", "https://example.org/a"),
    "case of scheme and host": ("HTTPS://Example.ORG/a", "https://example.org/a"),
    "final dot of the host": ("https://example.org./a", "https://example.org/a"),
    "campaign": ("https://example.org/a?utm_source=x&id=7&utm_medium=y", "https://example.org/a?id=7"),
    "click ids": ("https://example.org/a?fbclid=1&gclid=2&msclkid=3&yclid=4", "https://example.org/a"),
    "case of a tracking name": ("https://example.org/a?UTM_Source=x", "https://example.org/a"),
    "order of parameters": ("https://example.org/a?b=2&a=1", "https://example.org/a?a=1&b=2"),
    "share id of a video": ("https://youtube.com/watch?v=abc&si=xyz", "https://www.youtube.com/watch?v=abc"),
    "anchor": ("https://example.org/a#part-2", "https://example.org/a"),
    "campaign in the fragment": ("https://example.org/a#utm_source=x", "https://example.org/a"),
    "text fragment": ("https://example.org/a#:~:text=two%20words", "https://example.org/a"),
    "text fragment after a route": ("https://example.org/#/a:~:text=x", "https://example.org/#/a"),
    "empty route": ("https://example.org/app#/", "https://example.org/app"),
    "international name": ("https://xn--bcher-kva.example/a", "https://B\u00fccher.example/a"),
    "ideographic dot": ("https://example\u3002org/a", "https://example.org/a"),
    "case of an escape": ("https://example.org/%e6%b8%af", "https://example.org/%E6%B8%AF"),
    "escape of a letter of another script": ("https://example.org/%E6%B8%AF", "https://example.org/\u6e2f"),
    "needless escape": ("https://example.org/%61bc", "https://example.org/abc"),
    "composed and decomposed": ("https://example.org/\u304b\u3099", "https://example.org/\u304c"),
    "space as plus in the query": ("https://example.org/?q=a+b", "https://example.org/?q=a%20b"),
    "dot segments": ("https://example.org/a/./b/../c", "https://example.org/a/c"),
    "white space around": ("  https://example.org/a\n", "https://example.org/a"),
}

OTHER_PAGE = {
    "path": ("https://example.org/a", "https://example.org/b"),
    "case of the path": ("https://example.org/A", "https://example.org/a"),
    "other port": ("https://example.org:8443/a", "https://example.org/a"),
    "meaningful parameter": ("https://example.org/a?id=7", "https://example.org/a?id=8"),
    "order of values of one name": ("https://example.org/a?t=1&t=2", "https://example.org/a?t=2&t=1"),
    "branch named by ref": ("https://example.org/a?ref=main", "https://example.org/a"),
    "route": ("https://example.org/#/inbox", "https://example.org/#/sent"),
    "bang route": ("https://example.org/#!inbox", "https://example.org/"),
    "escaped slash": ("https://example.org/a%2Fb", "https://example.org/a/b"),
    "plus and escaped plus": ("https://example.org/?q=a%2Bb", "https://example.org/?q=a+b"),
    "host that begins with www": ("https://www.com/", "https://com.example/"),
    "sharp s": ("https://stra\u00dfe.example/", "https://strasse.example/"),
    "subdomain": ("https://en.example.org/", "https://ja.example.org/"),
}

REFUSED = [
    "",
    "example.org/a",
    "//example.org/a",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "http:///etc/passwd",
    "http://",
    "http://./",
    "https://user@example.org/",
    "https://user:secret@example.org/",
    "https://@example.org/",
    "https://example.org\\@127.0.0.1/",
    "https://exa mple.org/",
    "https://ex%61mple.org/",
    "https://example.org:x/",
    "https://example.org:0/",
    "https://example.org:70000/",
    "https://[::1/",
    "https://[example.org]/",
    "https://example.org/a\x00b",
    "https://example.org/a\nb",
    "https://example.org/a\x85b",
    "https://example.org/\ud800",
    "https://example.org/" + "a" * ADDRESS_LIMIT,
]


@pytest.mark.parametrize(("one", "other"), SAME_PAGE.values(), ids=SAME_PAGE.keys())
def test_two_spellings_of_one_page_have_one_key(one: str, other: str) -> None:
    assert address_key(one) == address_key(other)


@pytest.mark.parametrize(("one", "other"), OTHER_PAGE.values(), ids=OTHER_PAGE.keys())
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    assert address_key(one) != address_key(other)


@pytest.mark.parametrize("address", REFUSED)
def test_what_cannot_be_opened_safely_is_refused_naming_the_field(address: str) -> None:
    with pytest.raises(InvalidInput) as check:
        check_address(address, "link")
    assert (check.value.code, check.value.field) == ("INVALID_INPUT", "link")
    with pytest.raises(InvalidInput):
        address_key(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a?b=c#d",
        "http://example.org:8080/\u6e2f\u52a1 \u5c40",
        "https://[2001:db8::1]:8443/a",
        "https://\u0939\u093f\u0928\u094d\u0926\u0940.example/",
        "https://example.org/" + "a" * (ADDRESS_LIMIT - 20),
    ],
)
def test_a_kept_address_comes_back_as_it_was(address: str) -> None:
    assert check_address(f" {address}\n") == address


def test_the_key_of_a_page_is_its_address_in_one_spelling() -> None:
    address = "HTTP://www.Example.org:8080/a/?z=1&utm_campaign=q&a=%7e#/r/"
    assert address_key(address) == "example.org:8080/a?a=~&z=1#/r"


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_the_scheme_never_changes_the_key_of_any_text(path: str, query: str, fragment: str) -> None:
    rest = f"example.org/{path}?{query}#{fragment}"
    try:
        key = address_key("http://" + rest)
    except InvalidInput:
        return
    assert key == address_key("https://www." + rest)
    assert key.isascii()


@settings(deadline=None)
@given(st.text())
def test_checking_any_text_ends_in_an_address_or_a_refusal(text: str) -> None:
    try:
        checked = check_address(text)
    except InvalidInput:
        return
    assert checked == text.strip()
    assert checked.lower().startswith(("http://", "https://"))
