"""The vocabulary of every game: seats, states, moves, outcomes, and the game itself.

- a **player** is a person or a bot, a **seat** a chair at the table: `turn` speaks of
  seats; a **colour** is a game's own word;
- **chance** is a seat too: draws are moves, and stand in the record;
- a **state** is immutable; `moves()` lists what may be done, `play` gives the next state
  and refuses everything else with `IllegalMove`;
- a **game** is a value: its variants, its texts, its pictures.
"""

from tegel.game.game import (
    AnyGame,
    Drawing,
    Format,
    Game,
    Kernel,
    Position,
    Solo,
    SoloPosition,
    game_of,
    made,
)
from tegel.game.material import Board, Lot, Material, Piece, Side, Tally
from tegel.game.state import (
    CHANCE,
    IllegalMove,
    Lean,
    Move,
    Option,
    Outcome,
    Rules,
    Seat,
    State,
    heading,
    leaders,
    with_entry,
)
from tegel.game.table import (
    Choice,
    Event,
    Item,
    Offer,
    Slot,
    Start,
    Stop,
    Supply,
    Task,
    Title,
    Way,
)
from tegel.record import BadNotation
from tegel.words import sentence, words

__all__ = [
    "CHANCE", "AnyGame", "BadNotation", "Board", "Choice", "Drawing", "Event", "Format", "Game",
    "IllegalMove", "Item", "Kernel", "Lean", "Lot", "Material", "Move", "Offer", "Option",
    "Outcome", "Piece", "Position", "Rules", "Seat", "Side", "Slot", "Solo", "SoloPosition",
    "Start", "State", "Stop", "Supply", "Tally", "Task", "Title", "Way", "game_of", "heading",
    "leaders", "made", "sentence", "with_entry", "words",
]  # fmt: skip
