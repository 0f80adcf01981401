"""The programs that take screenshots, where they overwrite nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import window_screens


def test_help_for_the_windows_screenshots_takes_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def too_far() -> None:
        raise AssertionError("It would have overwritten the pictures of docs/screens.")

    monkeypatch.setattr(window_screens, "prepare", too_far)
    with pytest.raises(SystemExit) as ended:
        window_screens.main(["--help"])
    assert ended.value.code == 0
    assert "--out" in capsys.readouterr().out


def test_the_windows_screenshots_can_be_written_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER", "PYGAME_HIDE_SUPPORT_PROMPT", "DICEHALL_DATA"):
        monkeypatch.setenv(name, "")  # put back as they were
    monkeypatch.setattr(window_screens, "SIZES", {"small": (900, 600)})
    for scene in ("doordice", "others"):
        monkeypatch.setattr(window_screens, scene, lambda camera: None)
    assert window_screens.main(["--out", str(tmp_path / "looks")]) == 0
    assert sorted(file.name for file in (tmp_path / "looks").iterdir()) == [
        "window-new-table-small.png",
        "window-rules-small.png",
        "window-start-small.png",
    ]
