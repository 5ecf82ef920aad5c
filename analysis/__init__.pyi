from analysis.front_door import PodiumError as PodiumError
from analysis.front_door import agreement as agreement
from analysis.front_door import apart as apart
from analysis.front_door import compare as compare
from analysis.front_door import plan as plan
from analysis.front_door import rank as rank
from analysis.front_door import read as read

__version__: str
