"""``rank --all-pairs`` and ``rank -o``: language pairs by one method, and all their files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.cli import flags
from analysis.cli.documents import ranking_document, unused
from analysis.cli.options import Request, executor, progress_bar, read_campaign, request
from analysis.cli.output import SCHEMA, emit, new_file, plain, warn, write_whole
from analysis.comparing.language_pairs import PairResult, whole_campaign
from analysis.errors import PodiumError
from analysis.findings.language_pairs import (
    csv_frame,
    paper_frame,
    whole_frame,
    whole_headline,
)
from analysis.findings.standings import neighbors
from analysis.rankers import Ranker
from analysis.reporting.bundle import Files, campaign_files, file_names, files_command, zipped
from analysis.reporting.csv_table import to_csv
from analysis.wording import count


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags of the old name, ``campaign``, which ranks all pairs."""
    parser.set_defaults(all_pairs=True)
    flags.add_file(parser)
    flags.add_output_folder(parser)
    flags.add_certainty(parser)
    flags.add_selection(parser)
    flags.add_output(parser)
    flags.add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Rank every language pair; print the table and write the folder."""
    read, report = read_campaign(options)
    asked = request(options, read)
    campaign, ranker, chosen, selected, pairs = asked
    if options.pair is not None and options.all_pairs:
        raise PodiumError(
            "--lang-pair", "all language pairs are ranked", "Leave out --all-pairs to rank one."
        )
    if not options.all_pairs and len(pairs) > 1:
        several = f"there are {count(len(pairs), 'language pair')}"
        raise PodiumError("--output", several, "Add --all-pairs, or --lang-pair PAIR for one.")
    names = file_names(pairs)
    target = None if options.output is None else Path(options.output)
    if target is not None and (target.suffix == ".zip" or options.output == "-"):
        new_file(options.output, force=options.force)
    folder = None if target is None or target.suffix == ".zip" else _folder(target, names, options)

    def document(result: PairResult) -> dict[str, Any]:
        return _document(result, ranker, unused(report, result.pair))

    def keep(result: PairResult) -> None:
        if folder is not None:
            _write_pair(folder, names[result.pair], result, document(result))

    with executor(options) as workers, progress_bar("Ranking language pairs") as progress:
        results = whole_campaign(
            campaign,
            ranker,
            chosen,
            selected,
            pairs=pairs,
            keep=keep,
            executor=workers,
            progress=progress,
        )
    documents = [*map(document, results)]
    title = options.title or campaign.title or Path(options.files[0]).name
    if target is not None:
        files = _files(options, asked, title, target.name, results)
        if folder is None:
            write_whole(target, zipped(files))
        else:
            _write_all(folder, files | {"campaign.json": _json(documents)})
        warn([f"Wrote {count(len(results), 'language pair')} to {target}."])
    emit(
        options,
        documents,
        csv_frame(results) if options.csv else paper_frame(results),
        heading=f"{title}: {whole_headline(results)}, by {ranker.title}.",
        notes=[f"{r.pair}: {r.problem}" for r in results if r.problem],
    )


def _files(
    options: argparse.Namespace,
    asked: Request,
    title: str,
    target: str,
    results: Sequence[PairResult],
) -> Files:
    """Return all files of the pairs, with the command that writes them."""
    campaign, ranker, chosen, selected, pairs = asked
    pair = "" if options.all_pairs else pairs[0]
    command = files_command(
        options.files, target, pair, title, ranker, certainty=chosen, selection=selected
    )
    return campaign_files(campaign, title, results, ranker, chosen, selected, command)


def _document(result: PairResult, ranker: Ranker, unread: dict[str, int]) -> dict[str, Any]:
    """Return a pair's line with its ranking, where there is one."""
    row = {str(key): value for key, value in whole_frame([result]).iloc[0].items()}
    ranking = result.ranking
    return {
        "schema": SCHEMA,
        "lang_pair": row.pop("pair"),
        **row,
        "method": ranker.name,
        "leaders": result.leaders,
        "open_neighbors": []
        if ranking is None
        else [
            {"upper": pair.upper, "lower": pair.lower, "p_adjusted": pair.p}
            for pair in neighbors(ranking)
            if not pair.apart
        ],
        "ranking": None if ranking is None else ranking_document(ranking) | unread,
    }


def _write_pair(folder: Path, name: str, result: PairResult, document: dict[str, Any]) -> None:
    write_whole(folder / f"{name}.json", _json(document))
    if result.ranking is not None:
        table = to_csv(result.ranking.to_frame(), result.ranking.signature)
        write_whole(folder / f"{name}.csv", table.encode())


def _write_all(folder: Path, files: Files) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, content)


def _json(document: object) -> bytes:
    return (json.dumps(plain(document), ensure_ascii=False, indent=2) + "\n").encode()


def _folder(folder: Path, names: dict[str, str], options: argparse.Namespace) -> Path:
    """Make the folder; refuse to replace what stands in it, unless told to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PodiumError(str(folder), reason, "Name another folder.") from error
    mine = ["campaign.csv", "made.json", *(f"{name}.json" for name in names.values())]
    there = [name for name in mine if (folder / name).exists()]
    if there and not options.force:
        raise PodiumError(
            str(folder), f"it has {there[0]} already", "Add --force to replace its files."
        )
    return folder
