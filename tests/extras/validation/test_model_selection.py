"""Model selection: what the page says agrees with the analysis, and no finished fold is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign, Selection
from analysis.cli import main
from analysis.errors import UndefinedResultError
from analysis.extras.validation.prediction.cross_validation import cross_validate
from analysis.extras.validation.prediction.findings import (
    curve_title,
    difference_title,
    probability_words,
    split_words,
    too_few_words,
    verdict,
)
from analysis.extras.validation.prediction.learning_curves import LearningCurve, learning_curve
from analysis.extras.validation.prediction.paired import Estimate, PairedComparison, compare_paired
from analysis.extras.validation.prediction.predict import model_named
from analysis.extras.validation.prediction.splits import k_fold, random_share
from analysis.formats.writing import write
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import Certainty
from analysis.wording import claim_and_rest
from dashboard.compute import store
from dashboard.compute.contexts import make_context
from dashboard.extras.validation import curves, held_out
from dashboard.extras.validation.curves import CurvePlan
from dashboard.extras.validation.held_out import Experiment
from dashboard.extras.validation.lines import method_mark
from dashboard.extras.validation.model_figures import calibration_figure, difference_figure
from dashboard.extras.validation.model_tables import (
    comparison_screen,
    pairs_table,
    printed_accuracies,
)
from dashboard.extras.validation.simulation_figures import curve_figure
from dashboard.figures.theme import alt_text, apart
from dashboard.session.view import ViewContext
from tests.building import CampaignBuilder
from tests.opening import open_address, with_upload

QUICK = ("expected-wins", "bradley-terry", "independent-pairs")


def make_campaign(pairs: tuple[str, ...] = ("cs-en",), n_tasks: int = 400) -> Campaign:
    """Five systems of unlike quality, tasks of three outputs, ties where two are close."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(11)
    quality = np.array([1.2, 0.5, 0.4, -0.3, -1.0])
    for pair in pairs:
        for task in range(n_tasks):
            shown = rng.choice(5, 3, replace=False)
            seen = np.round(quality[shown] + rng.normal(0, 1, 3))
            ranks = 1 + np.argsort(np.argsort(-seen))
            ranks[seen == seen.max()] = ranks[seen == seen.max()].min()
            names = [(f"system-{k}",) for k in shown]
            builder.add_task(pair, str(task % 150), f"judge {task % 7}", names, ranks.tolist())
    return builder.build()


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return make_campaign()


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> store.Memory:
    """A memory of this test's own."""
    fresh = store.Memory()
    monkeypatch.setattr(store, "memory", lambda is_sample: fresh)
    return fresh


def view_of(campaign: Campaign, **settings: Any) -> ViewContext:
    ranker = settings.pop("ranker", ExpectedWins())
    return make_context(campaign, "cs-en", ranker, Certainty(seed=4), **settings)


def experiment_of(*names: str, **settings: Any) -> Experiment:
    return Experiment(tuple((name, model_named(name)) for name in names), **settings)


@pytest.fixture(scope="module")
def comparison(campaign: Campaign) -> PairedComparison:
    split = k_fold(campaign.judgments(), 10, np.random.default_rng(4))
    scores = [cross_validate(split, model_named(name), seed=4) for name in (*QUICK, "trueskill")]
    return compare_paired(split, scores)


@pytest.fixture(scope="module")
def curve(campaign: Campaign) -> LearningCurve:
    split = random_share(campaign.judgments(), 0.2, np.random.default_rng(4))
    models = {name: model_named(name) for name in QUICK}
    return learning_curve(split, models, sizes=(100, 400), trials=3, seed=4)


# What is computed, and kept -------------------------------------------------------------------


def test_folds_in_turns_give_what_all_at_once_give(
    campaign: Campaign, memory: store.Memory
) -> None:
    context = view_of(campaign)
    outcome = held_out.compare(context, experiment_of(*QUICK, folds=25))
    split = k_fold(context.judgments, 25, np.random.default_rng(4))
    for standing in outcome.comparison.standings:
        whole = cross_validate(split, model_named(standing.score.method), seed=4)
        np.testing.assert_array_equal(standing.score.hits, whole.hits)
        np.testing.assert_array_equal(standing.score.bits, whole.bits)
        np.testing.assert_equal(
            standing.accuracy_radius, np.median(whole.prediction.accuracy_radius)
        )


def test_a_run_that_was_left_repeats_no_finished_fold(
    campaign: Campaign, memory: store.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, experiment = view_of(campaign), experiment_of(*QUICK[:2], folds=40)
    fits: list[int] = []
    original = ExpectedWins.fit

    def counted(self: ExpectedWins, judgments: Any, seed: int = 0) -> Any:
        if judgments.campaign is context.judgments.campaign:  # not of what an earlier test warms up
            fits.append(seed)
        return original(self, judgments, seed)

    monkeypatch.setattr(ExpectedWins, "fit", counted)

    def leave(done: int, total: int) -> None:
        assert total == 80
        if done == 45:
            raise CancelledError

    with pytest.raises(CancelledError):
        held_out.compare(context, experiment, leave)
    assert not held_out.is_compared(context, experiment)
    held_out.compare(context, experiment)
    assert held_out.is_compared(context, experiment)
    under_way = 4
    assert 40 <= len(fits) <= 40 + under_way
    assert len(set(fits)) == 40


def test_what_was_kept_of_the_folds_is_let_go_when_the_score_is_there(
    campaign: Campaign, memory: store.Memory
) -> None:
    held_out.compare(view_of(campaign), experiment_of(*QUICK, folds=12))
    assert not memory.chunks._entries
    scores = [v for v in memory.results._entries.values() if hasattr(v, "prediction")]
    assert len(scores) == len(QUICK)
    assert all(score.prediction.win.size == 0 for score in scores)


def test_another_method_leaves_finished_ones_alone(
    campaign: Campaign, memory: store.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = view_of(campaign)
    held_out.compare(context, experiment_of("expected-wins", folds=10))
    monkeypatch.setattr(ExpectedWins, "fit", lambda *_: pytest.fail("fitted again"))
    outcome = held_out.compare(context, experiment_of("expected-wins", "bradley-terry", folds=10))
    assert len(outcome.comparison.standings) == 2


def test_a_method_that_cannot_predict_is_left_out_with_its_reason(
    campaign: Campaign, memory: store.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UndefinedResultError("Bradley–Terry", "no path joins a and b", "Collect more.")

    monkeypatch.setattr(BradleyTerry, "fit", refuse)
    outcome = held_out.compare(view_of(campaign), experiment_of(*QUICK, folds=10))
    assert set(outcome.failed) == {"bradley-terry"}
    assert "no path joins" in str(outcome.failed["bradley-terry"])
    assert len(outcome.comparison.standings) == 2
    with pytest.raises(UndefinedResultError, match="no path joins"):
        held_out.compare(view_of(campaign), experiment_of("bradley-terry", folds=5))


def test_progress_rises_to_the_whole_whatever_was_there_before(
    campaign: Campaign, memory: store.Memory
) -> None:
    context = view_of(campaign)
    held_out.compare(context, experiment_of("expected-wins", folds=20))
    seen: list[tuple[int, int]] = []
    held_out.compare(
        context, experiment_of(*QUICK, folds=20), lambda done, of: seen.append((done, of))
    )
    assert [done for done, _ in seen] == list(range(21, 61))
    assert {of for _, of in seen} == {60}


def test_curves_grow_size_by_size_to_what_the_analysis_gives(
    campaign: Campaign, memory: store.Memory, curve: LearningCurve
) -> None:
    plan = CurvePlan((100, 400), trials=3)
    stages = list(curves.curves(view_of(campaign), experiment_of(*QUICK), plan))
    assert [len(stage.points) for stage in stages] == [3, 6]
    pd.testing.assert_frame_equal(stages[-1].to_frame(), curve.to_frame())
    assert stages[-1].oracle == curve.oracle


def test_the_sidebars_method_takes_part_as_it_is_set(
    campaign: Campaign, memory: store.Memory
) -> None:
    plain = held_out.chosen_models(view_of(campaign), ["trueskill"])
    assert dict(plain) == {"trueskill": TrueSkill(), "expected-wins": ExpectedWins()}
    own = TrueSkill(sigma0=0.4)
    both = dict(held_out.chosen_models(view_of(campaign, ranker=own), ["trueskill"]))
    assert both["trueskill"] == TrueSkill()
    assert both[f"{TrueSkill.title}, as set"] == own


def test_few_folds_and_quick_methods_come_first() -> None:
    both = experiment_of("expected-wins", "hopkins-may-categorical")
    everyone = ["expected-wins", "hopkins-may-categorical"]

    def stages(experiment: Experiment) -> list[tuple[list[str], int]]:
        return [([name for name, _ in stage.models], stage.folds) for stage in experiment.stages]

    assert stages(both) == [(["expected-wins"], 10), (everyone, 10)]
    many = replace(both, folds=100)
    assert stages(many) == [(["expected-wins"], 10), (everyone, 10), (everyone, 100)]
    few = experiment_of("expected-wins")
    assert few.stages == (few,)


def test_pairs_that_cannot_be_compared_are_named_and_the_others_stay(
    memory: store.Memory,
) -> None:
    campaign = make_campaign(("cs-en", "de-en"), n_tasks=60)
    builder = CampaignBuilder()
    for pair, tasks in (("cs-en", 60), ("de-en", 1)):
        for task in range(tasks):
            builder.add_task(pair, str(task), "j", [("a",), ("b",)], [1 + task % 3 // 2, 2])
    uneven = builder.build()
    experiment = experiment_of("expected-wins", folds=5)
    for campaign_, missing in ((campaign, 0), (uneven, 1)):
        *_, (comparisons, problems) = held_out.compare_pairs(view_of(campaign_), experiment)
        assert len(comparisons) == 2 - missing
        assert len(problems) == missing
    assert "German → English" in problems[0]


# Sentences and tables -------------------------------------------------------------------------


def with_p(comparison: PairedComparison, **p: float) -> PairedComparison:
    """The same comparison, every pair's p set."""
    return replace(comparison, differences=tuple(replace(d, **p) for d in comparison.differences))


def test_the_figure_does_not_repeat_the_heading(comparison: PairedComparison) -> None:
    best = comparison.standings[0].score.shown
    alike = with_p(comparison, accuracy_p=1.0)
    assert difference_title(alike) == f"Accuracy minus that of {best}"
    first, *others = comparison.differences
    one = replace(alike, differences=(first, *(replace(d, accuracy_p=0.0) for d in others)))
    assert one.not_separated == (first.second,)


def test_best_probabilities_are_named_only_where_told_from_all_others(
    comparison: PairedComparison,
) -> None:
    """p = .03 is told apart in one comparison, not in three."""
    calmest = comparison.calmest.score.shown
    assert calmest in probability_words(with_p(comparison, perplexity_p=0.01))
    alike = probability_words(with_p(comparison, perplexity_p=0.03))
    assert alike.startswith("By perplexity, the methods do not differ significantly.")


def test_one_method_that_is_worse_is_named_with_its_measure(comparison: PairedComparison) -> None:
    """The best is never counted among those that do not differ from it."""
    alike = with_p(comparison, accuracy_p=1.0, perplexity_p=1.0)
    finding, reason = verdict(alike)
    assert finding == "No method is significantly more accurate than the others"
    assert reason.startswith(comparison.standings[0].score.shown)
    last = comparison.standings[-1]
    told = replace(
        alike,
        differences=tuple(
            replace(d, accuracy_p=0.0, perplexity_p=0.0)
            if last.score.method in (d.first, d.second)
            else d
            for d in alike.differences
        ),
    )
    best = comparison.standings[0].score.shown
    assert verdict(told)[0] == f"{last.score.shown} predicts significantly worse than {best}"
    if last is not comparison.calmest:
        assert f"By perplexity, {last.score.shown} is significantly worse than" in (
            probability_words(told)
        )
    assert len(verdict(told)[0].split()) <= 14


def test_a_name_with_a_comma_is_not_cut_in_the_headline(comparison: PairedComparison) -> None:
    named = tuple(
        replace(s, score=replace(s.score, shown=f"Hopkins & May, Gaussian {k}"))
        for k, s in enumerate(comparison.standings)
    )
    for p in (0.0, 1.0):
        finding = verdict(with_p(replace(comparison, standings=named), accuracy_p=p))[0]
        assert claim_and_rest(finding) == (finding, "")


def test_probabilities_no_better_than_guessing_are_named(comparison: PairedComparison) -> None:
    first, *others = (replace(s, perplexity=Estimate(2.8, 2.7, 2.9)) for s in comparison.standings)
    for low, words in ((2.9, "no better than guessing"), (3.01, "worse than guessing")):
        poor = replace(first, perplexity=Estimate(3.02, low, 3.1))
        said = probability_words(replace(comparison, standings=(poor, *others)))
        assert f"The probabilities of {first.score.shown} are {words}: perplexity 3.02" in said
    assert "guessing" not in probability_words(replace(comparison, standings=tuple(others)))


def test_how_far_an_accuracy_is_known_is_what_its_interval_says(
    comparison: PairedComparison,
) -> None:
    first = comparison.standings[0]
    reach = 100 * (first.accuracy.high - first.accuracy.low) / 2
    wide = replace(first.accuracy, low=first.accuracy.value - 0.2, high=first.accuracy.value + 0.2)
    narrow = replace(
        first.accuracy, low=first.accuracy.value - 0.03, high=first.accuracy.value + 0.03
    )
    others = comparison.standings[1:]
    known = [
        too_few_words(replace(comparison, standings=(replace(first, accuracy=a), *others)))
        for a in (first.accuracy, wide, narrow)
    ]
    assert (f"±{reach:.0f} points" in known[0]) == (reach >= 4)
    assert "±20 points" in known[1]
    assert known[2] == ""


def test_words_say_for_whom_intervals_hold(comparison: PairedComparison) -> None:
    assert "for new segments and judges" in split_words(comparison)
    one_judge = replace(comparison, missing={"judge": "All is of one judge."})
    assert "but these judges only" in split_words(one_judge)
    these = replace(comparison, scope="these")
    assert "for these segments and judges only" in split_words(these)


def test_the_curve_title_tells_what_more_judgments_bring(curve: LearningCurve) -> None:
    title = curve_title(curve)
    best = max((p for p in curve.points if p.size == 400), key=lambda p: p.accuracy.mean())
    first = curve.point(best.method, 100)
    assert title == (
        f"Accuracy: {first.accuracy.mean():.1%} after 100 judgments, "
        f"{best.accuracy.mean():.1%} after 400"
    )


def test_the_table_has_guessing_and_the_oracle_last(comparison: PairedComparison) -> None:
    frame = comparison_screen(comparison, {"expected-wins": 0.49, "oracle": 0.503})
    assert list(frame["method"])[-2:] == ["Guessing (Uniform)", "Oracle"]
    assert frame["perplexity"].iloc[-2] == 3
    assert frame["accuracy"].iloc[-1] == 100 * comparison.oracle
    printed = frame.set_index("method")["printed"].dropna()
    assert dict(printed) == {"Expected Wins": 49.0, "Oracle": 50.3}
    assert "printed" not in comparison_screen(comparison, {})


def test_differences_to_the_best_are_never_positive(comparison: PairedComparison) -> None:
    to_best = comparison_screen(comparison, {})["to_best"].dropna()
    assert len(to_best) == 3
    assert (to_best <= 0).all()


def test_published_accuracies_stand_beside_ours(comparison: PairedComparison) -> None:
    frame, beside = pairs_table({"cs-en": comparison}, with_printed=True)
    assert beside["Expected Wins"] == "EW, published"
    assert frame["EW, published"].iloc[0] == pytest.approx(40.4)
    assert frame["oracle, published"].iloc[0] == pytest.approx(41.2)
    assert list(frame["pair"]) == ["Czech → English", "Mean"]
    assert printed_accuracies("eng-zho") == {}


# Figures --------------------------------------------------------------------------------------


def test_dots_lie_at_the_paired_differences(comparison: PairedComparison) -> None:
    figure = difference_figure(comparison, mode="light")
    best = comparison.standings[0].score.method
    dots = [t for t in figure.data if t.mode == "markers" and t.xaxis == "x"]
    lines = [t for t in figure.data if t.mode == "lines" and t.xaxis == "x"]
    for row, standing in enumerate(comparison.standings[1:], start=1):
        d = comparison.difference(standing.score.method, best).accuracy
        assert (dots[row].x[0], dots[row].y[0]) == (100 * d.value, row)
        assert tuple(lines[row].x) == (100 * d.low, 100 * d.high)


def test_the_band_holds_the_best_and_those_not_told_from_it(comparison: PairedComparison) -> None:
    figure = difference_figure(comparison, mode="light")
    shaded = {
        round(shape.y0 + 0.5)
        for shape in figure.layout.shapes
        if shape.type == "rect" and shape.yref == "y"
    }
    methods = [s.score.method for s in comparison.standings]
    assert shaded == {0, *(methods.index(m) for m in comparison.not_separated)}
    alone = difference_figure(with_p(comparison, accuracy_p=0.0), mode="light")
    assert not [s for s in alone.layout.shapes if s.type == "rect" and s.yref == "y"]


def test_methods_that_predict_alike_look_alike(comparison: PairedComparison) -> None:
    """An axis of hundredths of a point, or of nothing, would make news of no difference."""
    none = tuple(
        replace(d, accuracy=Estimate(0.0, 0.0, 0.0), accuracy_p=1.0) for d in comparison.differences
    )
    figure = difference_figure(replace(comparison, differences=none), mode="light")
    low, high = figure.layout.xaxis.range
    assert low < -0.25 < 0.25 < high < 1


def test_guessing_is_marked_at_a_perplexity_of_three(comparison: PairedComparison) -> None:
    figure = difference_figure(comparison, mode="dark")
    lowest = min(s.perplexity.value for s in comparison.standings)
    dotted = [s for s in figure.layout.shapes if s.type == "line" and s.line.dash == "dot"]
    assert [shape.x0 + lowest for shape in dotted] == [pytest.approx(3)]


def test_curves_are_means_and_bands_hold_all_trials(curve: LearningCurve) -> None:
    shown = {name: name.title() for name in QUICK}
    figure = curve_figure(curve, shown=shown, mode="light")
    assert figure.layout.xaxis.type == "log"
    bands = [t for t in figure.data if t.fill == "toself" and t.yaxis == "y"]
    means = [t for t in figure.data if t.mode == "lines+markers" and t.yaxis == "y"]
    for name, band, mean in zip(QUICK, bands, means, strict=True):
        trials = [curve.point(name, size).accuracy for size in (100, 400)]
        assert list(mean.y) == [t.mean() for t in trials]
        assert sorted(band.y) == sorted([*(t.min() for t in trials), *(t.max() for t in trials)])
    dotted = [s for s in figure.layout.shapes if s.line.dash == "dot"]
    assert [shape.y0 for shape in dotted] == [3]
    assert "oracle" not in figure.to_json(), "the page has one oracle, of what it compares"
    labels = [note.text for note in figure.layout.annotations]
    assert all(labels.count(name) == 2 for name in shown.values())


@pytest.mark.parametrize("pixels", [[0, 1, 2], [5, 100, 105, 300], [0, 40, 41, 58]])
def test_labels_are_moved_apart_and_keep_their_order(pixels: list[float]) -> None:
    places = apart(pixels)
    assert (np.diff(places) >= 17 - 1e-9).all()
    assert np.mean(places) == pytest.approx(np.mean(pixels))


def test_calibration_points_are_the_observed_shares(comparison: PairedComparison) -> None:
    figure = calibration_figure(comparison.standings, mode="light")
    dots = [t for t in figure.data if t.type == "scatter" and t.mode == "markers"]
    for trace, standing in zip(dots, comparison.standings, strict=True):
        c = standing.score.calibration
        np.testing.assert_array_equal(trace.x, c.predicted)
        np.testing.assert_array_equal(trace.y, c.observed)
        np.testing.assert_allclose(trace.y + trace.error_y.array, c.high)
        np.testing.assert_allclose(trace.y - trace.error_y.arrayminus, c.low)
        for n, text in zip(c.judgments, trace.text, strict=True):
            assert f"{n} predictions" in text.replace(",", "")


def test_every_figure_names_all_methods_in_its_alt_text(
    comparison: PairedComparison, curve: LearningCurve
) -> None:
    shown = {s.score.method: s.score.shown for s in comparison.standings}
    for figure in (
        difference_figure(comparison, mode="light"),
        calibration_figure(comparison.standings, mode="light"),
    ):
        assert all(name in alt_text(figure) for name in shown.values())
    drawn = curve_figure(curve, shown=shown, mode="light")
    assert all(shown[name] in alt_text(drawn) for name in QUICK)


def test_the_usual_methods_differ_in_color_marker_and_line() -> None:
    marks = [method_mark(name, "light") for name in ("expected-wins", "hopkins-may", "trueskill")]
    for look in ("color", "symbol", "dash"):
        assert len({getattr(mark, look) for mark in marks}) == 3


# The page -------------------------------------------------------------------------------------


@pytest.fixture
def open_page(memory: store.Memory, campaign: Campaign) -> Callable[..., AppTest]:
    """Open the page on a small campaign with few folds."""

    def open_(campaign: Campaign = campaign, **link_parts: str | list[str]) -> AppTest:
        settings = {"method": ExpectedWins.title, **link_parts}
        return open_address("validation", with_upload(campaign), **settings)

    return open_


def words(app: AppTest) -> str:
    return "\n".join(str(e.value) for e in [*app.markdown, *app.warning]).replace("\\", "")


def asides(app: AppTest) -> str:
    return "\n".join(str(element.body) for element in app.get("html"))  # type: ignore[union-attr]


def test_the_page_says_the_verdict_of_the_command_line(
    open_page: Callable[..., AppTest], campaign: Campaign, tmp_path: Any, capsys: Any
) -> None:
    app = open_page(seed="0")
    assert not app.exception
    file = tmp_path / "campaign.csv"
    file.write_bytes(write(campaign, "wmt-2way"))
    assert main(["research", "validate", str(file), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    said = app.markdown[0].value.replace("\\", "").removeprefix("# ")
    short = " (from WMT14)"  # a headline leaves it out
    assert document["verdict"].replace(short, "").startswith(said.replace(short, ""))


def test_splitting_by_rows_warns_that_it_leaks(open_page: Callable[..., AppTest]) -> None:
    app = open_page()
    assert "flatter every model" not in asides(app)
    app.selectbox(key="ms.split").set_value("judgment").run()
    assert not app.exception
    assert "flatter every model" in asides(app)


def test_settings_of_a_link_make_the_experiment(open_page: Callable[..., AppTest]) -> None:
    app = open_page(
        **{"ms.methods": "Bradley–Terry", "ms.split": "Segments", "ms.grid": "Difference of scores"}
    )
    assert not app.exception
    assert app.multiselect(key="ms.methods").value == ["bradley-terry"]
    assert app.selectbox(key="ms.split").value == "segment"
    table = app.dataframe[0].value
    assert set(table["method"]) == {
        "Bradley–Terry", "Expected Wins", "Guessing (Uniform)", "Oracle",
    }  # fmt: skip


def test_a_split_that_is_impossible_is_explained_and_can_be_changed(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page(**{"ms.split": "Rarely judged segments, once"})
    assert not app.exception
    assert "Split by task instead" in words(app)
    app.selectbox(key="ms.split").set_value("task").run()
    assert app.dataframe[0].value["method"].iloc[-1] == "Oracle"


def test_a_model_worse_than_guessing_is_pointed_out_in_words(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page(**{"ms.methods": TrueSkill.title})
    interval = app.dataframe[0].value.set_index("method").loc[TrueSkill.title]
    assert float(str(interval["perplexity_interval"]).split("–")[0]) > 3
    assert f"The probabilities of {TrueSkill.title} are worse than guessing" in words(app)
    assert "worse than guessing" not in words(open_page(**{"ms.methods": "Bradley–Terry"}))


def test_sizes_that_another_campaign_cannot_train_on_are_let_go(
    open_page: Callable[..., AppTest], campaign: Campaign
) -> None:
    app = open_page()
    app.multiselect(key="ms.sizes").set_value([100, 800]).run()
    small = Selection(exclude_judges=tuple(f"judge {k}" for k in range(4)))
    app.session_state["podium"].selections[campaign.fingerprint] = small
    app.run()
    assert not app.exception
    assert not app.error
    assert app.multiselect(key="ms.sizes").value == [100]


def test_without_a_choice_the_sidebars_method_stands_alone(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page()
    app.multiselect(key="ms.methods").set_value([]).run()
    assert not app.exception
    assert app.dataframe[0].value["method"].iloc[0] == ExpectedWins.title
    assert len(app.dataframe[0].value) == 3


def test_one_language_pair_has_no_table_of_pairs(open_page: Callable[..., AppTest]) -> None:
    app = open_page()
    assert all(toggle.key != "ms.all" for toggle in app.toggle)


def test_all_pairs_make_a_table_with_the_oracle_last(open_page: Callable[..., AppTest]) -> None:
    app = open_page(campaign=make_campaign(("cs-en", "de-en"), n_tasks=120))
    app.toggle(key="ms.all").set_value(True).run()
    assert not app.exception
    table = app.dataframe[1].value
    assert list(table["pair"]) == ["Czech → English", "German → English", "Mean"]
    assert list(table.columns)[-1] == "Oracle"
    ours = table.drop(columns=["pair", "Oracle"])
    assert (ours.le(table["Oracle"], axis=0)).all(axis=None)


def test_a_selection_that_leaves_little_says_how_little_is_known(
    open_page: Callable[..., AppTest], campaign: Campaign
) -> None:
    app = open_page()
    state_of = app.session_state["podium"]
    state_of.selections[campaign.fingerprint] = replace(Selection(), segments=(0, 9))
    app.run()
    assert not app.exception
    assert "judgments are predicted, so the accuracy has an error of about" in asides(app)


def test_any_model_takes_part_with_settings_of_its_own(
    open_page: Callable[..., AppTest],
) -> None:
    variants = "independent-students:mean=arithmetic, trueskill:radius=0.3, elo:speed=3"
    app = open_page(**{"ms.methods": "Bradley–Terry", "ms.variants": variants})
    assert not app.exception
    table = app.dataframe[0].value.set_index("method")
    assert "Independent Students, mean arithmetic" in table.index
    assert "TrueSkill (from WMT14), radius 0.3" in table.index
    assert any("no such hyperparameter" in said.value for said in app.markdown)


def test_the_page_names_no_second_radius_beside_that_of_what_if(
    open_page: Callable[..., AppTest],
) -> None:
    assert not [column for column in open_page().dataframe[0].value if "radius" in column]


def test_the_preset_says_what_the_page_asks_at_first(open_page: Callable[..., AppTest]) -> None:
    app = open_page(preset="WMT14 procedure")
    assert not app.exception
    assert app.selectbox(key="ms.wmt14.split").value == "judgment"
    assert app.select_slider(key="ms.wmt14.folds").value == 100
    assert app.selectbox(key="ms.wmt14.average").value == "folds"


def test_worse_probabilities_are_in_the_headline_where_accuracies_are_alike(
    comparison: PairedComparison,
) -> None:
    """No one is more accurate; who is significantly worse by perplexity is said at once."""
    calm = comparison.calmest
    bad = next(s for s in reversed(comparison.standings) if s is not calm)
    names = {bad.score.method, calm.score.method}
    told = replace(
        comparison,
        differences=tuple(
            replace(d, accuracy_p=1.0, perplexity_p=0.0 if {d.first, d.second} == names else 1.0)
            for d in comparison.differences
        ),
    )
    assert verdict(told)[0] == (
        f"No method is significantly more accurate; {bad.score.shown} has significantly worse "
        "probabilities"
    )
