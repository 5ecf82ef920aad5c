"""How every file of a folder of unseen files opens: ``python -m tests.tools.field [FOLDER]``.

For each file: what it holds without a flag, with ``--map auto``, the flags that it needs, and
whether that is right (`EXPECTED`, counted by hand with pandas). The folder is campaigns/field of
``PODIUM_CAMPAIGNS`` without an argument.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import PodiumError
from analysis.formats import read_path

OPENED_AT_LEAST = 0.85


@dataclass(frozen=True)
class Opened:
    """What a file holds: judges, systems, segments, criteria."""

    judges: int
    systems: int
    segments: int
    criteria: int = 1

    def __str__(self) -> str:
        return f"{self.judges} / {self.systems} / {self.segments} / {self.criteria}"


EXPECTED: dict[str, Opened | None] = {
    "slice-bug.csv": Opened(2, 3, 40),
    "cd-diagram/example.csv": Opened(1, 5, 15),
    "copilot-arena/copilot_arena_examples_v1.csv": Opened(1, 11, 111),
    "e2e-quality/quality.csv": Opened(112, 21, 630),
    "eurovision/votes.csv": Opened(52, 52, 63),
    "football/eng.3.csv": Opened(1, 24, 552),
    "frank/human_annotations.json": Opened(1, 9, 499, 12),
    "lens/simpDA_2022.csv": Opened(11, 6, 60, 3),
    "lens/simpeval_2022.csv": Opened(3, 6, 60),
    "literary2023/all_annotations_v1.json": Opened(1, 4, 152),
    "literary2023/de_pl_1.json": Opened(1, 2, 10),
    "llmbar/dataset.json": None,  # no systems: two outputs without names
    "msparity2018/Translator-HumanParityData-Meta1-Subset1.csv": Opened(45, 9, 181),
    "mteb-arena/clean_battle_retrieval.json": Opened(1, 15, 1670),
    "mteb-arena/retrieval_leaderboard.csv": None,  # results
    "parity2018/participants.csv": None,  # about judges
    "parity2018/ratings.csv": Opened(9, 2, 308, 2),
    "prd/answer_gpt4-vs-answer_claude-claude-reviewer_threeclass.jsonl": None,  # no systems
    "prd/experts_pairwise_human_preferences.jsonl": Opened(1, 2, 75),
    "preflib/00014-00000001.soc": Opened(1, 10, 1),
    "preflib/00014-00000003.toi": Opened(1, 100, 1),
    "preflib/00026-00000001.cat": Opened(1, 16, 1),
    "preflib/00044-00000001.soi": Opened(1, 774, 1),
    "preflib/00052-00000001.soi": Opened(1, 81, 1),
    "rankgen/gpt2_medium.csv": Opened(5, 2, 100),
    "reprohum-d2t/Repetition.xlsx": Opened(128, 5, 200),
    "s4-mushra/mushra.csv": Opened(19, 4, 11),
    "simplicity-da/simplicity_DA.csv": Opened(1, 6, 302, 3),
    "simplicity-da/simplicity_DA_ratings.csv": Opened(67, 6, 302),
    "starwars/StarWars.csv": Opened(836, 6, 836),
    "tulu1/eval_annotations_tulu_1.xlsx": Opened(16, 4, 332),
    "voicemos/answer.csv": Opened(1, 21, 76),
    "voicemos/track3_listener_wise_answer.csv": Opened(10, 7, 40, 3),
    "webnlg2020/english_humeval_data_all_teams.json": Opened(1, 17, 178, 5),
    "wmt-sxs/sxs_head.tsv": Opened(6, 10, 15),
}
"""What each file holds; None for one without judgments between named systems."""


def opened(path: Path, mapping: str | None) -> Opened | str:
    """Return what a file holds as it is read, or why it is not."""
    try:
        campaign, _ = read_path(path, mapping=mapping)  # type: ignore[arg-type]
    except PodiumError as error:
        return str(error)
    judges = {judge for _, own in campaign.criteria or (("", campaign),) for judge in own.judges}
    segments = {name for _, own in campaign.criteria or (("", campaign),) for name in own.segments}
    return Opened(len(judges), len(campaign.systems), len(segments), max(len(campaign.criteria), 1))


def files_of(folder: Path) -> list[Path]:
    """Return the files of judgments below a folder."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "README.md")


def main() -> int:
    """Print the table and what it adds up to; 1 where a bar is missed."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(prog="python -m tests.tools.field", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    folder = parser.parse_args().folder or Path(os.environ["PODIUM_CAMPAIGNS"]) / "field"
    good = wrong = readable = 0
    print("file | no flag | --map auto | flags | s | judges / systems / segments / criteria")
    for path in files_of(folder):
        name = path.relative_to(folder).as_posix()
        plain = opened(path, None)
        began = time.perf_counter()
        auto = plain if isinstance(plain, Opened) else opened(path, "auto")
        seconds = time.perf_counter() - began
        expected = EXPECTED.get(name)
        is_read, is_right = isinstance(auto, Opened), auto == expected
        readable += expected is not None
        good += is_read and is_right
        wrong += is_read and not is_right and name in EXPECTED
        verdict = "right" if is_right else "WRONG" if is_read else "not read"
        if not is_read and expected is None:
            verdict = "refused, rightly"
        flags = "none" if isinstance(plain, Opened) else "--map auto" if is_read else "a profile"
        before = "read" if isinstance(plain, Opened) else "refused"
        said = auto if is_read else str(auto)[-100:]
        print(f"{name} | {before} | {verdict} | {flags} | {seconds:.1f} | {said}")
    if readable:
        print(f"{good} of {readable} files with judgments open right ({good / readable:.0%}), "
              f"{wrong} wrongly")  # fmt: skip
    return int(wrong > 0 or good < OPENED_AT_LEAST * readable)


if __name__ == "__main__":
    sys.exit(main())
