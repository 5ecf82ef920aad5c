"""The ways by which a stranger's bytes come in, and what each is made to do with them.

Every door returns ``ok`` or ``refused``. An error of a library that a guard caught counts as one
that came out: each has a place where it is to be told in better words.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import api as front_door
from analysis.campaign import UNNAMED_JUDGE, Campaign, Selection, segment_numbers
from analysis.errors import PodiumError
from analysis.extras.llm_judges.agreement import agreement_beside
from analysis.extras.llm_judges.beside import lay_beside
from analysis.extras.llm_judges.prediction_powered import draw_votes, prediction_powered
from analysis.extras.llm_judges.statistics import statistic
from analysis.extras.metrics.beside_people import PeoplesScores, beside_people
from analysis.extras.metrics.reading import read_metrics
from analysis.extras.scores.reading import Choices, read_scores
from analysis.formats import Profile, first_rows, read_many
from analysis.formats.mapping import apply_to, guess
from analysis.judges.agreement import agreement, judged_once
from analysis.judges.judge_table import judges
from analysis.names import short_names
from analysis.next_campaign.batch import Batch, Task, read_tasks
from analysis.rankers import RANKERS
from analysis.ranking.certainty import Certainty
from analysis.ranking.preflight import preflight
from analysis.reporting.deck.slides import NOTHING, Arrangement, Slide, Table
from dashboard.session import link, session_file
from tests.tools.fuzz.mutators import damage

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"
Files = list[tuple[str, bytes]]


@dataclass(frozen=True)
class Source:
    """Whole content of some kind, as it is before it is damaged."""

    kind: str
    data: bytes


@dataclass(frozen=True)
class Door:
    """One way in: how often it is tried, what comes, and what is done with it."""

    share: float
    sources: Callable[[], tuple[Source, ...]]
    enter: Callable[[Files], str]


def refuses(error: PodiumError) -> str:
    """Return ``refused`` for an error that says what is wrong and what to do, in one line."""
    if error.__cause__ is not None:
        raise error.__cause__
    assert error.got
    assert error.remedy
    assert "\n" not in str(error)
    return "refused"


def look_at(campaign: Campaign) -> None:
    """Do what pages do with a campaign before any method is chosen."""
    assert len(campaign.fingerprint) == 12
    short_names(campaign.systems)
    segment_numbers(campaign.segments)
    # Judges take most of the time, so one campaign of four shows its own; of unnamed ones no page
    # does unless it is asked to.
    named = campaign.judges != (UNNAMED_JUDGE,) or campaign.n_tasks < 1_000_000
    with_judges = named and int(campaign.fingerprint, 16) % 4 == 0
    pair = campaign.pairs[0]
    # A step may say in words that these judgments are not enough for it.
    with suppress(PodiumError):
        found = campaign.judgments(pair)
        assert len(found.counts.wins) == found.n_systems
        assert all(finding.remedy for finding in preflight(found))
        RANKERS["expected-wins"]().fit(found)
        if with_judges:
            judges(found)
    if with_judges:
        with suppress(PodiumError):
            agreement(judged_once(campaign, pair), runs=20)


def judgments(files: Files) -> str:
    """An upload, or files on the command line."""
    try:
        campaign, report = read_many(files)
    except PodiumError as error:
        return refuses(error)
    assert report.sentences()
    assert report.n_tasks == campaign.n_tasks > 0
    look_at(campaign)
    return "ok"


def renamed(files: Files) -> str:
    """Judgments whose columns are called otherwise."""
    try:
        campaign, _ = front_door.read(files[0], mapping={"system1Id": "system1Id"})
    except PodiumError as error:
        return refuses(error)
    look_at(campaign)
    return "ok"


def guessed(files: Files) -> str:
    """Tables with columns of any names, read as they seem to mean."""
    name, data = files[0]
    try:
        table = first_rows(data, name)
        found = guess(table)
        profile = found.profile
        assert 0 <= found.confidence <= 1
        assert Profile.from_yaml(profile.to_yaml()) == profile
        assert Profile.from_link(profile.to_link()) == profile
        apply_to(table.table(), profile, name)
        campaign, _ = read_many(files, mapping=profile)
    except PodiumError as error:
        return refuses(error)
    look_at(campaign)
    return "ok"


def profiles(files: Files) -> str:
    """What a profile says of columns, for a table that is whole."""
    try:
        profile = Profile.from_yaml(files[0][1])
        assert Profile.from_yaml(profile.to_yaml()) == profile
        read_many([("votes.csv", _VOTES_BY_OTHER_NAMES)], mapping=profile)
    except PodiumError as error:
        return refuses(error)
    return "ok"


def attributes(files: Files) -> str:
    """A table about the systems, beside judgments that are whole."""
    judged = ("judgments.csv", (EXAMPLES / "wmt-5way.csv").read_bytes())
    try:
        campaign, report = read_many([judged, *files])
    except PodiumError as error:
        return refuses(error)
    assert report.sentences()
    assert all(len(one) for one in campaign.attributes)
    look_at(campaign)
    return "ok"


def machines(files: Files) -> str:
    """A machine's votes, beside those of people."""
    people, _ = read_many([("", (EXAMPLES / "arena.csv").read_bytes())])
    try:
        machine, _ = read_many(files)
        found = lay_beside(people, machine, "machine")
        agreement_beside(found)
        prediction_powered(draw_votes(found, 10), statistic("win-share"))
    except PodiumError as error:
        return refuses(error)
    return "ok"


def sessions(files: Files) -> str:
    """A session that somebody saved."""
    try:
        fitting = session_file.fit(session_file.read(files[0][1]), _campaign())
        written = session_file.write(fitting.saved)
        assert session_file.read(written.encode()) == fitting.saved
        _campaign().judgments(_campaign().pairs[0], fitting.saved.selection)
    except PodiumError as error:
        return refuses(error)
    return "ok"


def scores(files: Files) -> str:
    """Tables of scores and labels, relevance and runs."""
    beside = {"run": "relevance.txt", "rel": "run-good.txt"}.get(files[0][0][:3])
    whole = [(source.kind, source.data) for source in _scores() if source.kind == beside]
    try:
        board = read_scores([*files, *whole], Choices(runs=100))
    except PodiumError as error:
        return refuses(error)
    board.to_frame()
    return "ok"


def metrics(files: Files) -> str:
    """Scores of automatic metrics, measured beside people's."""
    people = PeoplesScores(("alder", "birch"), ("1", "2"), np.eye(2), np.array([1.0, 2.0]))
    try:
        beside_people(people, read_metrics(*files[0]).metrics)
    except PodiumError as error:
        return refuses(error)
    return "ok"


def sent(files: Files) -> str:
    """Tasks that were sent out, filled in or not."""
    try:
        read_tasks(files[0][1], files[0][0], "fra-eng")
    except PodiumError as error:
        return refuses(error)
    return "ok"


def links(files: Files) -> str:
    """What a link says of the judgments that count."""
    campaign = _campaign()
    chosen = link.decode(files[0][1].decode(errors="replace"), campaign)
    try:
        campaign.judgments(campaign.pairs[0], chosen)
    except PodiumError as error:
        return refuses(error)
    return "ok"


@cache
def _judgments() -> tuple[Source, ...]:
    paths = sorted(p for p in EXAMPLES.rglob("*.*") if p.suffix != ".md")
    kept = [path for path in paths if path.parent.name not in ("scores", "metrics")]
    whole = tuple(Source("".join(path.suffixes[-2:]), path.read_bytes()) for path in kept)
    return (*whole, *_other_shapes("scores.csv"), *_other_shapes("wide-judges.json"))


def _other_shapes(name: str) -> tuple[Source, ...]:
    """Return an example in the other shapes that a table may have."""
    path = EXAMPLES / name
    table = pd.read_csv(path) if path.suffix == ".csv" else pd.read_json(path)
    packed = io.BytesIO()
    table.to_parquet(packed, index=False)
    kind = path.stem
    return (
        Source(f"{kind} .csv", table.to_csv(index=False).encode()),
        Source(f"{kind} .json", table.to_json(orient="records").encode()),
        Source(f"{kind} .jsonl", table.to_json(orient="records", lines=True).encode()),
        Source(f"{kind} .parquet", packed.getvalue()),
    )


@cache
def _tables() -> tuple[Source, ...]:
    return tuple(source for source in _judgments() if source.kind.startswith(".csv"))


@cache
def _of_other_names() -> tuple[Source, ...]:
    return (
        Source("pairs", _VOTES_BY_OTHER_NAMES),
        Source(
            "wide",
            b"sentence,who,rank_alder,rank_birch,rank_cedar\n" + b"7,ann,1,2,3\n8,bob,2,1,1\n" * 6,
        ),
        Source(
            "long",
            b"item;model;worker;grade\n" + b"7;alder;ann;80\n7;birch;ann;71\n8;alder;bob;35\n" * 6,
        ),
    )


_VOTES_BY_OTHER_NAMES = b"item,engine_one,engine_two,better,length_one,length_two,who\n" + b"".join(
    f"{k % 7},{a},{b},{(a, b, 'same', 'A')[k % 4]},{k},{40 - k},w{k % 3}\n".encode()
    for k, (a, b) in enumerate([("alder", "birch"), ("birch", "cedar"), ("cedar", "alder")] * 10)
)


@cache
def _profiles() -> tuple[Source, ...]:
    return (
        Source(
            "short",
            b"columns: {system_a: engine_one, system_b: engine_two, winner: better, judge: who}\n"
            b"winners: {same: tie, A: a}\n",
        ),
        Source(
            "long",
            b"podium: 1\ncolumns:\n  system_a: engine_one\n  system_b: engine_two\n"
            b"  winner: better\n  segment: item\n  judge: who\n  attributes: [length_one]\n"
            b"outputs:\n  length: [length_one, length_two]\nwinners:\n  same: tie\n  A: a\n"
            b"better: lower\n",
        ),
        Source(
            "wide",
            b"columns:\n  ranks: [length_one, length_two]\n  systems: [engine_one, engine_two]\n",
        ),
    )


@cache
def _about_systems() -> tuple[Source, ...]:
    names = _campaign().systems
    rows = [f"{name},{('open', 'closed')[k % 2]},{k * 1.5},{k}B" for k, name in enumerate(names)]
    table = "\n".join(["system,license,size,words", *rows, ""]).encode()
    return Source(".csv", table), Source(".tsv", table.replace(b",", b"\t"))


@cache
def _votes_of_machines() -> tuple[Source, ...]:
    table = pd.read_csv(EXAMPLES / "arena.csv", dtype=str).assign(judge="gpt")
    packed = io.BytesIO()
    table.to_parquet(packed, index=False)
    return (
        Source(".csv", table.to_csv(index=False).encode()),
        Source(".jsonl", table.to_json(orient="records", lines=True).encode()),
        Source(".parquet", packed.getvalue()),
    )


@cache
def _sessions() -> tuple[Source, ...]:
    campaign = _campaign()
    pair = campaign.pairs[0]
    table = Table(("System", "Score"), (("a", "1"),), (False, True))
    slide = Slide("result.a", "Two judges", table, "judges", "Judges")
    lines = Slide("result.b", "It holds", NOTHING, "stability", "Stability")
    deck = Arrangement(("standings", "data"), frozenset({"next"}), (slide, lines), {"data": "slow"})
    full = session_file.SavedSession(
        data=campaign.fingerprint,
        title="a.csv",
        page="judges",
        pair=pair,
        preset="wmt14",
        certainty=Certainty("marginal", unit="task", runs=500, level=0.9, seed=7),
        selection=Selection(
            "collapsed", (campaign.systems[0],), ("judge*",), ("judge1",), (1, 900), True
        ),
        decks={pair: deck},
        words={"report.note": "Ours", "report.sections": ["standings"], "anonymous": True},
    )
    other = session_file.SavedSession(data="0123456789ab", sample="wmt14-fr-en")
    return Source("full", session_file.write(full).encode()), Source(
        "short", session_file.write(other).encode()
    )


@cache
def _scores() -> tuple[Source, ...]:
    paths = sorted((EXAMPLES / "scores").iterdir())
    return tuple(Source(path.name, path.read_bytes()) for path in paths if path.suffix != ".md")


@cache
def _metrics() -> tuple[Source, ...]:
    table = (EXAMPLES / "metrics" / "metrics.csv").read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("metric-scores/en-de/BLEU-refA.sys.score", "alder\t30.5\nbirch\t20\n")
        archive.writestr("metric-scores/en-de/COMET.seg.score", "alder\t.5\nbirch\tNone\n")
    return Source(".csv", table), Source(".zip", packed.getvalue())


@cache
def _sent() -> tuple[Source, ...]:
    shown = [("a", "b", "c"), ("b", "d"), ("é", "C D", "a", "b")]
    tasks = tuple(Task(str(k), f"judge{k % 3}", shown[k % 3], k % 2 == 0) for k in range(12))
    return (Source("batch", Batch("fra-eng", "at random", 0, tasks).to_csv()),)


@cache
def _campaign() -> Campaign:
    return read_many([("", (EXAMPLES / "wmt-5way.csv").read_bytes())])[0]


@cache
def _links() -> tuple[Source, ...]:
    return (Source("link", b"x0.2-3_j1_s10-200_c_r"), Source("link", b"o0-99999_s1-9"))


DOORS: dict[str, Door] = {
    "judgments": Door(0.55, _judgments, judgments),
    "renamed": Door(0.03, _tables, renamed),
    "guessed": Door(0.05, _of_other_names, guessed),
    "profiles": Door(0.05, _profiles, profiles),
    "attributes": Door(0.04, _about_systems, attributes),
    "machines": Door(0.06, _votes_of_machines, machines),
    "sessions": Door(0.06, _sessions, sessions),
    "scores": Door(0.08, _scores, scores),
    "metrics": Door(0.03, _metrics, metrics),
    "sent": Door(0.03, _sent, sent),
    "links": Door(0.02, _links, links),
}


@dataclass(frozen=True)
class Attempt:
    """What a seed makes: a door, the kind of file that is damaged, and the files."""

    door: str
    kind: str
    files: Files

    def enter(self) -> str:
        """Go in; return how it ended."""
        return DOORS[self.door].enter(self.files)


def make(seed: int) -> Attempt:
    """Return the files of a seed: one damaged file, now and then a whole one beside it."""
    rng = np.random.default_rng(seed)
    name = str(rng.choice(list(DOORS), p=[door.share for door in DOORS.values()]))
    sources = DOORS[name].sources()
    source = sources[int(rng.integers(len(sources)))]
    files = [(source.kind, damage(source.data, rng))]
    if name == "judgments" and rng.integers(20) == 0:
        files.append(("whole", sources[int(rng.integers(len(sources)))].data))
    return Attempt(name, source.kind, files)
