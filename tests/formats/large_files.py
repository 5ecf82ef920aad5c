"""Large files of every format, as their tools write them: made from how many rows one has."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SYSTEMS = [f"a-system-{k:02}" for k in range(14)]
TEXT = "A sentence as long as sentences are that people translate, say {}."


def votes(n: int, text: int = 0) -> list[dict[str, object]]:
    """Return votes as an arena has them, with a text in each where one is asked for."""
    rng = np.random.default_rng(1)
    left = rng.integers(0, 20, n)
    right = (left + rng.integers(1, 20, n)) % 20
    winner = rng.choice(["model_a", "model_b", "tie", "tie (bothbad)"], n)
    return [
        {
            "model_a": f"a-model-{left[k]}",
            "model_b": f"a-model-{right[k]}",
            "winner": str(winner[k]),
            "judge": f"arena_user_{k % 999}",
            "question_id": f"{k:032x}",
            "turn": 1,
            "tstamp": 1682351621.25 + k,
            **({"conversation": [{"role": "user", "content": "x" * text}]} if text else {}),
        }
        for k in range(n)
    ]


def five_way(n: int) -> bytes:
    """Return rankings of five of fourteen systems, a row each."""
    rng = np.random.default_rng(2)
    header = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    header += ",".join(f"system{k}Number,system{k}Id" for k in range(1, 6)) + ","
    rows = [header + ",".join(f"system{k}rank" for k in range(1, 6))]
    shown, ranks = rng.permuted(np.tile(range(14), (n, 1)), axis=1), rng.integers(1, 6, (n, 5))
    for k in range(n):
        systems = ",".join(f"{s},system-{s:02}" for s in shown[k, :5])
        places = ",".join(map(str, ranks[k]))
        rows.append(f"fra,eng,{k % 3000},-1,{k % 3000},judge{k % 40},{systems},{places}")
    return "\n".join([*rows, ""]).encode()


def two_way(n: int) -> bytes:
    """Return the pairs of such rankings, a row each."""
    rng = np.random.default_rng(3)
    rows = ["srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,"]
    rows[0] += "system2rank,rankingID"
    for k in range(n // 10):
        shown, ranks = rng.permutation(14)[:5], rng.integers(1, 6, 5)
        for i in range(5):
            for j in range(i + 1, 5):
                pair = f"system-{shown[i]},{ranks[i]},system-{shown[j]},{ranks[j]}"
                rows.append(f"fra,eng,{k % 3000},{k % 3000},judge{k % 40},{pair},{k}")
    return "\n".join([*rows, ""]).encode()


def _translations(rng: np.random.Generator) -> str:
    shown, ranks = rng.permutation(14)[:5], rng.integers(1, 6, 5)
    return "".join(
        f'<translation rank="{rank}" system="system-{s}"/>'
        for s, rank in zip(shown, ranks, strict=True)
    )


def appraise(n: int) -> bytes:
    """Return such rankings as Appraise exports them."""
    rng = np.random.default_rng(4)
    hits = [
        f'<HIT block-id="{k}" source-language="fra" target-language="eng">'
        f'<ranking-task id="{k % 3000}"><ranking-result duration="00:00:12.5" '
        f'user="user{k % 30}">{_translations(rng)}</ranking-result></ranking-task></HIT>'
        for k in range(n)
    ]
    return f"<appraise-results>{''.join(hits)}</appraise-results>".encode()


def appraise_items(n: int) -> bytes:
    """Return rankings of corrections as Appraise exports them."""
    rng = np.random.default_rng(5)
    items = [
        f'<ranking-item doc-id="essay-{k % 50}" duration="00:00:41.120000" id="{k % 20}" '
        f'src-id="{k % 3000}" user="annotator{k % 30:02}">{_translations(rng)}</ranking-item>'
        for k in range(n)
    ]
    head = '<error-correction-ranking-result source-language="err" id="e" target-language="cor">'
    return f"{head}{''.join(items)}</error-correction-ranking-result>".encode()


def parquet(n: int) -> bytes:
    """Return votes as Parquet."""
    file = io.BytesIO()
    pd.DataFrame(votes(n)).to_parquet(file, index=False)
    return file.getvalue()


def mixed_lines(n: int) -> bytes:
    """Return votes a line, one of which names its judge by a number."""
    found = votes(n)
    found[n // 2]["judge"] = 7
    return lines(found)


def lines(records: list[dict[str, Any]]) -> bytes:
    """Return records as JSON Lines."""
    return "\n".join(map(json.dumps, records)).encode()


def alpaca_eval(n: int) -> list[dict[str, Any]]:
    """Return annotations of AlpacaEval: every system beside one."""
    return [
        {
            "instruction": TEXT.format(k // 13),
            "dataset": ("koala", "vicuna")[k % 2],
            "output_1": TEXT.format("no"),
            "generator_1": SYSTEMS[0],
            "output_2": TEXT.format(k),
            "generator_2": SYSTEMS[1 + k % 13],
            "annotator": "gpt-judge",
            "preference": 1 + k % 100 / 100,
        }
        for k in range(n)
    ]


def fastchat(n: int) -> list[dict[str, Any]]:
    """Return FastChat's judgments of pairs."""
    return [
        {
            "question_id": k // 26,
            "model_1": SYSTEMS[k % 13],
            "model_2": SYSTEMS[13],
            "g1_winner": ("model_1", "model_2", "tie")[k % 3],
            "g2_winner": ("model_1", "tie")[k % 2],
            "judge": ["gpt-judge", "pair-v2"],
            "turn": 1 + k % 2,
            "tstamp": 1682351621.25 + k,
        }
        for k in range(n)
    ]


def arena_hard(n: int) -> list[dict[str, Any]]:
    """Return Arena-Hard's judgments, two games each."""
    return [
        {
            "uid": f"{k // 14:032x}",
            "category": "hard_prompt",
            "model": SYSTEMS[k % 14],
            "judge": "gpt-judge",
            "games": [{"score": ("B>>A", "A=B", "A>B")[k % 3]}, {"score": ("A>B", "B>A")[k % 2]}],
        }
        for k in range(n)
    ]


def label_studio(n: int) -> list[dict[str, Any]]:
    """Return tasks with two annotations each, a choice between two."""
    return [
        {
            "id": k,
            "data": {
                "prompt": TEXT.format(k),
                "text1": TEXT.format("this"),
                "text2": TEXT.format("that"),
                "model_a": SYSTEMS[k % 13],
                "model_b": SYSTEMS[13],
            },
            "annotations": [
                {
                    "id": 2 * k + j,
                    "completed_by": {"id": j, "email": f"user{(k + j) % 30}@example.org"},
                    "was_cancelled": False,
                    "lead_time": 12.5,
                    "result": [
                        {
                            "from_name": "pw",
                            "to_name": "text1,text2",
                            "type": "pairwise",
                            "value": {"selected": ("left", "right")[(k + j) % 2]},
                        }
                    ],
                }
                for j in range(2)
            ],
        }
        for k in range(n)
    ]


def label_studio_ranker(n: int) -> list[dict[str, Any]]:
    """Return tasks with an order of five each."""
    return [
        {
            "id": k,
            "data": {
                "prompt": TEXT.format(k),
                "items": [
                    {"id": f"r{j}", "title": str(j), "body": TEXT.format(j), "model": SYSTEMS[j]}
                    for j in range(5)
                ],
            },
            "annotations": [
                {
                    "id": k,
                    "completed_by": k % 30,
                    "was_cancelled": False,
                    "lead_time": 12.5,
                    "result": [
                        {
                            "type": "ranker",
                            "value": {"ranker": {"rank": [f"r{(j + k) % 5}" for j in range(5)]}},
                        }
                    ],
                }
            ],
        }
        for k in range(n)
    ]


def argilla(n: int) -> list[dict[str, Any]]:
    """Return records with two answers each, an order of three."""
    places = [f"response_{j}" for j in range(1, 4)]
    return [
        {
            "id": f"a{k}",
            "status": "completed",
            "fields": {"prompt": TEXT.format(k), **{place: TEXT.format(place) for place in places}},
            "metadata": {f"model_{j}": SYSTEMS[(k + j) % 14] for j in range(1, 4)},
            "suggestions": {},
            "responses": {
                "ranking": [
                    {"value": places[::step], "user_id": f"user-{(k + step) % 30}"}
                    for step in (1, -1)
                ]
            },
        }
        for k in range(n)
    ]


def argilla_flat(n: int) -> list[dict[str, Any]]:
    """Return flat records with a choice of two, a person each."""
    return [
        {
            "id": f"a{k}",
            "prompt": TEXT.format(k),
            "response-1": TEXT.format(1),
            "response-2": TEXT.format(2),
            "ranking.responses": [
                [{"value": "response-1", "rank": 1 + k % 2}, {"value": "response-2", "rank": 1}]
            ],
            "ranking.responses.users": [f"user-{k % 30}"],
            "ranking.responses.status": ["submitted"],
        }
        for k in range(n)
    ]


def potato(n: int) -> list[dict[str, Any]]:
    """Return choices between two outputs."""
    return [
        {
            "user_id": f"user{k % 30}",
            "instance_id": str(k // 3),
            "displayed_text": "",
            "data": {
                "id": str(k // 3),
                "responses": [TEXT.format(1), TEXT.format(2)],
                "model_a": SYSTEMS[k % 13],
                "model_b": SYSTEMS[13],
            },
            "label_annotations": {"preference": {"selection": ("A", "B", "tie")[k % 3]}},
            "span_annotations": {},
            "behavioral_data": {},
        }
        for k in range(n)
    ]


def best_worst(n: int) -> list[dict[str, Any]]:
    """Return the best and the worst of four."""
    return [
        {
            "user_id": f"user{k % 30}",
            "id": f"bws_tuple_{k:06}",
            "_bws_items": [
                {"source_id": SYSTEMS[(k + j) % 14], "text": TEXT.format(j), "position": "ABCD"[j]}
                for j in range(4)
            ],
            "label_annotations": {"quality": {"best": "ABCD"[k % 4], "worst": "BCDA"[k % 4]}},
            "span_annotations": {},
        }
        for k in range(n)
    ]


def wide_judges(n: int) -> list[dict[str, Any]]:
    """Return rows with three judges' votes side by side."""
    return [
        {
            "idx": k,
            "cmp_key": f"{SYSTEMS[k % 13]}_{SYSTEMS[13]}",
            "instruction": TEXT.format(k),
            "input": "",
            "response1": TEXT.format(1),
            "response2": TEXT.format(2),
            **{f"annotator{j}": (k + j) % 3 for j in range(1, 4)},
        }
        for k in range(n)
    ]


def comparia(n: int) -> bytes:
    """Return compar:IA's votes."""
    header = "id,timestamp,model_a_name,model_b_name,chosen_model_name,both_equal,visitor_id,"
    rows = [header + "conversation_pair_id,selected_category,conv_turns"]
    for k in range(n):
        a, b = SYSTEMS[k % 13], SYSTEMS[13]
        won = (a, b, "")[k % 3]
        rows.append(f"{k},2025-01-01,{a},{b},{won},{not won},v{k % 999},c{k:08x},education,1")
    return "\n".join([*rows, ""]).encode()


def pearmut(n: int) -> list[dict[str, Any]]:
    """Return records of documents of three segments, scored for three systems each."""
    models = SYSTEMS[:3]
    found = []
    for k in range(n):
        names = [f"en-de_#_news_#_doc{k}_#_{j}" for j in range(3)]
        answers = [
            {m: {"score": (k * 7 + j) % 100, "error_spans": [], "textfield": None} for m in models}
            for j in range(3)
        ]
        actions: list[dict[str, Any]] = [{"time": 1.76e9, "action": "load"}]
        actions += [
            {"time": 1.76e9 + 7 * j, "action": "score", "index": j, "model": m, "value": 50}
            for j in range(3)
            for m in models
        ]
        item = [
            {"item_id": name, "src": TEXT.format(k), "tgt": dict.fromkeys(models, TEXT.format(k))}
            for name in names
        ]
        found.append(
            {
                "annotation": answers,
                "actions": actions,
                "item": item,
                "user_id": f"user{k % 30}",
                "item_i": k,
            }
        )
    return found


def by_campaign(n: int) -> bytes:
    """Return such records as the dashboard's export has them: lists by campaign."""
    return json.dumps({"en-de one": pearmut(n // 2), "en-de two": pearmut(n - n // 2)}).encode()


def mqm(n: int) -> bytes:
    """Return errors with their texts, a line each."""
    rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment"]
    for k in range(n):
        kind = ("Fluency/Punctuation\tMinor", "Accuracy/Mistranslation\tMajor")[k % 2]
        segment = k // 42
        texts = f"{TEXT.format(segment)}\t{TEXT.format(k)}"
        rows.append(
            f"{SYSTEMS[k // 3 % 14]}\ttalk.{segment // 20}\t{segment % 20}\t{segment}\t"
            f"rater{k % 7}\t{texts}\t{kind}\t"
        )
    return "\n".join([*rows, ""]).encode()


def webmushra(n: int) -> bytes:
    """Return ratings of five stimuli a trial."""
    rows = ["session_test_id,session_uuid,age,trial_id,rating_stimulus,rating_score,rating_time,"]
    rows[0] += "rating_comment"
    names = ["reference", "anchor35", "codec-a", "codec-b", "codec-c"]
    for k in range(n):
        trial, stimulus = divmod(k, 5)
        score = 100 if stimulus == 0 else (k * 7) % 100
        who, what = divmod(trial, 30)
        rows.append(f"codecs,{who:08x},31,piece{what},{names[stimulus]},{score},41322,")
    return "\n".join([*rows, ""]).encode()


def appraise_scores(n: int) -> bytes:
    """Return scores as Appraise exports them today."""
    rows = []
    for k in range(n):
        segment, system = divmod(k, 14)
        document, time = segment // 10, 1.7e9 + 20 * k
        name = f"test-en-news_lake.{document}#{SYSTEMS[system]}"
        rows.append(
            f"engdeu{document % 40:02}01,wmt30.{SYSTEMS[system]},{segment},TGT,eng,deu,"
            f"{(k * 7) % 101},{name},False,[],{time:.3f},{time + 10:.3f}"
        )
    return "\n".join([*rows, ""]).encode()


def wmt_direct(n: int) -> bytes:
    """Return the scores of systems' segments as WMT publishes them."""
    rows = ["SYS SID RAW.SCR Z.SCR N "]
    for k in range(n):
        segment, system = divmod(k, 14)
        z = (k * 7) % 101 / 50 - 1
        rows.append(f"{SYSTEMS[system]}.{system} {segment} {(k * 7) % 101} {z:.6f} 2 ")
    return "\n".join([*rows, ""]).encode()


def scores(n: int) -> bytes:
    """Return a table of scores."""
    rows = ["pair,system,document,segment,domain,judge,score,seconds"]
    for k in range(n):
        segment, system = divmod(k, 14)
        rows.append(
            f"eng-deu,{SYSTEMS[system]},doc{segment // 10},{segment},news,judge{segment % 30},"
            f"{(k * 7) % 101},{10 + k % 50}"
        )
    return "\n".join([*rows, ""]).encode()


def tree(n: int) -> bytes:
    """Return a tree of mt-metrics-eval with ratings as numbers, not compressed."""
    by_system: dict[str, list[str]] = {system: [] for system in SYSTEMS}
    for k in range(n):
        by_system[SYSTEMS[k % 14]].append(f"{SYSTEMS[k % 14]}\t{(k * 7) % 101}\trater{k % 7}")
    ratings = "\n".join(line for own in by_system.values() for line in own) + "\n"
    documents = "".join(f"news\tdoc{k // 10}\n" for k in range(n // 14 + 1))
    return archive(
        {
            "wmt30/human-scores/en-de.esa.seg.rating": ratings,
            "wmt30/documents/en-de.docs": documents,
        }
    )


def tree_of_errors(n: int) -> bytes:
    """Return a tree whose ratings are lists of errors."""
    rows = []
    for k in range(n):
        error = {"start": k % 40, "end": k % 40 + 5, "category": "fluency", "severity": "minor"}
        rating = json.dumps({"errors": [error] * (k % 3)})
        rows.append(f"{SYSTEMS[k * 14 // n]}\t{rating}\trater{k % 7}\n")
    return archive({"wmt30/human-scores/en-de.mqm.seg.rating": "".join(rows)})


def archive(members: dict[str, str]) -> bytes:
    """Return a zip archive that is not compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file.getvalue()


def workbook(n: int) -> bytes:
    """Return votes as a workbook whose sheet is not compressed."""
    cells = []
    for r, vote in enumerate([{key: key for key in votes(1)[0]}, *votes(n)], 1):
        row = "".join(
            f'<c r="{"ABCDEFG"[c]}{r}" t="inlineStr"><is><t>{value}</t></is></c>'
            for c, value in enumerate(vote.values())
        )
        cells.append(f'<row r="{r}">{row}</row>')
    file = io.BytesIO()
    source = zipfile.ZipFile(EXAMPLES / "arena.xlsx")
    with source, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as out:
        for name in source.namelist():
            content = source.read(name).decode()
            if name.startswith("xl/worksheets/sheet"):
                head = content.partition("<sheetData>")[0]
                end = content.partition("</sheetData>")[2]
                content = f"{head}<sheetData>{''.join(cells)}</sheetData>{end}"
            out.writestr(name, content)
    return file.getvalue()


def preflib(n: int) -> bytes:
    """Return orders of fourteen alternatives, a voter each."""
    rng = np.random.default_rng(6)
    head = ["# DATA TYPE: soc", "# NUMBER ALTERNATIVES: 14"]
    head += [f"# ALTERNATIVE NAME {k}: {name}" for k, name in enumerate(SYSTEMS, 1)]
    rows = [f"1: {','.join(map(str, 1 + rng.permutation(14)))}" for _ in range(n)]
    return "\n".join([*head, *rows, ""]).encode()


def _listed(make: Callable[[int], list[dict[str, Any]]], indent: int | None = None) -> Maker:
    return lambda n: json.dumps(make(n), indent=indent).encode()


def _by_line(make: Callable[[int], list[dict[str, Any]]]) -> Maker:
    return lambda n: lines(make(n))


Maker = Callable[[int], bytes]

MAKERS: dict[str, tuple[Maker, int]] = {
    "wmt-5way": (five_way, 95),
    "wmt-2way": (two_way, 53),
    "appraise": (appraise, 430),
    "appraise-items": (appraise_items, 340),
    "arena-csv": (lambda n: pd.DataFrame(votes(n)).to_csv(index=False).encode(), 108),
    "arena-list": (_listed(votes), 190),
    "arena-indented": (_listed(votes, 2), 230),
    "arena-columns": (lambda n: pd.DataFrame(votes(n)).to_json().encode(), 170),
    "arena-lines": (_by_line(votes), 190),
    "arena-mixed-lines": (mixed_lines, 190),
    "arena-texts": (lambda n: lines(votes(n, 1000)), 1220),
    "arena-parquet": (parquet, 108),
    "arena-workbook": (workbook, 500),
    "comparia": (comparia, 85),
    "alpaca-eval": (_listed(alpaca_eval), 400),
    "fastchat-pairs": (_by_line(fastchat), 190),
    "arena-hard": (_by_line(arena_hard), 160),
    "label-studio": (_listed(label_studio), 750),
    "label-studio-ranker": (_listed(label_studio_ranker), 980),
    "argilla": (_listed(argilla), 740),
    "argilla-flat": (_by_line(argilla_flat), 450),
    "potato": (_by_line(potato), 390),
    "potato-best-worst": (_by_line(best_worst), 650),
    "wide-judges": (_listed(wide_judges), 370),
    "pearmut": (_by_line(pearmut), 2700),
    "pearmut-list": (_listed(pearmut), 2700),
    "pearmut-by-campaign": (by_campaign, 2700),
    "mqm": (mqm, 210),
    "webmushra": (webmushra, 50),
    "appraise-scores": (appraise_scores, 130),
    "wmt-da": (wmt_direct, 38),
    "scores": (scores, 50),
    "mt-metrics-eval": (tree, 22),
    "mt-metrics-eval-errors": (tree_of_errors, 120),
    "preflib": (preflib, 37),
}
"""Makers of files, with the bytes that a row takes about; Parquet's those of the same as CSV."""
