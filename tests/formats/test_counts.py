"""Counts of wins and ties become the votes that they count.

leaderbot: log-likelihoods a vote from its README (suquark/leaderbot, model selection); abilities
from a fit of this project's own, made apart from this code.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments
from analysis.errors import PodiumError, UndefinedResultError
from analysis.formats import read, read_path
from analysis.judges.agreement import agreement, judged_once
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.ranking.verdict import reach_verdict
from tests.campaign.test_campaign import rows_of

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def tables(campaign: Campaign) -> list[list[float]]:
    judgments = campaign.judgments()
    assert judgments.systems == ("ash", "elm", "fir", "oak")
    return [*judgments.counts.wins.tolist(), *judgments.counts.ties.tolist()]


def test_a_list_two_matrices_and_json_hold_the_same_votes() -> None:
    listed, report = read_path(EXAMPLES / "counts.csv")
    assert report.kind == "counts"
    assert (report.n_rows, report.n_tasks) == (6, 489)
    judgments = listed.judgments()
    oak, elm = judgments.systems.index("oak"), judgments.systems.index("elm")
    assert judgments.counts.wins[oak, elm] == 41
    assert judgments.counts.wins[elm, oak] == 29
    assert judgments.counts.ties[oak, elm] == 12
    as_matrices, _ = read_path(EXAMPLES / "counts-matrix.csv", EXAMPLES / "counts-ties-matrix.csv")
    as_json, _ = read_path(EXAMPLES / "counts.json")
    assert tables(listed) == tables(as_matrices) == tables(as_json)


def test_votes_that_found_both_bad_are_left_out_and_told() -> None:
    _, report = read_path(EXAMPLES / "counts.json")
    (bad,) = [oddity for oddity in report.oddities if oddity.kind == "both-bad"]
    assert bad.count == 57


def test_winners_and_losers_are_counted_as_often_as_the_file_says() -> None:
    campaign, _ = read(b"winner,loser,count\na,b,3\nb,a,1\nb,c,2\n")
    assert sorted(row[:3] for row in rows_of(campaign.judgments())) == [
        ("a", "b", 1), ("a", "b", 1), ("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("b", "c", 1),
    ]  # fmt: skip
    once, _ = read(b"winner,loser\na,b\nb,c\n")
    assert once.n_tasks == 2


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("a,b,-3,2,0", "not a whole number"),
        ("a,b,1.5,2,0", "not a whole number"),
        ("a,b,many,2,0", "not a whole number"),
        ("a,a,1,2,0", "compared with itself"),
        (",b,1,2,0", "without a name"),
    ],
)
def test_rows_that_cannot_be_counted_are_told(row: str, words: str) -> None:
    campaign, report = read(f"a,b,wins_a,wins_b,ties\nc,d,2,1,0\n{row}\n".encode())
    assert campaign.n_tasks == 3
    (left_out,) = report.left_out
    assert left_out.places == (3,)
    assert words in left_out.sentence()


def test_an_empty_count_is_none_and_a_row_of_zeros_is_nothing() -> None:
    campaign, report = read(b"a,b,wins_a,wins_b,ties\nc,d,2,,\nd,e,0,1,0\nc,e,0,0,0\n")
    assert campaign.n_tasks == 3
    assert report.n_left_out == 0


@pytest.mark.parametrize(
    "text",
    [
        '{"models": ["a", "b"], "X": [[0, 2]], "Y": [[1, 2, 3]]}',
        '{"models": ["a", "b"], "X": [[0, 1]], "Y": [[1, 2, 3], [1, 2, 3]]}',
        '{"models": ["a", "b"], "X": [[0, -1]], "Y": [[1, 2, 3]]}',
        '{"models": ["a", "b"], "X": [], "Y": []}',
    ],
)
def test_json_that_does_not_belong_together_is_refused(text: str) -> None:
    with pytest.raises(PodiumError, match="do not match"):
        read(text.encode())


def test_more_votes_than_fit_are_refused_before_they_are_laid_out() -> None:
    with pytest.raises(PodiumError, match="more than the"):
        read(b"a,b,wins_a,wins_b\nc,d,2000000000,1\n")


def test_what_was_judged_and_by_whom_is_unknown() -> None:
    campaign, _ = read_path(EXAMPLES / "counts.csv")
    with pytest.raises(UndefinedResultError, match="names no judges"):
        agreement(judged_once(campaign))
    verdict = reach_verdict(BradleyTerry().fit(campaign.judgments()))
    assert set(verdict.missing) == {"segment", "judge"}
    assert verdict.n_clusters >= 1


# Campaigns


@pytest.fixture(scope="module")
def leaderbot(campaigns_dir: Path) -> Judgments:
    return read_path(campaigns_dir / "leaderbot" / "chatbotarena_20240814.json")[0].judgments()


def test_leaderbot_has_all_its_votes(leaderbot: Judgments) -> None:
    assert len(leaderbot) == 1_374_996
    assert leaderbot.n_systems == 129


@pytest.mark.parametrize(
    ("ties", "published"), [("half", 0.6554), ("rao-kupper", 1.0095), ("davidson", 1.0100)]
)
def test_leaderbot_has_the_published_likelihoods(
    leaderbot: Judgments, ties: str, published: float
) -> None:
    counts = leaderbot.counts
    fit = BradleyTerry(ties=ties, prior=10).fit(leaderbot)
    if ties == "half":
        lead = fit.mode[:-1, None] - fit.mode[:-1]
        total = ((counts.wins + counts.ties / 2) * -np.logaddexp(0, -lead)).sum()
    else:
        chances = fit.preferences()
        with np.errstate(divide="ignore", invalid="ignore"):
            of_wins = np.where(counts.wins > 0, counts.wins * np.log(chances.win), 0)
            of_ties = np.where(counts.ties > 0, counts.ties * np.log(chances.tie), 0)
        total = of_wins.sum() + of_ties.sum() / 2
    assert -total / len(leaderbot) == pytest.approx(published, abs=5e-5)


def test_leaderbot_has_the_abilities_of_davidsons_model(leaderbot: Judgments) -> None:
    standings = BradleyTerry(ties="davidson", prior=10).fit(leaderbot).standings
    scores = dict(zip(standings.systems, standings.scores, strict=True))
    assert {
        "chatgpt-4o-latest": scores["chatgpt-4o-latest"],
        "gemini-1.5-pro-exp-0801": scores["gemini-1.5-pro-exp-0801"],
        "gpt-4o-2024-05-13": scores["gpt-4o-2024-05-13"],
    } == pytest.approx(
        {
            "chatgpt-4o-latest": 1.862,
            "gemini-1.5-pro-exp-0801": 1.693,
            "gpt-4o-2024-05-13": 1.557,
        },
        abs=1e-3,
    )
