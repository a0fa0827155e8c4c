"""The same as `boards`, by Triton's kernels: for CUDA."""

from typing import Any

import torch
from torch import Tensor

from tegel.games.blokus.gpu.boards import Boards
from tegel.games.blokus.gpu.kernels import moves as moving
from tegel.games.blokus.gpu.kernels import play, show, words, write
from tegel.games.blokus.gpu.tables import FORM_COUNT, Tables

INTERPRETED = bool(words.INTERPRETED.value)
BLOCK, WARPS = 32, 1  # games of a program and its warps: a game is a lane
SOME = 13  # forms at a time, of 91: so the kernel is small, and compiled soon
GAMES = 16  # of a program that writes bytes


class Fast(Boards):
    """So many games of a variant, on a GPU."""

    def __init__(self, tables: Tables, count: int, device: torch.device) -> None:
        super().__init__(tables, count, device)
        t, rules = tables, tables.rules
        self.full, self.forms = self.numbers(t.full), self.numbers(t.forms)
        self.ended = self.over.view(torch.int8)
        ahead = t.words + int(moving.AHEAD.value)
        self.sight = self.zeros(t.colours, 2, ahead, count)  # for kernels to take notes
        self.by_word = self.zeros(t.colours, t.words, count)
        self.found = self.shown = self.zeros(0)  # likewise, made when something is shown
        self.constants = {
            "SIZE": t.size,
            "STRIDE": t.stride,
            "WORDS": t.words,
            "COLOURS": t.colours,
            "SIDE_OF": t.side_of,
            "SIDES": rules.sides,
            "SEAT_OF": t.seat_of,
            "SEATS": rules.seats,
            "SHARED": t.shared,
            "QUADS": 1 << (t.squares // 4 - 1).bit_length(),
            "BLOCK": BLOCK,
            "GAMES": GAMES,
        }

    def _launch(self, kernel: Any, *values: object, beside: int = 1, **more: int) -> None:
        """For each block of games, and so many of something else."""
        constants = {**self.constants, **more}
        known = {name: value for name, value in constants.items() if name in kernel.arg_names}
        lanes = "BLOCK" in known
        blocks = -(-self.count // (BLOCK if lanes else GAMES))
        warps = {"num_warps": WARPS} if lanes else {}
        kernel[(blocks, beside)](*values, self.count, **known, **warps)

    def counts(self) -> Tensor:
        found = torch.empty_like(self.hands)
        self._launch(
            play.count_moves, self.squares, self.starts, self.full, self.hands, self.colour,
            found, self.sight, self.by_word, beside=self.tables.colours,
        )  # fmt: skip
        return found

    def sample(self) -> Tensor:
        actions = torch.empty(self.count, dtype=torch.int64, device=self.device)
        self._launch(
            play.draw_lots, self.squares, self.starts, self.full, self.hands, self.colour,
            self.ended, self.lots, actions, self.sight, self.by_word,
        )  # fmt: skip
        return actions

    def play(self, actions: Tensor) -> None:
        self._launch(
            play.lay_tiles, self.squares, self.forms, self.turned, self.widths, self.heights,
            self.tile_of, self.hands, self.colour, self.single, actions,
        )  # fmt: skip

    def roll(self, moves: int, autoreset: bool) -> tuple[Tensor, Tensor]:
        done = torch.zeros_like(self.over)
        rewards = self.zeros(self.count, self.tables.rules.seats, dtype=torch.float32)
        self._launch(
            play.roll, self.squares, self.starts, self.full, self.forms, self.turned,
            self.widths, self.heights, self.tile_of, self.hands, self.colour, self.single,
            self.ended, self.lots, done.view(torch.int8), rewards, self.sight, self.by_word,
            moves, AUTORESET=autoreset,
        )  # fmt: skip
        return done, rewards

    def settle(self, stepped: Tensor, autoreset: bool) -> tuple[Tensor, Tensor]:
        done = torch.empty_like(self.over)
        rewards = self.zeros(self.count, self.tables.rules.seats, dtype=torch.float32)
        self._launch(
            play.settle, self.squares, self.hands, self.colour, self.single, self.ended,
            self.counts(), stepped.view(torch.int8), done.view(torch.int8), rewards,
            AUTORESET=autoreset,
        )  # fmt: skip
        return done, rewards

    def may(self, actions: Tensor) -> Tensor:
        found = torch.empty_like(self.over)
        self._launch(
            play.judge, self.squares, self.starts, self.full, self.forms, self.tile_of,
            self.hands, self.colour, self.ended, actions, found.view(torch.int8),
        )  # fmt: skip
        return found

    def mover(self) -> Tensor:
        found = torch.empty_like(self.colour)
        self._launch(write.write_movers, self.hands, self.colour, self.ended, found)
        return found

    def legal(self) -> Tensor:
        mask = torch.empty(self.count, self.tables.actions, dtype=torch.bool, device=self.device)
        self.show_mask(mask)
        return mask

    def show_mask(self, mask: Tensor) -> None:
        if not len(self.found):
            self.found = self.zeros(FORM_COUNT, self.tables.words, self.count)
        self._launch(
            write.note_sight, self.squares, self.starts, self.full, self.hands, self.colour,
            self.ended, self.sight,
        )  # fmt: skip
        for first in range(0, FORM_COUNT, SOME):
            self._launch(
                write.note_moves, self.hands, self.colour, self.sight, self.found,
                FIRST=first, MANY=SOME,
            )  # fmt: skip
        words = mask.flatten().view(torch.int32)
        self._launch(write.write_mask, self.found, words, beside=FORM_COUNT)

    def show_planes(self, planes: Tensor) -> Tensor:
        t = self.tables
        if not len(self.shown):
            self.shown = self.zeros(t.colours, int(show.SHOWN.value), t.words, self.count)
        counts = torch.empty_like(self.hands)
        self._launch(
            show.draw_boards, self.squares, self.starts, self.full, self.hands, self.colour,
            counts, self.shown, self.sight, beside=t.colours,
        )  # fmt: skip
        words = planes.flatten().view(torch.int32)
        self._launch(write.write_planes, self.shown, self.ended, words, beside=t.colours)
        return counts

    def show_scalars(self, scalars: Tensor, counts: Tensor) -> None:
        self._launch(
            write.write_scalars, self.hands, self.colour, self.single, self.ended, counts,
            scalars, beside=self.tables.colours,
        )  # fmt: skip
