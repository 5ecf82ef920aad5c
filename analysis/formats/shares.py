"""What each file gave to each language pair, to check against one's own numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.campaign import distinct
from analysis.formats.rankings import Codes, Rankings
from analysis.formats.report import Share
from analysis.formats.scored import Scored
from analysis.languages import pair_key


def shares_of(
    part: Rankings | Scored,
    file: str,
    spellings: Mapping[str, str],
    skipped: Mapping[str, int] | None = None,
) -> list[Share]:
    """Return the shares of one file, of which ``part`` is what is kept.

    ``spellings`` has what the campaign calls each pair; ``skipped`` counts this file's own.
    """
    n_left_out = sum(reason.count for reason in part.findings.left_out)
    passed = Counter(skipped or {})
    found = []
    for code in pd.unique(part.pair.codes).tolist():
        name = part.pair.names[code]
        own = part.pair.codes == code
        found.append(
            Share(
                file=file,
                pair=spellings.get(pair_key(name), name),
                judgments=int(np.count_nonzero(own)),
                judges=len(distinct(part.judge.codes[own])),
                systems=_n_systems(part, own),
                skipped=passed.pop(name, 0),
            )
        )
    found += [
        Share(file, spellings.get(pair_key(name), name), 0, 0, 0, n) for name, n in passed.items()
    ]
    if len(found) == 1:
        only = found[0]
        return [Share(**{**vars(only), "left_out": n_left_out})]
    if n_left_out:
        found.append(Share(file, "", 0, 0, 0, left_out=n_left_out))
    return found


def _n_systems(part: Rankings | Scored, own: Codes) -> int:
    if isinstance(part, Scored):
        return len(distinct(part.system.codes[own]))
    outputs = distinct(part.output[np.repeat(own, np.diff(part.start))])
    return len({system for k in outputs.tolist() for system in part.outputs[k]})


def shares_frame(shares: Sequence[Share]) -> pd.DataFrame:
    """Return a line for each file and language pair."""
    return pd.DataFrame([vars(share) for share in shares])
