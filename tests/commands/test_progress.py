"""Does long work tell how far it is, and last of all that it is done?"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from vademecum.commands.terminal import Progress


def told_of(
    moments: Sequence[float], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What is said of work whose steps are done at those moments, in seconds."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Progress("Working", len(moments)) as progress:
        for done, moment in enumerate(moments, start=1):
            now[0] = moment
            progress.at(done)
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("moments", "lines"),
    [
        ([1, 2, 3], []),
        ([1, 6, 7], ["Working: 2 of 3", "Working: 3 of 3"]),
        ([1, 2, 6], ["Working: 3 of 3"]),
        ([6, 12, 18], ["Working: 1 of 3", "Working: 2 of 3", "Working: 3 of 3"]),
        ([], []),
    ],
)
def test_work_that_takes_long_tells_its_end_once(
    moments: list[float],
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert told_of(moments, monkeypatch, capsys) == lines


def test_work_that_failed_does_not_say_that_it_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("vademecum.commands.terminal._LINE_SECONDS", 0)

    def work() -> None:
        with Progress("Working", 3) as progress:
            progress.at(1)
            monkeypatch.setattr("vademecum.commands.terminal._LINE_SECONDS", 9)
            progress.at(2)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        work()
    assert capsys.readouterr().err == "Working: 1 of 3\n"


def test_at_a_terminal_the_bar_goes_when_the_work_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("vademecum.commands.terminal._REDRAW_SECONDS", 0)
    with Progress("Working", 0) as progress:
        progress.of(1, 2)
        progress.of(2, 2)
    drawn = capsys.readouterr().err.split("\r")
    assert [text.rsplit("] ")[-1] for text in drawn if "Working" in text] == ["1 of 2", "2 of 2"]
    assert drawn[-1] == ""
