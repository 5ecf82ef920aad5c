"""The paragraph of a paper that says how a ranking was made, with its citations.

The papers behind the methods are read from ``references.bib``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bibtexparser
import numpy as np

from analysis.campaign import SELECTION_FIELDS, Judgments, MqmWeights, Scores, distinct
from analysis.campaign.campaign import derive_judgments
from analysis.escaping import GREEK, as_latex
from analysis.findings.certainty import BOUNDARIES, TIER, few_took_part, runs_word, whom
from analysis.findings.result import result_headline
from analysis.findings.standings import evidence, own_words
from analysis.judges.agreement import Agreement
from analysis.judges.history import explain_copies
from analysis.judges.kappa import Kappa
from analysis.judges.score_agreement import score_agreement, score_headline
from analysis.languages import NO_PAIR, language_pair
from analysis.names import short_names
from analysis.parameters import Hyperparameter, format_value
from analysis.rankers import Ranker
from analysis.rankers.mean import Mean
from analysis.rankers.resampling import UNITS
from analysis.ranking.preflight import duplicates
from analysis.ranking.ranking import Ranking
from analysis.wording import capital, count, fixed, listed, percent, thousands


@dataclass(frozen=True)
class Cite:
    """A citation within a paragraph."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Paragraph:
    """Text and citations in turn; `plain` for reading, `latex` and `bibtex` for a paper."""

    pieces: tuple[str | Cite, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys cited, each once, in order of appearance."""
        cited = [key for piece in self.pieces if isinstance(piece, Cite) for key in piece.keys]
        return tuple(dict.fromkeys(cited))

    @property
    def plain(self) -> str:
        return "".join(
            piece
            if isinstance(piece, str)
            else f" ({'; '.join(REFERENCES[key].cited for key in piece.keys)})"
            for piece in self.pieces
        )

    @property
    def latex(self) -> str:
        r"""The text for LaTeX with the package natbib: ``\citep`` for every citation."""
        return "".join(
            _latex_text(piece) if isinstance(piece, str) else rf"~\citep{{{','.join(piece.keys)}}}"
            for piece in self.pieces
        )

    @property
    def bibtex(self) -> str:
        """The entries of all that is cited."""
        return "\n\n".join(REFERENCES[key].bibtex for key in self.keys) + "\n"


def methods_paragraph(
    ranking: Ranking,
    ranker: Ranker,
    *,
    agreement: Agreement | None = None,
    remark: str = "",
    caution: str = "",
) -> Paragraph:
    """Say how a ranking was made: data, method, hyperparameters, resampling, clusters, agreement.

    ``remark`` says what else is to know of the data, ``caution`` what limits the ranking most.
    """
    scores = ranking.judgments.scores
    data = _data(ranking.judgments, by_pairs=not ranker.needs_scores)
    caution *= caution.removesuffix(".") not in data
    pieces: list[str | Cite] = [data, f" {remark}" if remark else ""]
    pieces += [f" Systems were ranked by {_method_title(ranker)}", Cite(ranker.cited)]
    if isinstance(ranker, Mean) and scores is not None:
        pieces += [".", _averaged(ranker, scores)]
    else:
        pieces += [".", _settings(ranker)]
    pieces += [*_uncertainty(ranking), f" {caution}" if caution else ""]
    if agreement is not None and ranker.needs_scores and scores is not None:
        words = score_headline(score_agreement(ranking.judgments, runs=0))
        alpha = [Cite(("hayes-krippendorff-2007-answering",))] if "α" in words else []
        pieces += [f" {words}", *alpha, "."]
    elif agreement is not None:
        pieces += _agreement(agreement, is_official=ranking.certainty.is_official)
    return Paragraph(tuple(piece for piece in pieces if piece))


def hyperparameter_words(ranker: Ranker) -> list[str]:
    """Return every hyperparameter that bears on the scores, with its value, in words."""
    return [
        _in_words(parameter, getattr(ranker, parameter.name))
        for parameter in ranker.in_use()
        if parameter.role == "fit"
    ]


def _data(judgments: Judgments, *, by_pairs: bool) -> str:
    n = judgments.n_judges
    judges = "unnamed judges" if n is None else count(n, "judge")
    segments = len(distinct(judgments.task_segment))
    pair = "" if judgments.pair == NO_PAIR else f"For {language_pair(judgments.pair)}, "
    start = f"{pair}{judges}"
    systems = count(judgments.n_systems, "system")
    ties = percent(judgments.tie_share) if len(judgments) else ""
    if judgments.scores is not None:
        gave = f"{evidence(judgments)} ({judgments.scores.scale.name}) to outputs of {systems}"
        by_whom = " by the same judge" if judgments.n_judges is not None else ""
        follow = (
            f" Of two outputs rated for one segment{by_whom}, the better rating wins: "
            f"{count(len(judgments), 'pairwise judgment')}, {ties} of them ties."
        )
        more = follow if by_pairs and len(judgments) else ""
        words = f"{capital(start)} gave {gave} on {count(segments, 'segment')}.{more}"
        costs = MqmWeights().words(judgments.scores)
        words += f" A score is minus the sum of the weights of errors ({costs})." * bool(costs)
    elif judgments.are_votes:
        votes = f"{pair}{count(len(judgments), 'vote')} of {judges} compare {systems}"
        words = f"{capital(votes)} on {count(segments, own_words(judgments, 'segment'))}"
        words += f"; {ties} are ties{_both_bad(judgments)}." if ties else "."
    else:
        tasks = count(judgments.n_tasks, "ranking task")
        gave = f"{count(len(judgments), 'pairwise judgment')} of {systems} in {tasks}"
        words = f"{capital(start)} gave {gave} on {count(segments, 'segment')}"
        words += f"; {ties} are ties." if ties else "."
    copies = [
        f"{one.finding.removesuffix('.')}; all of them count." for one in duplicates(judgments)
    ]
    told = (*copies, *_left_out(judgments), *_choices(judgments))
    return words + "".join(f" {sentence}" for sentence in told)


def _left_out(judgments: Judgments) -> list[str]:
    """Say which references do not compete, and how many copies were dropped."""
    said, references = [], judgments.references_left_out
    if references:
        names = short_names([*judgments.systems, *references])
        verb = "reference was" if len(references) == 1 else "references were"
        named = listed([names[name] for name in references])
        said = [f"{thousands(len(references))} human {verb} left out ({named})."]
    if judgments.selection.copies == "dropped":
        kept = replace(judgments.selection, copies="kept")
        whole = derive_judgments(judgments.campaign, judgments.pair, kept, "drop-task")
        n = len(whole.tasks) - len(judgments.tasks)
        verb = "exact copy was" if n == 1 else "exact copies were"
        said.append(f"{thousands(n)} {verb} dropped.")
    return said


def _both_bad(judgments: Judgments) -> str:
    """Say how many of the ties are votes that both outputs are bad."""
    n = int(judgments.both_bad.sum())
    return f", {percent(n / judgments.n_ties)} of which are “both bad” votes" if n else ""


def _choices(judgments: Judgments) -> list[str]:
    """Say what the selection changes, in the sentences that its fields declare."""
    values = {c: getattr(judgments.selection, c.name) for c in SELECTION_FIELDS}
    changed = {c: value for c, value in values.items() if value != c.default}
    left_out = [count(len(value), c.left_out) for c, value in changed.items() if c.left_out]
    sentences = [c.sentence.format(c.shown(value)) for c, value in changed.items() if c.sentence]
    return ([f"Left out: {', '.join(left_out)}."] if left_out else []) + sentences


def _method_title(ranker: Ranker) -> str:
    """Return the title without its remark in brackets, which is the dashboard's."""
    if isinstance(ranker, Mean):
        return "the mean score"
    return re.sub(r" \([^)]*\)$", "", ranker.title)


def _averaged(ranker: Mean, scores: Scores) -> str:
    """Say which ratings are averaged, and over what."""
    z = "the file's own standardization" if ranker.standardize == "given" else "mean and deviation"
    which = f"standardized by judge ({z})" if ranker.averages_z(scores) else "not standardized"
    over = "all ratings" if ranker.macro == "none" else f"all {ranker.macro}s"
    return f" Ratings were {which}; {over} have the same weight."


def _settings(ranker: Ranker) -> str:
    words = hyperparameter_words(ranker)
    if not words:
        return " The method has no hyperparameters."
    return f" Hyperparameters: {'; '.join(words)}."


def _in_words(parameter: Hyperparameter, value: Any) -> str:
    if parameter.choices:
        name, _, words = _unbracketed(parameter.choices[value]).partition(": ")
        return f"{_readable(parameter.name)} by {name}" + (f" ({words})" if words else "")
    meaning = _unbracketed(_lower(parameter.help.rstrip(".")).replace("; ", ", "))
    shown = format_value(value) or "automatic"
    symbol = parameter.symbol
    name = _readable(parameter.name) if symbol == parameter.name else symbol
    return f"{name} = {shown} ({meaning})"


def _uncertainty(ranking: Ranking) -> list[str | Cite]:
    if ranking.ranges is None:
        why = "Nothing was resampled" if ranking.can_tell else "Resampling changes nothing"
        return [f" {why}, so rank ranges and clusters are not defined."]
    chosen, clusters = ranking.certainty, count(ranking.n_clusters or 0, "cluster")
    if not chosen.is_official:
        few = f"{few_took_part(ranking)} ".lstrip()
        has_tiers = ranking.verdict is not None and ranking.verdict.n_tiers > 1
        lines = (
            "All systems are in one cluster."
            if ranking.n_clusters == 1
            else f"The systems fall into {clusters}: every system above a boundary is better than "
            f"every one below. Boundaries have {BOUNDARIES}."
        )
        return [
            f" Confidence intervals ({chosen.level:.0%}) are valid for {whom(ranking)}: the "
            f"variance of a difference of two scores is clustered by "
            f"{own_words(ranking.judgments, _clustered_by(ranking))}",
            Cite(("cameron-etal-2011-robust",)),
            ". Two systems differ significantly if the p-value of their difference, adjusted for "
            f"all pairs by Holm's method, is at most {1 - chosen.level:.2g}",
            Cite(("holm-1979-simple",)),
            ". Rank ranges follow from these tests and cover all systems at once. A winner differs "
            "significantly from each other system; all of these tests have to reject, so that they "
            "need no adjustment",
            Cite(("gutmann-maymin-1987-selected",)),
            f". {TIER + ' ' if has_tiers else ''}{few}"
            f"{result_headline(ranking, ranking.judgments.short_names.__getitem__)}. {lines}",
        ]
    return [
        f" Rank ranges cover {ranking.level:.0%} of the ranks in "
        f"{thousands(ranking.runs)} {runs_word(chosen)}, {UNITS[chosen.unit].methods_words} "
        f"(seed {chosen.seed}). The systems fall into {clusters}, whose rank ranges do not overlap",
        Cite(("koehn-2012-simulating", "bojar-etal-2014-findings")),
        ".",
    ]


_IDENTICAL = {
    "collapsed": "; an output that several systems produced counts once",
    "expanded": "; identical outputs count as ties on which all judges agree",
}


def _agreement(agreement: Agreement, *, is_official: bool) -> list[str | Cite]:
    """Say how far judges agree; an official procedure counts as its campaign did."""
    counted = agreement.published if is_official else agreement.shown
    parts = [
        f"{_kappa(kappa, agreement.level)} {whose}"
        for whose, kappa in (
            ("between different judges", counted.inter),
            ("of judges with themselves", counted.intra),
        )
        if not np.isnan(kappa.kappa)
    ]
    if not parts:
        return [f" {undefined_words(agreement)}"]
    resampled = (
        f" The {agreement.level:.0%} confidence intervals of κ come from "
        f"{thousands(agreement.runs)} resamples of the segments for these judges, and of segments "
        "and judges for other judges."
    )
    strict = agreement.strict.inter.kappa
    strictly = (
        "" if np.isnan(strict) else f"; counted strictly, κ between judges is {fixed(strict)}"
    )
    return [
        f" Agreement beyond chance is {listed(parts)}",
        Cite(("landis-koch-1977-measurement",)),
        f", counted as in WMT's tables{strictly}."
        if is_official
        else f"{_IDENTICAL.get(agreement.identical or '', '')}.",
        resampled if agreement.runs and not is_official else "",
        f" {explain_copies(agreement)}".rstrip(),
    ]


def undefined_words(agreement: Agreement) -> str:
    """Say why no κ is defined; empty if one is."""
    both = (agreement.strict, agreement.published)
    found = [kappa for rates in both for kappa in (rates.inter, rates.intra)]
    if not all(np.isnan(kappa.kappa) for kappa in found):
        return ""
    if any(kappa.comparable for kappa in found):
        return "All repeated judgments have the same outcome, so agreement is undefined."
    return "No two outputs were compared twice, so agreement is unknown."


def _clustered_by(ranking: Ranking) -> str:
    """Name the units by which the variance is clustered: those that the file names."""
    verdict = ranking.verdict
    units = {} if verdict is None or verdict.scope == "these" else verdict.units
    named = [f"{unit}s" for unit in ("segment", "judge") if unit in units]
    if verdict is not None and verdict.source == "document":
        named = [name.replace("segment", "document") for name in named]
    return listed(named) or "ranking tasks"


def _kappa(kappa: Kappa, level: float) -> str:
    intervals = [
        f"{fixed(low)} to {fixed(high)} for {whose} judges"
        for low, high, whose in (
            (kappa.low, kappa.high, "these"),
            (kappa.others_low, kappa.others_high, "other"),
        )
        if not np.isnan(low)
    ]
    interval = f"; {level:.0%} CI {', '.join(intervals)}" if intervals else ""
    return f"κ = {fixed(kappa.kappa)} ({kappa.word}{interval})"


def _readable(name: str) -> str:
    return name.replace("_", " ")


def _lower(sentence: str) -> str:
    """Begin a sentence small, unless its first word is a name or an abbreviation."""
    first = sentence.split()[0]
    return sentence if first[1:] != first[1:].lower() else sentence[0].lower() + sentence[1:]


def _unbracketed(text: str) -> str:
    """Replace round brackets: the text stands in such brackets itself."""
    return text.replace("(", "[").replace(")", "]")


def _latex_text(text: str) -> str:
    """Escape text for LaTeX and write Greek letters with what follows as symbols."""
    greek = "|".join(GREEK)
    parts: Sequence[str] = re.split(rf"((?:{greek})[a-z0-9]*)", text)
    written = [_symbol(part) if k % 2 else as_latex(part) for k, part in enumerate(parts)]
    return "".join(written)


def _symbol(name: str) -> str:
    """Write σ0 as a sigma with index 0."""
    index = f"_{{{name[1:]}}}" if name[1:] else ""
    return rf"$\{GREEK[name[0]]}{index}$"


_FIELDS = (
    "author", "title", "booktitle", "journal", "volume", "number", "pages", "publisher", "year",
    "doi", "url",
)  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """One publication; ``fields`` as BibTeX has them, authors ``Last, First and Last, First``."""

    key: str
    kind: str
    fields: Mapping[str, str]

    @property
    def year(self) -> int:
        return int(self.fields["year"])

    @property
    def cited(self) -> str:
        """Return author and year as a running text has them.

        >>> REFERENCES["hopkins-may-2013-models"].cited
        'Hopkins and May, 2013'
        """
        names = [author.split(",")[0] for author in self.fields["author"].split(" and ")]
        if len(names) > 2:
            return f"{names[0]} et al., {self.year}"
        return f"{listed(names)}, {self.year}"

    @property
    def line(self) -> str:
        """Return the entry of a list of references, as plain text."""
        place = {name: value.replace("--", "–") for name, value in self.fields.items()}
        authors = place["author"].split(" and ")
        names = [" ".join(reversed(author.split(", "))) for author in authors]
        joined = listed(names)
        where = place.get("booktitle") or place.get("journal") or place["publisher"]
        volume = f" {place['volume']}({place['number']})" if "volume" in place else ""
        pages = f", pages {place['pages']}" if "pages" in place else ""
        return f"{joined}. {self.year}. {place['title'].strip('{}')}. {where}{volume}{pages}."

    @property
    def bibtex(self) -> str:
        """Return the BibTeX entry; capitals of the title are kept."""
        lines = [f"  {name} = {{{self.fields[name]}}}," for name in _FIELDS if name in self.fields]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _references() -> dict[str, Reference]:
    text = Path(__file__).parents[1].joinpath("references.bib").read_text(encoding="utf-8")
    return {
        entry["ID"]: Reference(
            entry["ID"], entry["ENTRYTYPE"], {n: entry[n] for n in _FIELDS if n in entry}
        )
        for entry in bibtexparser.loads(text).entries
    }


REFERENCES = _references()
