"""Which web addresses may be kept, and when do two of them mean the same page?"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, quote, unquote_to_bytes, urlsplit

from vademecum.model.errors import InvalidInput

ADDRESS_LIMIT = 4096  # characters
_DEFAULT_PORTS = {"http": 80, "https": 443}
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_HOST_MARKS = frozenset("-_.\u00b7\u200c\u200d\u30fb\u3002\uff0e\uff61")
_IPV6 = re.compile(r"\[[0-9A-Fa-f:.]+\]")
_IDEOGRAPHIC_DOTS = re.compile(r"[\u3002\uff0e\uff61]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")

# What campaigns, advertisers and share buttons add; none of it chooses what a page shows (cases P05).
_TRACKING = re.compile(
    r"""
    (utm|mtm|matomo|piwik|pk|hsa|itm|fb_action)_.* | __?hs.*
    | (fb|g|y|ys|tw|tt)clid | msclkid | wickedid | gclsrc | dclid | [gw]braid | rdt_cid
    | igsh(id)? | li_fat_id | mc_[ce]id | mkt_tok | hsctatracking | vero_(id|conv) | oly_(anon|enc)_id
    | _openstat | srsltid | s_cid | rb_clickid | epik | _ga | _gl | _branch_(match_id|referrer)
    | ref_(src|url) | fb_(source|ref) | guccounter | guce_referrer(_sig)? | at_(medium|campaign)
    | wt_z?mc | trk(campaign)? | ncid | sc_(channel|campaign) | spm(_id_from)? | vd_source
    | share_(source|medium|session_id|plat|tag|from) | unique_k
    """,
    re.VERBOSE,
)
_TRACKING_NAMES_AT = {
    "youtube.com": frozenset({"si", "feature", "pp"}),
    "youtu.be": frozenset({"si", "feature"}),
    "open.spotify.com": frozenset({"si"}),
    "x.com": frozenset({"s", "t"}),
    "twitter.com": frozenset({"s", "t"}),
}


def check_address(url: str, field: str = "url") -> str:
    """The address without surrounding white space, if it is one that may be kept and opened.

    It is http or https, has a host and no user name or password, holds no control character and at most 4,096
    characters. Otherwise raises InvalidInput that names `field`.
    """
    _split(url.strip(), field)
    return url.strip()


def address_key(url: str) -> str:
    """What two addresses of one page have in common (cases P04, P05, P07).

    Scheme, `www.`, default port, final slash, tracking parameters, the order of parameters, anchors within
    the page, text fragments and ways of spelling the same characters make no difference; routes after `#/`
    and `#!` do. Never an address to open. Raises InvalidInput for what `check_address` refuses.
    """
    parts = _split(url.strip(), "url")
    host = _host_key(parts.hostname or "")
    port = parts.port
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        host = f"{host}:{port}"
    path = _without_dot_segments(_escaped(parts.path, "/")).rstrip("/")
    query = _query_key(parts.query, host)
    return f"{host}{path}{'?' + query if query else ''}{_route(parts.fragment)}"


def _split(url: str, field: str) -> SplitResult:
    """The parts of an address that may be kept; raises InvalidInput for any other."""
    if len(url) > ADDRESS_LIMIT:
        raise InvalidInput(field, f"at most {ADDRESS_LIMIT:,} characters")
    if _CONTROLS.search(url) or _SURROGATES.search(url):
        raise InvalidInput(field, "no control characters")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidInput(field, "not a well-formed address") from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise InvalidInput(field, "only http and https addresses")
    if "@" in parts.netloc:
        raise InvalidInput(field, "no user name or password in the address")
    host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc.rstrip(":")
    if not (_IPV6.fullmatch(host) or _is_host_name(host)) or port == 0:
        raise InvalidInput(field, "a host is missing or malformed")
    return parts


def _is_host_name(host: str) -> bool:
    """Letters, digits and marks of any script, hyphens, underscores and dots, and not dots alone."""
    allowed = all(c in _HOST_MARKS or c.isalnum() or unicodedata.category(c)[0] == "M" for c in host)
    return allowed and bool(_IDEOGRAPHIC_DOTS.sub(".", host).strip("."))


def _host_key(host: str) -> str:
    """The host in lower case and in its own script, without `www.` and the final dot."""
    if ":" in host:
        return f"[{host}]"
    labels = _IDEOGRAPHIC_DOTS.sub(".", host).rstrip(".").split(".")
    name = ".".join(unicodedata.normalize("NFKC", _own_script(label)).lower() for label in labels)
    rest = name.removeprefix("www.")
    return rest if "." in rest else name


def _own_script(label: str) -> str:
    """A label of a host name as people read it: `xn--` forms are decoded where they can be."""
    if not label.lower().startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _escaped(text: str, keep: str) -> str:
    """One spelling for each character: letters, digits and `-._~` as they are, reserved characters as they
    stand, everything else as `%XX` in upper case of its UTF-8 bytes.
    """

    def plain(match: re.Match[str]) -> str:
        byte = unquote_to_bytes(match.group())
        return byte.decode("ascii") if byte.isalnum() or byte in b"-._~" else match.group().upper()

    composed = unicodedata.normalize("NFC", text)
    return quote(_ESCAPE.sub(plain, composed), safe="%!$&'()*+,;=:@" + keep)


def _without_dot_segments(path: str) -> str:
    """The path with `.` and `..` resolved, as a browser does before it asks."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            kept = kept[:-1] if len(kept) > 1 else kept
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept)


def _query_key(query: str, host: str) -> str:
    """The meaningful parameters, sorted by name; those of one name keep their order."""
    ours = _TRACKING_NAMES_AT.get(host, frozenset())
    pairs = [_escaped(pair, "/?").replace("+", "%20") for pair in query.split("&") if pair]
    named = [(pair.partition("=")[0], pair) for pair in pairs]
    kept = [(name, pair) for name, pair in named if not _is_tracking(name.lower(), ours)]
    return "&".join(pair for _, pair in sorted(kept, key=lambda entry: entry[0]))


def _is_tracking(name: str, ours: frozenset[str]) -> bool:
    return name in ours or _TRACKING.fullmatch(name) is not None


def _route(fragment: str) -> str:
    """The fragment where it is a page of its own in a single-page application, else nothing."""
    route = fragment.partition(":~:")[0]
    if not route.startswith(("/", "!")):
        return ""
    escaped = _escaped(route, "/?#").rstrip("/")
    return f"#{escaped}" if escaped not in ("", "!") else ""
