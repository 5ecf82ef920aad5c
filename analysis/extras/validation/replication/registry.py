"""All replications: one module per paper declares its own.

A number that is compared with itself replicates nothing, so every replication says what it is
computed from (`replication.BASES`), and when it counts as the same.
"""

from analysis.extras.validation.replication import (
    bojar2014,
    bojar2015,
    grundkiewicz2015,
    hopkins_may2013,
    journals,
    koehn2012,
    sakaguchi2014,
)
from analysis.extras.validation.replication.number import Number
from analysis.extras.validation.replication.replication import BASES, NotRecomputed, Replication

_PAPERS = (bojar2014, koehn2012, sakaguchi2014, hopkins_may2013, bojar2015)

REPLICATIONS: dict[str, Replication] = {
    replication.name: replication
    for module in (*_PAPERS, grundkiewicz2015, journals)
    for replication in module.REPLICATIONS
}
NOT_RECOMPUTED: tuple[NotRecomputed, ...] = (
    *(entry for module in _PAPERS for entry in module.NOT_RECOMPUTED),
    NotRecomputed(
        "Otani et al. 2016", "Tables 1 and 2, Figures 3–5", "noisy judges, baselines, abilities",
        "The judgments of WMT13 Spanish–English are not available.",
    ),
)  # fmt: skip

__all__ = ["BASES", "NOT_RECOMPUTED", "REPLICATIONS", "NotRecomputed", "Number", "Replication"]
