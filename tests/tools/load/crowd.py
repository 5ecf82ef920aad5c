"""A crowd of visitors: what each brings and does, drawn from a seed."""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass

import numpy as np

from tests.tools.load.visitor import View, Visitor, foreign_names

THINKING = (0.5, 3.0)
"""Seconds between what a user has seen and what the user does next."""
SYSTEMS, TASKS = 10, 1200
MARK = re.compile(r"(?<=-)qz\d\d|qz\d\d(?=-)")  # figures' base64 has no hyphen
LARGE = "large.csv"
METHODS = ("Expected Wins", "TrueSkill")
SAMPLES = ("WMT14 French–English", "WMT14 German–English", "WMT14 Hindi–English")


@dataclass(frozen=True)
class Crowd:
    """How many come, for how long, and how many of them bring a file of their own.

    Every third asks for TrueSkill with 1,000 runs, the others for Expected Wins. The first of those
    with a file gives ``large``, if it is given, once the others have settled, and leaves.
    """

    users: int
    seconds: float
    own_files: float
    seed: int = 0
    large: bytes = b""


async def visit(address: str, crowd: Crowd) -> list[View]:
    """Let the crowd in; return all that it saw, foreign names and breakdowns as failures."""
    until = time.monotonic() + crowd.seconds
    seen = await asyncio.gather(*(_stay(address, crowd, k, until) for k in range(crowd.users)))
    return [view for views in seen for view in views]


async def _stay(address: str, crowd: Crowd, user: int, until: float) -> list[View]:
    rng = random.Random(f"{crowd.seed}/{user}")
    own = user < round(crowd.own_files * crowd.users)
    method = METHODS[user % 3 == 2]
    settings = {"method": method}
    if not own:
        settings["campaign"] = rng.choice(SAMPLES)
    await asyncio.sleep(rng.uniform(0, THINKING[1]))
    views = []
    async with Visitor(address) as visitor:
        views.append(await visitor.open("result", **settings))
        if own:
            views.append(await visitor.give(f"{mark(user)}.csv", campaign_file(user)))
        if crowd.large and user == 0:
            await asyncio.sleep(crowd.seconds / 4)
            views.append(await visitor.give(LARGE, crowd.large))
            views[-1].page = LARGE
            until = 0.0
        while time.monotonic() < until:
            await asyncio.sleep(rng.uniform(*THINKING))
            views.append(await visitor.go_to(rng.choice(visitor.pages)))
    if strangers := foreign_names(views, MARK, mark(user)):
        views[-1].failed = f"user {user} saw names of {sorted(strangers)}"
    return views


def mark(user: int) -> str:
    """Return what stands in every name of a user's campaign and nowhere else."""
    return f"qz{user:02}"


def large_file(user: int, megabytes: float) -> bytes:
    """Return a campaign of that size: the tasks of a small one, judged anew on further segments."""
    head, *rows = campaign_file(user).decode().splitlines()
    judged = [row.split(",", 4)[4] for row in rows]
    parts, size = [head], len(head)
    for block in range(10**6):
        if size > megabytes * 1e6:
            break
        parts += [f"fra,eng,s{block}.{k // 3},{k // 3},{row}" for k, row in enumerate(judged)]
        size += sum(map(len, parts[-len(judged) :])) + len(judged)
    return ("\n".join(parts) + "\n").encode()


def campaign_file(user: int, tasks: int = TASKS) -> bytes:
    """Return a user's own campaign, WMT 5-way CSV; the systems carry the user's mark."""
    rng = np.random.default_rng(user)
    # before and behind, since figures leave out what all names have in common
    names = [f"{mark(user)}-{k}" if k % 2 else f"{k}-{mark(user)}" for k in range(SYSTEMS)]
    head = ["srclang", "trglang", "srcIndex", "segmentId", "judgeId"]
    head += [f"system{k}Id" for k in range(1, 6)] + [f"system{k}rank" for k in range(1, 6)]
    rows = [",".join(head)]
    quality = np.linspace(1, 0, SYSTEMS)
    for task in range(tasks):
        shown = rng.permutation(SYSTEMS)[:5]
        ranks = 1 + np.argsort(np.argsort(-(quality[shown] + rng.normal(0, 1, 5))))
        segment = task // 3
        row = ["fra", "eng", str(segment), str(segment), f"judge{task % 17}"]
        rows.append(",".join([*row, *(names[k] for k in shown), *map(str, ranks)]))
    return ("\n".join(rows) + "\n").encode()
