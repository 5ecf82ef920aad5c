"""Which ranking tasks to send out next, to whom, on which segments.

The systems of a task are chosen by one of three methods:

*active*, as TrueSkill does: the system of largest variance, then others with probability
proportional to exp(-|μ_a - μ_b|). Variances fall within the batch as by the likelier answers.

*uncertainty*: where answers are expected to bring a winner soonest, or the top k, or the next
cluster boundaries, by `knowledge`. A task is built greedily from the pairs that tell most, and what
it is expected to tell is known before the next task is built.

*uniform*: systems at random.

Reference: Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human
Evaluation of Machine Translation* (SPV14), §2.4.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, WIN, IntArray, Judgments
from analysis.errors import PodiumError, control
from analysis.next_campaign.assignment import Assignment, NoSegmentLeftError, unanswered
from analysis.next_campaign.batch import Batch, Task
from analysis.next_campaign.evidence import fit_evidence
from analysis.next_campaign.knowledge import Knowledge
from analysis.next_campaign.planning import HORIZON
from analysis.provenance import Provenance
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill.kernels import play_sequence, update_pair_readable
from analysis.ranking.comparison_checks import identical_pairs
from analysis.ranking.verdict import Verdict

Method = Literal["uncertainty", "active", "uniform"]
METHODS: dict[Method, str] = {
    "uncertainty": "where answers are expected to separate systems soonest",
    "active": "as TrueSkill selects: the most uncertain system, against others of about its skill",
    "uniform": "systems at random, for comparison and for agreement",
}
assert set(METHODS) == set(get_args(Method))

MOST_OUTPUTS = 10
"""Outputs that one task may show."""

WARNING = (
    "This batch over-samples close pairs. Do not use it for agreement (κ) or for pooled win "
    "rates, such as Wins without ties; rank by a model of abilities."
)

WARNING_SCORES = (
    "Let judges rate all outputs of a row on the campaign's own scale: rankings and ratings "
    "cannot be read together. Means are comparable only over the same segments, so rank this "
    "batch by pairwise judgments, or have the other systems rated on these segments too."
)

WARNING_UNNAMED = (
    "The campaign names no judges, so Podium cannot exclude outputs that a judge has already "
    "seen: give each judge an output only once, or name the judges who get these tasks."
)


def next_tasks(
    judgments: Judgments,
    n_tasks: int,
    method: Method = "uncertainty",
    n_way: int | None = None,
    segments: Sequence[str] | None = None,
    judges: Sequence[str] | None = None,
    seed: int = 0,
    repeat_share: float = 0.0,
    sent: Sequence[Task] = (),
    verdict: Verdict | None = None,
    top: int | None = None,
) -> Batch:
    """Return the next tasks to send out, given the judgments so far.

    A task shows ``n_way`` outputs, as many as most tasks so far where not given.
    Segments and judges are those of the campaign where not given; `assignment` deals the
    tasks out. ``repeat_share`` of the tasks repeat an earlier task of the same judge, outputs in a
    new order, to measure how far judges agree with themselves. ``sent`` are tasks of earlier
    batches: those not answered yet count as seen by their judges, and as if they were answered.
    ``verdict`` is that of the chosen ranking method: *uncertainty* follows its order and asks for
    pairs that do not differ significantly yet. It separates the best ``top`` systems from the
    others, 1 being the winner, or with 0 neighbors anywhere; None: the winner, until one is named.
    """
    n_way = usual_outputs(judgments) if n_way is None else n_way
    top = usual_top(verdict) if top is None else top
    _check(judgments, n_tasks, method, n_way, repeat_share, top)
    rng = np.random.default_rng(seed)
    still_out = unanswered(judgments, sent)
    assignment = Assignment.of(judgments, segments, judges, rng, still_out)
    tasks = [assignment.repeat() for _ in range(round(repeat_share * n_tasks))]
    repeated = [task for task in tasks if task is not None]
    n_way = min(n_way, judgments.n_systems)
    asked = [group for task in still_out if len(group := _codes(judgments, task)) > 1]
    n_fresh = n_tasks - len(repeated)
    groups = choose_systems(judgments, n_fresh, method, n_way, rng, asked, verdict, top)
    everything = [*_dealt(assignment, groups, len(repeated), rng), *repeated]
    asked_for = Provenance(
        extra=(
            ("choose", method),
            *[("top", top)] * (method == "uncertainty"),
            ("tasks", n_tasks),
            ("n-way", n_way),
            ("repeat-share", repeat_share),
            *_digests(("on-segments", segments), ("assign-to", judges), ("sent", sent)),
        ),
        seed=seed,
    )
    ranked = Provenance() if verdict is None else verdict.provenance
    unnamed = UNNAMED_JUDGE in assignment.judges
    warnings = [WARNING] * (method != "uniform") + [WARNING_UNNAMED] * unnamed
    warnings += [WARNING_SCORES] * (judgments.scores is not None)
    return Batch(
        pair=judgments.pair,
        method=method,
        seed=seed,
        tasks=tuple(everything[k] for k in rng.permutation(len(everything))),
        warning=" ".join(warnings),
        signature=str(ranked | judgments.provenance | asked_for),
        one="vote" if judgments.are_votes and n_way == 2 else "task",
        top=top,
        needed=_needed(judgments, method, n_way, verdict, top, rng),
    )


def _dealt(
    assignment: Assignment, groups: Sequence[IntArray], n_repeated: int, rng: np.random.Generator
) -> list[Task]:
    """Deal out tasks that show these systems in a random order; refuse more than are possible."""
    tasks: list[Task] = []
    for group in groups:
        try:
            tasks.append(assignment.assign(rng.permutation(group)))
        except NoSegmentLeftError as error:
            raise _too_many(n_repeated + len(groups), n_repeated + len(tasks)) from error
    return tasks


def usual_top(verdict: Verdict | None) -> int:
    """Return what tasks are for if nobody says it: the winner, until one is named."""
    return 1 if verdict is not None and verdict.winner is None else 0


def _needed(
    judgments: Judgments,
    method: Method,
    n_way: int,
    verdict: Verdict | None,
    top: int,
    rng: np.random.Generator,
) -> float:
    """Return how many such tasks draw the next boundary; nan if no test says when."""
    if method != "uncertainty" or verdict is None or verdict.is_official or not verdict.units:
        return math.nan
    return _known(judgments, verdict, top).needed(n_way, HORIZON * judgments.n_tasks, rng)


def _known(judgments: Judgments, verdict: Verdict | None, top: int) -> Knowledge:
    """Return what the judgments, and the verdict on them, show of the systems."""
    found = fit_evidence(judgments)
    known = Knowledge.of(judgments.counts, found.radius, found.spread, found.design_effect)
    known.top = top
    known = known if verdict is None or not verdict.units else known.verdict(verdict)
    return known.without(identical_pairs(judgments))


def _too_many(n_tasks: int, possible: int) -> PodiumError:
    """Return the error for more tasks than the judges have new outputs for."""
    segments = control("segments (--on-segments)", "segments", "segments")
    judges = control("judges (--assign-to)", "judges", "judges")
    fewer = control(f"--tasks {possible}", f"{possible} tasks", f"n_tasks={possible}")
    if possible:
        got, remedy = (
            f"only {possible} of {n_tasks}",
            f"Use {fewer}, or add {segments} or {judges}.",
        )
    else:
        got, remedy = f"none of {n_tasks}", f"Add {segments} or {judges}."
    return PodiumError(
        control("--tasks", "Tasks", "n_tasks"),
        f"{got} tasks are possible, since judges have seen the other segments",
        remedy,
    )


def check_method(method: str) -> None:
    """Refuse a method of choosing that is not known."""
    if method not in METHODS:
        raise PodiumError(
            "Method", f"{method!r} is not known", f"Choose one of {', '.join(METHODS)}."
        )


def usual_outputs(judgments: Judgments) -> int:
    """Return how many outputs most tasks show, 10 at most; 5 before any task.

    An output that several systems made alike is shown once.
    """
    on_screen = np.diff(judgments.campaign.task_start)[judgments.tasks]
    shown = np.minimum(on_screen, np.diff(judgments.task_start))
    shown = shown[shown > 1]
    return int(np.clip(np.bincount(shown).argmax(), 2, MOST_OUTPUTS)) if len(shown) else 5


def _digests(*lists: tuple[str, Sequence[object] | None]) -> list[tuple[str, str]]:
    """Return how many entries each list has, where it has some, and a digest of them."""
    return [
        (name, f"{len(entries)}-{hashlib.sha256(repr(list(entries)).encode()).hexdigest()[:6]}")
        for name, entries in lists
        if entries
    ]


def _check(
    judgments: Judgments, n_tasks: int, method: str, n_way: int, repeat_share: float, top: int
) -> None:
    check_method(method)
    if n_tasks < 1:
        raise PodiumError("Tasks", f"{n_tasks} is too few", "Use 1 or more.")
    if not 2 <= n_way <= MOST_OUTPUTS:
        raise PodiumError("Outputs per task", f"{n_way} is outside 2–{MOST_OUTPUTS}", "5 is usual.")
    if judgments.n_systems < 2:
        raise PodiumError("Systems", "there are fewer than two", "Exclude fewer systems.")
    if not 0 <= top < judgments.n_systems:
        raise PodiumError(
            control("--top", "Goal", "top"),
            f"{top} of {judgments.n_systems} systems is not possible",
            f"Use a number from 0 to {judgments.n_systems - 1}.",
        )
    if not 0 <= repeat_share <= 1:
        raise PodiumError(
            "Repeated tasks", f"{repeat_share:g} is outside 0–1", ("Use 0.1 for 10%.")
        )


def _codes(judgments: Judgments, task: Task) -> IntArray:
    return np.array([judgments.systems.index(s) for s in task.systems if s in judgments.systems])


def choose_systems(
    judgments: Judgments,
    n_tasks: int,
    method: Method,
    n_way: int,
    rng: np.random.Generator,
    asked: Sequence[IntArray] = (),
    verdict: Verdict | None = None,
    top: int = 0,
) -> list[IntArray]:
    """Return the systems of each task, as codes; before any judgment nothing speaks for a pair.

    ``asked`` are the systems of tasks that have been sent and not been answered,
    ``verdict`` says which pairs differ significantly already.
    """
    if method == "active":
        return _choose_actively(judgments, n_tasks, n_way, rng, asked)
    if method == "uncertainty" and len(judgments.observations):
        known = _known(judgments, verdict, top)
        for group in asked:
            known.add(group)
        return [known.choose(n_way, rng) for _ in range(n_tasks)]
    return [rng.permutation(judgments.n_systems)[:n_way] for _ in range(n_tasks)]


def _choose_actively(
    judgments: Judgments,
    n_tasks: int,
    n_way: int,
    rng: np.random.Generator,
    asked: Sequence[IntArray],
) -> list[IntArray]:
    """Choose by the skills after all judgments so far, in random order (SPV14 §2.4)."""
    ranker, facts, k = TrueSkill(), judgments.observations, judgments.n_systems
    n_asked = sum(len(group) * (len(group) - 1) // 2 for group in asked)
    n_further = n_asked + n_tasks * n_way * (n_way - 1) // 2
    beta, margin = ranker.scale(len(facts) + n_further + 1)
    mu, variance = np.zeros(k), np.full(k, ranker.sigma0**2)
    order = rng.permutation(len(facts))
    play_sequence(facts.left, facts.right, facts.outcome, order, mu, variance, beta, margin, 0.0)

    def expect(group: Sequence[int]) -> None:
        for a, b in itertools.combinations(sorted(group, key=lambda i: -mu[i]), 2):
            update_pair_readable(mu.copy(), variance, a, b, WIN, beta, margin, 0.0)

    for sent in asked:
        expect(sent.tolist())
    chosen = []
    for _ in range(n_tasks):
        most = np.flatnonzero(variance == variance.max())
        group = [int(rng.choice(most))]
        while len(group) < n_way:
            reach = np.exp(-np.abs(mu - mu[group[0]]))
            reach[group] = 0.0
            group.append(int(rng.choice(k, p=reach / reach.sum())))
        expect(group)
        chosen.append(np.array(group))
    return chosen
