from analysis.api import PodiumError as PodiumError
from analysis.api import Ranking as Ranking
from analysis.api import Votes as Votes
from analysis.api import agreement as agreement
from analysis.api import compare as compare
from analysis.api import plan as plan
from analysis.api import rank as rank
from analysis.api import read as read

__version__: str
