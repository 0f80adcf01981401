"""What ``dicehall serve`` prints once its hall answers: where it is, how to reach it from a phone, how to stop it."""

from __future__ import annotations

import sys
import webbrowser
from ipaddress import ip_address
from threading import Thread
from urllib.parse import urlsplit

import segno


def greet(url: str, db: str, *, terminal: bool) -> None:
    """One line everywhere, so that scripts can wait for it; the hints below it are for a person at a terminal."""
    print(f"Dicehall is running at {url}. Press Ctrl-C to stop.", flush=True)
    if terminal:
        give_hints(url, db)


def give_hints(url: str, db: str) -> None:
    print(f"Games are stored in {db}. API docs: {url}/docs")
    if is_loopback(urlsplit(url).hostname or ""):
        print("Only this machine can reach it. To play with phones on your network, add --host 0.0.0.0.", flush=True)
        return
    print("Join from a phone:")
    segno.make(url).terminal(out=sys.stdout, compact=True)
    sys.stdout.flush()


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def open_browser(url: str) -> None:
    """In a thread of its own: some browsers keep the caller waiting for as long as they run."""
    Thread(target=show_page, args=(url,), daemon=True).start()


def show_page(url: str) -> None:
    try:
        opened = webbrowser.open(url)
    except webbrowser.Error:
        opened = False
    if not opened:
        print(f"No browser could be started. Open {url} yourself.", file=sys.stderr, flush=True)
