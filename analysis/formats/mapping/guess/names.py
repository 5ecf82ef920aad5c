"""What the names of columns say: people's words for judges, systems, segments and scores."""

from __future__ import annotations

import re
from functools import lru_cache


def listed(words: str) -> list[str]:
    """Return words that are written on one line."""
    return words.split()


SIDES = (
    ("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"), ("home", "away"),
    ("white", "black"), ("x", "y"), ("0", "1"), ("one", "two"), ("i", "j"), ("blue", "red"),
    ("r", "b"),
    ("model", "opponent"), ("system", "opponent"), ("player", "opponent"), ("team", "opponent"),
    ("model", "baseline"), ("system", "baseline"), ("home", "visitor"),
)  # fmt: skip
OUTCOME_SIDES = (
    ("winner", "loser"), ("winning", "losing"), ("won", "lost"), ("chosen", "rejected"),
    ("preferred", "dispreferred"), ("better", "worse"), ("preferred", "other"), ("w", "l"),
)  # fmt: skip
"""Two columns of which the first one names who won."""

SYSTEM = listed(
    "system sys model engine mt method algorithm classifier approach generator summarizer "
    "team player submission learner estimator llm bot agent policy condition stimulus "
    "competitor candidate variant codec treatment contestant entrant version hypothesis "
    "assistant fighter framework compressor encoder decoder vocoder synthesizer renderer "
    "translator captioner summariser simplifier parser retriever recommender solver to name"
)
KNOWN_SYSTEMS = frozenset(
    listed(
        "bart t5 mt5 pegasus lstm bilstm rnn cnn gru transformer seq2seq s2s pgn gpt2 unilm lead "
        "lead3 textrank lexrank smt nmt pbmt rbmt marian opus nllb deepl baseline ours proposed "
        "oracle ref reference tacotron tacotron2 fastspeech fastspeech2 vits wavenet hifigan dalle "
        "waveglow sd vqgan copynet"
    )
)
"""What papers call systems; names of judges, such as GPT-4 and human, are not among them."""
KNOWN_MODELS = frozenset(
    listed(
        "gpt chatgpt claude gemini llama mistral mixtral qwen vicuna alpaca bert roberta flan palm "
        "flant davinci gemma phi deepseek falcon mpt command grok bloom opt"
    )
)
NOT_A_SYSTEM = frozenset(
    listed(
        "type family size provider url link license org organization lang language languages time "
        "date tokens length count text output prompt category order description title feedback "
        "comment comments rank score rating z zscore response completion answer input reference "
        "params temperature config settings elo place url temp start end info"
    )
)
JUDGE = listed(
    "judge annotator rater worker user evaluator participant listener coder assessor labeler "
    "labeller grader reviewer respondent login voter subject expert scorer juror marker "
    "turker crowdworker username person critic visitor completed_by annotated_by rated_by "
    "judged_by who from session"
)
JUDGE_MODEL = frozenset(listed("judge grader evaluator annotator rater"))
"""Words that make a model, player or system a judge: judge_model."""
SEGMENT = listed(
    "segment seg sid item sent sentence question prompt sample example instance trial utterance "
    "scene stimuli stimulus mr topic query task hit unit doc dialogue dialog interaction "
    "conversation passage article problem dataset benchmark source src input instruction original "
    "orig context prefix text hash id scenario clip file filename audio image img video recording "
    "line event match game year exercise case key"
)
SHOWN = listed(
    "sentence article image audio video clip sample text story summary item dialogue example "
    "stimulus passage document caption translation utterance song track picture photo recording"
)
"""Words of items that a form numbers: Image 3."""
DOCUMENT = listed("document doc article story file page book chapter dialogue dialog")
TALKS = frozenset(listed("dialogue dialog conversation conv chat"))
"""Words of items that each system may have of its own."""
DOMAIN = listed("domain genre category register topic field subject")
PAIR = listed("pair langpair lp language lang languages direction langs")
SOURCE = listed("srclang sourcelang sourcelanguage source_lang source_language src_lang")
TARGET = listed("trglang tgtlang targetlang targetlanguage target_lang target_language tgt_lang")
SECONDS = listed(
    "seconds duration secs sec elapsed time_spent timespent worktimeinseconds work_time "
    "lead_time time rt response_time reading_time"
)
TASK = listed("task hit screen ranking annotation batch assignment battle page comparison round")
RANK = listed("rank place position standing ranking order")
SCORE = listed(
    "score rating points mos grade value mark stars likert da mushra esa mqm scr judgment "
    "judgement accuracy acc f1 auc bleu rouge chrf comet bleurt bertscore ndcg map mrr recall "
    "precision exact_match em pass reward perplexity wer ter hter error loss rmse mae vote opinion "
    "slider acu pyramid success scores"
)
OUTPUT_TEXT = frozenset(
    listed(
        "completion response answer output conversation conv text translation summary hypothesis "
        "generation message messages content reply story code"
    )
)
"""Words of columns with the text of an output."""
METRIC = listed(
    "bleu rouge chrf comet bleurt bertscore meteor ter wer cer ndcg perplexity ppl cometkiwi bert "
    "bart bartscore moverscore sari spice cider nist questeval summac unieval geval bert_score "
    "stoi pesq utmos dnsmos nisqa clipscore metricx xcomet"
)
"""Names of scores that a program computes."""
OVERALL = listed("overall ovrl ovr quality total general average score rating mos")
CRITERIA = frozenset(
    listed(
        "fluency adequacy coherence consistency relevance relevancy naturalness informativeness "
        "grammaticality grammar grammer simplicity simpleness meaning preservation correctness "
        "coverage datacoverage structure textstructure factuality faithfulness quality overall ovr "
        "ovrl sig bak clarity helpfulness harmlessness honesty depth creativity style accuracy "
        "completeness conciseness readability intelligibility similarity usefulness engagement "
        "engagingness interestingness understandability repetition redundancy specificity "
        "sensibleness safety humanness empathy tone politeness formality toxicity novelty "
        "plausibility believability consistent fluent adequate natural likability appropriateness "
        "comprehensibility noise distortion prosody timbre semantic structural syntax content "
        "discourse verifiability intrusiveness loudness nonredundancy grammatical coherent "
        "relevant informative truthfulness instruction_following focus referential comprehension "
        "usability satisfaction errors surprise interesting engaging understandable humanlike "
        "helpful harmless honest useful alignment fidelity realism aesthetics smoothness "
        "photorealism"
    )
)
ERRORS = re.compile(
    r"errors?|penalt(y|ies)|mqm|wer|h?ter|cer|rank|place|cost|edits?|distance|loss|rmse|mae|mse|ppl|"
    r"perplexity|hallucinations?|latency|deviation"
)
"""Words of scores of which less is better."""
MAYBE_ERRORS = re.compile(
    r"difficulty|complexity|annoyance|artifacts?|distortion|harm(fulness)?|bias|contradictions?|"
    r"ambiguity|frustration|demand|workload|mistakes?|omissions?|additions?|mistranslations?|"
    r"violations?|failures?|minor|major|critical|severity|punctuation|spelling|terminology|noise|"
    r"repetition|redundancy|toxicity|intrusiveness|effort|cost"
)
"""Words of scores of which less is better on some scales, and more on others."""
CRITERION = listed("criterion criteria dimension aspect attribute metric measure quality property")
"""Names of a column of which each value is a criterion."""
WINNER = listed(
    "winner preference preferred prefer vote choice choose chosen better best verdict outcome "
    "result answer label decision judgment judgement selection selected select accepted accept "
    "pick picked which favorite favourite annotation rating utterance comparison ftr"
)
NOT_A_SCORE = frozenset(
    listed(
        "z zscore zscr norm normalized normalised standardized std sd se ci gold count n year "
        "round age size length tokens index date time seconds duration timestamp created updated "
        "start end version price salary reward lifetime max min assignments trust ip zip postal "
        "phone longitude latitude experience years flip rank position order seed fold attempt "
        "page step turn var variance width height temperature tokens_in params id iteration epoch "
        "confidence confident familiarity golden expected unnamed batch block group list session"
    )
)
_ENDINGS = frozenset(listed("id ids name names no nr num number idx index code key uid uuid str"))
_PREFIXES = re.compile(r"^((input|answer|answers|data|metadata|meta|fields|value|values|_)[._]|"
                       r"(input|output|golden|hint|assignment):)", re.IGNORECASE)  # fmt: skip
_IDS = {(word,) for word in ("id", "ids", "hash", "uuid", "uid", "index", "idx")}
_ALL = {w for names in (SYSTEM, JUDGE, SEGMENT, DOCUMENT) for w in names if len(w) > 2}


@lru_cache(maxsize=1 << 15)
def words_of(column: str) -> tuple[str, ...]:
    """Return the words of a column's name, without the prefix that a crowd platform adds.

    >>> words_of("Input.leftModel_id"), words_of("UserID"), words_of("workerid")
    (('left', 'model', 'id'), ('user', 'id'), ('worker', 'id'))
    """
    name = _PREFIXES.sub("", column.strip().lstrip("_ ")) or column
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    apart = re.sub(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", "_", apart)
    found: list[str] = []
    for word in re.split(r"[^\w]+|_+", apart.casefold()):
        for ending in ("id", "name", "info"):
            stem = word.removesuffix(ending)
            if stem != word and stem in _ALL:
                found += [stem, ending]
                break
        else:
            found.append(word)
    return tuple(word for word in found if word)


@lru_cache(maxsize=1 << 15)
def core_of(column: str) -> tuple[str, ...]:
    """Return the words that say what a column is, without id, name, number and such."""
    words = words_of(column)
    return tuple(w for w in words if w not in _ENDINGS) or words


def strength(column: str, names: list[str] | tuple[str, ...]) -> float:
    """Return how well a name fits a role: 1 for the role's own word, less beside other words."""
    whole, parts, n_words = _spelled(column)
    if not whole.isdisjoint(names):
        return 1.0
    if not parts.isdisjoint(names):
        return 0.85 if n_words <= 2 else 0.7
    return 0.0


@lru_cache(maxsize=1 << 15)
def _spelled(column: str) -> tuple[frozenset[str], frozenset[str], int]:
    """Return how the whole of a name may be spelled, its parts, and the number of its words."""
    words, core = words_of(column), core_of(column)
    return (
        frozenset(("_".join(words), "_".join(core), "".join(core))),
        frozenset((*core, "_".join(words[-2:]))),
        len(core),
    )


def place_of(column: str, names: list[str] | tuple[str, ...]) -> int:
    """Return how early a role's list has the word that a column's name contains."""
    core = (*core_of(column), "_".join(words_of(column)), "".join(core_of(column)))
    return min((names.index(word) for word in core if word in names), default=len(names))


def is_id(column: str) -> bool:
    """Return whether a name ends as those of identifiers do, or begins with *idx*."""
    words = words_of(column)
    return words[-1:] in _IDS or words[:1] == ("idx",)


def is_known_system(column: str) -> bool:
    """Return whether a name is that of a well-known system or model: ``T5-base``, ``Ours``."""
    words = re.split(r"[\W_]+", column.casefold())
    return not KNOWN_SYSTEMS.isdisjoint(words)


def is_known_model(text: str) -> bool:
    """Return whether a value names a well-known system or language model: ``GPT-4_zeroshot``."""
    words = re.split(r"[\W\d_]+", text.casefold())
    return is_known_system(text) or not KNOWN_MODELS.isdisjoint(words)


def is_answer(column: str) -> bool:
    """Return whether a platform says that the judge filled a column: ``Answer.category``."""
    return re.match(r"(answer|output)[.:]", column.strip(), re.IGNORECASE) is not None


def is_criterion(column: str) -> bool:
    """Return whether a name is that of a criterion such as fluency.

    >>> is_criterion("Answer.fluency"), is_criterion("TextStructure"), is_criterion("WorkerId")
    (True, True, False)
    """
    core = core_of(column)
    return bool(core) and ("".join(core) in CRITERIA or bool(CRITERIA & set(core)))


def is_score(column: str) -> bool:
    """Return whether a name is that of a score or a criterion."""
    core = set(words_of(column))
    return not core & NOT_A_SCORE and (strength(column, SCORE) > 0 or is_criterion(column))


def is_lower_better(column: str) -> bool:
    """Return whether a name says that less is better."""
    return any(ERRORS.fullmatch(word) for word in words_of(column))


@lru_cache(maxsize=64)
def sides(
    columns: tuple[str, ...], pairs: tuple[tuple[str, str], ...] = SIDES
) -> list[tuple[str, str, tuple[str, ...], tuple[str, str]]]:
    """Return columns whose names differ in the side only, with the words that they share."""
    found = []
    place: dict[tuple[str, ...], str] = {}
    for column in columns:
        place.setdefault(words_of(column), column)
    for words, column in place.items():
        for pair in pairs:
            for k, word in enumerate(words):
                if word == pair[0]:
                    other = place.get((*words[:k], pair[1], *words[k + 1 :]))
                    if other is not None:
                        found.append((column, other, (*words[:k], *words[k + 1 :]), pair))
    return found
