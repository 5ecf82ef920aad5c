"""Official rankings of scores by the year's own rules, under their names.

    >>> sorted(PROCEDURES)
    ['mqm', 'wmt21-da', 'wmt22-appraise', 'wmt22-da', 'wmt24-esa', 'wmt25', 'wmt26']

`ScoreTable.of` makes the scores of one language pair ready, `Procedure.run` ranks.
"""

from analysis.procedures.procedure import Procedure, ProcedureResult
from analysis.procedures.registry import PROCEDURES, procedure_named
from analysis.procedures.score_table import ScoreTable

__all__ = ["PROCEDURES", "Procedure", "ProcedureResult", "ScoreTable", "procedure_named"]
