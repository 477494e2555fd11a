"""Pages as the web has them, made for tests: an article in the middle of what surrounds it."""

from __future__ import annotations

PARAGRAPH = (
    "The harbour office keeps two ledgers, one for the tides and another for the ships that come and go. "
    "Every morning the keeper compares the water with the marks on the wall and writes down what he sees."
)
CHINESE = (
    "港务局保留两本账簿：一本记录潮汐，另一本记录船只的进出。"
    "每天早晨，管理员都会核对水位，并写下他看到的一切。"
)
JAPANESE = (
    "港湾事務所には帳簿が二冊あります。一冊は潮の記録、もう一冊は船の出入りの記録です。"
    "毎朝、係員が水位を確かめます。"
)
MENU = "".join(f'<li><a href="/s{n}">Section {n}</a></li>' for n in range(12))


def page(
    content: str, *, head: str = "", title: str = "Two ledgers", lang: str = "en", text: str = PARAGRAPH
) -> str:
    """A page whose article begins and ends with the same paragraph and holds the content between."""
    return f"""<!doctype html><html lang="{lang}">
<head><meta charset="utf-8"><title>{title}</title>{head}</head><body>
<header><nav><ul>{MENU}</ul></nav></header>
<main><article><h1>{title}</h1><p>{text}</p>{content}<p>{text} {text}</p></article></main>
<aside><h3>Most read</h3><ul>{MENU}</ul></aside>
<footer><p>Copyright 2026 The Harbour Gazette. All rights reserved.</p></footer></body></html>"""
