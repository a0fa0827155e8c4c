"""What a game brings to be played on a GPU."""

from importlib import import_module
from typing import Any, Protocol

import torch
from torch import Tensor

from tegel import games
from tegel.game import State


class Simulator(Protocol):
    """Many games of one variant as tensors on a device, a place in each for every game."""

    seats: int
    planes: tuple[int, int, int]  # the shape of what is shown of a game: channels, rows, columns
    scalars: int  # numbers shown of a game
    actions: int  # of the variant
    over: Tensor  # by game

    def seed(self, seeds: Tensor, which: Tensor) -> None:
        """Seed chance anew, in the games that are True."""

    def begin(self, which: Tensor) -> None:
        """Begin those games anew that are True."""

    def mover(self) -> Tensor:
        """By game: the seat that moves, -1 where it is over."""

    def legal(self) -> Tensor:
        """By game and action: whether who moves may make it; none where a game is over."""

    def may(self, actions: Tensor) -> Tensor:
        """Whether each is a legal action of its game."""

    def sample(self) -> Tensor:
        """A legal action of every game, each with the same chance; -1 where it is over."""

    def play(self, actions: Tensor) -> None:
        """Make the actions that are not negative: they must be legal."""

    def settle(self, stepped: Tensor, autoreset: bool) -> tuple[Tensor, Tensor]:
        """Go on to whoever decides next, in the games that were stepped: which of them ended, and
        what that brought, by seat. With `autoreset` these begin anew."""

    def roll(self, moves: int, autoreset: bool) -> tuple[Tensor, Tensor]:
        """Make so many random legal moves in every game: which games ended, and what these ends
        brought together, by seat."""

    def show(self, planes: Tensor, scalars: Tensor) -> None:
        """Write what who moves sees, all 0 where a game is over."""

    def show_mask(self, mask: Tensor) -> None:
        """Write what `legal` says."""

    def packed(self, game: int) -> list[int]:
        """The position of a game in numbers, as `Kernel.pack` gives it."""


def simulator(
    state: State[Any], game: str, count: int, device: torch.device, kernels: bool | None
) -> Simulator:
    """The games that begin in a state, by the `simulator` of the folder `gpu` beside its rules."""
    package, _, _ = games.load(game).state.__module__.rpartition(".")
    try:
        brought = import_module(f"{package}.gpu")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.gpu":
            raise
        raise ValueError(f"{game} can't be played on a GPU yet") from None
    made: Simulator = brought.simulator(state, count, device, kernels)
    return made
