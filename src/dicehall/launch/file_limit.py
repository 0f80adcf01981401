"""How many files a process may open: every connection is one, so the limit is raised as far as it goes."""

from __future__ import annotations

import resource

from dicehall.launch.output import Failed

WANTED = 65_536
LEAST = 128  # with fewer, the hall could not serve anybody beside its own files
OWN = 64  # files that are not connections: the store, its readers, bots


def raise_file_limit() -> int:
    """Raise the limit to what a busy hall needs, or to what this process is allowed; fail where that is too little."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    if soft != resource.RLIM_INFINITY and soft < LEAST:
        raise Failed(f"This process can open only {soft} files, and a hall needs at least {LEAST}: try ulimit -n 4096.")
    return soft


def most_connections() -> int:
    """How many connections fit under the limit."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (WANTED if soft == resource.RLIM_INFINITY else soft) - OWN
