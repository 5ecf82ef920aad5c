"""Tables in the layouts of public data sets, and tables that only look like judgments.

Names of columns and nesting are those of the data sets that each function is called after; the
numbers and names in them are random. A table without `Found` holds no judgments of systems.
"""

from __future__ import annotations

import json

import pandas as pd

from tests.formats.tables import SYSTEMS, TABLES, Found, Made, csv, grid, table, text, votes

__all__ = ["TABLES"]

SIDE = ("A", "B", "tie")
SCALE = (1, 5)


def columns(names: str) -> list[str]:
    return names.split(",")


def made(rows, names: str, *found, best: str = "", sep: str = ",") -> Made:
    """Return rows under a header, and the number of judges, of segments and the criteria."""
    data = csv(pd.DataFrame(rows, columns=columns(names)), sep=sep)
    return Made(data, Found(set(SYSTEMS), *found, best=best) if found else None)


def lines(records, *found, best: str = "") -> Made:
    data = "\n".join(map(json.dumps, records)).encode()
    return Made(data, Found(set(SYSTEMS), *found, best=best) if found else None)


def near(rng, value: int) -> int:
    return int(min(5, max(1, value + rng.integers(-1, 2))))


@table
def hanna_stories(rng):
    rows = [(i, text(rng), text(rng), text(rng), s, v, *(near(rng, v) for _ in range(5)),
             f"A{j}XK", f"3{k:09d}", int(rng.integers(30, 900)), f"Name {j}")
            for k, (j, i, s, v) in enumerate(grid(rng, scale=SCALE))]  # fmt: skip
    names = ("Story ID,Prompt,Human,Story,Model,Relevance,Coherence,Empathy,Surprise,Engagement,"
             "Complexity,Worker ID,Assignment ID,Work time in seconds,Name")  # fmt: skip
    criteria = ("Relevance", "Coherence", "Empathy", "Surprise", "Engagement", "Complexity")
    return made(rows, names, 6, 25, criteria)


@table
def usr_dialogues(rng):
    records = [
        {"context": f"{text(rng)} {i}", "fact": text(rng), "annotators": ["a", "b", "c"],
         "responses": [{"response": text(rng), "model": s,
                        **{c: [near(rng, 5 - p) for _ in range(3)]
                           for c in ("Natural", "Engaging", "Overall")}}
                       for p, s in enumerate(SYSTEMS)]}
        for i in range(20)
    ]  # fmt: skip
    criteria = ("natural", "engaging", "overall")
    return Made(json.dumps(records).encode(), Found(set(SYSTEMS), 3, 20, criteria))


@table
def fed_dialogues(rng):
    records = [{"context": f"User: {i}", "response": text(rng), "system": s,
                "annotations": {c: [near(rng, 5 - p) for _ in range(5)]
                                for c in ("Interesting", "Relevant", "Overall")}}
               for i in range(20) for p, s in enumerate(SYSTEMS[:3])]  # fmt: skip
    return Made(json.dumps(records).encode(), Found(set(SYSTEMS[:3]), 5, 20, (
        "interesting", "relevant", "overall")))  # fmt: skip


@table
def summeval_nested(rng):
    def marks(p):
        return {c: near(rng, 5 - p) for c in ("coherence", "fluency", "relevance")}

    records = [{"id": f"cnn-{i}", "decoded": text(rng), "model_id": s,
                "expert_annotations": [marks(p) for _ in range(3)],
                "turker_annotations": [marks(p) for _ in range(5)]}
               for i in range(20) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    made = lines(records, None, 20, ("coherence", "fluency", "relevance"))
    return Made(made.data, made.found, {"ambiguous": True})


@table
def summarize_from_feedback_comparisons(rng):
    records = [{"info": {"id": f"t3_{i}", "post": text(rng), "title": text(rng),
                         "subreddit": "relationships", "site": None, "article": None},
                "summaries": [{"text": text(rng), "policy": a, "note": "fine"},
                              {"text": text(rng), "policy": b, "note": ""}],
                "choice": o % 2, "worker": f"w{j}k", "batch": "batch3", "split": "train",
                "extra": {"confidence": int(rng.integers(1, 10))}}
               for j, i, a, b, o in votes(rng)]  # fmt: skip
    return lines(records, 9, 40, best=SYSTEMS[0])


@table
def summarize_from_feedback_axes(rng):
    records = [{"info": {"id": f"t3_{i}", "post": text(rng), "subreddit": "tifu"},
                "summary": {"text": text(rng), "policy": s, "note": "",
                            "axes": {"overall": v, "accuracy": near(rng, v),
                                     "coherence": near(rng, v)}},
                "worker": f"w{j}k", "batch": "b1", "split": "valid1"}
               for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    return lines(records, 6, 25, ("overall", "accuracy", "coherence"))


@table
def shp(rng):
    records = [{"post_id": f"p{i}", "domain": "askculinary_train", "upvote_ratio": 0.98,
                "history": text(rng), "c_root_id_A": f"a{k}", "c_root_id_B": f"b{k}",
                "score_A": int(rng.integers(1, 90)), "score_B": int(rng.integers(1, 90)),
                "human_ref_A": text(rng), "human_ref_B": text(rng), "labels": k % 2,
                "seconds_difference": 100.0 * k, "score_ratio": 2.0}
               for k, (_, i, *_) in enumerate(votes(rng))]  # fmt: skip
    return lines(records)


@table
def webgpt_comparisons(rng):
    records = [{"question": {"dataset": "eli5", "id": f"q{i}", "full_text": text(rng)},
                "answer_0": text(rng), "answer_1": text(rng), "score_0": (1.0, -1.0, 0.0)[o],
                "score_1": (-1.0, 1.0, 0.0)[o]} for _, i, _, _, o in votes(rng)]  # fmt: skip
    return lines(records)


@table
def nectar(rng):
    records = [{"prompt": f"Human: {i} {text(rng)}", "num_responses": 4, "turns": 1,
                "source": ["lmsys"], "good_natured": True,
                "answers": [{"answer": text(rng), "model": SYSTEMS[s], "rank": r + 1.0}
                            for r, s in enumerate(sorted(range(4), key=lambda s:
                                                         s + rng.normal(0, 1)))]}
               for i in range(30)]  # fmt: skip
    return lines(records, 1, 30, best=SYSTEMS[0])


@table
def help_steer(rng):
    return lines([{"prompt": text(rng), "response": text(rng), "helpfulness": near(rng, 3),
                   "correctness": near(rng, 3), "coherence": 4, "complexity": near(rng, 2),
                   "verbosity": near(rng, 2)} for _ in range(80)])  # fmt: skip


@table
def chosen_and_rejected_texts(rng):
    return lines([{"chosen": text(rng, 40), "rejected": text(rng, 40)} for _ in range(60)])


@table
def alpaca_farm(rng):
    return lines([{"instruction": text(rng), "input": "", "output_1": text(rng, 30),
                   "output_2": text(rng, 30), "preference": int(rng.integers(1, 3))}
                  for _ in range(80)])  # fmt: skip


@table
def arena_of_one_hot_winners(rng):
    rows = [(30000 + k, a, b, text(rng), text(rng), text(rng), int(o == 0), int(o == 1),
             int(o == 2)) for k, (_, _, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    names = ("id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,"
             "winner_tie")  # fmt: skip
    return made(rows, names, 1, None, best=SYSTEMS[0])


@table
def genai_bench(rng):
    words = ("leftvote", "rightvote", "tievote")
    rows = [(a, f"http://x/{k}l.jpg", b, f"http://x/{k}r.jpg", f"{text(rng)} {i}",
             "bothbad_vote" if k % 11 == 0 and o == 2 else words[o])
            for k, (_, i, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    names = "left_model,left_output_image_link,right_model,right_output_image_link,prompt,vote_type"
    return made(rows, names, 1, None, best=SYSTEMS[0])


@table
def pick_a_pic(rng):
    rows = [(True, f"u{k}{o % 2}", text(rng), "2023-01-01 10:00", True, f"u{k}0", f"u{k}1",
             (1.0, 0.0, 0.5)[o], (0.0, 1.0, 0.5)[o], a, b, k, 100 + j, f"p{i}")
            for k, (j, i, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    names = ("are_different,best_image_uid,caption,created_at,has_label,image_0_uid,image_1_uid,"
             "label_0,label_1,model_0,model_1,ranking_id,user_id,prompt_id")  # fmt: skip
    return made(rows, names, 9, None, best=SYSTEMS[0])


@table
def tts_arena_votes(rng):
    rows = [(k, 700 + j, text(rng), "2025-05-01 10:00:00", (a, b)[o % 2], (b, a)[o % 2], "tts",
             12.5) for k, (j, _, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    names = ("id,user_id,text,vote_date,model_chosen,model_rejected,model_type,"
             "session_duration_seconds")  # fmt: skip
    return made(rows, names, 9, None, best=SYSTEMS[0])


@table
def voicemos_without_header(rng):
    rows = [(f"sys{s[:3]}", f"sys{s[:3]}-utt{i}.wav", v, "", f"na_{j}_Male_na")
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    data = csv(pd.DataFrame(rows), header=False)
    return Made(data, Found({f"sys{s[:3]}" for s in SYSTEMS}), {"ambiguous": True})


@table
def atp_matches(rng):
    players = ["Alcaraz C.", "Sinner J.", "Djokovic N.", "Zverev A."]
    rows = []
    for k, (_, _, a, b, o) in enumerate(votes(rng, players)):
        won, lost = (a, b) if o != 1 else (b, a)
        rows.append(("2023-9900", "United Cup", "Hard", 18, "A", 20230102, 300 - k % 40,
                     players.index(won) + 1e5, 3, won, "R", 188, "ESP", 22.5,
                     players.index(lost) + 1e5, 5, lost, "L", 191, "ITA", 24.1, "6-4 7-6(5)", 3,
                     "R32", 82, 15, 1.0 + rng.integers(50), 2.0 + rng.integers(50)))  # fmt: skip
    names = columns(
        "tourney_id,tourney_name,surface,draw_size,tourney_level,tourney_date,match_num,winner_id,"
        "winner_seed,winner_name,winner_hand,winner_ht,winner_ioc,winner_age,loser_id,loser_seed,"
        "loser_name,loser_hand,loser_ht,loser_ioc,loser_age,score,best_of,round,minutes,w_ace,"
        "winner_rank,loser_rank"
    )
    return Made(csv(pd.DataFrame(rows, columns=names)),
                Found(set(players), None, None, best=players[0]))  # fmt: skip


@table
def lichess_games(rng):
    players = ["bourgris", "ischia", "daniamurashov", "skinnerua"]
    rows = [(f"{k:08x}", "TRUE", 1.5e12, 1.5e12, 40 + k % 30, ("mate", "resign", "draw")[o],
             ("white", "black", "draw")[o], "15+2", a, 1500, b, 1400, "e4 e5 d4", "C20", 3)
            for k, (_, _, a, b, o) in enumerate(votes(rng, players))]  # fmt: skip
    names = columns("id,rated,created_at,last_move_at,turns,victory_status,winner,increment_code,"
                    "white_id,white_rating,black_id,black_rating,moves,opening_eco,opening_ply"
    )  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=names)), Found(set(players), best=players[0]))


@table
def chess_of_numbered_players(rng):
    rows = [(k % 30 + 1, a, b, (1.0, 0.0, 0.5)[o])
            for k, (_, _, a, b, o) in enumerate(votes(rng, (73, 291, 1304, 88)))]  # fmt: skip
    names = columns("Month #,White Player #,Black Player #,Score")
    return Made(csv(pd.DataFrame(rows, columns=names)),
                Found({"73", "291", "1304", "88"}, best="73"))  # fmt: skip


@table
def shootouts(rng):
    teams = ("Brazil", "Ghana", "Japan", "Norway")
    rows = [(f"19{k % 60 + 30}-06-01", a, b, (a, b)[o % 2], b)
            for k, (_, _, a, b, o) in enumerate(votes(rng, teams))]  # fmt: skip
    names = columns("date,home_team,away_team,winner,first_shooter")
    return Made(csv(pd.DataFrame(rows, columns=names)), Found(set(teams), best="Brazil"))


@table
def basketball_games(rng):
    rows = []
    for k, (_, _, a, b, o) in enumerate(votes(rng, (1610612737, 1610612740, 1610612743))):
        home, away = (112, 99 + k % 9) if o != 1 else (98, 105 + k % 7)
        rows.append((f"2022-12-{k % 28 + 1:02d}", 22200000 + k, "Final", a, b, 2022, a, home, 0.48,
                     b, away, 0.47, int(home > away)))  # fmt: skip
    names = columns("GAME_DATE_EST,GAME_ID,GAME_STATUS_TEXT,HOME_TEAM_ID,VISITOR_TEAM_ID,SEASON,"
                    "TEAM_ID_home,PTS_home,FG_PCT_home,TEAM_ID_away,PTS_away,FG_PCT_away,"
                    "HOME_TEAM_WINS")  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=names)),
                Found({"1610612737", "1610612740", "1610612743"}, best="1610612737"))  # fmt: skip


@table
def nfl_scores(rng):
    teams = ("Lions", "Bears", "Packers")
    rows = [(f"9/{k % 28 + 1}/2019", 2019, k % 17 + 1, "FALSE", a, 27 - 10 * (o == 1), 20, b,
             "GB", -3.5, 46.5, "FALSE") for k, (_, _, a, b, o) in enumerate(votes(rng, teams
    ))]  # fmt: skip
    names = columns("schedule_date,schedule_season,schedule_week,schedule_playoff,team_home,"
                    "score_home,score_away,team_away,team_favorite_id,spread_favorite,"
                    "over_under_line,stadium_neutral")  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=names)), Found(set(teams), best="Lions"))


@table
def against_an_opponent(rng):
    rows = [(i, f"r{j}", a, b, ("win", "loss", "draw")[o]) for j, i, a, b, o in votes(rng)]
    return made(rows, "prompt_id,judge,model,opponent,outcome", 9, 40, best=SYSTEMS[0])


@table
def eurovision_by_jury(rng):
    """Televoting and juries of one country: which are judges, only people know."""
    nations = ("Sweden", "Norway", "Italy", "Greece", "Malta")
    rows = [(year, "f", f"{year}f", way, a, b, int(rng.integers(0, 13)))
            for year in range(2016, 2020) for way in "JT" for a in nations for b in nations
            if a != b]  # fmt: skip
    names = columns("Year,(semi-) final,Edition,Jury or Televoting,From country,To country,Points")
    return Made(csv(pd.DataFrame(rows, columns=names)), Found(set(nations), 5, None))


@table
def mturk_radio_buttons(rng):
    rows = [(f"3H{k}", f"W{j}", f"i{i}", s, *("true" if v == n else "false" for n in range(1, 6)))
            for k, (j, i, s, v) in enumerate(grid(rng, scale=SCALE))]  # fmt: skip
    names = "HITId,WorkerId,Input.id,Input.system," + ",".join(
        f"Answer.fluency.{n}" for n in range(1, 6)
    )
    return made(rows, names, 6, 25, best=SYSTEMS[0])


@table
def simplification_g_m_s(rng):
    rows = [(f"s{i}", s, f"a{j}", v, near(rng, v), near(rng, v))
            for j, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    return made(rows, "sentence_id,system,annotator,G,M,S", 6, 25, ("G", "M", "S"))


@table
def edits_by_question(rng):
    rows = [(f"a{j}", i, a, b, *(SIDE[(o, 2)[k % 9 == 0]] for _ in range(3)))
            for k, (j, i, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    names = "annotator,sample_id,model_A,model_B,fluency_choice,accuracy_choice,overall_choice"
    criteria = ("fluency_choice", "accuracy_choice", "overall_choice")
    return made(rows, names, 9, 40, criteria)


@table
def wmt_seg_scores(rng):
    rows = [(s, i, v, round((v - 60) / 20, 3), 2) for _, i, s, v in grid(rng, judges=1, each=1)]
    return made(rows, "SYS,SID,RAW.SCR,Z.SCR,N", 1, 25, best=SYSTEMS[0])


@table
def wmt_da_on_a_hub(rng):
    """``annotators`` is how many there were, not who."""
    rows = [("en-de", f"source {i}", text(rng), text(rng), v, s, 1 + i % 3, "news", 2021)
            for _, i, s, v in grid(rng, judges=1, each=1)]  # fmt: skip
    return made(rows, "lp,src,mt,ref,score,system,annotators,domain,year", 1, 25, best=SYSTEMS[0])


@table
def wmt_da_without_systems(rng):
    rows = [("en-de", f"source {k % 40}", text(rng), text(rng), int(rng.integers(0, 101)), 0.3,
             1 + k % 3, "news", 2021) for k in range(160)]  # fmt: skip
    return made(rows, "lp,src,mt,ref,raw,score,annotators,domain,year")


@table
def psqm(rng):
    rows = [(s, f"doc{i // 5}", i // 5, i, f"rater{j}", f"source {i}", text(rng), v)
            for j, i, s, v in grid(rng, scale=(0, 6))]  # fmt: skip
    return made(rows, "system,doc,doc_id,seg_id,rater,source,target,score", 6, 25,
                best=SYSTEMS[0], sep="\t")  # fmt: skip


@table
def scores_in_a_list(rng):
    records = [{"item_id": f"i{i}", "model": s, "output": text(rng),
                "scores": [{"user": f"u{j}", "score": int(rng.normal(80 - 12 * p, 6))}
                           for j in range(4)]} for i in range(20) for p, s in enumerate(SYSTEMS
    )]  # fmt: skip
    return lines(records, 4, 20, best=SYSTEMS[0])


@table
def webnlg2017(rng):
    rows = [(f"Id{i}", s, text(rng), w, v, near(rng, v), near(rng, v))
            for w, i, s, v in grid(rng, scale=SCALE)]  # fmt: skip
    return made(rows, "id,team,text,worker,semantic,grammar,fluency", 6, 25,
                ("semantic", "grammar", "fluency"))  # fmt: skip


@table
def blizzard(rng):
    rows = [(f"EE{j:02d}", "MOS_naturalness", s, f"news_{i:04d}", v)
            for j, i, s, v in grid(rng, ("A", "B", "C", "D"), scale=SCALE)]  # fmt: skip
    names = columns("listener,section,system,sentence,score")
    return Made(csv(pd.DataFrame(rows, columns=names)), Found(set("ABCD"), 6, 25, best="A"))


@table
def dataset_by_classifier(rng):
    rows = [(f"uci-{k}", *(round(0.9 - 0.04 * p + rng.normal(0, 0.02), 4) for p in range(4)))
            for k in range(30)]  # fmt: skip
    return made(rows, "dataset," + ",".join(SYSTEMS), 1, 30, best=SYSTEMS[0])


# What only looks like judgments, or has columns that ask for a mistake


@table
def scores_next_to_traps(rng):
    """Ids on the scale of scores, seconds, times, gold scores, counts and confidence."""
    rows = [(k % 5 + 1, f"w{j}", i, s, v, 50, 1600000000 + k, int(rng.integers(1, 100)), 3,
             int(rng.integers(1, 6)), "yes") for k, (j, i, s, v) in enumerate(grid(rng
    ))]  # fmt: skip
    names = ("batch_id,worker,item,system,score,gold_score,timestamp,duration,n_words,confidence,"
             "passed")  # fmt: skip
    return made(rows, names, 6, 25, best=SYSTEMS[0])


@table
def votes_next_to_traps(rng):
    rows = [(f"w{j}", i, a, b, SIDE[o], "A", int(rng.integers(1, 6)), ("yes", "no")[k % 2], 9 + k)
            for k, (j, i, a, b, o) in enumerate(votes(rng))]  # fmt: skip
    names = "worker,item,system_a,system_b,choice,gold_choice,confidence,has_context,time_spent"
    return made(rows, names, 9, 40, best=SYSTEMS[0])


@table
def human_and_machine_winners(rng):
    """Two judges in two columns: neither criteria nor one of them alone."""
    rows = [(i, a, b, SIDE[o], SIDE[(o + i) % 3]) for _, i, a, b, o in votes(rng)]
    made_ = made(rows, "item,model_a,model_b,human_winner,gpt4_winner", None, 40)
    return Made(made_.data, made_.found, {"ambiguous": True})


@table
def predicted_winners(rng):
    rows = [(f"r{j}", i, a, b, SIDE[o], SIDE[i % 3]) for j, i, a, b, o in votes(rng)]
    return made(rows, "rater,item,model_a,model_b,winner,predicted_winner", 9, 40, best=SYSTEMS[0])


@table
def reward_scores_next_to_winners(rng):
    rows = [(f"r{j}", i, a, b, round(float(rng.normal()), 3), round(float(rng.normal()), 3),
             SIDE[o]) for j, i, a, b, o in votes(rng)]  # fmt: skip
    return made(rows, "rater,item,model_a,model_b,rm_score_a,rm_score_b,winner", 9, 40,
                best=SYSTEMS[0])  # fmt: skip


@table
def elo_history(rng):
    return made([(s, f"2024-{m:02d}-01", 1000 + 10 * m, 300) for s in SYSTEMS
                 for m in range(1, 13)], "model,date,elo,votes")  # fmt: skip


@table
def sensors(rng):
    rows = [(1600000000 + 60 * k, f"d{k % 9}", f"M{k % 3}", round(20 + rng.normal(), 2),
             int(rng.integers(30, 60))) for k in range(200)]  # fmt: skip
    return made(rows, "timestamp,device_id,model,temperature,humidity")


@table
def used_cars(rng):
    rows = [(rng.choice(["A1", "A3", "Q5"]), int(rng.integers(2005, 2020)),
             int(rng.integers(5000, 30000)), rng.choice(["Manual", "Auto"]),
             int(rng.integers(10**4, 10**5)), 150, 55.4, round(float(rng.integers(10, 40) / 10), 1))
            for _ in range(200)]  # fmt: skip
    return made(rows, "model,year,price,transmission,mileage,tax,mpg,engineSize")


@table
def employees(rng):
    rows = [(k, rng.choice(["Sales", "Support", "R&D"]), f"Manager {k % 6}",
             int(rng.integers(1, 6)), int(rng.integers(1, 20))) for k in range(120)]  # fmt: skip
    return made(rows, "employee_id,team,manager,performance_score,years")


@table
def support_tickets(rng):
    rows = [(k, f"Agent {k % 7}", f"c{int(rng.integers(60))}", int(rng.integers(1, 6)),
             rng.choice(["billing", "login"])) for k in range(200)]  # fmt: skip
    return made(rows, "ticket_id,agent,customer_id,csat_score,topic")


@table
def reaction_times(rng):
    rows = [(f"P{j}", i, c, int(rng.normal(500, 80)), int(rng.random() < 0.9))
            for j in range(10) for i in range(12) for c in ("congruent", "incongruent"
    )]  # fmt: skip
    return made(rows, "participant,trial,condition,rt,correct")


@table
def clinical_visits(rng):
    rows = [(f"P{p}", ("placebo", "drug")[p % 2], visit, int(rng.integers(0, 30)))
            for p in range(40) for visit in range(4)]  # fmt: skip
    return made(rows, "patient,treatment,visit,score")


@table
def image_rewards(rng):
    return Made(json.dumps([
        {"id": f"{k:06d}", "prompt_id": f"p{k}", "prompt": text(rng), "image_amount_in_total": 4,
         "image_path": [f"i/{k}_{m}.webp" for m in range(4)],
         "rank": [int(x) + 1 for x in rng.permutation(4)]} for k in range(60)
    ]).encode())  # fmt: skip


@table
def product_reviews(rng):
    rows = [(f"A{int(rng.integers(50))}", f"B00{int(rng.integers(30))}", int(rng.integers(1, 6)),
             text(rng), 1400000000 + k) for k in range(200)]  # fmt: skip
    return made(rows, "reviewerID,asin,overall,summary,unixReviewTime")


@table
def training_log(rng):
    rows = [(s, seed, epoch, round(2 / epoch + rng.normal(0, 0.01), 4), round(1 - 1 / epoch, 3))
            for s in SYSTEMS for seed in range(3) for epoch in range(1, 21)]  # fmt: skip
    return made(rows, "model,seed,epoch,loss,accuracy")


@table
def answers_of_models(rng):
    """Whether an answer was right is a score, but not a judge's."""
    rows = [(f"q{i}", s, rng.choice(list("ABCD")), "B", int(rng.random() < 0.8 - 0.15 * p))
            for i in range(60) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    return made(rows, "question_id,model,answer,gold,correct", 1, 60, best=SYSTEMS[0])


@table
def average_next_to_each_rater(rng):
    rows = []
    for i in range(30):
        for p, s in enumerate(SYSTEMS):
            marks = [near(rng, 5 - p) for _ in range(3)]
            rows.append((i, s, *marks, round(sum(marks) / 3, 2)))
    return made(rows, "item,system,rater1,rater2,rater3,average", 3, 30, best=SYSTEMS[0])


@table
def raters_by_name(rng):
    rows = [(i, s, near(rng, 5 - p), near(rng, 5 - p), near(rng, 5 - p))
            for i in range(30) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    made_ = made(rows, "item,system,anna,bert,chen", None, 30)
    return Made(made_.data, made_.found, {"ambiguous": True})


@table
def ratings_of_both(rng):
    """Each side has a rating; the higher one is preferred."""
    rows = [(f"w{j}", i, a, b, (5, 3, 4)[o], (2, 4, 4)[o]) for j, i, a, b, o in votes(rng)]
    return made(rows, "worker,item,system_a,system_b,rating_a,rating_b", 9, 40, best=SYSTEMS[0])


@table
def who_is_worse(rng):
    """The column names the worse output: its words are turned."""
    rows = [(f"w{j}", i, a, b, SIDE[(1, 0, 2)[o]]) for j, i, a, b, o in votes(rng)]
    return made(rows, "worker,item,system_a,system_b,worse", 9, 40, best=SYSTEMS[0])


@table
def fewer_is_better_ranks(rng):
    rows = [(f"w{j}", i, s, 101 - v) for j, i, s, v in grid(rng, scale=(1, 100))]
    return made(rows, "worker,item,system,error_count", 6, 25, best=SYSTEMS[0])


@table
def choice_and_reason(rng):
    rows = [(f"w{j}", i, a, b, f"Response {'AB'[o % 2]}", f"It is {SIDE[o]}")
            for j, i, a, b, o in votes(rng)]  # fmt: skip
    return made(rows, "worker_id,prompt_id,model_a,model_b,preferred_response,reason", 9, 40,
                best=SYSTEMS[0])  # fmt: skip


@table
def metrics_in_rows(rng):
    rows = [(s, i, m, round((60 - 8 * p if m == "BLEU" else 30 + 8 * p) + rng.normal(), 2))
            for p, s in enumerate(SYSTEMS) for i in range(20) for m in ("BLEU", "TER")]  # fmt: skip
    return made(rows, "system,segment,metric,value", None, None, ("BLEU", "TER"), best=SYSTEMS[0])


@table
def zero_one_or_two(rng):
    """Whether 0 is the first side or a tie, no table says."""
    rows = [(f"w{j}", i, a, b, o) for j, i, a, b, o in votes(rng)]
    made_ = made(rows, "worker,item,system_a,system_b,label", 9, 40)
    return Made(made_.data, made_.found, {"ambiguous": True})


@table
def names_of_judges_next_to_scores(rng):
    rows = [(i, s, f"u{rng.integers(9)}", near(rng, 5 - p), f"u{9 + rng.integers(9)}",
             near(rng, 5 - p)) for i in range(25) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    names = "item,system,annotator_1_id,annotator_1_score,annotator_2_id,annotator_2_score"
    return made(rows, names, 18, 25, best=SYSTEMS[0])


@table
def keystrokes(rng):
    rows = [(i, s, f"t{i % 3}", round(20 + 9 * p + rng.normal(), 1), int(rng.integers(10, 90)))
            for i in range(30) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    return made(rows, "segment_id,system,translator,pe_time,keystrokes")


@table
def edit_rates(rng):
    rows = [(i, s, text(rng), text(rng), round(0.1 + 0.1 * p + abs(rng.normal(0, 0.02)), 3))
            for i in range(30) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    return made(rows, "segment_id,system,mt,pe,hter", 1, 30, best=SYSTEMS[0])


@table
def responses_in_a_list(rng):
    records = [{"idx": i, "conversations": [{"role": "user", "content": text(rng)}],
                "responses": [{"model": a, "text": text(rng)}, {"model": b, "text": text(rng)}],
                "preferred": o % 2, "annotator": f"a{j}"} for j, i, a, b, o in votes(rng
                )]  # fmt: skip
    return lines(records, 9, 40, best=SYSTEMS[0])


@table
def scores_of_a_test_suite(rng):
    rows = [(i, text(rng), s, text(rng), int(rng.random() < 0.9 - 0.2 * p), "idiom")
            for i in range(60) for p, s in enumerate(SYSTEMS)]  # fmt: skip
    return made(rows, "line,source,system,hypothesis,correct,phenomenon", 1, 60, best=SYSTEMS[0])


@table
def translations_in_columns_of_systems(rng):
    rows = [(i, text(rng), *(text(rng) for _ in SYSTEMS), rng.choice(SYSTEMS)) for i in range(40)]
    return made(rows, f"id,source,{','.join(SYSTEMS)},best_system")


@table
def human_and_computed_scores(rng):
    rows = [(f"w{j}", i, s, v, round(rng.random(), 3), round(rng.random(), 3))
            for j, i, s, v in grid(rng)]  # fmt: skip
    return made(rows, "worker,item,system,human_score,comet_score,bleurt_score", 6, 25,
                best=SYSTEMS[0])  # fmt: skip


@table
def points_of_games(rng):
    rows = [("2020-01-01", a, b, 1500, 1600, (1, 0, 0.5)[o]) for _, _, a, b, o in votes(rng)]
    return made(rows, "date,player_1,player_2,elo_1,elo_2,result", None, None, best=SYSTEMS[0])


@table
def bots_in_conversations_of_their_own(rng):
    rows = [(f"c{30 * p + k}", s, f"w{k % 7}", near(rng, 5 - p), near(rng, 5 - p))
            for p, s in enumerate(SYSTEMS) for k in range(30)]  # fmt: skip
    return made(rows, "conversation_id,bot,worker_id,engaging,humanlike", 7, None,
                ("engaging", "humanlike"))  # fmt: skip


@table
def ids_on_the_scale_of_scores(rng):
    rows = [(j + 1, i % 5 + 1, i, p + 1, v) for p, s in enumerate(SYSTEMS)
            for j, i, _, v in grid(rng, (s,), scale=SCALE)]  # fmt: skip
    return Made(csv(pd.DataFrame(rows, columns=columns("judge,block,item,system,points"))),
                Found({"1", "2", "3", "4"}, 6, 25))  # fmt: skip
