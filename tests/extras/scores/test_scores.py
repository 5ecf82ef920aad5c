"""Estimates, labels, metrics and search: each measure against another road to the same number."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from analysis.cli import main
from analysis.errors import PodiumError, ReadingError
from analysis.extras.scores import estimates, trec, words
from analysis.extras.scores.findings import scores_finding
from analysis.extras.scores.reading import Choices, read_scores
from analysis.extras.scores.scoreboard import Scoreboard, may_be_best
from tests.opening import open_address

EXAMPLES = Path(__file__).parents[3] / "data" / "examples" / "scores"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.fixture
def gold(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=37).round(1)


@pytest.fixture
def predicted(rng: np.random.Generator, gold: np.ndarray) -> np.ndarray:
    return (gold + rng.normal(size=37)).round(1)


@pytest.fixture
def counts(rng: np.random.Generator) -> np.ndarray:
    return rng.multinomial(37, np.full(37, 1 / 37), size=4).astype(float)


def repeated(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the values as a plain resample has them."""
    return np.repeat(values, counts.astype(int))


def example(*names: str) -> list[tuple[str, bytes]]:
    return [(name, (EXAMPLES / name).read_bytes()) for name in names]


def value(board: Scoreboard, measure: str, system: str) -> float:
    m = [known.name for known in board.measures].index(measure)
    return float(board.values[m, board.systems.index(system)])


def test_correlations_of_a_resample_are_scipys(
    gold: np.ndarray, predicted: np.ndarray, counts: np.ndarray
) -> None:
    for of, oracle in (
        (estimates.spearman, scipy.stats.spearmanr),
        (estimates.pearson, scipy.stats.pearsonr),
    ):
        expected = [
            oracle(repeated(gold, row), repeated(predicted, row)).statistic for row in counts
        ]
        np.testing.assert_allclose(of(gold, predicted, counts), expected, atol=1e-12)


def test_a_correlation_with_a_constant_is_undefined(gold: np.ndarray, counts: np.ndarray) -> None:
    assert np.isnan(estimates.pearson(gold, np.full(37, 0.3), counts)).all()
    assert np.isnan(estimates.spearman(gold, np.full(37, 0.3), counts)).all()


def delta_avg_by_the_text(gold: np.ndarray, predicted: np.ndarray) -> float:
    """Cut the ranking into n parts, the last one with the rest; average the tops' qualities."""
    ranked = gold[np.argsort(-predicted, kind="stable")]
    of_cuts = []
    for n in range(2, len(gold) // 2 + 1):
        size = len(gold) // n
        of_cuts.append(np.mean([ranked[: k * size].mean() for k in range(1, n)]))
    return float(np.mean(of_cuts) - gold.mean())


def test_delta_avg_of_a_resample_is_that_of_the_definition(
    rng: np.random.Generator, gold: np.ndarray, counts: np.ndarray
) -> None:
    untied = gold + rng.normal(size=37)
    expected = [delta_avg_by_the_text(repeated(gold, row), repeated(untied, row)) for row in counts]
    np.testing.assert_allclose(estimates.delta_avg(gold, untied, counts), expected, atol=1e-12)


def test_sentences_predicted_alike_share_their_places(rng: np.random.Generator) -> None:
    gold, predicted = rng.normal(size=12), np.repeat([3.0, 2.0, 1.0], 4)
    orders = [rng.permutation(12) for _ in range(4000)]
    expected = np.mean([delta_avg_by_the_text(gold[o], predicted[o]) for o in orders])
    found = estimates.delta_avg(gold, predicted, np.ones((1, 12)))[0]
    assert found == pytest.approx(expected, abs=0.01)


def test_a_system_that_predicts_one_number_has_no_delta(gold: np.ndarray) -> None:
    found = estimates.delta_avg(gold, np.zeros(37), np.ones((1, 37)))
    assert found == pytest.approx(0, abs=1e-12)


def test_where_low_is_good_the_lowest_scores_count_as_the_top(
    gold: np.ndarray, predicted: np.ndarray
) -> None:
    ones = np.ones((1, 37))
    up = estimates.measures(gold, predicted[None], high_is_good=True)[2][1](ones)
    down = estimates.measures(-gold, -predicted[None], high_is_good=False)[2][1](ones)
    assert up == pytest.approx(down)


def test_word_labels_have_the_f1_that_wmt14_printed() -> None:
    """Bojar et al. 2014, section 4.3: a system's table of predicted and true labels."""
    board = read_scores(example("words-counted.csv"))
    printed = {"f1_OK": 0.6932, "f1_fluency": 0.4222, "f1_accuracy": 0.1575}
    printed |= {"f1_all": 0.5836, "f1_err": 0.3854}
    for measure, expected in printed.items():
        assert value(board, measure, "the system") == pytest.approx(expected, abs=1e-4)
    assert np.isnan(board.low).all()


def test_matthews_correlation_is_pearsons_of_zeros_and_ones(rng: np.random.Generator) -> None:
    true, predicted = rng.integers(0, 3, 200), rng.integers(0, 3, 200)
    table = np.zeros((3, 3))
    np.add.at(table, (predicted, true), 1)
    for k in range(3):
        expected = np.corrcoef(true == k, predicted == k)[0, 1]
        assert words.matthews(table)[k] == pytest.approx(expected)


def test_average_precision_is_the_precision_at_every_relevant_document() -> None:
    relevance = b"q1 0 a 1\nq1 0 b 0\nq1 0 c 1\nq1 0 d 0\n"
    run = b"q1 Q0 a 1 9 mine\nq1 Q0 b 2 8 mine\nq1 Q0 c 3 7 mine\n"
    board = read_scores([("relevance", relevance), ("run", run)])
    assert value(board, "map", "mine") == pytest.approx((1 + 2 / 3) / 2)
    assert value(board, "p@5", "mine") == pytest.approx(2 / 5)
    assert value(board, "rel_ret", "mine") == 2


def test_a_query_left_open_counts_nothing_and_is_told() -> None:
    relevance = b"q1 0 a 1\nq2 0 a 1\n"
    board = read_scores([("relevance", relevance), ("run", b"q1 Q0 a 1 9 mine\n")])
    assert value(board, "map", "mine") == pytest.approx(0.5)
    assert board.notes[0] == "mine left 1 query open and scores 0 there."


def test_documents_are_resampled_as_a_whole() -> None:
    """Sentences that repeat within a document tell nothing more than one of them."""
    rng = np.random.default_rng(3)
    once = [(k, *rng.normal(size=2)) for k in range(40)]

    def board(times: int) -> Scoreboard:
        text = io.StringIO()
        csv.writer(text).writerows([("document", "a", "b"), *(once * times)])
        return read_scores([("metrics.csv", text.getvalue().encode())])

    np.testing.assert_allclose(board(5).low, board(1).low)


def test_a_system_that_is_always_ahead_is_the_only_one_that_may_be_best() -> None:
    drawn = np.random.default_rng(0).normal(size=(500, 1)) + np.array([[1.0, 0.9, 0.0]])
    assert may_be_best(np.array([1.0, 0.9, 0.0]), drawn, 0.95).tolist() == [True, False, False]


@pytest.mark.slow
def test_the_truly_best_system_is_among_those_that_may_be() -> None:
    """Five equal systems on 200 sentences: one that is named before the data is kept in 95%."""
    rng = np.random.default_rng(8)
    kept = 0
    for _ in range(400):
        scores = rng.normal(size=(5, 200)) + rng.normal(size=200)
        values = scores.mean(axis=1)
        counts = rng.multinomial(200, np.full(200, 1 / 200), size=300)
        kept += bool(may_be_best(values, counts @ scores.T / 200, 0.95)[0])
    assert 0.95 - 3 * 0.011 < kept / 400 <= 1


def test_a_row_without_a_number_is_left_out_and_told() -> None:
    rows = "".join(f"{k},{k / 10},{k / 9}\n" for k in range(12))
    board = read_scores([("t.csv", f"segment,gold,mine\n{rows}12,,3\n".encode())])
    assert board.n_groups == 12
    assert "1 row left out where a number is missing or too large (line 14)." in board.notes


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("t.csv", b"segment,gold\n1,2\n")], "no column contains a system"),
        ([("t.csv", b"gold,a\n1,x\n")], "no column of a contains numbers"),
        ([("t.csv", b"gold,a\n1,\n")], "contains numbers"),
        ([("t.csv", b"predicted,gold,count\nOK,OK,-1\n")], "line 2, count"),
        ([("r", b"q1 0 d 1\nq1 0 d\n"), ("s", b"q1 Q0 d 1 2 x\n")], "r, line 2"),
        ([("r", b"q1 0 d 1\n")], "at least one run"),
        ([("a.csv", b"gold,a\n1,2\n"), ("b.csv", b"gold,a\n1,2\n")], "several files"),
        ([("x.png", b"\x89PNG..")], "picture"),
        ([("t.csv", b"")], "empty"),
    ],
)
def test_bad_files_are_refused_in_words(files: list[tuple[str, bytes]], words: str) -> None:
    with pytest.raises(PodiumError, match=words):
        read_scores(files)


def test_a_column_that_is_named_is_taken_for_peoples() -> None:
    text = "mine,truth\n" + "".join(f"{k},{k}\n" for k in range(12))
    board = read_scores([("t.csv", text.encode())], Choices(gold="truth"))
    assert value(board, "mae", "mine") == 0
    with pytest.raises(PodiumError, match="no column 'trust'"):
        read_scores([("t.csv", text.encode())], Choices(gold="trust"))


def test_the_finding_names_who_may_be_as_good() -> None:
    board = read_scores(example("estimates.csv"), Choices(low_is_good=True))
    assert scores_finding(board) == (
        "forest has the best mean absolute error; kernel may be as good."
    )


def test_the_command_prints_all_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", str(EXAMPLES / "estimates.csv"), "--low-is-good"]) == 0
    printed = capsys.readouterr().out
    for part in ("mae ", "rmse", "delta_avg", "spearman", "pearson", "resample:documents"):
        assert part in printed


@pytest.mark.parametrize(
    ("task", "measures"),
    [
        ("mcc", {"mcc"}),
        ("F1_ERR", {"f1_err"}),
        ("f1", {"f1_err", "f1_all", "f1_OK", "f1_accuracy", "f1_fluency"}),
    ],
)
def test_a_task_is_one_measure_in_any_spelling(
    task: str, measures: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(EXAMPLES / "words-counted.csv")
    assert main(["scores", file, "--task", task, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["measure"] for row in rows} == measures


def test_a_task_that_the_files_do_not_allow_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["scores", str(EXAMPLES / "words-counted.csv"), "--task", "map"]) == 2
    assert "f1_err" in capsys.readouterr().err


def test_the_page_measures_an_example_and_an_upload() -> None:
    page = open_address("scores", campaign="Example")
    assert not page.exception
    assert "Forest has the best mean absolute error" in page.markdown[0].value
    data = open_address("data")
    table = b"gold,mine\n" + b"".join(b"%d,%d\n" % (k, k + 1) for k in range(12))
    data.file_uploader(key="scores.files").upload("t.csv", table, "text/csv").run()
    page = open_address("scores", data.session_state["podium"])
    assert not page.exception
    assert "mean absolute error 1" in page.markdown[0].value


def test_a_grade_of_relevance_that_no_evaluation_can_hold_is_refused_in_words() -> None:
    with pytest.raises(ReadingError, match="line 1: '199999999999999999999' is not a whole number"):
        trec.read([("q.txt", b"q1 0 d1 199999999999999999999\n"), ("r.txt", b"q1 Q0 d1 1 2 a\n")])


def even_by_the_text(gold: np.ndarray, predicted: np.ndarray) -> float:
    """Cut the ranking into n parts at the places nearest to equal ones."""
    ranked, total = gold[np.argsort(-predicted, kind="stable")], len(gold)
    of_cuts = [
        np.mean([ranked[: int(np.rint(k * total / n))].mean() for k in range(1, n)])
        for n in range(2, total // 2 + 1)
    ]
    return float(np.mean(of_cuts) - gold.mean())


def test_both_variants_of_delta_avg_are_those_of_their_cuts(
    rng: np.random.Generator, gold: np.ndarray
) -> None:
    untied, ones = gold + rng.normal(size=37), np.ones((1, 37))
    even = estimates.even_delta_avg(gold, untied, ones)[0]
    assert even == pytest.approx(even_by_the_text(gold, untied))
    assert even != pytest.approx(estimates.delta_avg(gold, untied, ones)[0])


def test_matthews_correlation_of_errors_leaves_the_good_class_out() -> None:
    board = read_scores(example("words-counted.csv"))
    table = np.array([[4172, 1482, 193], [1819, 1333, 214], [198, 133, 69.0]])
    of_class, true = words.matthews(table), table.sum(axis=0)
    expected = (of_class[1:] * true[1:]).sum() / true[1:].sum()
    assert value(board, "mcc_err", "the system") == pytest.approx(expected)


def test_relevant_documents_are_a_total_and_a_mean() -> None:
    board = read_scores(example("relevance.txt", "run-good.txt"))
    system = board.systems[0]
    assert value(board, "rel", system) == pytest.approx(
        value(board, "rel_ret", system) * board.n_groups
    )


def test_a_system_like_the_baseline_is_in_the_gray_area_and_a_clear_one_is_not() -> None:
    rng = np.random.default_rng(4)
    truth = rng.normal(size=200)
    columns = {
        "gold": truth,
        "baseline": truth + rng.normal(size=200),
        "close": truth + rng.normal(size=200),
        "good": truth + rng.normal(size=200) / 9,
        "bad": truth + rng.normal(size=200) * 9,
    }
    text = io.StringIO()
    csv.writer(text).writerows([list(columns), *zip(*columns.values(), strict=True)])
    board = read_scores([("t.csv", text.getvalue().encode())])
    said = dict(zip(board.systems, board.from_baseline[0], strict=True))
    assert said == {"baseline": "baseline", "close": "gray area", "good": "better", "bad": "worse"}
    with pytest.raises(PodiumError, match="no system 'x'"):
        read_scores([("t.csv", text.getvalue().encode())], Choices(baseline="x"))


def test_bleu_chrf_and_ter_are_sacrebleus_with_intervals_around_them() -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    rng = np.random.default_rng(2)
    lexicon = [f"word{k}" for k in range(40)]
    reference = [" ".join(rng.choice(lexicon, 12)) for _ in range(30)]
    systems = {
        name: [
            " ".join(w if rng.random() > share else "other" for w in line.split())
            for line in reference
        ]
        for name, share in (("near", 0.1), ("far", 0.5))
    }
    text = io.StringIO()
    rows = zip(reference, *systems.values(), strict=True)
    csv.writer(text).writerows([["reference", *systems], *rows])
    board = read_scores([("t.csv", text.getvalue().encode())], Choices(runs=200))
    for measure, made in (
        ("bleu", metrics.BLEU()),
        ("chrf", metrics.CHRF()),
        ("ter", metrics.TER()),
    ):
        for name, texts in systems.items():
            expected = made.corpus_score(texts, [reference]).score
            assert value(board, measure, name) == pytest.approx(expected)
    assert (board.low < board.values).all()
    assert (board.values < board.high).all()
    assert board.may_be_best[:, board.systems.index("near")].all()
    assert not board.may_be_best[:, board.systems.index("far")].any()


@pytest.mark.parametrize("name", ["wmt-5way.csv", "arena.csv"])
def test_judgments_are_not_a_table_of_scores(name: str) -> None:
    path = Path(__file__).parents[3] / "data" / "examples" / name
    with pytest.raises(PodiumError, match="contains judgments"):
        read_scores([(name, path.read_bytes())])


@pytest.mark.parametrize("name", ["item", "segment", "id", "seg_id", "Item_ID"])
def test_a_column_that_names_segments_is_no_system_and_systems_are_named(name: str) -> None:
    table = f"{name},human,s1,s2\n1,.5,.4,.3\n2,.2,.3,.1\n3,.9,.8,.5\n4,.1,.3,.4\n"
    board = read_scores([("qe.csv", table.encode())])
    assert set(board.systems) == {"s1", "s2"}
    assert "Columns read as systems: s1 and s2." in board.notes
