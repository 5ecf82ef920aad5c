"""What people judged: ranking tasks in columns, a user's selection, and the pairs derived."""

from analysis.campaign.attributes import About, Attribute
from analysis.campaign.campaign import Campaign
from analysis.campaign.counts import LOSS, TIE, UNRANKED, WIN, Observations, PairCounts
from analysis.campaign.judgments import Incomplete, Judgments
from analysis.campaign.margin import rank_scores
from analysis.campaign.mqm import MQM, MqmWeights
from analysis.campaign.ragged import FloatArray, IntArray, Ragged, distinct, smallest
from analysis.campaign.scores import (
    CHECKS,
    Checks,
    ErrorSpans,
    Scale,
    Scores,
    standardized,
)
from analysis.campaign.selection import (
    DEFAULT_SELECTION,
    SELECTION_FIELDS,
    Identical,
    Selection,
    SelectionField,
    are_numbered,
    segment_numbers,
)
from analysis.campaign.tasks import UNNAMED_JUDGE, UNNAMED_SEGMENT, RankingTasks
from analysis.names import is_reference
