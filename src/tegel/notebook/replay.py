"""A widget to click through a game, in Jupyter and wherever else anywidget runs."""

from pathlib import Path
from typing import Any

from tegel import games
from tegel.game import game_of, words
from tegel.record import Record

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the widget needs {error.name}: pip install 'tegel[notebook]'", name=error.name
    ) from None

LABELS = {
    "en": ("First position", "Back", "Forward", "Last position", "Ply"),
    "nl": ("Eerste stelling", "Terug", "Vooruit", "Laatste stelling", "Zet"),
    "fr": ("Première position", "Précédent", "Suivant", "Dernière position", "Coup"),
    "de": ("Erste Stellung", "Zurück", "Vor", "Letzte Stellung", "Zug"),
    "it": ("Prima posizione", "Indietro", "Avanti", "Ultima posizione", "Mossa"),
}
"""What the buttons are called, in every language."""


class Replay(anywidget.AnyWidget):
    """The positions of a record, by buttons, a slider or the arrow keys. `ply` is how many moves
    have been made, and may be set; positions are drawn when they are looked at."""

    _esm = Path(__file__).parent / "replay.js"
    _css = Path(__file__).parent / "replay.css"
    ply = traitlets.Int(0).tag(sync=True)
    last = traitlets.Int(0).tag(sync=True)
    svg = traitlets.Unicode("").tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, record: Record, language: str = "en", ply: int | None = None) -> None:
        if language not in LABELS:
            raise ValueError(f"no such language: {language}; there are {', '.join(LABELS)}")
        self.record, self.language = games.bounded(record), language
        self.states = [games.start(record), *(step.after for step in games.replay(record))]
        last = len(self.states) - 1
        super().__init__(last=last, ply=last if ply is None else ply, labels=list(LABELS[language]))
        self._draw()

    @traitlets.validate("ply")
    def _within(self, proposal: Any) -> int:
        return max(0, min(int(proposal["value"]), len(self.states) - 1))

    @traitlets.observe("ply")
    def _draw(self, _: object = None) -> None:
        state = self.states[self.ply]
        game = game_of(state)
        self.svg = game.picture(state, self.language).svg()
        move = f": {self.record.moves[self.ply - 1]}" if self.ply else ""
        ended = ""
        if state.outcome:
            ended = f" · {words(game.name, self.language)['reasons'][state.outcome.reason]}"
        scores = ", ".join(map(str, state.scores))
        self.said = f"{LABELS[self.language][4]} {self.ply}{move} · {scores}{ended}"
