"""The same as `boards`, by Triton's kernels: for CUDA."""

from typing import Any

import torch
from torch import Tensor

from tegel.env.gpu import kernels
from tegel.env.gpu.boards import Boards
from tegel.env.gpu.tables import FORM_COUNT, Tables

BLOCK, WARPS = 32, 1  # games of a program and its warps: a game is a lane
SOME = 13  # forms at a time, of 91
WRITTEN = 16  # games of a program that writes bytes


class Fast(Boards):
    """So many games of a variant, on a GPU."""

    def __init__(self, tables: Tables, count: int, device: torch.device) -> None:
        super().__init__(tables, count, device)
        t = tables
        self.full, self.forms = self.numbers(t.full), self.numbers(t.forms)
        words = t.words + int(kernels.AHEAD.value)
        self.sight = self.zeros(t.colours, 2, words, count)  # for kernels to take notes
        self.by_word = self.zeros(t.colours, t.words, count)
        self.shown = self.zeros(0)
        self.found = self.zeros(0)
        self.quads = 1 << (t.squares // 4 - 1).bit_length()
        self.board = {"STRIDE": t.stride, "WORDS": t.words, "COLOURS": t.colours}
        rules = t.rules
        self.ends = {"SIDE_OF": t.side_of, "SIDES": rules.sides, "SEATS": rules.seats}
        self.seats = {"SEAT_OF": t.seat_of, "SHARED": t.shared, "SEATS": rules.seats}

    def _launch(self, kernel: Any, *values: object, grid: tuple[int, ...] = (), **more: Any) -> None:
        """For each block of games, and so many of something else."""
        blocks = -(-self.count // BLOCK)
        sizes = {**self.board, "BLOCK": BLOCK, **more}
        kernel[(blocks, *grid)](*values, self.count, **sizes, num_warps=WARPS)

    def counts(self) -> Tensor:
        found = torch.empty_like(self.hands)
        self._launch(
            kernels.count_moves, self.squares, self.starts, self.full, self.hands, self.colour,
            found, self.sight, self.by_word, grid=(self.tables.colours,),
        )  # fmt: skip
        return found

    def sample(self) -> Tensor:
        actions = torch.empty(self.count, dtype=torch.int64, device=self.device)
        self._launch(
            kernels.draw_lots, self.squares, self.starts, self.full, self.hands, self.colour,
            self.over.view(torch.int8), self.lots, actions, self.sight, self.by_word,
            SIZE=self.tables.size,
        )  # fmt: skip
        return actions

    def lay(self, actions: Tensor) -> None:
        self._launch(
            kernels.lay_tiles, self.squares, self.forms, self.turned, self.widths, self.heights,
            self.tile_of, self.hands, self.colour, self.single, actions, SIZE=self.tables.size,
        )  # fmt: skip

    def roll(self, moves: int, autoreset: bool) -> tuple[Tensor, Tensor]:
        done = torch.zeros_like(self.over)
        rewards = self.zeros(self.count, self.tables.rules.seats, dtype=torch.float32)
        self._launch(
            kernels.roll, self.squares, self.starts, self.full, self.forms, self.turned,
            self.widths, self.heights, self.tile_of, self.hands, self.colour, self.single,
            self.over.view(torch.int8), self.lots, done.view(torch.int8), rewards, self.sight,
            self.by_word, moves, SIZE=self.tables.size, **self.ends, AUTORESET=autoreset,
        )  # fmt: skip
        return done, rewards

    def settle(self, stepped: Tensor, autoreset: bool) -> tuple[Tensor, Tensor]:
        done = torch.empty_like(self.over)
        rewards = self.zeros(self.count, self.tables.rules.seats, dtype=torch.float32)
        self._launch(
            kernels.settle, self.squares, self.hands, self.colour, self.single,
            self.over.view(torch.int8), self.counts(), stepped.view(torch.int8),
            done.view(torch.int8), rewards, **self.ends, AUTORESET=autoreset,
        )  # fmt: skip
        return done, rewards

    def may(self, actions: Tensor) -> Tensor:
        found = torch.empty_like(self.over)
        self._launch(
            kernels.judge, self.squares, self.starts, self.full, self.forms, self.tile_of,
            self.hands, self.colour, self.over.view(torch.int8), actions,
            found.view(torch.int8), SIZE=self.tables.size,
        )  # fmt: skip
        return found

    def mover(self) -> Tensor:
        found = torch.empty_like(self.colour)
        self._launch(
            kernels.write_movers, self.hands, self.colour, self.over.view(torch.int8), found,
            **self.seats,
        )  # fmt: skip
        return found

    def legal(self) -> Tensor:
        mask = torch.empty(self.count, self.tables.actions, dtype=torch.bool, device=self.device)
        self.show_mask(mask)
        return mask

    def show_mask(self, mask: Tensor) -> None:
        t = self.tables
        if not len(self.found):
            self.found = self.zeros(FORM_COUNT, t.words, self.count)
        self._launch(
            kernels.note_sight, self.squares, self.starts, self.full, self.hands, self.colour,
            self.over.view(torch.int8), self.sight,
        )  # fmt: skip
        for first in range(0, FORM_COUNT, SOME):
            self._launch(
                kernels.note_moves, self.hands, self.colour, self.sight, self.found,
                FIRST=first, MANY=SOME,
            )  # fmt: skip
        kernels.write_mask[(-(-self.count // WRITTEN), FORM_COUNT)](
            self.found, mask.flatten().view(torch.int32), self.count, SIZE=t.size, WORDS=t.words,
            GAMES=WRITTEN, QUADS=self.quads,
        )  # fmt: skip

    def show_planes(self, planes: Tensor) -> Tensor:
        t = self.tables
        if not len(self.shown):
            self.shown = self.zeros(t.colours, int(kernels.SHOWN.value), t.words, self.count)
        counts = torch.empty_like(self.hands)
        self._launch(
            kernels.draw_boards, self.squares, self.starts, self.full, self.hands, self.colour,
            counts, self.shown, self.sight, grid=(t.colours,),
        )  # fmt: skip
        kernels.write_planes[(-(-self.count // WRITTEN), t.colours)](
            self.shown, self.over.view(torch.int8), planes.flatten().view(torch.int32), self.count,
            SIZE=t.size, WORDS=t.words, COLOURS=t.colours, GAMES=WRITTEN, QUADS=self.quads,
        )  # fmt: skip
        return counts

    def show_scalars(self, scalars: Tensor, counts: Tensor) -> None:
        kernels.write_scalars[(-(-self.count // WRITTEN), self.tables.colours)](
            self.hands, self.colour, self.single, self.over.view(torch.int8), counts, scalars,
            self.count, COLOURS=self.tables.colours, **{**self.ends, **self.seats}, GAMES=WRITTEN,
        )  # fmt: skip
