"""Tables as papers release them: graded words, radio buttons, places, ratings next to texts.

As `data_set_tables`, to whose tables these are added: names are faithful, numbers are random.
"""

from __future__ import annotations

import json

import numpy as np

from tests.formats.data_set_tables import TABLES
from tests.formats.public_tables import SCALE, lines, made, near
from tests.formats.tables import SYSTEMS, Found, Made, grid, table, text, votes

__all__ = ["TABLES"]

A, B, C, D = SYSTEMS
ALL = set(SYSTEMS)


def flat(rows, names: str, found: Found | None = None, sep: str = ",") -> Made:
    return Made(made(rows, names, sep=sep).data, found)


def once(rng, **how):
    """Yield item, system and a score, once each."""
    for _, item, system, value in grid(rng, judges=1, each=1, **how):
        yield item, system, value


@table
def xsum_factuality(rng):
    rows = [(30000000 + i, s, text(rng), "yes" if rng.random() < v / 100 else "no", f"wid_{j}")
            for j, i, s, v in grid(rng)]  # fmt: skip
    return flat(rows, "bbcid,system,summary,is_factual,worker_id", Found(ALL, 6, 25, best=A))


@table
def hallucinations_by_yes_and_no(rng):
    """More is worse: what the words are worth, a name of errors says."""
    rows = [(i, s, f"w{j}", "no" if rng.random() < v / 100 else "yes")
            for j, i, s, v in grid(rng)]  # fmt: skip
    return flat(rows, "id,system,worker,hallucinations", Found(ALL, 6, 25, best=A))


@table
def answers_to_a_question_that_nobody_knows(rng):
    rows = [(i, s, f"w{j}", ("yes", "no")[int(rng.integers(2))]) for j, i, s, v in grid(rng)]
    return flat(rows, "id,system,worker,answer")


@table
def phenomena_passed_and_failed(rng):
    rows = [(f"ph{i // 5}", f"cat{i // 20}", i, s, text(rng), ("pass", "fail")[
        int(rng.random() > v / 100)]) for i, s, v in once(rng, items=40)]  # fmt: skip
    names = "phenomenon,category,item_id,system,translation,result"
    return flat(rows, names, Found(ALL, None, 40, best=A), sep="\t")


@table
def numbered_words_of_a_scale(rng):
    words = ("1 - Bad", "2 - Poor", "3 - Fair", "4 - Good", "5 - Excellent")
    rows = [(f"l{j}", f"clip{i}", s, words[v - 1]) for j, i, s, v in grid(rng, scale=SCALE)]
    return flat(rows, "listener,clip,system,opinion", Found(ALL, 6, 25, best=A))


@table
def agreement_in_words(rng):
    words = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")
    rows = [(f"p{j}", i, s, words[v - 1], words[near(rng, v) - 1])
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    return flat(rows, "participant,item,model,fluency,coherence",
                Found(ALL, 6, 25, ("fluency", "coherence")))  # fmt: skip


@table
def choices_of_a_listening_test(rng):
    rows = [(f"{s}_{i:04d}_{k}", v, f"{i:04d}", f"{SYSTEMS.index(s):03d}", f"page{j}", f"w{j}")
            for k, (j, i, s, v) in enumerate(grid(rng, scale=SCALE))]  # fmt: skip
    names = "utteranceId,choice,sentenceId,systemId,testpageId,listenerId"
    found = Found({f"{p:03d}" for p in range(4)}, 6, 25, best="000")
    return flat(rows, names, found, sep="\t")


@table
def annotations_next_to_their_mean(rng):
    records = [{"text_id": f"coco_{i}", "T2I_model": s, "human_avg": float(v), "annotation_1": v,
                "annotation_2": near(rng, v)} for i, s, v in once(rng, scale=SCALE)]  # fmt: skip
    return Made(lines(records).data, Found(ALL, 2, 25, best=A))


@table
def human_score_next_to_those_of_models(rng):
    records = [{"id": f"p{i}", "capability": "reasoning", "response_model_name": s,
                "response": text(rng), "human_score": v, "gpt4_score": near(rng, v),
                "prometheus_8x7b_score": near(rng, 3)}
               for i, s, v in once(rng, scale=SCALE)]  # fmt: skip
    return Made(lines(records).data, Found(ALL, None, 25, best=A))


@table
def annotators_by_letter(rng):
    rows = [(i, s, v, near(rng, v), near(rng, v)) for i, s, v in once(rng, scale=SCALE)]
    names = "id,model,Annotator A,Annotator B,Annotator C"
    return flat(rows, names, Found(ALL, 3, 25, best=A))


@table
def criteria_by_annotator(rng):
    rows = [(i, s, *(near(rng, v) for _ in range(4))) for i, s, v in once(rng, scale=SCALE)]
    names = "sent_id,system,fluency_ann1,adequacy_ann1,fluency_ann2,adequacy_ann2"
    return flat(rows, names, Found(ALL, 2, 25, ("fluency", "adequacy")))


@table
def ratings_in_lists_by_judge(rng):
    records = [{"id": f"d{i}", "dialogue": text(rng), "summaries": [
        {"model": s, "summary": text(rng), "coherence": [near(rng, 5 - p) for _ in range(3)],
         "fluency": [near(rng, 5 - p) for _ in range(3)]} for p, s in enumerate(SYSTEMS)]}
        for i in range(25)]  # fmt: skip
    return Made(lines(records).data, Found(ALL, 3, 25, ("coherence", "fluency")))


@table
def cricket_matches(rng):
    """Who won the toss did not win the match."""
    teams = ("Mumbai Indians", "Chennai Super Kings", "Delhi Daredevils", "Kings XI Punjab")
    rows = []
    for k in range(150):
        a, b = rng.choice(4, 2, replace=False)
        won = min(a, b) if rng.random() < 0.7 else max(a, b)
        rows.append((k + 1, 2008 + k // 50, teams[a], teams[b], teams[rng.choice([a, b])],
                     ("field", "bat")[int(rng.integers(2))], teams[won], k % 90))  # fmt: skip
    names = "id,season,team1,team2,toss_winner,toss_decision,winner,win_by_runs"
    return flat(rows, names, Found(set(teams), None, 150, best=teams[0]))


@table
def fights_of_red_and_blue(rng):
    """Wins of the career are no points of the fight."""
    rows = []
    for _ in range(150):
        a, b = rng.choice(6, 2, replace=False)
        won = "Red" if (rng.random() < 0.9) == (a < b) else "Blue"
        rows.append((f"F{a}", f"F{b}", won, "Lightweight", 180, 175, *rng.integers(0, 20, 2)))
    names = "R_fighter,B_fighter,Winner,weight_class,R_Height_cms,B_Height_cms,R_wins,B_wins"
    return flat(rows, names, Found({f"F{k}" for k in range(6)}, best="F0"))


@table
def matches_of_a_world_cup(rng):
    """Group 1 is a stage, not the first team; a year is not a match."""
    teams = ("Brazil", "Germany", "Italy", "Chile")
    rows = []
    for k in range(120):
        a, b = rng.choice(4, 2, replace=False)
        goals = rng.poisson([2.2 - 0.5 * a, 2.2 - 0.5 * b])
        rows.append((1930 + 4 * (k // 12), "Group 1", teams[a], *goals, teams[b],
                     *rng.binomial(goals, 0.4), 1096 + k))  # fmt: skip
    names = ("Year,Stage,Home Team Name,Home Team Goals,Away Team Goals,Away Team Name,"
             "Half-time Home Goals,Half-time Away Goals,MatchID")  # fmt: skip
    return flat(rows, names, Found(set(teams), None, 120, best="Brazil"))


@table
def preferences_of_three_letters(rng):
    rows = [(f"sub{j}", f"utt{i}", a, b, "ABN"[o]) for j, i, a, b, o in votes(rng)]
    return flat(rows, "subject,utterance,A,B,preference", Found(ALL, 9, 40, best=A))


@table
def better_and_worse_between_spaces(rng):
    rows = [
        ("de-en", "newstest2018", i, *((a, b) if o else (b, a))) for j, i, a, b, o in votes(rng)
    ]
    return flat(rows, "LP,DATA,SID,BETTER,WORSE", Found(ALL, None, 40), sep=" ")


@table
def summaries_next_to_ratings(rng):
    rows = [(i, f"w{j}", *(text(rng) for _ in range(3)), *(near(rng, 5 - p) for p in range(3)))
            for i in range(40) for j in range(3)]  # fmt: skip
    names = "id,worker,base_output,ours_output,gold_output,base_fluency,ours_fluency,gold_fluency"
    return flat(rows, names, Found({"base", "ours", "gold"}, 3, 40, best="base"))


@table
def summaries_next_to_criteria(rng):
    rows = [(i, *(text(rng) for _ in range(2)), *(near(rng, 5 - p) for p in range(2) for _ in "fr"))
            for i in range(40)]  # fmt: skip
    names = "id,t5,bart,t5_fluency,t5_relevance,bart_fluency,bart_relevance"
    return flat(rows, names, Found({"t5", "bart"}, None, 40, ("fluency", "relevance")))


@table
def ratings_of_one_system_without_its_text(rng):
    """A reading without the third system would be silent about it."""
    rows = [(i, text(rng), text(rng), *(near(rng, 5 - p) for p in range(3))) for i in range(40)]
    return flat(rows, "id,t5_output,bart_output,t5_fluency,bart_fluency,gpt_fluency")


@table
def radio_buttons_of_votes(rng):
    rows = [(f"H{i}", f"A{j}", i, a, b, *("true" if o == k else "false" for k in range(3)))
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    names = ("HITId,WorkerId,Input.id,Input.system_a,Input.system_b,Answer.preference.A,"
             "Answer.preference.B,Answer.preference.tie")  # fmt: skip
    return flat(rows, names, Found(ALL, 9, 40, best=A))


@table
def radio_buttons_of_ratings(rng):
    rows = [(f"H{i}", f"A{j}", i, s, *("true" if k == v else "false" for k in range(1, 6)))
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    names = ("HITId,WorkerId,Input.id,Input.system,Answer.quality.1,Answer.quality.2,"
             "Answer.quality.3,Answer.quality.4,Answer.quality.5")  # fmt: skip
    return flat(rows, names, Found(ALL, 6, 25, best=A))


@table
def choices_by_place(rng):
    rows = [(f"P{j}", *(SYSTEMS[k] for k in np.argsort(np.arange(4) + rng.normal(0, 1, 4))))
            for j in range(30)]  # fmt: skip
    names = "participant,1st choice,2nd choice,3rd choice,4th choice"
    return flat(rows, names, Found(ALL, 30, best=A))


@table
def rankings_in_one_column(rng):
    rows = [(f"P{j}", i, " > ".join(
        SYSTEMS[k] for k in np.argsort(np.arange(4) + rng.normal(0, 1, 4))
    )) for j in range(6) for i in range(10)]  # fmt: skip
    return flat(rows, "annotator,item,ranking", Found(ALL, 6, 10, best=A))


@table
def human_or_machine_with_spam(rng):
    rows = [
        (
            p,
            "fluency",
            ("sentence", "spam")[k % 10 == 9],
            f"E-{k}",
            rng.choice(["human", "mt", "tie"], p=[0.6, 0.25, 0.15]),
        )
        for p in "ABCDEFGH"
        for k in range(40)
    ]
    names = "participant_id,condition,type,exp_item_number,rating"
    return flat(rows, names, Found({"human", "mt"}, 8, 36))


@table
def points_in_several_columns_of_a_race(rng):
    """Grid, laps and points next to places: drivers are numbers, and nothing is sure."""
    rows = [(k, k // 10 + 1, k % 10 + 1, 44, k % 7, k % 10 + 1, max(0, 25 - 3 * (k % 10)), 58)
            for k in range(200)]  # fmt: skip
    return flat(rows, "resultId,raceId,driverId,number,grid,positionOrder,points,laps")


@table
def records_by_name(rng):
    records = {
        f"coco_{i}_{s}": {"text_id": f"coco_{i}", "model": s, "image_path": f"x{i}.jpg",
                          "human_scores": [v, near(rng, v)], "human_avg": float(v)}
        for i, s, v in once(rng, scale=SCALE)
    }  # fmt: skip
    return Made(json.dumps(records).encode(), Found(ALL, 2, 25, best=A))


@table
def systems_by_name_within_items(rng):
    records = {
        f"q{i}": {s: {"output": text(rng), "fluency": near(rng, 5 - p), "relevance": p % 2 + 1}
                  for p, s in enumerate(SYSTEMS)}
        for i in range(25)
    }  # fmt: skip
    return Made(json.dumps(records).encode(), Found(ALL, None, 25, ("fluency", "relevance")))


@table
def settings_by_name(rng):
    """Runs of a program: nothing in them was judged."""
    records = {f"run {i}": {"model": "xy"[i % 2], "lr": 0.1, "epochs": 3, "score": rng.random()}
               for i in range(12)}  # fmt: skip
    return Made(json.dumps(records).encode())


@table
def responses_by_system(rng):
    records = [
        {"passage-id": f"p{i}", "question": f"{i} {text(rng)}", "responses": {
            s: {"text": text(rng), "correctness": near(rng, 5 - p), "coverage": near(rng, 5 - p)}
            for p, s in enumerate(SYSTEMS)}}
        for i in range(30)
    ]  # fmt: skip
    return Made(lines(records).data, Found(ALL, None, 30, ("correctness", "coverage")))


@table
def categories_within_categories(rng):
    """The sign of a ranking between names that are never at another place."""
    rows = [(f"sku{k}", " > ".join((("Home", "Garden", "Toys")[k % 3], ("Tools", "Pots")[k % 2],
             ("Red", "Blue", "Green")[k // 20])), k) for k in range(60)]  # fmt: skip
    return flat(rows, "id,category,price")


@table
def results_by_data_set_and_model(rng):
    """Which names are systems, a grid of names does not say."""
    records = {d: {f"model-{m}": {"accuracy": rng.random(), "f1": rng.random()} for m in "abcdefgh"}
               for d in ("mnli", "sst2", "qnli")}  # fmt: skip
    return Made(json.dumps(records).encode())


@table
def condition_of_cars(rng):
    rows = [(k, ("civic", "golf", "focus")[k % 3], 2005 + k % 12, f"seller{k % 17}",
             ("excellent", "good", "fair")[int(rng.integers(3))]) for k in range(300)]  # fmt: skip
    return flat(rows, "id,model,year,user,condition")


@table
def moods_of_patients(rng):
    words = ("very bad", "bad", "neutral", "good", "very good")
    rows = [(f"P{k % 40}", ("placebo", "drug")[k % 2], k // 40 + 1, words[int(rng.integers(5))])
            for k in range(160)]  # fmt: skip
    return flat(rows, "patient,treatment,visit,mood")


@table
def better_and_safer_answers(rng):
    """Two columns say who won, of two aspects."""
    rows = [(f"{text(rng)} {i}", text(rng), text(rng), a, b, int(o == 1), int(rng.integers(2)))
            for _, i, a, b, o in votes(rng)]  # fmt: skip
    return flat(rows, "prompt,response_0,response_1,source_model_0,source_model_1,"
                "better_response_id,safer_response_id")  # fmt: skip


def swapped(rng):
    """Yield votes for the side on the screen, and whether the second system stood left."""
    for j, i, a, b, o in votes(rng):
        turned = bool(rng.integers(2))
        yield j, i, a, b, o if o == 2 else o ^ turned, turned


@table
def votes_for_sides_that_were_swapped(rng):
    rows = [(i, f"w{j}", a, b, turned, ("A", "B", "tie")[o]) for j, i, a, b, o, turned
            in swapped(rng)]  # fmt: skip
    return flat(rows, "item,annotator,system_1,system_2,swapped,answer")


@table
def votes_for_the_side_of_a_model(rng):
    rows = [(i, f"w{j}", a, b, "ab"[turned], ("left", "right", "tie")[o])
            for j, i, a, b, o, turned in swapped(rng)]  # fmt: skip
    return flat(rows, "item,annotator,model_a,model_b,left_model,choice")


@table
def whether_the_first_one_is_better(rng):
    rows = [(i, a, b, f"w{j}", o == 0) for j, i, a, b, o in votes(rng) if o != 2]
    return flat(rows, "sample,model_a,model_b,annotator,a_is_better", Found(ALL, 9, 40, best=A))


@table
def models_as_judges(rng):
    rows = [(f"q{i}", text(rng), s, text(rng), ("gpt-4o", "claude")[j], v, text(rng))
            for j, i, s, v in grid(rng, judges=2, each=2, scale=(1, 10))]  # fmt: skip
    return flat(rows, "question_id,prompt,model,response,judge_model,score,explanation",
                Found(ALL, 2, 25, best=A))  # fmt: skip


@table
def models_as_judges_of_one_answer(rng):
    rows = [(f"q{i}", ("gpt-4o", "claude")[j], v)
            for j, i, _, v in grid(rng, judges=2, each=2, scale=(1, 10))]  # fmt: skip
    return flat(rows, "question_id,judge_model,score")


@table
def interactions_within_conversations(rng):
    rows = [(f"ut{k}", f"int{i}", f"c{i // 4}", f"user{j}", i % 4, text(rng), s, v)
            for k, (j, i, s, v) in enumerate(grid(rng, each=1, items=60))]  # fmt: skip
    names = "utterance_id,interaction_id,conversation_id,user_id,turn,user_prompt,model_name,score"
    return flat(rows, names, Found(ALL, 6, 60, best=A))


@table
def three_systems_numbered_from_0(rng):
    rows = []
    for item in range(80):
        shown = rng.permutation(4)[:3]
        rows.append((item, *(SYSTEMS[k] for k in shown), *(near(rng, 5 - k) for k in shown)))
    names = "id,model_0,model_1,model_2,score_0,score_1,score_2"
    return flat(rows, names, Found(ALL, None, 80, best=A))
