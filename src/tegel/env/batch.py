"""Many games at once, stepped by the kernel over NumPy arrays.

    from tegel.env.batch import Batch

    batch = Batch("blokus", "duo", count=1024)
    batch.reset(seed=1)
    while True:
        actions = choose(batch.planes, batch.scalars, batch.mask)  # yours; or batch.sample()
        batch.step(actions)

The arrays belong to the batch and are written anew by every step, a row a game: keep a copy of
what you need later. `planes`, `scalars` and actions are those of the game's `planes`; `mover` is
the seat that moves, -1 where a game is over. `rewards`, by seat, and `done` say what the last step
brought. With `autoreset` a game that ends begins anew at once: `done` and `rewards` speak of the
one that ended, all else of the new one. Chance draws between steps, by a game's own seed: the same
seeds and actions give the same games, on any number of threads.

>>> batch = Batch("blokus", "duo", count=2)
>>> batch.reset(seed=7)
>>> batch.planes.shape, int(batch.mask[0].sum()), batch.mover.tolist()
((2, 10, 14, 14), 414, [0, 0])
>>> batch.step(batch.sample())
>>> batch.mover.tolist(), batch.done.tolist()
([1, 1], [False, False])
"""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"batches need {error.name}: pip install 'tegel[net]'", name=error.name
    ) from None

from tegel import games
from tegel.env.given import seeds, whole
from tegel.game import Kernel, Move, State, game_of
from tegel.search import nets

MOST = 1_000_000  # games of a batch


class Batch:
    """Many games of a variant at once; its arrays have a row for each."""

    def __init__(
        self,
        game: str,
        variant: str = "",
        count: int = 1,
        *,
        autoreset: bool = True,
        threads: int = 1,
        planes: bool = True,  # whether to show them; if not, `planes` and `scalars` stay 0
        mask: bool = True,
        **options: str,
    ) -> None:
        if not find_spec("tegel.env._batch"):
            raise ValueError("batches need the native modules, which were not built")
        from tegel.env import _batch

        count = whole(count, 1, MOST, f"a batch has 1 to {MOST} games")
        threads = whole(threads, 1, 1024, "a batch has 1 to 1024 threads")
        state = games.load(game).start(variant, **options)
        kernel = game_of(state).kernel
        if not kernel or game not in nets.GAMES:
            raise ValueError(f"this game has no planes: {game}")
        begin = list(kernel.pack(state))
        self._kernel: Kernel[Move, State[Move]] = kernel
        self.game, self.variant, self.count = game, state.rules.variant, count
        self.shape = shape = nets.shape(game, begin)
        self.seats = len(state.scores)
        self.planes: NDArray[np.uint8] = np.zeros(
            (count, shape.channels, shape.height, shape.width), np.uint8
        )
        self.scalars: NDArray[np.float32] = np.zeros((count, shape.scalars), np.float32)
        self.mask: NDArray[np.bool_] = np.zeros((count, shape.actions if mask else 0), np.bool_)
        self.rewards: NDArray[np.float32] = np.zeros((count, self.seats), np.float32)
        self.done: NDArray[np.bool_] = np.zeros(count, np.bool_)
        self.mover: NDArray[np.int32] = np.full(count, -1, np.int32)
        self._native = _batch.games(
            game,
            begin,
            count,
            threads,
            autoreset,
            self.planes if planes else None,
            self.scalars if planes else None,
            self.mask.view(np.uint8) if mask else None,
            self.rewards,
            self.done.view(np.uint8),
            self.mover,
        )

    def reset(
        self, seed: int | Sequence[int] | NDArray[Any] = 0, which: NDArray[np.bool_] | None = None
    ) -> None:
        """Begin all games anew, or those that are True in `which`: each with its own seed or, if
        there is but one, with this and the numbers after it."""
        own = np.array(seeds(seed, self.count), np.uint64)
        if which is not None:
            which = self._checked("which", which, (np.bool_,)).view(np.uint8)
        self._native.reset(own, which)

    def step(self, actions: NDArray[Any]) -> None:
        """Make an action in every game; -1 leaves a game as it is. If one is not legal, or its
        game is over, that is a ValueError, and nothing has happened."""
        known = self._checked("actions", actions, (np.int64, np.int32))
        self._native.step(np.ascontiguousarray(known, np.int64))

    def sample(self) -> NDArray[np.int64]:
        """A legal action of every game, each with the same chance; -1 where it is over."""
        actions = np.empty(self.count, np.int64)
        self._native.sample(actions)
        return actions

    def legal(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The legal actions of all games as a list: where those of each game begin in it, with
        its end, and the actions."""
        offsets = np.empty(self.count + 1, np.int64)
        actions = np.empty(self._native.legal(offsets), np.int32)
        self._native.fill(actions)
        return offsets, actions

    def packed(self, number: int) -> list[int]:
        """The position of a game in numbers, as `Kernel.pack` gives it."""
        return self._native.packed(self._known(number))

    def drawn(self, number: int) -> list[Move]:
        """What chance drew in a game since the last step: moves, in their order, of the game that
        ended and of the one that began."""
        return [self._kernel.decode(code) for code in self._native.drawn(self._known(number))]

    def _known(self, number: int) -> int:
        return whole(number, 0, self.count - 1, f"games are numbered 0 to {self.count - 1}")

    def _checked(self, name: str, array: Any, kinds: tuple[type, ...]) -> Any:
        if not isinstance(array, np.ndarray) or array.dtype not in kinds:
            wanted = " or ".join(np.dtype(kind).name for kind in kinds)
            found = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"{name} is an array of {wanted}, not {found}")
        if array.shape != (self.count,):
            raise ValueError(f"{name} has the shape {array.shape}, not {(self.count,)}")
        return np.ascontiguousarray(array)
