"""``python -m dicehall`` is ``dicehall``."""

from __future__ import annotations

import signal


def run() -> None:
    """While modules are loaded Ctrl-C simply ends the process, without a traceback."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from dicehall.games import catalogue
    from dicehall.launch.main import run as run_command

    catalogue()  # loads the games, and keeps them
    signal.signal(signal.SIGINT, usual)
    run_command()


if __name__ == "__main__":
    run()
