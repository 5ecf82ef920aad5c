"""From files to a scoreboard: what a table is, is told by its columns.

| content | what it is |
|---|---|
| a column of people's scores, numbers in the others | quality estimation of sentences |
| a column of people's labels, labels in the others | quality estimation of words |
| columns predicted, gold and count | the same, counted already (a column system is optional) |
| numbers only, no column of people's | metric scores of systems by sentence |
| a column reference with texts, translations in the others | BLEU, chrF and TER |
| TREC relevance judgments, and runs | search |
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from analysis.campaign import FloatArray
from analysis.errors import PodiumError, ReadingError, control
from analysis.extras.scores import estimates, texts, trec, words
from analysis.extras.scores.scoreboard import MOST_UNITS, Measure, Scoreboard, Values, scoreboard
from analysis.formats import budgets, scores_table
from analysis.formats.content import Content
from analysis.formats.delimited import Table, read_rows
from analysis.formats.header import read_header
from analysis.formats.rankings import Column, Findings, number
from analysis.formats.registry import FORMATS
from analysis.formats.unpacking import no_other_error, to_utf8, unpack
from analysis.provenance import Provenance
from analysis.wording import count, listed, thousands

GOLD = ("gold", "human", "reference", "hter", "ter", "label", "score", "ref")
"""Names of a column of people's scores or labels, the first that a table has."""
REFERENCE = ("reference", "ref")
"""Names of a column of reference translations."""
LOW_IS_GOOD = ("hter", "ter")
"""Names of people's scores that count errors."""
GROUPS = ("document", "doc", "doc_id", "sentence", "sentence_id")
"""Names of a column of what is resampled as a whole."""
NAMES = (
    "item", "item_id", "segment", "segment_id", "seg", "seg_id", "id", "row", "line", "index",
    "word", "token", "position", "source", "target", "text",
)  # fmt: skip
"""Names of columns that are no systems."""
MOST_LABELS = 50
"""Of words; more are texts."""
GOOD = ("ok", "good")
"""The label of words without an error; without one of these, the most frequent."""

MEAN = Measure("mean", "Mean score", "mean over the sentences")
TITLES = {
    "estimates": "quality estimation of sentences",
    "words": "quality estimation of words",
    "means": "metric scores",
    "search": "search",
    "texts": "translations against a reference",
}


@dataclass(frozen=True)
class Choices:
    """What the files leave open.

    ``gold`` is the name of the column of people's scores or labels, found where it is empty;
    ``low_is_good`` says that low scores are good ones (TER, HTER); ``baseline`` names the system
    that others are compared with, one called baseline where it is empty.
    """

    gold: str = ""
    low_is_good: bool = False
    level: float = 0.95
    runs: int = 1000
    seed: int = 0
    baseline: str = ""


REMEDY = (
    "Give one table with one column per system (CSV), or TREC relevance judgments and runs, each "
    "also gzipped."
)


def read_scores(files: Sequence[tuple[str, bytes]], choices: Choices | None = None) -> Scoreboard:
    """Read files, as (name, bytes), and measure the systems in them."""
    if not files:
        raise ReadingError("Files", "none were given", REMEDY)
    with no_other_error(listed([name or "This file" for name, _ in files]), REMEDY):
        return _read(files, choices or Choices())


def _read(files: Sequence[tuple[str, bytes]], choices: Choices) -> Scoreboard:
    contents = []
    for name, data in files:
        where, limit = name or "This file", budgets.max_bytes()
        findings = Findings(file=where)
        contents.append((where, to_utf8(unpack(data, where, limit), where, findings), findings))
    data_print = hashlib.sha256(b"".join(text for _, text, _ in contents)).hexdigest()[:12]
    provenance = Provenance(extra=(("low-is-good", "yes"),) * choices.low_is_good, data=data_print)
    if all(trec.is_trec(text) for _, text, _ in contents):
        return _search([(where, text) for where, text, _ in contents], choices, provenance)
    if len(contents) > 1:
        raise ReadingError(
            listed([where for where, _, _ in contents]),
            "only TREC relevance and runs can come in several files",
            "Put the systems of a table into one file, one column each.",
        )
    where, text, findings = contents[0]
    header = read_header(text, where)
    table = read_rows(text, header, header.keys, where, findings)
    if {"predicted", "gold", "count"} <= set(header.keys):
        return _counted_words(table, where, choices, provenance)
    judged = next((one for one in FORMATS.values() if one.sniff(_content(text, where))), None)
    if judged is not None and judged.name != scores_table.FORMAT.name:
        raise ReadingError(
            where,
            f"it contains judgments ({judged.title}), not one column of scores per system",
            control(f"Rank them with podium rank {where}.", "Open it as a campaign on Data."),
        )
    return _measured(table, where, choices, provenance)


def _content(text: bytes, where: str) -> Content:
    return Content(text, where, Findings(file=where), len(text))


def _columns(table: Table, where: str, choices: Choices) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the keys of the gold column and of groups ("" if none), and systems with names."""
    keys = [key.strip().casefold() for key in table.header]
    gold = choices.gold.strip().casefold() or next((key for key in GOLD if key in keys), "")
    if gold and gold not in keys:
        raise ReadingError(
            where, f"it has no column {choices.gold!r}", f"It has {listed(list(table.header))}."
        )
    group = next((key for key in GROUPS if key in keys and key != gold), "")
    systems = [
        (key, name.strip())
        for key, name in zip(keys, table.header, strict=True)
        if key and key not in (gold, group, *NAMES, *GROUPS)
    ]
    if not systems:
        raise ReadingError(
            where, "no column contains a system", "Give each system a column of its own."
        )
    budgets.check_systems(len(systems), where, "the header", "one table")
    return gold, group, systems


def _measured(table: Table, where: str, choices: Choices, provenance: Provenance) -> Scoreboard:
    """Measure a table that has a row a unit and a column a system."""
    gold, group, systems = _columns(table, where, choices)
    if gold in REFERENCE and any(" " in name for name in table[gold].names):
        return _translations(table, gold, group, systems, choices, provenance)
    is_labels = bool(gold) and np.isnan(_numbers(table[gold])).all()
    if is_labels:
        return _words(table, where, gold, group, systems, choices, provenance)
    columns = {key: _numbers(table[key]) for key, _ in [(gold, ""), *systems] if key}
    unused = [name for key, name in systems if np.isnan(columns[key]).all()]
    systems = [(key, name) for key, name in systems if not np.isnan(columns[key]).all()]
    if not systems:
        raise ReadingError(
            where,
            f"no column of {listed(unused)} contains numbers",
            ("Give each system's scores a column."),
        )
    used = ([gold] if gold else []) + [key for key, _ in systems]
    whole = ~np.any([np.isnan(columns[key]) for key in used], axis=0)
    if not whole.any():
        raise ReadingError(
            where, "no row has a number in every column", "Look for systems without scores."
        )
    notes = [*_left_out(table, ~whole, "a number is missing or too large")]
    notes.append(f"Columns read as systems: {listed([name for _, name in systems], most=10)}.")
    if unused:
        notes.append(f"Columns without numbers were not used: {listed(unused)}.")
    values = np.array([columns[key][whole] for key, _ in systems])
    groups, units = _groups(table, group, whole, "sentences")
    names = [name for _, name in systems]
    if gold:
        if values.shape[1] > MOST_UNITS:
            raise ReadingError(
                where,
                f"it has {thousands(values.shape[1])} rows, more than {thousands(MOST_UNITS)}, "
                "and the time for DeltaAvg grows with their square",
                "Give only some of the sentences.",
            )
        low_is_good = choices.low_is_good or gold in LOW_IS_GOOD
        if low_is_good and not choices.low_is_good:
            notes.append(f"Low scores are good: the column is called {gold}.")
        measured = estimates.measures(columns[gold][whole], values, high_is_good=not low_is_good)
        return _board("estimates", names, measured, groups, units, choices, notes, provenance)
    measure = Measure(MEAN.name, MEAN.title, MEAN.help, not choices.low_is_good)
    measured = [(measure, lambda counts: estimates.mean(values, counts))]
    return _board("means", names, measured, groups, units, choices, notes, provenance)


def _translations(
    table: Table,
    reference: str,
    group: str,
    systems: Sequence[tuple[str, str]],
    choices: Choices,
    provenance: Provenance,
) -> Scoreboard:
    """Measure translations of a table that has one row per segment and one column per system."""
    whole = _texts(table[reference]) != ""
    notes = _left_out(table, ~whole, "the reference is missing")
    groups, units = _groups(table, group, whole, "segments")
    rows = [_texts(table[key])[whole].tolist() for key, _ in systems]
    measured = texts.measures(_texts(table[reference])[whole].tolist(), rows)
    names = [name for _, name in systems]
    return _board("texts", names, measured, groups, units, choices, notes, provenance)


def _words(
    table: Table,
    where: str,
    gold: str,
    group: str,
    systems: Sequence[tuple[str, str]],
    choices: Choices,
    provenance: Provenance,
) -> Scoreboard:
    """Measure a table that has a row a word, a column a system, and labels in them."""
    truth = _texts(table[gold])
    whole = np.array([label != "" for label in truth])
    if not whole.any():
        raise ReadingError(where, f"the column {gold} is empty", "Fill it with human labels.")
    classes = sorted(set(truth[whole].tolist()))
    _check_labels(len(classes), where, f"the column {gold} contains")
    notes = []
    labels = {}
    for key, name in systems:
        labels[name] = _texts(table[key])
        strange = sorted(set(labels[name][whole].tolist()) - set(classes))
        if len(strange) == len(set(labels[name][whole].tolist())):
            del labels[name]
            notes.append(f"The column {name} was not used: it contains none of the labels.")
        elif strange:
            notes.append(f"{name} has labels that no human gave: {listed(strange[:3])}.")
    if not labels:
        raise ReadingError(
            where,
            (f"no column contains the labels of {gold}"),
            "Give each system a column of labels.",
        )
    everything = sorted(
        {*classes, *(x for row in labels.values() for x in set(row[whole].tolist()))}
    )
    code = {label: k for k, label in enumerate(everything)}
    groups, units = _groups(table, group, whole, "words")
    true = np.array([code[label] for label in truth[whole]])
    predicted = [np.array([code[label] for label in row[whole]]) for row in labels.values()]
    tables = words.tabulated(predicted, true, groups, len(everything))
    notes += _left_out(table, ~whole, "the human label is missing")
    measured = words.measures(tables, everything, _good(classes, true, code))
    units_of = np.arange(int(groups.max()) + 1)
    return _board(
        "words", list(labels), measured, units_of, units, choices, notes, provenance, tables.size
    )


def _check_labels(n: int, where: str, what: str) -> None:
    if n > MOST_LABELS:
        raise ReadingError(
            where,
            f"{what} {n} different labels, more than {MOST_LABELS}",
            "If these are texts, name the column of labels.",
        )


def _good(classes: Sequence[str], true: npt.NDArray[np.integer], code: dict[str, int]) -> str:
    named = [label for label in classes if label.casefold() in GOOD]
    return named[0] if named else max(classes, key=lambda label: int((true == code[label]).sum()))


def _counted_words(
    table: Table, where: str, choices: Choices, provenance: Provenance
) -> Scoreboard:
    """Measure tables of predicted and true labels that are counted already."""
    predicted, true = _texts(table["predicted"]), _texts(table["gold"])
    counts = _numbers(table["count"])
    if not len(counts):
        raise ReadingError(where, "it has a header but no rows", "Make a new export.")
    bad = np.flatnonzero(np.isnan(counts) | (counts < 0))
    if len(bad):
        line = table.findings.places(bad)[0]
        raise ReadingError(
            f"{where}, line {line}, count", "it is not a number from 0", "Give a number of words."
        )
    system = _texts(table["system"]) if "system" in table else np.full(len(counts), "the system")
    names = list(dict.fromkeys(system.tolist()))
    classes = sorted({*predicted.tolist(), *true.tolist()})
    budgets.check_systems(len(names), where, "the column system", "one table")
    _check_labels(len(classes), where, "the columns predicted and gold contain")
    counted = np.zeros((len(names), len(classes), len(classes)))
    code = {label: k for k, label in enumerate(classes)}
    place = {name: k for k, name in enumerate(names)}
    for name, p, t, n in zip(system, predicted, true, counts, strict=True):
        counted[place[name], code[p], code[t]] += n
    named = [label for label in classes if label.casefold() in GOOD]
    good = named[0] if named else classes[int(counted[0].sum(axis=0).argmax())]
    tables = words.Tables(csr_array(counted.reshape(1, -1)), len(names), len(classes))
    measured = words.measures(tables, classes, good)
    notes = ["The table counts the words of all sentences together, so resampling is not possible."]
    return _board("words", names, measured, np.zeros(1, int), "tables", choices, notes, provenance)


def _search(
    contents: Sequence[tuple[str, bytes]], choices: Choices, provenance: Provenance
) -> Scoreboard:
    """Measure TREC runs against TREC relevance judgments."""
    relevance, runs = trec.read(contents)
    notes = []
    for name, run in runs.items():
        open_queries = sum(query not in run for query in relevance)
        if open_queries:
            left = count(open_queries, "query", "queries")
            notes.append(f"{name} left {left} open and scores 0 there.")
    measured = trec.measures(relevance, runs)
    groups = np.arange(len(relevance))
    return _board("search", list(runs), measured, groups, "queries", choices, notes, provenance)


def _board(
    kind: str,
    systems: Sequence[str],
    measured: Sequence[tuple[Measure, Values]],
    groups: npt.NDArray[np.integer],
    units: str,
    choices: Choices,
    notes: Sequence[str],
    provenance: Provenance,
    size: int = 1,
) -> Scoreboard:
    return scoreboard(
        TITLES[kind], systems, measured, groups, units=units, level=choices.level,
        runs=choices.runs, baseline=_baseline(systems, choices.baseline), seed=choices.seed,
        size=size, notes=notes, provenance=provenance,
    )  # fmt: skip


def _baseline(systems: Sequence[str], asked: str) -> str:
    """Return the name of the baseline, "" if there is none."""
    if asked and asked not in systems:
        remedy = f"Choose one of {listed(list(systems))}."
        raise PodiumError("--baseline", f"there is no system {asked!r}", remedy)
    return asked or next((name for name in systems if name.casefold() == "baseline"), "")


def _numbers(column: Column) -> FloatArray:
    """Return a number for each row; nan where there is none."""
    of_name = np.array([number(name) for name in column.names] or [np.nan])
    return of_name[column.codes] if len(column) else np.zeros(0)


def _texts(column: Column) -> npt.NDArray[np.object_]:
    return np.array([*column.names, ""], dtype=object)[column.codes]


def _groups(
    table: Table, group: str, whole: npt.NDArray[np.bool_], otherwise: str
) -> tuple[npt.NDArray[np.integer], str]:
    """Return the group of each row that is used, and what such groups are."""
    if not group:
        return np.arange(int(whole.sum())), otherwise
    _, codes = np.unique(table[group].codes[whole], return_inverse=True)
    return codes, "sentences" if group.startswith("sentence") else "documents"


def _left_out(table: Table, gone: npt.NDArray[np.bool_], reason: str) -> list[str]:
    notes = [reason.sentence() for reason in table.findings.left_out]
    if gone.any():
        rows = np.flatnonzero(gone)
        lines = ", ".join(str(line) for line in table.findings.places(rows))
        notes.append(f"{count(len(rows), 'row')} left out where {reason} (line {lines}).")
    return notes
