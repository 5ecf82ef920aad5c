"""Sample campaigns that need no download: simulated ones, and real ones whose license allows it.

The opening sample is drawn from a model of WMT13's French–English judgments (see
``data/samples/README.md``), ten more from what WMT14 printed.

Published are, for each of ten language pairs, the number of judgments, the head-to-head table,
inter and intra κ (Bojar et al. 2014, tables 3–5 and 28–37), the accuracy of three methods and of
the best possible constant prediction (Table 7), and for one of them three methods' orders (Table
9). ``tests/tools/wmt14_sample.py`` drew rankings that have all of these; a test draws them anew.
"""

from __future__ import annotations

import dataclasses
import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from analysis import published
from analysis.campaign import Campaign, FloatArray, IntArray
from analysis.campaign.campaign import tabulate_tasks
from analysis.errors import PodiumError, unknown
from analysis.formats import read_path
from analysis.formats.rankings import NO_PAIR
from analysis.languages import pair_key
from analysis.wording import thousands

_LANGUAGES = {"cs": "Czech", "de": "German", "fr": "French", "ru": "Russian", "hi": "Hindi"}
N_WAY = 5
"""Outputs of a ranking task."""


@dataclass(frozen=True)
class Sample:
    """A sample campaign as the picker shows it; `line` says in one line what is in it.

    One that is not drawn anew has a ``file`` in ``data/samples``, and says what it is
    ``simulated_from`` if it is. Real judgments have a source and a license, and ``machines`` that
    judged the same: a file each beside it, by their names.
    """

    name: str
    title: str
    pair: str
    told: str = ""
    file: str = ""
    source: str = ""
    license: str = ""
    simulated_from: str = ""
    machines: tuple[str, ...] = ()

    @property
    def is_real(self) -> bool:
        """Whether people gave these judgments; they are simulated otherwise."""
        return bool(self.license)

    @property
    def line(self) -> str:
        """What is in it; for one drawn from published figures, these are read first."""
        if self.told:
            return self.told
        systems = len(published.wmt14_head_to_head(self.pair).systems)
        judgments = thousands(published.wmt14_n_judgments(self.pair))
        return f"{systems} systems, {judgments} judgments, from published figures"


SAMPLES: dict[str, Sample] = {
    f"wmt14-{pair}": Sample(f"wmt14-{pair}", f"WMT14 {title} (simulated)", pair)
    for code, language in _LANGUAGES.items()
    for pair, title in (
        (f"{code}-en", f"{language}–English"),
        (f"en-{code}", f"English–{language}"),
    )
}
"""Those drawn from WMT14's published figures."""
WMT13 = Sample(
    name="wmt13-fr-en",
    title="WMT13 French–English (simulated)",
    pair="fr-en",
    told="13 systems, 20,000 judgments, from a model of the campaign",
    file="wmt13-fr-en/rankings.csv.gz",
    simulated_from=(
        "simulated from a model fitted to the judgments of WMT13 French–English; it contains no "
        "judgment of that campaign"
    ),
)
REAL_SAMPLES: dict[str, Sample] = {
    "arena-people": Sample(
        name="arena-people",
        title="LLM arena, human votes (real)",
        pair=NO_PAIR,
        told="20 language models, 26,919 human votes",
        file="arena-people/votes.json.gz",
        source="Chatzi et al. 2024",
        license="MIT license",
        machines=("gpt-4-0125-preview", "claude-3-opus-20240229", "gpt-3.5-turbo"),
    ),
    "mqm-ted": Sample(
        name="mqm-ted",
        title="MQM scores of TED talks (real)",
        pair="en-de",
        told="13 systems, 6,877 scores from errors marked by four judges",
        file="mqm-ted/errors.en-de.tsv.gz",
        source="Freitag et al. 2021",
        license="Apache License 2.0",
    ),
}
EVERY_SAMPLE: dict[str, Sample] = {WMT13.name: WMT13, **REAL_SAMPLES, **SAMPLES}
DEFAULT_SAMPLE = WMT13.name
_RANKS = {"model_a": (1, 2), "model_b": (2, 1), "tie": (1, 1)}
FOLDER = published.FOLDER.parent / "samples"


def sample_campaign(name: str = DEFAULT_SAMPLE) -> Campaign:
    """Return a sample campaign, the same one every time.

    ``name`` is one of `EVERY_SAMPLE`, with the language pair in any spelling, with or without
    ``wmt14-``; ``wmt14`` is all ten pairs in one campaign.
    """
    wanted = name.strip()
    if wanted.casefold() == "wmt14":
        return _all_pairs()
    sample = EVERY_SAMPLE.get(wanted.casefold())
    if sample is not None and sample.file:
        return _kept(sample)
    key = pair_key(wanted[6:] if wanted.casefold().startswith("wmt14-") else wanted)
    for sample in SAMPLES.values():
        if pair_key(sample.pair) == key:
            return _one_pair(sample.name)
    error = unknown(f"sample:{name}", name, EVERY_SAMPLE)
    if not wanted:
        error = PodiumError("sample", "a name is missing", "Add one of these.")
        error.details = tuple(f"sample:{one.name}  {one.line}" for one in EVERY_SAMPLE.values())
    raise error


@cache
def _kept(sample: Sample) -> Campaign:
    campaign, _ = read_path(FOLDER / sample.file)
    return dataclasses.replace(campaign, title=sample.title, simulated_from=sample.simulated_from)


def sample_of(campaign: Campaign) -> str:
    """Return the name of the real sample that a campaign is; nothing for any other."""
    names = (sample.name for sample in REAL_SAMPLES.values() if sample.title == campaign.title)
    return next(names, "")


def machine_judges(name: str) -> dict[str, Campaign]:
    """Return the machine judges that a sample brings, by name; none where it brings none."""
    sample = REAL_SAMPLES.get(name.strip().casefold())
    if sample is None:
        return {}
    return {machine: _machine(sample.name, machine) for machine in sample.machines}


@cache
def _machine(name: str, machine: str) -> Campaign:
    """Return a machine's votes: its winners, a line a vote, in the order of people's votes."""
    people = _kept(REAL_SAMPLES[name])
    path = (FOLDER / REAL_SAMPLES[name].file).with_name(f"{machine}.csv.gz")
    winners = gzip.decompress(path.read_bytes()).decode().split()[1:]
    ranks = np.array([_RANKS[winner] for winner in winners], dtype=np.int8)
    return dataclasses.replace(
        people,
        judges=(machine,),
        task_judge=np.zeros_like(people.task_judge),
        entry_rank=ranks.ravel(),
        attributes=(),
        title=machine,
    )


@cache
def _one_pair(name: str) -> Campaign:
    sample = SAMPLES[name]
    table = published.wmt14_head_to_head(sample.pair)
    with np.load(drawn_file(name)) as drawn:
        systems, segment, judge, ranks = (
            drawn[column].astype(np.int32) for column in ("systems", "segment", "judge", "ranks")
        )
    return tabulate_tasks(
        sample.pair,
        table.systems,
        systems,
        segment,
        judge,
        ranks.astype(np.int8),
        title=sample.title,
        simulated_from=_simulated_from(f"3–5, 7, 9 and {table.table}"),
    )


def drawn_file(name: str) -> Path:
    """Return where a sample lies that was drawn from WMT14's published figures."""
    return FOLDER / "wmt14" / f"{name}.npz"


def _simulated_from(tables: str) -> str:
    return f"simulated from the published figures of {published.WMT14} (tables {tables})"


def consistent_shares(beats: FloatArray) -> FloatArray:
    """Return shares of which (i, j) and (j, i) add up to 1; printed ones are off by rounding."""
    return (beats + 1 - beats.T) / 2


def published_tie_share(pair: str) -> float:
    """Return the share of ties that Table 7's oracle implies.

    The oracle predicts the most frequent outcome of every two systems. Where that is never a tie
    its accuracy is (1 - t) times the mean of max(p, 1 - p) over the head-to-head table.
    """
    beats = consistent_shares(published.wmt14_head_to_head(pair).beats)
    likelier = np.nanmean(np.maximum(beats, 1 - beats))
    return float(1 - published.wmt14_accuracy(pair)["oracle"] / likelier)


@cache
def _all_pairs() -> Campaign:
    """Join the ten campaigns; a judge worked on one pair, a system may stand in several."""
    parts = [_one_pair(name) for name in SAMPLES]
    systems = sorted({system for part in parts for system in part.systems})
    segments = sorted({segment for part in parts for segment in part.segments}, key=int)
    system_code = {system: code for code, system in enumerate(systems)}
    segment_code = {segment: code for code, segment in enumerate(segments)}
    judge_start = np.cumsum([0] + [len(part.judges) for part in parts])
    n_tasks = sum(part.n_tasks for part in parts)

    def recoded(column: str, vocabulary: str, codes: dict[str, int]) -> IntArray:
        """Join a column of the parts, its codes turned into those of the joint vocabulary."""
        joined = [
            np.array([codes[name] for name in getattr(part, vocabulary)])[getattr(part, column)]
            for part in parts
        ]
        return np.concatenate(joined).astype(np.int32)

    return Campaign(
        pairs=tuple(part.pairs[0] for part in parts),
        systems=tuple(systems),
        judges=tuple(f"{part.pairs[0]}-{judge}" for part in parts for judge in part.judges),
        segments=tuple(segments),
        task_pair=np.repeat(np.arange(len(parts)), [p.n_tasks for p in parts]).astype(np.int16),
        task_segment=recoded("task_segment", "segments", segment_code),
        task_judge=np.concatenate(
            [part.task_judge + start for part, start in zip(parts, judge_start, strict=False)]
        ).astype(np.int32),
        task_start=np.arange(n_tasks + 1, dtype=np.int64) * N_WAY,
        entry_output=recoded("entry_output", "systems", system_code),
        entry_rank=np.concatenate([part.entry_rank for part in parts]),
        output_start=np.arange(len(systems) + 1, dtype=np.int64),
        output_system=np.arange(len(systems), dtype=np.int32),
        title="WMT14, ten language pairs (simulated)",
        simulated_from=_simulated_from("3–5, 7 and 28–37"),
    )
