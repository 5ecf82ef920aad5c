"""Tables as overview papers print them: their form, and that LaTeX and Typst set them as is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st

from analysis.campaign import Campaign
from analysis.cli import main
from analysis.comparing.comparison import Column, compare
from analysis.formats import read
from analysis.judges.agreement import agreement
from analysis.names import short_names
from analysis.rankers import ranker_class
from analysis.rankers.mean import Mean
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking, rank
from analysis.reporting.bundle import beside_published
from analysis.reporting.latex import write_latex
from analysis.reporting.paper_tables import (
    Cell,
    PaperTable,
    cautious_table,
    frame_table,
    head_to_head_table,
    kappa_table,
    ranking_caption,
    ranking_table,
    reordering_table,
)
from analysis.reporting.paper_writers import typst_cell, write_markdown, write_typst
from analysis.samples import SAMPLES, sample_campaign
from tests.building import CampaignBuilder
from tests.reporting.test_latex import ATTACKS
from tests.typesetting import needs_latex, set_in_latex

PUBLISHED = Certainty(ranges="marginal", unit="judgment", runs=100)


def ranked(campaign: Campaign, method: str = "expected-wins", **how: object) -> Ranking:
    judgments = campaign.judgments(campaign.pairs[0])
    return rank(judgments, ranker_class(method)(), Certainty(**how))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return ranked(sample_campaign("cs-en"))


def tables_of(campaign: Campaign) -> Iterator[PaperTable]:
    """Yield all four tables of a campaign's first pair."""
    rankings = [ranked(campaign, name) for name in ("expected-wins", "hopkins-may", "bojar")]
    names = short_names(rankings[0].systems)
    yield ranking_table(rankings[0], names, "Expected Wins")
    yield head_to_head_table(rankings[0], names)
    pair = campaign.pairs[0]
    yield kappa_table([(pair, agreement(rankings[0].judgments, runs=100))] * 2)
    comparison = compare([Column.from_ranking(one) for one in rankings])
    yield reordering_table(comparison, names, {}, pair)


def test_the_ranking_has_a_line_between_clusters(ranking: Ranking) -> None:
    table = ranking_table(ranking, short_names(ranking.systems), "Expected Wins")
    verdict, best = ranking.verdict, ranking.order[0]
    assert verdict is not None
    own = f"{verdict.ci_low[best]:.3f} to {verdict.ci_high[best]:.3f}"
    assert [cell.text for cell in table.rows[0]] == ["1", "0.573", own, "1–2", "ONLINE-B"]
    assert table.rules == {2}
    assert "all systems at once at 95%" in table.note
    assert "with a test of their own, so that one may lie within a tier" in table.note
    assert "differ significantly." not in table.note


def test_the_caption_of_a_simulated_sample_begins_with_that(ranking: Ranking) -> None:
    assert ranking_caption(ranking, "Elo").startswith("Simulated sample. Czech")
    real = CampaignBuilder()
    real.add_task("fr-en", "1", "ann", [("a",), ("b",)], [1, 2])
    judged = rank(real.build().judgments(), ranker_class("expected-wins")())
    assert "imulated" not in ranking_caption(judged, "Elo")


def test_the_published_ranking_says_whose_ranges_it_has() -> None:
    judgments = sample_campaign("cs-en").judgments("cs-en")
    ranking = rank(judgments, ranker_class("expected-wins")(), PUBLISHED)
    table = ranking_table(ranking, short_names(ranking.systems), "Expected Wins")
    assert "95% of 100 resamples, each system by itself" in table.note


def test_a_cell_is_the_share_of_the_column_over_the_row_with_the_winner_bold(
    ranking: Ranking,
) -> None:
    table = head_to_head_table(ranking, short_names(ranking.systems))
    best, worst = table.heads.index("ONLINE-B"), table.heads.index("CU-MOSES")
    cell, mirror = table.rows[worst - 1][best], table.rows[best - 1][worst]
    assert cell.bold
    assert not mirror.bold
    assert float(cell.text) > 0.5 > float(mirror.text)
    assert cell.mark == mirror.mark == "⋆"
    assert table.rows[0][1].text == "–"


def test_scores_and_ranks_stand_below_the_head_to_head(ranking: Ranking) -> None:
    table = head_to_head_table(ranking, short_names(ranking.systems))
    n = len(ranking.systems)
    assert table.rules == {n}
    assert [row[0].text for row in table.rows[n:]] == ["Score", "Rank"]
    assert table.rows[n + 1][1].text == "1–2"


def test_the_mean_of_kappas_weighs_pairs_alike() -> None:
    found = agreement(sample_campaign("cs-en").judgments("cs-en"), runs=100)
    table = kappa_table([("cs-en", found), ("fr-en", found)])
    assert table.rows[2][0].text == "Mean"
    assert table.rows[2][1:] == table.rows[0][1:]
    assert kappa_table([("cs-en", found)]).rules == frozenset()


def test_a_cluster_s_first_system_is_bold_in_every_method() -> None:
    *_, table = tables_of(sample_campaign("cs-en"))
    assert all(cell.bold for cell in table.rows[0][1:])
    assert not any(cell.bold for cell in table.rows[1][1:2])


@given(st.text(max_size=30))
def test_no_name_breaks_a_row_of_markdown(name: str) -> None:
    table = PaperTable("t", "", name, ("a", "b"), "ll", ((Cell(name), Cell("end")),))
    row = write_markdown(table).splitlines()[-1]
    assert row.startswith("| ")
    assert row.endswith(" | end |")


def attacked() -> PaperTable:
    rows = tuple((Cell(name), Cell(name, bold=True, mark="†")) for name in ATTACKS)
    return PaperTable(
        "wins", "pair_#1{", "".join(ATTACKS), ("=1", "#head"), "lr", rows, frozenset({1})
    )


def test_typst_sets_a_table_of_attacks_without_running_any() -> None:
    source = write_typst(attacked(), ("a comment\n#panic()",))
    assert typst.compile(source.encode()).startswith(b"%PDF")


@pytest.mark.parametrize("name", [n for n in (*ATTACKS, "1. x", "= x", "/ x: y", "...") if n])
def test_typst_prints_a_name_as_it_stands(name: str) -> None:
    shown = "".join(c if c.isprintable() else "?" for c in name)
    literal = shown.replace("\\", "\\\\").replace('"', '\\"')
    (cell,) = PaperTable("t", "", "", ("a",), "l", ((Cell(name),),)).rows[0]
    page = "#set smartquote(enabled: false)\n#set page(width: 20cm, height: 3cm)\n"
    written = typst.compile(f"{page}#table([{typst_cell(cell)}])".encode(), format="png")
    meant = typst.compile(f'{page}#table([#"{literal}"])'.encode(), format="png")
    assert written == meant


def test_typst_sets_the_tables_of_all_samples_without_a_warning() -> None:
    tables = [table for name in SAMPLES for table in tables_of(sample_campaign(name))]
    source = "\n#pagebreak()\n".join(
        write_typst(table).replace("<tab-", f"<t{k}-") for k, table in enumerate(tables)
    )
    document, warnings = typst.compile_with_warnings(source.encode())
    assert document.startswith(b"%PDF")
    assert not warnings


@pytest.mark.slow
@needs_latex
def test_latex_sets_the_tables_of_all_samples_without_a_warning(tmp_path: Path) -> None:
    tables = [table for name in SAMPLES for table in tables_of(sample_campaign(name))]
    sources = [write_latex(table, ("made by us",)) for table in (*tables, attacked())]
    set_in_latex([source.replace(r"\label", "%") for source in sources], tmp_path)


def test_a_table_is_the_same_from_the_command_line_and_on_the_page(
    ranking: Ranking, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["rank", "sample:wmt14-cs-en", "--latex", "--method", "expected-wins"])
    assert capsys.readouterr().out == write_latex(
        cautious_table(ranking, ranker_class("expected-wins")()), (ranking.signature,)
    )
    frame = ranking.to_frame()
    of_data = frame_table(frame, caption="c", label="standings")
    of_paper = ranking_table(ranking, short_names(ranking.systems), "Expected Wins")
    assert (of_data.rows, of_data.rules) == (of_paper.rows, of_paper.rules)
    main(["compare", "sample:wmt14-cs-en", "--latex", "--methods", "bradley-terry,elo"])
    shown = capsys.readouterr().out
    assert "Bradley--Terry & Elo" in shown
    assert "newstest" not in shown.partition(r"\begin{table}")[2]
    main(["agreement", "sample:wmt14-cs-en", "--latex", "--resamples", "0"])
    assert "Inter, strict & Intra, strict" in capsys.readouterr().out


def test_of_ratings_the_paper_s_methods_are_ways_of_averaging() -> None:
    """As What if and the slides have it: pairwise methods do not rank ratings."""
    rows = [f"{k},{s},j{k % 3},{50 + 7 * k % 31}" for k in range(12) for s in "ab"]
    judgments = read("\n".join(["segment,system,judge,score", *rows]).encode())[0].judgments()
    found = beside_published(rank(judgments, Mean()), Mean())
    assert found is not None
    assert found.methods == ("Mean score", "Standardized by judge")
    pairs = ranked(sample_campaign("cs-en"), "bradley-terry")
    found = beside_published(pairs, ranker_class("bradley-terry")())
    assert found is not None
    assert found.methods[:2] == ("Bradley–Terry", "Expected Wins")
