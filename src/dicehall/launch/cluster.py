"""``--cluster``: a Dask cluster for long runs, or a sentence that says why it cannot be used."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dicehall.launch.output import Failed
from dicehall.wire.errors import clipped

if TYPE_CHECKING:
    from dicehall.lab.simulator import Pool

INSTALL = "pip install 'dicehall[cluster]'"


def add_cluster(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="share the work with a Dask cluster, such as tcp://10.0.0.5:8786"
    )


@contextmanager
def cluster_of(options: argparse.Namespace) -> Iterator[Pool | None]:
    """The cluster that was asked for; None where nobody asked."""
    if options.cluster is None:
        yield None
        return
    if find_spec("distributed") is None:
        raise Failed(f"--cluster needs Dask, which is not installed here: {INSTALL}")
    from dicehall.lab.cluster import ClusterError, cluster_at

    for name in ("distributed", "tornado"):  # what they would say is said in one sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with cluster_at(clipped(options.cluster)) as cluster:
            yield cluster
    except ClusterError as error:
        raise Failed(str(error), 1) from None
