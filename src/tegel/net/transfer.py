"""Beginning with what another net knows: one of a related variant, or one in bytes, to learn on.

Weights go where they mean the same. Planes and scalars are matched by name, and one that the other
net does not see begins as the first with the same words: `board 7` as `board 0`. What has another
size begins from nothing, and so does what a net that plays has no use for; values that begin from
nothing are the same for all, so that the first games are those of what is known about moves."""

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from tegel import games
from tegel.net import rollouts
from tegel.net.model import Conv, Network

Weights = dict[str, Tensor]


def begin(net: Network, path: Path, game: str, variant: str) -> list[str]:
    """Give a network what the net of a file knows; which parts of it begin from nothing."""
    given, theirs = weights(path), variant_of(path, game) or variant
    planes = import_module(f"tegel.games.{game}.planes")
    played = games.load(game)
    if theirs not in played.variants:
        raise ValueError(f"{path}: a net of {theirs}, which is no variant of {game}")
    own, other = (played.start(one) for one in (variant, theirs))
    seen, known = planes.channels(other), planes.labels(other)
    _fit(net, given, path, len(seen), len(known))
    stem = "stem.conv.weight"
    given[stem] = spread(given[stem], answers(planes.channels(own), seen), after=1)
    alike = answers(planes.labels(own), known)
    for layer in ("hands", "moves_all", "ends_all"):
        weight = given[f"{layer}.weight"]
        before = weight.shape[1] - len(known)
        given[f"{layer}.weight"] = spread(weight, alike, before)
    fresh = copy(net, given)
    if "values" in fresh:
        net.values.weight.data.zero_()
        net.values.bias.data.zero_()
    kernel = played.kernel
    assert kernel, "only a game with a kernel has nets"
    packed = list(kernel.pack(played.start(variant)))
    shown = map(torch.from_numpy, rollouts.positions(game, packed, seed=1))
    device = net.hands.weight.device
    settle(net, *(one.to(device) for one in shown))
    return fresh


def weights(path: Path) -> Weights:
    """The weights of a net that was trained here, by name, counted in bytes or not."""
    try:
        held = {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}
    except OSError as error:
        raise ValueError(f"{path}: can't be read: {error.strerror}") from None
    except Exception as error:  # of many kinds, by version
        raise ValueError(f"{path}: not a net: {type(error).__name__}") from None
    found: Weights = {}
    for name, value in held.items():
        plain = name.removesuffix("_quantized")
        if not plain.startswith("net.") or plain.endswith(("_scale", "_zero_point")):
            continue
        if plain != name:
            scale = held.get(f"{plain}_scale", held.get(f"{name}_scale"))
            if scale is None:
                raise ValueError(f"{path}: the scale of {plain} is missing")
            value = value.astype(np.float32) * scale.reshape(-1, *[1] * (value.ndim - 1))
        found[plain.removeprefix("net.")] = torch.from_numpy(np.array(value, np.float32))
    return found


def variant_of(path: Path, game: str) -> str:
    """What a net plays, if a card beside it says so."""
    for card in (path.with_suffix(".json"), path.with_name("card.json")):
        if card.is_file():
            try:
                told = json.loads(card.read_text("utf-8"))
                other, variant = str(told["game"]), str(told["variant"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{card}: not the card of a net: {error}") from None
            if other != game:
                raise ValueError(f"{path}: a net of another game: {other}")
            return variant
    return ""


def answers(own: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """For each name the number of theirs that it begins as; -1: none."""

    def words(name: str) -> str:
        return name.rstrip(" 0123456789")

    alike = {words(name): number for number, name in reversed(list(enumerate(theirs)))}
    same = {name: number for number, name in enumerate(theirs)}
    return [same.get(name, alike.get(words(name), -1)) for name in own]


def spread(weight: Tensor, answers: Sequence[int], before: int = 0, after: int = 0) -> Tensor:
    """A layer for other inputs: all but some before and after them, which stay."""
    nothing = torch.zeros_like(weight[:, :1])
    end = weight.shape[1] - after
    inputs = weight[:, before:end]
    found = [inputs[:, number : number + 1] if number >= 0 else nothing for number in answers]
    return torch.cat([weight[:, :before], *found, weight[:, end:]], 1)


@torch.no_grad()
def copy(net: Network, given: Weights) -> list[str]:
    """Give a network weights whose norms are folded in; which parts there are none for."""
    fresh = []
    for name, module in net.named_modules():
        inner: Any = module.conv if isinstance(module, Conv) else module
        if not isinstance(inner, nn.Linear | nn.Conv2d) or name.endswith(".conv"):
            continue
        label = f"{name}.conv" if isinstance(module, Conv) else name
        weight, bias = given.get(f"{label}.weight"), given.get(f"{label}.bias")
        if weight is None or bias is None or weight.shape != inner.weight.shape:
            fresh.append(name)
            continue
        inner.weight.copy_(weight)
        if not isinstance(module, Conv):
            inner.bias.copy_(bias)
            continue
        norm: Any = module.norm
        norm.weight.fill_(1)
        norm.bias.copy_(bias)
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
    return fresh


@torch.no_grad()
def settle(net: Network, planes: Tensor, scalars: Tensor) -> None:
    """Let every norm know from some positions what comes to it, so that a network says the same
    while it learns as when it plays. What it says does not change."""
    norms: list[Any] = [one for one in net.modules() if isinstance(one, nn.BatchNorm2d)]
    seen: dict[Any, tuple[Tensor, Tensor]] = {}

    def look(norm: Any, inputs: tuple[Tensor]) -> None:
        (x,) = inputs
        seen[norm] = x.mean((0, 2, 3)), x.var((0, 2, 3)).clamp(min=1e-4)

    hooks = [norm.register_forward_pre_hook(look) for norm in norms]
    net.eval()
    net(planes, scalars)
    for norm, hook in zip(norms, hooks, strict=True):
        hook.remove()
        mean, variance = seen[norm]
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        norm.bias.add_((mean - norm.running_mean) * scale)
        norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)


def _fit(net: Network, given: Weights, path: Path, planes: int, scalars: int) -> None:
    """Say so where a net can't be what this one begins with."""
    needed = ("stem.conv.weight", "hands.weight", "moves_all.weight", "ends_all.weight")
    if any(name not in given for name in needed):
        raise ValueError(f"{path}: not a net that `tegel train` made")
    width, seen = given["stem.conv.weight"].shape[:2]
    blocks = sum(
        name.startswith("blocks.") and name.endswith("first.conv.weight") for name in given
    )
    if (blocks, width) != (net.size.blocks, net.size.width):
        raise ValueError(f"{path}: a net of {blocks}x{width}, not of {net.size}")
    if seen != planes + 1:
        raise ValueError(f"{path}: a net that sees {seen - 1} planes, not {planes}")
    if (told := given["hands.weight"].shape[1]) != scalars:
        raise ValueError(f"{path}: a net that sees {told} scalars, not {scalars}")
