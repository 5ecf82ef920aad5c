"""Numbers are what they were: all that is computed of three small campaigns, compared with a file.

Oracles say whether a number is right; this test notices whether one has changed. What is meant to
change is written anew by ``python -m tests.ranking.test_numbers``; read the difference.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.campaign import Judgments
from analysis.errors import PodiumError
from analysis.judges.agreement import agreement
from analysis.judges.judge_kappas import judge_agreement
from analysis.judges.judge_table import judges
from analysis.judges.other_coefficients import coefficients
from analysis.judges.score_agreement import score_agreement
from analysis.judges.scorers import scorers
from analysis.rankers import RANKERS
from analysis.ranking.certainty import AS_PUBLISHED
from analysis.ranking.preflight import preflight
from analysis.ranking.ranking import quick_ranking, rank
from analysis.ranking.variance import SCOPES, Differences
from tests.rankers.test_mean import drawn
from tests.tools.audit.generator import Nature

KEPT = Path(__file__).with_name("numbers.jsonl")
"""One line for each result: its name, and its numbers in order."""

CLOSE = 1e-4
"""How far a number may be off, as a share: a search for the best fit ends a little elsewhere."""

SENTENCE = 40
"""Letters from which a text is words, which may change, and no name."""

PARTS = (int, float, str, bool, np.generic, np.ndarray, pd.DataFrame, Mapping, list, tuple)
"""What of a result is kept; other fields are what it was computed from."""


@cache
def campaigns() -> dict[str, Judgments]:
    """Five-way rankings of documents, votes of few judges, and scores."""
    fiveway = Nature(systems=6, ability_deviation=0.3, tasks=240, judges=7, segments=60, document=6)
    votes = Nature(systems=5, ability_deviation=0.3, tasks=500, judges=4, segments=90, n_way=2)
    scores = drawn(np.random.default_rng(5), (9.0, 6.0, 3.0, 0.0), judges=6, segments=40)
    return {
        "five-way": fiveway.draw(np.random.default_rng(1)).campaign.judgments(),
        "votes": votes.draw(np.random.default_rng(2)).campaign.judgments(),
        "scores": scores.judgments(),
    }


def results(judgments: Judgments) -> Iterator[tuple[str, Any]]:
    """Compute all that is kept of a campaign; what is refused, as refused."""
    for name, make in (
        ("preflight", preflight), ("judges", judges), ("judge agreement", judge_agreement),
        ("agreement", lambda j: agreement(j, runs=50)), ("scorers", scorers),
        ("coefficients", coefficients),
        ("agreement of scores", score_agreement),
    ):  # fmt: skip
        yield name, _or_refusal(make, judgments)
    for method, ranker in RANKERS.items():
        found = _or_refusal(lambda j, r=ranker: quick_ranking(j, r()), judgments)
        yield method, found
        if isinstance(found, str) or found.verdict is None:
            continue
        uncertainty, k = found.verdict.uncertainty, len(found.verdict.systems)
        pairs = Differences(*np.triu_indices(k, 1))
        times, doubts = {"task": 4.0, "segment": 3.0, "judge": 2.0}, np.array([0.0, 0.3])
        axes = np.eye(k) - 1 / k
        for scope in SCOPES:
            yield f"{method}, {scope}, parts", uncertainty.moderated_along(pairs, scope)
            yield (
                f"{method}, {scope}, freedom",
                [
                    uncertainty.freedom(pairs, scope),
                    uncertainty.freedom_one_day(pairs, scope, times, doubts),
                    uncertainty.doubts_of_judges(axes, scope, np.array([-1.0, 0.0, 1.0])),
                ],
            )
    published = dataclasses.replace(AS_PUBLISHED, runs=60)
    yield (
        "published",
        _or_refusal(lambda j: rank(j, RANKERS["expected-wins"](), published), judgments),
    )


def _or_refusal(make: Any, judgments: Judgments) -> Any:
    try:
        return make(judgments)
    except PodiumError:
        return "refused"


def plain(found: Any) -> Any:
    """Return a result as JSON has it: fields by name, arrays as lists, nan as null."""
    if dataclasses.is_dataclass(found):
        fields = {f.name: getattr(found, f.name) for f in dataclasses.fields(found)}
        kept = {k: v for k, v in fields.items() if dataclasses.is_dataclass(v) or _is_kept(v)}
        return {k: plain(v) for k, v in kept.items() if not isinstance(v, Judgments)}
    if isinstance(found, pd.DataFrame):
        return plain(found.to_dict("list"))
    if isinstance(found, Mapping):
        return {str(key): plain(value) for key, value in found.items()}
    if isinstance(found, (list, tuple, np.ndarray)):
        return [plain(one) for one in found]
    if isinstance(found, np.generic):
        return plain(found.item())
    if isinstance(found, float):
        return float(f"{found:.7g}") if np.isfinite(found) else str(found)
    return found if len(str(found)) < SENTENCE else "words"


def _is_kept(value: Any) -> bool:
    return value is None or isinstance(value, PARTS)


@cache
def computed() -> dict[str, Any]:
    """Every result by its campaign and name."""
    return {
        f"{campaign}: {name}": json.loads(json.dumps(plain(found)))
        for campaign, judgments in campaigns().items()
        for name, found in results(judgments)
    }


def kept() -> dict[str, Any]:
    """The results of the file."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.is_file() else []
    return dict(map(json.loads, lines))


def differences(now: Any, then: Any, at: str = "") -> Iterator[str]:
    """Yield where two results differ."""
    if isinstance(now, dict) and isinstance(then, dict) and now.keys() == then.keys():
        for key in now:
            yield from differences(now[key], then[key], f"{at}.{key}")
    elif isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for place, (one, other) in enumerate(zip(now, then, strict=True)):
            yield from differences(one, other, f"{at}[{place}]")
    elif isinstance(now, (int, float)) and isinstance(then, (int, float)):
        if now != pytest.approx(then, rel=CLOSE, abs=1e-7):
            yield f"{at} is {now}, was {then}"
    elif now != then:
        yield f"{at} is {now}, was {then}"


@pytest.mark.parametrize("name", kept())
def test_a_result_has_the_numbers_that_it_had(name: str) -> None:
    assert list(differences(computed()[name], kept()[name])) == []


def test_every_result_is_kept() -> None:
    assert computed().keys() == kept().keys()


if __name__ == "__main__":
    lines = [json.dumps(item, ensure_ascii=False) for item in computed().items()]
    KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")
