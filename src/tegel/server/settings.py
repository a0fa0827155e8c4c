"""What a host can set, for every worker; as text, by which workers are told."""

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec

from tegel.place.limits.limits import Limits


@dataclass(frozen=True)
class Settings:
    database: str
    secret: str
    bus: str = ""
    origins: tuple[str, ...] = ()  # empty: the host that is asked
    scrapers: tuple[str, ...] = ("127.0.0.1", "::1")  # from where the metrics may be read
    metrics_token: str = ""  # with which; empty: not at all
    keep_days: int = 0  # 0: for ever
    grace: float = 120.0  # seconds before an absent player may be replaced
    bots: int = 1  # processes that think
    analyses: int = 1  # processes that think in studies, and as many for reports on games
    analysis: float = 30.0  # seconds of thinking about one position
    report: float = 18.0  # seconds of thinking about one game
    hint: float = 10.0  # seconds that a search for the next tile of a puzzle may take
    timeout: float = 10.0  # seconds that a connection may stand still
    push_contact: str = ""  # whom push services may write to; empty: nobody away is told
    push_key: str = ""
    push_after: float = 30.0  # seconds in which people may see for themselves that it is their turn
    push_allowed: tuple[str, ...] = ()  # origins of push services besides the known ones
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        return msgspec.json.encode(asdict(self)).decode()


def settings(text: str) -> Settings:
    """The settings that a text is; the inverse of `str`."""
    return msgspec.json.decode(text, type=Settings)


def default_data() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("TEGEL_DATA") or Path(base) / "tegel")
