"""The server that a campaign kills: `python -m tools.campaign_serve [--bug NAME] [--archive] WORDS OF dicehall serve`.

Without options it is `dicehall serve` itself. A bug is switched in from outside before it begins; with --archive
finished tables go to the archive at once instead of some minutes after their end.
"""

from __future__ import annotations

import os
import sys

from dicehall.launch.main import run


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--bug"]:
        from tools.campaign_bugs import BUGS

        BUGS[words[1]].switch_in(os.environ["DICEHALL_DB"])
        words = words[2:]
    if words[:1] == ["--archive"]:
        from dicehall.table import cluster, host
        from tools.campaign_bugs import patch

        patch(host, "KEEP_MS", 0)
        patch(cluster, "KEEP_MS", 0)
        patch(cluster, "ARCHIVE_MS", 0)
        words = words[1:]
    sys.argv[1:] = ["serve", *words]
    run()


if __name__ == "__main__":
    main()
