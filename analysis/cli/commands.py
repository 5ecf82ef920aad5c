"""The commands and their groups: the core's and those that extras bring."""

from __future__ import annotations

from functools import cache

from analysis.registry import Command, extras

GROUPS = ("Results", "Judges", "Next", "Share", "Extras", "Research")
"""Headings of the overview, in order."""

S = "sample:wmt14-cs-en"

CORE = (
    Command(
        "summary",
        "contents of a file, and warnings about it",
        "analysis.cli.summary",
        "Results",
        ("summary votes.csv", "summary sample:arena-people --json"),
    ),
    Command(
        "rank",
        "who won: scores, intervals, rank ranges and clusters by one method",
        "analysis.cli.rank",
        "Results",
        (f"rank {S} --method bradley-terry", "rank votes.csv --pairs --json"),
    ),
    Command(
        "compare",
        "the orders of several methods side by side",
        "analysis.cli.compare",
        "Results",
        (f"compare {S}", f"compare {S} --methods bojar,bradley-terry"),
    ),
    Command(
        "what-if",
        "what survives other methods and fewer judges, systems or segments; a claim checked",
        "analysis.cli.what_if",
        "Results",
        (
            f"what-if {S} --method expected-wins",
            f"what-if {S} --method bojar --better ONLINE-B --worse CU-MOSES",
        ),
    ),
    Command(
        "agreement",
        "how much judges agree with each other and with themselves",
        "analysis.cli.agreement",
        "Judges",
        (f"agreement {S}", f"agreement {S} --resamples 200 --json"),
    ),
    Command(
        "judges",
        "each judge's work, with a verdict",
        "analysis.cli.judges",
        "Judges",
        (f"judges {S}", "judges votes.csv --wide"),
    ),
    Command(
        "plan",
        "how many further tasks, at what cost, and when to stop; without FILE, a new campaign",
        "analysis.cli.plan",
        "Next",
        (
            f"plan {S} --method bojar --clusters 4 --cost-per-hour 20 --minutes-per-task 2",
            "plan --effect 0.1 --judges 10 --segments 200 --systems 5 -o tasks.csv",
        ),
    ),
    Command(
        "batch",
        "which ranking tasks to send out now",
        "analysis.cli.batch",
        "Next",
        (f"batch {S} --method bojar --tasks 20", "batch votes.csv --tasks 50 -o tasks.csv"),
    ),
    Command(
        "report",
        "finding, tables and methods as one HTML file",
        "analysis.cli.report",
        "Share",
        (f"report {S} -o report.html", "report votes.csv -o report.html --archive all.zip"),
    ),
    Command(
        "convert",
        "write a campaign in another format",
        "analysis.cli.convert",
        "Share",
        (f"convert {S} --to wmt-5way -o out.csv", "convert votes.json --to arena -o votes.csv"),
    ),
    Command(
        "verify",
        "recompute every number of an archive from the judgments in it",
        "analysis.cli.verify",
        "Share",
        ("verify all.zip", "verify without-judgments.zip votes.csv"),
    ),
    Command(
        "dashboard",
        "the pages in the browser, with your files open",
        "analysis.cli.dashboard",
        "Share",
        ("dashboard", "dashboard votes.csv --port 8600"),
    ),
    Command("apart", "which systems differ", "analysis.cli.apart", now="rank --pairs"),
    Command(
        "campaign", "all language pairs at once", "analysis.cli.all_pairs", now="rank --all-pairs"
    ),
    Command("stability", "robustness", "analysis.cli.what_if", now="what-if"),
    Command("claim", "a claim checked", "analysis.cli.what_if", now="what-if"),
    Command("next", "which tasks to send out", "analysis.cli.batch", now="batch"),
)


@cache
def commands() -> dict[str, Command]:
    """Return every command by name, old names among them, in the order of the groups."""
    found = [*CORE, *(one for extra in extras() for one in extra.commands)]
    found.sort(key=lambda one: GROUPS.index(one.group) if one.group in GROUPS else len(GROUPS))
    return {one.name: one for one in found}


@cache
def families() -> frozenset[str]:
    """Return the first words of commands that have two: "research", where an extra has studies."""
    return frozenset(name.split()[0] for name in commands() if " " in name)


def listed() -> dict[str, Command]:
    """Return the commands that the overview lists: those of today."""
    return {name: one for name, one in commands().items() if not one.now}
