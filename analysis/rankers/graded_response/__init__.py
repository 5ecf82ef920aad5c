"""The graded response model: judges differ in sensitivity, segments in difficulty."""

from analysis.rankers.graded_response.graded_response import GradedResponse

__all__ = ["GradedResponse"]
