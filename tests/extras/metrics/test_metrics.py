"""Metrics beside people: each measure by counting, WMT23's files, and what cannot be read."""

from __future__ import annotations

import io
import itertools
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from analysis.errors import PodiumError
from analysis.extras.metrics.accuracy import (
    better_metric_by_segments,
    better_metric_by_systems,
    better_p,
    calibrated_kendall,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from analysis.extras.metrics.beside_people import PeoplesScores, beside_people
from analysis.extras.metrics.correlations import correlations
from analysis.extras.metrics.reading import Metric, read_metrics
from analysis.rankers.trueskill import TrueSkill
from analysis.samples import sample_campaign

SYSTEMS = ("a", "b", "c", "d", "e")


def people(n_segments: int = 40, seed: int = 1) -> PeoplesScores:
    rng = np.random.default_rng(seed)
    scores = (rng.normal(size=(n_segments, 5)) + np.linspace(1, 0, 5)).round(1)
    segments = tuple(str(k) for k in range(n_segments))
    return PeoplesScores(SYSTEMS, segments, scores, scores.mean(axis=0))


def metric(name: str, scores: np.ndarray) -> Metric:
    return Metric(
        name,
        by_segment={
            system: {str(k): float(v) for k, v in enumerate(column) if not np.isnan(v)}
            for system, column in zip(SYSTEMS, scores.T, strict=True)
        },
    )


def noisy(judged: PeoplesScores, noise: float, seed: int = 2) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 3 * judged.scores + rng.normal(0, noise, judged.scores.shape)


# --- measures by counting -------------------------------------------------------------------------


def test_pairwise_accuracy_counts_pairs() -> None:
    rng = np.random.default_rng(3)
    human, said = rng.normal(size=7), rng.normal(size=7)
    right = [
        (human[i] > human[j]) == (said[i] > said[j]) for i, j in itertools.combinations(range(7), 2)
    ]
    assert pairwise_accuracy(human, said) == np.mean(right)


def test_soft_pairwise_accuracy_is_the_mean_nearness_of_p_values() -> None:
    judged = people()
    p, q = better_p(judged.scores, 0), better_p(noisy(judged, 2), 0)
    expected = np.mean([1 - abs(p[i, j] - q[i, j]) for i, j in itertools.combinations(range(5), 2)])
    assert soft_pairwise_accuracy(p, q) == pytest.approx(expected)
    assert soft_pairwise_accuracy(p, p) == 1.0
    assert soft_pairwise_accuracy(p, p.T) < 0.5


def kendall_by_trying(human: np.ndarray, said: np.ndarray) -> float:
    """Try every difference that occurs as ε."""
    pairs = [
        (human[s, i] - human[s, j], said[s, i] - said[s, j])
        for s in range(len(human))
        for i, j in itertools.combinations(range(human.shape[1]), 2)
    ]
    pairs = [(h, m) for h, m in pairs if not np.isnan(h + m)]
    return max(
        np.mean([
            (h == 0) if abs(m) <= epsilon else (h > 0) == (m > 0) and h != 0 for h, m in pairs
        ])
        for epsilon in {0.0, *(abs(m) for _, m in pairs)}
    )  # fmt: skip


@pytest.mark.parametrize("decimals", [0, 1, 6])
def test_ties_are_calibrated_as_if_every_epsilon_was_tried(decimals: int) -> None:
    judged = people(12)
    human, said = judged.scores.round(0), noisy(judged, 2).round(decimals)
    human[3, 1] = said[5, 2] = np.nan
    share, epsilon = calibrated_kendall(human, said)
    assert share == pytest.approx(kendall_by_trying(human, said))
    assert epsilon >= 0


def test_a_metric_that_is_peoples_own_score_is_right_everywhere() -> None:
    judged = people()
    board = beside_people(judged, [metric("own", judged.scores), metric("not", -judged.scores)])
    frame = board.to_frame()
    assert frame["metric"].tolist() == ["own", "not"]
    assert frame.iloc[0][["pairwise_accuracy", "soft_pairwise_accuracy", "kendall"]].tolist() == [
        1.0,
        1.0,
        1.0,
    ]
    assert frame["pairwise_accuracy"][1] == 0.0
    assert frame["group"].tolist() == [1, 2]


# --- which metrics are told apart -----------------------------------------------------------------


def test_swaps_of_systems_come_near_to_all_swaps() -> None:
    rng = np.random.default_rng(4)
    human = rng.normal(size=6)
    one, two = human + rng.normal(0, 0.4, 6), human + rng.normal(0, 2, 6)
    p = better_metric_by_systems(human, [one, two], np.random.default_rng(5), draws=4000)
    one, two = ((scores - scores.mean()) / scores.std() for scores in (one, two))

    def ahead(swapped: np.ndarray) -> float:
        here, there = np.where(swapped, two, one), np.where(swapped, one, two)
        return pairwise_accuracy(human, here) - pairwise_accuracy(human, there)

    observed = ahead(np.zeros(6, bool))
    everything = [ahead(np.array(swap)) for swap in itertools.product([False, True], repeat=6)]
    exact = np.mean(np.array(everything) >= observed - 1e-12)
    assert p[0, 1] == pytest.approx(exact, abs=0.03)


def test_swaps_of_segments_are_those_of_whole_score_matrices() -> None:
    """Twenty draws by the slow road: mixed matrices, and p-values of their systems."""
    judged = people()
    one, two = noisy(judged, 1), noisy(judged, 4, seed=9)

    def normal_p(scores: np.ndarray) -> np.ndarray:
        from scipy.stats import norm

        first, second = np.triu_indices(5, 1)
        d = scores[:, first] - scores[:, second]
        return np.asarray(norm.cdf(-d.sum(axis=0) / np.sqrt((d**2).sum(axis=0))))

    target = normal_p(judged.scores)
    scaled = [(scores - scores.mean()) / scores.std() for scores in (one, two)]

    def ahead(here: np.ndarray, there: np.ndarray) -> float:
        return float((abs(normal_p(there) - target) - abs(normal_p(here) - target)).mean())

    swaps = np.random.default_rng(6).integers(0, 2, (20, 40)).astype(bool)[:, :, None]
    drawn = [
        ahead(np.where(swap, scaled[0], scaled[1]), np.where(swap, scaled[1], scaled[0]))
        for swap in swaps
    ]
    expected = (1 + sum(d >= ahead(*scaled) - 1e-12 for d in drawn)) / 21
    p = better_metric_by_segments(judged.scores, [one, two], np.random.default_rng(6), draws=20)
    assert p[0, 1] == pytest.approx(expected)


def test_equal_metrics_are_rarely_told_apart() -> None:
    """Two metrics of equal noise, 60 times: at .05 one in twenty, and five at most in 98 of 100."""
    told = 0
    for k in range(60):
        judged = people(30, seed=k)
        one, two = noisy(judged, 4, seed=2 * k), noisy(judged, 4, seed=2 * k + 1)
        p = better_metric_by_segments(
            judged.scores, [one, two], np.random.default_rng(k), draws=200
        )
        told += int(p[0, 1] < 0.05)
    assert told <= 7


# --- what is missing ------------------------------------------------------------------------------


def test_metrics_of_systems_only_have_no_soft_accuracy_and_that_is_said() -> None:
    judged = people()
    by_system = dict(zip(SYSTEMS, judged.system_scores.tolist(), strict=True))
    board = beside_people(judged, [Metric("bleu", by_system=by_system)])
    assert board.accuracy[0] == 1.0
    assert np.isnan([board.soft[0], board.kendall[0]]).all()
    assert any("bleu" in note and "segments" in note for note in board.notes)


def test_a_metric_without_some_systems_rests_on_fewer_pairs_and_that_is_said() -> None:
    judged = people()
    scores = judged.scores.copy()
    scores[:, 4] = np.nan
    board = beside_people(judged, [metric("part", scores)])
    assert board.n_systems.tolist() == [4]
    assert any("part" in note for note in board.notes)
    assert board.soft[0] == 1.0


def test_metrics_of_other_systems_are_refused_with_the_names() -> None:
    with pytest.raises(PodiumError, match="a, b, c"):
        beside_people(people(), [Metric("bleu", by_system={"x": 1.0, "y": 2.0})])


# --- reading --------------------------------------------------------------------------------------


def test_a_row_a_score_and_a_column_a_metric_are_the_same() -> None:
    long = b"metric,system,segment,score\nbleu,a,1,3\nbleu,b,1,2\nter,a,1,.1\nter,b,1,.2\n"
    wide = b"system\tsegment\tbleu\tter\na\t1\t3\t.1\nb\t1\t2\t.2\n"
    one, two = (read_metrics("m", data, low_is_good=["ter"]) for data in (long, wide))
    assert one.metrics == two.metrics
    assert one.metrics[1].by_segment == {"a": {"1": -0.1}, "b": {"1": -0.2}}
    assert one.metrics[0].system_score("a") == 3.0


def tree() -> dict[str, bytes]:
    return {
        "v2/metric-scores/en-de/BLEU-refA.sys.score": b"a\t30.5\nb\t20\n",
        "v2/metric-scores/en-de/COMET-refA.seg.score": b"a\t.5\na\tNone\nb\t.25\nb\t.75\n",
        "v2/metric-scores/zh-en/BLEU-refA.sys.score": b"a\t1\n",
        "v2/sources/en-de.txt": b"hello\n",
    }


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_tree_gives_the_metrics_of_one_pair(pack: object) -> None:
    data = pack(tree())  # type: ignore[operator]
    bleu, comet = read_metrics("tree", data, pair="eng-deu").metrics
    assert (bleu.name, bleu.reference, bleu.by_system) == (
        "BLEU-refA",
        "refA",
        {"a": 30.5, "b": 20},
    )
    assert comet.by_segment == {"a": {"1": 0.5}, "b": {"1": 0.25, "2": 0.75}}
    with pytest.raises(PodiumError, match="en-de and zh-en"):
        read_metrics("tree", data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"name,bleu\na,1\n", "system"),
        (b"system,text\na,hello\n", "no column contains scores"),
        (b"", "empty"),
        (zipped({"a.txt": b"x"}), "metric-scores"),
        (b"system,bleu\na,1\n", "no metric ter"),
    ],
)
def test_what_cannot_be_read_is_told(data: bytes, words: str) -> None:
    low = ["ter"] if "ter" in words else []
    with pytest.raises(PodiumError, match=words):
        read_metrics("m.csv", data, low_is_good=low)


# --- WMT23's files --------------------------------------------------------------------------------


def test_pairwise_accuracies_of_wmt23_en_de_are_those_of_counting(campaigns_dir: Path) -> None:
    """The .944 of GEMBA-MQM and the like are over three language pairs, of which one is here."""
    path = campaigns_dir / "metrics-wmt23/en-de.tar.gz"
    if not path.is_file():
        pytest.skip("metrics-wmt23/ is not in PODIUM_CAMPAIGNS")
    with tarfile.open(path) as archive:
        file = archive.extractfile("human-scores/en-de.mqm.sys.score")
        assert file is not None
        rows = [line.split("\t") for line in file.read().decode().splitlines()]
    human = {system: float(score) for system, score in rows if not system.startswith("ref")}
    systems = tuple(human)
    scores = np.array([list(human.values())])
    judged = PeoplesScores(systems, ("all",), scores, scores[0])
    metrics = read_metrics(path.name, path.read_bytes()).metrics
    board = beside_people(judged, metrics)
    assert len(board.metrics) == 71
    assert set(board.n_systems) == {12}
    for name, accuracy in zip(board.metrics, board.accuracy, strict=True):
        (said,) = (m.by_system for m in metrics if m.name == name)
        counted = [
            (human[i] > human[j]) == (said[i] > said[j])
            for i, j in itertools.combinations(systems, 2)
        ]
        assert accuracy == np.mean(counted), name
    best = board.to_frame().set_index("metric")["pairwise_accuracy"]
    assert best["XCOMET-Ensemble-refA"] > best["BLEU-refA"] > best["Random-sysname-src"]


# --- correlations, as in the METRICS task ---------------------------------------------------------


def test_correlations_of_a_copy_are_one_and_of_its_opposite_minus_one() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    ability = dict(zip(judgments.systems, TrueSkill().fit(judgments).standings.scores, strict=True))
    turned = {system: -score for system, score in ability.items()}
    found = correlations(judgments, [Metric("copy", ability), Metric("opposite", turned)], runs=50)
    assert found["metric"].tolist() == ["copy", "opposite"]
    np.testing.assert_allclose(found["pearson"], [1, -1])
    assert 0.8 < found["pearson_low"][0] <= found["pearson_high"][0] < 1, "people's scores vary"
    assert found["tau"].isna().all(), "neither metric scored segments"


def test_tau_counts_comparisons_and_a_metrics_tie_gains_nothing() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    rng = np.random.default_rng(3)
    scores = {
        system: {segment: float(rng.integers(3)) for segment in judgments.segments}
        for system in judgments.systems
    }
    concordant = discordant = tied = 0
    for row in range(len(judgments)):
        outcome = int(judgments.outcome[row])
        segment = judgments.segments[judgments.task_segment[judgments.task[row]]]
        left, right = (judgments.systems[s[row]] for s in (judgments.left, judgments.right))
        said = scores[left][segment] - scores[right][segment]
        if outcome:
            concordant += said * outcome > 0
            discordant += said * outcome < 0
            tied += said == 0
    found = correlations(judgments, [Metric("m", by_segment=scores)], runs=200).iloc[0]
    expected = (concordant - discordant) / (concordant + discordant + tied)
    assert found["tau"] == pytest.approx(expected)
    assert found["tau_low"] < expected < found["tau_high"]
