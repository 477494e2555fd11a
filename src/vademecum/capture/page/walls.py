"""Is this the page that was wanted, or one that stands in front of it?"""

from __future__ import annotations

import re

from vademecum.capture.page.metadata import title_of
from vademecum.capture.page.trees import Element, texts, words

CHALLENGE = "challenge page"
LOGIN = "login page"
CONSENT = "consent page"

_SHORT = 1500  # characters that a wall has at most
_FEW = 500  # characters that an extractor finds at most on a challenge or login page
_TEASER = 1500  # characters of an article under which words of a paywall mean something
_TITLE_SIZE = 120

_CHALLENGE_TITLES = re.compile(
    r"just a moment|attention required|access (to this page has been )?denied|verify(ing)? (that )?you are"
    r"|are you (a )?(robot|human)|robot check|human verification|security (check|verification)"
    r"|checking your browser"
    r"|please wait|ddos[- ]guard|one moment|pardon our interruption|captcha|blocked|403 forbidden"
    r"|安全验证|人机验证|访问(受限|验证|过于频繁)|请稍候|验证码|しばらくお待ち|ロボットではない|アクセスが(拒否|制限)",
    re.IGNORECASE,
)
_CHALLENGE_WORDS = re.compile(
    r"(enable|turn on|activate|requires?) (javascript and )?cookies|cookies (are|must be) (disabled|enabled)"
    r"|javascript and cookies to continue|checking (if the site connection is secure|your browser)"
    r"|verify(ing)? (that )?you are (a )?(human|not a (ro)?bot)|unusual (traffic|activity)"
    r"|complete the security check"
    r"|i am not a robot|ray id|请(启用|开启|打开).{0,6}cookie|完成(下方|以下|安全)?.{0,6}验证|拖动.{0,8}滑块"
    r"|cookie.{0,6}(を有効|が無効)|ロボットではありません|cookies? aktivieren",
    re.IGNORECASE,
)
_CHALLENGE_MARKS = re.compile(
    r"challenge-platform|cf[-_]chl|cf-turnstile|px-captcha|datadome|_incapsula_|ddos-guard|awswaf|geo\.captcha"
    r"|h-captcha|g-recaptcha|arkoselabs|perimeterx",
    re.IGNORECASE,
)
_LOGIN_WORDS = re.compile(
    r"\b(log|sign)[ -]?(in|on)\b|anmelden|einloggen|connexion|iniciar sesi"
    r"|登录|登入|登錄|ログイン|サインイン|로그인",
    re.IGNORECASE,
)
_CONSENT_WORDS = re.compile(
    r"we (value|respect|care about) your privacy|(we|wir|our) (and|und) (our|unsere) \w{0,10} ?partners?"
    r"|before you continue|accept all( cookies)?|reject all|manage (your )?(cookies|choices|preferences)"
    r"|cookies? (akzeptieren|zustimmen|einwilligung)|alle akzeptieren|zustimmen und weiter|einwilligung"
    r"|mit werbung (lesen|weiterlesen|nutzen)|privatsph(ä|ae)re|tracking|datenschutzeinstellungen"
    r"|tout accepter|aceptar todo|クッキー|cookie.{0,12}(同意|許可|使用)"
    r"|同意(する|して)|プライバシー(設定|を)"
    r"|全部接受|接受所有|隐私(设置|政策)|隱私",
    re.IGNORECASE,
)
_PAYWALL_WORDS = re.compile(
    r"(subscribe|sign in|log in|register|become a member|free trial)\b.{0,30}"
    r"\bto (continue|keep|read|access|unlock)"
    r"|(continue|keep) reading (this|with|the full)|subscribers? only|already a subscriber"
    r"|remaining .{0,20}articles?"
    r"|weiterlesen mit|abonnent|jetzt (abonnieren|testen)|exklusiv für|réservé aux abonnés"
    r"|(会員|有料)(限定|記事|会員)|続きを読むには|残り.{0,8}文字|この記事は.{0,12}(会員|有料)"
    r"|登录后.{0,6}(阅读|查看|继续)|订阅后|付费(阅读|内容)|开通会员|阅读全文需",
    re.IGNORECASE,
)


def wall_of(tree: Element, article: str) -> str:
    """Which wall the page is, empty when it is none (cases P09, P10). `article` is the text taken from it.

    Only a page that says little can be a wall: articles speak of cookies and robots too.
    """
    body = tree.find("body")
    seen = _visible(body) if body is not None else ""
    if len(article) > _SHORT or len(seen) > 4 * _SHORT:
        return ""
    title = title_of(tree)[:_TITLE_SIZE]
    if len(article) < _FEW and _is_challenge(tree, title, seen):
        return CHALLENGE
    secrets = (
        [] if body is None else [field for field in body.iter("input") if field.get("type") == "password"]
    )
    if secrets and len(article) < _FEW and len(seen) < _SHORT and _LOGIN_WORDS.search(f"{title} {seen}"):
        return LOGIN
    asks = len(_CONSENT_WORDS.findall(seen)) >= 3 and _is_all_about(_CONSENT_WORDS, article or seen)
    return CONSENT if asks and len(seen) < 2 * _SHORT else ""


def _is_challenge(tree: Element, title: str, seen: str) -> bool:
    signs = bool(_CHALLENGE_TITLES.search(title)) + bool(_CHALLENGE_WORDS.search(seen))
    if len(seen) < _SHORT and signs < 2:
        signs += any(
            _CHALLENGE_MARKS.search(" ".join((*element.attrib.values(), (element.text or "")[:5000])))
            for element in tree.iter("script", "div", "iframe", "form", "link")
        )
    return signs >= 2 and len(seen) < _SHORT


def _is_all_about(pattern: re.Pattern[str], text: str) -> bool:
    """Whether so much of a short text matches that it has no other subject."""
    sentences = [part for part in re.split(r"[.!?。！？\n]+", text) if part.strip()]
    return sum(bool(pattern.search(part)) for part in sentences) * 3 >= len(sentences)


def _visible(body: Element) -> str:
    """The text of the page on one line, buttons and forms with it."""
    return " ".join(" ".join(text for _, text, _ in texts(body)).split())


def is_teaser(tree: Element, article: str, free: bool | None) -> bool:
    """Whether the text is the beginning of an article that the reader must pay or sign in for (cases P10)."""
    if len(article) > _TEASER:
        return False
    body = tree.find("body")
    return free is False or (body is not None and _PAYWALL_WORDS.search(words(body)[:20_000]) is not None)
