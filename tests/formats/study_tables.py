"""Tables of forms, listening tests, benchmarks and annotation tools that name things their own way.

As `release_tables`, to whose tables these are added: names are faithful, numbers are random.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from tests.formats.public_tables import SCALE, lines, near
from tests.formats.release_tables import ALL, TABLES, A, flat, once
from tests.formats.tables import SYSTEMS, Found, Made, csv, grid, table, text, votes

__all__ = ["TABLES"]

CHOICES = ("first", "second", "no preference")


def of_item(item: int) -> str:
    return text(np.random.default_rng(item)) + str(item)


def recorded(records, found: Found | None) -> Made:
    return Made(lines(records).data, found)


def one_json(content, found: Found) -> Made:
    return Made(json.dumps(content).encode(), found)


def form(rng, header: list[str], rows: int, found: Found | None) -> Made:
    """Return answers to questions that take the systems in turn, earlier ones better."""
    n = len(found.systems) if found else 2
    body = [[f"2023/05/01 10:{k:02d}:00", *(near(rng, 5 - p % n) for p in range(len(header) - 1))]
            for k in range(rows)]  # fmt: skip
    return Made(csv(pd.DataFrame(body, columns=header)), found)


@table
def answers_judged_by_column(rng):
    rows = []
    for i in range(80):
        judged = [(text(rng, 3), bool(rng.random() < 0.85 - 0.2 * k)) for k in range(3)]
        rows.append((of_item(i), "x", *(own for pair in judged for own in pair)))
    names = ("question,golden_answer,answer_fid,judge_fid,answer_gpt35,judge_gpt35,answer_newbing,"
             "judge_newbing")  # fmt: skip
    return flat(rows, names, Found({"fid", "gpt35", "newbing"}, 1, 80, best="fid"))


@table
def scores_by_system_and_metric(rng):
    records = [
        {"i": i, "src": of_item(i), "tgt": {s: text(rng) for s in SYSTEMS}, "doc": f"d{i // 5}",
         "scores": {s: {"human": 90 - 12 * p + int(rng.integers(8)), "bleu": float(rng.random())}
                    for p, s in enumerate(SYSTEMS)}}
        for i in range(30)
    ]  # fmt: skip
    return recorded(records, Found(ALL, None, 30, best=A))


@table
def images_by_method_in_a_form(rng):
    names = ("Ours", "Baseline", "CycleGAN")
    header = ["Timestamp", *(f"Image {i} [{s}]" for i in range(1, 11) for s in names)]
    return form(rng, header, 14, Found({*names}, 14, 10, best="Ours"))


@table
def articles_by_system_in_a_survey(rng):
    names = ("BART", "PEGASUS", "Lead-3")
    header = ["StartDate", *(f"article {i} - {s}" for i in range(1, 9) for s in names)]
    return form(rng, header, 12, Found({*names}, 12, 8, best="BART"))


@table
def sentences_by_system_with_codes(rng):
    names = ("System A", "System B", "System C")
    asked = (f"G01Q{q:02d}[SQ{k:03d}]. How natural is sentence {q}? [{s}]"
             for q in range(1, 7) for k, s in enumerate(names, 1))  # fmt: skip
    header = ["submitdate. Date submitted", *asked]
    return form(rng, header, 14, Found({*names}, 14, 6, best="System A"))


@table
def days_by_mood_in_a_form(rng):
    """Days are no items that systems made something of."""
    asked = (f"Day {i} [{s}]" for i in range(1, 8) for s in ("Breakfast", "Sleep"))
    return form(rng, ["Timestamp", *asked], 14, None)


@table
def questions_of_a_loop(rng):
    """Question 1 and question 2 may be criteria."""
    asked = (f"{i}_Q{q}" for i in range(1, 9) for q in (1, 2))
    return form(rng, ["ResponseId", *asked], 12, None)


@table
def which_is_better_in_a_form(rng):
    header = ["Timestamp", *(f"Sentence {i}: which one is better?" for i in range(1, 9))]
    body = [[f"2023/05/01 10:{k:02d}:00",
             *(("GPT-4", "Google", "Same")[own] for own in rng.choice(3, 8, p=[0.55, 0.35, 0.1]))]
            for k in range(14)]  # fmt: skip
    found = Found({"GPT-4", "Google"}, 14, 8, best="GPT-4")
    return Made(csv(pd.DataFrame(body, columns=header)), found)


@table
def two_scores_in_a_list(rng):
    worth = {0: [8, 6], 1: [5, 9], 2: [7, 7]}
    records = [{"question_id": i, "answer1_model_id": a, "answer2_model_id": b, "score": worth[o]}
               for j, i, a, b, o in votes(rng)]  # fmt: skip
    return recorded(records, Found(ALL, None, 40, best=A))


@table
def verdicts_in_brackets(rng):
    rows = [(i, a, b, text(rng), ("[[A]]", "[[B]]", "[[C]]")[o]) for j, i, a, b, o in votes(rng)]
    names = "question_id,model_a,model_b,explanation,verdict"
    return flat(rows, names, Found(ALL, None, 40, best=A))


@table
def responses_of_a_listening_test(rng):
    rows = [(f"L{j}", f"utt{i}", a, b, CHOICES[o]) for j, i, a, b, o in votes(rng)]
    return flat(rows, "listener,utterance,first_system,second_system,response",
                Found(ALL, 9, 40, best=A))  # fmt: skip


@table
def scores_of_three_aspects_for_two_images(rng):
    """Three pairs of numbers say who is better, of three aspects."""
    rows = []
    for _, i, a, b, o in votes(rng):
        shares = [{0: 0.8, 1: 0.2, 2: 0.5}[o] + 0.1 * rng.random() for _ in range(3)]
        rows.append((of_item(i), f"{i}.png", a, b, *(x for p in shares for x in (p, 1 - p))))
    aspects = (f"image{k}_{own}" for own in ("preference", "coherence", "alignment")
               for k in (1, 2))  # fmt: skip
    return flat(rows, f"prompt,image1,model1,model2,{','.join(aspects)}")


@table
def rankings_in_two_lists(rng):
    records = []
    for _ in range(120):
        own = rng.permutation(4)
        ranks = np.argsort(np.argsort(own + rng.normal(0, 1, 4))) + 1
        records.append({"models": [SYSTEMS[k] for k in own], "ranks": ranks.tolist()})
    return recorded(records, Found(ALL, None, None, best=A))


@table
def ratings_in_two_lists(rng):
    orders = [(i, rng.permutation(4)) for i in range(50)]
    records = [{"instruction": of_item(i), "generations": [text(rng) for _ in own],
                "generation_models": [SYSTEMS[k] for k in own],
                "ratings": [near(rng, 5 - int(k)) for k in own]} for i, own in orders]  # fmt: skip
    return recorded(records, Found(ALL, None, 50, best=A))


@table
def accepted_options(rng):
    records = [{"text": of_item(i), "options": [{"id": a, "text": "x"}, {"id": b, "text": "y"}],
                "accept": [a if o == 0 else b], "answer": "accept", "_annotator_id": f"p-{j}"}
               for j, i, a, b, o in votes(rng) if o != 2]  # fmt: skip
    return recorded(records, Found(ALL, 9, 40, best=A))


@table
def content_units_by_system(rng):
    records = [
        {"example_id": f"ex{i}", "source": text(rng),
         "annotations": {s: {"acu_labels": [int(rng.random() < 0.8 - 0.15 * p) for _ in range(3)],
                             "acu": round(0.8 - 0.15 * p + 0.1 * rng.random(), 3)}
                         for p, s in enumerate(SYSTEMS)}}
        for i in range(30)
    ]  # fmt: skip
    return recorded(records, Found(ALL, None, 30, best=A))


@table
def responses_of_systems_within_conversations(rng):
    criteria = ("content", "grammar", "relevance", "overall")
    content = {
        f"conversation_{i}": {
            "context": [text(rng)],
            "responses": {s: {"uttr": text(rng),
                              "scores": {c: [near(rng, 5 - p) for _ in range(4)] for c in criteria}}
                          for p, s in enumerate(SYSTEMS)},
        }
        for i in range(25)
    }  # fmt: skip
    return one_json(content, Found(ALL, 4, 25, criteria))


@table
def lists_of_ratings_by_system(rng):
    content = {s: [{"id": i, "score": near(rng, 5 - p), "annotator": f"a{i % 3}"}
                   for i in range(30)] for p, s in enumerate(SYSTEMS)}  # fmt: skip
    return one_json(content, Found(ALL, 3, 30, best=A))


@table
def criteria_of_their_own_next_to_overall(rng):
    records = [{"doc_id": i, "annotator": f"w{j}", "system_id": s, "overall": v,
                **{own: near(rng, v) for own in ("missing", "irrelevant", "factual")}}
               for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    return recorded(records, Found(ALL, 6, 25, ("overall", "missing", "irrelevant", "factual")))


@table
def bots_with_dialogues_of_their_own(rng):
    rows = [(f"{k:05d}", f"surge_{j}", s, f"dlg_{i}_{s}", near(rng, v), near(rng, v))
            for k, (j, i, s, v) in enumerate(grid(rng, scale=SCALE))]  # fmt: skip
    names = "work_unit_id,annotator_id,bot,dialogue_id,likert_quality,likert_engagingness"
    return flat(rows, names, Found(ALL, 6, 100, ("likert_quality", "likert_engagingness")))


@table
def songs_whose_name_has_the_system(rng):
    content = {
        f"sys{p:04d}-utt{i:04d}.wav": {"system": f"sys{p:04d}", "type": "svs",
                                       "judge_score": [near(rng, 5 - p) for _ in range(5)]}
        for p in range(4) for i in range(25)
    }  # fmt: skip
    return one_json(content, Found({f"sys{p:04d}" for p in range(4)}, 5, 25, best="sys0000"))


@table
def scores_of_0_and_1_by_turn(rng):
    """MT-bench has these columns and a scale from 1 to 10."""
    records = [{"question_id": f"{i:016x}", "task": "AMPS_Hard", "model": s, "turn": 1,
                "score": int(rng.random() < v / 100), "tstamp": 1.7e9}
               for i, s, v in once(rng, items=60)]  # fmt: skip
    return recorded(records, Found(ALL, None, 60))


@table
def correct_and_incorrect_in_letters(rng):
    rows = [(f"{k:022x}", s, i, 1, text(rng), "C" if rng.random() < v / 100 else "I")
            for k, (i, s, v) in enumerate(once(rng, items=60))]  # fmt: skip
    return flat(rows, "sample_id,model,id,epoch,input,score_choice", Found(ALL, None, 60, best=A))


@table
def attempts_by_number(rng):
    rows = [(i, s, a, 42, bool(rng.random() < 0.85 - 0.15 * p)) for i in range(30)
            for p, s in enumerate(SYSTEMS) for a in range(4)]  # fmt: skip
    names = "problem_idx,model_name,idx_answer,gold_answer,correct"
    return flat(rows, names, Found(ALL, None, 30, best=A))


@table
def frameworks_by_fold(rng):
    rows = [(f"t/{d}", f"task{d}", s, fold, 0.9 - 0.05 * p + 0.02 * rng.random(), "auc", 3000.1)
            for d in range(15) for fold in range(3) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    return flat(rows, "id,task,framework,fold,result,metric,duration",
                Found(ALL, None, 15, best=A))  # fmt: skip


@table
def games_of_numbered_teams(rng):
    rows = []
    for day in range(200):
        a, b = 1100 + rng.choice(5, 2, replace=False)
        winner, loser = (a, b) if rng.random() < 0.5 + 0.12 * (b - a) else (b, a)
        rows.append((2003, day, winner, 80, loser, 70, "N"))
    names = "Season,DayNum,WTeamID,WScore,LTeamID,LScore,WLoc"
    return flat(rows, names, Found({str(1100 + k) for k in range(5)}, None, None, best="1100"))


@table
def ratings_on_a_slider(rng):
    names = ("natural", "tacotron", "hts")
    rows = [(j, f"stim/{s}/sent{i:02d}.wav", v, 1.5)
            for j, i, s, v in grid(rng, names, scale=(1, 7))]  # fmt: skip
    return flat(rows, "participant,audio,slider.response,slider.rt",
                Found({*names}, 6, 25, best="natural"))  # fmt: skip


@table
def captions_by_source(rng):
    rows = [(f"{i:05d}.jpg", a, b, f"ann{j}", (a, b, "equal")[o]) for j, i, a, b, o in votes(rng)]
    return flat(rows, "img,source1,source2,judge,winner", Found(ALL, 9, 40, best=A))


@table
def votes_called_type(rng):
    """A log of an arena, whose states have the systems."""
    records = [
        {"tstamp": 1.7e9 + k, "type": ("leftvote", "rightvote", "tievote")[o], "models": ["", ""],
         "states": [{"conv_id": f"{k}a", "model_name": a, "prompt": of_item(i)},
                    {"conv_id": f"{k}b", "model_name": b, "prompt": of_item(i)}]}
        for k, (_, i, a, b, o) in enumerate(votes(rng))
    ]  # fmt: skip
    return recorded(records, Found(ALL, 1, best=A))


@table
def types_of_models(rng):
    rows = [(f"H{i}", f"W{j}", 60, s, of_item(i), text(rng), v, near(rng, v), near(rng, v))
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    names = ("HITId,WorkerId,WorkTimeInSeconds,Input.model_type,Input.dialogue,Input.summary,"
             "Answer.Coherance,Answer.Fluency,Answer.Relevance")  # fmt: skip
    return flat(rows, names, Found(ALL, 6, 25, ("Coherance", "Fluency", "Relevance")))


@table
def votes_within_cells(rng):
    rows = [
        (f"H{i}", f"W{j}", 60, i, a, b, text(rng), text(rng), json.dumps(
            [{"choice_1": {"left": o == 0, "right": o == 1, "same": o == 2}, "comment": ""}]))
        for j, i, a, b, o in votes(rng)
    ]  # fmt: skip
    names = ("HITId,WorkerId,WorkTimeInSeconds,Input.item_id,Input.model_left,Input.model_right,"
             "Input.text_left,Input.text_right,Answer.taskAnswers")  # fmt: skip
    return flat(rows, names, Found(ALL, 9, 40, best=A))


@table
def ratings_within_cells(rng):
    rows = [
        (f"H{i}", f"W{j}", i, s, json.dumps(
            [{name: {str(n): n == x for n in range(1, 6)}
              for name, x in (("fluency", v), ("adequacy", near(rng, v)))}]))
        for j, i, s, v in grid(rng, scale=SCALE)
    ]  # fmt: skip
    names = "HITId,WorkerId,Input.item_id,Input.system,Answer.taskAnswers"
    return flat(rows, names, Found(ALL, 6, 25, ("fluency", "adequacy"), best=A))


@table
def best_and_worst_of_four_letters(rng):
    rows = []
    for k in range(120):
        order = rng.permutation(4)
        worth = np.array([0, 0.9, 1.8, 2.7]) + rng.normal(size=4)
        rows.append((f"user{k % 8}", f"item{k // 4}", *(SYSTEMS[x] for x in order),
                     SYSTEMS[worth.argmin()], SYSTEMS[worth.argmax()]))  # fmt: skip
    return flat(rows, "user,instance_id,A,B,C,D,best,worst", Found(ALL, 8, 30, best=A))


@table
def votes_by_address(rng):
    rows = [(f"https://x.net/{s}/clip_{i:04d}.wav", *(near(rng, v) for _ in range(4)), 4, float(v))
            for i, s, v in once(rng, scale=SCALE)]  # fmt: skip
    return flat(rows, "file_url,vote_1,vote_2,vote_3,vote_4,n,MOS", Found(ALL, 4, 25))


@table
def files_by_item_and_system(rng):
    systems = ("ref2", "lp35", "neural", "parametric")
    rows = [(f"p{j:02d}", f"item{i}_{s}.wav", v)
            for j, i, s, v in grid(rng, systems=systems, items=12)]  # fmt: skip
    return flat(rows, "subject,filename,score", Found({*systems}, 6, 12))


@table
def an_annotator_who_always_agrees(rng):
    rows = [(i, of_item(i), s, text(rng), int(v > 50), int(v > 60), 1)
            for i, s, v in once(rng, items=60)]  # fmt: skip
    names = "sid,source,system,hypothesis,annotator_1,annotator_2,annotator_3"
    return flat(rows, names, Found(ALL, 3, 60))


@table
def ranks_behind_names(rng):
    rows = [(i, f"ann{j}", of_item(i), *(text(rng) for _ in SYSTEMS),
             *(1 + np.argsort(np.argsort(rng.normal([0, 0.8, 1.6, 2.4])))))
            for j in range(3) for i in range(30)]  # fmt: skip
    names = [f"{s}_{what}" for what in ("text", "rank") for s in SYSTEMS]
    return flat(rows, ",".join(["id", "annotator", "source", *names]), Found(ALL, 3, 30, best=A))


@table
def classifiers_with_points_in_names(rng):
    systems = ("C4.5", "k-NN(k=1)", "NaiveBayes", "CN2")
    rows = [(f"set {text(rng, 2)}{k}", *np.round(rng.normal([0.9, 0.82, 0.75, 0.6], 0.03), 3))
            for k in range(16)]  # fmt: skip
    return flat(rows, "Dataset," + ",".join(systems), Found({*systems}, 1, 16, best="C4.5"))


@table
def means_of_criteria(rng):
    """Means of three judges: one criterion lacks the lowest grade."""
    records = []
    for i in range(60):
        for p, s in enumerate(SYSTEMS):
            worth = np.clip(rng.normal(2.7 - 0.4 * p, 0.3, 2), 1, 3)
            own = [round(float(x) * 3) / 3 for x in worth]
            records.append(
                {
                    "model": s,
                    "response": text(rng),
                    "dialog_history": of_item(i),
                    "overall": max(own[0], 5 / 3) if i else 3.0,
                    "natural": max(own[0], 4 / 3) if i else 3.0,
                    "maintains_context": own[1] if i else 1.0 + 2 * (p < 2),
                }
            )
    return one_json(records, Found(ALL, 1, 60, ("overall", "natural", "maintains_context")))


@table
def whole_descriptions_of_listeners(rng):
    systems = ("sys64e2f", "sys0f74c", "sysa1b2c", "sys9d8e7")
    rows = [(s, f"{s}-utt{i:02d}.wav", v, "na", f"{j}_{20 + j}_Male_na_Valid_Japanese")
            for j, i, s, v in grid(rng, systems=systems, scale=SCALE)]  # fmt: skip
    return flat(rows, "sysID,uttID,rating,ignore,listenerinfo", Found({*systems}, 6, 25))


@table
def two_systems_between_vs(rng):
    rows = [(f"r{j}", i, f"{a} vs. {b}", ("Left", "Right", "Equal")[o])
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    return flat(rows, "rater,item,comparison,choice", Found(ALL, 9, 40, best=A))


@table
def pages_within_sessions(rng):
    """No column is called as a judge or an item."""
    records = [
        {"session": f"s{j}", "trials": [
            {"page": f"t{i}", "responses": [
                {"stimulus": s, "score": int(np.clip(rng.normal(85 - 15 * p, 8), 0, 100))}
                for p, s in enumerate(SYSTEMS)]}
            for i in range(10)]}
        for j in range(8)
    ]  # fmt: skip
    return one_json(records, Found(ALL, 8, 10))


@table
def goals_of_matches(rng):
    """Whose goal it was is not who won."""
    rows = [(f"1990-{k % 12 + 1:02d}-01", a, b, (a, b)[o % 2], f"player {k % 60}", k % 90)
            for k, (_, _, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    return flat(rows, "date,home_team,away_team,team,scorer,minute")


@table
def scores_next_to_notes_without_a_name(rng):
    """The last column has notes in a few rows, and no name."""
    rows = [(i / 1000, of_item(i), text(rng), s, "Default", v - 1, v, v + 1, i if i < 3 else "")
            for i, s, v in once(rng, scale=(3, 25))]  # fmt: skip
    names = "ID,Source,Translation,model,Error1_Type,Computed_scores,Human_scores,Full_scores,"
    return flat(rows, names, Found(ALL, 1, 25))


@table
def visitors_of_games(rng):
    rows = []
    for k, (_, _, a, b, o) in enumerate(votes(rng)):
        goals = ((2, 1), (0, 3), (1, 1))[o]
        rows.append((f"1995-08-{k % 28 + 1:02d}", 1995 + k // 100, a, b,
                     "{}-{}".format(*goals), *goals, "B1", 1, sum(goals), goals[0] - goals[1],
                     "HAD"[o]))  # fmt: skip
    names = "Date,Season,home,visitor,FT,hgoal,vgoal,division,tier,totgoal,goaldif,result"
    return flat(rows, names, Found(ALL, 1, best=A))


@table
def folders_with_means(rng):
    """Results of folders; parts of their names look like systems."""
    named = ["old_a_hi", "old_a_kn", "old_a_te", "tts_en_f", "tts_en_m", "tts_hi_f", "tts_hi_m",
             "tts_kn_f", "tts_kn_m", "tts_te_f", "tts_te_m"]  # fmt: skip
    rows = [(name, 115, 115, round(float(rng.normal(4, 0.2)), 4), 3.1, 5.0, 0) for name in named]
    return flat(rows, "folder,num_files,num_scored,avg_mos,min_mos,max_mos,failed")


@table
def plan_of_one_study(rng):
    conditions = ["shap", "chunks", "random"]
    plan = {"ranker": "e5", "dataset": "msmarco",
            "policy": {"conditions": conditions, "target_ranks": [1, 2, 3]}}  # fmt: skip
    items = [{"query_id": f"q{k}", "shap": 0.1 * k} for k in range(30)]
    return recorded([{"metadata": plan, "items": items}], None)


def unsure(made: Made) -> Made:
    """Return a table of which nobody knows without a question what it means."""
    return Made(made.data, made.found, {"ambiguous": True})


@table
def fifteen_places(rng):
    """Models from the best to the worst, more than have ordinals."""
    named = [f"model{chr(97 + k)}" for k in range(15)]
    rows = [[f"q{i}", *(named[k] for k in np.argsort(np.arange(15) + rng.normal(0, 2, 15)))]
            for i in range(40)]  # fmt: skip
    names = ",".join(["item_id", *(f"rank_{k}" for k in range(1, 16))])
    return flat(rows, names, Found(set(named), None, 40, best="modela"))


def triples(rng, names: str, each: int) -> Made:
    teams = ("slug", "shef", "base")
    rows = [
        (f"w{j}", i, *(min(100, max(1, 90 - 20 * p + int(rng.integers(-20, 20))))
                       for _ in range(each) for p in range(3)),
         *(of_item(100 * p + i) for p in range(3)), *teams)
        for i in range(40) for j in rng.choice(9, 3, replace=False)
    ]  # fmt: skip
    names = f"_worker_id,mr_id,{names},ref1,ref2,ref3,team1,team2,team3"
    return flat(rows, names, Found(set(teams), 9, 40, best="slug"))


@table
def numbered_teams_with_a_score_of_any_name(rng):
    return triples(rng, "inf1,inf2,inf3", 1)


@table
def numbered_teams_with_two_criteria(rng):
    names = ",".join(f"{word}{k}" for word in ("informativeness", "quality") for k in (1, 2, 3))
    return unsure(triples(rng, names, 2))


@table
def outputs_that_systems_share(rng):
    groups = [
        {"group_id": i, "questions": [
            {"question": text(rng), "label": int(rng.random() < 0.8 - 0.2 * p), "reason": "",
             "model_name": s if i % 3 or p else "|".join(SYSTEMS[:2])}
            for p, s in enumerate(SYSTEMS) if i % 3 or p != 1]}
        for i in range(60)
    ]  # fmt: skip
    return unsure(recorded(groups, Found(ALL, None, 60)))


@table
def questions_answered_by_grades_or_not_at_all(rng):
    def grade(v, *words):
        k = int(np.clip(v // 34 + rng.integers(-1, 2), 0, 2))
        return f"{k}: {words[k]}" if rng.random() < 0.9 else "N/A: nothing of it is in the summary"

    match = ("No", "Partially", "Yes")
    rows = [(f"CD{i}", s, of_item(i), text(rng), grade(v, *match), grade(v, *match),
             str(rng.choice(["2: Moderate claim", "1: Weak claim", "0: Not enough evidence"])))
            for i, s, v in once(rng, items=40)]  # fmt: skip
    asked = [f"Is the *{what}* in the generated summary the same?" for what in ("aim", "result")]
    names = ["docid", "model", "Target", "Generated", *asked, "How strong is the generated claim?"]
    found = Found(ALL, 1, 40, tuple(asked), best=A)
    return Made(csv(pd.DataFrame(rows, columns=names)), found)


@table
def flags_of_rows_within_data_sets(rng):
    records = [
        {"annotator_id": f"a{k % 25:02d}", "dataset": f"d{k % 5}", "model": SYSTEMS[k % 4],
         "table_idx": k // 20, "flags": {"is_fully_correct": bool(rng.random() < 0.5)}}
        for k in range(400)
    ]  # fmt: skip
    return unsure(recorded(records, Found(ALL)))


@table
def raters_within_examples_of_two_versions(rng):
    """The first model is the later version: 1.1 and 1.0 are no sides."""
    words = ("A is better", "A is slightly better", "same", "B is better")
    examples = [
        {"input_text": of_item(i), "output_text_a": text(rng), "output_text_b": text(rng),
         "score": float(rng.normal()), "individual_rater_scores": [
             {"score": float(rng.normal()), "rating_label": str(rng.choice(words)),
              "is_flipped": bool(k % 2)} for k in range(3)]}
        for i in range(60)
    ]  # fmt: skip
    named = [{"name": "Gemma 1.1"}, {"name": "Gemma 1.0"}]
    made = one_json({"models": named, "examples": examples}, Found({"Gemma 1.1", "Gemma 1.0"}))
    return unsure(made)


@table
def subjects_who_heard_a_part(rng):
    rows = [[f"C{c}", f"S{i:02d}_output.wav", *(near(rng, 2 + c) if i % 3 == u % 3 else "nan"
                                                for u in range(9))]
            for c in range(4) for i in range(30)]  # fmt: skip
    names = "condition,sample," + ",".join(f"subject_{u}" for u in range(1, 10))
    return flat(rows, names, Found({f"C{c}" for c in range(4)}, 9, 30, best="C3"))


@table
def grades_of_code_by_system(rng):
    records = [
        {"snippet": [text(rng)], "gcnn": of_item(i), "nl2code": text(rng),
         "grade-gcnn": near(rng, 2), "grade-nl2code": near(rng, 4)} for i in range(60)
    ]  # fmt: skip
    return recorded(records, Found({"gcnn", "nl2code"}, 1, 60, best="nl2code"))


@table
def values_under_models_by_item(rng):
    items = {
        str(i): {"prompt": of_item(i),
                 "models": {s: [round(4 - 0.8 * p + float(rng.random()), 1)]
                            for p, s in enumerate(("floor", "gen2", "pika"))}}
        for i in range(50)
    }  # fmt: skip
    return one_json(items, Found({"floor", "gen2", "pika"}, 1, 50, best="floor"))


@table
def questions_with_numbers_as_names(rng):
    """Questions name the records; the numbers in them number nothing."""
    asked = [f"What happened {n} years ago in {place}?" for n, place in
             ((76, "Rome"), (85, "Bonn"), (98, "Oslo"), (25, "Bern"))]  # fmt: skip
    records = [
        {"group_id": i, "doc_id": i // 8, "questions": [
            {"question": q, "label": int(rng.random() < 0.7),
             "model_name": str(rng.choice(SYSTEMS))}
            for q in asked]}
        for i in range(40)
    ]  # fmt: skip
    return recorded(records, Found(ALL, None, 40))


def verdicts(rng, names, more: int = 0):
    """Yield an item, a text and three verdicts in words, mostly for the first of two names."""
    words = [f"{one} is {much} better" for one in names for much in ("marginally", "substantially")]
    for k in range(60):
        share = [0.3, 0.4, 0.1, 0.05, 0.15]
        yield [of_item(k), text(rng), *rng.choice([*words, "Neutral"], 3 + more, p=share)]


@table
def verdicts_in_words_by_criterion(rng):
    names = "image,Ours-P5,metrics/Fluency,metrics/Human Like,metrics/Hallucination"
    criteria = tuple(names.split(",")[2:])
    found = Found({"Ours-P5", "Baseline"}, None, 60, criteria, best="Ours-P5")
    return flat(list(verdicts(rng, ("Ours-P5", "Baseline"))), names, found)


@table
def verdicts_in_words_of_three_people(rng):
    """Nothing says that anna, bob and carl are people, not criteria."""
    return unsure(
        flat(list(verdicts(rng, ("ours", "gold"))), "image,text,anna,bob,carl", Found(ALL))
    )


@table
def verdicts_in_words_on_sides(rng):
    """Which system was the top one is not in the table."""
    names = "image,text,fluency,adequacy,style"
    return unsure(flat(list(verdicts(rng, ("Top clip", "Bottom clip"))), names, Found(ALL)))


@table
def verdicts_in_words_on_the_one_by_a_letter(rng):
    names = "image,text,fluency,adequacy,style"
    return unsure(flat(list(verdicts(rng, ("The text by A", "The text by B"))), names, Found(ALL)))


@table
def verdicts_in_words_on_blinded_names(rng):
    rows = [[*own, *rng.permutation(SYSTEMS)[:2]]
            for own in verdicts(rng, ("Alpha", "Beta"))]  # fmt: skip
    names = "image,text,fluency,adequacy,style,model_a,model_b"
    return unsure(flat(rows, names, Found(ALL)))


@table
def verdicts_in_words_between_many(rng):
    rows = []
    for j, i, a, b, o in votes(rng):
        said = (f"{a} is slightly better", f"{b} is much better", "about the same")[o]
        rows.append((f"r{j}", i, a, b, said))
    return flat(rows, "rater,item_id,model_a,model_b,verdict", Found(ALL, 9, 40, best=A))


@table
def verdicts_in_words_between_two_pairs_next_to_objects(rng):
    """Objects have names and places; the verdicts around them count once."""
    asked = ("metrics/Fluency", "metrics/Human Like")
    places = [{"label": name, "coords": ["1", "0", "9", "8"]} for name in ("flower", "person")]
    rows = verdicts(rng, ("ours", "theirs"))
    records = [
        {"image": of_item(k), "ours-theirs": dict(zip(asked, row[2:4], strict=True)),
         "ours-gold": {q: f"{'ours' if rng.random() < 0.2 else 'gold'} is better" for q in asked},
         "objects": places * (1 + k % 3)}
        for k, row in enumerate(rows)
    ]  # fmt: skip
    return recorded(records, Found({"ours", "theirs", "gold"}, None, 60, asked, best="gold"))
