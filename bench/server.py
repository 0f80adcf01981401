"""The server under load, against boardgame.io's own server: see bench/load/main.py, or --help."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.load.main import main

if __name__ == "__main__":
    main()
