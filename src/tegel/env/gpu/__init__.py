"""Many games of Blokus at once where the net is: on a GPU, over PyTorch's tensors.

    from tegel.env.gpu import Batch

    batch = Batch("duo", count=65536, device="cuda")
    batch.reset(seed=1)
    while True:
        actions = choose(batch.planes, batch.scalars, batch.mask)  # yours; or batch.sample()
        batch.step(actions)

Names and meanings are those of `tegel.env.batch`: the same planes, scalars and actions, as tensors
that belong to the batch and are written anew by every step. `roll(n)` makes n random moves in every
game and shows only where they led. On CUDA Triton's kernels do it, if it is there; elsewhere plain
PyTorch does, slowly, and that is what the law checks.

>>> batch = Batch("duo", count=2)
>>> batch.reset(seed=7)
>>> tuple(batch.planes.shape), int(batch.mask[0].sum()), batch.mover.tolist()
((2, 10, 14, 14), 414, [0, 0])
>>> batch.step(batch.sample())
>>> batch.mover.tolist(), batch.done.tolist()
([1, 1], [False, False])
"""

from collections.abc import Sequence
from importlib.util import find_spec

from tegel.cells import bits
from tegel.env.given import seeds, whole
from tegel.games.blokus import GAME
from tegel.games.blokus.kernel import STRIDE, number

try:
    import torch
    from torch import Tensor
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"games on a GPU need {error.name}: pip install 'tegel[train]'", name=error.name
    ) from None

from tegel.env.gpu.boards import Boards
from tegel.env.gpu.tables import Tables

MOST = 1 << 20  # games of a batch
WHOLE = (torch.int64, torch.int32)


class Batch:
    """Many games of a variant of Blokus at once; its tensors have a row for each."""

    def __init__(
        self,
        variant: str = "",
        count: int = 1,
        *,
        device: str | torch.device = "cpu",
        autoreset: bool = True,
        planes: bool = True,  # whether to show them; if not, `planes` and `scalars` stay 0
        mask: bool = True,
        kernels: bool | None = None,  # whether Triton does it; by default where there is CUDA
        **options: str,
    ) -> None:
        count = whole(count, 1, MOST, f"a batch has 1 to {MOST} games")
        state = GAME.start(variant, **options)
        self.device = _device(device)
        self.variant, self.count, self.autoreset = state.rules.variant, count, autoreset
        self.tables = t = Tables(state.rules)
        self.seats = state.rules.seats
        self.boards = self._made(kernels)
        zeros = self.boards.zeros
        self.planes = zeros(count, t.channels, t.size, t.size, dtype=torch.uint8)
        self.scalars = zeros(count, t.scalars, dtype=torch.float32)
        self.mask = zeros(count, t.actions if mask else 0, dtype=torch.bool)
        self.rewards = zeros(count, self.seats, dtype=torch.float32)
        self.done = zeros(count, dtype=torch.bool)
        self.mover = zeros(count) - 1
        self._shown, self._started = planes, False

    def _made(self, kernels: bool | None) -> Boards:
        cuda, triton = self.device.type == "cuda", find_spec("triton")
        if not kernels and not (kernels is None and cuda and triton):
            return Boards(self.tables, self.count, self.device)
        if triton:
            from tegel.env.gpu.fast import INTERPRETED, Fast

            if cuda or INTERPRETED:
                return Fast(self.tables, self.count, self.device)
        if cuda:
            raise ValueError("kernels need Triton: pip install triton")
        raise ValueError(f"kernels need a device of CUDA, not {self.device.type}")

    def reset(self, seed: int | Sequence[int] | Tensor = 0, which: Tensor | None = None) -> None:
        """Begin all games anew, or those that are True in `which`: each with its own seed or, if
        there is but one, with this and the numbers after it."""
        own = self._seeds(seed)
        if which is None:
            which = torch.ones_like(self.done)
        which = self._checked("which", which, (torch.bool,))
        self.boards.seed(own, which)
        self.boards.begin(which)
        self.done.masked_fill_(which, False)
        self.rewards.masked_fill_(which[:, None], 0)
        self._started = True
        self._show()

    def step(self, actions: Tensor) -> None:
        """Make an action in every game; -1 leaves a game as it is. If one is not legal, or its
        game is over, that is a ValueError, and nothing has happened."""
        known = self._checked("actions", actions, WHOLE).long()
        self._begun()
        wrong = (known != -1) & ~self.boards.may(known)
        if wrong.any():
            first = int(wrong.int().argmax())
            if self.boards.over[first]:
                raise ValueError(f"game {first} is over: reset it, or leave it alone with -1")
            raise ValueError(f"game {first} has no legal action {int(known[first])}")
        self.boards.lay(known)
        self._ended(*self.boards.settle(known >= 0, self.autoreset))

    def sample(self) -> Tensor:
        """A legal action of every game, each with the same chance; -1 where it is over."""
        self._begun()
        return self.boards.sample()

    def roll(self, moves: int) -> None:
        """Make so many random legal moves in every game, one after the other: what `sample` and
        `step` would do, but nothing is shown before the last. `done` says then whether any game
        of a row ended, and `rewards` is the sum of what those brought."""
        moves = whole(moves, 0, 2**31 - 1, "moves are a number from 0 on")
        self._begun()
        done, rewards = self.boards.roll(moves, self.autoreset)
        self._ended(done, rewards)

    def legal(self) -> tuple[Tensor, Tensor]:
        """The legal actions of all games as a list: where those of each game begin in it, with
        its end, and the actions."""
        self._begun()
        mask = self.mask if self.mask.shape[1] else self.boards.legal()
        offsets = torch.zeros(self.count + 1, dtype=torch.int64, device=self.device)
        offsets[1:] = mask.sum(1).cumsum(0)
        return offsets, mask.nonzero()[:, 1].to(torch.int32)

    def packed(self, game: int) -> list[int]:
        """The position of a game in numbers, as `Kernel.pack` gives it."""
        game = whole(game, 0, self.count - 1, f"games are numbered 0 to {self.count - 1}")
        t, rules, boards = self.tables, self.tables.rules, self.boards
        starts = [number(cell) for cell in rules.starts]
        found = [t.size, t.colours, rules.seats, rules.sides, t.shared]
        found += [int(rules.corners == "fixed"), *starts, *[0] * (4 - len(starts))]
        found += [int(boards.colour[game]), int(boards.single[game])]
        for colour in range(t.colours):
            words = boards.squares[colour, 0, :, game].tolist()  # upright
            covered = [
                32 * word + bit for word, value in enumerate(words) for bit in bits(value % 2**32)
            ]
            squares = [place // t.stride * STRIDE + place % t.stride for place in covered]
            found += [int(boards.hands[colour, game]), len(squares), *squares]
        return found

    def _begun(self) -> None:
        if not self._started:
            raise ValueError("the games have not begun: reset them first")

    def _ended(self, done: Tensor, rewards: Tensor) -> None:
        self.done.copy_(done)
        self.rewards.copy_(rewards)
        self._show()

    def _show(self) -> None:
        self.mover.copy_(self.boards.mover())
        if self._shown:
            self.boards.show_scalars(self.scalars, self.boards.show_planes(self.planes))
        if self.mask.shape[1]:
            self.boards.show_mask(self.mask)

    def _seeds(self, seed: int | Sequence[int] | Tensor) -> Tensor:
        if isinstance(seed, int) and 0 <= seed < 2**62:  # of a million games: quickly
            return seed + self.boards.games
        signed = [one - (one >> 63 << 64) for one in seeds(seed, self.count)]
        return torch.tensor(signed, dtype=torch.int64, device=self.device)

    def _checked(self, name: str, tensor: object, kinds: tuple[torch.dtype, ...]) -> Tensor:
        if not isinstance(tensor, Tensor) or tensor.dtype not in kinds:
            wanted = " or ".join(str(kind).removeprefix("torch.") for kind in kinds)
            kind = tensor.dtype if isinstance(tensor, Tensor) else type(tensor).__name__
            raise ValueError(f"{name} is a tensor of {wanted}, not {kind}")
        if tensor.shape != (self.count,):
            raise ValueError(f"{name} has the shape {tuple(tensor.shape)}, not {(self.count,)}")
        return tensor.to(self.device)


def _device(name: str | torch.device) -> torch.device:
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, TypeError):
        raise ValueError(f"no such device here: {name!r}") from None
    return device
