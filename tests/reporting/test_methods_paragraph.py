"""The methods paragraph: every registered method has its papers and says its settings."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis import reporting
from analysis.campaign import Judgments, Selection
from analysis.extras.metrics.beside_people import REFERENCES as OF_METRICS
from analysis.extras.procedures.registry import PROCEDURES
from analysis.extras.validation.prediction.predict import MODELS
from analysis.findings.certainty import whom
from analysis.formats import read
from analysis.judges.agreement import agreement, judged_once
from analysis.judges.judge_table import judges
from analysis.parameters import hyperparameters
from analysis.rankers import RANKERS
from analysis.rankers.mean import Mean
from analysis.rankers.ranker import Method
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.variance import SCOPES, Scope
from analysis.reporting.methods_paragraph import REFERENCES, hyperparameter_words, methods_paragraph
from analysis.reporting.pair_tables import judges_frame, pair_tables
from analysis.reporting.report import PairReport, data_remark
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder

UNTOLD = {
    "trueskill": {"radius", "zone", "engine"},
    "hopkins-may": {"iterations", "burn_in", "query"},
    "hopkins-may-categorical": {"query"},
    "graded-response": {"barrier"},
    "lopez": {"time_limit"},
    "most-probable": {"time_limit"},
}
"""What bears on no score as the methods are set by default."""


def setting_references(method: type[Method]) -> list[str]:
    return [key for p in hyperparameters(method) for key in p.references.values()]


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt14-cs-en").judgments()


@pytest.fixture(scope="module")
def ranking(judgments: Judgments) -> Ranking:
    published = Certainty("marginal", unit="segment", runs=40, seed=9)
    return rank(judgments, RANKERS["expected-wins"](), published)


@pytest.mark.parametrize("name", RANKERS)
def test_every_method_is_cited_by_entries_that_exist(name: str, ranking: Ranking) -> None:
    paragraph = methods_paragraph(ranking, RANKERS[name]())
    assert set(RANKERS[name].references) <= set(paragraph.keys)
    cited = {
        key
        for group in re.findall(r"\\citep\{([^}]*)\}", paragraph.latex)
        for key in group.split(",")
    }
    entries = re.findall(r"^@\w+\{([^,]+),", paragraph.bibtex, flags=re.MULTILINE)
    assert cited == set(entries) == set(paragraph.keys)
    assert len(entries) == len(set(entries))


@pytest.mark.parametrize("name", RANKERS)
def test_the_years_of_a_methods_references_are_those_of_its_declaration(name: str) -> None:
    declared = set(re.findall(r"\d{4}", RANKERS[name].citation))
    cited = {str(REFERENCES[key].year) for key in RANKERS[name].references}
    cited |= {str(REFERENCES[key].year) for key in setting_references(RANKERS[name])}
    assert cited <= declared


def test_a_reference_is_listed_cited_and_written_as_its_file_has_it() -> None:
    paper = REFERENCES["davidson-1970-extending"]
    assert paper.cited == "Davidson, 1970"
    assert paper.line == (
        "Roger R. Davidson. 1970. On Extending the Bradley–Terry Model to Accommodate Ties in "
        "Paired Comparison Experiments. Journal of the American Statistical Association 65(329), "
        "pages 317–328."
    )
    file = (
        Path(reporting.__file__).parents[1].joinpath("references.bib").read_text(encoding="utf-8")
    )
    assert file == "\n\n".join(reference.bibtex for reference in REFERENCES.values()) + "\n"


@pytest.mark.parametrize("key", REFERENCES)
def test_every_entry_has_balanced_braces_and_is_of_use(key: str) -> None:
    entry = REFERENCES[key].bibtex
    assert entry.count("{") == entry.count("}")
    assert str(REFERENCES[key].year) in key
    used = {
        key
        for method in {**RANKERS, **MODELS}.values()
        for key in (*method.references, *setting_references(method))
    }
    used |= {"koehn-2012-simulating", "bojar-etal-2014-findings", "landis-koch-1977-measurement"}
    used |= {"hayes-krippendorff-2007-answering", "cameron-etal-2011-robust"}
    used |= {"holm-1979-simple", "gutmann-maymin-1987-selected"}
    used |= {key for procedure in PROCEDURES.values() for key in procedure.references}
    used |= set(OF_METRICS)
    assert key in used


@pytest.mark.parametrize("name", RANKERS)
def test_every_hyperparameter_is_told_unless_it_bears_on_nothing(name: str) -> None:
    ranker = RANKERS[name]()
    declared = hyperparameters(type(ranker))
    verdict = [p for p in declared if p.role == "fit" and p in ranker.in_use()]
    assert len(hyperparameter_words(ranker)) == len(verdict)
    assert {p.name for p in declared} - {p.name for p in verdict} == UNTOLD.get(name, set())


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("trueskill", {"radius": 0.7, "zone": "one-sided"}),
        ("hopkins-may", {"iterations": 400, "burn_in": 90, "query": "plug-in"}),
        ("hopkins-may-categorical", {"query": "plug-in"}),
    ],
)
def test_what_is_not_told_does_not_bear_on_the_scores(
    name: str, changes: dict[str, Any], judgments: Judgments
) -> None:
    ranker = RANKERS[name]()
    changed = dataclasses.replace(ranker, **changes)
    assert set(changes) <= UNTOLD[name]
    assert changed.as_fitted() == ranker
    assert (
        ranker.fit(judgments).standings.scores.tobytes()
        == changed.fit(judgments).standings.scores.tobytes()
    )
    few = Certainty("marginal", unit="task", runs=4)
    part = [rank(judgments, r, few).scores.tobytes() for r in (ranker, changed)]
    assert part[0] == part[1]


def test_the_paragraph_says_data_runs_clusters_and_agreement(
    ranking: Ranking, judgments: Judgments
) -> None:
    found = agreement(judgments, runs=30, seed=9)
    words = methods_paragraph(
        ranking, RANKERS["expected-wins"](), agreement=found, remark="Drawn."
    ).plain
    for part in (
        "Czech → English",
        f"{judgments.n_systems} systems",
        "are ties. Drawn.",
        "by Expected Wins (Koehn, 2012)",
        "95% of the ranks in 40 resamples",
        "whole segments were resampled with replacement (seed 9)",
        f"{ranking.n_clusters} clusters",
        f"κ = {found.published.inter.kappa:.2f} (",
        "counted as in WMT's tables; counted strictly, κ between judges is "
        f"{found.strict.inter.kappa:.2f}.",
    ):
        assert part in words


def test_the_paragraph_says_how_identical_outputs_count_where_the_file_names_any(
    judgments: Judgments,
) -> None:
    found = agreement(judgments, runs=30)
    recommended = rank(judgments, RANKERS["expected-wins"]())
    words = {
        how: methods_paragraph(
            recommended, RANKERS["expected-wins"](), agreement=replace(found, identical=how)
        ).plain
        for how in (None, "collapsed", "expanded")
    }
    assert "1977); an output that several systems produced counts once." in words["collapsed"]
    assert "1977); identical outputs count as ties" in words["expanded"]
    assert "1977)." in words[None]
    assert f"κ = {found.strict.inter.kappa:.2f} (" in words[None]
    assert "30 resamples of the segments" in words[None]


@pytest.mark.parametrize("scope", SCOPES)
def test_the_definition_of_told_apart_is_said_for_whom_and_cited(
    scope: Scope, judgments: Judgments
) -> None:
    ranker = RANKERS["expected-wins"]()
    ranking = rank(judgments, ranker, Certainty(scope=scope, level=0.9))
    paragraph = methods_paragraph(ranking, ranker)
    assert f"Confidence intervals (90%) are valid for {whom(ranking)}" in paragraph.plain
    units = "segments and judges" if scope == "new" else "ranking tasks"
    assert f"clustered by {units} (Cameron et al., 2011)" in paragraph.plain
    assert "is at most 0.1 (Holm, 1979)" in paragraph.plain
    assert f"into {ranking.n_clusters} clusters" in paragraph.plain
    assert "runs" not in paragraph.plain
    assert {"cameron-etal-2011-robust", "holm-1979-simple"} < set(paragraph.keys)


def test_what_was_not_resampled_has_no_ranges_and_what_cannot_vary_neither(
    judgments: Judgments,
) -> None:
    ranker = RANKERS["expected-wins"]()
    once = Certainty("marginal", unit="none", runs=5)
    words = methods_paragraph(rank(judgments, ranker, once), ranker).plain
    assert "Nothing was resampled, so rank ranges and clusters are not defined." in words
    single = judgments.take_tasks(np.array([0]))
    words = methods_paragraph(rank(single, ranker), ranker).plain
    assert "Resampling changes nothing, so rank ranges" in words


def test_changed_settings_are_in_the_text_and_in_its_citations(ranking: Ranking) -> None:
    ranker = RANKERS["bradley-terry"]
    davidson = methods_paragraph(ranking, ranker())
    other = methods_paragraph(ranking, dataclasses.replace(ranker(), ties="rao-kupper", prior=1.5))
    assert "davidson-1970-extending" in davidson.keys
    assert "rao-kupper-1967-ties" in other.keys
    assert "davidson-1970-extending" not in other.keys
    assert "s = 1.5 (" in other.plain


def test_latex_has_no_letter_that_plain_latex_cannot_set(
    ranking: Ranking, judgments: Judgments
) -> None:
    found = agreement(judgments, runs=0)
    for name in RANKERS:
        text = methods_paragraph(ranking, RANKERS[name](), agreement=found).latex
        assert not {letter for letter in text if ord(letter) > 0x17F} - {"’"}, name
        assert text.count("$") % 2 == 0
        assert not re.search(r"(?<!\\)[%&#_](?![^$]*\$[^$]*$)", re.sub(r"\$[^$]*\$", "", text))


def test_votes_of_unnamed_judges_are_called_that() -> None:
    lines = "".join(f"a,b,model_{'ab'[k % 2]}\n" for k in range(40))
    campaign, _ = read(f"model_a,model_b,winner\n{lines}".encode())
    ranking = rank(campaign.judgments(), RANKERS["bradley-terry"]())
    text = methods_paragraph(ranking, RANKERS["bradley-terry"]()).plain
    assert text.startswith("40 votes of unnamed judges compare 2 systems on 40 prompts; 0% are ")
    assert "judges" not in {table.name for table in pair_tables(ranking)}


def rated(rows: list[str], **chosen: Any) -> str:
    """Return the paragraph of ratings by the mean."""
    campaign, report = read("\n".join(["segment,system,judge,score", *rows]).encode())
    judgments = campaign.judgments(selection=Selection(**chosen))
    found = agreement(judgments, runs=0)
    names = judgments.short_names
    remark = data_remark(campaign, report)
    return PairReport(rank(judgments, Mean()), Mean(), names, found, remark=remark).paragraph.plain


def test_of_ratings_the_paragraph_says_what_was_left_out_and_how_ratings_agree() -> None:
    of_one = [f"{k},{s},j{k % 3},{50 + 7 * k % 31}" for k in range(12) for s in ("a", "b", "refA")]
    said = rated([*of_one, "3,a,j0,"])
    assert "1 human reference was left out (refA)." in said
    assert "Of 37 rows read, 1 was left out: " in said
    assert "No output was rated by two judges, so their agreement is unknown." in said
    assert "judged twice" not in said
    assert "Krippendorff" not in said
    said = rated([*of_one, *(row.replace(",j", ",x") for row in of_one)])
    assert "ratings of one output is 1.00 on the interval scale, over the 24 outputs that" in said
    assert said.endswith("two judges or more rated (Hayes and Krippendorff, 2007).")
    assert "κ" not in said


def test_the_paragraph_counts_copies_that_are_kept_or_dropped() -> None:
    builder = CampaignBuilder()
    for k in (*range(30), *range(10)):
        builder.add_task("fr-en", str(k), "ann", [("a",), ("b",)], [1, 2])
    for copies, said in (
        ("kept", "10 of 40 votes are exact copies of another one; all of them count."),
        ("dropped", "10 exact copies were dropped."),
    ):
        judgments = builder.build().judgments(selection=Selection(copies=copies))  # type: ignore[arg-type]
        ranker = RANKERS["expected-wins"]()
        assert said in methods_paragraph(rank(judgments, ranker), ranker).plain


def test_an_arena_has_prompts_and_one_tier_is_not_explained() -> None:
    lines = "".join(f"a,b,model_{'ab'[k % 2]},p{k // 2}\n" for k in range(40))
    judgments = read(f"model_a,model_b,winner,question_id\n{lines}".encode())[0].judgments()
    ranker = RANKERS["bradley-terry"]()
    text = methods_paragraph(rank(judgments, ranker), ranker).plain
    assert "clustered by prompts" in text
    assert "Each system of a tier" not in text


def test_the_table_of_judges_counts_ties_as_the_page_of_judges_does() -> None:
    builder = CampaignBuilder()
    for segment in range(12):
        builder.add_task("cs-en", str(segment), f"j{segment % 2}", [("a", "b"), ("c",)], [1, 2])
        if segment < 6:
            builder.add_task("cs-en", str(segment), f"j{segment % 2}", [("a",), ("c",)], [1, 1])
    campaign = builder.build()
    files = judges_frame(campaign.judgments()).set_index("judge")
    page = judges(judged_once(campaign)).to_frame().set_index("judge")
    assert (
        files["ties"].to_dict() == page["tie_rate"].round(2).to_dict() == {"j0": 0.33, "j1": 0.33}
    )
    assert files["judgments"].to_dict() == page["judgments"].to_dict()
    assert files["tasks"].to_dict() == page["tasks"].to_dict()
