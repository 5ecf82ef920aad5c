"""Machine judges beside the people of a view, each measured once."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from analysis.campaign import Campaign, FloatArray
from analysis.errors import PodiumError
from analysis.extras.llm_judges.agreement import MachineAgreement, agreement_beside
from analysis.extras.llm_judges.beside import Beside, lay_beside
from analysis.extras.llm_judges.prediction_powered import (
    MachineAlone,
    PredictionPowered,
    draw_votes,
    machine_alone,
    prediction_powered,
    score_votes,
)
from analysis.extras.llm_judges.random_share import require_random_share
from analysis.extras.llm_judges.statistics import statistic
from analysis.formats import read_many
from analysis.formats.file_names import without_endings
from analysis.samples import machine_judges, sample_of
from dashboard.compute import store
from dashboard.compute.results import remember
from dashboard.extras.llm_judges.files import files_of, named_of
from dashboard.session.view import ViewContext


@dataclass(frozen=True, eq=False)
class Machine:
    """A machine judge: its votes, and whether they stand among people's (``within``).

    ``others`` are the judges of the view who are machines too, and are not taken for people.
    """

    name: str
    campaign: Campaign
    within: bool = False
    others: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        return (self.name, self.campaign.fingerprint, self.within, self.others)


def has_machines(context: ViewContext) -> bool:
    """Return whether there are LLM judges, of a sample, in files or named in the view."""
    return bool(_of_sample(context) or files_of(context) or named_of(context))


def measured_machines(
    context: ViewContext,
) -> tuple[dict[str, tuple[Machine, MachineAgreement]], list[PodiumError]]:
    """Return each machine judge with its agreement with people, by name, and what failed."""
    own, problems = _of_files(context)
    measured = {}
    for machine in [*_of_sample(context), *own]:
        try:
            measured[machine.name] = (machine, machine_agreement(context, machine))
        except PodiumError as error:
            problems.append(error)
    return measured, problems


def _of_sample(context: ViewContext) -> list[Machine]:
    own = machine_judges(sample_of(context.campaign)) if context.is_sample else {}
    return [Machine(name, campaign) for name, campaign in own.items()]


def _of_files(context: ViewContext) -> tuple[list[Machine], list[PodiumError]]:
    """Return the judges named in the view, one per file, called by it, and what failed."""
    others = named_of(context)
    machines = [Machine(name, context.campaign, True, others) for name in others]
    problems = []
    for name, data in files_of(context):
        key = ("llm file", name, sha256(data).hexdigest())
        try:
            campaign, _ = store.session_memory().results.get_or_make(
                key, partial(read_many, [(name, data)])
            )
        except PodiumError as error:
            problems.append(error)
        else:
            machines.append(Machine(without_endings(name), campaign, False, others))
    return machines, problems


def _beside(context: ViewContext, machine: Machine) -> Beside:
    selection = dataclasses.replace(
        context.selection,
        exclude_judges=(*context.selection.exclude_judges, *machine.others),
    )
    return remember(
        context,
        ("beside", *machine.key),
        lambda: lay_beside(
            context.campaign,
            machine.campaign,
            machine.name,
            pair=context.pair,
            selection=selection,
            within=machine.within,
        ),
    )


def machine_agreement(context: ViewContext, machine: Machine) -> MachineAgreement:
    """Return how a machine votes where people of the view voted too."""
    return remember(
        context,
        ("llm agreement", *machine.key, context.certainty.level),
        lambda: agreement_beside(_beside(context, machine), context.certainty.level),
    )


def _alone(context: ViewContext, machine: Machine, method: str) -> MachineAlone:
    chosen = context.certainty
    return remember(
        context,
        ("llm alone", *machine.key, method, chosen.level, chosen.scope),
        lambda: machine_alone(
            _beside(context, machine), statistic(method), level=chosen.level, scope=chosen.scope
        ),
    )


def powered_standings(
    context: ViewContext, machine: Machine, method: str, labels: int | None, stated: bool
) -> PredictionPowered:
    """Return standings by ``labels`` votes of people, drawn at random, and the machine's on all.

    Without a number all votes of people count, where they are a random share.
    """
    chosen = context.certainty

    def make() -> PredictionPowered:
        found = _beside(context, machine)
        if labels is not None:
            found = draw_votes(found, labels, chosen.seed)
        else:
            require_random_share(found, stated, chosen.seed)
        return prediction_powered(
            found,
            statistic(method),
            level=chosen.level,
            scope=chosen.scope,
            alone=_alone(context, machine, method),
        )

    settings = (method, labels, stated, chosen.level, chosen.scope, chosen.seed)
    return remember(context, ("prediction-powered", *machine.key, *settings), make)


def scores_of_all_people(context: ViewContext, machine: Machine, method: str) -> FloatArray:
    """Return the scores by all votes of people, on the systems that the machine judged."""
    return remember(
        context,
        ("human scores", *machine.key, method),
        lambda: score_votes(statistic(method), _beside(context, machine).people).scores,
    )
