"""The graded response model: judges differ in sensitivity, segments in difficulty."""

from analysis.rankers.graded_response.graded_response import GradedResponse, GradedResponseFit
from analysis.rankers.graded_response.items import (
    Difficulties,
    Sensitivities,
    grade_probabilities,
)

__all__ = [
    "Difficulties",
    "GradedResponse",
    "GradedResponseFit",
    "Sensitivities",
    "grade_probabilities",
]
