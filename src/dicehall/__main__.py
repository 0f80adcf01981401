"""``python -m dicehall`` is ``dicehall``."""

from dicehall.launch.main import run

run()
