"""A user's own campaign, as one session keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.campaign import Campaign
from analysis.formats.mapping.profile import Profile
from analysis.formats.report import ReadReport


@dataclass(frozen=True)
class Upload:
    """A user's own campaign; it lives in this session's memory only.

    ``contents`` are the bytes of the files, for an archive; of large files they are not kept.
    """

    campaign: Campaign
    report: ReadReport
    files: tuple[str, ...]
    profile: Profile | None = None
    contents: tuple[bytes, ...] = ()

    def is_of(self, campaign: Campaign) -> bool:
        """Return whether a campaign is this one, by any of its criteria."""
        known = (self.campaign, *(own for _, own in self.campaign.criteria))
        return any(campaign.fingerprint == own.fingerprint for own in known)
