"""The front door for somebody with a browser: what this hall is, and how to play in it."""

from __future__ import annotations

import html

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dicehall.server.parts import ServerParts
from dicehall.wire.schemas import show_game

STYLE = """
:root { color-scheme: light dark }
body { font: 17px/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.2rem }
h1 { margin-bottom: .2rem }
code, pre { font-size: .95em; background: #8881; border-radius: .3rem; padding: .1rem .3rem }
pre { padding: .7rem; overflow: auto }
dt { font-weight: 600; margin-top: .6rem }
dd { margin: 0 }
"""


def front(parts: ServerParts) -> Route:
    url = html.escape(parts.settings.public_url)
    games = [show_game(game) for game in parts.hall.host.parts.games.values()]
    listed = "".join(f"<dt>{html.escape(game['name'])}</dt><dd>{html.escape(game['line'])}</dd>" for game in games)
    page = (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Dicehall</title><style>{STYLE}</style><main><h1>Dicehall</h1>"
        f"<p>This hall is open. Programs play here over HTTP and sockets: <a href='docs'>the API</a>, "
        f"<a href='openapi.json'>as data</a>. In a terminal, <code>dicehall play</code> plays the same games.</p>"
        f"<h2>The games</h2><dl>{listed}</dl>"
        f'<h2>Try it</h2><pre>curl -d \'{{"name": "Ann"}}\' {url}/api/accounts/guest</pre></main></html>'
    )

    async def show(_: Request) -> Response:
        return HTMLResponse(page)

    return Route("/", show)
