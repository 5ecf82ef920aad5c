"""Tables with columns of any names: a profile says what each column means.

`guess` looks at names and content and proposes a profile; a person corrects it; `apply` reads the
whole table by it. A profile is a few lines of YAML that hold no judgments.
"""

from analysis.formats.mapping.apply import apply, apply_to, fits
from analysis.formats.mapping.guess import guess
from analysis.formats.mapping.preview import Preview, preview
from analysis.formats.mapping.profile import COLUMN_ROLES, LISTS, Profile, load

__all__ = [
    "COLUMN_ROLES",
    "LISTS",
    "Preview",
    "Profile",
    "apply",
    "apply_to",
    "fits",
    "guess",
    "load",
    "preview",
]
