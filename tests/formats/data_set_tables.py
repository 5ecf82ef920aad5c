"""Tables with the columns of public human evaluations, listening tests, surveys and leaderboards.

As `public_tables`, to whose tables these are added: names are faithful, numbers are random.
"""

from __future__ import annotations

import json

import pandas as pd

from tests.formats.public_tables import SCALE, SIDE, columns, lines, made, near
from tests.formats.tables import SYSTEMS, TABLES, Found, Made, csv, grid, table, text, votes

__all__ = ["TABLES"]

A, B, C, D = SYSTEMS


@table
def realsumm(rng):
    rows = [(i, s, round(v / 100, 3), round(rng.random(), 3), round(rng.random(), 3))
            for j, i, s, v in grid(rng, judges=1, each=1)]  # fmt: skip
    names = "doc_id,system_name,litepyramid_recall,rouge_1_recall,bert_recall_score"
    return made(rows, names, 1, 25, best=A)


@table
def newsroom_human_eval(rng):
    rows = [(i, s, f"Title {i}", text(rng), near(rng, v), near(rng, v), near(rng, v), near(rng, v))
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    names = ("ArticleID,System,ArticleTitle,SystemSummary,CoherenceRating,FluencyRating,"
             "InformativenessRating,RelevanceRating")  # fmt: skip
    return Made(made(rows, names).data, Found(set(SYSTEMS)), {"ambiguous": True})


@table
def mt_bench_human_judgments(rng):
    records = [{"question_id": 81 + i, "model_a": a, "model_b": b,
                "winner": ("model_a", "model_b", "tie")[o], "judge": f"expert_{j}", "turn": 1,
                "conversation_a": [{"role": "user", "content": text(rng)}]}
               for j, i, a, b, o in votes(rng)]  # fmt: skip
    return lines(records, 9, None, best=A)


@table
def chatbot_arena_2024(rng):
    records = [{"question_id": f"{k:032x}", "model_a": a, "model_b": b,
                "winner": ("model_a", "model_b", "tie (bothbad)")[o], "evaluation_session_id": "x",
                "evaluation_order": 1, "conversation_a": [], "is_code": False, "language": "en"}
               for k, (_, _, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    return Made(lines(records).data, Found({*SYSTEMS}))


@table
def prism_utterances(rng):
    records = [{"interaction_id": f"int{k // 4}", "conversation_id": f"c{k // 4}",
                "user_id": f"user{j}", "turn": 0, "within_turn_id": k % 4, "model_name": s,
                "model_provider": "x", "score": v, "if_chosen": k % 4 == 0,
                "model_response": text(rng), "user_prompt": f"prompt {k // 4}"}
               for k, (j, i, s, v) in enumerate(grid(rng))]  # fmt: skip
    return Made(lines(records).data, Found(set(SYSTEMS), 6))


@table
def alpaca_eval_annotations(rng):
    records = [{"instruction": f"Do {i}", "output_1": text(rng), "output_2": text(rng),
                "generator_1": a, "generator_2": b, "annotator": f"n{j}", "preference": 1.0 + o % 2}
               for j, i, a, b, o in votes(rng)]  # fmt: skip
    return Made(lines(records).data, Found({*SYSTEMS}))


@table
def hh_rlhf(rng):
    return lines([{"chosen": f"\n\nHuman: {text(rng)}", "rejected": f"\n\nHuman: {text(rng)}"}
                  for _ in range(60)])  # fmt: skip


@table
def big_bench_human_ratings(rng):
    rows = [(f"task{i}", f"rater{j}", round(v / 100, 2), 5) for j, i, _, v in grid(rng)]
    return made(rows, "task,rater,score,num_examples")


@table
def genie(rng):
    rows = [(f"q{i}", s, f"w{j}", ("bad", "neutral", "good")[v // 34], v)
            for j, i, s, v in grid(rng, scale=(0, 100))]  # fmt: skip
    return made(rows, "query_id,model,worker_id,label_name,rating", 6, 25)


@table
def wmt_da_csv_with_z(rng):
    rows = [("en-de", text(rng), text(rng), "ref", v, round(v / 25 - 2, 4), 1, s, i, 2022)
            for j, i, s, v in grid(rng, judges=1, each=1)]  # fmt: skip
    return made(rows, "lp,src,mt,ref,raw,score,annotators,system,seg_id,year", 1, 25)


@table
def iwslt_continuous_rating(rng):
    rows = [(f"talk{i % 5}", s, f"ann{j}", k * 3.1, near(rng, 3))
            for k, (j, i, s, v) in enumerate(grid(rng, scale=SCALE))]  # fmt: skip
    return made(rows, "talk,system,annotator,timestamp,rating", 6, 5)


@table
def gec_rankings(rng):
    rows = [(k, 1, *(rng.permutation(4) + 1)) for k in range(60)]
    return Made(
        made(rows, f"sentence_id,judge_id,{A},{B},{C},{D}").data, Found(set(SYSTEMS), 1, 60)
    )


@table
def voicemos_listeners(rng):
    rows = [(f"sys{p:02d}", f"sys{p:02d}-utt{i:05d}.wav", v, f"_{j}_Male_AGE_30-39_{j}_no_EXPERT")
            for p in range(4) for j, i, _, v in grid(rng, (A,), scale=SCALE)]  # fmt: skip
    found = Found({f"sys{p:02d}" for p in range(4)}, 6, 25)
    return Made(made(rows, "sysID,uttID,rating,listenerINFO").data, found)


@table
def blizzard_mos(rng):
    rows = [(f"listener{j}", "EH1", s, f"news_{i:03d}", "mos", v)
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    return made(rows, "listener,listener_type,voice,sentence,section,score", 6, 25)


@table
def mushra_wide(rng):
    rows = [(f"subj{j}", f"item{i}", *(int(v) for v in rng.integers(0, 101, 4)))
            for i in range(8) for j in range(9)]  # fmt: skip
    data = made(rows, "subject,item,reference,anchor_3k5,opus_24k,evs_24k").data
    return Made(data, Found({"reference", "anchor_3k5", "opus_24k", "evs_24k"}, 9, 8))


@table
def cmos(rng):
    rows = [(f"w{j}", i, a, b, int(rng.integers(-3, 4))) for j, i, a, b, _ in votes(rng)]
    data = made(rows, "worker,utterance,system_a,system_b,cmos").data
    return Made(data, Found({*SYSTEMS}), {"ambiguous": True})


@table
def abx(rng):
    rows = [(f"p{j}", i, "A", "B", "X", ("A", "B")[o % 2], "A") for j, i, _, _, o in votes(rng)]
    return made(rows, "participant,trial,stim1,stim2,stim3,response,correct_answer")


@table
def flickr8k_expert(rng):
    rows = [(f"{i:09d}.jpg", f"{i + 5:09d}.jpg#0", *rng.integers(1, 5, 3)) for i in range(80)]
    return made(rows, "image,caption_id,expert1,expert2,expert3")


@table
def composite_captions(rng):
    rows = [(f"img{i}", text(rng), text(rng), text(rng), *rng.integers(1, 6, 3)) for i in range(60)]
    return made(rows, "Input.image_url,Input.text1,Input.text2,Input.text3,Answer.Q1Answer,"
                      "Answer.Q2Answer,Answer.Q3Answer")  # fmt: skip


@table
def story_cloze_ratings(rng):
    rows = [(i, text(rng), s, f"[{v}, {near(rng, v)}, {near(rng, v)}]", v)
            for j, i, s, v in grid(rng, scale=SCALE, judges=1, each=1)]  # fmt: skip
    return made(rows, "id,story,model,scores,mean", 1, 25, best=A)


@table
def webnlg_2020_flat(rng):
    rows = [(s, i, f"ann{j}", v, min(100, v + 3), max(0, v - 4), v, 100 - v // 9)
            for j, i, s, v in grid(rng)]  # fmt: skip
    names = (
        "submission_id,sample_id,worker_id,Correctness,DataCoverage,Fluency,Relevance,TextStructure"
    )
    return Made(made(rows, names).data, Found(set(SYSTEMS), 6, 25, (
        "Correctness", "DataCoverage", "Fluency", "Relevance", "TextStructure")))  # fmt: skip


@table
def code_preferences(rng):
    rows = [(f"HumanEval/{i}", a, b, ("first", "second", "tie")[o], f"dev{j}", True, False, 12 + i)
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    names = "task_id,model_1,model_2,preference,developer,passed_1,passed_2,n_lines"
    return Made(made(rows, names).data, Found(set(SYSTEMS), None, 40, best=A))


@table
def pass_at_one(rng):
    rows = [(f"HumanEval/{i}", s, int(rng.random() < 0.8 - 0.1 * p), 3.2, "")
            for i in range(40) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    return Made(
        made(rows, "task_id,model,passed,seconds,error").data, Found(set(SYSTEMS), None, 40)
    )


@table
def google_forms_likert(rng):
    names = ["Timestamp", "Email", "How fluent is summary 1?", "How fluent is summary 2?",
             "How fluent is summary 3?", "Any comments?"]  # fmt: skip
    rows = [(f"5/{k % 28 + 1}/2023 10:00:00", f"u{k}@x.org", *rng.integers(1, 6, 3), "")
            for k in range(40)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=names)))


@table
def best_worst_scaling_words(rng):
    rows = []
    for k in range(120):
        order = rng.permutation(4)
        rows.append((f"t{k}", *(SYSTEMS[s] for s in order), A if rng.random() < 0.6 else SYSTEMS[
            order[0]], D if order[0] != 3 else B, f"a{k % 7}"))  # fmt: skip
    names = "Tuple,Item1,Item2,Item3,Item4,BestItem,WorstItem,Annotator"
    return Made(made(rows, names).data, Found(set(SYSTEMS), 7))


@table
def mturk_rows_shorter_than_their_header(rng):
    head = "HITId,WorkerId,Input.id,Input.model1,Input.model2,Answer.Selection.label,Approve,Reject"
    rows = [f"H{i},W{j},{i},{a},{b},Sentence {'AB'[o % 2]}" for j, i, a, b, o in votes(rng)]
    return Made("\n".join([head, *rows, ""]).encode(), Found(set(SYSTEMS), 9, 40))


@table
def charted_matches(rng):
    """Hands are R and L: not the right and the left player."""
    players = ("Federer", "Nadal", "Murray", "Djokovic")
    rows = [(f"m{k}", *(players[p] for p in rng.choice(4, 2, replace=False)), *rng.choice(
        ["R", "L"], 2, p=[0.7, 0.3]), 20230117 + k, "Hard", 3) for k in range(90)]  # fmt: skip
    return made(rows, "match_id,Player 1,Player 2,Pl 1 hand,Pl 2 hand,Date,Surface,Best of")


@table
def coded_categories(rng):
    rows = [(f"case {k}", f"1:19-cv-{k:04d}", *rng.integers(1, 4, 2), 1, *rng.integers(1, 5, 2))
            for k in range(60)]  # fmt: skip
    return made(rows, "case,docket_number,jurisdiction,category,capacity,type,status")


@table
def food_frequencies(rng):
    rows = [(1000 + k, "Yes", *rng.integers(1, 5, 6)) for k in range(60)]
    return made(rows, "ID,cancer,EGGSFREQ,EGGSQUAN,YOGURTFREQ,YOGURTQUAN,BREADFREQ,BREADQUAN")


@table
def scenes_together(rng):
    """A matrix of how often two appear together is the same in both halves."""
    n = rng.integers(0, 9, (5, 5))
    names = ["Ann", "Bob", "Cat", "Dan", "Eve"]
    return Made(csv(pd.DataFrame(n + n.T, index=names, columns=names).reset_index(names="actor")))


@table
def scenes_in_one_half(rng):
    names = ["Ann", "Bob", "Cat", "Dan", "Eve"]
    rows = [(name, *rng.integers(0, 9, k + 1), *[""] * (4 - k)) for k, name in enumerate(names)]
    return Made(csv(pd.DataFrame(rows, columns=["actor", *names])))


@table
def two_metrics_side_by_side(rng):
    """Programs computed both: which one counts, only people know."""
    rows = [(i, s, *rng.random(2).round(3)) for i in range(30) for s in SYSTEMS]
    return Made(csv(pd.DataFrame(rows, columns=columns("segment,system,comet,bleurt"))))


@table
def votes_on_two_aspects(rng):
    rows = [(f"w{j}", i, a, b, SIDE[o], SIDE[int(rng.integers(3))]) for j, i, a, b, o in votes(rng)]
    names = "worker,item,system_a,system_b,fluency_preference,adequacy_preference"
    return Made(made(rows, names).data, Found(set(SYSTEMS), 9, 40, (
        "fluency_preference", "adequacy_preference")))  # fmt: skip


def joined(rng, sign: str):
    """Yield judge, item, the systems of each output of a screen, and the outputs' ranks."""
    for k in range(120):
        own = [*"ABCD"]
        if k % 3:
            same = (("A", "B"), ("B", "C"), ("A", "C"))[k // 3 % 3]
            own = [sign.join(f"sys{s}" for s in same), *(s for s in own if s not in same)]
        own = [name if "sys" in name else f"sys{name}" for name in own]
        worth = {name: min("ABCD".index(c) for c in name if c in "ABCD") for name in own}
        order = sorted(own, key=lambda name: worth[name] + 0.8 * rng.random())
        shown = rng.permutation(own).tolist()
        yield f"w{k % 5}", k // 3, shown, [order.index(name) + 1 for name in shown]


def ranked_with_shared_outputs(rng, sign: str) -> Made:
    rows = [(j, i, *[*shown, ""][:4], *[*ranks, ""][:4])
            for j, i, shown, ranks in joined(rng, sign)]  # fmt: skip
    names = "worker,sentence_id,system1,system2,system3,system4,rank_1,rank_2,rank_3,rank_4"
    return Made(made(rows, names).data, Found({f"sys{s}" for s in "ABCD"}, 5, 40, best="sysA"))


@table
def outputs_shared_by_systems_with_blanks(rng):
    return ranked_with_shared_outputs(rng, " ")


@table
def outputs_shared_by_systems_with_bars(rng):
    return ranked_with_shared_outputs(rng, "|")


@table
def scores_in_a_cell_of_outputs_shared_by_systems(rng):
    rows = []
    for i in range(60):
        own = (SYSTEMS, (f"{A},{C}", B, D), (f"{B},{D}", A, C))[i % 3]
        for s in own:
            mean = 5 - SYSTEMS.index(s.partition(",")[0])
            cells = [",".join(str(near(rng, mean)) for _ in range(4)) for _ in range(2)]
            rows.append((text(rng, 9) + str(i), f"sentence {i}", s, *cells))
    data = csv(pd.DataFrame(rows, columns=columns("output,source,system,fluency,meaning")))
    return Made(data, Found({*SYSTEMS}, 4, 60, ("fluency", "meaning")))


@table
def combined_systems_next_to_their_parts(rng):
    """A name of two others is a system of its own where all three stand side by side."""
    names = ("bm25", "dense", "sparse", "bm25+dense", "bm25+sparse")
    rows = [(i, s, f"w{j}", v) for j, i, s, v in grid(rng, names)]
    data = made(rows, "query_id,system,worker,score").data
    return Made(data, Found(set(names), 6, 25, best="bm25"))


@table
def toloka_scores(rng):
    rows = [(text(rng), s, i, 1 + v // 25, "", f"t-{i}-{s}", f"a{k:030x}", f"{j:032x}")
            for k, (j, i, s, v) in enumerate(grid(rng))]  # fmt: skip
    names = ("INPUT:story,INPUT:system,INPUT:plan_id,OUTPUT:category,GOLDEN:category,"
             "ASSIGNMENT:task_id,ASSIGNMENT:assignment_id,ASSIGNMENT:worker_id")  # fmt: skip
    return Made(made(rows, names, sep="\t").data, Found({*SYSTEMS}, 6, 25, best=A))


@table
def toloka_choices(rng):
    rows = [(text(rng), text(rng), a, b, 1 + o, f"p{i}", f"t-{k}", f"{j:032x}")
            for k, (j, i, a, b, o) in enumerate(votes(rng)) if o < 2]  # fmt: skip
    names = ("INPUT:story_a,INPUT:story_b,INPUT:system_a,INPUT:system_b,OUTPUT:category,"
             "INPUT:plan_id,ASSIGNMENT:task_id,ASSIGNMENT:worker_id")  # fmt: skip
    return Made(made(rows, names, sep="\t").data, Found({*SYSTEMS}, 9, 40, best=A))


@table
def compressors_judged_by_workers(rng):
    rows = [(k, f"image {i}", s, 1 + v // 11, f"A{j}XYZ")
            for k, (j, i, s, v) in enumerate(grid(rng, ("webp", "people")))]  # fmt: skip
    data = made(rows, ",image,compressor,rating,WorkerID").data
    return Made(data, Found({"webp", "people"}, 6, 25, best="webp"))


@table
def columns_called_as_well_known_systems(rng):
    names = ("ref", "transformer", "lstm", "our-net", "source")
    rows = [tuple(round(90 - 12 * p + rng.normal(0, 4), 3) for p in range(5)) for _ in range(80)]
    return Made(made(rows, ",".join(names)).data, Found(set(names), None, 80))


@table
def grades_by_judge_in_columns_of_well_known_systems(rng):
    """The number of a judge's answers is no grade."""
    names = "WorkerId,Answer_number,GOLD,LEAD_3,PEGASUS,BART,S_BART"
    rows = [(f"A{k}", 20 + k, *(near(rng, 5 - p) for p in range(5))) for k in range(60)]
    systems = set(names.split(",")[2:])
    return Made(made(rows, names).data, Found(systems, 60, 60, best="GOLD"))


@table
def people_next_to_one_well_known_system(rng):
    """Nothing says that anna and bob are people."""
    rows = [(i, *(near(rng, 3) for _ in range(3))) for i in range(60)]
    return Made(made(rows, "item,anna,bob,bart").data, Found({"?"}), {"ambiguous": True})


@table
def numbered_outputs_in_named_records(rng):
    """Each record has the system and the score of every output, and says more about the item."""
    content = {}
    for i in range(30):
        shown = rng.permutation(SYSTEMS).tolist()
        content[f"doc-{i}"] = {
            "document": [text(rng), text(rng)],
            "event": {"type": ("attack", "arrest")[i % 2], "stage": ("done", "tried")[i // 2 % 2]},
            **{f"summary {k}": {"text": text(rng), "score": near(rng, 5 - SYSTEMS.index(s)),
                                "model": s} for k, s in enumerate(shown, 1)},
        }  # fmt: skip
    return Made(json.dumps(content).encode(), Found({*SYSTEMS}, None, 30, best=A))


@table
def human_score_next_to_those_of_programs_by_system(rng):
    records = [
        {"doc_id": i, "gen": {s: {"text": text(rng), "score": {
            "human": near(rng, 5 - p), "rougel-p": rng.random(), "fwppl": 9 * rng.random(),
            "chatgpt": near(rng, 3)}} for p, s in enumerate(SYSTEMS)}}
        for i in range(40)
    ]  # fmt: skip
    return lines(records, None, 40, best=A)


@table
def criteria_by_annotator_in_named_records(rng):
    """One system; the names of the records are those of people."""
    records = [
        {"id": str(k), "source_id": k // 2, "model": "t5", "source": text(rng),
         "labels": {f"annotator_{j}": {c: near(rng, 2) for c in ("fluency", "meaning", "ease")}
                    for j in (1, 2, 3)}}
        for k in range(80)
    ]  # fmt: skip
    return lines(records)


@table
def criteria_within_records_of_models(rng):
    records = [
        {"model_output": {s: {"text": None, "gpt_judge": {
            "Relevance": near(rng, 5 - p), "Coherence": near(rng, 5 - p)}, "flag": "all scored"}
            for p, s in enumerate(SYSTEMS)}, "case": k}
        for k in range(60)
    ]  # fmt: skip
    found = Found({*SYSTEMS}, None, 60, ("relevance", "coherence"), best=A)
    return Made(lines(records).data, found)


@table
def models_in_a_column_called_source(rng):
    models = ("SQuAD_T5-large", "SQuAD_BART-base", "SQuAD_GPT-4_zeroshot", "reference")
    rows = [(f"q{i}", text(rng), s, 1 + v // 34, 1 + v // 34) for _, i, s, v in grid(
        rng, models, judges=1, each=1)]  # fmt: skip
    data = made(rows, "id,prediction,source,fluency,clarity").data
    return Made(data, Found({*models}, None, 25, ("fluency", "clarity"), best=models[0]))


@table
def models_in_a_column_of_who_graded(rng):
    """The models are judges of texts that nobody names."""
    models = ("gpt-4", "claude-3", "llama-70b")
    rows = [(f"q{i}", text(rng), s, v) for _, i, s, v in grid(rng, models, judges=1, each=1)]
    return Made(made(rows, "item,answer,graded_by,score").data)


@table
def winners_by_name_for_pairs_in_a_cell(rng):
    rows = []
    for _, i, a, b, o in votes(rng):
        first, second = sorted((a, b))
        own = [(a, b, "same")[o], ("same", a, b)[int(rng.integers(3))], (a, b, "same")[o]]
        rows.append((*own, f"{first},{second}", f"({i}, {i + 1})", bool(i % 2)))
    criteria = ("plot", "creativity", "overall_quality")
    data = made(rows, "plot;creativity;overall_quality;options;texts;scifi".replace(";", ",")).data
    return Made(data, Found({*SYSTEMS}, None, None, criteria))


GENERATORS = ("tiny_v1", "tiny_v2", "flow_large_0.5", "pix")


@table
def systems_with_signs_behind_an_item(rng):
    scores = {}
    for k in range(40):
        for p, s in enumerate(GENERATORS):
            own = [near(rng, 5 - p), near(rng, 5 - p)]
            scores[f"photo_{k}_{s}"] = {"text_id": f"photo_{k}", "human": own, "avg": sum(own) / 2}
    found = Found({*GENERATORS}, 2, 40, best=GENERATORS[0])
    return Made(json.dumps(scores).encode(), found)


def verdicts(rng, categories):
    records = []
    for k in range(30):
        for p, s in enumerate(SYSTEMS[:3]):
            for j in range(2):
                for c in categories:
                    is_good = rng.random() < 0.9 - 0.3 * p
                    records.append({"plot_idx": k, "plot_id": f"{k}_{s}", "expert_idx": j,
                                    "category": c, "verdict": ("No", "Yes")[is_good]})  # fmt: skip
    return json.dumps(records).encode()


@table
def verdicts_on_criteria_of_systems_within_an_id(rng):
    criteria = ("coherence of the plot", "originality", "ending")
    return Made(verdicts(rng, criteria), Found({*SYSTEMS[:3]}, 2, 30, criteria, best=A))


@table
def verdicts_on_criteria_of_which_one_is_bad(rng):
    return Made(verdicts(rng, ("coherence", "repetition", "ending")))


@table
def verdicts_on_items_of_a_category(rng):
    rows = [(f"{i}_{s}", ("style", "sports")[i % 2], ("no", "yes")[v > 50], j)
            for j, i, s, v in grid(rng)]  # fmt: skip
    return made(rows, "story_id,category,verdict,judge")


@table
def answers_that_are_not_grounded(rng):
    rows = [(f"q{i}", s, ("Not fully grounded", "Fully grounded")[v > 50], f"w{j}")
            for j, i, s, v in grid(rng)]  # fmt: skip
    return made(rows, "question,model,grounding,worker", 6, 25, best=A)


@table
def one_of_two_is_better_by_criterion(rng):
    rows = []
    for k in range(60):
        said = ["Yes", "No", "Same"][int(rng.choice(3, p=(0.6, 0.25, 0.15)))]
        more = ["Yes", "No", "Same"][int(rng.integers(3))]
        rows.append((f"a{k}", f"w{k % 7}", text(rng), text(rng), text(rng), said, more))
    names = "article_id,rater_id,article_text,human_summary,T5-xl_summary,overall_human_better"
    found = Found({"human", "T5-xl"}, 7, 60, ("overall_human_better", "fluent_human_better"),
                  best="human")  # fmt: skip
    return Made(made(rows, f"{names},fluent_human_better").data, found)


@table
def both_of_two_are_better(rng):
    """Both columns may say yes: better than what, nobody knows."""
    rows = [(f"a{k}", text(rng), text(rng), *rng.choice(["yes", "no"], 2)) for k in range(60)]
    return made(rows, "article_id,bart_summary,t5_summary,bart_better,t5_better")


def winners_by_rater(rng, names):
    rows = []
    for k, (_, _, a, b, o) in enumerate(votes(rng)):
        said = [(a, b, "tie")[o], *((a, b, "tie")[int(rng.integers(3))] for _ in range(3))]
        rows.append((f"line {k % 50}", a, b, *said))
    return made(rows, f"sentence_id,a_origin,b_origin,{names}").data


@table
def winners_by_criterion_and_rater(rng):
    data = winners_by_rater(rng, "style_rater1,style_rater2,adequacy_rater1,adequacy_rater2")
    return Made(data, Found({*SYSTEMS}, 2, 50, ("style", "adequacy")))


@table
def winners_by_criterion_of_raters_with_gaps(rng):
    """Other raters judged the other criterion."""
    return Made(winners_by_rater(rng, "style_rater1,style_rater2,adequacy_rater1,adequacy_rater3"))
