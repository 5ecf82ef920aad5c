"""Tables as public data sets and survey tools write them, with what a reader must find in each.

Names of columns are those of crowd platforms, annotation tools, arenas, listening tests, shared
tasks, benchmarks and sports; the numbers are random.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Found:
    """What a table holds; ``None`` where a reading may say anything."""

    systems: set[str]
    judges: int | None = None
    segments: int | None = None
    criteria: tuple[str, ...] = ()
    best: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Made:
    """A table as bytes with what is in it; nothing for a table without judgments."""

    data: bytes
    found: Found | None = None
    more: dict[str, Any] = field(default_factory=dict)


TABLES: dict[str, Callable[[np.random.Generator], Made]] = {}


def table(make: Callable[[np.random.Generator], Made]) -> Callable[[np.random.Generator], Made]:
    TABLES[make.__name__] = make
    return make


def csv(frame: pd.DataFrame, **how: Any) -> bytes:
    return frame.to_csv(index=False, **how).encode()


def text(rng: np.random.Generator, n: int = 14) -> str:
    words = "the river city council found a new bridge near old market while people were waiting"
    return " ".join(rng.choice(words.split(), n)).capitalize() + "."


SYSTEMS = ("NLLB-54B", "DeepL", "GPT-4", "mBART")


def grid(
    rng: np.random.Generator, systems=SYSTEMS, items: int = 25, judges: int = 6, each: int = 3,
    scale: tuple[int, int] = (0, 100),
):  # fmt: skip
    """Yield judge, item, system and a score; earlier systems are better."""
    low, high = scale
    for item in range(items):
        for judge in rng.choice(judges, each, replace=False):
            for place, system in enumerate(systems):
                mean = high - (high - low) * (0.2 + 0.15 * place)
                value = rng.normal(mean, (high - low) / 12)
                yield int(judge), item, system, int(np.clip(round(value), low, high))


def votes(rng: np.random.Generator, systems=SYSTEMS, n: int = 200, judges: int = 9):
    """Yield judge, item, two systems and the place of the winner (0, 1; 2 is a tie)."""
    for row in range(n):
        a, b = rng.choice(len(systems), 2, replace=False)
        first = rng.random() < 0.5 + 0.12 * (b - a)
        outcome = 2 if rng.random() < 0.15 else 0 if first else 1
        yield int(rng.integers(judges)), row % 40, systems[a], systems[b], outcome


@table
def mturk_likert_batch(rng):
    rows = [
        {
            "HITId": f"3{i:029d}", "HITTypeId": "3XYZ", "Title": "Rate translations",
            "Reward": "$0.10", "CreationTime": "Mon May 01 10:00:00 PDT 2023",
            "MaxAssignments": 3, "AssignmentId": f"A{k:025d}", "WorkerId": f"A1B2C3D{j}",
            "AssignmentStatus": "Approved", "WorkTimeInSeconds": int(rng.integers(20, 300)),
            "LifetimeApprovalRate": "100% (12/12)", "Input.src_id": f"doc{i}",
            "Input.source": text(np.random.default_rng(i)), "Input.system_name": s,
            "Input.translation": text(rng), "Answer.fluency": 1 + v % 5,
            "Answer.adequacy": max(1, v), "Answer.comments": "",
        }
        for k, (j, i, s, v) in enumerate(grid(rng, scale=(1, 5)))
    ]  # fmt: skip
    return Made(csv(pd.DataFrame(rows)), Found(set(SYSTEMS), 6, 25, ("fluency", "adequacy")))


@table
def mturk_ab_test(rng):
    rows = [
        {
            "HITId": f"H{i}", "WorkerId": f"W{j}", "WorkTimeInSeconds": int(rng.integers(9, 99)),
            "Input.item_id": i, "Input.model_left": a, "Input.model_right": b,
            "Input.text_left": text(rng), "Input.text_right": text(rng),
            "Answer.choice.label": ("Left", "Right", "About the same")[o],
        }
        for j, i, a, b, o in votes(rng)
    ]  # fmt: skip
    return Made(csv(pd.DataFrame(rows)), Found(set(SYSTEMS), 9, 40, best=SYSTEMS[0]))


@table
def prolific_pairwise_named_winner(rng):
    rows = [(f"5f{j:022x}", f"item_{i}", a, b, (a, b, "tie")[o], 10 + i, "COMPLETED")
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["participant_id", "stimulus_id", "model_1", "model_2",
                                        "preferred", "age", "status"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 9, 40, best=SYSTEMS[0]))


@table
def label_studio_csv_min(rng):
    rows = [(k, f"q{i}", a, b, text(rng), text(rng), ("left", "right", "tie")[o], j + 3,
             "2023-05-01T10:00:00Z", 12.5)
            for k, (j, i, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["id", "prompt_id", "model_a", "model_b", "answer_a",
                                        "answer_b", "comparison", "annotator", "created_at",
                                        "duration"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 9, 40, best=SYSTEMS[0]))


@table
def surveymonkey_ranking(rng):
    names = [f"Logo {letter}" for letter in "ABCDE"]
    first = ["Respondent ID", "Collector ID", "Start Date", "Please rank the logos", *[""] * 4,
             "Age"]  # fmt: skip
    below = ["", "", "", *names, "Response"]
    rows = [[10000 + k, 77, "05/01/2023 10:00", *(rng.permutation(5) + 1), "30-44"]
            for k in range(60)]  # fmt: skip
    return Made(csv(pd.DataFrame([below, *rows], columns=first)), Found(set(names), 60, None))


@table
def qualtrics_matrix(rng):
    names = ["GPT-4", "Claude", "PaLM"]
    header = ["StartDate", "ResponseId", "Progress", *(f"Q5_{k}" for k in (1, 2, 3)), "Q9"]
    questions = [
        "Start Date",
        "Response ID",
        "Progress",
        *(f"Rank these assistants from best to worst - {n}" for n in names),
        "Comments?",
    ]
    imports = [json.dumps({"ImportId": f"QID{k}"}) for k in range(len(header))]
    rows = [["2023-05-01 10:00:00", f"R_{k}", 100, *(rng.permutation(3) + 1), "none"]
            for k in range(50)]  # fmt: skip
    return Made(csv(pd.DataFrame([questions, imports, *rows], columns=header)),
                Found(set(names), 50, None))  # fmt: skip


@table
def arena_json(rng):
    rows = [{"question_id": f"{i:032x}", "model_a": a, "model_b": b,
             "winner": ("model_a", "model_b", "tie")[o], "judge": f"arena_user_{j}",
             "turn": 1, "anony": True, "language": "English", "tstamp": 1.68e9 + i}
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    return Made(json.dumps(rows).encode(), Found(set(SYSTEMS), 9, None, best=SYSTEMS[0]))


@table
def nested_battles(rng):
    rows = [{"meta": {"item": i, "annotator_id": f"a{j}"},
             "models": {"model_a": a, "model_b": b}, "vote": {"winner": ("A", "B", "tie")[o]}}
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    return Made(json.dumps({"version": 2, "battles": rows}).encode(),
                Found(set(SYSTEMS), 9, 40, best=SYSTEMS[0]))  # fmt: skip


@table
def chosen_and_rejected(rng):
    rows = [(f"p{i}", (a, b)[o % 2], (b, a)[o % 2], f"u{j}") for j, i, a, b, o in votes(rng)]
    frame = pd.DataFrame(rows, columns=["prompt_id", "chosen_model", "rejected_model", "annotator"])
    return Made(csv(frame), Found(set(SYSTEMS), 9, 40, best=SYSTEMS[0]))


@table
def zero_or_one_label(rng):
    """Which side 1 means, no table says: a guess may not be sure."""
    rows = [(i, a, b, o % 2) for _, i, a, b, o in votes(rng)]
    return Made(csv(pd.DataFrame(rows, columns=["id", "model_a", "model_b", "label"])),
                Found(set(SYSTEMS), best=""), {"ambiguous": True})  # fmt: skip


@table
def seven_point_preference(rng):
    rows = [(i, f"r{j}", a, b, (int(rng.integers(1, 4)), int(rng.integers(5, 8)), 4)[o])
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["item", "rater", "system_a", "system_b",
                                                "preference"])),
                Found(set(SYSTEMS)), {"ambiguous": True})  # fmt: skip


@table
def summeval_like(rng):
    rows = [{"id": f"dm-{i}", "model_id": s, "expert_id": j, "coherence": v, "consistency": 5,
             "fluency": min(5, v + 1), "relevance": max(1, v - 1), "decoded": text(rng)}
            for j, i, s, v in grid(rng, scale=(1, 5))]  # fmt: skip
    for row in rows[::7]:
        row["consistency"] = 4
    criteria = ("coherence", "consistency", "fluency", "relevance")
    return Made("\n".join(map(json.dumps, rows)).encode(), Found(set(SYSTEMS), 6, 25, criteria))


@table
def e2e_magnitude(rng):
    rows = [(f"mr{i}", s, f"{800 + j}", v, max(0, v - 3)) for j, i, s, v in grid(rng)]
    frame = pd.DataFrame(rows, columns=["mr_id", "sys", "_worker_id", "naturalness", "quality"])
    return Made(csv(frame), Found(set(SYSTEMS), 6, 25, ("naturalness", "quality")))


@table
def wide_raters(rng):
    rows = []
    for i in range(30):
        for place, s in enumerate(SYSTEMS):
            marks = np.clip(np.round(rng.normal(4 - place * 0.6, 0.7, 3)), 1, 5).astype(int)
            rows.append((i, s, *marks))
    frame = pd.DataFrame(rows, columns=["sentence_id", "system", "annotator1", "annotator2",
                                        "annotator3"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 3, 30, best=SYSTEMS[0]))


@table
def wide_raters_two_criteria(rng):
    rows = []
    for i in range(30):
        for s in SYSTEMS:
            rows.append((f"s{i}", s, *rng.integers(1, 6, 4)))
    frame = pd.DataFrame(rows, columns=["item", "model", "fluency_1", "fluency_2", "adequacy_1",
                                        "adequacy_2"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 2, 30, ("fluency", "adequacy")))


@table
def mos_by_file_name(rng):
    systems = ("T01", "T02", "T03", "N10")
    rows = [(f"{s}/utt_{i:03d}.wav", f"L{j}", v) for j, i, s, v in
            grid(rng, systems, scale=(1, 5))]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["filename", "listener_id", "mos"])),
                Found(set(systems), 6, 25, best="T01"))  # fmt: skip


@table
def mushra_long(rng):
    systems = ("anchor35", "opus24", "aac32", "hidden_reference")
    rows = [("test1", f"trial{i}", s, v, f"uuid-{j}", "m", 30 + j)
            for j, i, s, v in grid(rng, systems)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["experiment", "trial", "condition", "score", "subject",
                                        "gender", "age"])  # fmt: skip
    return Made(csv(frame), Found(set(systems), 6, 25, best="anchor35"))


@table
def wmt_da_with_controls(rng):
    rows = [(f"eng{j:04d}", s, i, "TGT", "eng", "deu", v, f"doc{i // 5}", 1.6e9 + i, 1.6e9 + i + 9)
            for j, i, s, v in grid(rng)]  # fmt: skip
    rows += [
        ("eng0001", SYSTEMS[3], k, "BAD", "eng", "deu", 5, "doc0", 1.6e9, 1.6e9) for k in range(9)
    ]
    rows += [
        ("eng0001", SYSTEMS[3], k, "CHK", "eng", "deu", 99, "doc0", 1.6e9, 1.6e9) for k in range(9)
    ]
    columns = ["annotator", "SystemID", "SegmentID", "Type", "srclang", "trglang", "Score", "docID",
               "StartTime", "EndTime"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=columns)
    return Made(csv(frame), Found(set(SYSTEMS), 6, 25, best=SYSTEMS[0]))


@table
def wide_mqm_categories(rng):
    """Categories of errors beside counts: no systems in it."""
    words = ["Accuracy/Omission", "Fluency/Grammar", "Style/Awkward", "No-error"]
    rows = [(f"d{i}", i, rng.choice(words), rng.choice(["Major", "Minor"]), int(rng.integers(0, 5)))
            for i in range(80)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["doc", "line", "category", "severity", "score"])
    return Made(csv(frame))


@table
def best_worst_tuples(rng):
    rows = []
    for k in range(120):
        four = rng.permutation(4)
        order = sorted(four, key=lambda s: s + rng.normal(0, 1))
        rows.append((f"w{k % 8}", f"t{k}", *(SYSTEMS[s] for s in four), SYSTEMS[order[0]],
                     SYSTEMS[order[-1]]))  # fmt: skip
    frame = pd.DataFrame(rows, columns=["annotator", "tuple_id", "item1", "item2", "item3", "item4",
                                        "best", "worst"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 8, None, best=SYSTEMS[0]))


@table
def football_data_co_uk(rng):
    teams = [f"{name} FC" for name in ("Lions", "Bears", "Hawks", "Wolves", "Foxes")]
    rows = []
    for k in range(100):
        a, b = rng.choice(5, 2, replace=False)
        home, away = int(rng.poisson(1.9 - a * 0.25)), int(rng.poisson(1.5 - b * 0.25))
        result = "H" if home > away else "A" if away > home else "D"
        rows.append(("E0", f"{k % 28 + 1:02d}/08/2013", teams[a], teams[b], home, away, result, 11))
    frame = pd.DataFrame(rows, columns=["Div", "Date", "HomeTeam", "AwayTeam", "FTHG", "FTAG",
                                        "FTR", "HS"])  # fmt: skip
    return Made(csv(frame), Found(set(teams), None, None, best="Lions FC"))


@table
def chess_games(rng):
    players = ["Carlsen, M", "Nepo, I", "Ding, L", "Firouzja, A"]
    rows = []
    for k in range(90):
        a, b = rng.choice(4, 2, replace=False)
        word = (
            "1/2-1/2"
            if rng.random() < 0.4
            else "1-0"
            if rng.random() < 0.5 + 0.12 * (b - a)
            else "0-1"
        )
        rows.append(
            (f"Open {k % 3}", k % 9 + 1, players[a], players[b], word, 2800 - a, 2800 - b, "C42")
        )
    frame = pd.DataFrame(rows, columns=["Event", "Round", "White", "Black", "Result", "WhiteElo",
                                        "BlackElo", "ECO"])  # fmt: skip
    return Made(csv(frame), Found(set(players), None, None, best=players[0]))


@table
def tennis_matches(rng):
    players = ["R. Federer", "R. Nadal", "N. Djokovic", "A. Murray"]
    rows = []
    for k in range(90):
        a, b = rng.choice(4, 2, replace=False)
        won, lost = (a, b) if rng.random() < 0.5 + 0.12 * (b - a) else (b, a)
        rows.append((f"2014-{k % 7}", ("Hard", "Clay")[k % 2], 20140101 + k, k, 100 + won,
                     players[won], 27.5, 200 + lost, players[lost], 28.1, "6-4 6-3", 95, 3,
                     2))  # fmt: skip
    frame = pd.DataFrame(rows, columns=["tourney_id", "surface", "tourney_date", "match_num",
                                        "winner_id", "winner_name", "winner_age", "loser_id",
                                        "loser_name", "loser_age", "score", "minutes", "w_ace",
                                        "l_ace"])  # fmt: skip
    return Made(csv(frame), Found(set(players), None, None, best=players[0]))


@table
def league_table(rng):
    rows = [(k + 1, f"Club {k}", 38, 30 - k, k, 8, 90 - 3 * k) for k in range(20)]
    frame = pd.DataFrame(rows, columns=["Pos", "Team", "Pld", "W", "D", "L", "Pts"])
    return Made(csv(frame))


@table
def leaderboard_of_models(rng):
    rows = [(f"org/model-{k}", f"{k + 1}B", "apache-2.0", *np.round(rng.uniform(40, 80, 5), 2))
            for k in range(30)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["Model", "Size", "License", "Average", "ARC", "HellaSwag",
                                        "MMLU", "TruthfulQA"])  # fmt: skip
    return Made(csv(frame))


@table
def method_by_task_and_seed(rng):
    methods = ("SVM", "RandomForest", "XGBoost")
    rows = [(m, f"task{t}", seed, round(0.9 - 0.05 * k + rng.normal(0, 0.02), 4))
            for k, m in enumerate(methods) for t in range(20) for seed in range(5)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["method", "task", "seed", "accuracy"])
    return Made(csv(frame), Found(set(methods), None, 20, best="SVM"))


@table
def errors_where_less_is_better(rng):
    methods = ("lstm", "transformer", "conformer")
    rows = [(m, f"utt{i}", round(30 - 8 * k + rng.normal(0, 2), 2))
            for k, m in enumerate(methods) for i in range(40)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["model", "utterance", "wer"])),
                Found(set(methods), None, 40, best="conformer"))  # fmt: skip


@table
def german_excel_export(rng):
    rows = [(f"P{j}", i, s, f"{v / 10:.1f}".replace(".", ",")) for j, i, s, v in grid(rng)]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system", "rating"])
    return Made(csv(frame, sep=";").decode().encode("utf-16"),
                Found(set(SYSTEMS), 6, 25, best=SYSTEMS[0]))  # fmt: skip


@table
def tabs_called_csv(rng):
    rows = [(f"u{j}", i, s, v) for j, i, s, v in grid(rng)]
    frame = pd.DataFrame(rows, columns=["userid", "seg", "sys_name", "DA"])
    return Made(csv(frame, sep="\t"), Found(set(SYSTEMS), 6, 25, best=SYSTEMS[0]))


@table
def criterion_in_rows(rng):
    rows = [(f"u{j}", i, s, c, v) for j, i, s, v in grid(rng) for c in ("Fluency", "Adequacy")]
    frame = pd.DataFrame(rows, columns=["rater", "item", "system", "dimension", "rating"])
    return Made(csv(frame), Found(set(SYSTEMS), 6, 25, ("Fluency", "Adequacy")))


@table
def preferences_by_aspect(rng):
    said = ("A", "B", "Tie")
    rows = [(f"u{j}", i, a, b, said[o], said[(o + i % 2) % 3])
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["annotator_id", "example_id", "system_a", "system_b",
                                        "fluency_preference", "coherence_preference"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 9, 40,
                                  ("fluency_preference", "coherence_preference")))  # fmt: skip


@table
def sentiment_annotations(rng):
    """Labels of texts by annotators: nothing in it compares systems."""
    rows = [(k, text(rng), f"ann{k % 4}", rng.choice(["positive", "negative", "neutral"]),
             int(rng.integers(1, 6))) for k in range(150)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["id", "text", "annotator", "label", "confidence"])))


@table
def demographics(rng):
    rows = [(f"P{k}", int(rng.integers(18, 70)), rng.choice(["F", "M"]), rng.choice(["A", "B"]),
             int(rng.integers(1, 6))) for k in range(80)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["participant", "age", "gender", "group",
                                                "satisfaction"])))  # fmt: skip


@table
def likert_questionnaire(rng):
    """Questions by number: they are neither systems nor judges."""
    rows = [(f"P{k}", *rng.integers(1, 8, 6)) for k in range(60)]
    return Made(csv(pd.DataFrame(rows, columns=["id", *(f"q{k}" for k in range(1, 7))])))


@table
def house_prices(rng):
    rows = [(k, rng.choice(["north", "south"]), int(rng.integers(40, 200)), int(rng.integers(1, 6)),
             int(rng.integers(10**5, 10**6))) for k in range(90)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["Id", "region", "area", "rooms", "price"])))


@table
def yes_no_flags(rng):
    """A column called system with yes and no is not a column of systems."""
    rows = [(i, ("yes", "no")[i % 2], f"r{i % 3}", int(rng.integers(1, 6))) for i in range(60)]
    return Made(csv(pd.DataFrame(rows, columns=["item", "system", "rater", "score"])))


@table
def texts_called_system(rng):
    rows = [(i % 20, text(rng), f"r{i % 3}", int(rng.integers(1, 6))) for i in range(60)]
    return Made(csv(pd.DataFrame(rows, columns=["item", "system output", "rater", "score"])))


@table
def asset_ratings(rng):
    """Ratings by aspect of texts that nobody made by name."""
    rows = [(text(rng), text(rng), i, a, f"w{j}", int(rng.integers(0, 101)))
            for i in range(20) for a in ("fluency", "meaning", "simplicity")
            for j in range(3)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["original", "simplification",
                                                "original_sentence_id", "aspect", "worker_id",
                                                "rating"])))  # fmt: skip


@table
def wide_mqm_counts(rng):
    """Counts of errors by category: less is better, which the names say only to people."""
    rows = [(s, f"d{i // 5}", i, f"rater{j}", *rng.poisson(1, 3)) for j, i, s, _ in grid(rng)]
    columns = ["system", "doc", "seg_id", "rater", "Accuracy/Mistranslation", "Fluency/Grammar",
               "Style/Awkward"]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=columns)), Found(set()), {"ambiguous": True})


@table
def voice_conversion_files(rng):
    """Systems, speakers and sentences in one name: which part is which, only people know."""
    rows = [(f"{s}_{v}_{k:05d}", f"l{j}", int(rng.integers(1, 6)))
            for s in ("XV", "NU", "HCC", "DK") for v in ("SEF", "SEM", "SMF") for k in range(9)
            for j in range(2)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["sample_id", "listener", "naturalness"])),
                Found(set()), {"ambiguous": True})  # fmt: skip


@table
def opinion_poll(rng):
    rows = [(k, rng.choice(["support", "oppose", "neither"]), rng.choice(["urban", "rural"]))
            for k in range(90)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["respondent_id", "answer", "area"])))


@table
def movie_ratings(rng):
    rows = [(u, m, int(rng.integers(1, 6)), 9 * 10**8 + u) for u in range(30) for m in range(12)
            if rng.random() < 0.6]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=["userId", "movieId", "rating", "timestamp"])))


@table
def conversions_of_variants(rng):
    rows = [(k, rng.choice(["control", "treatment"]), int(rng.random() < 0.1)) for k in range(300)]
    return Made(csv(pd.DataFrame(rows, columns=["user_id", "group", "converted"])))


@table
def ultra_feedback(rng):
    rows = [
        {"source": "evol", "instruction": f"Question {i}: {text(rng)}", "completions": [
            {"model": s, "response": text(rng),
             "annotations": {c: {"Rating": int(np.clip(5 - p + rng.integers(-1, 2), 1, 5))}
                             for c in ("helpfulness", "honesty")}}
            for p, s in enumerate(SYSTEMS)]}
        for i in range(30)
    ]  # fmt: skip
    criteria = tuple(f"completions.annotations.{c}.Rating" for c in ("helpfulness", "honesty"))
    return Made(json.dumps(rows).encode(), Found(set(SYSTEMS), 1, 30, criteria, best=SYSTEMS[0]))


@table
def home_and_away(rng):
    teams = ("Brazil", "Ghana", "Japan", "Norway")
    rows = []
    for k in range(120):
        a, b = rng.choice(4, 2, replace=False)
        rows.append((f"19{k % 90 + 10}-06-01", teams[a], teams[b], int(rng.poisson(2.6 - 0.6 * a)),
                     int(rng.poisson(2.3 - 0.6 * b)), "Friendly", "FALSE"))  # fmt: skip
    frame = pd.DataFrame(rows, columns=["date", "home_team", "away_team", "home_score",
                                        "away_score", "tournament", "neutral"])  # fmt: skip
    return Made(csv(frame), Found(set(teams), None, None, best="Brazil"))


@table
def dimensions_in_words(rng):
    rows = [(f"u{j}", i, s, c, v) for j, i, s, v in grid(rng, scale=(1, 7))
            for c in ("Would you buy it?", "Do you like it?")]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["rater_id", "item_id", "system_name", "dimension", "score"])
    return Made(csv(frame), Found(set(SYSTEMS), 6, 25, ("Would you buy it?", "Do you like it?")))


@table
def nasa_workload(rng):
    """Workload is not a score of the systems; satisfaction is."""
    rows = [(f"P{j}", i, s, v, 100 - v) for j, i, s, v in grid(rng)]
    frame = pd.DataFrame(rows, columns=["participant", "task", "condition", "workload",
                                        "satisfaction"])  # fmt: skip
    return Made(csv(frame), Found(set(SYSTEMS), 6, 25, best=SYSTEMS[3]))


@table
def comet_per_segment(rng):
    rows = [(s, i, round(0.9 - 0.05 * p + rng.normal(0, 0.03), 4))
            for p, s in enumerate(SYSTEMS) for i in range(40)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["mt_system", "segment_id", "comet"])
    return Made(csv(frame), Found(set(SYSTEMS), 1, 40, best=SYSTEMS[0]))
