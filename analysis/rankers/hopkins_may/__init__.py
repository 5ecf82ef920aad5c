"""Hopkins & May's models: Gaussian qualities (Laplace and Gibbs) and categorical ones."""

from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical
from analysis.rankers.hopkins_may.gaussian import HopkinsMay

__all__ = ["HopkinsMay", "HopkinsMayCategorical"]
