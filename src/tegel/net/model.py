"""The network: small and convolutional, with what is true of the whole board mixed in.

Planes and scalars go in as a game gives them; out come the policy, and by side the win, what is
played for and the score; while learning also whose each square will be."""

import io
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

SCORE = 30.0  # points that count as one in what the net learns
HEAD = 32  # channels of the head for values


@dataclass(frozen=True)
class Size:
    """How large a network is."""

    blocks: int = 6
    width: int = 48  # channels

    def __str__(self) -> str:
        return f"{self.blocks}x{self.width}"


class Conv(nn.Module):
    """A convolution with its norm, or with the norm folded in."""

    def __init__(self, before: int, after: int, kernel: int, folded: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2d(before, after, kernel, padding=kernel // 2, bias=folded)
        self.norm = nn.Identity() if folded else nn.BatchNorm2d(after, momentum=0.05)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.conv(x))  # type: ignore[no-any-return]


def pooled(x: Tensor) -> Tensor:
    """What is true of the whole board: means and maxima."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Block(nn.Module):
    def __init__(self, width: int, pools: bool, folded: bool) -> None:
        super().__init__()
        self.first = Conv(width, width, 3, folded)
        self.second = Conv(width, width, 3, folded)
        self.pool = nn.Linear(2 * width, width) if pools else None

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.first(x))
        if self.pool is not None:
            y = y + self.pool(pooled(y))[:, :, None, None]
        return F.relu(x + self.second(y))


class Network(nn.Module):
    def __init__(self, shape: Any, size: Size, folded: bool = False) -> None:
        super().__init__()
        squares, width = shape.height * shape.width, size.width
        if shape.actions % squares:
            raise ValueError("actions must be so many for each square")
        self.shape, self.size, self.sides = shape, size, shape.sides
        self.stem = Conv(shape.channels + 1, width, 3, folded)
        self.hands = nn.Linear(shape.scalars, width)
        self.blocks = nn.ModuleList(
            Block(width, number % 2 == 1, folded) for number in range(size.blocks)
        )
        self.moves = Conv(width, width, 1, folded)
        self.moves_all = nn.Linear(2 * width + shape.scalars, width)
        self.policy = nn.Conv2d(width, shape.actions // squares, 1)
        self.ends = Conv(width, HEAD, 1, folded)
        self.ends_all = nn.Linear(2 * HEAD + shape.scalars, 2 * HEAD)
        self.values = nn.Linear(2 * HEAD, 3 * shape.sides)
        self.owners = nn.Conv2d(width, shape.owners, 1)

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of the policy; raw values by (kind, side); the trunk, for `owners`."""
        dtype = self.hands.weight.dtype
        x = torch.log1p(planes.to(dtype))
        x = torch.cat([x, torch.ones_like(x[:, :1])], 1)  # where the board is
        if x.is_cuda:
            x = x.contiguous(memory_format=torch.channels_last)
        scalars = scalars.to(dtype)
        x = F.relu(self.stem(x) + self.hands(scalars)[:, :, None, None])
        for block in self.blocks:
            x = block(x)
        all = torch.cat([pooled(x), scalars], 1)
        moves = F.relu(self.moves(x) + self.moves_all(all)[:, :, None, None])
        ends = torch.cat([pooled(F.relu(self.ends(x))), scalars], 1)
        raw = self.values(F.relu(self.ends_all(ends)))
        return self.policy(moves).flatten(1), raw.unflatten(1, (3, self.sides)), x


def said(raw: Tensor) -> Tensor:
    """Raw values as the search wants them: by side the share of the win, what is played for, and
    the score."""
    raw = raw.float()
    return torch.stack([raw[:, 0].softmax(1), raw[:, 1].sigmoid(), raw[:, 2] * SCORE], 2)


@torch.no_grad()
def fold(net: nn.Module, into: nn.Module) -> None:
    """Copy weights into a network of the same size whose norms are folded in."""
    sources: dict[str, Any] = dict(net.named_modules())
    for name, module in into.named_modules():
        source = sources[name]
        if isinstance(module, Conv):
            norm: Any = source.norm
            bias: Any = module.conv.bias
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            module.conv.weight.copy_(source.conv.weight * scale[:, None, None, None])
            bias.copy_(norm.bias - norm.running_mean * scale)
        elif isinstance(module, nn.Linear | nn.Conv2d) and not name.endswith(".conv"):
            module.load_state_dict(source.state_dict())


class _Played(nn.Module):
    """What is needed to play."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        policy, raw, _ = self.net(planes, scalars)
        return policy, said(raw)


def export(net: Network) -> bytes:
    """A network as ONNX."""
    plain = Network(net.shape, net.size, folded=True).eval()
    fold(net.cpu().eval(), plain)
    shape = net.shape
    planes = torch.zeros(2, shape.channels, shape.height, shape.width, dtype=torch.uint8)
    names = ["planes", "scalars", "policy", "values"]
    file = io.BytesIO()
    torch.onnx.export(
        _Played(plain),
        (planes, torch.zeros(2, shape.scalars)),
        file,
        input_names=names[:2],
        output_names=names[2:],
        dynamic_axes={name: {0: "batch"} for name in names},
        dynamo=False,
    )
    return file.getvalue()
