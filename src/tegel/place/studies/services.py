"""The services of who looks into games, put together."""

from dataclasses import dataclass

from tegel.place.studies.analyses import Analyses
from tegel.place.studies.reports import Reports
from tegel.place.studies.studies import Studies


@dataclass(frozen=True)
class StudyServices:
    trees: Studies
    analyses: Analyses
    reports: Reports

    def stop(self) -> None:
        """Think no more."""
        self.analyses.close()
        self.reports.close()
