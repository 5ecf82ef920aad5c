"""Judges: planted faults are found among honest judges, and each column has its definition."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from analysis.campaign import Campaign, Judgments, Selection
from analysis.findings.judges import judges_finding
from analysis.formats import read
from analysis.judges.judge_kappas import judge_agreement
from analysis.judges.judge_table import ERROR_RATE, _order_flags, _scores_without_each, judges
from analysis.judges.judge_verdicts import VERDICT_OF_FLAG, Work, judge_verdict
from analysis.judges.kappa import ENOUGH
from analysis.rankers.ratios import ExpectedWins
from tests.building import CampaignBuilder

SYSTEMS = ("a", "b", "c", "d", "e", "f")
HONEST = tuple(f"honest{k}" for k in range(12))


class Panel:
    """Judges who see a system's quality with noise; segments few enough for them to meet."""

    def __init__(self, seed: int = 8) -> None:
        self.rng = np.random.default_rng(seed)
        self.builder = CampaignBuilder()
        self.shown = [self.rng.permutation(6)[:4] for _ in range(40)]

    def felt(self, outputs: np.ndarray, noise: float) -> np.ndarray:
        return 0.8 * outputs + self.rng.normal(0, noise, size=len(outputs))

    def judge(
        self, name: str, n: int, noise: float = 1.2, seconds: float = 60, distort: str = ""
    ) -> Panel:
        for t in range(n):
            outputs = self.rng.permutation(self.shown[t % 40])
            quality = self.felt(outputs, noise)
            if distort == "upside-down":
                quality = -quality
            elif distort == "left":
                quality = quality - 1.5 * np.arange(4)
            elif distort == "tie":
                quality = np.where(self.rng.random() < 0.9, 0 * quality, quality)
            ranks = 1 + np.array([(np.round(quality) > q).sum() for q in np.round(quality)])
            self.builder.add_task(
                "fr-en",
                str(t % 40),
                name,
                [(SYSTEMS[k],) for k in outputs],
                ranks.tolist(),
                seconds * self.rng.lognormal(0, 0.3),
            )
        return self

    def honest(self) -> Panel:
        for name in HONEST:
            self.judge(name, 40)
        return self

    def judgments(self) -> Judgments:
        return self.builder.build().judgments()


def flags(panel: Panel) -> dict[str, tuple[str, ...]]:
    table = judges(panel.judgments())
    return dict(zip(table.judges, table.flags, strict=True))


def test_honest_judges_are_not_flagged() -> None:
    assert set(flags(Panel().honest()).values()) == {()}


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (dict(n=40, distort="upside-down"), {"upside-down", "at-odds"}),
        (dict(n=80, noise=60.0), {"coin-toss", "at-odds", "fickle"}),
        (dict(n=40, distort="left"), {"position"}),
        (dict(n=40, distort="tie"), {"undecided"}),
        (dict(n=40, seconds=12), {"hasty"}),
        (dict(n=9, seconds=12, distort="upside-down"), set()),
        (dict(n=10, seconds=12), {"hasty"}),
    ],
    ids=["upside-down", "at random", "left", "ties", "hasty", "too little to say", "just enough"],
)
def test_a_planted_fault_is_found_and_no_honest_judge_suffers(
    fault: dict[str, object], expected: set[str]
) -> None:
    found = flags(Panel().honest().judge("planted", **fault))  # type: ignore[arg-type]
    assert expected <= set(found["planted"]) <= expected | {"at-odds"}
    assert all(not found[name] for name in HONEST)
    assert set(found["planted"]) <= set(VERDICT_OF_FLAG)


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [
        (dict(n=40, distort="upside-down"), "reversed"),
        (dict(n=80, noise=60.0), "careless"),
        (dict(n=40, distort="left"), "careless"),
        (dict(n=40, distort="tie"), "adds little"),
        (dict(n=40, seconds=12), "unproven"),
        (dict(n=9, seconds=12, distort="upside-down"), "unknown"),
        (dict(n=40), "unremarkable"),
    ],
    ids=["upside-down", "at random", "left", "ties", "hasty", "too little to say", "honest"],
)
def test_each_judge_has_one_verdict_with_its_reason(fault: dict[str, object], verdict: str) -> None:
    table = judges(Panel().honest().judge("planted", **fault).judgments())  # type: ignore[arg-type]
    found = dict(zip(table.judges, table.verdicts, strict=True))
    assert found["planted"].name == verdict
    assert found["planted"].reason.endswith(".")
    assert {found[name].name for name in HONEST} == {"unremarkable"}
    assert (table.noticed == ("planted",)) == (verdict not in ("unknown", "unremarkable"))


def test_who_disagrees_but_not_with_oneself_is_not_called_careless() -> None:
    assert {VERDICT_OF_FLAG[flag].name for flag in ("at-odds", "coin-toss")} == {"disagrees"}
    assert judge_verdict({"at-odds", "coin-toss"}, Work(40, 90)).name == "disagrees"
    assert judge_verdict({"at-odds", "fickle"}, Work(40, 90)).name == "careless"


def test_a_minority_view_is_suspected_only_of_who_repeats_it() -> None:
    stable, fickle, unknown = (
        judge_verdict({"coin-toss"}, Work(40, 90, 0.1, own)).reason for own in (0.6, 0.05, np.nan)
    )
    assert "Repeats own answers (κ 0.60): this may be an honest minority view" in stable
    assert fickle.startswith("Rarely repeats their own answers (κ 0.05)")
    assert "minority" not in fickle
    assert "minority" not in unknown


def test_who_shares_too_little_with_others_cannot_be_checked() -> None:
    for work, why in (
        (Work(40, 0), "No outputs in common"),
        (Work(40, 18), "Only 18 comparisons"),
        (Work(3, 90), "fewer than 10 tasks"),
    ):
        verdict = judge_verdict((), work)
        assert verdict.name == "unknown"
        assert why in verdict.reason
    attentive = judge_verdict((), Work(40, 0, is_attentive=True))
    assert attentive.name == "unremarkable"
    assert "degraded" in attentive.reason
    panel = Panel()
    for k in range(3):
        panel.judge(f"judge{k}", 4)
    table = judges(panel.judgments())
    assert judges_finding(table) == "None of 3 judges can be checked: too few tasks"


def test_a_judge_of_many_ties_is_noticed_where_others_call_few() -> None:
    for share, expected in ((0.6, "adds little"), (0.3, "unremarkable")):
        builder = CampaignBuilder()
        rng = np.random.default_rng(1)
        for k in range(4):
            for task in range(60):
                is_tie = rng.random() < (share if k == 3 else 0.1)
                shown = [("a",), ("b",)][:: 1 if task % 2 else -1]
                ranks = [1, 1] if is_tie else [1, 2] if task % 2 else [2, 1]
                builder.add_task("cs-en", str(task), f"judge{k}", shown, ranks)
        table = judges(builder.build().judgments())
        verdict = table.verdicts[table.judges.index("judge3")]
        assert verdict.name == expected
        assert "all judges: " in verdict.reason or share == 0.3


def test_too_few_answers_tell_no_kappa() -> None:
    few, enough = (judges(Panel().judge("ann", n).judge("ben", n).judgments()) for n in (4, 6))
    assert few.inter_comparable.tolist() == [24, 24]
    assert np.isnan(few.inter).all()
    assert enough.inter_comparable.min() >= ENOUGH
    assert not np.isnan(enough.inter).any()
    assert np.isnan(enough.intra).all()  # nobody did a task twice
    again = judges(Panel().judge("ann", 43).judge("ben", 60).judgments())
    assert again.intra_comparable.tolist() == [120, 18]  # busiest first
    assert np.isnan(again.intra).tolist() == [False, True]


def test_the_consensus_is_that_of_the_judgments_without_the_judge() -> None:
    """Two roads: subtracted tables, and Expected Wins fitted with the judge left out."""
    campaign = Panel(5).honest().judge("odd", 60, noise=9).builder.build()
    table = judges(campaign.judgments())
    for name in ("odd", "honest3"):
        rest = campaign.judgments(None, Selection(exclude_judges=(name,)))
        own = campaign.judgments(None, Selection(judges=(name,)))
        assert rest.systems == own.systems
        scores = ExpectedWins().fit(rest).standings.scores
        better = scores[:, None] > scores[None, :]
        wins = own.counts.wins
        accuracy = wins[better].sum() / wins[better | better.T].sum()
        assert table.accuracy[table.judges.index(name)] == pytest.approx(accuracy)


def test_the_consensus_without_each_of_very_many_judges_is_that_of_the_others() -> None:
    """More judges times pairs of systems than a short number holds."""
    rng, builder = np.random.default_rng(0), CampaignBuilder()
    for judge in range(300):
        who = rng.choice(12, 5, replace=False)
        ranks = [int(rank) for rank in rng.integers(1, 4, 5)]
        builder.add_task("fr-en", "1", f"judge {judge:03}", [(f"s{k:02}",) for k in who], ranks)
    judgments = builder.build().judgments()
    facts = judgments.observations
    judge = judgments.task_judge[judgments.task[facts.row]]
    found = _scores_without_each(judgments, judge, 300)
    for left_out in (0, 299):
        others = judgments.take_tasks(np.flatnonzero(judgments.task_judge != left_out))
        expected = ExpectedWins().fit(others).standings.scores
        np.testing.assert_allclose(found[left_out], expected, rtol=0, atol=1e-12)


def test_the_left_share_counts_the_decided_by_displayed_position() -> None:
    builder = CampaignBuilder()
    for left, right, ranks in (
        ("a", "b", (1, 2)),
        ("b", "a", (1, 2)),
        ("b", "a", (1, 3)),
        ("a", "b", (2, 1)),
        ("a", "b", (1, 1)),
    ):
        builder.add_task("fr-en", "1", "ann", [(left,), (right,)], ranks)
    table = judges(builder.build().judgments())
    assert table.left_share.tolist() == [0.75]
    assert table.tie_rate.tolist() == [0.2]


def test_the_pairs_of_one_task_are_not_taken_for_independent_facts() -> None:
    """400 judges rank the five outputs of a task from left to right or back, as a coin falls.

    None prefers a side, but the ten pairs of a task agree: as independent facts, they would flag
    a good part of the judges.
    """
    rng = np.random.default_rng(3)
    builder = CampaignBuilder()
    for judge in range(400):
        for segment in range(40):
            ranks = [1, 2, 3, 4, 5] if rng.random() < 0.5 else [5, 4, 3, 2, 1]
            builder.add_task("fr-en", f"{segment}", f"{judge}", [(s,) for s in "vwxyz"], ranks)
    table = judges(builder.build().judgments())
    assert sum("position" in f for f in table.flags) <= 1
    naive = (table.left_share - 0.5) * 2 * np.sqrt(400)
    assert np.mean(np.abs(naive) > 4.2) > 0.1


def test_the_median_time_ignores_tasks_without_one() -> None:
    builder = CampaignBuilder()
    for seconds in (30, float("nan"), 50, 400):
        builder.add_task("fr-en", "1", "ann", [("a",), ("b",)], [1, 2], seconds)
    builder.add_task("fr-en", "1", "bob", [("a",), ("b",)], [1, 2])
    table = judges(builder.build().judgments())
    assert table.seconds[0] == 50
    assert np.isnan(table.seconds[1])


def test_a_single_judge_has_no_one_to_agree_with() -> None:
    campaign: Campaign = Panel().judge("alone", 40).builder.build()
    table = judges(campaign.judgments())
    assert np.isnan(table.inter).all()
    assert np.isnan(table.accuracy).all()
    assert table.flags == ((),)


def test_the_mean_rating_is_told_where_there_are_others_to_compare_with() -> None:
    rows = [f"{s},{n},{j},{60 + 9 * n}" for n in range(9) for s in "ab" for j in ("ann", "bob")]
    for judges_of, said in (("ann", False), ("ann,bob", True)):
        kept = [row for row in rows if row.split(",")[2] in judges_of.split(",")]
        text = "\n".join(["system,segment,judge,score", *kept, ""])
        table = judges(read(text.encode())[0].judgments())
        assert [("Mean rating 96.0, all 96.0." in v.reason) for v in table.verdicts] == [
            said
        ] * len(table.judges)


def test_one_judge_alone_may_be_flagged_at_the_whole_error_rate() -> None:
    """300 tasks of one decision: with few of them for the left, the test just says so."""
    task, task_judge = np.arange(300), np.zeros(300, dtype=int)
    bound = -ndtri(ERROR_RATE)
    flagged = []
    for wins in range(100, 150):
        direction = np.where(task < wins, 1, -1)
        z = (2 * wins - 300) / np.sqrt(300)
        found = _order_flags(direction, task, task_judge, np.array([300.0]))["upside-down"]
        assert found.tolist() == [z < -bound]
        flagged += found.tolist()
    assert set(flagged) == {True, False}


def test_no_judgments_give_an_empty_table_and_no_crash() -> None:
    nobody = Panel().honest().judgments().take_tasks(np.array([], dtype=np.int64))
    assert judges(nobody).to_frame().empty
    assert judge_agreement(nobody).judges == ()


def test_the_frame_has_one_line_a_judge_with_flags_as_words() -> None:
    frame = judges(Panel().honest().judge("quick", 40, seconds=9).judgments()).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 13
    assert frame.set_index("judge").loc["quick", "flags"] == "hasty"


def test_a_judge_who_mostly_gave_one_rating_is_noticed_where_others_use_the_scale() -> None:
    """One verdict counts them: no second list says otherwise."""
    rows = [f"{s},{n},ann,{7 * n % 40 + 5 * (s == 'a')}" for n in range(40) for s in "ab"]
    rows += [f"{s},{n},bob,{100 if n % 5 else n}" for n in range(40) for s in "ab"]
    rows += [f"{s},{n},cid,{11 * n % 40 + 5 * (s == 'a')}" for n in range(40) for s in "ab"]
    text = "\n".join(["system,segment,judge,score", *rows, ""])
    table = judges(read(text.encode())[0].judgments(incomplete="drop-pair"))
    assert table.noticed == ("bob",)
    assert judges_finding(table).startswith("1 of 3 judges needs a check")
    verdict = table.verdicts[table.judges.index("bob")]
    assert "100 in 80% of the ratings." in verdict.reason


def test_one_rating_in_most_cases_is_usual_where_all_judges_give_it() -> None:
    rows = [
        f"{s},{n},{j},{2 if n % 5 > 1 else 1 + 2 * (s == 'a')}"
        for n in range(40) for s in "ab" for j in "xyz"
    ]  # fmt: skip
    text = "\n".join(["system,segment,judge,score", *rows, ""])
    table = judges(read(text.encode())[0].judgments(incomplete="drop-pair"))
    assert table.noticed == ()
