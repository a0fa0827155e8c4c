"""What learning makes small."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from tegel.net.model import SCORE


def losses(
    policy: Tensor, raw: Tensor, owners: Tensor, batch: dict[str, Tensor]
) -> tuple[Tensor, Tensor]:
    """What to make small, and for the curve: of policy (above what can't be known), win, value and
    squares, then how often the winner and the likeliest move were right. Policy counts most: how
    a game ended is the same in all lessons of it, and soon known by heart."""
    actions, odds, ends = batch["actions"].long(), batch["odds"].float(), batch["ends"]
    legal = actions >= 0
    logits = policy.gather(1, actions.clamp(min=0)).masked_fill(~legal, -1e9)
    odds = odds / odds.sum(1, keepdim=True).clamp(min=1e-6)
    moves = -(odds * logits.log_softmax(1)).masked_fill(~legal, 0).sum(1)
    unknowable = -(odds * odds.clamp(min=1e-9).log()).sum(1)
    win = F.cross_entropy(raw[:, 0], ends[..., 0], reduction="none")
    value = F.binary_cross_entropy_with_logits(raw[:, 1], ends[..., 1], reduction="none").mean(1)
    score = F.smooth_l1_loss(raw[:, 2], ends[..., 2] / SCORE, reduction="none").mean(1)
    squares = F.cross_entropy(owners.flatten(2), batch["owned"].flatten(1).long())
    loss = (moves + 0.5 * win + value + 0.3 * score).mean() + 0.5 * squares
    with torch.no_grad():
        right = (raw[:, 0].argmax(1) == ends[..., 0].argmax(1)).float().mean()
        same = (logits.argmax(1) == odds.argmax(1)).float().mean()
        told = torch.stack(
            [(moves - unknowable).mean(), win.mean(), value.mean(), squares, right, same]
        )
    return loss, told
