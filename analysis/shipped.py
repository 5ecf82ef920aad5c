"""Where the data that Podium brings lie: in the repository, and in an installed package."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent

DATA = next(folder / "data" for folder in (_HERE, _HERE.parent) if (folder / "data").is_dir())
