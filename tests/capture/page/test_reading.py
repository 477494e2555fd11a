"""What is kept of a web page, and what is recognised as no article?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.capture.pages import CHINESE, JAPANESE, MENU, PARAGRAPH, page
from vademecum.capture.page.reading import NEEDS_BROWSER, NO_TEXT, read_page
from vademecum.capture.page.walls import CHALLENGE, CONSENT, LOGIN
from vademecum.capture.plugin import Extracted, Outcome

ADDRESS = "https://gazette.example/2026/ledgers.html"


def markdown(content: str) -> str:
    """What became of the content, without the paragraphs around it."""
    found = read_page(page(content), ADDRESS)
    assert found.outcome is Outcome.READABLE
    first, _, rest = found.markdown.partition(f"{PARAGRAPH}\n\n")
    assert first == ""
    between, _, last = rest.rpartition(f"{PARAGRAPH} {PARAGRAPH}\n")
    assert last == ""
    return between.removesuffix("\n\n")


def test_the_article_is_kept_and_everything_around_it_is_left_out() -> None:
    found = read_page(page("<h2>The tides</h2><p>They come twice a day.</p>"), ADDRESS)
    assert found.title == "Two ledgers"
    assert found.language == "en"
    assert found.markdown == (
        f"{PARAGRAPH}\n\n## The tides\n\nThey come twice a day.\n\n{PARAGRAPH} {PARAGRAPH}\n"
    )


@pytest.mark.parametrize(("lang", "text"), [("zh-CN", CHINESE), ("ja", JAPANESE)])
def test_chinese_and_japanese_articles_are_kept(lang: str, text: str) -> None:
    found = read_page(page("", lang=lang, text=text), ADDRESS)
    assert (found.outcome, found.language) == (Outcome.READABLE, lang)
    assert found.markdown == f"{text}\n\n{text} {text}\n"


CODE = 'def f(x):\n    """Say `hi`."""\n\n    return x < 2 & 1 * 3  # <b>\t_end_'
CODE_HTML = CODE.replace("&", "&amp;").replace("<", "&lt;")
CODE_SHAPES = {
    "class on code": (f'<pre><code class="language-python">{CODE_HTML}</code></pre>', "python"),
    "class on pre": (f'<pre class="lang-python">{CODE_HTML}</pre>', "python"),
    "attribute": (f'<pre lang="python">{CODE_HTML}</pre>', "python"),
    "hljs": (f'<pre><code class="hljs python">{CODE_HTML}</code></pre>', "python"),
    "wrapper": (f'<div class="highlight highlight-source-python"><pre>{CODE_HTML}</pre></div>', "python"),
    "spans": (
        f'<pre><code class="language-python"><i>{CODE_HTML[:3]}</i>{CODE_HTML[3:]}</code></pre>',
        "python",
    ),
    "line numbers": (
        f"""<table class="highlighttable"><tr><td class="linenos"><pre>1\n2\n3\n4</pre></td>
        <td class="code"><pre>{CODE_HTML}</pre></td></tr></table>""",
        "",
    ),
    "lines broken by elements": ("<pre>" + CODE_HTML.replace("\n", "<br>") + "</pre>", ""),
    "lines in blocks": (
        "<pre><code>" + "".join(f"<div>{line}</div>" for line in CODE_HTML.split("\n")) + "</code></pre>",
        "",
    ),
    "numbers and a button inside": (
        f'<pre><button>Copy</button><span class="lineno">1</span>{CODE_HTML}</pre>',
        "",
    ),
    "no language": (f"<pre>{CODE_HTML}</pre>", ""),
    "plain": (f'<pre><code class="language-text">{CODE_HTML}</code></pre>', ""),
}


@pytest.mark.parametrize(("shape", "language"), CODE_SHAPES.values(), ids=CODE_SHAPES.keys())
def test_code_is_kept_character_by_character_with_its_language(shape: str, language: str) -> None:
    assert markdown(shape) == f"```{language}\n{CODE}\n```"


def test_a_fence_is_longer_than_any_in_the_code() -> None:
    assert markdown("<pre>a\n```\nb</pre>") == "````\na\n```\nb\n````"


FORMULA = r"x_1^2 + \frac{a}{b}"
FORMULAS = {
    "katex": (
        '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
        f'<annotation encoding="application/x-tex">{FORMULA}</annotation></semantics></math></span>'
        '<span class="katex-html">x12</span></span>'
    ),
    "mathml": (
        "<math><semantics><mi>x</mi>"
        f'<annotation encoding="application/x-tex">{FORMULA}</annotation></semantics></math>'
    ),
    "mathjax": (
        '<span class="MathJax_Preview">x</span><span class="MathJax">x12</span>'
        f'<script type="math/tex">{FORMULA}</script>'
    ),
}


@pytest.mark.parametrize("shape", FORMULAS.values(), ids=FORMULAS.keys())
def test_a_formula_is_kept_once_as_its_tex(shape: str) -> None:
    assert (
        markdown(f"<p>Since {shape} holds, the tide turns.</p>")
        == f"Since ${FORMULA}$ holds, the tide turns."
    )


def test_a_formula_of_its_own_line_stands_between_double_signs() -> None:
    shape = FORMULAS["mathml"].replace("<math>", '<math display="block">')
    assert markdown(f"<p>{shape}</p>") == f"$${FORMULA}$$"


STRUCTURE = {
    "nested list": ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
    "numbered from three": ('<ol start="3"><li>three</li><li>four</li></ol>', "3. three\n4. four"),
    "item that is a link": (
        '<ul><li><a href="/a">only a link</a></li></ul>',
        "- [only a link](https://gazette.example/a)",
    ),
    "code beside words": ("<p>call<code>f(x)</code>now</p>", "call`f(x)`now"),
    "raised and lowered": ("<p>H<sub>2</sub>O and x<sup>2</sup>y</p>", "H₂O and x²y"),
    "quotation": ("<blockquote><p>High water.</p></blockquote>", "> High water."),
    "ruby": ("<p><ruby>港<rt>みなと</rt></ruby></p>", "港(みなと)"),
    "line break": ("<p>one<br>two</p>", "one  \ntwo"),
    "permalink": (
        '<h2>The tides<a class="headerlink" href="#t">¶</a></h2><p>Twice a day.</p>',
        "## The tides\n\nTwice a day.",
    ),
    "relative link": (
        '<p>See <a href="../a b.html?x=1">this</a>.</p>',
        "See [this](https://gazette.example/a%20b.html?x=1).",
    ),
    "angle brackets in a target": (
        '<p><a href="/a&lt;b&gt;">t</a></p>',
        "[t](https://gazette.example/a%3Cb%3E)",
    ),
    "parentheses in a target": ('<p><a href="/a_(b)">t</a></p>', "[t](https://gazette.example/a_(b))"),
    "mail": (
        '<p><a href="mailto:keeper@gazette.example">Write</a></p>',
        "[Write](mailto:keeper@gazette.example)",
    ),
}


@pytest.mark.parametrize(("content", "expected"), STRUCTURE.values(), ids=STRUCTURE.keys())
def test_structure_becomes_markdown(content: str, expected: str) -> None:
    assert markdown(content) == expected


TABLE = (
    "<table><tr><th>Port</th><th>High|low</th></tr>"
    "<tr><td><a href='/a'>Hull</a></td><td>3 m</td></tr>{}</table>"
)


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("", []),
        ("<tr><td>Leith</td></tr>", ["Leith"]),
        ("<tr><td colspan=2>no data</td></tr>", ["no data"]),
        ("<tr><td>a</td><td>b</td><td>c</td></tr>", ["a", "b", "c"]),
        ("<tr><td rowspan=2>x</td><td>y</td></tr><tr><td>z</td></tr>", ["x", "y", "z"]),
        ("<tr><td>one<br>two</td><td>three</td></tr>", ["one<br>two", "three"]),
    ],
)
def test_a_table_however_ragged_is_valid_and_loses_no_cell(row: str, cells: list[str]) -> None:
    lines = markdown(TABLE.format(row)).splitlines()
    rendered = MarkdownIt().enable("table").parse("\n".join(lines))
    assert [token.type for token in rendered].count("table_open") == 1
    assert rendered[-1].type == "table_close"
    assert "High\\|low" in lines[0]
    assert "[Hull](https://gazette.example/a)" in lines[2]
    assert all(any(cell in line for line in lines) for cell in cells)


def test_a_table_that_only_places_things_becomes_plain_blocks() -> None:
    found = markdown(
        "<table><tr><td><p>First part.</p><ul><li>a</li></ul></td><td>Second part.</td></tr></table>"
    )
    assert found.split() == ["First", "part.", "-", "a", "Second", "part."]
    assert "|" not in found


EMPHASIS = {
    "comma inside": ("<b>粗体，</b>后文", "**粗体**，后文"),
    "quotes": (
        "中文<b>“粗体”</b>后文",
        "中文“**粗体**”后文",
    ),
    "slanted": ("字<i>（斜）</i>字", "字（*斜*）字"),
    "before a space": ("<b>bold,</b> then", "**bold,** then"),
    "punctuation alone": ("字<b>。</b>字", "字。字"),
}


@pytest.mark.parametrize(("content", "expected"), EMPHASIS.values(), ids=EMPHASIS.keys())
def test_emphasis_beside_punctuation_still_shows(content: str, expected: str) -> None:
    assert markdown(f"<p>{content}</p>") == expected


LITERAL = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[a]: https://x.example",
    "![i](data:x)",
    "2*3*4",
    "_em_",
    "__init__",
    "snake_case_name",
    "`tick`",
    "~~gone~~",
    "&amp; and &#106;",
    "# heading",
    "1. one",
    "- dash",
    "> quote",
    "C:\\*",
    "a | b",
    "[^1]",
    "<https://x.example>",
    "***",
    "$5 and $6",
]


@pytest.mark.parametrize("literal", LITERAL)
def test_a_text_that_looks_like_markup_shows_as_it_stands(literal: str) -> None:
    escaped = literal.replace("&", "&amp;").replace("<", "&lt;")
    rendered = MarkdownIt().enable(["table", "strikethrough"]).parse(markdown(f"<p>Say {escaped} here</p>"))
    inline = [child for token in rendered for child in token.children or []]
    assert [token.type for token in rendered] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in inline} <= {"text", "text_special"}
    assert "".join(child.content for child in inline) == f"Say {literal} here"


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://x",
        "//",
        "http://[bad",
        "#part",
        "",
    ],
)
def test_no_target_but_web_and_mail_stays_a_link(target: str) -> None:
    found = markdown(f'<p>Go <a href="{target}">there</a> <img src="{target}" alt="p"> now</p>')
    targets = [
        str(child.attrs.get("href") or child.attrs.get("src"))
        for token in MarkdownIt().parse(found)
        for child in token.children or []
        if child.type in ("link_open", "image")
    ]
    assert all(found_target.startswith("https://gazette.example/") for found_target in targets)
    assert "script:" not in found
    assert "data:" not in found


@pytest.mark.parametrize(
    "picture",
    [
        '<img data-src="/boat.jpg" alt="A boat">',
        '<img src="data:image/gif;base64,R0" data-original="/boat.jpg" alt="A boat">',
        '<img srcset="/boat.jpg 1x, /boat2.jpg 2x" alt="A boat">',
        '<picture><source srcset="/boat.jpg 800w"><img alt="A boat"></picture>',
        '<img src="data:x" alt=""><noscript><img src="/boat.jpg" alt="A boat"></noscript>',
    ],
)
def test_a_picture_that_a_script_would_load_is_kept(picture: str) -> None:
    found = read_page(page(f"<figure>{picture}</figure>"), ADDRESS)
    assert "![A boat](https://gazette.example/boat.jpg)" in found.markdown
    assert found.images == ("https://gazette.example/boat.jpg",)


@pytest.mark.parametrize(
    "title",
    ['Tides: "high" # and low', "a\n\tb", "Ends with \\", "「潮」 — 100%", "--- yaml: no"],
)
def test_a_title_with_odd_characters_is_kept_on_one_line(title: str) -> None:
    found = read_page(page("", title=title.replace("&", "&amp;")), ADDRESS)
    assert found.title == " ".join(title.split())
    assert found.markdown.startswith(PARAGRAPH)


HEAD = """<link rel="canonical" href="https://www.gazette.example/ledgers">
<meta name="author" content="Ada Quay"><meta property="og:site_name" content="The Gazette">
<meta property="article:published_time" content="2026-03-04T05:06:07Z">
<meta name="description" content="How a harbour counts its tides.">"""


def test_what_a_page_tells_about_itself_is_kept() -> None:
    found = read_page(page("", head=HEAD), ADDRESS)
    told = (found.canonical_address, found.author, found.published, found.site, found.description)
    assert told == (
        "https://www.gazette.example/ledgers",
        "Ada Quay",
        "2026-03-04",
        "The Gazette",
        "How a harbour counts its tides.",
    )


@pytest.mark.parametrize(
    "told", ["https://other.example/x", "javascript:alert(1)", "https://u:p@gazette.example/"]
)
def test_a_canonical_address_elsewhere_is_not_believed(told: str) -> None:
    assert read_page(page("", head=f'<link rel="canonical" href="{told}">'), ADDRESS).canonical_address == ""


WALLS = {
    "cloudflare": (
        CHALLENGE,
        """<title>Just a moment...</title><body><div>Enable JavaScript and cookies to continue</div>
        <script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>""",
    ),
    "human": (
        CHALLENGE,
        "<title>Access to this page has been denied</title><body><div id=px-captcha></div>Press &amp; hold",
    ),
    "cookies": (CHALLENGE, "<title>Blocked</title><body><p>Please enable cookies to view this site.</p>"),
    "chinese check": (
        CHALLENGE,
        "<title>安全验证</title><body><p>请完成下方验证后继续操作</p>",
    ),
    "japanese check": (
        CHALLENGE,
        "<title>ロボットではないことの確認</title><body><p>私はロボットではありません</p>",
    ),
    "login": (
        LOGIN,
        "<title>Sign in</title><body><form>Email<input name=u>Password<input type=password></form>",
    ),
    "japanese login": (
        LOGIN,
        "<title>ログイン</title><body><form><input name=u><input type=password></form>",
    ),
    "german consent": (
        CONSENT,
        """<title>Die Zeitung</title><body><h1>Datenschutzeinstellungen</h1>
        <p>Wir und unsere Partner verwenden Cookies und Tracking.</p>
        <p>Mit Werbung lesen oder Einwilligung verwalten.</p><button>Alle akzeptieren</button>""",
    ),
    "japanese consent": (
        CONSENT,
        """<title>新聞</title><body><p>当サイトはCookieを使用します。</p>
        <p>プライバシー設定を変更できます。</p><button>同意する</button>""",
    ),
}


@pytest.mark.parametrize(("wall", "body"), WALLS.values(), ids=WALLS.keys())
def test_a_page_that_stands_in_front_of_another_is_told_as_blocked(wall: str, body: str) -> None:
    found = read_page(f"<!doctype html><html><head>{body}", ADDRESS)
    assert (found.outcome, found.reason, found.markdown) == (Outcome.BLOCKED, wall, "")


@pytest.mark.parametrize(
    "content",
    [
        "<p>Cookies and tracking: we value your privacy, says every banner. Accept all? Reject all?</p>",
        "<p>Are you a robot? Verify you are human, said the captcha. How does a security check work?</p>",
        "<form>Comment: sign in <input type=password> <div class='g-recaptcha'></div></form>",
    ],
)
def test_an_article_about_walls_is_no_wall(content: str) -> None:
    assert (
        read_page(page(content, title="Why every site asks for cookies"), ADDRESS).outcome is Outcome.READABLE
    )


def test_a_consent_banner_is_no_part_of_the_article() -> None:
    banner = '<div id="cookie-banner"><p>Wir verwenden Cookies. Alle akzeptieren oder ablehnen?</p></div>'
    found = read_page(page(banner), ADDRESS)
    assert found.outcome is Outcome.READABLE
    assert "Cookies" not in found.markdown


TEASERS = {
    "words": '<div class="box">Subscribe to continue reading this article.</div>',
    "japanese words": "<div>この記事は会員限定です。</div>",
    "linked data": (
        '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": "False"}</script>'
    ),
}


@pytest.mark.parametrize("sign", TEASERS.values(), ids=TEASERS.keys())
def test_the_beginning_of_a_paid_article_is_told_as_partial(sign: str) -> None:
    found = read_page(page(sign), ADDRESS)
    assert found.outcome is Outcome.PARTIAL
    assert PARAGRAPH in found.markdown


def test_a_thin_page_gives_the_text_of_its_linked_data() -> None:
    data = '{"@graph": [{"@type": ["Article"], "headline": "Tides", "articleBody": "%s"}]}' % (PARAGRAPH * 3)
    text = f'<html><head><script type="application/ld+json">{data}</script></head><body><div id=app></div>'
    found = read_page(text, ADDRESS)
    assert (found.outcome, found.title) == (Outcome.READABLE, "Tides")
    assert found.markdown == PARAGRAPH * 3 + "\n"


EMPTY = {
    "nothing": ("", NO_TEXT),
    "white space": (" \n ", NO_TEXT),
    "no text": ("<html><body><img src='/x.png'></body></html>", NO_TEXT),
    "program": (
        "<html><body><div id=root></div><script src='/app.js'></script></body></html>",
        NEEDS_BROWSER,
    ),
    "large program": (f"<html><body><script>{'x;' * 30_000}</script></body></html>", NEEDS_BROWSER),
}


@pytest.mark.parametrize(("text", "reason"), EMPTY.values(), ids=EMPTY.keys())
def test_a_page_without_text_is_empty_for_a_reason(text: str, reason: str) -> None:
    found = read_page(text, ADDRESS)
    assert (found.outcome, found.reason, found.markdown) == (Outcome.EMPTY, reason, "")


@pytest.mark.parametrize(
    "broken",
    [
        "<div>" * 5000,
        "<table><tr><td>" * 500,
        "<b><i>" * 3000,
        "\0\ufdd0\ud800",
        "<!--",
        "<p",
        "&#0;&#xfffe;",
    ],
)
def test_broken_markup_is_read_or_told_as_empty(broken: str) -> None:
    found = read_page(page(broken), ADDRESS)
    assert isinstance(found, Extracted)
    found.markdown.encode()


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_or_told_as_empty(text: str) -> None:
    found = read_page(text, ADDRESS)
    assert bool(found.markdown) == (found.outcome in (Outcome.READABLE, Outcome.PARTIAL))


def test_links_of_the_menu_do_not_follow_the_article() -> None:
    assert MENU[:20] not in read_page(page("<h2>Related</h2>" + f"<ul>{MENU}</ul>"), ADDRESS).markdown
