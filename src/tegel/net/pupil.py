"""A network that learns: its weights, their running mean, which plays, and the optimiser."""

from typing import Any

import torch

from tegel.net.loss import losses
from tegel.net.model import Network, Size

WARM = 200  # steps until the rate is full


class Pupil:
    def __init__(self, shape: Any, size: Size, device: torch.device) -> None:
        self.shape, self.size, self.device = shape, size, device
        self.cuda = device.type == "cuda"
        self.net = Network(shape, size).to(device)
        self.mean = self.copied(self.net)
        if self.cuda:
            self.net = self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), weight_decay=2e-4, fused=self.cuda
        )
        self.steps = 0
        self.losses = torch.zeros(6, device=device)  # sums, since they were told
        self.summed = 0

    def copied(self, net: Network) -> Network:
        made = Network(self.shape, self.size).to(self.device)
        made.load_state_dict(net.state_dict())
        return made

    def learn(self, batch: dict[str, torch.Tensor], rate: float) -> torch.Tensor:
        """One step, without the mean; what is told of it."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, self.steps / WARM + 0.01)
        self.net.train()
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.cuda):
            policy, raw, trunk = self.net(batch["planes"], batch["scalars"])
            owners = self.net.owners(trunk)
        loss, told = losses(policy.float(), raw.float(), owners.float(), batch)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        return told

    @torch.no_grad()
    def settle(self, told: torch.Tensor, memory: float) -> None:
        """Let the running mean follow."""
        memory = min(memory, 0.9 + self.steps * 1e-3)
        means, nows = (
            [one for one in net.state_dict().values() if one.dtype.is_floating_point]
            for net in (self.mean, self.net)
        )
        torch._foreach_lerp_(means, nows, 1 - memory)
        self.losses += told
        self.summed += 1
        self.steps += 1

    def told(self) -> list[float]:
        """The losses as means since this was asked."""
        means: list[float] = (self.losses / max(1, self.summed)).tolist()
        self.losses.zero_()
        self.summed = 0
        return means

    def saved(self) -> dict[str, Any]:
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps,
        }

    def resume(self, saved: dict[str, Any]) -> None:
        self.net.load_state_dict(saved["net"])
        self.mean.load_state_dict(saved["mean"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.steps = saved.get("steps", WARM)
