"""Search with a net: the net judges positions, the engine decides which.

A **net** is anything that turns a batch of positions, seen by who moves, into a policy and
values. What goes in: planes, bytes of shape (n, channels, height, width), and scalars, floats of
shape (n, scalars). What comes out, as floats: the policy, of shape (n, actions), whose softmax
over the legal moves is how promising they are; the values, of shape (n, sides, 3): for each side,
from who moves on, its share of the win, what it plays for, and its score. A game's `planes` say
what its channels, scalars and actions are.

The nets that come with Tegel lie in the folders of their games, as `nets/VARIANT.onnx`, each with
a card, `VARIANT.json`, that says how it was made and how strong it is; they are played with ONNX
Runtime, on one thread. Without it, and where there is none, rollouts play.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tegel.game import Game, Rules, State, game_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tegel.search._nets import Shape

    Planes = NDArray[np.uint8]
    Floats = NDArray[np.float32]
    Net = Callable[[Planes, Floats], tuple[Floats, Floats]]

if find_spec("tegel.search._nets"):
    from tegel.search import _nets

    GAMES = frozenset(_nets.GAMES)
else:
    GAMES = frozenset()

M = TypeVar("M")
S = TypeVar("S", bound=State[Any])
FOLDER = Path(__file__).parent.parent / "games"
BATCH = 4  # leaves at a time
EFFORT = 2000  # simulations of the highest level, if a card says nothing
SAID = 3  # numbers for each side


def shape(game: str, packed: Sequence[int]) -> "Shape":
    """The sizes of what a net sees and says of a position."""
    if game not in GAMES:
        raise ValueError(f"nets can't see this game yet: {game}")
    return _nets.guide(game, list(packed), 0, {}).shape


class Guide:
    """The engine of one game with a net. The same packed position, seed, number of simulations,
    batch and net give the same opinions."""

    def __init__(
        self,
        game: str,
        packed: Sequence[int],
        seed: int,
        net: "Net",
        batch: int = BATCH,
        tuning: Mapping[str, float] | None = None,
    ) -> None:
        if game not in GAMES:
            raise ValueError(f"nets can't see this game yet: {game}")
        if not find_spec("numpy"):
            raise ValueError("a net needs NumPy: pip install 'tegel[net]'")
        if batch < 1:
            raise ValueError(f"at least one leaf at a time, not {batch}")
        self.net, self.batch = net, batch
        self.native = _nets.guide(game, list(packed), seed, dict(tuning or {}))
        self.play, self.overlook = self.native.play, self.native.overlook
        self.stop, self.opinions = self.native.stop, self.native.opinions
        self.line = self.native.line

    def think(self, simulations: int, seconds: float, settles: bool = True) -> None:
        """Think until the position has had so many simulations, with those kept from before, the
        seconds are over, or, if it `settles`, the choice is settled."""
        native = self.native
        native.begin(simulations, seconds, settles)
        try:
            while (leaves := native.leaves(self.batch)) is not None:
                planes, scalars, actions, counts = leaves
                native.answer(*judged(self.net, native.shape, planes, scalars, actions, counts))
        finally:
            native.abandon()  # nothing, unless the net failed


def judged(
    net: "Net",
    shape: "Shape",
    planes: "Planes",
    scalars: "Floats",
    actions: Any,
    counts: Sequence[int],
) -> tuple[Any, Any]:
    """What a net says of some leaves: of their legal moves, one leaf after the other, and of the
    sides."""
    import numpy as np

    policy, values = (np.asarray(said, np.float32) for said in net(planes, scalars))
    wanted = (len(counts), shape.actions), (len(counts), shape.sides, SAID)
    if (policy.shape, values.shape) != wanted:
        raise ValueError(f"the net gave {policy.shape} and {values.shape}, not {wanted}")
    rows = np.repeat(np.arange(len(counts)), counts)
    return policy[rows, actions], np.ascontiguousarray(values)


class Onnx:
    """A net in a file, played by ONNX Runtime on one thread."""

    def __init__(self, path: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            data = path.read_bytes()
            self.session = onnxruntime.InferenceSession(
                data, options, providers=["CPUExecutionProvider"]
            )
        except OSError as error:
            raise ValueError(f"{path}: can't be read: {error.strerror}") from None
        except Exception as error:  # of many kinds, by version
            if isinstance(error, MemoryError) or "alloc" in str(error):
                raise MemoryError(f"{path}: too little memory to load it") from None
            raise ValueError(f"{path}: not a net: {type(error).__name__}") from None
        self.path = path

    @cached_property
    def card(self) -> dict[str, Any]:
        """How the net was made, as far as is known."""
        path = self.path.with_suffix(".json")
        card: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        return card

    @property
    def effort(self) -> int:
        """The simulations of the highest level: about 5 s a move on one core."""
        effort: int = self.card.get("effort", EFFORT)
        return effort

    def fits(self, shape: "Shape") -> "Onnx":
        """The net itself, if it is one for positions of this shape."""
        takes = [tuple(one.shape[1:]) for one in self.session.get_inputs()]
        gives = [tuple(one.shape[1:]) for one in self.session.get_outputs()]
        wanted = [(shape.channels, shape.height, shape.width), (shape.scalars,)]
        if takes != wanted or gives != [(shape.actions,), (shape.sides, SAID)]:
            raise ValueError(f"{self.path}: a net for another game or variant: it takes {takes}")
        return self

    def __call__(self, planes: "Planes", scalars: "Floats") -> tuple["Floats", "Floats"]:
        policy, values = self.session.run(None, {"planes": planes, "scalars": scalars})
        return policy, values


@cache
def load(path: Path) -> Onnx:
    """The net of a file, loaded once a process."""
    return Onnx(path)


def of(state: State[M]) -> Onnx | None:
    """The net that comes with Tegel for the variant of a state, if there is one."""
    game = game_of(state)
    return shipped(game, state.rules) if game.name in GAMES else None


def shipped(game: Game[M, S], rules: Rules) -> Onnx | None:
    """The net that comes with Tegel for some Rules, if there is one and it can be played: for
    the options that a variant has if nothing is said."""
    path = _path(game, rules)
    return load(path) if path else None


def digest(state: State[M]) -> str:
    """Which net comes with Tegel for the variant of a state, without loading it; nothing if there
    is none."""
    game = game_of(state)
    path = _path(game, state.rules) if game.name in GAMES else None
    return _digest(path) if path else ""


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _path(game: Game[M, S], rules: Rules) -> Path | None:
    if game.name not in GAMES or not find_spec("onnxruntime"):
        return None
    path = FOLDER / game.name / "nets" / f"{rules.variant}.onnx"
    return path if path.is_file() and game.rules(rules.variant) == rules else None
