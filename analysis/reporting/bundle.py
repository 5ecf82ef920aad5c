"""A whole campaign as files: tables for people, papers and programs, pictures, and how they came.

The same campaign and the same settings give the same bytes: neither dates nor folders of a machine
stand in any of them.
"""

from __future__ import annotations

import io
import json
import platform
import shlex
import zipfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

import pandas as pd

from analysis.campaign import SELECTION_FIELDS, Campaign, Judgments, Selection
from analysis.colors import system_colors
from analysis.comparing.comparison import Column, Comparison, compare
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.files import plain_svg, svg_to_pdf, svg_to_png
from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.small_multiples import scale_words, small_multiples_svg
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg
from analysis.errors import PodiumError
from analysis.escaping import as_file_name
from analysis.findings.language_pairs import (
    csv_frame,
    headings,
    pairs_table,
    whole_certainty_words,
    whole_headline,
)
from analysis.parallel import map_items
from analysis.parameters import hyperparameters
from analysis.rankers import COMPARED_METHODS, RANKERS, Ranker
from analysis.rankers.mean import possible_means
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking, rank
from analysis.reporting.csv_table import csv_file
from analysis.reporting.document import Block, Picture, Table, Words, html_page
from analysis.reporting.latex import to_latex
from analysis.reporting.pair_tables import PairTable, pair_tables
from analysis.reporting.paper_tables import (
    PaperTable,
    cautious_table,
    head_to_head_table,
    kappa_table,
    reordering_table,
)
from analysis.reporting.paper_writers import FORMS, workbook
from analysis.wording import EN_DASH, count, fixed, thousands

Files = dict[str, bytes]
VERSIONS = ("numpy", "scipy", "numba", "pandas", "typst", "xlsxwriter")
"""Packages that numbers and files depend on."""


def file_names(
    pairs: Sequence[str], taken: Sequence[str] = ("campaign", "standings")
) -> dict[str, str]:
    """Return a file name for each pair, no two alike, none of those ``taken``."""
    names: dict[str, str] = {}
    for place, pair in enumerate(pairs, 1):
        name = as_file_name(pair) or f"pair-{place}"
        used = {other.casefold() for other in names.values()} | {*taken}
        names[pair] = f"{name}-{place}" if name.casefold() in used else name
    return names


def campaign_files(
    campaign: Campaign,
    title: str,
    results: Sequence[PairResult],
    ranker: Ranker,
    certainty: Certainty,
    selection: Selection,
    command: str,
) -> Files:
    """Return all files of a campaign by their paths; ``command`` makes them again."""
    names = file_names([result.pair for result in results])
    ranked = [result for result in results if result.ranking is not None]
    picture = plain_svg(small_multiples_svg(results))
    files: Files = {
        "campaign.csv": csv_file(csv_frame(results)),
        "campaign.tex": printed_pairs(results, ranker).encode(),
        "campaign.html": whole_page(title, results, ranker).encode(),
        "standings.svg": picture.encode(),
        "standings.pdf": svg_to_pdf(picture, title),
    }
    judged = [(r.pair, r.agreement) for r in ranked if r.agreement is not None]
    if judged:
        files |= _papers([kappa_table(judged)], ())
    tables: dict[str, Sequence[PairTable]] = {}

    def of_pair(result: PairResult, _: object) -> Files:
        tables[result.pair] = pair_tables(_ranking(result), result.agreement)
        return pair_files(result, ranker, tables[result.pair])

    for result, made in zip(ranked, map_items(of_pair, ranked, seed=0), strict=True):
        files |= {f"{names[result.pair]}/{name}": content for name, content in made.items()}
    sheets = [("All pairs", csv_frame(results), "")]
    sheets += [
        (f"{names[r.pair]} {table.title}", table.frame, _ranking(r).signature)
        for r in ranked
        for table in tables[r.pair]
    ]
    files["tables.xlsx"] = workbook(sheets)
    made_by = how_made(campaign, ranker, certainty, selection, command)
    files["made.json"] = _json(made_by | {"finding": whole_headline(results), "files": [*files]})
    return files


def pair_files(result: PairResult, ranker: Ranker, tables: Sequence[PairTable]) -> Files:
    """Return the files of one language pair: tables, tables for papers, the standings' picture."""
    ranking, names = _ranking(result), result.names
    files = {f"{table.name}.csv": csv_file(table.frame, ranking.signature) for table in tables}
    for_paper = [cautious_table(ranking, ranker), head_to_head_table(ranking, names)]
    comparison = beside_published(ranking, ranker)
    if comparison is not None:
        for_paper.append(reordering_table(comparison, names, {}, result.pair))
    files |= _papers(for_paper, (ranking.signature,))
    look = Look(system_colors(ranking.judgments.color_places, "light"))
    picture = figure_svg(rows_json(standings_scene(ranking, names, ranker.score_label), look))
    return files | {
        "standings.svg": picture.encode(),
        "standings.png": svg_to_png(picture),
        "standings.pdf": svg_to_pdf(picture, f"Standings, {result.pair}"),
    }


def beside_published(ranking: Ranking, ranker: Ranker) -> Comparison | None:
    """Return other usual methods, or means of ratings, after a ranking; None where one fails."""
    others: dict[str, Ranker] = dict(possible_means(ranking.judgments))
    if not ranker.needs_scores:
        found = (RANKERS[name]() for name in COMPARED_METHODS if name != ranker.name)
        others = {one.title: one for one in found}
    own = next((title for title, one in others.items() if one == ranker), ranker.title)
    rankings = {own: ranking}
    try:
        for title, one in others.items():
            if title != own:
                rankings[title] = rank(ranking.judgments, one, ranking.certainty)
        return compare([Column.from_ranking(one, title) for title, one in rankings.items()])
    except PodiumError:
        return None


def how_made(
    campaign: Campaign,
    ranker: Ranker,
    certainty: Certainty,
    selection: Selection,
    command: str,
) -> dict[str, Any]:
    """Return all that the numbers depend on: data, method, settings, seed, versions."""
    return {
        "command": command,
        "data": campaign.fingerprint,
        "method": ranker.name,
        "settings": dict(ranker.settings()),
        "certainty": vars(certainty),
        "selection": {
            chosen.name: getattr(selection, chosen.name)
            for chosen in SELECTION_FIELDS
            if getattr(selection, chosen.name) != chosen.default
        },
        "versions": {"python": platform.python_version()}
        | {name: metadata.version(name) for name in VERSIONS},
    }


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as one ZIP archive, in the order of their names, without dates."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return target.getvalue()


def _ranking(result: PairResult) -> Ranking:
    assert result.ranking is not None, "only ranked pairs have files"
    return result.ranking


def _papers(tables: Sequence[PaperTable], comments: Sequence[str]) -> Files:
    """Return tables in every language of papers; a table's kind is the file's name."""
    return {
        f"{table.kind}.{ending}": write(table, comments).encode()
        for table in tables
        for ending, write in FORMS.values()
    }


def _json(document: object) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n").encode()


TEXT = ("pair", "first", "open")
"""Columns of words."""


def whole_blocks(title: str, results: Sequence[PairResult], ranker: Ranker) -> list[Block]:
    """Return what is said of a whole campaign: finding, all standings, table."""
    ranked = [result.ranking for result in results if result.ranking is not None]
    sure = whole_certainty_words(results)
    return [
        Words(f"{title} · {ranker.title}", "quiet"),
        Words(whole_headline(results), "h1"),
        Picture(small_multiples_svg(results)),
        Words(f"{scale_words(results, ranker.score_label)} {sure}", "quiet"),
        _table(results),
        Words("Signatures of the numbers", "h2"),
        Words("\n".join(ranking.signature for ranking in ranked), "pre"),
    ]


def whole_page(title: str, results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return it as one HTML page."""
    return html_page(title, [whole_blocks(title, results, ranker)], wide=True)


def _table(results: Sequence[PairResult]) -> Table:
    table, named = pairs_table(results), headings(results)
    names = [str(name) for name in table]
    rows = [tuple(_cell(name, row[name]) for name in names) for row in table.to_dict("records")]
    words = tuple(k for k, name in enumerate(names) if name in TEXT)
    return Table(tuple(named[name] for name in names), tuple(rows), words)


def _cell(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if pd.isna(value):
        return EN_DASH
    return fixed(value) if name == "kappa" else thousands(value)


def printed_pairs(results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return the table of all language pairs for a paper."""
    return to_latex(
        pairs_table(results).rename(columns=headings(results)),
        caption=f"Results of {count(len(results), 'language pair')} by {ranker.title}.",
        label="language-pairs",
    )


def rank_command(
    files: Sequence[str],
    pair: str,
    ranker: Ranker,
    *,
    certainty: Certainty,
    judgments: Judgments,
) -> str:
    """Return the command whose numbers are those of `rank` with these settings.

    Every setting with an effect is named, so that another default changes nothing; hyperparameters
    only where they differ from theirs.
    """
    words = ["rank", *files, "--lang-pair", pair]
    words += setting_words(ranker, certainty, judgments.selection)
    if ranker.has_derivative(judgments) and not certainty.is_official:
        resamples = words.index("--resamples")
        del words[resamples : resamples + 2]
    return shlex.join(["podium", *words])


def files_command(
    files: Sequence[str],
    output: str,
    pair: str,
    title: str,
    ranker: Ranker,
    *,
    certainty: Certainty,
    selection: Selection,
) -> str:
    """Return the command that writes the files of a language pair; of all pairs if none is named.

    Nothing if the judgments come from no file.
    """
    if not files:
        return ""
    which = ["--lang-pair", pair] if pair else ["--all-pairs"]
    words = ["rank", *files, *which, *setting_words(ranker, certainty, selection)]
    return shlex.join(["podium", *words, f"--title={title}", "-o", output])


def setting_words(ranker: Ranker, certainty: Certainty, selection: Selection) -> list[str]:
    """Return every setting of a ranking as words of a command."""
    words = ["--method", ranker.name]
    for parameter in hyperparameters(type(ranker)):
        value = getattr(ranker, parameter.name)
        if value != parameter.default:
            words.append(f"{parameter.flag}={_plain(value)}")
    scope = "these" if certainty.is_official else certainty.scope
    words += ["--ranges", certainty.ranges, "--scope", scope]
    if certainty.is_official:
        words += ["--unit", certainty.unit]
    words += ["--resamples", str(certainty.runs)]
    words += ["--level", f"{certainty.level:g}", "--seed", str(certainty.seed)]
    for chosen in SELECTION_FIELDS:
        words += chosen.arguments(getattr(selection, chosen.name))
    return words


def _plain(value: object) -> str:
    """Write a value as a flag takes it, with all its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)
