"""``dicehall desktop`` on the command line."""

from __future__ import annotations

import pytest

from dicehall.games import catalogue
from dicehall.launch import desktop
from dicehall.launch.main import main


def test_without_pygame_a_sentence_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(desktop, "find_spec", lambda name: None)
    assert main(["desktop"], catalogue()) == 2
    told = capsys.readouterr().err
    assert "The window needs pygame-ce" in told
    assert 'pip install "pygame-ce>=2.5"' in told


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["chess"], "There is no game 'chess'"),
        (["--size", "big"], "A window size looks like 1280x800, not 'big'."),
        (["--size", "-1x5"], "A window size looks like 1280x800, not '-1x5'."),
    ],
)
def test_what_is_wrong_is_said(options: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["desktop", *options], catalogue()) == 2
    assert why in capsys.readouterr().err


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["desktop", "--help"], catalogue())
    assert "dicehall desktop doordice --sound" in capsys.readouterr().out


@pytest.mark.parametrize("driver", ["nonsense", None], ids=["unknown driver", "no screen"])
def test_without_a_screen_a_sentence_says_so(
    driver: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    if driver:
        monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    else:
        monkeypatch.setattr("pygame.display.init", lambda: None)
        monkeypatch.setattr("pygame.display.get_driver", lambda: "offscreen")
    assert main(["desktop"], catalogue()) == 2
    assert "No window can be opened here" in capsys.readouterr().err
